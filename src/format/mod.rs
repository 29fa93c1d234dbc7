//! Message formats: arrays as vendors and chat libraries hold them, read into pieces and written from them by
//! a table each; what is wrong with one, and how it is healed; the way into the core's messages and back.

mod ai_sdk_model;
mod ai_sdk_ui;
mod anthropic;
mod check;
mod core;
mod detect;
mod digest;
mod fold;
mod from_core;
mod gemini;
mod import;
mod openai_chat;
mod openai_responses;
mod outline;
mod pairs;
mod path;
mod pi;
mod piece;
mod plain_json;
mod read;
mod repair;
#[cfg(test)]
mod repair_tests;
#[cfg(test)]
mod round_trip_tests;
mod table;
mod tree;
mod write;

use crate::entry::{json_text, raw_field};
use crate::error::{Error, ErrorCode, Quoted};
pub use check::{Problem, ProblemRule};
use core::{Beside, to_core};
use detect::detect;
pub use fold::{FoldLines, StateUse, fold_lines};
use from_core::from_core;
pub use import::{ImportReport, Imported, Kept, import_transcript, transcript_formats};
use piece::Piece;
use read::read_items;
pub use repair::{MessageRepair, RepairAction};
use table::Table;
use tree::Tree;

/// The formats, in the order in which they are named.
static TABLES: [&Table; 7] = [
    &openai_chat::OPENAI_CHAT,
    &openai_responses::OPENAI_RESPONSES,
    &anthropic::ANTHROPIC,
    &gemini::GEMINI,
    &ai_sdk_model::AI_SDK_MODEL,
    &ai_sdk_ui::AI_SDK_UI,
    &pi::PI,
];

/// The names of the formats of messages.
pub fn message_formats() -> impl Iterator<Item = &'static str> {
    TABLES.into_iter().map(|table| table.name)
}

/// An array of messages in a format.
pub struct Messages<'a> {
    json: &'a str,
    table: &'static Table,
    pieces: Vec<Piece<'a>>,
}

impl<'a> Messages<'a> {
    /// Reads an array from JSON, in the format of that name, or in the one that it shows.
    ///
    /// # Errors
    ///
    /// `unsupported-format` for an unknown name, an array of no known format, and an item that is none of the
    /// format's; `ambiguous-format` where several would fit.
    ///
    /// ```
    /// use threadfold::format::Messages;
    /// let array = r#"[{"role":"user","parts":[{"text":"Hello"}]}]"#;
    /// assert_eq!(Messages::read(array, None)?.format(), "gemini");
    /// # Ok::<(), threadfold::error::Error>(())
    /// ```
    pub fn read(json: &'a str, format: Option<&str>) -> Result<Self, Error> {
        let items = items(json)?;
        let table = match format {
            Some(name) => table_of(name)?,
            None => detect(&items)?,
        };
        Ok(Self { json, table, pieces: read_items(table, items)? })
    }

    /// The name of its format.
    pub fn format(&self) -> &'static str {
        self.table.name
    }

    /// What is wrong with it, in its order; nothing where a provider would take it.
    pub fn problems(&self) -> Vec<Problem> {
        check::problems(self.table, &self.pieces)
    }

    /// Heals it with the smallest change.
    pub fn repair(self) -> Repaired {
        let shapes = outline::shapes(&self.pieces);
        let repair = repair::repair(self.table, self.pieces);
        let problems = repair.problems();
        Repaired { repairs: repair.repairs, problems, outline: outline::outline(self.table, &shapes, repair.items) }
    }

    /// The outline of the array in which some results say something else. They go by the ids that their entries
    /// have in the lines of [`fold_lines`]; `texts` is a JSON object of ids with texts.
    pub fn with_results(self, texts: &str) -> String {
        let shapes = outline::shapes(&self.pieces);
        let ids = core::entry_ids(self.table, &self.pieces);
        let mut items: Vec<repair::Item<'a>> = Vec::new();
        for (place, mut piece) in self.pieces.into_iter().enumerate() {
            let mut change = repair::Change::Nothing;
            let id = ids.get(place).filter(|_| piece.kind == piece::Kind::Result);
            if let Some(text) = id.and_then(|id| raw_field(texts, id)).and_then(json_text) {
                piece.say(text);
                change = repair::Change::Content;
            }
            let from = piece.item;
            let part = repair::Part { piece, place: Some(place), change };
            match items.last_mut().filter(|item| item.from == Some(from)) {
                Some(item) => item.parts.push(part),
                None => items.push(repair::Item { from: Some(from), parts: vec![part], id: None }),
            }
        }
        outline::outline(self.table, &shapes, items)
    }

    /// The core's messages of it, as a JSON array.
    pub fn to_core(self) -> String {
        if std::ptr::eq(self.table, &pi::PI) {
            return self.json.to_owned();
        }
        let mut out = String::from("[");
        for message in to_core(self.table, self.pieces, Beside::Everything) {
            if out.len() > 1 {
                out.push(',');
            }
            out.push_str(&message.json);
        }
        out.push(']');
        out
    }
}

/// What a repair did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repaired {
    /// Each change.
    pub repairs: Vec<MessageRepair>,
    /// What could not be healed, by the numbers of the new array.
    pub problems: Vec<Problem>,
    /// The new array, told by what stays of the one that came in: a JSON list of numbers of items, of new items
    /// as `{ item }`, and of copies as `{ from, lists, set, unset }`.
    pub outline: String,
}

/// Messages of the core, given as a JSON array, in the format of that name, as a JSON array. Roles that no
/// provider knows have to be made the user's before.
///
/// # Errors
///
/// `unsupported-format` for an unknown name, and for what is no message of the core.
pub fn write_messages(core: &str, format: &str) -> Result<String, Error> {
    let table = table_of(format)?;
    let messages = items(core)?;
    if std::ptr::eq(table, &pi::PI) {
        return Ok(core.to_owned());
    }
    let mut items = write::write_items(table, from_core(table, messages)?);
    if let (Some(key), false) = (table.laws.item_id, table.flat) {
        // Where every message has an id, new ones get one that says the same each time.
        for (number, item) in items.iter_mut().enumerate().filter(|(_, item)| item.get(key).is_none()) {
            let id = digest::id_of(item, number);
            item.set(key, Tree::text(id));
        }
    }
    Ok(Tree::List(items).to_json())
}

/// The digests of the beginnings of an array: of nothing, of its first item, of its first two and so on.
///
/// # Errors
///
/// As [`Messages::read`].
pub fn message_digests(json: &str, format: &str) -> Result<Vec<String>, Error> {
    Ok(digest::digests(&Messages::read(json, Some(format))?.pieces))
}

fn items(json: &str) -> Result<Vec<Tree<'_>>, Error> {
    match Tree::read(json) {
        Ok(Tree::List(items)) => Ok(items),
        Ok(_) => Err(Error::new(ErrorCode::InvalidArgument, "messages: no array; allowed is an array of messages")),
        Err(reason) => {
            Err(Error::new(ErrorCode::InvalidArgument, format!("messages: the JSON cannot be read: {reason}")))
        }
    }
}

fn table_of(name: &str) -> Result<&'static Table, Error> {
    TABLES.into_iter().find(|table| table.name == name).ok_or_else(|| {
        let names: Vec<&str> = TABLES.iter().map(|table| table.name).collect();
        Error::new(
            ErrorCode::UnsupportedFormat,
            format!("format: {} is none that is known; allowed is one of {}", Quoted(name), names.join(", ")),
        )
    })
}

/// An item that is none of its format.
fn no_item(index: usize, reason: &str) -> Error {
    Error::new(
        ErrorCode::UnsupportedFormat,
        format!("messages[{index}]{reason}; name the format that the array has, or take the message out"),
    )
}
