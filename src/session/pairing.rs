//! Which tool result answers which call: one opinion for the view, its repairs and the cut.

use super::{Index, Session};
use crate::entry::ToolResult;
use std::collections::BTreeMap;

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

struct Call {
    position: usize,
    number: usize,
    failed: bool,
    answered: bool,
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
        let mut calls: BTreeMap<&str, Vec<Call>> = BTreeMap::new();
        let mut results: Vec<(usize, &ToolResult)> = Vec::new();
        for (position, node) in
            row.iter().enumerate().filter_map(|(position, &index)| Some((position, session.node(index)?)))
        {
            if let Some(message) = node.entry.assistant() {
                let failed = message.is_failed();
                for (number, call) in message.tool_calls().enumerate() {
                    let call_of = Call { position, number, failed, answered: false };
                    calls.entry(&*call.id).or_default().push(call_of);
                }
            } else if let Some(result) = node.entry.tool_result() {
                results.push((position, result));
            }
        }
        for (position, result) in results {
            let Some(calls) = calls.get_mut(&*result.tool_call_id) else { continue };
            let before = calls.partition_point(|call| call.position < position);
            let Some(call) = best(calls, before) else { continue };
            if let Some(owner) = pairing.owner.get_mut(position) {
                *owner = Some(call.position);
            }
            if let Some(repeated) = pairing.repeated.get_mut(position) {
                *repeated = call.answered;
            }
            call.answered = true;
        }
        pairing.unanswered = calls
            .into_values()
            .flatten()
            .filter(|call| !call.answered)
            .map(|call| (call.position, call.number))
            .collect();
        pairing.unanswered.sort_unstable();
        pairing
    }
}

/// How many calls of one id are looked at: some providers number the calls of each turn anew, and
/// then thousands share an id, of which only the nearest matter.
const REACH: usize = 16;

/// The call that a result takes: the nearest before it that still waits, good turns first; then the
/// nearest before it, which then has two; then the first behind it.
fn best(calls: &mut [Call], before: usize) -> Option<&mut Call> {
    let near = before.saturating_sub(REACH)..(before + REACH).min(calls.len());
    let rank = |number: usize, call: &Call| {
        let behind = number >= before;
        let distance = if behind { number - before } else { before - 1 - number };
        (behind, call.failed, call.answered, distance)
    };
    let (offset, _) = calls
        .get(near.clone())?
        .iter()
        .enumerate()
        .map(|(offset, call)| (offset, rank(near.start + offset, call)))
        .min_by_key(|&(_, rank)| rank)?;
    calls.get_mut(near.start + offset)
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
