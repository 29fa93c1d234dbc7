//! Loading a session from JSONL: what can be read is read, what cannot is reported and kept.

use super::jsonl::{Stored, raw_offset};
use super::migrate::{Draft, Version};
use super::sorted::sorted;
use super::{Diagnostic, DiagnosticKind, Header, Index, Node, Preset, Session};
use crate::entry::{Entry, EntryKind, Read, read_record};
use crate::error::{Error, ErrorCode, Quoted};
use std::borrow::Cow;

mod lenient;
mod lines;
mod torn;

use lenient::Lenient;
pub(super) use lenient::rewrite;
use lines::lines;

/// The largest session that is taken in, in bytes: a wasm memory holds four gibibytes, and a
/// session takes up to three times its file.
pub const MAX_SESSION_BYTES: usize = 512 * 1024 * 1024;

/// How many torn records are looked behind on one line before its rest is given up.
const RESYNC_ATTEMPTS: usize = 16;

impl Session {
    /// Loads a session from the bytes of a JSONL file, of version 1, 2 or 3.
    ///
    /// Damage never ends a load: it is listed in [`Session::diagnostics`], and the bytes survive
    /// [`Session::to_jsonl`]. `seed` is any number; the same seed gives the same new ids.
    ///
    /// ```
    /// use threadfold::session::{Preset, Session};
    /// let file = concat!(
    ///     r#"{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/"}"#, "\n",
    ///     r#"{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"Hello"}}"#, "\n",
    ///     r#"{"type":"message","id":"b","par"#,
    /// );
    /// let session = Session::from_jsonl(file.into(), Preset::Safe, 1)?;
    /// assert_eq!((session.len(), session.id()), (1, Some("s")));
    /// assert_eq!(session.diagnostics()[0].kind.as_str(), "torn-line");
    /// assert_eq!(session.to_jsonl(), file.as_bytes());
    /// # Ok::<(), threadfold::error::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `not-a-session` when no line holds a header or an entry of a known type, `too-large` above
    /// [`MAX_SESSION_BYTES`].
    pub fn from_jsonl(bytes: Vec<u8>, preset: Preset, seed: u64) -> Result<Self, Error> {
        if bytes.len() > MAX_SESSION_BYTES {
            return Err(Error::new(
                ErrorCode::TooLarge,
                format!("the session has {} bytes; allowed are {MAX_SESSION_BYTES}", bytes.len()),
            ));
        }
        let mut loader = Loader::default();
        for line in lines(&bytes) {
            loader.line(&bytes, line);
        }
        let mut session = Session::empty(preset, Vec::new(), seed);
        loader.finish(&mut session, &bytes)?;
        session.bytes = bytes;
        Ok(session)
    }
}

/// The header as it was found.
pub(super) struct FoundHeader {
    pub(super) id: Box<str>,
    pub(super) version: Option<u32>,
    pub(super) start: usize,
    pub(super) end: usize,
    /// Where the value of `version` stands in the record.
    pub(super) version_at: Option<(usize, usize)>,
}

/// A diagnostic under way. Its entry is named when all have their ids.
struct Report {
    line: u32,
    kind: DiagnosticKind,
    draft: Option<usize>,
    message: String,
}

#[derive(Default)]
struct Loader {
    header: Option<FoundHeader>,
    drafts: Vec<Draft>,
    reports: Vec<Report>,
    /// How many records and lost lines there were so far, which is how version 1 counts.
    records: u32,
    any_known: bool,
}

impl Loader {
    fn line(&mut self, bytes: &[u8], line: lines::Line) {
        let raw = bytes.get(line.start..line.end).unwrap_or_default();
        let text = match std::str::from_utf8(raw) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => {
                self.report(line.number, DiagnosticKind::InvalidUtf8, None, "read with U+FFFD; the bytes are kept");
                String::from_utf8_lossy(raw)
            }
        };
        // Offsets in a text that was repaired do not fit the bytes.
        let exact = matches!(text, Cow::Borrowed(_));
        let (mut position, mut raw_position) = (0, 0);
        let mut first = true;
        let mut attempts = RESYNC_ATTEMPTS;
        // What is left of the line in a form that serde_json takes, from where it was asked for.
        let mut lenient: Option<(usize, Option<Lenient>)> = None;
        while let Some(rest) = text.get(position..) {
            let blank = rest.len() - rest.trim_start().len();
            position += blank;
            raw_position += blank;
            let rest = rest.trim_start();
            if rest.is_empty() {
                break;
            }
            let raw_length = |length: usize| {
                if exact { length } else { raw_offset(raw.get(raw_position..).unwrap_or_default(), length) }
            };
            let start = line.start + raw_position;
            let place = |length: usize| (start, start + raw_length(length));
            let drafts = self.drafts.len();
            let read = match read_record(rest) {
                Ok((read, length)) => {
                    self.take(read, rest, line.number, place(length));
                    Ok(length)
                }
                Err(error) => {
                    let (from, rewritten) = lenient.get_or_insert_with(|| (position, rewrite(rest)));
                    let text = rewritten.as_ref().and_then(|lenient| lenient.text.get(position - *from..));
                    self.read_lenient(rest, text, line.number, place).ok_or(error)
                }
            };
            match read {
                Ok(length) => {
                    if !first {
                        let draft = self.drafts.len().checked_sub(1).filter(|&newest| newest >= drafts);
                        self.report(line.number, DiagnosticKind::GluedRecord, draft, "read as a record of its own");
                    }
                    position += length;
                    raw_position += raw_length(length);
                }
                Err(error) => {
                    let next = next_record(rest, &mut attempts);
                    let length = next.unwrap_or(rest.len());
                    let lost = rest.get(..length).unwrap_or_default();
                    self.lost(lost, &line, next.is_none(), place(length), &error);
                    // Where a string begins cannot be told across what was lost.
                    lenient = None;
                    position += length;
                    raw_position += raw_length(length);
                }
            }
            first = false;
        }
    }

    /// Reads a record that `JSON.parse` takes and serde_json refuses, from the form that both take;
    /// gives its length.
    fn read_lenient(
        &mut self,
        text: &str,
        lenient: Option<&str>,
        line: u32,
        place: impl Fn(usize) -> (usize, usize),
    ) -> Option<usize> {
        let lenient = lenient?;
        let (read, length) = read_record(lenient).ok()?;
        let number = self.drafts.len();
        self.take(read, lenient, line, place(length));
        let draft = self.drafts.get_mut(number).map(|draft| draft.rewritten = true).map(|()| number);
        for (kind, message) in rewrite(text.get(..length)?)?.reports() {
            self.report(line, kind, draft, message);
        }
        Some(length)
    }

    fn take(&mut self, read: Read<'_>, text: &str, line: u32, (start, end): (usize, usize)) {
        match read {
            Read::Header(header) => {
                self.any_known = true;
                if self.header.is_some() {
                    self.report(line, DiagnosticKind::ExtraHeader, None, "kept in the file and not used");
                } else {
                    let version_at = header.version_text.and_then(|part| {
                        let offset = super::jsonl::offset_in(text, part)?;
                        Some((offset, offset + part.len()))
                    });
                    for &field in &header.wrong_shape {
                        let message = format!("{field} of the header has a wrong type and counts as absent");
                        self.report(line, DiagnosticKind::WrongShape, None, &message);
                    }
                    let id = header.id.unwrap_or_default().into();
                    self.header = Some(FoundHeader { id, version: header.version, start, end, version_at });
                }
            }
            Read::Entry(record) => {
                if self.records == 0 && self.header.is_none() {
                    // The header that is not there was number 0.
                    self.records = 1;
                }
                self.any_known |= record.known_type;
                for &field in &record.wrong_shape {
                    self.report(
                        line,
                        DiagnosticKind::WrongShape,
                        Some(self.drafts.len()),
                        &format!("{field} has a wrong type and counts as absent"),
                    );
                }
                self.drafts.push(Draft::new(record, text, line, self.records, (start, end)));
            }
        }
        self.records += 1;
    }

    /// Bytes that no record could be read from.
    fn lost(
        &mut self,
        text: &str,
        line: &lines::Line,
        to_the_end: bool,
        place: (usize, usize),
        error: &serde_json::Error,
    ) {
        let ids = torn::ids(text);
        let torn = to_the_end && line.is_last && error.is_eof();
        let kind = if torn { DiagnosticKind::TornLine } else { DiagnosticKind::MalformedLine };
        let done = if ids.is_some() { "its place in the tree is kept" } else { "it is not in the tree" };
        let draft = ids.is_some().then_some(self.drafts.len());
        self.report(line.number, kind, draft, &format!("unreadable ({error}); the bytes are kept, {done}"));
        if let Some((id, parent_id)) = ids {
            self.drafts.push(Draft::unreadable(id, parent_id, line.number, self.records, place));
        }
        self.records += 1;
    }

    fn report(&mut self, line: u32, kind: DiagnosticKind, draft: Option<usize>, message: &str) {
        self.reports.push(Report { line, kind, draft, message: message.to_owned() });
    }

    fn finish(mut self, session: &mut Session, bytes: &[u8]) -> Result<(), Error> {
        if !self.any_known {
            let start = String::from_utf8_lossy(bytes.get(..200.min(bytes.len())).unwrap_or_default());
            return Err(Error::new(
                ErrorCode::NotASession,
                format!(
                    "no line holds a session header or an entry of a known type; the {} bytes begin with {}; \
                     allowed is JSONL such as {{\"type\":\"session\",\"version\":3,...}}",
                    bytes.len(),
                    Quoted(&start)
                ),
            ));
        }
        if self.header.is_none() {
            self.report(
                1,
                DiagnosticKind::MissingHeader,
                None,
                "no line holds a header; the entries are read without it",
            );
        }
        let version = Version::of(self.header.as_ref(), &self.drafts);
        if let Version::Unknown(version) = version {
            self.report(
                1,
                DiagnosticKind::UnknownVersion,
                None,
                &format!("version {version} is not known; read as version 3"),
            );
        }
        let mut diagnostics = Vec::new();
        session.by_id = super::migrate::migrate(version, &mut self.drafts, bytes, &mut diagnostics);
        let drafts = &self.drafts;
        let named = self.reports.into_iter().map(|report| Diagnostic {
            line: Some(report.line),
            kind: report.kind,
            entry_id: report.draft.and_then(|number| drafts.get(number)?.id.clone()),
            message: report.message,
        });
        diagnostics.splice(..0, named);
        if let Some(header) = self.header {
            let edits = super::migrate::header_edits(version, &header, bytes);
            session.header =
                Some(Header { id: header.id, stored: Stored::Loaded { start: header.start, end: header.end, edits } });
        }
        build(session, self.drafts, &mut diagnostics);
        // By line, and on one line in the order in which they were found.
        let lines = diagnostics.iter().map(|diagnostic| diagnostic.line.unwrap_or(u32::MAX) as usize);
        let order = sorted(lines.enumerate().map(|(found, line)| (line, found)).collect());
        session.diagnostics = order.iter().filter_map(|&(_, found)| diagnostics.get(found).cloned()).collect();
        Ok(())
    }
}

/// Makes the tree: ids to numbers, parents before children, no cycle.
fn build(session: &mut Session, drafts: Vec<Draft>, diagnostics: &mut Vec<Diagnostic>) {
    let lines: Vec<u32> = drafts.iter().map(|draft| draft.line).collect();
    for draft in drafts {
        let index = session.nodes.len() as Index;
        let id = draft.id.unwrap_or_default();
        if draft.kind != EntryKind::Unreadable {
            session.leaf = Some(index);
        }
        let entry = Entry { id, parent_id: draft.parent_id, timestamp: draft.timestamp, kind: draft.kind };
        session.note_label(&entry);
        let (start, end) = draft.place;
        let mut node = Node::new(entry, Stored::Loaded { start, end, edits: draft.edits });
        node.rewritten = draft.rewritten;
        session.nodes.push(node);
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
            session.link(index, parents.get(index as usize).copied().flatten());
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
    fn unknown_first_kept(&self, index: Index, line: Option<u32>) -> Option<Diagnostic> {
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
            message: format!(
                "the first kept entry {} is not on the path; every entry that no earlier compaction covers stays in the view",
                Quoted(first_kept)
            ),
        })
    }
}

/// The types of records that a line is searched for behind a torn one.
const KNOWN_TYPES: [&str; 10] = [
    "session",
    "message",
    "compaction",
    "branch_summary",
    "custom_message",
    "custom",
    "model_change",
    "thinking_level_change",
    "label",
    "session_info",
];

/// Where the next readable record of a known type begins behind a torn one.
fn next_record(text: &str, attempts: &mut usize) -> Option<usize> {
    let mut from = 1;
    while let Some(found) = text.get(from..).and_then(|rest| rest.find('{')) {
        let position = from + found;
        from = position + 1;
        let rest = text.get(position..)?;
        if !may_be_record(rest) {
            continue;
        }
        *attempts = attempts.checked_sub(1)?;
        let known = |text: &str| match read_record(text) {
            Ok((Read::Header(_), _)) => true,
            Ok((Read::Entry(record), _)) => record.known_type,
            Err(_) => false,
        };
        if known(rest) || rewrite(rest).is_some_and(|lenient| known(&lenient.text)) {
            return Some(position);
        }
    }
    None
}

/// Whether an object begins like a record, and not like the blocks and arguments inside of one.
fn may_be_record(text: &str) -> bool {
    let Some((key, rest)) = torn::string(text.get(1..).unwrap_or_default()) else { return false };
    match &*key {
        "type" => rest
            .trim_start()
            .strip_prefix(':')
            .and_then(torn::string)
            .is_some_and(|(name, _)| KNOWN_TYPES.contains(&&*name)),
        "id" | "parentId" | "timestamp" => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests;
