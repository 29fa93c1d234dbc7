//! What a file is: JSON or a record a line, and whose.

use super::arrays::LISTS;
use super::records::{Record, read_leniently, read_line, read_records};
use super::transcript::{first_of, opened};
use super::{tanstack, transcript_formats};
use crate::entry::RECORD_TYPES;
use crate::error::{Error, ErrorCode};
use crate::format::detect::detect;
use crate::format::tree::Tree;
use crate::session::lines;

/// How many keys an error names.
const SHOWN: usize = 8;

/// A file, as far as its form tells.
pub(super) enum Source<'a> {
    /// A list of conversations of ChatGPT.
    Conversations(Vec<Tree<'a>>),
    /// Messages, with what stands around them.
    Messages { around: Tree<'a>, records: Vec<Record<'a>> },
    /// A record a line.
    Lines(Vec<Record<'a>>),
}

/// A file in the form that its format needs.
pub(super) enum Taken<'a> {
    Session,
    ClaudeCode(Vec<Record<'a>>),
    Codex(Vec<Record<'a>>),
    ChatGpt(Vec<Tree<'a>>),
    Messages { around: Tree<'a>, records: Vec<Record<'a>> },
}

impl<'a> Source<'a> {
    /// Reads a file.
    pub(super) fn read(text: &'a str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        // Lines of JSON are no JSON as a whole, which shows at the end of the first.
        match read_leniently(text.trim()).0 {
            Some(Tree::List(items)) if items.first().is_some_and(|item| item.get("mapping").is_some()) => {
                Self::Conversations(items)
            }
            Some(Tree::List(items)) => Self::Messages { around: Tree::empty(), records: numbered(items) },
            Some(object) if object.get("mapping").is_some() => Self::Conversations(vec![object]),
            Some(mut object) => {
                for key in LISTS {
                    if let Tree::List(items) = opened(&object, key) {
                        object.take(key);
                        return Self::Messages { around: object, records: numbered(items) };
                    }
                }
                Self::Lines(vec![Record { line: 1, text: text.trim(), tree: Some(object), half_pairs: false }])
            }
            None => Self::Lines(read_records(text)),
        }
    }

    /// The name of its format.
    ///
    /// # Errors
    ///
    /// `unsupported-format` where it is none that is known, `ambiguous-format` where several would fit.
    pub(super) fn format(&self) -> Result<&'static str, Error> {
        let (records, is_lines) = match self {
            Self::Conversations(_) => return Ok("chatgpt"),
            Self::Messages { records, .. } => (records, false),
            Self::Lines(records) => (records, true),
        };
        let trees = || records.iter().filter_map(|record| record.tree.as_ref());
        if let Some(name) = trees().filter(|_| is_lines).find_map(format_of_record) {
            return Ok(name);
        }
        if trees().any(is_tanstack) {
            return Ok(tanstack::TANSTACK.name);
        }
        let is_message = |tree: &&Tree<'_>| first_of(tree, &["role", "type", "parts"]).is_some();
        let items: Vec<Tree<'_>> = trees().filter(is_message).cloned().collect();
        if items.is_empty() {
            return Err(self.unknown(is_lines));
        }
        detect(&items).map(|table| table.name)
    }

    /// It in the form of a format.
    ///
    /// # Errors
    ///
    /// `unsupported-format` where the file has another form.
    pub(super) fn take(self, name: &str) -> Result<Taken<'a>, Error> {
        let is_session = |records: &[Record<'_>]| {
            records.iter().any(|record| record.tree.as_ref().and_then(format_of_record) == Some("pi"))
        };
        Ok(match (name, self) {
            ("claude-code", Self::Lines(records)) => Taken::ClaudeCode(records),
            ("codex", Self::Lines(records)) => Taken::Codex(records),
            ("chatgpt", Self::Conversations(conversations)) => Taken::ChatGpt(conversations),
            ("claude-code" | "codex" | "chatgpt", source) => return Err(source.unknown(false)),
            ("pi", Self::Lines(records)) if is_session(&records) => Taken::Session,
            (_, Self::Lines(records)) => Taken::Messages { around: Tree::empty(), records },
            (_, Self::Messages { around, records }) => Taken::Messages { around, records },
            (_, source @ Self::Conversations(_)) => return Err(source.unknown(false)),
        })
    }

    /// Says what was seen and what is known.
    fn unknown(&self, is_lines: bool) -> Error {
        let records = match self {
            Self::Lines(records) | Self::Messages { records, .. } => records.as_slice(),
            Self::Conversations(_) => &[],
        };
        let object = records.iter().find_map(|record| match &record.tree {
            Some(Tree::Object(fields)) => Some(fields),
            _ => None,
        });
        let seen = match (object, self) {
            (_, Self::Conversations(_)) => "conversations with a mapping, as ChatGPT exports them".to_owned(),
            (None, _) if records.is_empty() => "nothing".to_owned(),
            (None, _) => "no JSON object, nor a line that is one".to_owned(),
            (Some(fields), _) => {
                let keys: Vec<&str> = fields.iter().take(SHOWN).map(|(key, _)| &**key).collect();
                let form = if is_lines { "lines of objects" } else { "objects" };
                format!("{form}, the first with the keys {}", keys.join(", "))
            }
        };
        let known = transcript_formats().collect::<Vec<_>>().join(", ");
        Error::new(
            ErrorCode::UnsupportedFormat,
            format!("the transcript: seen is {seen}; allowed is a file of one of {known}"),
        )
    }
}

fn numbered(items: Vec<Tree<'_>>) -> Vec<Record<'_>> {
    let record = |(number, item)| Record { line: number as u32 + 1, text: "", tree: Some(item), half_pairs: false };
    items.into_iter().enumerate().map(record).collect()
}

/// Whether a file shows in its first lines that it is a session. Then it need not be read to its end, which the
/// session does at its load; where it shows nothing, the whole of it tells.
pub(super) fn shows_a_session(bytes: &[u8]) -> bool {
    let mut lines = lines(bytes).peekable();
    // A first line that is an object says that the file has a record a line, unless it is all there is.
    let first = lines.next().and_then(|line| read_line(bytes, &line)?.tree);
    let is_lines = matches!(first, Some(Tree::Object(_))) && lines.peek().is_some();
    is_lines
        && first
            .into_iter()
            .chain(lines.filter_map(|line| read_line(bytes, &line)?.tree))
            .find_map(|record| format_of_record(&record))
            == Some("pi")
}

/// Whose record one is, where it tells.
fn format_of_record(record: &Tree<'_>) -> Option<&'static str> {
    let has = |key: &str| record.get(key).is_some();
    let kind = record.text_of("type");
    let is = |name: &str| kind.as_deref() == Some(name);
    if kind.is_some() && has("payload") || has("record_type") || has("instructions") && has("timestamp") {
        return Some("codex");
    }
    if has("parentUuid") || has("leafUuid") || kind.is_some() && has("sessionId") {
        return Some("claude-code");
    }
    let is_entry = kind.as_deref().is_some_and(|kind| RECORD_TYPES.contains(&kind));
    (is("session") || is("message") && has("message") || is_entry && has("parentId")).then_some("pi")
}

/// Whether a message holds parts as TanStack AI writes them.
fn is_tanstack(message: &Tree<'_>) -> bool {
    message.get("parts").map(Tree::items).unwrap_or_default().iter().any(|part| {
        let kind = part.text_of("type");
        match kind.as_deref() {
            Some("text") => part.get("content").is_some() && part.get("text").is_none(),
            Some("tool-call") => part.get("arguments").is_some(),
            _ => false,
        }
    })
}
