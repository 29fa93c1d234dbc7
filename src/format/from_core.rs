//! From the core's messages to pieces of a format, with what stood beside them.

use super::TABLES;
use super::core::{INPUT, begins_by_itself, item_role, joins_results};
use super::pi::PI;
use super::piece::{Kind, Piece, Role, Slot};
use super::read::{AS_JSON, AS_STRING, read_item, text_piece};
use super::table::{Part, Results, Table};
use super::tree::Tree;
use super::write::rule_of;
use crate::error::Error;

/// Makes pieces of a format of the core's messages.
///
/// # Errors
///
/// `unsupported-format` for what is no message of the core.
pub(crate) fn from_core<'a>(table: &Table, messages: Vec<Tree<'a>>) -> Result<Vec<Piece<'a>>, Error> {
    let mut pieces: Vec<Piece<'a>> = Vec::new();
    let mut after_result = false;
    for (index, message) in messages.into_iter().enumerate() {
        let mut read = Vec::new();
        let (role, mut rest) = read_item(&PI, message, &mut read).map_err(|reason| super::no_item(index, &reason))?;
        if read.is_empty() {
            read.push(Piece::new(role, Kind::Nothing));
        }
        let mut of_message = rest.take(table.name).map(Tree::opened);
        // A turn that failed is never sent, and only pi has them.
        if rest.text_of("stopReason").is_some_and(|reason| reason == "error" || reason == "aborted") {
            continue;
        }
        let mut begins_message = true;
        for mut piece in read {
            let beside = piece.rest.take(table.name).map(Tree::opened).or_else(|| of_message.take());
            let is_foreign = beside.is_none();
            let mut beside = beside.unwrap_or_else(Tree::empty);
            if is_foreign && !is_for_everybody(table, &piece) {
                continue;
            }
            if is_foreign && piece.kind == Kind::Result && piece.content.is_empty() && needs_content(table, &piece) {
                piece.content.push(text_piece(Tree::text("")));
            }
            let role = item_role(table, &piece);
            tell_image(table.parts, role, &mut piece);
            piece.content.iter_mut().for_each(|part| tell_image(table.result_parts, Role::Tool, part));
            let joins = after_result && piece.kind == Kind::Result && joins_results(table);
            let item = match beside.take("item") {
                Some(item) if item.is_null() => None,
                Some(item) => Some(item.opened()),
                None => begins_by_itself(table, &piece, begins_message && !joins).then(Tree::empty),
            };
            restore(table, &mut piece, beside);
            if let Some(item) = item {
                begin_item(table, &mut piece, item);
            }
            piece.item = index;
            after_result = piece.kind == Kind::Result;
            begins_message = false;
            pieces.push(piece);
        }
    }
    // What begins nothing and follows nothing begins the first item.
    if let Some(first) = pieces.first_mut().filter(|first| first.item_rest.is_none()) {
        begin_item(table, first, Tree::empty());
    }
    Ok(pieces)
}

/// What every format can say. Reasoning is for who made it, and an image that is nowhere for nobody.
fn is_for_everybody(table: &Table, piece: &Piece<'_>) -> bool {
    match piece.kind {
        Kind::Reasoning => matches!(table.laws.results, Results::ToolMessages | Results::SamePart),
        Kind::Image => piece.text(Slot::Data).is_some_and(|data| !data.is_empty()),
        Kind::Other => false,
        // What only goes through, beside results: it would part them from their calls.
        _ if piece.role == Role::System => !TABLES
            .iter()
            .any(|other| piece.rest.get(other.name).is_some_and(|beside| beside.clone().opened().get("is").is_some())),
        _ => true,
    }
}

/// Whether the format refuses a result without content.
fn needs_content(table: &Table, result: &Piece<'_>) -> bool {
    rule_of(table, result).is_some_and(|(_, rule)| rule.needs.contains(&Slot::Body))
}

/// Makes a text of an image where there can be none.
fn tell_image(rules: &[Part], role: Role, piece: &mut Piece<'_>) {
    let shows = |rule: &Part| rule.kind == Kind::Image && (rule.only.is_empty() || rule.only.contains(&role));
    if piece.kind == Kind::Image && !rules.iter().any(shows) {
        let mut text = text_piece(Tree::text("[image]"));
        (text.role, text.item_rest) = (piece.role, piece.item_rest.take());
        *piece = text;
    }
}

/// Puts back what stood beside a piece.
fn restore<'a>(table: &Table, piece: &mut Piece<'a>, mut beside: Tree<'a>) {
    for part in &mut piece.content {
        let own = part.rest.take(table.name).map(Tree::opened).unwrap_or_else(Tree::empty);
        restore(table, part, own);
    }
    if let Some(whole) = beside.take("is") {
        piece.kind = Kind::Other;
        piece.rest = whole.opened();
        return;
    }
    piece.rest = beside.take("part").map(Tree::opened).unwrap_or_else(Tree::empty);
    let (as_string, as_json) = match piece.kind {
        Kind::Call => (piece.rest.take(AS_STRING).is_some(), piece.rest.take(AS_JSON).is_some()),
        _ => (false, false),
    };
    if as_string || as_json {
        let input = piece.take(Slot::Body).map(Tree::opened).and_then(|mut arguments| arguments.take(INPUT));
        if let Some(input) = input {
            piece.set(Slot::Body, input);
        }
    }
    if piece.id().is_none() {
        piece.take(Slot::Id);
    }
    if piece.kind == Kind::Image && piece.text(Slot::Data).is_some_and(|data| data.is_empty()) {
        piece.take(Slot::Data);
        if piece.text(Slot::MimeType).is_some_and(|kind| kind.is_empty()) {
            piece.take(Slot::MimeType);
        }
    }
}

fn begin_item<'a>(table: &Table, piece: &mut Piece<'a>, mut item: Tree<'a>) {
    let named = item.text_of("role").and_then(|name| table.roles.iter().find(|(known, _)| *known == name));
    match named {
        Some((_, role)) => piece.role = *role,
        None => {
            piece.role = item_role(table, piece);
            if table.flat && matches!(piece.kind, Kind::Text | Kind::Image | Kind::Nothing) {
                let name = table.roles.iter().find(|(_, role)| *role == piece.role).map_or("user", |(name, _)| *name);
                item.set("role", Tree::text(name));
            }
        }
    }
    piece.item_rest = Some(item);
}
