//! Prunes that are written into the stored entries: the notice is spliced into the line of a result,
//! and every other byte of it stays.

use super::jsonl::{Edit, Stored, insert_edit, line_with, lossy_text, offset_in, raw_offset};
use super::load::rewrite;
use super::notice::{notice_json, pruned_result};
use super::{Index, Session};
use crate::entry::{EntryKind, Message, object};
use crate::tokens::estimate_message;

/// A result that was rewritten, with its tokens before and after.
pub(crate) struct Rewritten {
    pub(crate) index: Index,
    before: u64,
    after: u64,
}

impl Rewritten {
    /// What its notice saves, in tokens.
    pub(crate) fn saving(&self) -> u64 {
        self.before.saturating_sub(self.after)
    }
}

impl Session {
    /// The time of a prune now, in milliseconds since 1970. A later load tells by the times which turns
    /// were counted with the originals, so the prune is made to come after the newest turn even where
    /// the clock stands still.
    pub(crate) fn prune_time(&self, now: i64) -> i64 {
        let newest = self.leaf.and_then(|leaf| self.node(leaf)?.path.newest_usage);
        newest.and_then(|turn| self.time_of(turn)).map_or(now, |turn| now.max(turn.saturating_add(1)))
    }

    /// The bytes of the line that a result would have with its notice.
    pub fn line_with_notice(&self, index: Index, pruned_at: i64) -> Option<Vec<u8>> {
        let stored = self.with_notice(index, Some(pruned_at))?;
        Some(stored.line(&self.bytes).into_owned())
    }

    /// Writes the notice into the stored lines of some results. Gives those that were rewritten.
    pub(crate) fn rewrite_results(&mut self, results: &[Index], pruned_at: i64) -> Vec<Rewritten> {
        let rule = self.token_rule();
        let mut rewritten = Vec::with_capacity(results.len());
        for &index in results {
            let Some(stored) = self.with_notice(index, Some(pruned_at)) else { continue };
            let Some(node) = self.nodes.get_mut(index as usize) else { continue };
            let EntryKind::Message(message @ Message::ToolResult(_)) = &mut node.entry.kind else { continue };
            let before = node.tokens.tokens;
            if let Message::ToolResult(result) = message {
                *result = pruned_result(result, before, Some(pruned_at));
            }
            node.stored = stored;
            node.tokens = estimate_message(message, rule);
            rewritten.push(Rewritten { index, before, after: node.tokens.tokens });
        }
        if !rewritten.is_empty() {
            self.rewrites += 1;
            self.correct_sums(&rewritten);
        }
        rewritten
    }

    /// Whether the stored line of an entry may be rewritten: not where its id derives from the bytes
    /// of the line, and not where a prune entry promises that the original can be had back.
    pub(crate) fn may_be_rewritten(&self, index: Index) -> bool {
        self.node(index).is_some_and(|node| node.id_is_stored && node.named_by_prunes == 0)
    }

    /// Whether the store is writing the notice of a result.
    pub(crate) fn is_being_pruned(&self, index: Index) -> bool {
        self.node(index).is_some_and(|node| node.being_pruned)
    }

    /// Notes that the store is writing the notices of some results, or has ended doing so.
    pub(crate) fn note_being_pruned(&mut self, results: &[Index], being_pruned: bool) {
        for &index in results {
            if let Some(node) = self.nodes.get_mut(index as usize) {
                node.being_pruned = being_pruned;
            }
        }
    }

    /// How often stored results were pruned, or entries taken back: a plan that was made before is not
    /// of this session any more.
    pub(crate) fn rewrites(&self) -> u32 {
        self.rewrites
    }

    /// The JSON of a result as the prune entry `by` shows it.
    pub fn pruned_json(&self, index: Index, by: Index) -> Option<String> {
        let stored = self.with_notice(index, self.time_of(by))?;
        self.json_of(index, &stored)
    }

    /// The record of a result, its content replaced by the notice.
    fn with_notice(&self, index: Index, pruned_at: Option<i64>) -> Option<Stored> {
        let node = self.node(index)?;
        node.entry.tool_result()?;
        let tokens = node.tokens.tokens;
        let raw = match &node.stored {
            Stored::Appended(line) => line.as_bytes(),
            Stored::Loaded { start, end, .. } => self.bytes.get(*start..*end)?,
        };
        let text = lossy_text(raw);
        // What is read in another form has the same length in it.
        let lenient = if node.rewritten { rewrite(&text) } else { None };
        let record = lenient.as_ref().map_or(&*text, |lenient| &lenient.text);
        let changes = notice_edits(record, tokens, pruned_at)?;
        match &node.stored {
            Stored::Appended(_) => {
                let line = line_with(raw, 0, raw.len(), &changes).into_owned();
                String::from_utf8(line).ok().map(|line| Stored::Appended(line.into()))
            }
            Stored::Loaded { start, end, edits } => {
                let mut edits = edits.clone();
                for Edit { start, end, text } in changes {
                    let edit = Edit { start: raw_offset(raw, start), end: raw_offset(raw, end), text };
                    insert_edit(&mut edits, edit);
                }
                Some(Stored::Loaded { start: *start, end: *end, edits })
            }
        }
    }

    /// Takes what a prune saved from the sums below the results, parents before children: in the file
    /// a parent may come later. Turns that were counted with the originals note how much that was.
    fn correct_sums(&mut self, rewritten: &[Rewritten]) {
        // On the path to each entry; a notice may also be larger, in the classic preset.
        let mut saved = vec![0_u64; self.nodes.len()];
        let mut added = vec![0_u64; self.nodes.len()];
        for result in rewritten {
            put(&mut saved, result.index, result.saving());
            put(&mut added, result.index, result.after.saturating_sub(result.before));
        }
        let mut open: Vec<Index> = Vec::new();
        for index in 0..self.nodes.len() as Index {
            if self.parent(index).is_none() {
                open.push(index);
            }
        }
        while let Some(index) = open.pop() {
            let parent = self.parent(index);
            let covered = self.node(index).and_then(|node| self.parent(self.view_start(node.path.compaction)?));
            let in_view = at(&saved, parent).saturating_sub(at(&saved, covered));
            let saved_here = at(&saved, parent) + at(&saved, Some(index));
            let added_here = at(&added, parent) + at(&added, Some(index));
            put(&mut saved, index, saved_here);
            put(&mut added, index, added_here);
            if let Some(node) = self.nodes.get_mut(index as usize) {
                let sum = &mut node.path.sum.tokens;
                *sum = sum.saturating_add(added_here).saturating_sub(saved_here);
                if node.path.newest_usage == Some(index) {
                    node.pruned_since = node.pruned_since.saturating_add(in_view);
                }
            }
            for child in self.children(index) {
                open.push(child);
            }
        }
    }
}

fn at(sums: &[u64], index: Option<Index>) -> u64 {
    index.and_then(|index| sums.get(index as usize)).copied().unwrap_or(0)
}

fn put(sums: &mut [u64], index: Index, sum: u64) {
    if let Some(slot) = sums.get_mut(index as usize) {
        *slot = sum;
    }
}

/// The changes that put the notice into a record; places are those in its text. Of a duplicate key
/// the last wins, so that is the one that changes.
fn notice_edits(record: &str, tokens: u64, pruned_at: Option<i64>) -> Option<Vec<Edit>> {
    let message = object::raw_field(record, "message")?;
    let content = object::raw_field(message, "content")?;
    let edit = |part: &str, text: String| {
        let start = offset_in(record, part)?;
        Some(Edit { start, end: start + part.len(), text })
    };
    let mut notice = notice_json(tokens);
    // A record that was pruned must say so, also where nobody knows when.
    let pruned_at = pruned_at.unwrap_or(0).to_string();
    let mut edits = Vec::with_capacity(2);
    match object::raw_field(message, "prunedAt") {
        Some(old) => edits.push(edit(old, pruned_at)?),
        None => {
            notice.push_str(r#","prunedAt":"#);
            notice.push_str(&pruned_at);
        }
    }
    insert_edit(&mut edits, edit(content, notice)?);
    Some(edits)
}
