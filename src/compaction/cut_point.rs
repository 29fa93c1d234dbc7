//! Where the kept part of a session may begin.

use crate::entry::{EntryKind, Message};
use crate::session::{Index, Node, Pairing, Preset, Session};

/// A cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CutPoint {
    /// The first kept entry, as a position in the row.
    pub first_kept: usize,
    /// Where the turn begins that the cut splits, if it splits one.
    pub turn_start: Option<usize>,
    /// Whether the budget was reached at all; otherwise everything fits.
    pub budget_reached: bool,
}

impl CutPoint {
    /// Whether the cut splits a turn.
    pub fn is_split_turn(&self) -> bool {
        self.turn_start.is_some()
    }
}

/// Finds the cut that keeps about `keep_recent_tokens` of the newest entries of `row`, looking only
/// at the positions from `start` to `end`, `end` excluded.
///
/// The walk goes from the newest entry backwards. Where it reaches the budget, the cut is the first
/// cut point at or after that entry; if there is none, since the trailing results are larger than
/// the budget, the nearest one before. A cut never separates a call from a result of it, and the
/// turn of a call that still awaits its result stays in the kept part.
pub fn find_cut_point(session: &Session, row: &[Index], start: usize, end: usize, keep_recent_tokens: u64) -> CutPoint {
    let end = end.min(row.len());
    let start = start.min(end);
    let window = row.get(start..end).unwrap_or_default();
    let leaf = row.last().copied();
    let cut = cut_window(session, window, leaf, &Pairing::of(session, window), keep_recent_tokens);
    CutPoint { first_kept: start + cut.first_kept, turn_start: cut.turn_start.map(|turn| start + turn), ..cut }
}

/// The same for a whole window of the path to `leaf` whose pairing is known; positions are those in
/// the window.
pub(super) fn cut_window(
    session: &Session,
    window: &[Index],
    leaf: Option<Index>,
    pairing: &Pairing,
    keep_recent_tokens: u64,
) -> CutPoint {
    let legal = cut_points(session, window, pairing);
    let node = |position: usize| window.get(position).and_then(|&index| session.node(index));
    let nowhere = CutPoint { first_kept: 0, turn_start: None, budget_reached: false };
    let Some(first) = legal.iter().position(|&legal| legal) else { return nowhere };

    let mut kept: u64 = 0;
    let crossing = (0..window.len()).rev().find(|&position| {
        kept = kept.saturating_add(window.get(position).map_or(0, |&index| walk_tokens(session, index, leaf)));
        kept >= keep_recent_tokens
    });
    let cut = match crossing {
        None => first,
        Some(crossing) => {
            let (before, after) = legal.split_at_checked(crossing).unwrap_or((&legal, &[]));
            match (after.iter().position(|&legal| legal), before.iter().rposition(|&legal| legal)) {
                (Some(after), _) => crossing + after,
                (None, before) => before.unwrap_or(first),
            }
        }
    };
    let starts_turn = node(cut).is_some_and(starts_turn);
    let first_kept = (0..cut).rev().take_while(|&position| node(position).is_some_and(is_metadata)).last();
    let first_kept = first_kept.unwrap_or(cut);
    let turn_start = if starts_turn {
        None
    } else {
        (0..first_kept).rev().find(|&position| node(position).is_some_and(self::starts_turn))
    };
    CutPoint { first_kept, turn_start, budget_reached: crossing.is_some() }
}

/// Which positions of a window may be the first kept one.
fn cut_points(session: &Session, window: &[Index], pairing: &Pairing) -> Vec<bool> {
    // How many pairs of call and result a cut at each position would separate, as differences.
    let mut separated = vec![0_i64; window.len() + 1];
    let mut forbid = |after: usize, up_to: usize| {
        if let Some(begin) = separated.get_mut(after + 1) {
            *begin += 1;
        }
        if let Some(end) = separated.get_mut(up_to + 1) {
            *end -= 1;
        }
    };
    for (result, owner) in pairing.owner.iter().enumerate() {
        if let Some(owner) = *owner {
            forbid(owner.min(result), owner.max(result));
        }
    }
    if let Some(turn_start) = pending_turn_start(session, window, pairing) {
        forbid(turn_start, window.len().saturating_sub(1));
    }
    let mut open = 0;
    window
        .iter()
        .zip(separated)
        .map(|(&index, difference)| {
            open += difference;
            open == 0 && session.node(index).is_some_and(|node| is_cut_point(session, node))
        })
        .collect()
}

/// Where the turn of a call begins that still awaits its result, if there is one.
pub(super) fn pending_turn_start(session: &Session, window: &[Index], pairing: &Pairing) -> Option<usize> {
    let &(pending, _) = session.pending_calls(window, pairing).first()?;
    let starts =
        |&position: &usize| window.get(position).and_then(|&index| session.node(index)).is_some_and(starts_turn);
    Some((0..=pending).rev().find(starts).unwrap_or(0))
}

/// What an entry adds on the walk back. The historical rule looked at message entries alone.
fn walk_tokens(session: &Session, index: Index, leaf: Option<Index>) -> u64 {
    let counts = session.node(index).is_some_and(|node| match session.preset() {
        Preset::Safe => node.is_message(),
        Preset::Classic => matches!(node.entry.kind, EntryKind::Message(_)),
    });
    if counts { session.tokens_at(index, leaf) } else { 0 }
}

fn is_cut_point(session: &Session, node: &Node) -> bool {
    match &node.entry.kind {
        _ if node.joined => false,
        EntryKind::Message(Message::ToolResult(_)) => false,
        EntryKind::Message(Message::Assistant(message)) => session.preset() == Preset::Classic || !message.is_failed(),
        _ => node.is_message(),
    }
}

/// Whether a user's turn begins here.
fn starts_turn(node: &Node) -> bool {
    match &node.entry.kind {
        EntryKind::Message(Message::User { .. } | Message::BashExecution(_)) => true,
        EntryKind::CustomMessage(_) | EntryKind::BranchSummary(_) => node.is_message(),
        _ => false,
    }
}

/// Whether the model does not see the entry, and no compaction stands there.
fn is_metadata(node: &Node) -> bool {
    !node.is_message() && node.entry.compaction().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::testing::{NOW, session, session_with};

    /// First kept position, and the turn start where the turn is split.
    fn check(story: &[&str], keep: u64, first_kept: usize, turn_start: Option<usize>) {
        let session = session(story);
        let row = session.path(session.leaf());
        let cut = find_cut_point(&session, &row, 0, row.len(), keep);
        assert_eq!((cut.first_kept, cut.turn_start), (first_kept, turn_start), "{story:?} keeping {keep}");
    }

    #[test]
    fn the_cut_is_the_first_cut_point_at_or_after_the_budget_line() {
        check(&["U@10", "A@10", "U@10", "A@10"], 20, 2, None);
        check(&["U@10", "A@10", "U@10", "A@10"], 15, 2, None);
        check(&["U@10", "A@10", "U@10", "A@10"], 10, 3, Some(2));
        check(&["U@10", "A@10", "U@10", "A@10"], 25, 1, Some(0));
        check(&["U@10", "A@10"], 100, 0, None);
    }

    #[test]
    fn t01_parallel_results_stay_with_their_calls() {
        let story = ["U@10", "A:a,b@10", "R:a@18000", "R:b@1000", "A@10", "U@10", "A@10"];
        check(&story, 1_000, 4, Some(0));
        check(&story, 10_000, 4, Some(0));
        check(&story, 19_100, 0, None);
        check(&["U", "A:a,b@10", "R:a@10", "U", "R:b@10", "A"], 5, 5, Some(3));
        check(&["U", "A:a,b@10", "R:a@10", "U", "R:b@10", "A"], 15, 5, Some(3));
    }

    #[test]
    fn trailing_results_larger_than_the_budget_are_kept_with_their_call() {
        check(&["U@10", "A@10", "U@10", "A:a,b@10", "R:a@500", "R:b@900"], 300, 3, Some(2));
    }

    #[test]
    fn the_turn_of_a_pending_call_is_kept() {
        check(&["U", "A", "U", "A:x", "R:x@50", "A:y"], 1, 2, None);
        check(&["U", "A", "U", "A:x", "R:x@50", "A:y", "R:y"], 1, 5, Some(2));
        check(&["U", "A:x"], 1, 0, None);
    }

    #[test]
    fn t32_the_start_of_a_turn_is_no_split() {
        for word in ["U@10", "B@10", "C@10", "S@10"] {
            check(&["U@10", "A@10", word], 10, 2, None);
            check(&["U@10", "A@10", word, "A@10"], 10, 3, Some(2));
        }
    }

    #[test]
    fn t33_metadata_before_the_cut_is_kept() {
        check(&["U@10", "A@10", "M", "M", "A@10"], 10, 2, Some(0));
        check(&["U@10", "A@10", "M", "U@10", "A@10"], 20, 2, None);
    }

    #[test]
    fn where_no_turn_starts_before_the_cut_there_is_no_split() {
        check(&["A@10", "A@10", "A@10"], 10, 2, None);
    }

    #[test]
    fn a_failed_turn_is_no_cut_point_and_counts_nothing() {
        check(&["U@10", "A@10", "E@500", "U@10", "A@10"], 20, 3, None);
        check(&["U@10", "A@10", "E@500", "A@10"], 10, 3, Some(0));
    }

    #[test]
    fn what_a_prune_entry_hides_counts_as_its_notice() {
        let mut session = session(&["U@10", "A@10", "U@10", "A:a@10", "R:a@100", "A@10"]);
        let cut = |session: &Session, end: usize| {
            let row = session.path(session.leaf());
            find_cut_point(session, &row, 0, end, 45).first_kept
        };
        assert_eq!(cut(&session, 6), 5);
        session.append_prune(&[4], NOW).unwrap();
        // 10 + 8 + 10 + 10 are below the budget: the line lies in the answer before them. What is hidden
        // at the leaf is so for a window that ends above the prune entry, too.
        assert_eq!((cut(&session, 7), cut(&session, 6)), (1, 1));
    }

    #[test]
    fn classic_counts_message_entries_alone() {
        let session = session_with(Preset::Classic, &["U@10", "A@10", "C@500", "U@10", "A@10"]);
        let row = session.path(session.leaf());
        assert_eq!(find_cut_point(&session, &row, 0, row.len(), 30).first_kept, 1);
    }
}
