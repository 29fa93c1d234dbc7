//! From the items of an array to pieces, by the table of their format.

use super::path::{drop_if_empty, set_at, take_at};
use super::piece::{Fault, Kind, Piece, Role, Slot};
use super::table::{Form, Part, Results, Table, Tag};
use super::tree::Tree;
use super::write::write_part;
use crate::error::{Error, Quoted};
use std::borrow::Cow;

/// Reads an array.
///
/// # Errors
///
/// `unsupported-format` for an item that is none of the format's.
pub(crate) fn read_items<'a>(table: &Table, items: Vec<Tree<'a>>) -> Result<Vec<Piece<'a>>, Error> {
    let mut pieces = Vec::with_capacity(items.len() * 2);
    for (index, item) in items.into_iter().enumerate() {
        let first = pieces.len();
        let (role, rest) = read_item(table, item, &mut pieces).map_err(|reason| super::no_item(index, &reason))?;
        if pieces.len() == first {
            pieces.push(Piece::new(role, Kind::Nothing));
        }
        for piece in pieces.iter_mut().skip(first) {
            piece.item = index;
        }
        if let Some(piece) = pieces.get_mut(first) {
            piece.item_rest = Some(rest);
        }
    }
    if let Some(after) = table.after_reading {
        after(&mut pieces);
    }
    Ok(pieces)
}

/// Reads one item; gives its role and what no piece took. Otherwise what is wrong with it.
pub(super) fn read_item<'a>(
    table: &Table,
    mut item: Tree<'a>,
    pieces: &mut Vec<Piece<'a>>,
) -> Result<(Role, Tree<'a>), String> {
    let Tree::Object(_) = &item else {
        return Err(format!(": it is no object; a message of {} is one", table.name));
    };
    if table.flat {
        match item.text_of("type").filter(|kind| kind != "message") {
            Some(_) => {
                let piece = read_part(table, table.items, Role::Assistant, item)
                    .unwrap_or_else(|item| other(table, Role::Assistant, item));
                pieces.push(piece);
                return Ok((Role::Assistant, Tree::empty()));
            }
            None if item.get("role").is_none() => {
                return Err(format!(": neither a type nor a role; an item of {} has one", table.name));
            }
            None => {}
        }
    }
    let by_default = item.get("role").is_none() && table.roles.iter().any(|(name, _)| name.is_empty());
    if by_default {
        item.set("role", Tree::text(""));
    }
    let Some(name) = item.text_of("role") else {
        return Err(format!(".role: there is none; a message of {} has one of {}", table.name, roles(table)));
    };
    let known = table.roles.iter().find(|(known, _)| *known == name);
    let Some(&(_, role)) = known.or_else(|| table.roles.iter().find(|(known, _)| *known == ANY_ROLE)) else {
        return Err(format!(".role: {} is no role of {}; allowed is {}", Quoted(&name), table.name, roles(table)));
    };
    if let Some(part) = table.items.iter().find(|part| matches!(part.tag, Tag::Role(known) if known == name)) {
        pieces.push(take_slots(table, part, role, item));
        return Ok((role, Tree::empty()));
    }
    for (key, part) in table.fields.iter().filter(|_| role == Role::Assistant) {
        let Some(value) = item.take(key) else { continue };
        if value.is_null() {
            item.set(*key, value);
            continue;
        }
        let mut field = Tree::empty();
        field.set(*key, value);
        field.set("type", Tree::text(*key));
        let mut piece = take_slots(table, part, role, field);
        piece.list = key;
        pieces.push(piece);
    }
    let first = pieces.len();
    match item.take(table.list) {
        Some(Tree::List(parts)) => {
            if parts.is_empty() {
                item.set(table.list, Tree::List(Vec::new()));
                pieces.push(nothing_in(role, table.list));
            }
            read_parts(table, table.parts, role, table.list, parts, pieces);
            if is_one_string(table, role, pieces.get(first..).unwrap_or_default()) {
                item.set(AS_LIST, Tree::empty());
            }
        }
        Some(value) if value.as_text().is_some() => {
            let mut piece = Piece::new(role, Kind::Text);
            piece.list = table.list;
            piece.set(Slot::Body, value);
            if !table.string_of.contains(&role) {
                piece.fault = Some(if role == Role::Tool { Fault::WrongRole } else { Fault::NoList });
                item.set(AS_STRING, Tree::empty());
            }
            pieces.push(piece);
        }
        Some(value) if !value.is_null() => {
            return Err(format!(".{}: neither a string nor a list; allowed is one of them", table.list));
        }
        Some(value) => item.set(table.list, value),
        None => {}
    }
    for (key, rules) in table.lists.iter().filter(|_| role == Role::Assistant) {
        match item.take(key) {
            Some(Tree::List(parts)) => {
                if parts.is_empty() {
                    item.set(*key, Tree::List(Vec::new()));
                    pieces.push(nothing_in(role, key));
                }
                read_parts(table, rules, role, key, parts, pieces);
            }
            Some(value) if !value.is_null() => return Err(format!(".{key}: no list; allowed is one")),
            Some(value) => item.set(*key, value),
            None => {}
        }
    }
    Ok((role, item))
}

/// The role of a table for every name that it does not list.
pub(crate) const ANY_ROLE: &str = "*";

/// The type of the output of a call that the user did not allow.
pub(crate) const DENIED: &str = "execution-denied";
/// Stands as its result.
pub(crate) const NOT_ALLOWED: &str = "The user did not allow this call.";

/// Marks, in what is left of an item or a result, that its content is a list where a string would be
/// expected.
pub(crate) const AS_LIST: &str = "#list";
/// The other way round.
pub(crate) const AS_STRING: &str = "#string";
/// Marks that the text of a result is JSON, not a string.
pub(crate) const AS_JSON: &str = "#json";
/// Marks content that is one part, not a list.
pub(crate) const AS_ONE: &str = "#one";
/// Marks a call without arguments, and a result without an id of its own.
pub(crate) const WITHOUT: &str = "#none";

/// Whether content of these pieces is written as a string, where nothing says otherwise.
pub(crate) fn is_one_string(table: &Table, role: Role, content: &[Piece<'_>]) -> bool {
    table.string_of.contains(&role) && matches!(content, [only] if is_plain_text(only))
}

pub(crate) fn is_plain_text(piece: &Piece<'_>) -> bool {
    piece.kind == Kind::Text && piece.rest.is_nothing() && piece.get(Slot::Body).is_some_and(Tree::is_string)
}

fn roles(table: &Table) -> String {
    table.roles.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}

fn read_parts<'a>(
    table: &Table,
    rules: &'static [Part],
    role: Role,
    list: &'static str,
    parts: Vec<Tree<'a>>,
    pieces: &mut Vec<Piece<'a>>,
) {
    for (number, part) in parts.into_iter().enumerate() {
        let mut piece = read_part(table, rules, role, part).unwrap_or_else(|part| other(table, role, part));
        // Only among parts a type may be unknown.
        if piece.kind == Kind::Other && list != table.list && !list.is_empty() {
            piece.fault = Some(Fault::Lacks);
        }
        piece.part = Some(number);
        piece.list = list;
        pieces.push(piece);
    }
}

/// A list without parts.
fn nothing_in<'a>(role: Role, list: &'static str) -> Piece<'a> {
    let mut nothing = Piece::new(role, Kind::Nothing);
    nothing.list = list;
    nothing
}

/// What describes a part where its keys tell what it is.
const BESIDE_PARTS: [&str; 3] = ["thought", "thoughtSignature", "videoMetadata"];

/// A part of a type that we do not know; one that has none is none.
fn other<'a>(table: &Table, role: Role, part: Tree<'a>) -> Piece<'a> {
    let mut piece = Piece::new(role, Kind::Other);
    let says = match &part {
        Tree::Object(fields) if table.list == "content" => fields.iter().any(|(key, _)| key == "type"),
        // What only describes a part is none.
        Tree::Object(fields) => fields.iter().any(|(key, _)| !BESIDE_PARTS.contains(&&**key)),
        _ => false,
    };
    piece.fault = (!says).then_some(Fault::Lacks);
    piece.rest = part;
    piece
}

/// Reads a part by the first rule that fits; gives it back where none does.
fn read_part<'a>(table: &Table, rules: &'static [Part], role: Role, part: Tree<'a>) -> Result<Piece<'a>, Tree<'a>> {
    match rules.iter().find(|rule| fits(rule, &part)) {
        Some(rule) => Ok(take_slots(table, rule, role, part)),
        None => Err(part),
    }
}

/// Whether a part is what a rule describes.
pub(crate) fn fits(rule: &Part, part: &Tree<'_>) -> bool {
    let kind = || part.text_of("type");
    match rule.tag {
        Tag::Type(name) | Tag::Field(name) => kind().is_some_and(|kind| kind == name),
        Tag::TypeBeginning(name) => kind().is_some_and(|kind| kind.starts_with(name)),
        Tag::TypeEnd(name) => kind().is_some_and(|kind| kind.ends_with(name)),
        Tag::Key(key) => part.get(key).is_some(),
        Tag::True(key) => matches!(part.get(key), Some(Tree::Raw(value)) if value == "true"),
        Tag::Role(name) => part.text_of("role").is_some_and(|role| role == name),
    }
}

fn take_slots<'a>(table: &Table, rule: &Part, role: Role, mut part: Tree<'a>) -> Piece<'a> {
    let mut piece = Piece::new(role, rule.kind);
    let mut found = [Slot::Id; 8];
    let mut count = 0;
    for &(path, slot, form) in rule.slots {
        // What another place has said already has no say here, and stays.
        let known = piece.get(slot).is_some();
        let Some(value) = take_at(&mut part, path) else { continue };
        if let Some(found) = found.get_mut(count).filter(|_| says_something(table, slot, form, &value)) {
            *found = slot;
            count += 1;
        }
        if known {
            set_at(&mut part, path, value);
            continue;
        }
        // Where a slot may stand in several places, in what goes through untouched, and where the core has no
        // place for it, it stays there.
        let stays = rule.kind.is_opaque()
            || matches!((rule.kind, slot), (Kind::Reasoning, Slot::Id) | (Kind::Image, Slot::Name))
            || rule.slots.iter().filter(|(_, other, _)| *other == slot).count() > 1;
        let copy = stays.then(|| value.clone());
        let back = take_value(table, &mut piece, slot, form, value);
        if let Some(back) = copy.or(back) {
            set_at(&mut part, path, back);
        }
    }
    // What has no name of its own is named by its type.
    if rule.slots.iter().all(|(_, slot, _)| *slot != Slot::Name)
        && let Some(kind) = part.text_of("type")
        && let Some(name) = match rule.tag {
            Tag::TypeBeginning(beginning) => kind.strip_prefix(beginning),
            Tag::TypeEnd(end) => kind.strip_suffix(end),
            _ => None,
        }
    {
        piece.set(Slot::Name, Tree::text(name.to_owned()));
    }
    let named = piece.text(Slot::Name).is_some_and(|name| !name.is_empty());
    let has =
        |slot: &Slot| found.get(..count).is_some_and(|found| found.contains(slot)) || *slot == Slot::Name && named;
    piece.fault = if !rule.needs.iter().all(has) || piece.content.iter().any(|part| part.fault.is_some()) {
        Some(Fault::Lacks)
    } else if !can_say(table, rule, role) {
        Some(Fault::WrongRole)
    } else if matches!(rule.tag, Tag::Type(_)) && piece.rest.get(AS_ONE).is_some() {
        // Only tools of unknown form answer with one part.
        Some(Fault::NoList)
    } else {
        piece.fault
    };
    let mime_type = piece.text(Slot::MimeType).filter(|kind| !kind.is_empty());
    if rule.kind == Kind::Image && mime_type.is_some_and(|kind| !kind.starts_with("image/")) {
        // Only images are told apart from other files.
        for (key, value) in part.take_all() {
            piece.rest.set(key, value);
        }
        let mut file = Piece::new(role, Kind::Other);
        file.fault = piece.fault;
        file.rest = write_part(table, rule, piece);
        return file;
    }
    if !rule.kind.is_opaque() {
        drop_empty(&mut part, rule.slots);
        if let Tag::Type(name) | Tag::Field(name) | Tag::Role(name) = rule.tag
            && is_first_of_kind(table, rule)
        {
            let key = if matches!(rule.tag, Tag::Role(_)) { "role" } else { "type" };
            if part.text_of(key).is_some_and(|said| said == name) {
                part.take(key);
            }
        }
    }
    for (mark, value) in piece.rest.take_all() {
        part.set(mark, value);
    }
    piece.rest = part;
    piece
}

/// Whether a value is more than nothing where its slot asks for it.
fn says_something(table: &Table, slot: Slot, form: Form, value: &Tree<'_>) -> bool {
    match slot {
        Slot::Id | Slot::Name | Slot::Signature | Slot::Call => value.as_text().is_some_and(|text| !text.is_empty()),
        // Arguments may be any JSON, null too.
        Slot::Body if form == Form::Plain => true,
        // Where a message without parts is refused, so is a result that is a message.
        Slot::Body
            if form == Form::Content
                && table.laws.results == Results::RightBehind
                && table.string_of.contains(&Role::Tool) =>
        {
            !value.is_null() && !value.is_empty_list()
        }
        _ => !value.is_null(),
    }
}

/// Whether a piece of this rule can stand in a message of this role. Where results stand is asked by pairs.
fn can_say(table: &Table, rule: &Part, role: Role) -> bool {
    match rule.kind {
        _ if !rule.only.is_empty() => rule.only.contains(&role),
        _ if table.laws.results == Results::SamePart || table.flat => true,
        Kind::Call | Kind::Reasoning | Kind::ServerCall | Kind::ServerResult => role == Role::Assistant,
        // What results hold is read as theirs.
        Kind::Text | Kind::Image => {
            role != Role::Tool || std::ptr::eq(table.result_parts, table.parts) || is_result_part(table, rule)
        }
        _ => true,
    }
}

fn is_result_part(table: &Table, rule: &Part) -> bool {
    table.result_parts.iter().any(|part| std::ptr::eq(part, rule))
}

/// Takes out what held slots and is empty now.
fn drop_empty(part: &mut Tree<'_>, slots: &[(&'static str, Slot, Form)]) {
    for (path, _, _) in slots {
        drop_if_empty(part, path);
    }
}

/// Whether a rule is the one by which its kind is written where nothing says otherwise.
fn is_first_of_kind(table: &Table, rule: &Part) -> bool {
    let is_rule = |first: &Part| std::ptr::eq(first, rule);
    table.rules_of(rule.kind).next().is_some_and(is_rule)
        || table.result_parts.iter().find(|part| part.kind == rule.kind).is_some_and(is_rule)
}

/// Puts a value where it belongs; gives back what has to stay in the part.
fn take_value<'a>(table: &Table, piece: &mut Piece<'a>, slot: Slot, form: Form, value: Tree<'a>) -> Option<Tree<'a>> {
    match form {
        Form::Plain => piece.set(slot, value),
        Form::JsonText => {
            let text = value.clone().into_text()?;
            if !(text.trim_start().starts_with('{') && crate::entry::is_json(&text)) {
                piece.set(slot, Tree::Text(text));
                return None;
            }
            piece.set(slot, Tree::Raw(text));
            // Read and written again it may not be the same text.
            return Some(value);
        }
        Form::Content => match value.opened() {
            // An object is one part.
            part @ Tree::Object(_) => {
                let mut part = read_part(table, table.result_parts, Role::Tool, part)
                    .unwrap_or_else(|part| other(table, Role::Tool, part));
                // Alone it may be of any form: that of a tool that we do not know.
                part.fault = None;
                piece.content.push(part);
                piece.rest.set(AS_ONE, Tree::empty());
            }
            Tree::List(parts) => {
                read_parts(table, table.result_parts, Role::Tool, "", parts, &mut piece.content);
                if parts_are_one_text(&piece.content) && table.string_of.contains(&Role::Tool) {
                    piece.rest.set(AS_LIST, Tree::empty());
                }
            }
            value if value.is_null() => return Some(value),
            value => {
                piece.content.push(text_piece(value));
                if !table.string_of.contains(&Role::Tool) {
                    piece.rest.set(AS_STRING, Tree::empty());
                }
            }
        },
        Form::Object => {
            if !value.is_string() {
                piece.rest.set(AS_JSON, Tree::empty());
            }
            piece.content.push(text_piece(value));
        }
        Form::Output => {
            let mut output = value.opened();
            let kind = output.text_of("type").map(Cow::into_owned);
            let is_content = kind.as_deref() == Some("content");
            match output.take("value").map(|value| if is_content { value.opened() } else { value }) {
                Some(Tree::List(parts)) => {
                    read_parts(table, table.result_parts, Role::Tool, "", parts, &mut piece.content)
                }
                Some(value) => piece.content.push(text_piece(value)),
                None if kind.as_deref() == Some(DENIED) => {
                    let reason = output.text_of("reason").map(|reason| Tree::text(reason.into_owned()));
                    piece.content.push(text_piece(reason.unwrap_or_else(|| Tree::text(NOT_ALLOWED))));
                }
                None => piece.fault = Some(Fault::Lacks),
            }
            if kind.as_deref().is_some_and(|kind| kind.starts_with("error") || kind == DENIED) {
                piece.set(Slot::IsError, Tree::Raw("true".into()));
            }
            return Some(output);
        }
        Form::Texts => {
            let value = value.opened();
            let texts: Vec<Cow<'_, str>> = value.items().iter().filter_map(|item| item.text_of("text")).collect();
            piece.set(slot, Tree::text(texts.join("\n\n")));
            return Some(value);
        }
        Form::DataUrl => {
            let text = value.as_text();
            let parsed = text.as_deref().and_then(|text| text.strip_prefix("data:")?.split_once(";base64,"));
            let Some((mime_type, data)) = parsed else {
                if text.as_deref().is_none_or(|text| text.contains(':')) {
                    return Some(value);
                }
                // No URL: the bytes themselves.
                piece.rest.set(AS_STRING, Tree::empty());
                piece.set(slot, value);
                return None;
            };
            let (mime_type, data) = (Tree::text(mime_type.to_owned()), Tree::text(data.to_owned()));
            piece.set(Slot::MimeType, mime_type);
            piece.set(slot, data);
        }
    }
    None
}

pub(crate) fn parts_are_one_text(content: &[Piece<'_>]) -> bool {
    matches!(content, []) || matches!(content, [only] if is_plain_text(only))
}

/// The whole content of a result: a string, or any JSON.
pub(super) fn text_piece(value: Tree<'_>) -> Piece<'_> {
    let mut piece = Piece::new(Role::Tool, Kind::Text);
    piece.set(Slot::Body, value);
    piece
}
