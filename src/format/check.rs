//! Whether a provider would take an array, and what is wrong where it would not.

use super::pairs::Pairs;
use super::piece::{Fault, Kind, Piece, Role, Slot};
use super::table::{Blank, CallIds, Reasoning, Results, Table};
use crate::numbers::Numbers;
use std::borrow::Cow;

/// What is wrong at one place of an array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The rule that is broken.
    pub rule: ProblemRule,
    /// The message, by its number in the array.
    pub index: usize,
    /// The part of it, by its number in its list; none where it is the message.
    pub part: Option<usize>,
    /// The id that it is about.
    pub id: Option<String>,
    /// Whether it is a call at the end that still awaits its result.
    pub pending: bool,
}

impl Problem {
    pub(super) fn of(rule: ProblemRule, piece: &Piece<'_>, pending: bool) -> Self {
        let id = piece.id().map(Cow::into_owned);
        Self { rule, index: piece.item, part: piece.part, id, pending }
    }
}

/// A rule for arrays of messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProblemRule {
    /// A result answers no call.
    ResultWithoutCall,
    /// Nothing answers a call.
    CallWithoutResult,
    /// A result does not stand where the format has it.
    MisplacedResult,
    /// A second result answers the same call.
    RepeatedResult,
    /// The first message is not the user's.
    WrongOrder,
    /// A part stands in a message of somebody who cannot say it.
    WrongRole,
    /// A message says nothing, or a text is blank.
    EmptyMessage,
    /// An id stands twice.
    DuplicateId,
    /// Reasoning stands without what it belongs to.
    ReasoningWithoutPartner,
    /// A response to a request for approval that is not there.
    ApprovalWithoutRequest,
    /// A part lacks what its type needs.
    Malformed,
}

impl ProblemRule {
    /// Its name in JavaScript, and what it says.
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::ResultWithoutCall => ("result-without-call", "the result answers no call"),
            Self::CallWithoutResult => ("call-without-result", "nothing answers the call"),
            Self::MisplacedResult => ("misplaced-result", "the result does not stand where its format has it"),
            Self::RepeatedResult => ("repeated-result", "the call has its result already"),
            Self::WrongOrder => ("wrong-order", "the first message has to be the user's"),
            Self::WrongRole => ("wrong-role", "a message of this role cannot hold it"),
            Self::EmptyMessage => ("empty-message", "it says nothing"),
            Self::DuplicateId => ("duplicate-id", "the id stands twice"),
            Self::ReasoningWithoutPartner => {
                ("reasoning-without-partner", "the reasoning stands without what follows it")
            }
            Self::ApprovalWithoutRequest => ("approval-without-request", "the approval was not asked for"),
            Self::Malformed => ("malformed", "it lacks what its type needs"),
        }
    }
}

/// What is wrong with an array, in its order.
pub(super) fn problems(table: &Table, pieces: &[Piece<'_>]) -> Vec<Problem> {
    let mut found = Vec::new();
    let mut push = |problem: Problem| found.push(problem);
    let pairs = Pairs::of(table, pieces);
    let in_place = pairs.in_place(table, pieces);
    let duplicates = duplicate_calls(table, pieces, &pairs);
    let lonely = lonely_reasoning(table, pieces);
    let open_from = open_from(table, pieces);
    let granted = granted(pieces, &pairs, open_from);
    let blank = blank_texts(table, pieces);
    let last = pieces.last().map_or(0, |piece| piece.item);
    let out_of_order = out_of_order(table, pieces);
    let mut ids = Numbers::new();
    let first_speaker = pieces.iter().position(|piece| piece.role != Role::System);
    for (place, piece) in pieces.iter().enumerate() {
        let is = |row: &[bool]| row.get(place) == Some(&true);
        if table.laws.user_first && Some(place) == first_speaker && piece.role != Role::User || is(&out_of_order) {
            push(Problem::of(ProblemRule::WrongOrder, piece, false));
        }
        match item_id(table, piece) {
            Some(id) if ids.insert((&*id).into(), place as u32).is_some() => {
                push(Problem { id: Some(id.into_owned()), ..Problem::of(ProblemRule::DuplicateId, piece, false) });
            }
            None if lacks_item_id(table, piece) => push(Problem::of(ProblemRule::Malformed, piece, false)),
            _ => {}
        }
        if piece.failed {
            continue;
        }
        if let Some(fault) = piece.fault {
            push(Problem::of(rule_of_fault(fault), piece, false));
            continue;
        }
        let answers = pairs.answers.get(place).copied().flatten();
        let answered = pairs.answered_by.get(place).copied().flatten();
        match piece.kind {
            // What its call lacks is told there already, where both are one part.
            Kind::Result if answers.is_none() && table.laws.results == Results::SamePart => {}
            Kind::Result | Kind::ServerResult if answers.is_none() => {
                push(Problem::of(ProblemRule::ResultWithoutCall, piece, false))
            }
            Kind::Response if answers.is_some() && !is(&in_place) => {
                push(Problem::of(ProblemRule::MisplacedResult, piece, false));
            }
            Kind::Response if answers.is_none() => push(Problem::of(ProblemRule::ApprovalWithoutRequest, piece, false)),
            Kind::Result | Kind::ServerResult if is(&pairs.repeated) => {
                push(Problem::of(ProblemRule::RepeatedResult, piece, false))
            }
            Kind::Result if !is(&in_place) => push(Problem::of(ProblemRule::MisplacedResult, piece, false)),
            Kind::Call if is(&duplicates) => push(Problem::of(ProblemRule::DuplicateId, piece, false)),
            Kind::Call if answered.is_none() => {
                let pending = place >= open_from;
                if !pending || !piece.id().is_some_and(|id| granted.contains_key(&*id)) {
                    push(Problem::of(ProblemRule::CallWithoutResult, piece, pending));
                }
            }
            Kind::Reasoning if is(&lonely) => push(Problem::of(ProblemRule::ReasoningWithoutPartner, piece, false)),
            Kind::Nothing if is_empty(table, piece, last) => push(Problem::of(ProblemRule::EmptyMessage, piece, false)),
            Kind::ServerCall if table.laws.server_results && answered.is_none() && piece.item < last => {
                push(Problem::of(ProblemRule::CallWithoutResult, piece, false));
            }
            _ if is(&blank) => push(Problem::of(ProblemRule::EmptyMessage, piece, false)),
            _ => {}
        }
    }
    found
}

/// The id of the item that a piece begins.
pub(super) fn item_id<'p>(table: &Table, piece: &'p Piece<'_>) -> Option<Cow<'p, str>> {
    let key = table.laws.item_id?;
    let item = piece.item_rest.as_ref()?;
    // A local shell names its call by it.
    let is_of_call = piece.rest.text_of("type").is_some_and(|kind| kind == "local_shell_call_output");
    item.text_of(key).or_else(|| piece.rest.text_of(key)).filter(|_| !is_of_call)
}

/// Whether a piece begins an item that lacks its id: messages need one, items of a flat list as their parts say.
pub(super) fn lacks_item_id(table: &Table, piece: &Piece<'_>) -> bool {
    !table.flat && piece.item_rest.is_some() && table.laws.item_id.is_some() && item_id(table, piece).is_none()
}

/// The rule that a fault breaks.
pub(super) fn rule_of_fault(fault: Fault) -> ProblemRule {
    match fault {
        Fault::Lacks | Fault::NoList => ProblemRule::Malformed,
        Fault::WrongRole => ProblemRule::WrongRole,
        Fault::NotAsked => ProblemRule::ApprovalWithoutRequest,
    }
}

/// Which texts are refused since they say nothing.
pub(super) fn blank_texts(table: &Table, pieces: &[Piece<'_>]) -> Vec<bool> {
    let is_text = |piece: &Piece<'_>| matches!(piece.kind, Kind::Text | Kind::Reasoning);
    let is_empty = |piece: &Piece<'_>| is_text(piece) && piece.text(Slot::Body).is_some_and(|text| text.is_empty());
    let mut blank: Vec<bool> = match table.laws.blank {
        Blank::Nowhere => vec![false; pieces.len()],
        Blank::Alone => pieces.iter().map(is_empty).collect(),
        Blank::Empty => {
            let signed = |piece: &Piece<'_>| {
                piece.get(Slot::Signature).is_some() || piece.rest.get("thoughtSignature").is_some()
            };
            pieces.iter().map(|piece| is_empty(piece) && !signed(piece)).collect()
        }
        Blank::Spaces => {
            let is_blank = |piece: &Piece<'_>| piece.text(Slot::Body).is_some_and(|text| text.trim().is_empty());
            pieces.iter().map(|piece| piece.kind == Kind::Text && is_blank(piece)).collect()
        }
    };
    if table.laws.blank == Blank::Alone {
        // An empty text beside something else is passed over by whoever sends the array. In a message of the
        // user's interface so is all of unknown type that is no file, and tools where the user speaks; a user who
        // says nothing else is refused.
        let in_interface = table.laws.results == Results::SamePart;
        let is_file = |piece: &Piece<'_>| piece.rest.text_of("type").is_some_and(|kind| kind == "file");
        let is_sent = |piece: &Piece<'_>| match piece.kind {
            _ if !in_interface => true,
            Kind::Other => is_file(piece),
            Kind::Call => piece.role != Role::User,
            // It goes with its call.
            Kind::Result => false,
            _ => true,
        };
        let mut row = blank.as_mut_slice();
        for item in pieces.chunk_by(|one, other| one.item == other.item) {
            let Some((of_item, rest)) = row.split_at_mut_checked(item.len()) else { break };
            let says_more = of_item.iter().zip(item).any(|(blank, piece)| !blank && is_sent(piece));
            let is_users = item.first().is_some_and(|piece| piece.role == Role::User && piece.kind != Kind::Nothing);
            if says_more || in_interface && is_users {
                of_item.fill(!says_more);
            }
            row = rest;
        }
    }
    blank
}

/// Whether a message without parts says nothing at all.
pub(super) fn is_empty(table: &Table, piece: &Piece<'_>, last: usize) -> bool {
    let has_content = !piece.list.is_empty();
    if table.flat {
        // An empty list says nothing, and is content.
        return !has_content;
    }
    if table.laws.last_may_be_empty && has_content && piece.item == last && piece.role == Role::Assistant {
        return false;
    }
    let Some(item) = piece.item_rest.as_ref() else { return true };
    let role = item.text_of("role");
    if role.as_ref().is_some_and(|role| table.roles.iter().all(|(known, _)| known != role)) {
        return false;
    }
    // A list without parts is refused even where the message says something elsewhere.
    if has_content && !table.lists.is_empty() {
        return true;
    }
    let says = |(of_role, key): &(&str, &str)| {
        role.as_deref() == Some(of_role) && item.get(key).is_some_and(|value| !value.is_null())
    };
    !table.laws.instead_of_content.iter().any(says)
}

/// Which calls have an id that another had before.
pub(super) fn duplicate_calls(table: &Table, pieces: &[Piece<'_>], pairs: &Pairs) -> Vec<bool> {
    // The stretch in which each id stood last: an item or a step of one; otherwise the call that has it and waits.
    let mut newest = Numbers::new();
    let one_waits = table.laws.call_ids == CallIds::UntilAnswered;
    let mut duplicate = vec![false; pieces.len()];
    let mut stretch = 0;
    let mut item = None;
    for (place, piece) in pieces.iter().enumerate() {
        let begins = match table.laws.call_ids {
            CallIds::InArray | CallIds::UntilAnswered => false,
            CallIds::InMessage => item != Some(piece.item),
            CallIds::InStep => item != Some(piece.item) || piece.rest.text_of("type").as_deref() == Some("step-start"),
        };
        item = Some(piece.item);
        stretch += u32::from(begins);
        let Some(id) = piece.id() else { continue };
        let before = newest.get(&*id).copied().filter(|before| *before != u32::MAX);
        let answers = pairs.answers.get(place).copied().flatten().map(|call| call as u32);
        match piece.kind {
            // Only its own result ends the wait of a call.
            Kind::Result if one_waits && before.is_some() && answers == before => {
                newest.insert((&*id).into(), u32::MAX);
            }
            Kind::Call if if one_waits { before.is_some() } else { before == Some(stretch) } => {
                if let Some(duplicate) = duplicate.get_mut(place) {
                    *duplicate = true;
                }
            }
            Kind::Call => {
                newest.insert((&*id).into(), if one_waits { place as u32 } else { stretch });
            }
            _ => {}
        }
    }
    duplicate
}

/// Which reasoning stands without what it belongs to.
pub(super) fn lonely_reasoning(table: &Table, pieces: &[Piece<'_>]) -> Vec<bool> {
    let mut lonely = vec![false; pieces.len()];
    let partner = |piece: &Piece<'_>| !matches!(piece.kind, Kind::Reasoning | Kind::Nothing);
    // Whether what was met last, going backwards, can be a partner of what stands before it.
    let mut followed = false;
    let mut item = usize::MAX;
    for (place, piece) in pieces.iter().enumerate().rev() {
        let same_item = piece.item == item;
        item = piece.item;
        match table.laws.reasoning {
            Reasoning::BeforeItem => {
                if piece.kind != Kind::Reasoning {
                    followed = piece.role == Role::Assistant && !matches!(piece.kind, Kind::Result | Kind::Response);
                }
            }
            Reasoning::NotLast => followed = same_item && followed || partner(piece),
            Reasoning::NotAlone => {
                if !same_item {
                    let mut of_item = pieces.get(..=place).unwrap_or_default().iter().rev();
                    followed = of_item.by_ref().take_while(|other| other.item == item).any(partner);
                }
            }
        }
        if piece.kind == Kind::Reasoning
            && !followed
            && let Some(lonely) = lonely.get_mut(place)
        {
            *lonely = true;
        }
    }
    lonely
}

/// From which piece on a call may still await its result: behind it there is nothing but results.
pub(super) fn open_from(table: &Table, pieces: &[Piece<'_>]) -> usize {
    let mut from = pieces.len();
    let mut turn = None;
    for (place, piece) in pieces.iter().enumerate().rev() {
        match piece.kind {
            Kind::Result if table.laws.results != Results::SamePart => {}
            Kind::Response => {}
            _ if piece.role != Role::Assistant => break,
            // The model's last turn: one message, or a row of items.
            _ if turn.is_none_or(|turn| turn == piece.item) || table.flat => turn = Some(piece.item),
            _ => break,
        }
        from = place;
    }
    from
}

/// The calls that the user has allowed or denied: whoever sends the array then runs them or says so.
pub(super) fn granted(pieces: &[Piece<'_>], pairs: &Pairs, from: usize) -> Numbers {
    let mut ids = Numbers::new();
    // An id may have been that of an earlier call.
    for (place, piece) in pieces.iter().enumerate().skip(from) {
        let id = match piece.kind {
            Kind::Request if pairs.answered_by.get(place).is_some_and(Option::is_some) => piece.text(Slot::Call),
            Kind::Call if piece.rest.text_of("state").is_some_and(|state| state == "approval-responded") => piece.id(),
            _ => None,
        };
        if let Some(id) = id {
            ids.insert((&*id).into(), place as u32);
        }
    }
    ids
}

/// Which pieces begin a message with calls behind another of the model's, where calls need the user's before.
pub(super) fn out_of_order(table: &Table, pieces: &[Piece<'_>]) -> Vec<bool> {
    let mut wrong = Vec::with_capacity(pieces.len());
    let mut before = None;
    for item in pieces.chunk_by(|one, other| one.item == other.item) {
        let role = item.first().map(|piece| piece.role);
        let calls = item.iter().any(|piece| piece.kind == Kind::Call);
        let is_wrong = table.laws.results == Results::NextContent && calls && before == Some(Role::Assistant);
        wrong.extend((0..item.len()).map(|place| is_wrong && place == 0));
        before = role;
    }
    wrong
}
