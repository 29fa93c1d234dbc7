//! Loading a session from JSONL: what can be read is read, what cannot is reported and kept.

use super::jsonl::{Stored, raw_offset};
use super::migrate::{Draft, Version};
use super::sorted::sorted;
use super::{Diagnostic, DiagnosticKind, Header, Session, SessionRules};
use crate::entry::{Read, read_record};
use crate::error::{Error, ErrorCode, Quoted};
use std::borrow::Cow;

mod lenient;
mod lines;
mod pruned;
mod resync;
mod torn;
mod tree;

pub(super) use lenient::Lenient;
use lenient::may_help;
pub(crate) use lenient::{escapes_surrogates, rewrite};
pub(crate) use lines::{Line, lines};
pub(super) use pruned::{PrunedResults, saved_at};

/// The largest session that is taken in, in bytes: a wasm memory holds four gibibytes, and a
/// session takes up to three times its file.
pub const MAX_SESSION_BYTES: usize = 512 * 1024 * 1024;

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
    pub fn from_jsonl(bytes: Vec<u8>, rules: impl Into<SessionRules>, seed: u64) -> Result<Self, Error> {
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
        let mut session = Session::empty(rules.into(), Vec::new(), seed);
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
        let mut budget = resync::COST.saturating_mul(raw.len());
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
                    // What is not read here is handed out all the same.
                    let record = rest.get(..length).unwrap_or_default();
                    if escapes_surrogates(record.as_bytes()) {
                        self.report_lenient(record, line.number, drafts);
                    }
                    Ok(length)
                }
                Err(error) if !may_help(rest, &error) => Err(error),
                Err(error) => {
                    let (from, rewritten) = lenient.get_or_insert_with(|| {
                        budget = budget.saturating_sub(rest.len());
                        (position, rewrite(rest))
                    });
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
                    let next = resync::next_record(rest, &mut budget);
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
        let draft = self.drafts.len();
        self.take(read, lenient, line, place(length));
        self.report_lenient(text.get(..length)?, line, draft);
        Some(length)
    }

    /// Reports what of a record is handed out otherwise than it is stored. `draft` is the number of
    /// its entry, where it is one.
    fn report_lenient(&mut self, record: &str, line: u32, draft: usize) {
        let Some(lenient) = rewrite(record) else { return };
        let draft = self.drafts.get_mut(draft).map(|entry| entry.rewritten = true).map(|()| draft);
        for (kind, message) in lenient.reports() {
            self.report(line, kind, draft, message);
        }
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
                        &format!("{field}, or a part of it, has a wrong type and counts as absent"),
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
        let mut of_ids = Vec::new();
        session.by_id = super::migrate::migrate(version, &mut self.drafts, bytes, &mut of_ids);
        let drafts = &self.drafts;
        let named = self.reports.into_iter().map(|report| Diagnostic {
            line: Some(report.line),
            kind: report.kind,
            entry_id: report.draft.and_then(|number| drafts.get(number)?.id.clone()),
            message: report.message,
        });
        let mut diagnostics: Vec<Diagnostic> = named.collect();
        diagnostics.append(&mut of_ids);
        if let Some(header) = self.header {
            let edits = super::migrate::header_edits(version, &header, bytes);
            session.header =
                Some(Header { id: header.id, stored: Stored::Loaded { start: header.start, end: header.end, edits } });
        }
        tree::build(session, self.drafts, &mut diagnostics);
        // By line, and on one line in the order in which they were found.
        let lines = diagnostics.iter().map(|diagnostic| diagnostic.line.unwrap_or(u32::MAX) as usize);
        let order = sorted(lines.enumerate().map(|(found, line)| (line, found)).collect());
        session.diagnostics = order.iter().filter_map(|&(_, found)| diagnostics.get(found).cloned()).collect();
        Ok(())
    }
}

#[cfg(test)]
mod tests;
