//! Arrays of messages, in a file of their own, inside an object, or a message a line.

use super::answer::answer_of;
use super::records::Record;
use super::transcript::{Draft, Origin, Transcript, What, first_of, is_the_models, say_nothing, time};
use crate::error::Error;
use crate::format::no_item;
use crate::format::piece::{Kind, Piece, Role, Slot};
use crate::format::read::read_item;
use crate::format::tree::Tree;
use crate::session::DiagnosticKind;
use std::borrow::Cow;

/// The keys under which programs keep their messages.
pub(super) const LISTS: [&str; 7] = ["messages", "input", "contents", "history", "conversation", "items", "chat"];

/// The keys of a system prompt beside them.
const SYSTEM: [&str; 6] =
    ["system", "system_prompt", "systemPrompt", "systemInstruction", "system_instruction", "instructions"];

/// Where a message says when it was made.
const TIMES: [&str; 5] = ["timestamp", "createdAt", "created_at", "ts", "time"];

/// Whose models speak a format.
const PROVIDERS: [(&str, &str); 4] =
    [("openai-chat", "openai"), ("openai-responses", "openai"), ("anthropic", "anthropic"), ("gemini", "google")];

/// Takes what stands around the messages over: the system prompt as a message, and all of it as a custom entry.
pub(super) fn import_around<'a>(mut object: Tree<'a>, transcript: &mut Transcript<'a>) {
    transcript.note("id", first_of(&object, &["id", "sessionId"]).cloned());
    transcript.note("cwd", object.get("cwd").cloned());
    transcript.note("title", object.get("title").cloned());
    transcript.note("timestamp", time(first_of(&object, &TIMES)).map(Tree::text));
    let origin = Origin { line: 1, ..Origin::default() };
    let prompt = SYSTEM.iter().find_map(|key| {
        let texts = texts(&object.get(key)?.clone().opened());
        (!texts.is_empty()).then_some((*key, texts))
    });
    if let Some((key, texts)) = prompt {
        object.take(key);
        let mut piece = Piece::new(Role::System, Kind::Text);
        piece.set(Slot::Body, Tree::text(texts));
        piece.item_rest = Some(Tree::empty());
        transcript.follow(origin.clone(), What::Said(vec![piece], Tree::empty()), None);
    }
    if !object.is_nothing() {
        transcript.keep(origin, "around".to_owned(), object);
    }
}

/// A text, or those of parts.
fn texts(value: &Tree<'_>) -> String {
    if let Some(text) = value.as_text() {
        return text.into_owned();
    }
    let parts = match value {
        Tree::List(_) => value,
        _ => first_of(value, &["parts", "content"]).unwrap_or(value),
    };
    let texts: Vec<Cow<'_, str>> = parts.items().iter().filter_map(|part| part.text_of("text")).collect();
    texts.join("\n\n")
}

/// Takes messages over.
///
/// # Errors
///
/// `unsupported-format` where none of them is of the format.
pub(super) fn import<'a>(records: Vec<Record<'a>>, transcript: &mut Transcript<'a>) -> Result<(), Error> {
    let table = transcript.table;
    let provider = PROVIDERS.iter().find(|(name, _)| *name == table.name).map(|(_, provider)| *provider);
    let is_pi = std::ptr::eq(table, &crate::format::pi::PI);
    let mut refused = None;
    let mut pieces = Vec::new();
    // The draft of each message.
    let mut drafts = Vec::with_capacity(records.len());
    let mut open = None;
    for mut record in records {
        let Some(tree) = transcript.object(&mut record) else { continue };
        let id = tree.text_of("id").filter(|id| !id.is_empty()).map(Cow::into_owned);
        let origin = Origin { line: record.line, id, timestamp: time(first_of(&tree, &TIMES)) };
        let answer = answer_of(&tree, provider);
        let first = pieces.len();
        let (role, rest) = match read_item(table, tree.clone(), &mut pieces) {
            Ok(read) => read,
            Err(reason) => {
                let error = no_item(drafts.len(), &reason);
                transcript.report(record.line, DiagnosticKind::WrongShape, error.message.clone());
                refused.get_or_insert(error);
                pieces.truncate(first);
                transcript.keep(origin, "no-message".to_owned(), tree);
                continue;
            }
        };
        let new = pieces.get_mut(first..).unwrap_or_default();
        new.iter_mut().for_each(|piece| piece.item = drafts.len());
        if let Some(piece) = new.first_mut() {
            piece.item_rest = Some(rest);
        }
        let is_silent = say_nothing(new);
        let is_models = role == Role::Assistant && !is_silent && is_the_models(new);
        let goes_on = open.filter(|_| table.flat && is_models);
        let place = goes_on.unwrap_or_else(|| {
            if is_pi {
                transcript.follow(origin, What::Message(tree), None)
            } else if is_silent {
                transcript.keep(origin, "empty".to_owned(), tree)
            } else {
                transcript.follow(origin, What::Said(Vec::new(), answer), None)
            }
        });
        open = is_models.then_some(place);
        drafts.push(place);
        if is_pi || is_silent {
            pieces.truncate(first);
        }
    }
    if let (true, Some(error)) = (drafts.is_empty(), refused) {
        return Err(error);
    }
    if let Some(after) = table.after_reading {
        after(&mut pieces);
    }
    for piece in pieces {
        let place = drafts.get(piece.item).copied();
        if let Some(Draft { what: What::Said(said, _), .. }) = place.and_then(|place| transcript.drafts.get_mut(place))
        {
            said.push(piece);
        }
    }
    Ok(())
}
