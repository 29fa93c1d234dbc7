//! Writing a session back as JSONL.

use super::jsonl::lossy_text;
use super::{Index, Node, Session, Stored};
use crate::entry::EntryKind;
use std::borrow::Cow;

impl Session {
    /// The session as JSONL. Bytes that were loaded come back as they were, also the unreadable
    /// ones; a migration changes what it must, and new entries follow, one a line.
    pub fn to_jsonl(&self) -> Vec<u8> {
        self.write(&mut Vec::new())
    }

    /// Where each entry ends in [`Session::to_jsonl`], in bytes; the end of its line comes behind that.
    pub fn entry_ends(&self) -> Vec<u32> {
        let mut ends = Vec::with_capacity(self.nodes.len());
        self.write(&mut ends);
        ends
    }

    fn write(&self, ends: &mut Vec<u32>) -> Vec<u8> {
        let header = self.header.as_ref().map(|header| &header.stored);
        let mut loaded: Vec<(usize, usize, &Stored)> =
            self.nodes.iter().filter_map(|node| place(&node.stored)).collect();
        // Entries are in the order of the file; a header may stand among them.
        let header_at = header.and_then(place).map(|place| {
            let at = loaded.partition_point(|&(start, ..)| start < place.0);
            loaded.insert(at, place);
            at
        });
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
            ends.push(out.len() as u32);
        }
        if let Some(at) = header_at {
            ends.remove(at);
        }
        out.extend_from_slice(self.bytes.get(position..).unwrap_or_default());
        for node in &self.nodes {
            if Self::write_appended(node, &mut out) {
                ends.push(out.len() as u32 - 1);
            }
        }
        out
    }

    /// The lines of entries that were appended, of those from `start` up to `end`, `end` excluded: the
    /// same bytes that [`Session::to_jsonl`] has of them, a line end in front of the first where what
    /// was loaded ends without one.
    pub fn appended_lines(&self, start: Index, end: Index) -> Vec<u8> {
        let mut out = Vec::new();
        let before = start.checked_sub(1).and_then(|before| self.node(before));
        if before.is_none_or(|node| matches!(node.stored, Stored::Loaded { .. })) {
            out.extend(self.bytes.last().filter(|&&byte| byte != b'\n').map(|_| b'\n'));
        }
        for node in (start..end).map_while(|index| self.node(index)) {
            Self::write_appended(node, &mut out);
        }
        out
    }

    /// Writes the line of an entry that was appended; says whether it was.
    fn write_appended(node: &Node, out: &mut Vec<u8>) -> bool {
        let Stored::Appended(line) = &node.stored else { return false };
        // A torn last line must not swallow the new one.
        if out.last().is_some_and(|&byte| byte != b'\n') {
            out.push(b'\n');
        }
        out.extend_from_slice(line.as_bytes());
        out.push(b'\n');
        true
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

#[cfg(test)]
mod tests {
    use crate::session::testing::{add, session};
    use crate::session::{Index, Preset, Session};

    /// Sessions whose file is loaded as it is, without its last line end, and with the header in the middle.
    fn sessions() -> Vec<Session> {
        let told = session(&["U", "A:a", "R:a"]);
        let bytes = told.to_jsonl();
        let header = bytes.split_inclusive(|&byte| byte == b'\n').next().unwrap();
        let torn = bytes.get(..bytes.len() - 1).unwrap();
        let behind = [bytes.get(header.len()..).unwrap(), header, b"not JSON"].concat();
        let load = |bytes: &[u8]| Session::from_jsonl(bytes.to_vec(), Preset::Safe, 7).unwrap();
        let mut sessions = vec![load(&bytes), load(torn), load(&behind), told, session(&[])];
        for session in &mut sessions {
            for word in ["U@9", "S", "U"] {
                add(session, word);
            }
        }
        sessions
    }

    #[test]
    fn appended_lines_are_what_the_file_ends_with() {
        for session in sessions() {
            let file = session.to_jsonl();
            let length = session.len() as Index;
            let first = length - 3;
            // In one piece, and one by one.
            let pieces: Vec<Vec<u8>> = (first..length).map(|index| session.appended_lines(index, index + 1)).collect();
            let lines = session.appended_lines(first, length);
            assert_eq!(pieces.concat(), lines);
            let before = file.strip_suffix(&*lines).expect("the file ends with them");
            assert!(!lines.starts_with(b"\n") || before.last() != Some(&b'\n'), "there is no empty line");
            assert_eq!(session.appended_lines(length, length + 5), b"");
            // What is before is what was there before they were appended.
            let mut again = session;
            for index in (first..length).rev() {
                again.withdraw(index).unwrap();
            }
            assert_eq!(again.to_jsonl(), before);
        }
    }

    #[test]
    fn each_entry_ends_where_its_line_does() {
        for session in sessions() {
            let file = session.to_jsonl();
            let ends = session.entry_ends();
            assert_eq!(ends.len(), session.len());
            for (index, &end) in ends.iter().enumerate() {
                let before = String::from_utf8(file.get(..end as usize).unwrap().to_vec()).unwrap();
                let line = String::from_utf8(session.entry_line(index as Index).unwrap().into_owned()).unwrap();
                assert!(before.ends_with(&line), "{index}: {before} does not end with {line}");
            }
        }
    }
}
