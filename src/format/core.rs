//! From pieces to the core's messages; `from_core.rs` leads back.
//!
//! What a format has and the core does not know stays beside it, under the name of the format: `part` is what
//! is left of a part, `is` a whole part that only goes through, `item` what is left of the item that begins
//! there, null where a message of the core goes on with the item before it.

use super::path::drop_at;
use super::piece::{Kind, Piece, Role, Slot};
use super::plain_json::is_plain_json;
use super::read::{AS_JSON, AS_STRING, WITHOUT};
use super::table::{Form, Results, Table};
use super::tree::Tree;
use super::write::rule_of;
use crate::llm::{TOOL_RESULT_CHARACTERS, shorten};
use crate::numbers::Numbers;
use std::borrow::Cow;

/// A message of the core.
pub(crate) struct CoreMessage {
    /// The item that it comes from; of several the first.
    pub(crate) item: usize,
    /// The message as JSON.
    pub(crate) json: String,
}

/// How much of a format the core's messages carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Beside {
    /// All, so that the way back gives the same.
    Everything,
    /// Only what the core reads: a file takes more than the text that tells of it.
    OnlyFiles,
}

/// Makes messages of the core.
pub(crate) fn to_core(table: &Table, pieces: Vec<Piece<'_>>, beside: Beside) -> Vec<CoreMessage> {
    let names = tool_names(&pieces);
    to_core_with(table, pieces, beside, &names)
}

/// The same for pieces whose results may answer calls that stand elsewhere.
pub(crate) fn to_core_with(table: &Table, pieces: Vec<Piece<'_>>, beside: Beside, names: &Names) -> Vec<CoreMessage> {
    let mut messages = Vec::new();
    let mut open: Option<Open> = None;
    let mut after_result = false;
    // An id may come again: the call that came last is meant, or else one behind.
    let mut newest = Names::default();
    for piece in pieces {
        newest.learn(&piece);
        let speaker = Speaker::of(&piece);
        let goes_on = open.as_ref().is_some_and(|open| goes_on(table, open.speaker, open.item, speaker, &piece));
        if !goes_on {
            messages.extend(open.take().map(Open::finish));
        }
        let joins = after_result && piece.kind == Kind::Result && joins_results(table);
        after_result = piece.kind == Kind::Result;
        let extra = match beside {
            Beside::Everything => beside_of(table, &piece, !goes_on && !joins),
            Beside::OnlyFiles => file_beside(&piece),
        };
        let open = open.get_or_insert_with(|| Open::new(speaker, piece.item));
        open.push(table, piece, extra, beside, [&newest, names]);
    }
    messages.extend(open.map(Open::finish));
    messages
}

/// For each piece the id of the entry that it becomes a part of, where its array becomes a session.
pub(crate) fn entry_ids(table: &Table, pieces: &[Piece<'_>]) -> Vec<String> {
    let mut ids = Vec::with_capacity(pieces.len());
    let mut open: Option<(Speaker, usize)> = None;
    let mut number = 0;
    for piece in pieces {
        let speaker = Speaker::of(piece);
        if !open.is_some_and(|(of, item)| goes_on(table, of, item, speaker, piece)) {
            number = open.filter(|(_, item)| *item == piece.item).map_or(0, |_| number + 1);
            open = Some((speaker, piece.item));
        }
        let item = open.map_or(piece.item, |(_, item)| item);
        ids.push(super::fold::entry_id(item, number));
    }
    ids
}

/// Whether a piece goes on with a message of the core, of this speaker and begun by this item.
fn goes_on(table: &Table, of: Speaker, item: usize, speaker: Speaker, piece: &Piece<'_>) -> bool {
    of == speaker && speaker != Speaker::Tool && (item == piece.item || table.flat && speaker == Speaker::Assistant)
}

/// Who speaks in a message of the core.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Speaker {
    User,
    Assistant,
    Tool,
    Application,
}

impl Speaker {
    fn of(piece: &Piece<'_>) -> Self {
        match (piece.kind, piece.role) {
            (Kind::Result, _) => Self::Tool,
            (_, Role::User) => Self::User,
            (_, Role::Assistant) => Self::Assistant,
            (_, Role::System | Role::Tool) => Self::Application,
        }
    }
}

/// A message on its way.
struct Open {
    speaker: Speaker,
    item: usize,
    message: Tree<'static>,
    blocks: String,
    /// The only text, where the content is a string.
    string: Option<Tree<'static>>,
}

impl Open {
    fn new(speaker: Speaker, item: usize) -> Self {
        let mut message = Tree::empty();
        message.set(
            "role",
            Tree::text(match speaker {
                Speaker::User => "user",
                Speaker::Assistant => "assistant",
                Speaker::Tool => "toolResult",
                Speaker::Application => "custom",
            }),
        );
        if speaker == Speaker::Application {
            message.set("customType", Tree::text(SYSTEM));
            message.set("display", Tree::Raw("false".into()));
        }
        Self { speaker, item, message, blocks: String::new(), string: None }
    }

    fn push(&mut self, table: &Table, mut piece: Piece<'_>, extra: Tree<'_>, beside: Beside, names: [&Names; 2]) {
        let is_whole = piece.part.is_none() && piece.kind == Kind::Text && self.speaker != Speaker::Assistant;
        if piece.kind == Kind::Result {
            let id = piece.id().unwrap_or_default().into_owned();
            let name = piece.text(Slot::Name).map(Cow::into_owned);
            self.message.set(
                "toolName",
                Tree::text(name.or_else(|| names.iter().find_map(|names| names.of(&id))).unwrap_or_default()),
            );
            self.message.set("toolCallId", Tree::text(id));
            if let Some(is_error) = piece.take(Slot::IsError) {
                self.message.set("isError", is_error.into_owned());
            }
            for part in std::mem::take(&mut piece.content) {
                let extra = match beside {
                    Beside::Everything => beside_of(table, &part, false),
                    Beside::OnlyFiles => file_beside(&part),
                };
                self.push_block(table, part, extra);
            }
        } else if is_whole {
            self.string = piece.take(Slot::Body).map(Tree::into_owned);
        } else if piece.kind != Kind::Nothing {
            self.push_block(table, piece, extra);
            return;
        }
        if !extra.is_nothing() {
            self.message.set(table.name, extra.into_owned());
        }
    }

    fn push_block(&mut self, table: &Table, piece: Piece<'_>, extra: Tree<'_>) {
        let mut block = block_of(piece);
        if !extra.is_nothing() {
            block.set(table.name, extra);
        }
        if !self.blocks.is_empty() {
            self.blocks.push(',');
        }
        block.write(&mut self.blocks);
    }

    fn finish(mut self) -> CoreMessage {
        let content = match self.string {
            Some(text) => text,
            None => Tree::Raw(format!("[{}]", self.blocks).into()),
        };
        self.message.set("content", content);
        CoreMessage { item: self.item, json: self.message.to_json() }
    }
}

/// The custom type of a message of the application.
const SYSTEM: &str = "system";

/// A piece as a block of the core.
fn block_of(mut piece: Piece<'_>) -> Tree<'_> {
    let mut block = Tree::empty();
    let mut set = |key: &'static str, value: Option<Tree<'_>>| {
        if let Some(value) = value {
            block.set(key, value.into_owned());
        }
    };
    match piece.kind {
        Kind::Text => {
            set("type", Some(Tree::text("text")));
            let body = match piece.take(Slot::Body) {
                Some(text) if text.is_string() => text,
                Some(json) => Tree::text(json.to_json()),
                None => Tree::text(""),
            };
            set("text", Some(body));
        }
        Kind::Reasoning => {
            set("type", Some(Tree::text("thinking")));
            set("thinking", Some(piece.take(Slot::Body).unwrap_or_else(|| Tree::text(""))));
            set("thinkingSignature", piece.take(Slot::Signature));
        }
        Kind::Call => {
            set("type", Some(Tree::text("toolCall")));
            set("id", piece.take(Slot::Id));
            set("name", piece.take(Slot::Name));
            let arguments = match piece.take(Slot::Body) {
                Some(arguments) if is_object(&arguments) => arguments,
                None => Tree::empty(),
                Some(input) => {
                    let mut arguments = Tree::empty();
                    arguments.set(INPUT, input);
                    arguments
                }
            };
            set("arguments", Some(arguments));
        }
        Kind::Image => {
            set("type", Some(Tree::text("image")));
            set("data", Some(piece.take(Slot::Data).unwrap_or_else(|| Tree::text(""))));
            set("mimeType", Some(piece.take(Slot::MimeType).unwrap_or_else(|| Tree::text(""))));
        }
        _ => {
            set("type", Some(Tree::text("text")));
            set("text", Some(Tree::text(told(&piece))));
        }
    }
    block
}

/// The key of arguments that are no object.
pub(super) const INPUT: &str = "input";

pub(super) fn is_object(arguments: &Tree<'_>) -> bool {
    match arguments {
        Tree::Raw(json) => json.starts_with('{'),
        Tree::Object(_) => true,
        _ => false,
    }
}

/// A part that only goes through, told in a line for whoever reads along.
fn told(piece: &Piece<'_>) -> String {
    let name = piece.text(Slot::Name).filter(|name| !name.is_empty());
    let name = name.or_else(|| piece.rest.text_of("filename")).or_else(|| piece.rest.text_of("type"));
    let body = match piece.get(Slot::Body) {
        Some(body) => body.as_text().map_or_else(|| body.to_json(), Cow::into_owned),
        None => String::new(),
    };
    let name = name.unwrap_or(Cow::Borrowed("part"));
    if body.is_empty() {
        format!("[{name}]")
    } else {
        format!("[{name}: {}]", shorten(&body, TOOL_RESULT_CHARACTERS).0)
    }
}

/// Takes out the text of arguments that would be written the same anyway.
fn drop_plain_json(table: &Table, piece: &Piece<'_>, part: &mut Tree<'_>) {
    let Some((_, rule)) = rule_of(table, piece) else { return };
    for (path, slot, _) in rule.slots.iter().filter(|(_, _, form)| *form == Form::JsonText) {
        if let Some(Tree::Raw(json)) = piece.get(*slot)
            && is_plain_json(json)
        {
            drop_at(part, path);
        }
    }
}

/// What is kept beside a piece that may be a file, so that it can be priced.
fn file_beside<'a>(piece: &Piece<'a>) -> Tree<'a> {
    let mut beside = Tree::empty();
    if piece.kind == Kind::Other {
        beside.set("is", piece.rest.clone());
    }
    beside
}

/// What is kept beside a piece; nothing where the way back gives the same without it.
fn beside_of<'a>(table: &Table, piece: &Piece<'a>, begins_message: bool) -> Tree<'a> {
    let mut beside = Tree::empty();
    if piece.kind.is_opaque() {
        beside.set("is", piece.rest.clone());
    } else {
        let mut part = piece.rest.clone();
        drop_plain_json(table, piece, &mut part);
        if piece.kind == Kind::Call
            && let Some(mark) = match piece.get(Slot::Body) {
                None => Some(WITHOUT),
                Some(body) if body.is_string() => Some(AS_STRING),
                Some(body) if !is_object(body) => Some(AS_JSON),
                Some(_) => None,
            }
        {
            part.set(mark, Tree::empty());
        }
        // Reasoning is given back to nobody but who made it.
        if !part.is_nothing() || piece.kind == Kind::Reasoning {
            beside.set("part", part);
        }
    }
    let begins = begins_by_itself(table, piece, begins_message);
    match &piece.item_rest {
        Some(rest) if begins && says_no_more(table, piece, rest) => {}
        Some(rest) => beside.set("item", rest.clone()),
        None if begins => beside.set("item", Tree::default()),
        None => {}
    }
    beside
}

/// Whether an item's rest is what would be written anyway.
fn says_no_more(table: &Table, piece: &Piece<'_>, rest: &Tree<'_>) -> bool {
    let Tree::Object(fields) = rest else { return false };
    match fields.as_slice() {
        [] => true,
        [(key, role)] if key == "role" => {
            let name = table.roles.iter().find(|(_, role)| *role == item_role(table, piece)).map(|(name, _)| *name);
            role.as_text().as_deref() == name && piece.role == item_role(table, piece)
        }
        _ => false,
    }
}

/// Whose item a piece of the core begins.
pub(super) fn item_role(table: &Table, piece: &Piece<'_>) -> Role {
    let has = |role: Role| table.roles.iter().any(|(_, known)| *known == role);
    match (piece.kind, piece.role) {
        (Kind::Result, _) if has(Role::Tool) => Role::Tool,
        (Kind::Result, _) => Role::User,
        (_, Role::System) if !has(Role::System) => Role::User,
        // What speaks as a tool and is no result has to say so.
        (_, Role::Tool) => Role::System,
        (_, role) => role,
    }
}

/// Whether a piece begins an item where nothing says otherwise.
pub(super) fn begins_by_itself(table: &Table, piece: &Piece<'_>, begins_message: bool) -> bool {
    match table.laws.results {
        _ if table.flat => begins_message || !matches!(piece.role, Role::User | Role::System),
        Results::SamePart if piece.kind == Kind::Result => false,
        _ => begins_message,
    }
}

/// The tools that calls name, by their ids.
#[derive(Default)]
pub(crate) struct Names {
    places: Numbers,
    names: Vec<String>,
}

impl Names {
    fn learn(&mut self, piece: &Piece<'_>) {
        if let (Kind::Call, Some(id), Some(name)) = (piece.kind, piece.id(), piece.text(Slot::Name)) {
            self.places.insert((&*id).into(), self.names.len() as u32);
            self.names.push(name.into_owned());
        }
    }

    fn of(&self, id: &str) -> Option<String> {
        self.names.get(*self.places.get(id)? as usize).cloned()
    }
}

pub(crate) fn tool_names<'p, 'a: 'p>(pieces: impl IntoIterator<Item = &'p Piece<'a>>) -> Names {
    let mut names = Names::default();
    pieces.into_iter().for_each(|piece| names.learn(piece));
    names
}

/// Whether the results of several calls stand in one item.
pub(super) fn joins_results(table: &Table) -> bool {
    matches!(table.laws.results, Results::NextTurn | Results::NextContent | Results::ToolMessages)
}
