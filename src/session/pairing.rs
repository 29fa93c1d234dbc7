//! Which tool result answers which call: one opinion for the view, its repairs and the cut.

use super::sorted::sorted;
use super::{Index, Session};

/// What became of the tool results in a row of entries. Positions are positions in that row.
#[derive(Debug, Default)]
pub(crate) struct Pairing {
    /// For each position of a result: the assistant message whose call it answers, if any.
    pub(crate) owner: Vec<Option<usize>>,
    /// For each position of a result: whether an earlier one answers the same call.
    pub(crate) repeated: Vec<bool>,
    /// The calls that nothing answers: the position of the message and the number of the call in it.
    pub(crate) unanswered: Vec<(usize, usize)>,
}

/// A call, or another question that something with the same id answers.
pub(crate) struct Call {
    /// Where it stands.
    pub(crate) position: usize,
    /// Its number among the calls there.
    pub(crate) number: usize,
    /// Its id, as a number.
    pub(crate) id: usize,
    /// Whether it is of a failed turn.
    pub(crate) failed: bool,
    /// Whether something answers it.
    pub(crate) answered: bool,
}

/// A result on its way to its call.
pub(crate) struct Answer {
    /// Where it stands.
    pub(crate) position: usize,
    /// The id it names, as a number.
    pub(crate) id: usize,
    /// How many calls stand before it.
    pub(crate) before: usize,
}

/// Gives each answer, in their order, its call: the number among the calls, and whether it was answered before.
pub(crate) fn pair(calls: &mut [Call], answers: &[Answer]) -> Vec<Option<(usize, bool)>> {
    let by_id = sorted(calls.iter().enumerate().map(|(place, call)| (call.id, place)).collect());
    let mut take = |answer: &Answer| {
        let place = best(calls, &by_id, answer)?;
        let call = calls.get_mut(place)?;
        Some((place, std::mem::replace(&mut call.answered, true)))
    };
    answers.iter().map(&mut take).collect()
}

impl Pairing {
    /// Pairs the entries of a row.
    ///
    /// A result answers the nearest call of its id before it; where there is none, as results can
    /// stand in the wrong order, the first one behind it. A call of a failed turn gets a result only
    /// where no call of a good turn takes it.
    pub(crate) fn of(session: &Session, row: &[Index]) -> Self {
        let mut pairing =
            Self { owner: vec![None; row.len()], repeated: vec![false; row.len()], unanswered: Vec::new() };
        let mut calls: Vec<Call> = Vec::with_capacity(row.len());
        let mut answers: Vec<Answer> = Vec::with_capacity(row.len());
        for (position, node) in
            row.iter().enumerate().filter_map(|(position, &index)| Some((position, session.node(index)?)))
        {
            for (number, &id) in node.calls.iter().enumerate() {
                calls.push(Call { position, number, id: id as usize, failed: node.is_failed_turn(), answered: false });
            }
            if let Some(id) = node.answers {
                answers.push(Answer { position, id: id as usize, before: calls.len() });
            }
        }
        let paired = pair(&mut calls, &answers);
        for (answer, (call, repeated)) in answers.iter().zip(paired).filter_map(|(answer, pair)| Some((answer, pair?)))
        {
            if let (Some(owner), Some(call)) = (pairing.owner.get_mut(answer.position), calls.get(call)) {
                *owner = Some(call.position);
            }
            if let Some(place) = pairing.repeated.get_mut(answer.position) {
                *place = repeated;
            }
        }
        let unanswered = calls.iter().filter(|call| !call.answered);
        pairing.unanswered.extend(unanswered.map(|call| (call.position, call.number)));
        pairing
    }
}

/// How many calls of one id are looked at: some providers number the calls of each turn anew, and
/// then thousands share an id, of which only the nearest matter.
const REACH: usize = 16;

/// The call that a result takes: the nearest before it that still waits, good turns first; then the
/// nearest before it, which then has two; then the first behind it.
fn best(calls: &[Call], by_id: &[(usize, usize)], answer: &Answer) -> Option<usize> {
    let behind = by_id.partition_point(|&call| call < (answer.id, answer.before));
    let (before, behind) = by_id.split_at_checked(behind)?;
    let of_id = |&&(id, _): &&(usize, usize)| id == answer.id;
    let rank = |(distance, &(_, place)): (usize, &(usize, usize))| {
        let call = calls.get(place)?;
        Some(((call.failed, call.answered, distance), place))
    };
    let best_of = |nearest_first: &mut dyn Iterator<Item = &(usize, usize)>| {
        nearest_first.take(REACH).take_while(of_id).enumerate().filter_map(rank).min()
    };
    best_of(&mut before.iter().rev()).or_else(|| best_of(&mut behind.iter())).map(|(_, place)| place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::testing::session;

    fn check(story: &[&str], owner: &[Option<usize>], repeated: &[usize], unanswered: &[(usize, usize)]) {
        let session = session(story);
        let pairing = Pairing::of(&session, &session.path(session.leaf()));
        assert_eq!(pairing.owner, owner, "{story:?}");
        let found: Vec<usize> = (0..story.len()).filter(|&at| pairing.repeated.get(at) == Some(&true)).collect();
        assert_eq!((found.as_slice(), pairing.unanswered.as_slice()), (repeated, unanswered), "{story:?}");
    }

    #[test]
    fn each_result_finds_its_call() {
        check(&["U", "A:a,b", "R:b", "R:a"], &[None, None, Some(1), Some(1)], &[], &[]);
        check(&["U", "A:a,b", "R:b", "U", "R:a"], &[None, None, Some(1), None, Some(1)], &[], &[]);
        check(&["U", "R:x", "A:a"], &[None, None, None], &[], &[(2, 0)]);
        check(&["R:a", "A:a"], &[Some(1), None], &[], &[]);
        check(&["A:a", "R:a", "R:a"], &[None, Some(0), Some(0)], &[2], &[]);
    }

    #[test]
    fn ids_may_come_again() {
        check(&["A:a", "R:a", "A:a", "R:a"], &[None, Some(0), None, Some(2)], &[], &[]);
        check(&["A:a", "A:a", "R:a"], &[None, None, Some(1)], &[], &[(0, 0)]);
        check(&["A:a", "A:a", "R:a", "R:a"], &[None, None, Some(1), Some(0)], &[], &[]);
    }

    #[test]
    fn a_good_turn_goes_before_a_failed_one() {
        check(&["A:a", "E:a", "R:a"], &[None, None, Some(0)], &[], &[(1, 0)]);
        check(&["E:a", "R:a"], &[None, Some(0)], &[], &[]);
    }
}
