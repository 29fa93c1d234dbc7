//! Prunes that are entries of their own: the originals stay, and a path that holds the entry sees
//! notices in their place.
//!
//! The nearest prune entry of a path says which results are pruned there, all of them: a later one
//! replaces it, one without results undoes it, and a branch from above it never saw it. So the sums
//! of tokens stay those of the originals, and what is saved at a leaf is looked up in one entry.

use super::jsonl::json_string;
use super::notice::{notice, pruned_result};
use super::sorted::sorted;
use super::{Index, Preset, Session};
use crate::entry::{EntryIdText, EntryKind, Message, milliseconds};
use crate::error::Error;
use crate::tokens::estimate_text;
use std::borrow::Cow;

/// The results that a prune entry hides, from above to below.
#[derive(Debug)]
pub(crate) struct Overlay(Vec<Overlaid>);

/// A result that a prune entry hides.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Overlaid {
    /// The entry of the result, and how many entries lie above it.
    pub(crate) index: Index,
    depth: usize,
    /// The prune entry since which it is hidden without a break.
    pub(crate) by: Index,
    /// What its notice saves, in tokens.
    pub(crate) saving: u64,
    /// What this result and those below it save.
    saved_from_here: u64,
}

impl Overlay {
    pub(super) fn results(&self) -> &[Overlaid] {
        &self.0
    }

    /// The results at this depth and below it.
    fn from(&self, depth: usize) -> &[Overlaid] {
        let first = self.0.partition_point(|overlaid| overlaid.depth < depth);
        self.0.get(first..).unwrap_or_default()
    }
}

impl Session {
    /// What the entries that a prune entry below `parent` names come to. An id that is not known or
    /// not on the path, an entry that is no result, and a result that a notice would not make
    /// smaller are passed over.
    fn overlay_of(&self, entry_ids: &[EntryIdText], by: Index, parent: Option<Index>) -> Overlay {
        let mut named = Vec::with_capacity(entry_ids.len());
        for id in entry_ids {
            let Some(index) = self.index_of(id).filter(|&index| self.is_on_path(index, parent)) else { continue };
            named.extend(self.depth(index).map(|depth| (depth, index as usize)));
        }
        let mut saved_from_here: u64 = 0;
        let mut results: Vec<Overlaid> = Vec::with_capacity(named.len());
        for &(depth, index) in sorted(named).iter().rev() {
            let index = index as Index;
            let saving = self.prune_saving(index);
            let again = results.last().is_some_and(|newest| newest.index == index);
            if saving > 0 && !again {
                saved_from_here = saved_from_here.saturating_add(saving);
                let by = self.overlaid(index, parent).map_or(by, |earlier| earlier.by);
                results.push(Overlaid { index, depth, by, saving, saved_from_here });
            }
        }
        results.reverse();
        Overlay(results)
    }

    /// What a prune entry hides, once its path is known; none for another entry.
    pub(super) fn overlay_at(&self, index: Index, parent: Option<Index>) -> Option<Box<Overlay>> {
        match &self.entry(index)?.kind {
            EntryKind::Prune { entry_ids } => Some(Box::new(self.overlay_of(entry_ids, index, parent))),
            _ => None,
        }
    }

    /// Whether no prune entry lies between two entries of a path.
    pub(crate) fn same_prune(&self, above: Option<Index>, below: Option<Index>) -> bool {
        let nearest = |leaf: Option<Index>| self.node(leaf?)?.path.overlay;
        nearest(above) == nearest(below)
    }

    fn depth(&self, index: Index) -> Option<usize> {
        self.node(index).map(|node| node.path.depth as usize)
    }

    fn overlay(&self, leaf: Option<Index>) -> Option<&Overlay> {
        self.node(self.node(leaf?)?.path.overlay?)?.overlay.as_deref()
    }

    /// How an entry is hidden by a prune entry on the path to `leaf`, if it is.
    pub(crate) fn overlaid(&self, index: Index, leaf: Option<Index>) -> Option<&Overlaid> {
        let overlay = self.overlay(leaf)?;
        let depth = self.depth(index)?;
        overlay.from(depth).first().filter(|overlaid| overlaid.index == index)
    }

    /// The results that prune entries hide at `leaf`, from above to below: those of the view, in the
    /// classic preset of the whole path.
    pub(crate) fn overlaid_results(&self, leaf: Option<Index>) -> &[Overlaid] {
        let from = if self.preset() == Preset::Classic { 0 } else { self.view_depth(leaf) };
        self.overlay(leaf).map_or(&[], |overlay| overlay.from(from))
    }

    /// What the prune entries on the path to `leaf` save in its view, in tokens.
    pub(super) fn overlay_saving(&self, leaf: Option<Index>) -> u64 {
        let Some(overlay) = self.overlay(leaf) else { return 0 };
        overlay.from(self.view_depth(leaf)).first().map_or(0, |overlaid| overlaid.saved_from_here)
    }

    /// Whether the view at `leaf` may hold an entry: one of its path that no compaction covers.
    pub(super) fn is_in_view(&self, index: Index, leaf: Option<Index>) -> bool {
        self.is_on_path(index, leaf) && self.depth(index).is_some_and(|depth| depth >= self.view_depth(leaf))
    }

    /// How many entries of the path to `leaf` its view cannot hold, since a compaction covers them.
    fn view_depth(&self, leaf: Option<Index>) -> usize {
        let compaction = leaf.and_then(|leaf| self.node(leaf)).and_then(|node| node.path.compaction);
        self.view_start(compaction).and_then(|start| self.depth(start)).unwrap_or(0)
    }

    /// What a notice would save in the place of an entry's output, in tokens; 0 for what is no
    /// result, was pruned, or is no larger than its notice.
    pub(crate) fn prune_saving(&self, index: Index) -> u64 {
        let Some(node) = self.node(index) else { return 0 };
        match node.entry.tool_result() {
            Some(result) if !result.pruned => {
                let tokens = node.tokens.tokens;
                tokens.saturating_sub(estimate_text(&notice(tokens), self.token_rule()))
            }
            _ => 0,
        }
    }

    /// Whether the output of an entry is seen as its notice at `leaf`.
    pub(crate) fn is_pruned(&self, index: Index, leaf: Option<Index>) -> bool {
        self.overlaid(index, leaf).is_some()
            || self.entry(index).and_then(|entry| entry.tool_result()).is_some_and(|result| result.pruned)
    }

    /// What an entry takes in the view at `leaf`, in tokens.
    pub(crate) fn tokens_at(&self, index: Index, leaf: Option<Index>) -> u64 {
        let tokens = self.node(index).map_or(0, |node| node.tokens.tokens);
        tokens.saturating_sub(self.overlaid(index, leaf).map_or(0, |overlaid| overlaid.saving))
    }

    /// The message of an entry in the view at `leaf`.
    pub(crate) fn message_at(&self, index: Index, leaf: Option<Index>) -> Option<Cow<'_, Message>> {
        match self.overlaid(index, leaf) {
            Some(overlaid) => self.pruned_message(index, overlaid.by).map(Cow::Owned),
            None => self.entry(index)?.message(),
        }
    }

    /// The message of a result with its notice, as the prune entry `by` shows it.
    pub(super) fn pruned_message(&self, index: Index, by: Index) -> Option<Message> {
        let node = self.node(index)?;
        let result = node.entry.tool_result()?;
        Some(Message::ToolResult(pruned_result(result, node.tokens.tokens, self.time_of(by))))
    }

    /// The time of an entry in milliseconds since 1970, where it has one.
    pub(super) fn time_of(&self, index: Index) -> Option<i64> {
        milliseconds(&self.entry(index)?.timestamp)
    }

    /// Appends a prune entry: at and below it these results are seen as their notice, and no others.
    ///
    /// # Errors
    ///
    /// None for results of this session.
    pub(crate) fn append_prune(&mut self, results: &[Index], now: &str) -> Result<Index, Error> {
        let mut json = r#"{"type":"prune","entryIds":["#.to_owned();
        for (number, entry) in results.iter().filter_map(|&index| self.entry(index)).enumerate() {
            json.push_str(if number > 0 { "," } else { "" });
            json.push_str(&json_string(&entry.id));
        }
        json.push_str("]}");
        self.append(&json, now)
    }
}
