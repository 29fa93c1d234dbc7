//! From the entries of a file to a tree.

use super::super::migrate::Draft;
use super::super::{Diagnostic, DiagnosticKind, Index, Node, Session, Stored};
use super::pruned::PrunedResults;
use crate::entry::{Entry, EntryKind};
use crate::error::Quoted;

/// Makes the tree: ids to numbers, parents before children, no cycle.
pub(super) fn build(session: &mut Session, drafts: Vec<Draft>, diagnostics: &mut Vec<Diagnostic>) {
    let lines: Vec<u32> = drafts.iter().map(|draft| draft.line).collect();
    for draft in drafts {
        let index = session.nodes.len() as Index;
        let id = draft.id.unwrap_or_default();
        if draft.kind != EntryKind::Unreadable {
            session.leaf = Some(index);
        }
        let entry = Entry { id, parent_id: draft.parent_id, timestamp: draft.timestamp, kind: draft.kind };
        let (start, end) = draft.place;
        let mut node = Node::new(entry, Stored::Loaded { start, end, edits: draft.edits });
        node.rewritten = draft.rewritten;
        node.id_is_stored = draft.id_is_stored;
        session.nodes.push(node);
        session.note_label(index);
    }
    let line_of = |index: Index| lines.get(index as usize).copied();
    let mut parents: Vec<Option<Index>> = Vec::with_capacity(session.nodes.len());
    for (index, node) in session.nodes.iter().enumerate() {
        let parent = node.entry.parent_id.as_deref().and_then(|id| session.by_id.get(id).copied());
        if let (None, Some(missing)) = (parent, &node.entry.parent_id) {
            diagnostics.push(Diagnostic {
                line: line_of(index as Index),
                kind: DiagnosticKind::MissingParent,
                entry_id: Some(node.entry.id.clone()),
                message: format!("the parent {} does not exist; the entry is a root of its own", Quoted(missing)),
            });
        }
        parents.push(parent);
    }
    let mut linked = vec![false; parents.len()];
    // Which walk passed an entry last: one that meets itself has found a cycle.
    let mut passed = vec![Index::MAX; parents.len()];
    let mut walk = Vec::new();
    let mut pruned = PrunedResults::of(session);
    for start in 0..parents.len() as Index {
        loop {
            walk.clear();
            let mut next = Some(start);
            let mut cycle = None;
            while let Some(index) = next.filter(|&index| !is_set(&linked, index)) {
                if passed.get(index as usize) == Some(&start) {
                    cycle = walk.iter().position(|&passed| passed == index);
                    break;
                }
                if let Some(slot) = passed.get_mut(index as usize) {
                    *slot = start;
                }
                walk.push(index);
                next = parents.get(index as usize).copied().flatten();
            }
            let Some(cycle) = cycle else { break };
            let Some(&earliest) = walk.get(cycle..).and_then(|cycle| cycle.iter().min()) else { break };
            if let Some(parent) = parents.get_mut(earliest as usize) {
                *parent = None;
            }
            diagnostics.push(Diagnostic {
                line: line_of(earliest),
                kind: DiagnosticKind::ParentCycle,
                entry_id: session.entry(earliest).map(|entry| entry.id.clone()),
                message: "its parents lead back to it; the earliest entry of the cycle is a root".to_owned(),
            });
            for &index in &walk {
                if let Some(slot) = passed.get_mut(index as usize) {
                    *slot = Index::MAX;
                }
            }
        }
        for &index in walk.iter().rev() {
            let parent = parents.get(index as usize).copied().flatten();
            let pruned_since = pruned.saved_since(session, index, parent);
            session.link(index, parent, pruned_since);
            pruned.note(session, index);
            if let Some(slot) = linked.get_mut(index as usize) {
                *slot = true;
            }
            diagnostics.extend(session.unknown_first_kept(index, line_of(index)));
        }
    }
    // Children stand in the order of the file, in whatever order they were linked.
    for index in 0..session.nodes.len() as Index {
        session.note_child(index);
    }
}

fn is_set(flags: &[bool], index: Index) -> bool {
    flags.get(index as usize).copied().unwrap_or(false)
}

impl Session {
    /// What is to be reported of a compaction that names a first kept entry which is not above it.
    pub(in crate::session) fn unknown_first_kept(&self, index: Index, line: Option<u32>) -> Option<Diagnostic> {
        let node = self.node(index)?;
        let compaction = node.entry.compaction()?;
        let first_kept = &compaction.first_kept_entry_id;
        if crate::entry::keeps_nothing(first_kept, &node.entry.id)
            || self.first_kept_on_path(first_kept, node.parent).is_some()
        {
            return None;
        }
        Some(Diagnostic {
            line,
            kind: DiagnosticKind::UnknownFirstKept,
            entry_id: Some(node.entry.id.clone()),
            message: if first_kept.is_empty() {
                "no first kept entry is named".to_owned()
            } else {
                format!("the first kept entry {} is not on the path", Quoted(first_kept))
            } + "; every entry that no earlier compaction covers stays in the view",
        })
    }
}
