//! Putting results where their format has them.

use super::{Change, Due, Item, Part, Repair, RepairAction};
use crate::format::check::ProblemRule;
use crate::format::core::item_role;
use crate::format::piece::{Kind, Piece, Role, Slot};
use crate::format::read::text_piece;
use crate::format::table::Results;
use crate::format::tree::Tree;
use crate::session::SYNTHETIC_RESULT_TEXT;

impl<'a> Repair<'a> {
    /// Puts the parts into items, and each result that is due where its format has it.
    pub(super) fn place(&mut self, parts: Vec<Part<'a>>, due: Vec<(usize, Due<'a>)>) {
        let mut due = due.into_iter().peekable();
        let mut open: Vec<Due<'a>> = Vec::new();
        let mut parts = parts.into_iter().peekable();
        while let Some(first) = parts.next() {
            let from = first.piece.item;
            let mut item = Item { from: Some(from), parts: vec![first], id: None };
            while let Some(part) = parts.next_if(|part| part.piece.item == from) {
                item.parts.push(part);
            }
            self.settle(&mut open, &mut item);
            while let Some((_, next)) = due.next_if(|(_, due)| due.call.item == from) {
                open.push(next);
            }
            if self.table.laws.results == Results::SamePart {
                for due in open.drain(..) {
                    self.answer_in_part(&mut item, due);
                }
            }
            self.items.push(item);
        }
        self.add_items(&mut open);
    }

    /// Gives the results that are due before an item comes, or to it.
    fn settle(&mut self, open: &mut Vec<Due<'a>>, item: &mut Item<'a>) {
        let Some(piece) = item.parts.first().map(|part| &part.piece) else { return };
        if open.is_empty() {
            return;
        }
        let holds_results = item.parts.iter().any(|part| part.piece.kind == Kind::Result);
        let takes = match self.table.laws.results {
            Results::NextTurn => piece.role == Role::User,
            Results::NextContent => holds_results,
            Results::ToolMessages => piece.role == Role::Tool,
            Results::RightBehind | Results::Anywhere | Results::SamePart => false,
        };
        if takes {
            let behind =
                item.parts.iter().rposition(|part| part.piece.kind == Kind::Result).map_or(0, |place| place + 1);
            let rest = item.parts.first_mut().and_then(|part| part.piece.item_rest.take());
            for (number, due) in std::mem::take(open).into_iter().enumerate() {
                let part = self.answer(due);
                item.parts.insert(behind + number, part);
            }
            if let Some(first) = item.parts.first_mut() {
                first.piece.item_rest = rest;
            }
            return;
        }
        // Results that are there already, and in flat lists the other calls of the turn, come first.
        let goes_on = match self.table.laws.results {
            Results::RightBehind => holds_results,
            // Neighbours of the model's are one turn.
            Results::NextTurn => piece.role == Role::Assistant,
            Results::Anywhere => piece.role == Role::Assistant && !holds_results,
            _ => false,
        };
        if !goes_on {
            self.add_items(open);
        }
    }

    /// Adds what is due as items of its own.
    fn add_items(&mut self, open: &mut Vec<Due<'a>>) {
        let alone = matches!(self.table.laws.results, Results::RightBehind | Results::Anywhere);
        let mut together: Vec<Part<'a>> = Vec::new();
        for due in std::mem::take(open) {
            let from = due.result.as_ref().filter(|part| self.is_whole(&part.piece)).map(|part| part.piece.item);
            let mut part = self.answer(due);
            if alone {
                part.piece.item_rest.get_or_insert_with(Tree::empty);
                self.items.push(Item { from, parts: vec![part], id: None });
            } else {
                part.piece.item_rest = together.is_empty().then(Tree::empty);
                together.push(part);
            }
        }
        if !together.is_empty() {
            self.items.push(Item { from: None, parts: together, id: None });
        }
    }

    /// The result that a call is given.
    fn answer(&mut self, due: Due<'a>) -> Part<'a> {
        if let Some(mut part) = due.result {
            part.piece.role = item_role(self.table, &part.piece);
            if !self.is_whole(&part.piece) {
                part.piece.item_rest = None;
            }
            return part;
        }
        self.note(RepairAction::Added, ProblemRule::CallWithoutResult, &due.call);
        let mut result = Piece::new(Role::Tool, Kind::Result);
        result.role = item_role(self.table, &result);
        for slot in [Slot::Id, Slot::Name] {
            if let Some(value) = due.call.get(slot) {
                result.set(slot, value.clone());
            }
        }
        if self.table.flat
            && let Some(kind) = due.call.rest.text_of("type")
        {
            result.rest.set("type", Tree::text(format!("{kind}_output")));
        }
        result.set(Slot::IsError, Tree::Raw("true".into()));
        result.content.push(text_piece(Tree::text(SYNTHETIC_RESULT_TEXT)));
        Part { piece: result, place: None, change: Change::Content }
    }

    /// Where call and result are one part, the part says that there is none.
    fn answer_in_part(&mut self, item: &mut Item<'a>, due: Due<'a>) {
        let number = due.call.part;
        let is_call = |part: &Part<'a>| part.piece.kind == Kind::Call && part.piece.part == number;
        let Some(place) = item.parts.iter().position(is_call) else { return };
        let mut result = self.answer(due);
        result.piece.part = number;
        if let Some(call) = item.parts.get_mut(place) {
            call.change = Change::Content;
            (result.piece.item, result.piece.list) = (call.piece.item, call.piece.list);
        }
        item.parts.insert(place + 1, result);
    }
}
