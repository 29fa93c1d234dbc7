//! The smallest change after which a provider takes an array.
//!
//! What says nothing or belongs to nothing goes, a result that stands elsewhere comes to its call, a call that
//! nothing answers gets an answer that says so. Whatever is fine stays the very same object.

mod placing;

use super::check::{
    Problem, ProblemRule, blank_texts, duplicate_calls, granted, is_empty, item_id, lacks_item_id, lonely_reasoning,
    open_from, out_of_order, problems, rule_of_fault,
};
use super::digest::id_of;
use super::pairs::Pairs;
use super::piece::{Fault, Kind, Piece, Role, Slot};
use super::read::AS_ONE;
use super::table::{Results, Table};
use super::tree::Tree;
use super::write::write_item;
use crate::numbers::Numbers;

/// One change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageRepair {
    /// What was done.
    pub action: RepairAction,
    /// Why: the rule that was broken, with the place in the array that came in.
    pub problem: Problem,
}

/// What a repair does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RepairAction {
    /// It was left out.
    Dropped,
    /// It stands elsewhere.
    Moved,
    /// Something was added.
    Added,
    /// It says something else.
    Changed,
}

impl RepairAction {
    /// Its name in JavaScript.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Dropped => "dropped",
            Self::Moved => "moved",
            Self::Added => "added",
            Self::Changed => "changed",
        }
    }
}

/// An item of the array as it becomes.
#[derive(Debug, Clone)]
pub(super) struct Item<'a> {
    /// Which item of the array that came in it is; none for a new one.
    pub(super) from: Option<usize>,
    pub(super) parts: Vec<Part<'a>>,
    /// A new value for the item's own id; an empty one takes it away.
    pub(super) id: Option<String>,
}

/// A piece of it.
#[derive(Debug, Clone)]
pub(super) struct Part<'a> {
    pub(super) piece: Piece<'a>,
    /// Where it stood among all pieces; none for a new one.
    pub(super) place: Option<usize>,
    /// What it says otherwise now.
    pub(super) change: Change,
}

/// What a piece says otherwise than before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    /// Nothing.
    Nothing,
    /// It has another id.
    Id,
    /// It holds something else, or is new.
    Content,
}

/// An array on its way to be legal.
pub(super) struct Repair<'a> {
    table: &'static Table,
    pub(super) items: Vec<Item<'a>>,
    pub(super) repairs: Vec<MessageRepair>,
}

/// Heals an array.
pub(super) fn repair<'a>(table: &'static Table, pieces: Vec<Piece<'a>>) -> Repair<'a> {
    let mut repair = Repair { table, items: Vec::new(), repairs: Vec::new() };
    let parts = repair.without_broken_parts(pieces);
    let (parts, due) = repair.pair(parts);
    repair.place(parts, due);
    while repair.drop_what_says_nothing() {}
    repair.let_the_user_speak();
    repair.tell_items_apart();
    repair
}

/// The result that a call waits for: the one that stood elsewhere, or a new one.
struct Due<'a> {
    call: Piece<'a>,
    result: Option<Part<'a>>,
}

impl<'a> Repair<'a> {
    fn note(&mut self, action: RepairAction, rule: ProblemRule, piece: &Piece<'_>) {
        self.repairs.push(MessageRepair { action, problem: Problem::of(rule, piece, false) });
    }

    /// Leaves out parts that lack what they need, and those that nobody of their role can say.
    fn without_broken_parts(&mut self, pieces: Vec<Piece<'a>>) -> Vec<Part<'a>> {
        let mut parts = Vec::with_capacity(pieces.len());
        let blank = blank_texts(self.table, &pieces);
        let mut ids = Numbers::new();
        for (place, mut piece) in pieces.into_iter().enumerate() {
            let is_blank = blank.get(place) == Some(&true);
            let fault = piece.fault.filter(|_| !piece.failed);
            if fault == Some(Fault::NoList) {
                // As a part it is new.
                self.note(RepairAction::Changed, ProblemRule::Malformed, &piece);
                piece.fault = None;
                piece.rest.take(AS_ONE);
                parts.push(Part { piece, place: None, change: Change::Content });
                continue;
            }
            let is_repeated = item_id(self.table, &piece).is_some_and(|id| ids.insert((&*id).into(), 1).is_some());
            let broken = fault
                .map(rule_of_fault)
                .or(is_blank.then_some(ProblemRule::EmptyMessage))
                .or((is_repeated && needs_its_id(self.table, &piece)).then_some(ProblemRule::DuplicateId));
            match broken {
                Some(rule) => {
                    self.note(RepairAction::Dropped, rule, &piece);
                    // The item is still there, without this.
                    if piece.item_rest.is_some() && !self.is_whole(&piece) {
                        let mut nothing = Piece::new(piece.role, Kind::Nothing);
                        (nothing.item, nothing.item_rest) = (piece.item, piece.item_rest);
                        parts.push(Part { piece: nothing, place: None, change: Change::Nothing });
                    }
                }
                None => parts.push(Part { piece, place: Some(place), change: Change::Nothing }),
            }
        }
        parts
    }

    /// Leaves out what answers nothing, tells calls apart, and takes out results that stand elsewhere.
    fn pair(&mut self, mut parts: Vec<Part<'a>>) -> (Vec<Part<'a>>, Vec<(usize, Due<'a>)>) {
        let pieces: Vec<Piece<'a>> = parts.iter().map(|part| part.piece.clone()).collect();
        let pairs = Pairs::of(self.table, &pieces);
        let in_place = pairs.in_place(self.table, &pieces);
        let open_from = open_from(self.table, &pieces);
        let granted = granted(&pieces, &pairs, open_from);
        let last = pieces.last().map_or(0, |piece| piece.item);
        self.tell_calls_apart(&pieces, &pairs, &mut parts);
        let mut kept: Vec<Part<'a>> = Vec::with_capacity(parts.len());
        let mut due: Vec<(usize, Due<'a>)> = Vec::new();
        // Results that are to move, until their call is known.
        let mut moving: Vec<(usize, Part<'a>)> = Vec::new();
        for (place, part) in parts.into_iter().enumerate() {
            let of = |row: &[Option<usize>]| row.get(place).copied().flatten();
            let (answers, answered) = (of(&pairs.answers), of(&pairs.answered_by));
            let dropped = match part.piece.kind {
                Kind::Result | Kind::ServerResult if answers.is_none() => Some(ProblemRule::ResultWithoutCall),
                Kind::Response if answers.is_none() => Some(ProblemRule::ApprovalWithoutRequest),
                // It came too late to be carried out.
                Kind::Response if in_place.get(place) == Some(&false) => Some(ProblemRule::MisplacedResult),
                Kind::Result | Kind::ServerResult if pairs.repeated.get(place) == Some(&true) => {
                    Some(ProblemRule::RepeatedResult)
                }
                Kind::Call if answered.is_none() && awaits_no_text(self.table, &part.piece) => {
                    Some(ProblemRule::CallWithoutResult)
                }
                Kind::ServerCall if self.table.laws.server_results && answered.is_none() && part.piece.item < last => {
                    Some(ProblemRule::CallWithoutResult)
                }
                _ => None,
            };
            let moves = part.piece.kind == Kind::Result && in_place.get(place) == Some(&false);
            if dropped.is_some() || moves {
                let rest = part.piece.item_rest.clone();
                // Where call and result are one part, the call was told to go already.
                let told = self.table.laws.results == Results::SamePart && part.piece.kind == Kind::Result;
                if let Some(rule) = dropped.filter(|_| !told) {
                    self.note(RepairAction::Dropped, rule, &part.piece);
                }
                if let Some(rest) = rest.filter(|_| !self.is_whole(&part.piece)) {
                    let mut nothing = Piece::new(part.piece.role, Kind::Nothing);
                    (nothing.item, nothing.item_rest) = (part.piece.item, Some(rest));
                    kept.push(Part { piece: nothing, place: None, change: Change::Nothing });
                }
                if let (None, Some(call)) = (dropped, answers) {
                    moving.push((call, part));
                }
                continue;
            }
            let stands = answered.is_some_and(|answer| in_place.get(answer) == Some(&true));
            let id = part.piece.id().unwrap_or_default().into_owned();
            if part.piece.kind == Kind::Call
                && !part.piece.failed
                && !stands
                && (answered.is_some() || place < open_from || !granted.contains_key(&*id))
            {
                due.push((place, Due { call: part.piece.clone(), result: None }));
            }
            kept.push(part);
        }
        for (call, part) in moving {
            if let Ok(found) = due.binary_search_by_key(&call, |(place, _)| *place)
                && let Some((_, due)) = due.get_mut(found)
            {
                self.note(RepairAction::Moved, ProblemRule::MisplacedResult, &part.piece);
                due.result = Some(part);
            }
        }
        (kept, due)
    }

    /// Whether a piece is an item itself.
    fn is_whole(&self, piece: &Piece<'_>) -> bool {
        piece.part.is_none() && piece.list.is_empty() && piece.kind != Kind::Nothing
    }

    /// Gives a call whose id stands before another one, and its result the same.
    fn tell_calls_apart(&mut self, pieces: &[Piece<'_>], pairs: &Pairs, parts: &mut [Part<'a>]) {
        let duplicates = duplicate_calls(self.table, pieces, pairs);
        if !duplicates.contains(&true) {
            return;
        }
        let mut taken = Numbers::new();
        for id in pieces.iter().filter_map(Piece::id) {
            taken.insert((&*id).into(), 1);
        }
        for (place, _) in duplicates.iter().enumerate().filter(|(_, duplicate)| **duplicate) {
            let Some(piece) = pieces.get(place) else { continue };
            let id = piece.id().unwrap_or_default().into_owned();
            let mut number = taken.get(&*id).copied().unwrap_or(1);
            let new = loop {
                number += 1;
                let new = format!("{id}_{number}");
                if !taken.contains_key(&*new) {
                    break new;
                }
            };
            taken.insert((&*id).into(), number);
            taken.insert((&*new).into(), 1);
            let answer = pairs.answered_by.get(place).copied().flatten();
            for place in [Some(place), answer].into_iter().flatten() {
                if let Some(part) = parts.get_mut(place) {
                    part.piece.set(Slot::Id, Tree::text(new.clone()));
                    part.change = Change::Id;
                }
            }
            self.note(RepairAction::Changed, ProblemRule::DuplicateId, piece);
        }
    }

    /// Leaves out reasoning without its partner, and items that nothing is left of; says whether there was any.
    fn drop_what_says_nothing(&mut self) -> bool {
        let pieces = self.pieces();
        let lonely = lonely_reasoning(self.table, &pieces);
        let before = self.repairs.len();
        let last = self.items.last().and_then(|item| item.from).unwrap_or(usize::MAX);
        let mut place = 0;
        let mut items = std::mem::take(&mut self.items);
        items.retain_mut(|item| {
            let rest = item.parts.first_mut().and_then(|part| part.piece.item_rest.take());
            let had = item.parts.len();
            item.parts.retain(|part| {
                let drops = lonely.get(place) == Some(&true) && !part.piece.failed;
                place += 1;
                if drops {
                    self.note(RepairAction::Dropped, ProblemRule::ReasoningWithoutPartner, &part.piece);
                }
                !drops
            });
            // What stands for a message without parts, where parts are left, is not needed.
            if item.parts.iter().any(|part| part.piece.kind != Kind::Nothing) {
                item.parts.retain(|part| {
                    let stays = part.piece.kind != Kind::Nothing
                        || part.place.is_some() && !is_empty(self.table, &part.piece, usize::MAX);
                    if !stays && part.place.is_some() {
                        self.note(RepairAction::Dropped, ProblemRule::EmptyMessage, &part.piece);
                    }
                    stays
                });
            }
            let Some(first) = item.parts.first_mut() else { return false };
            first.piece.item_rest = rest;
            if first.piece.kind != Kind::Nothing {
                return true;
            }
            if first.piece.failed {
                return true;
            }
            let lost_all = first.place.is_none() && had > 0;
            if lost_all || is_empty(self.table, &first.piece, last) {
                let piece = first.piece.clone();
                self.note(RepairAction::Dropped, ProblemRule::EmptyMessage, &piece);
                return false;
            }
            true
        });
        self.items = items;
        self.repairs.len() > before
    }

    /// Puts a message of the user where one has to stand: in front, and before calls in some formats.
    fn let_the_user_speak(&mut self) {
        let pieces = self.pieces();
        let first = pieces.iter().position(|piece| piece.role != Role::System);
        let first = first.filter(|_| self.table.laws.user_first);
        let wrong = out_of_order(self.table, &pieces);
        let mut places: Vec<(usize, Piece<'a>)> = Vec::new();
        for (place, piece) in pieces.into_iter().enumerate() {
            let is_first = Some(place) == first && piece.role != Role::User;
            if is_first || wrong.get(place) == Some(&true) {
                places.push((piece.item, piece));
            }
        }
        for (item, piece) in places.into_iter().rev() {
            self.note(RepairAction::Added, ProblemRule::WrongOrder, &piece);
            let mut text = Piece::new(Role::User, Kind::Text);
            text.set(Slot::Body, Tree::text(LEFT_OUT));
            text.item_rest = Some(Tree::empty());
            let part = Part { piece: text, place: None, change: Change::Content };
            self.items.insert(item, Item { from: None, parts: vec![part], id: None });
        }
    }

    /// Gives an item whose own id stands before another one, as one that lacks its id; one that can do without
    /// loses it.
    fn tell_items_apart(&mut self) {
        let mut taken = Numbers::new();
        let mut again: Vec<(usize, ProblemRule, String)> = Vec::new();
        for (number, item) in self.items.iter().enumerate() {
            let Some(first) = item.parts.first().map(|part| &part.piece) else { continue };
            match item_id(self.table, first) {
                Some(id) if taken.insert((&*id).into(), 1).is_some() => {
                    again.push((number, ProblemRule::DuplicateId, id.into_owned()));
                }
                None if lacks_item_id(self.table, first) => {
                    let pieces = item.parts.iter().map(|part| part.piece.clone()).collect();
                    again.push((number, ProblemRule::Malformed, id_of(&write_item(self.table, pieces), number)));
                }
                _ => {}
            }
        }
        for (number, rule, id) in again {
            let mut count = 1;
            let mut new = if rule == ProblemRule::Malformed { id.clone() } else { String::new() };
            while !self.table.flat && (new.is_empty() || taken.contains_key(&*new)) {
                count += 1;
                new = format!("{id}_{count}");
            }
            taken.insert((&*new).into(), 1);
            if let Some(item) = self.items.get_mut(number) {
                item.id = Some(new);
                if let Some(piece) = item.parts.first().map(|part| part.piece.clone()) {
                    self.note(RepairAction::Changed, rule, &piece);
                }
            }
        }
    }

    /// The pieces as they stand now, numbered by their new items.
    fn pieces(&self) -> Vec<Piece<'a>> {
        let mut pieces = Vec::new();
        for (number, item) in self.items.iter().enumerate() {
            for part in &item.parts {
                let mut piece = part.piece.clone();
                piece.item = number;
                if let (Some(id), Some(key), Some(rest)) = (&item.id, self.table.laws.item_id, &mut piece.item_rest) {
                    rest.take(key);
                    piece.rest.take(key);
                    if !id.is_empty() {
                        rest.set(key, Tree::text(id.clone()));
                    }
                }
                pieces.push(piece);
            }
        }
        pieces
    }

    /// What is still wrong, by the numbers of the new array.
    pub(super) fn problems(&self) -> Vec<Problem> {
        problems(self.table, &self.pieces())
    }
}

/// Whether the result of a call has a form of its own, as that of a shell or of a screen: a text in its place would
/// be refused.
fn awaits_no_text(table: &Table, call: &Piece<'_>) -> bool {
    // A function has no type left, being what calls are by default.
    table.flat && call.rest.text_of("type").is_some_and(|kind| kind != "custom_tool_call")
}

/// Whether an item of a flat list is nothing without its own id. Messages and calls can do without.
fn needs_its_id(table: &Table, piece: &Piece<'_>) -> bool {
    table.flat && (piece.kind == Kind::Reasoning || piece.kind.is_opaque())
}

/// Stands where the user has to speak and does not.
const LEFT_OUT: &str = "[A part of this conversation is not shown.]";

/// The text of a result that was made up.
#[cfg(test)]
pub(super) fn tests_text() -> &'static str {
    crate::session::SYNTHETIC_RESULT_TEXT
}
