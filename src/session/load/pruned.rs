//! What was pruned between a turn and the load: a usage counted the outputs as they were then.
//!
//! A result that was pruned says when, and its notice how much was there. Where a time is missing,
//! or the content is no notice, nothing is known to have been saved since, and the context is taken
//! for larger rather than for smaller than it is.

use super::super::notice::noticed_tokens;
use super::super::{Index, Session};

/// How many groups of results that were pruned at one time are looked at above a turn. Each prune
/// makes one, but for tools that were protected at times; what lies further up counts as pruned
/// before the turn.
const GROUP_SEARCH: usize = 64;

/// The pruned results on the path to each entry. Empty where the session has none.
#[derive(Debug, Default)]
pub(in crate::session) struct PrunedResults(Vec<Above>);

/// What is known of the path down to an entry, that entry included.
#[derive(Debug, Clone, Copy, Default)]
struct Above {
    /// What its pruned results saved, in tokens.
    saved: u64,
    /// When the nearest of them was pruned.
    pruned_at: i64,
    /// The nearest one, and the nearest that was pruned at another time.
    newest: Option<Index>,
    other_time: Option<Index>,
}

impl PrunedResults {
    pub(in crate::session) fn of(session: &Session) -> Self {
        let any = session.nodes.iter().any(|node| node.entry.tool_result().is_some_and(|result| result.pruned));
        Self(if any { vec![Above::default(); session.nodes.len()] } else { Vec::new() })
    }

    fn at(&self, index: Option<Index>) -> Above {
        index.and_then(|index| self.0.get(index as usize)).copied().unwrap_or_default()
    }

    /// Notes an entry that was linked.
    pub(in crate::session) fn note(&mut self, session: &Session, index: Index) {
        if self.0.is_empty() {
            return;
        }
        let mut above = self.at(session.parent(index));
        if let Some((pruned_at, saved)) = saved_at(session, index) {
            if above.pruned_at != pruned_at {
                above.other_time = above.newest;
            }
            above = Above {
                saved: above.saved.saturating_add(saved),
                pruned_at,
                newest: Some(index),
                other_time: above.other_time,
            };
        }
        if let Some(slot) = self.0.get_mut(index as usize) {
            *slot = above;
        }
    }

    /// What the results in the view of a turn below `parent` lost since the turn was counted.
    pub(in crate::session) fn saved_since(&self, session: &Session, turn: Index, parent: Option<Index>) -> u64 {
        let mut group = self.at(parent);
        let counted = session.entry(turn).and_then(|entry| entry.assistant()?.valid_usage());
        if group.newest.is_none() || counted.is_none() {
            return 0;
        }
        let Some(turn_time) = session.time_of(turn) else { return 0 };
        let compaction = parent.and_then(|parent| session.node(parent)).and_then(|node| node.path.compaction);
        let covered = self.at(session.view_start(compaction).and_then(|start| session.parent(start))).saved;
        let mut since: u64 = 0;
        for _ in 0..GROUP_SEARCH {
            if group.saved <= covered {
                break;
            }
            let before = self.at(group.other_time);
            if group.pruned_at > turn_time {
                since = since.saturating_add(group.saved.saturating_sub(before.saved.max(covered)));
            }
            group = before;
        }
        since
    }
}

/// When a result was pruned and what that saved, in tokens, where both are known.
pub(in crate::session) fn saved_at(session: &Session, index: Index) -> Option<(i64, u64)> {
    let node = session.node(index)?;
    let result = node.entry.tool_result().filter(|result| result.pruned && node.seen)?;
    Some((result.pruned_at?, noticed_tokens(&result.content)?.saturating_sub(node.tokens.tokens)))
}
