//! An array as a session that a compaction can fold.
//!
//! The application's messages at the beginning stay out of it: they are never folded, and count as fixed. The
//! id of an entry is the number of its item; an item that is several messages of the core has entries behind its
//! first, named after it, and no cut lies between them.

use super::core::{Beside, to_core};
use super::digest::digests;
use super::pairs::Pairs;
use super::piece::{Piece, Role};
use super::table::Table;
use super::{Messages, items, pi};
use crate::entry::raw_field;
use crate::error::Error;
use crate::session::json_string;

/// A session made of an array, and how both go together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoldLines {
    /// The session, as the lines of its file.
    pub lines: String,
    /// The name of the format.
    pub format: &'static str,
    /// How many messages of the application stand in front.
    pub system_count: usize,
    /// These as messages of the core, each as JSON.
    pub system: Vec<String>,
    /// The first item that no earlier fold has taken.
    pub start: usize,
    /// What became of the state of an earlier fold.
    pub state: StateUse,
    /// The digest of the first `n` items behind those in front, for each `n`.
    pub digests: Vec<String>,
    /// The entries that belong with the one before them, by their numbers.
    pub joined: Vec<usize>,
}

/// What became of the state of an earlier fold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StateUse {
    /// There was none.
    None,
    /// The fold goes on from it.
    Continued,
    /// The array is another now, and the state serves no more.
    Edited,
}

impl StateUse {
    /// Its name in JavaScript.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Continued => "continued",
            Self::Edited => "edited",
        }
    }
}

/// Makes the lines of a session of an array, given as JSON.
///
/// `state` is what an earlier fold left, as JSON: `summary`, `tokensBefore`, `details`, `digest` and `folded` (of
/// the beginning that it folded) and `summaryDigest` (of its summary message). `now` is the time as ISO 8601.
///
/// # Errors
///
/// As [`Messages::read`].
///
/// ```
/// use threadfold::format::fold_lines;
/// let array = r#"[{"role":"developer","content":"Be brief."},{"role":"user","content":"Hello"}]"#;
/// let folding = fold_lines(array, Some("openai-chat"), None, "2026-01-01T00:00:00.000Z")?;
/// assert_eq!((folding.system_count, folding.start), (1, 1));
/// assert!(folding.lines.contains(r#""id":"1""#));
/// # Ok::<(), threadfold::error::Error>(())
/// ```
pub fn fold_lines(json: &str, format: Option<&str>, state: Option<&str>, now: &str) -> Result<FoldLines, Error> {
    let Messages { table, pieces, .. } = Messages::read(json, format)?;
    let count = pieces.last().map_or(0, |piece| piece.item + 1);
    let is_in_front = |piece: &Piece<'_>| piece.role == Role::System && !std::ptr::eq(table, &pi::PI);
    // A session has no message of the application: its custom messages are part of what was said.
    let system_count = pieces.iter().find(|piece| !is_in_front(piece)).map_or(count, |piece| piece.item);
    let front = pieces.iter().take_while(|piece| piece.item < system_count).count();
    let digests = digests(pieces.get(front..).unwrap_or_default());
    let folded = state.and_then(|state| folded_by(state, &digests));
    let use_of_state = match (state, folded) {
        (None, _) => StateUse::None,
        (Some(_), None) => StateUse::Edited,
        (Some(_), Some(_)) => StateUse::Continued,
    };
    let start = system_count + folded.unwrap_or(0);
    let belongs = joined_items(table, &pieces);
    let mut pieces = pieces;
    let mut live = pieces.split_off(front);
    let past = live.iter().take_while(|piece| piece.item < start).count();
    let system = to_core(table, pieces, Beside::OnlyFiles).into_iter().map(|message| message.json).collect();
    let mut lines = Lines::new(now, json.len());
    if let Some(state) = state.filter(|_| folded.is_some()) {
        lines.push_summary(state);
    }
    if std::ptr::eq(table, &pi::PI) {
        // The core's own messages are taken as they are.
        for (item, message) in items(json)?.into_iter().enumerate().skip(start) {
            lines.push_message(item, &message.to_json(), belongs.get(item) == Some(&true));
        }
    } else {
        for message in to_core(table, live.split_off(past), Beside::OnlyFiles) {
            lines.push_message(message.item, &message.json, belongs.get(message.item) == Some(&true));
        }
    }
    let Lines { text, joined, .. } = lines;
    Ok(FoldLines { lines: text, format: table.name, system_count, system, start, state: use_of_state, digests, joined })
}

/// How many items behind those in front an earlier fold has taken; none where the array is another now.
fn folded_by(state: &str, digests: &[String]) -> Option<usize> {
    let text = |key: &str| raw_field(state, key).and_then(crate::entry::json_text);
    // The host went on with the array that it was given: the summary stands in front.
    if digests.get(1).is_some() && text("summaryDigest").as_ref() == digests.get(1) {
        return Some(1);
    }
    let folded = raw_field(state, "folded").and_then(crate::entry::json_number)? as usize;
    (digests.get(folded).is_some() && text("digest").as_ref() == digests.get(folded)).then_some(folded)
}

/// Which items no cut may lie before, since something before them is answered there or behind.
fn joined_items(table: &Table, pieces: &[Piece<'_>]) -> Vec<bool> {
    let count = pieces.last().map_or(0, |piece| piece.item + 1);
    let pairs = Pairs::of(table, pieces);
    let mut open = vec![0_i64; count + 1];
    let item = |place: usize| pieces.get(place).map_or(0, |piece| piece.item);
    for (answer, question) in
        pairs.answers.iter().enumerate().filter_map(|(answer, question)| Some((answer, (*question)?)))
    {
        let (first, last) = (item(question).min(item(answer)), item(question).max(item(answer)));
        if let Some(begin) = open.get_mut(first + 1) {
            *begin += 1;
        }
        if let Some(end) = open.get_mut(last + 1) {
            *end -= 1;
        }
    }
    let mut depth = 0;
    open.into_iter()
        .map(|change| {
            depth += change;
            depth > 0
        })
        .collect()
}

/// The lines of a session on their way.
struct Lines {
    text: String,
    /// The time, as JSON.
    now: String,
    /// The id of the newest entry, as JSON.
    parent: String,
    entries: usize,
    joined: Vec<usize>,
    /// The item of the newest entry, and how many entries it has.
    item: Option<(usize, usize)>,
}

impl Lines {
    fn new(now: &str, bytes: usize) -> Self {
        let now = json_string(now);
        let mut text = String::with_capacity(bytes + bytes / 8 + 256);
        text.push_str(r#"{"type":"session","version":3,"id":"fold","cwd":"","timestamp":"#);
        text.push_str(&now);
        text.push('}');
        Self { text, now, parent: "null".to_owned(), entries: 0, joined: Vec::new(), item: None }
    }

    fn begin(&mut self, kind: &str, id: String) {
        let parent = std::mem::replace(&mut self.parent, json_string(&id));
        for piece in [
            "\n{\"type\":\"",
            kind,
            "\",\"id\":",
            &self.parent,
            ",\"parentId\":",
            &parent,
            ",\"timestamp\":",
            &self.now,
        ] {
            self.text.push_str(piece);
        }
        self.entries += 1;
    }

    fn push_summary(&mut self, state: &str) {
        self.begin("compaction", SUMMARY.to_owned());
        for key in ["summary", "tokensBefore", "details"] {
            for piece in [",\"", key, "\":", raw_field(state, key).unwrap_or("null")] {
                self.text.push_str(piece);
            }
        }
        // It keeps nothing of what came before it.
        for piece in [",\"firstKeptEntryId\":", &self.parent, "}"] {
            self.text.push_str(piece);
        }
    }

    fn push_message(&mut self, item: usize, message: &str, belongs: bool) {
        let number = self.item.filter(|(last, _)| *last == item).map_or(0, |(_, number)| number + 1);
        self.item = Some((item, number));
        if belongs || number > 0 {
            self.joined.push(self.entries);
        }
        self.begin("message", entry_id(item, number));
        for piece in [",\"message\":", message, "}"] {
            self.text.push_str(piece);
        }
    }
}

/// The id of an entry: the number of its item, and behind a dot which entry of the item it is.
pub(super) fn entry_id(item: usize, number: usize) -> String {
    if number == 0 { item.to_string() } else { format!("{item}.{number}") }
}

/// The id of the entry that stands for an earlier fold.
const SUMMARY: &str = "summary";
