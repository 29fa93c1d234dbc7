//! Writing a session back as JSONL.

use super::jsonl::lossy_text;
use super::{Index, Session, Stored};
use crate::entry::EntryKind;
use std::borrow::Cow;

impl Session {
    /// The session as JSONL. Bytes that were loaded come back as they were, also the unreadable
    /// ones; a migration changes what it must, and new entries follow, one a line.
    pub fn to_jsonl(&self) -> Vec<u8> {
        let header = self.header.as_ref().map(|header| &header.stored);
        let mut loaded: Vec<(usize, usize, &Stored)> =
            self.nodes.iter().filter_map(|node| place(&node.stored)).collect();
        // Entries are in the order of the file; a header may stand among them.
        if let Some(place) = header.and_then(place) {
            loaded.insert(loaded.partition_point(|&(start, ..)| start < place.0), place);
        }
        let mut out = Vec::with_capacity(self.bytes.len() + 256 * self.nodes.len());
        if let Some(stored @ Stored::Appended(_)) = header {
            out.extend_from_slice(&stored.line(&self.bytes));
            out.push(b'\n');
        }
        let mut position = 0;
        for (start, end, stored) in loaded {
            out.extend_from_slice(self.bytes.get(position..start).unwrap_or_default());
            out.extend_from_slice(&stored.line(&self.bytes));
            position = end;
        }
        out.extend_from_slice(self.bytes.get(position..).unwrap_or_default());
        for node in &self.nodes {
            if let Stored::Appended(line) = &node.stored {
                // A torn last line must not swallow the new one.
                if out.last().is_some_and(|&byte| byte != b'\n') {
                    out.push(b'\n');
                }
                out.extend_from_slice(line.as_bytes());
                out.push(b'\n');
            }
        }
        out
    }

    /// The line of an entry, as it is written.
    pub fn entry_line(&self, index: Index) -> Option<Cow<'_, [u8]>> {
        self.node(index).map(|node| node.stored.line(&self.bytes))
    }

    /// The JSON of an entry as it is handed out: half a surrogate pair, which no valid Unicode can
    /// hold, is U+FFFD. `None` for bytes of which only the ids could be read.
    pub fn entry_json(&self, index: Index) -> Option<String> {
        self.json_of(index, &self.node(index)?.stored)
    }

    /// The same from a form of its record.
    pub(super) fn json_of(&self, index: Index, stored: &Stored) -> Option<String> {
        let node = self.node(index)?;
        if node.entry.kind == EntryKind::Unreadable {
            return None;
        }
        let line = stored.line(&self.bytes);
        let text = lossy_text(&line);
        Some(if node.rewritten { handed_out(text) } else { text.into_owned() })
    }

    /// The JSON of the header, where there is one; as it is handed out, see [`Session::entry_json`].
    pub fn header_json(&self) -> Option<String> {
        let line = self.header.as_ref()?.stored.line(&self.bytes);
        Some(handed_out(lossy_text(&line)))
    }
}

/// A line in a form that every reader of JSON takes.
fn handed_out(line: Cow<'_, str>) -> String {
    super::load::rewrite(&line).map_or_else(|| line.into_owned(), |lenient| lenient.text)
}

fn place(stored: &Stored) -> Option<(usize, usize, &Stored)> {
    match stored {
        Stored::Loaded { start, end, .. } => Some((*start, *end, stored)),
        Stored::Appended(_) => None,
    }
}
