//! What answers what in an array: one opinion for the validator, the repair and the cut.

use super::piece::{Kind, Piece, Role, Slot};
use super::table::{Results, Table};
use crate::numbers::Numbers;
use crate::session::{Answer, Call, pair};

/// Which kind answers which, by the id that both name.
const ANSWERS: [(Kind, Kind); 3] =
    [(Kind::Result, Kind::Call), (Kind::Response, Kind::Request), (Kind::ServerResult, Kind::ServerCall)];

/// The pairs of an array. Places are places in its row of pieces.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    /// For each piece: what it answers.
    pub(super) answers: Vec<Option<usize>>,
    /// For each piece: what answers it.
    pub(super) answered_by: Vec<Option<usize>>,
    /// For each piece that answers: whether something before it answers the same.
    pub(super) repeated: Vec<bool>,
}

impl Pairs {
    /// Pairs the pieces of an array, by the rule that sessions have.
    pub(super) fn of(table: &Table, pieces: &[Piece<'_>]) -> Self {
        let mut pairs = Self {
            answers: vec![None; pieces.len()],
            answered_by: vec![None; pieces.len()],
            repeated: vec![false; pieces.len()],
        };
        for (answer, question) in ANSWERS {
            pairs.pair(table, pieces, answer, question);
        }
        pairs
    }

    fn pair(&mut self, table: &Table, pieces: &[Piece<'_>], kind: Kind, question: Kind) {
        let mut ids = Numbers::new();
        let mut calls: Vec<Call> = Vec::new();
        let mut answers: Vec<Answer> = Vec::new();
        for (position, piece) in
            pieces.iter().enumerate().filter(|(_, piece)| piece.kind == question || piece.kind == kind)
        {
            let Some(mut id) = piece.id() else { continue };
            if table.laws.results == Results::NextContent {
                // Where ids are few, the tool has to be the same too.
                id.to_mut().push_str(&piece.text(Slot::Name).unwrap_or_default());
            }
            let next = ids.len() as u32;
            let id = *ids.entry((&*id).into()).or_insert(next) as usize;
            if piece.kind == question {
                calls.push(Call { position, number: 0, id, failed: piece.failed, answered: false });
            } else {
                answers.push(Answer { position, id, before: calls.len() });
            }
        }
        let paired = pair(&mut calls, &answers);
        for (answer, pair) in answers.iter().zip(paired) {
            let Some((question, repeated)) =
                pair.and_then(|(call, repeated)| Some((calls.get(call)?.position, repeated)))
            else {
                continue;
            };
            // Only results are put where they belong. What the provider answers itself, it answers in the same message.
            let item = |place: usize| pieces.get(place).map(|piece| piece.item);
            let comes_before = kind != Kind::Result && question > answer.position;
            if comes_before || kind == Kind::ServerResult && item(question) != item(answer.position) {
                continue;
            }
            if let Some(answers) = self.answers.get_mut(answer.position) {
                *answers = Some(question);
            }
            if let Some(place) = self.repeated.get_mut(answer.position) {
                *place = repeated;
            }
            if let Some(answered_by) = self.answered_by.get_mut(question).filter(|_| !repeated) {
                *answered_by = Some(answer.position);
            }
        }
    }

    /// Whether each piece that answers stands where its format has it.
    pub(super) fn in_place(&self, table: &Table, pieces: &[Piece<'_>]) -> Vec<bool> {
        let mut in_place = vec![true; pieces.len()];
        // The items of the model's newest turn, its first and its last.
        let mut turn: Option<(usize, usize)> = None;
        // Whether the answers to that turn may go on here.
        let mut open = false;
        // Whether the turn itself may go on.
        let mut speaks = false;
        let joins = table.laws.results == Results::NextTurn;
        for (place, piece) in pieces.iter().enumerate() {
            if piece.role == Role::Assistant && piece.kind != Kind::Result {
                let first = turn.filter(|(_, last)| speaks && (joins || *last == piece.item)).map(|(first, _)| first);
                (turn, open, speaks) = (Some((first.unwrap_or(piece.item), piece.item)), true, true);
                continue;
            }
            speaks = false;
            // A response to a request for approval stands where the results of its turn stand.
            let responds = piece.kind == Kind::Response && table.laws.results == Results::ToolMessages;
            if piece.kind != Kind::Result && !responds {
                // Whoever speaks before the results ends their stretch; what stands beside them in a message of
                // a tool does not.
                open &= matches!(table.laws.results, Results::NextContent | Results::Anywhere | Results::SamePart)
                    || piece.role == Role::Tool;
                continue;
            }
            let Some(call) = self.answers.get(place).copied().flatten().and_then(|call| pieces.get(call)) else {
                continue;
            };
            let right_role = !has_wrong_role(table, piece);
            let right_place = match table.laws.results {
                Results::SamePart => piece.part == call.part && piece.item == call.item,
                Results::Anywhere => self.answers.get(place).copied().flatten().is_some_and(|call| call < place),
                Results::NextContent => piece.item == call.item + 1,
                Results::RightBehind | Results::NextTurn | Results::ToolMessages => {
                    open && turn.is_some_and(|(first, last)| (first..=last).contains(&call.item) && piece.item > last)
                }
            };
            if let Some(in_place) = in_place.get_mut(place) {
                *in_place = right_role && right_place;
            }
        }
        in_place
    }
}

/// Whether a result stands in a message of somebody who gives none.
fn has_wrong_role(table: &Table, piece: &Piece<'_>) -> bool {
    let has_tools = table.roles.iter().any(|(_, role)| *role == Role::Tool);
    match table.laws.results {
        Results::SamePart | Results::Anywhere => false,
        _ => piece.role != if has_tools { Role::Tool } else { Role::User },
    }
}
