//! What a session held before the engine had its turn, and what the engine may have changed of it.

use crate::store::{line_of, lines_of};
use crate::support::{entry, id};
use std::collections::BTreeMap;
use threadfold::entry::EntryKind;
use threadfold::session::{Index, Session};

/// Every entry with its line, and the leaf.
#[derive(Debug, PartialEq)]
pub(crate) struct Ledger {
    lines: Vec<(String, String)>,
    leaf: Option<String>,
}

/// What the engine did to a session in one turn.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Done {
    /// The entries that it appended.
    pub(crate) added: Vec<String>,
    /// The entries that it took back.
    pub(crate) taken_back: Vec<String>,
    /// The results that it rewrote.
    pub(crate) rewritten: Vec<String>,
    /// Whether the leaf is another one.
    pub(crate) moved: bool,
}

impl Ledger {
    pub(crate) fn of(session: &Session) -> Self {
        Self { lines: lines_of(session), leaf: session.leaf().map(|leaf| id(session, leaf).to_owned()) }
    }

    /// The id of the entry of that number.
    pub(crate) fn id_at(&self, index: Index) -> &str {
        &self.lines[index as usize].0
    }

    pub(crate) fn leaf(&self) -> Option<&str> {
        self.leaf.as_deref()
    }

    /// What has changed since. Nothing else may have: entries stay, in order and byte for byte, but for
    /// results that have their notice now, and entries below one that was taken back, which get its
    /// parent.
    pub(crate) fn changed(&self, session: &Session) -> Done {
        let mut done = Done { moved: self.leaf != Self::of(session).leaf, ..Done::default() };
        let now: BTreeMap<&str, Index> = (0..session.len() as Index).map(|index| (id(session, index), index)).collect();
        let mut next = 0;
        for (id, line) in &self.lines {
            let Some(&index) = now.get(id.as_str()) else {
                done.taken_back.push(id.clone());
                continue;
            };
            assert_eq!(index, next, "{id} stands elsewhere");
            next += 1;
            let stored = line_of(session, index).1;
            if stored == *line {
                continue;
            }
            let there = entry(session, index);
            if there.tool_result().is_some_and(|result| result.pruned) {
                done.rewritten.push(id.clone());
                continue;
            }
            let new_parent = there.parent_id.as_deref().map_or("null".to_owned(), |id| format!("\"{id}\""));
            let moved = done.taken_back.iter().any(|gone| {
                let (old, new) = (format!("\"parentId\":\"{gone}\""), format!("\"parentId\":{new_parent}"));
                line.replacen(&old, &new, 1) == stored
            });
            assert!(moved, "{id} was changed: {line}");
        }
        for index in next..session.len() as Index {
            let added = entry(session, index);
            let ours =
                matches!(added.kind, EntryKind::Compaction(_) | EntryKind::BranchSummary(_) | EntryKind::Prune { .. });
            assert!(ours, "the engine appended {added:?}");
            done.added.push(added.id.to_string());
        }
        done
    }
}
