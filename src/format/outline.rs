//! What becomes of an array, told by what stays: the host puts it together from its own objects.
//!
//! The outline is a JSON list. An item is the number of an item that came in, and then that very object; or
//! `{ "item": ... }`, a new one; or `{ "from": number, "lists": { key: parts }, "set": { ... }, "unset": [keys] }`,
//! a copy of one with other parts. A part is `{ "of": item, "at": number }`, that very part, with `set` a copy of it;
//! or `{ "part": ... }`, a new one.

use super::ai_sdk_ui;
use super::path::set_at;
use super::piece::{Kind, Piece, Slot};
use super::repair::{Change, Item, Part};
use super::table::{Results, Table};
use super::tree::Tree;
use super::write::{Place, rule_of, write_item, write_part};

/// Writes the outline of an array; `shapes` are those of the items that came in.
pub(super) fn outline(table: &Table, shapes: &[Shape], items: Vec<Item<'_>>) -> String {
    let items = items.into_iter().map(|item| outline_item(table, shapes, item));
    Tree::List(items.collect()).to_json()
}

fn count_of(shapes: &[Shape], item: usize) -> usize {
    shapes.get(item).map_or(0, |shape| shape.iter().map(|(_, count)| count).sum())
}

fn number(number: usize) -> Tree<'static> {
    Tree::Raw(number.to_string().into())
}

fn outline_item<'a>(table: &Table, shapes: &[Shape], item: Item<'a>) -> Tree<'a> {
    let Some(from) = item.from else {
        let mut new = Tree::empty();
        new.set("item", write_item(table, item.parts.into_iter().map(|part| part.piece).collect()));
        return new;
    };
    let is_same = |part: &Part<'_>| part.place.is_some() && part.change == Change::Nothing && part.piece.item == from;
    let in_order = item.parts.is_sorted_by_key(|part| part.place);
    if item.id.is_none() && in_order && count_of(shapes, from) == item.parts.len() && item.parts.iter().all(is_same) {
        return number(from);
    }
    let mut copy = Tree::empty();
    copy.set("from", number(from));
    let mut set = Tree::empty();
    let mut unset: Vec<Tree<'a>> = Vec::new();
    if let (Some(id), Some(key)) = (item.id, table.laws.item_id) {
        if id.is_empty() {
            unset.push(Tree::text(key));
        } else {
            set.set(key, Tree::text(id));
        }
    }
    let shape = shapes.get(from).map(Vec::as_slice).unwrap_or_default();
    let mut lists: Vec<(&'static str, Vec<Part<'a>>)> = shape.iter().map(|(key, _)| (*key, Vec::new())).collect();
    for part in item.parts {
        let key = match rule_of(table, &part.piece) {
            Some((Place::Item, _)) if part.piece.list.is_empty() => {
                for (key, value) in changes(table, &part, None).take_all() {
                    set.set(key, value);
                }
                continue;
            }
            Some((Place::Field(key) | Place::List(key), _)) => key,
            _ if part.piece.kind == Kind::Nothing => continue,
            _ => table.list,
        };
        match lists.iter_mut().find(|(known, _)| *known == key) {
            Some((_, list)) => list.push(part),
            None => lists.push((key, vec![part])),
        }
    }
    let mut changed = Tree::empty();
    for (key, list) in lists {
        let before = shape.iter().find(|(known, _)| *known == key).map(|(_, count)| *count);
        if list.is_empty() {
            unset.extend((!key.is_empty()).then(|| Tree::text(key)));
        } else if before != Some(list.len()) || !list.iter().all(is_same) || !list.is_sorted_by_key(|part| part.place) {
            changed.set(key, outline_list(table, list));
        }
    }
    copy.set("lists", changed);
    copy.set("set", set);
    copy.set("unset", Tree::List(unset));
    copy
}

fn outline_list<'a>(table: &Table, list: Vec<Part<'a>>) -> Tree<'a> {
    let mut out = Vec::with_capacity(list.len());
    let mut parts = list.into_iter().peekable();
    while let Some(part) = parts.next() {
        // Where call and result are one part, they stand one behind the other.
        let (item, number) = (part.piece.item, part.piece.part);
        let same_part = |other: &Part<'_>| {
            other.piece.kind == Kind::Result && other.piece.part == number && other.piece.item == item
        };
        let result = if table.laws.results == Results::SamePart { parts.next_if(same_part) } else { None };
        out.push(outline_part(table, part, result));
    }
    Tree::List(out)
}

fn outline_part<'a>(table: &Table, part: Part<'a>, result: Option<Part<'a>>) -> Tree<'a> {
    let mut out = Tree::empty();
    match (part.place, part.piece.part) {
        (Some(_), Some(at)) => {
            let set = changes(table, &part, result);
            out.set("of", number(part.piece.item));
            out.set("at", number(at));
            if !set.is_nothing() {
                out.set("set", set);
            }
        }
        _ => {
            let new = match rule_of(table, &part.piece) {
                Some((_, rule)) => write_part(table, rule, part.piece),
                None => part.piece.rest,
            };
            out.set("part", new);
        }
    }
    out
}

/// The keys that a changed part has otherwise: that of its id or of its content, or the answer that stands in it.
fn changes<'a>(table: &Table, part: &Part<'a>, result: Option<Part<'a>>) -> Tree<'a> {
    let mut set = Tree::empty();
    if let Some(result) = result.filter(|result| result.change == Change::Content) {
        for key in ["state", "approval"] {
            if let Some(value) = part.piece.rest.get(key) {
                set.set(key, value.clone());
            }
        }
        ai_sdk_ui::join(&mut set, result.piece);
        return set;
    }
    let slot = match part.change {
        Change::Nothing => return set,
        Change::Id => Slot::Id,
        Change::Content => Slot::Body,
    };
    let Some((_, rule)) = rule_of(table, &part.piece) else { return set };
    let mut paths = rule.slots.iter().filter(|(_, other, _)| *other == slot).map(|(path, _, _)| *path);
    // Where it may stand in several places, it stands where it stood.
    let Some(first) = paths.next() else { return set };
    let path = paths.find(|path| part.piece.rest.get(path).is_some()).filter(|_| part.piece.rest.get(first).is_none());
    let path = path.unwrap_or(first);
    let key = path.split('.').next().unwrap_or(path);
    let mut written = write_part(table, rule, part.piece.clone());
    if let (Slot::Id, Some(id)) = (slot, part.piece.get(Slot::Id)) {
        set_at(&mut written, path, id.clone());
    }
    set.set(key, written.take(key).unwrap_or_default());
    set
}

/// How many pieces each item has, by the lists and fields that they stand in.
pub(super) type Shape = Vec<(&'static str, usize)>;

/// The shapes of the items that came in.
pub(super) fn shapes(pieces: &[Piece<'_>]) -> Vec<Shape> {
    let mut shapes: Vec<Shape> = Vec::new();
    for piece in pieces {
        while shapes.len() <= piece.item {
            shapes.push(Shape::new());
        }
        if let Some(shape) = shapes.last_mut() {
            match shape.iter_mut().find(|(key, _)| *key == piece.list) {
                Some((_, count)) => *count += 1,
                None => shape.push((piece.list, 1)),
            }
        }
    }
    shapes
}
