//! From pieces to the items of an array, by the table of their format.

use super::path::set_at;
use super::piece::{Kind, Piece, Role, Slot};
use super::read::{AS_JSON, AS_LIST, AS_ONE, AS_STRING, DENIED, WITHOUT, fits, is_one_string, parts_are_one_text};
use super::table::{Form, Part, Results, Table, Tag};
use super::tree::Tree;
use super::{ai_sdk_ui, gemini};

/// Writes pieces as items: each that holds what is left of an item begins one.
pub(crate) fn write_items<'a>(table: &Table, pieces: Vec<Piece<'a>>) -> Vec<Tree<'a>> {
    let mut items: Vec<Tree<'a>> = Vec::new();
    let mut open: Vec<Piece<'a>> = Vec::new();
    for piece in pieces {
        if piece.item_rest.is_some() && !open.is_empty() {
            items.push(write_item(table, std::mem::take(&mut open)));
        }
        open.push(piece);
    }
    if !open.is_empty() {
        items.push(write_item(table, open));
    }
    items
}

/// Writes one item.
pub(crate) fn write_item<'a>(table: &Table, mut pieces: Vec<Piece<'a>>) -> Tree<'a> {
    let Some(first) = pieces.first_mut() else { return Tree::empty() };
    let (role, kind) = (first.role, first.kind);
    let mut item = first.item_rest.take().unwrap_or_else(Tree::empty);
    let named = item.get("role").is_some();
    let whole = rule_of(table, first).filter(|(place, _)| *place == Place::Item && !(table.flat && named));
    if let Some((_, rule)) = whole
        && let Some(piece) = pieces.pop()
    {
        return write_part(table, rule, piece);
    }
    if table.flat && pieces.len() == 1 && !named && kind.is_opaque() {
        return pieces.pop().map(|piece| piece.rest).unwrap_or_default();
    }
    if !named && let Some((name, _)) = table.roles.iter().find(|(_, known)| *known == role) {
        item.set("role", Tree::text(*name));
    } else if item.text_of("role").is_some_and(|name| name.is_empty()) {
        item.take("role");
    }
    let as_list = item.take(AS_LIST).is_some();
    let as_string = item.take(AS_STRING).is_some();
    let mut content = Vec::new();
    for piece in pieces.into_iter().filter(|piece| piece.kind != Kind::Nothing) {
        match rule_of(table, &piece) {
            Some((Place::Field(key), rule)) => {
                let mut part = write_part(table, rule, piece);
                item.set(key, part.take(key).unwrap_or_default());
            }
            Some((Place::List(key), rule)) => {
                let part = write_part(table, rule, piece);
                let mut list = item.take(key).unwrap_or_default();
                match &mut list {
                    Tree::List(parts) => parts.push(part),
                    _ => list = Tree::List(vec![part]),
                }
                item.set(key, list);
            }
            _ => content.push(piece),
        }
    }
    let one_string = as_string || (!as_list && is_one_string(table, role, &content));
    if one_string {
        let text = content.pop().and_then(|mut piece| piece.take(Slot::Body));
        item.set(table.list, text.unwrap_or_default());
    } else if as_list || !content.is_empty() {
        item.set(table.list, write_parts(table, table.parts, content));
    }
    item
}

/// Where a piece stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// In the list of parts.
    Part,
    /// In another list, under this key.
    List(&'static str),
    /// In the field of this key.
    Field(&'static str),
    /// It is an item itself.
    Item,
}

/// The rule by which a piece is written, and where it stands: the one that its tag names, or the first
/// of its kind. What goes through untouched has none.
pub(crate) fn rule_of(table: &Table, piece: &Piece<'_>) -> Option<(Place, &'static Part)> {
    if piece.kind.is_opaque() {
        return None;
    }
    let parts = table.parts.iter().map(|rule| (Place::Part, rule));
    let lists = table.lists.iter().flat_map(|(key, rules)| rules.iter().map(|rule| (Place::List(key), rule)));
    let fields = table.fields.iter().map(|(key, rule)| (Place::Field(key), rule));
    let items = table.items.iter().map(|rule| (Place::Item, rule));
    let mut all = parts.chain(lists).chain(fields).chain(items).filter(|(_, rule)| writes(rule, piece));
    all.next()
}

/// Whether a rule may write a piece: it is of its kind, and of its tag where it has one still.
fn writes(rule: &Part, piece: &Piece<'_>) -> bool {
    let tagged = piece.rest.get("type").is_some() || piece.rest.get("role").is_some();
    rule.kind == piece.kind && (!tagged || fits(rule, &piece.rest))
}

/// Writes a piece as a part, by its rule.
pub(crate) fn write_part<'a>(table: &Table, rule: &Part, mut piece: Piece<'a>) -> Tree<'a> {
    let mut part = Tree::empty();
    match rule.tag {
        Tag::Type(name) => part.set("type", Tree::text(name)),
        Tag::Field(_) => {
            piece.rest.take("type");
        }
        Tag::TypeBeginning(name) if piece.rest.get("type").is_none() => {
            let tool = piece.take(Slot::Name).and_then(Tree::into_text).unwrap_or_default();
            part.set("type", Tree::text(format!("{name}{tool}")));
        }
        Tag::Role(name) => part.set("role", Tree::text(name)),
        Tag::True(key) => part.set(key, Tree::Raw("true".into())),
        _ => {}
    }
    let as_list = piece.rest.take(AS_LIST).is_some();
    let as_one = piece.rest.take(AS_ONE).is_some();
    let as_json = piece.rest.take(AS_JSON).is_some();
    let as_string = piece.rest.take(AS_STRING).is_some();
    let without = piece.rest.take(WITHOUT).is_some();
    for (key, value) in piece.rest.take_all() {
        part.set(key, value);
    }
    for &(path, value) in rule.with {
        if get_at(&part, path).is_none() && piece.get(Slot::Data).is_some() {
            set_at(&mut part, path, Tree::text(value));
        }
    }
    for &(path, slot, form) in rule.slots {
        // It may stand in another place, or be kept as it was.
        let there = |path: &str| get_at(&part, path).is_some();
        if form != Form::Output && rule.slots.iter().any(|(path, other, _)| *other == slot && there(path)) {
            continue;
        }
        match form {
            Form::Content => {
                if as_one {
                    let parts = write_parts(table, table.result_parts, std::mem::take(&mut piece.content));
                    if let Tree::List(mut parts) = parts {
                        set_at(&mut part, path, parts.pop().unwrap_or_default());
                    }
                    continue;
                }
                let one_string = as_string || (!as_list && table.string_of.contains(&Role::Tool));
                if !one_string || !parts_are_one_text(&piece.content) {
                    set_at(&mut part, path, write_parts(table, table.result_parts, std::mem::take(&mut piece.content)));
                } else if let Some(mut text) = piece.content.pop() {
                    set_at(&mut part, path, text.take(Slot::Body).unwrap_or_default());
                }
            }
            Form::Object => {
                if let Some(value) = json_of(std::mem::take(&mut piece.content), as_json) {
                    let value = if as_json { value } else { in_an_object(value, &piece) };
                    set_at(&mut part, path, value);
                }
            }
            Form::Output => write_output(table, &mut part, path, &mut piece),
            _ => {
                let absent = if rule.kind == Kind::Result { Slot::Id } else { Slot::Body };
                let Some(value) = piece.take(slot).filter(|_| !(without && slot == absent)) else { continue };
                let may_lack_ids = table.laws.results == Results::NextContent;
                if may_lack_ids && slot == Slot::Id && value.as_text().is_some_and(|id| gemini::is_given(&id)) {
                    continue;
                }
                let value = match (form, value) {
                    (Form::JsonText, Tree::Raw(json)) if !json.starts_with('"') => Tree::Text(json),
                    (Form::JsonText, value @ Tree::Object(_)) => Tree::text(value.to_json()),
                    (Form::DataUrl, data) if !as_string => {
                        let mime_type = piece.text(Slot::MimeType).unwrap_or_default();
                        Tree::text(format!("data:{mime_type};base64,{}", data.into_text().unwrap_or_default()))
                    }
                    (_, value) => value,
                };
                set_at(&mut part, path, value);
            }
        }
    }
    part
}

fn get_at<'t, 'a>(part: &'t Tree<'a>, path: &str) -> Option<&'t Tree<'a>> {
    match path.split_once('.') {
        None => part.get(path),
        Some((key, path)) => get_at(part.get(key)?, path),
    }
}

/// Writes pieces as a list of parts.
fn write_parts<'a>(table: &Table, rules: &'static [Part], pieces: Vec<Piece<'a>>) -> Tree<'a> {
    let mut parts: Vec<Tree<'a>> = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let rule = rules.iter().find(|rule| !piece.kind.is_opaque() && writes(rule, &piece));
        match rule {
            Some(rule) => {
                let mut part = write_part(table, rule, piece);
                if rule.kind == Kind::Call && table.laws.results == Results::SamePart && part.get("state").is_none() {
                    part.set("state", Tree::text("input-available"));
                }
                parts.push(part);
            }
            None if piece.kind == Kind::Result && table.laws.results == Results::SamePart => {
                let id = piece.id().unwrap_or_default().into_owned();
                let is_call = |part: &&mut Tree<'a>| part.text_of("toolCallId").is_some_and(|call| call == id);
                let found = parts.iter_mut().rposition(|part| is_call(&part)).unwrap_or(parts.len().saturating_sub(1));
                if let Some(call) = parts.get_mut(found).filter(|part| part.get("text").is_none()) {
                    ai_sdk_ui::join(call, piece);
                }
            }
            None => parts.push(piece.rest),
        }
    }
    Tree::List(parts)
}

/// The content of a result as one value: its texts, which are JSON where that was marked.
pub(super) fn json_of(content: Vec<Piece<'_>>, as_json: bool) -> Option<Tree<'_>> {
    let mut texts = content.into_iter().filter_map(|mut piece| piece.take(Slot::Body));
    let first = texts.next()?;
    let rest: Vec<_> = texts.filter_map(Tree::into_text).collect();
    Some(match first {
        first if as_json && first.is_string() => {
            let text = first.into_text().unwrap_or_default();
            if crate::entry::is_json(&text) { Tree::Raw(text) } else { Tree::Text(text) }
        }
        first if rest.is_empty() => first,
        first => Tree::text(format!("{}\n{}", first.into_text().unwrap_or_default(), rest.join("\n"))),
    })
}

/// What is no object, as one.
fn in_an_object<'a>(value: Tree<'a>, piece: &Piece<'_>) -> Tree<'a> {
    let mut object = Tree::empty();
    object.set(if piece.is_error() { "error" } else { "output" }, value);
    object
}

/// The output of a result of the AI SDK: `{ type, value }`.
fn write_output<'a>(table: &Table, part: &mut Tree<'a>, path: &'static str, piece: &mut Piece<'a>) {
    let mut output = part.take(path).map(Tree::opened).unwrap_or_else(Tree::empty);
    let content = std::mem::take(&mut piece.content);
    if output.text_of("type").is_none() {
        let one_text = parts_are_one_text(&content);
        let kind = match (one_text, piece.is_error()) {
            (true, true) => "error-text",
            (true, false) => "text",
            (false, _) => "content",
        };
        output.set("type", Tree::text(kind));
    }
    let kind = output.text_of("type").unwrap_or_default().into_owned();
    if kind == "content" {
        output.set("value", write_parts(table, table.result_parts, content));
    } else if let Some(value) = json_of(content, kind.ends_with("json")).filter(|_| kind != DENIED) {
        output.set("value", value);
    }
    part.set(path, output);
}
