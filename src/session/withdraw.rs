//! Taking back an entry that was appended, as where the store refuses it: the tree is then as if the
//! entry had never been there.

use super::jsonl::{Edit, json_string, line_with, offset_in};
use super::load::{rewrite, saved_at};
use super::{GONE, Index, Node, Session, Stored};
use crate::entry::{EntryId, EntryKind, object};
use crate::error::{Error, ErrorCode};

impl Session {
    /// Takes an entry back that was appended since the session was loaded. The entries below it get its
    /// parent, also in the lines they are stored in, and where it was the leaf its parent is that. The
    /// entries behind it move up by one number; their ids stay, and its own is not given again. A plan
    /// that was made at a leaf behind it is stale. It costs what came behind the entry, not what the session holds.
    ///
    /// ```
    /// use threadfold::session::{Preset, Session};
    /// let now = "2026-01-01T00:00:00.000Z";
    /// let mut session = Session::create(Preset::Safe, "s", "/", now, 1);
    /// let before = session.to_jsonl();
    /// let index = session.append(r#"{"type":"custom","customType":"note"}"#, now)?;
    /// session.withdraw(index)?;
    /// assert_eq!((session.to_jsonl(), session.leaf()), (before, None));
    /// # Ok::<(), threadfold::error::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `invalid-argument` for a number that no entry has, and for an entry that was loaded: what is
    /// stored is not taken back. Nothing has changed then.
    pub fn withdraw(&mut self, index: Index) -> Result<(), Error> {
        let Some(Node { stored: Stored::Appended(_), parent, .. }) = self.node(index) else {
            let message = format!(
                "withdraw: {index} is not allowed; allowed is the number of an entry that was appended since the load"
            );
            return Err(Error::new(ErrorCode::InvalidArgument, message));
        };
        let parent = *parent;
        self.count_rest();
        let leaf = self.leaf;
        let parent_id = parent.and_then(|parent| self.entry(parent)).map(|above| above.id.clone());
        let mut behind = Vec::with_capacity(self.nodes.len());
        for newest in (index + 1..self.nodes.len() as Index).rev() {
            let pruned_since = self.pruned_since_without(newest, index);
            behind.extend(self.pop().map(|node| (node, pruned_since)));
        }
        if let Some(node) = self.pop().filter(|node| node.rewritten) {
            self.diagnostics.retain(|diagnostic| diagnostic.entry_id.as_ref() != Some(&node.entry.id));
        }
        while let Some((mut node, pruned_since)) = behind.pop() {
            let above = match node.parent {
                Some(above) if above == index => {
                    node.hang_below(parent_id.clone());
                    parent
                }
                above => above.map(|above| moved_up(above, index)),
            };
            let placed = self.push(node, above, pruned_since);
            // What it keeps may have begun at the entry that is gone.
            self.diagnostics.extend(self.unknown_first_kept(placed, None));
        }
        self.leaf = if leaf == Some(index) { parent } else { leaf.map(|leaf| moved_up(leaf, index)) };
        Ok(())
    }

    /// Undoes what appending the last entry did.
    fn pop(&mut self) -> Option<Node> {
        self.forget_overlay((self.nodes.len() as Index).checked_sub(1)?);
        let node = self.nodes.pop()?;
        if let Some(number) = self.by_id.get_mut(&node.entry.id) {
            *number = GONE;
        }
        if let EntryKind::Label { target_id, .. } = &node.entry.kind
            && let Some(newest) = self.labels.get_mut(&**target_id)
        {
            *newest = node.previous_label.unwrap_or(GONE);
        }
        if let Some(above) = node.parent.and_then(|parent| self.nodes.get_mut(parent as usize)) {
            above.last_child = node.previous_sibling;
        }
        Some(node)
    }

    /// What results in the view of a turn lost since it was counted, without what `gone` did. What a
    /// compaction covered that is gone is not looked for: the context is taken for larger then, not
    /// for smaller.
    fn pruned_since_without(&self, turn: Index, gone: Index) -> u64 {
        let Some(Node { pruned_since, parent, .. }) = self.node(turn) else { return 0 };
        let counted =
            saved_at(self, gone).filter(|&(pruned_at, _)| self.time_of(turn).is_some_and(|time| pruned_at > time));
        match counted {
            Some((_, saved)) if *pruned_since > 0 && self.is_in_view(gone, *parent) => {
                pruned_since.saturating_sub(saved)
            }
            _ => *pruned_since,
        }
    }
}

impl Node {
    /// Gives the entry another parent, also in its line.
    fn hang_below(&mut self, parent_id: Option<EntryId>) {
        if let Stored::Appended(line) = &self.stored
            && let Some(line) = with_parent(line, self.rewritten, parent_id.as_deref())
        {
            self.stored = Stored::Appended(line.into());
        }
        self.entry.parent_id = parent_id;
    }
}

/// The line of an entry below another parent. `rewritten` says that it is read in another form, of the
/// same length.
fn with_parent(line: &str, rewritten: bool, parent_id: Option<&str>) -> Option<String> {
    let lenient = if rewritten { rewrite(line) } else { None };
    let record = lenient.as_ref().map_or(line, |lenient| &lenient.text);
    let old = object::raw_field(record, "parentId")?;
    let start = offset_in(record, old)?;
    let text = parent_id.map_or_else(|| "null".to_owned(), json_string);
    let edit = Edit { start, end: start + old.len(), text };
    String::from_utf8(line_with(line.as_bytes(), 0, line.len(), &[edit]).into_owned()).ok()
}

/// The number of an entry once another one is gone.
fn moved_up(index: Index, gone: Index) -> Index {
    if index > gone { index - 1 } else { index }
}

#[cfg(test)]
mod tests;
