//! Claude Code's transcripts: a record a line, linked by `uuid` and `parentUuid`.
//!
//! An answer of the model stands in several records with one message id, each with a block; the results of
//! parallel calls name the record of their call as parent. Here they are one message, and its results in a row.
//! A compaction is a `compact_boundary` without parent, which names what it stands behind as
//! `logicalParentUuid`, and below it the summary. A record `summary` is a title for lists. Records that say
//! nothing to the model stand where the file has them, so that they make no branches.
//!
//! Source: files that Claude Code 1.0 to 2.1 wrote; the format is not documented.

use super::answer::{answer_of, update};
use super::records::Record;
use super::transcript::{Draft, Folded, Origin, Transcript, What, opened, say_nothing, time};
use crate::format::anthropic::ANTHROPIC;
use crate::format::piece::{Kind, Piece, Role, Slot};
use crate::format::read::{AS_LIST, AS_STRING, read_item};
use crate::format::tree::Tree;
use crate::numbers::Numbers;

/// The mark of a compaction.
const BOUNDARY: &str = "compact_boundary";

/// How many entries above a compaction are looked at for the first one that it keeps.
const KEPT_AT_MOST: usize = 1_000;

pub(super) fn import<'a>(records: Vec<Record<'a>>, transcript: Transcript<'a>) -> Transcript<'a> {
    let mut reader = Reader {
        transcript,
        places: Numbers::new(),
        above: Vec::new(),
        answers: Numbers::new(),
        results: Numbers::new(),
        knots: Vec::new(),
        newest: None,
        spoke: false,
    };
    for record in records {
        reader.record(record);
        reader.tie();
    }
    reader.finish()
}

/// Where a record hangs.
#[derive(Debug, Clone, Copy)]
enum Above {
    /// It begins a root.
    Nothing,
    /// Behind this message.
    Message(usize),
    /// Behind records that no message stands above.
    Records,
}

/// How a draft hangs together with others.
#[derive(Debug, Clone, Copy)]
struct Knot {
    /// The message that it stands behind; its own number where it is one.
    message: usize,
    /// The newest draft behind it with no message between.
    tail: usize,
    /// The answer whose calls it answers; its own number where it answers none.
    answer: usize,
    /// The newest result of its calls; its own number where there is none.
    newest_result: usize,
}

struct Reader<'a> {
    transcript: Transcript<'a>,
    /// By `uuid`: where in `above` stands what hangs below it.
    places: Numbers,
    above: Vec<Above>,
    /// By the id of a message: the draft of the answer.
    answers: Numbers,
    /// The calls that have a result.
    results: Numbers,
    /// One for each draft.
    knots: Vec<Knot>,
    /// The newest message of the main conversation.
    newest: Option<usize>,
    /// Whether there is any message.
    spoke: bool,
}

impl<'a> Reader<'a> {
    fn record(&mut self, mut record: Record<'a>) {
        let Some(tree) = self.transcript.object(&mut record) else { return };
        self.transcript.note("id", tree.get("sessionId").cloned());
        self.transcript.note("cwd", tree.get("cwd").cloned());
        let above = self.above(&tree, record.line);
        let uuid = tree.text_of("uuid").map(|uuid| uuid.into_owned());
        let mut kind = tree.text_of("type").unwrap_or("record".into()).into_owned();
        let subtype = tree.text_of("subtype").unwrap_or_default().into_owned();
        let origin = Origin { line: record.line, id: uuid.clone(), timestamp: time(tree.get("timestamp")) };
        let below = match kind.as_str() {
            "user" | "assistant" => self.message(&origin, tree, above),
            _ if subtype == BOUNDARY => Some(self.boundary(origin.clone(), tree, above)),
            _ => None,
        };
        let below = below.unwrap_or_else(|| {
            if !subtype.is_empty() {
                kind = [kind.as_str(), "/", &subtype].concat();
            }
            self.transcript.keep(origin, kind, Tree::Raw(record.text.into()));
            if let Above::Nothing = above { Above::Records } else { above }
        });
        if let Some(uuid) = uuid.filter(|uuid| !self.places.contains_key(uuid.as_str())) {
            self.places.insert(uuid.into(), self.above.len() as u32);
            self.above.push(below);
        }
    }

    /// What a record names as its parent.
    fn above(&mut self, tree: &Tree<'_>, line: u32) -> Above {
        let named = tree.text_of("parentUuid").or_else(|| tree.text_of("logicalParentUuid"));
        let Some(parent) = named.filter(|parent| !parent.is_empty()) else { return Above::Nothing };
        let place = self.places.get(&*parent).and_then(|place| self.above.get(*place as usize));
        if place.is_none() {
            self.transcript.report_parent(line, &parent);
        }
        place.copied().unwrap_or(Above::Nothing)
    }

    fn knot(&self, number: usize) -> Knot {
        self.knots.get(number).copied().unwrap_or(Knot {
            message: number,
            tail: number,
            answer: number,
            newest_result: number,
        })
    }

    /// The draft behind which something hangs.
    fn parent(&self, above: Above) -> Option<usize> {
        match above {
            Above::Nothing if self.spoke => None,
            Above::Nothing => self.transcript.newest(),
            Above::Records => Some(self.knot(0).tail),
            Above::Message(number) => {
                let knot = self.knot(number);
                // Behind one of several results is behind all of them.
                let last = if knot.answer == number { number } else { self.knot(knot.answer).newest_result };
                Some(self.knot(last).tail)
            }
        }
    }

    /// A record of the user or the assistant; none where it holds no message. Gives what hangs below it.
    fn message(&mut self, origin: &Origin, mut tree: Tree<'a>, above: Above) -> Option<Above> {
        let is = |key: &str| tree.get(key).is_some_and(Tree::is_true);
        let (is_meta, is_aside, is_summary) = (is("isMeta"), is("isSidechain"), is("isCompactSummary"));
        let (is_error, is_aborted) = (is("isApiErrorMessage"), is("isAbortedMidStream"));
        let message = tree.take("message")?.opened();
        let id = message.text_of("id").map(|id| id.into_owned());
        let mut answer = answer_of(&message, Some(ANTHROPIC.name));
        let mut pieces = Vec::new();
        let (role, mut rest) = read_item(&ANTHROPIC, message, &mut pieces).ok()?;
        if say_nothing(&pieces) {
            return None;
        }
        let mut item_rest = Tree::empty();
        for mark in [AS_LIST, AS_STRING] {
            if let Some(value) = rest.take(mark) {
                item_rest.set(mark, value);
            }
        }
        tree.set("message", rest);
        pieces.first_mut()?.item_rest = Some(item_rest);
        if is_summary {
            return Some(self.summary(origin.clone(), tree, texts(&pieces), above));
        }
        if is_meta && role == Role::User {
            // What the tool adds for the model is not what the user said.
            pieces.iter_mut().filter(|piece| piece.kind != Kind::Result).for_each(|piece| piece.role = Role::System);
        }
        if is_error {
            answer.set("errorMessage", Tree::text(texts(&pieces)));
        }
        if is_error || is_aborted {
            answer.set("stopReason", Tree::text(if is_error { "error" } else { "aborted" }));
        }
        if role == Role::Assistant
            && let (Some(id), Above::Message(number)) = (&id, above)
            && let Some(place) = self.answers.get(id.as_str()).map(|place| *place as usize)
            && (number == place || self.knot(number).answer == place)
            && let Some(Draft { what: What::Said(said, known), records, .. }) = self.transcript.drafts.get_mut(place)
        {
            pieces.iter_mut().for_each(|piece| (piece.item, piece.item_rest) = (place, None));
            said.append(&mut pieces);
            update(known, answer);
            records.push(tree);
            return Some(above);
        }
        let number = self.transcript.drafts.len();
        pieces.iter_mut().for_each(|piece| piece.item = number);
        let mut parent = self.parent(above);
        let mut answers = number;
        if let (Some(call), Above::Message(place)) = (pieces.iter().find_map(result_id), above) {
            let calling = self.knot(place).answer;
            // A second result of a call is one that was tried again, on a branch.
            if !self.results.contains_key(&*call) {
                answers = calling;
                parent = Some(self.knot(self.knot(calling).newest_result).tail);
            }
        }
        for call in pieces.iter().filter_map(result_id) {
            self.results.insert(call.into(), number as u32);
        }
        self.transcript.push(origin.clone(), parent, What::Said(pieces, answer), Some(tree));
        self.tie();
        if let Some(knot) = self.knots.get_mut(number) {
            knot.answer = answers;
        }
        if let Some(knot) = self.knots.get_mut(answers) {
            knot.newest_result = number;
        }
        if let Some(id) = id.filter(|_| role == Role::Assistant) {
            self.answers.insert(id.into(), number as u32);
        }
        if !is_aside {
            self.newest = Some(number);
        }
        Some(Above::Message(number))
    }

    /// The mark of a compaction; its summary comes behind.
    fn boundary(&mut self, origin: Origin, tree: Tree<'a>, above: Above) -> Above {
        let metadata = opened(&tree, "compactMetadata");
        let tokens_before = metadata.get("preTokens").and_then(Tree::as_number).unwrap_or(0.0);
        let parent = self.compacted(above);
        let head = opened(&metadata, "preservedSegment").text_of("headUuid").and_then(|head| {
            let place = self.places.get(&*head).and_then(|place| self.above.get(*place as usize));
            if let Some(Above::Message(number)) = place { Some(*number) } else { None }
        });
        let up = |number: &usize| self.transcript.drafts.get(*number).and_then(|draft| draft.parent);
        let mut path = std::iter::successors(parent, up).take(KEPT_AT_MOST);
        let first_kept = head.filter(|head| path.any(|number| number == *head));
        let folded = Folded { summary: None, tokens_before, first_kept };
        self.compaction(origin, parent, folded, tree)
    }

    /// The summary of a compaction: it joins the mark above it, or is one by itself.
    fn summary(&mut self, origin: Origin, tree: Tree<'a>, text: String, above: Above) -> Above {
        if let Above::Message(number) = above
            && let Some(Draft { what: What::Compaction(folded), records, .. }) = self.transcript.drafts.get_mut(number)
            && folded.summary.is_none()
        {
            folded.summary = Some(text);
            records.push(tree);
            return above;
        }
        let parent = self.compacted(above);
        let folded = Folded { summary: Some(text), ..Folded::default() };
        self.compaction(origin, parent, folded, tree)
    }

    /// What a compaction stands behind: the newest message, where it names nothing.
    fn compacted(&self, above: Above) -> Option<usize> {
        match (above, self.newest) {
            (Above::Nothing, Some(newest)) => self.parent(Above::Message(newest)),
            _ => self.parent(above),
        }
    }

    fn compaction(&mut self, origin: Origin, parent: Option<usize>, folded: Folded, tree: Tree<'a>) -> Above {
        let number = self.transcript.push(origin, parent, What::Compaction(folded), Some(tree));
        self.newest = Some(number);
        Above::Message(number)
    }

    /// Makes the knots of new drafts.
    fn tie(&mut self) {
        for number in self.knots.len()..self.transcript.drafts.len() {
            let mut knot = Knot { message: number, tail: number, answer: number, newest_result: number };
            match self.transcript.drafts.get(number) {
                Some(Draft { what: What::Kept(..), parent, .. }) => {
                    knot.message = parent.map_or(number, |parent| self.knot(parent).message);
                }
                _ => self.spoke = true,
            }
            self.knots.push(knot);
            if let Some(above) = self.knots.get_mut(knot.message) {
                above.tail = number;
            }
        }
    }

    fn finish(mut self) -> Transcript<'a> {
        self.transcript.leaf = self.newest.map(|newest| self.knot(newest).tail);
        for draft in &mut self.transcript.drafts {
            if let What::Compaction(Folded { summary: None, .. }) = draft.what {
                let record = draft.records.pop().unwrap_or_default();
                draft.what = What::Kept(["system/", BOUNDARY].concat(), record);
            }
        }
        self.transcript
    }
}

/// The call that a result answers.
fn result_id(piece: &Piece<'_>) -> Option<String> {
    (piece.kind == Kind::Result).then(|| piece.id().unwrap_or_default().into_owned())
}

fn texts(pieces: &[Piece<'_>]) -> String {
    let texts = pieces.iter().filter(|piece| piece.kind == Kind::Text).filter_map(|piece| piece.text(Slot::Body));
    texts.collect::<Vec<_>>().join("\n\n")
}
