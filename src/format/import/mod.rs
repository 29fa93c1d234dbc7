//! Other tools' transcripts as sessions: trees stay trees, and their compactions are compactions.
//!
//! Every importer makes drafts of entries; `entries.rs` writes them. Nothing is lost: a record becomes messages,
//! with what it says beside them under the name of its format, or a `custom` entry that holds it as it was.

mod answer;
mod arrays;
mod chatgpt;
mod claude_code;
mod codex;
mod detect;
mod entries;
mod records;
mod report;
mod tanstack;
#[cfg(test)]
mod tests;
mod transcript;

use crate::error::{Error, ErrorCode, Quoted};
use crate::format::TABLES;
use crate::format::table::Table;
use crate::session::{DiagnosticKind, MAX_SESSION_BYTES};
use detect::{Source, Taken, shows_a_session};
pub use report::{ImportReport, Kept};
use std::borrow::Cow;
use transcript::Transcript;

/// A transcript as a session.
#[derive(Debug, Clone, PartialEq)]
pub struct Imported {
    /// The file of the session, of version 3; none where the transcript is a session, which stays as it is.
    pub jsonl: Option<String>,
    /// What came of the transcript.
    pub report: ImportReport,
}

/// Makes a session of another tool's transcript, in the format of that name, or in the one that it shows.
///
/// Times, models, usages, ids and the folder of the work are taken over where the transcript has them; the same
/// bytes give the same session. A session is one already: of that nothing is written, and what is damaged in it
/// its load tells.
///
/// # Errors
///
/// `unsupported-format` for an unknown name and for bytes of no known format, `ambiguous-format` where several
/// would fit, `too-large` above [`MAX_SESSION_BYTES`].
///
/// ```
/// use threadfold::format::import_transcript;
/// use threadfold::session::{Preset, Session};
/// let file = r#"{"system":"Be brief.","messages":[{"role":"user","content":[{"type":"text","text":"Hello"}]},
///     {"role":"assistant","content":[{"type":"tool_use","id":"a","name":"read","input":{}}]}]}"#;
/// let imported = import_transcript(file.as_bytes(), None)?;
/// let jsonl = imported.jsonl.unwrap_or_default();
/// let session = Session::from_jsonl(jsonl.into_bytes(), Preset::Safe, 1)?;
/// assert_eq!((imported.report.format, session.counts().messages, session.counts().calls), ("anthropic", 3, 1));
/// # Ok::<(), threadfold::error::Error>(())
/// ```
pub fn import_transcript(bytes: &[u8], format: Option<&str>) -> Result<Imported, Error> {
    if bytes.len() > MAX_SESSION_BYTES {
        return Err(Error::new(
            ErrorCode::TooLarge,
            format!("the transcript has {} bytes; allowed are {MAX_SESSION_BYTES}", bytes.len()),
        ));
    }
    if matches!(format, None | Some("pi")) && shows_a_session(bytes) {
        return Ok(session());
    }
    let text = String::from_utf8_lossy(bytes);
    let source = Source::read(&text);
    let name = match format {
        Some(name) => known(name)?,
        None => source.format()?,
    };
    let mut transcript = Transcript::new(name, table_of(name));
    if let Cow::Owned(_) = text {
        transcript.report(1, DiagnosticKind::InvalidUtf8, "bytes that are no UTF-8 are read as U+FFFD");
    }
    let transcript = match source.take(name)? {
        Taken::Session => return Ok(session()),
        Taken::ClaudeCode(records) => claude_code::import(records, transcript),
        Taken::Codex(records) => codex::import(records, transcript),
        Taken::ChatGpt(conversations) => chatgpt::import(conversations, transcript),
        Taken::Messages { around, records } => {
            arrays::import_around(around, &mut transcript);
            arrays::import(records, &mut transcript)?;
            transcript
        }
    };
    Ok(entries::write(transcript))
}

/// A session, as it is.
fn session() -> Imported {
    Imported { jsonl: None, report: ImportReport { format: "pi", ..ImportReport::default() } }
}

/// The formats of transcripts; those of arrays are known besides.
const TRANSCRIPTS: [&str; 4] = ["claude-code", "codex", "chatgpt", tanstack::TANSTACK.name];

/// Every format that can be imported.
pub fn transcript_formats() -> impl Iterator<Item = &'static str> {
    TRANSCRIPTS.into_iter().chain(TABLES.into_iter().map(|table| table.name))
}

fn known(name: &str) -> Result<&'static str, Error> {
    transcript_formats().find(|known| *known == name).ok_or_else(|| {
        Error::new(
            ErrorCode::UnsupportedFormat,
            format!(
                "format: {} is none that can be imported; allowed is one of {}",
                Quoted(name),
                transcript_formats().collect::<Vec<_>>().join(", ")
            ),
        )
    })
}

/// By which the pieces of a format become messages of the core.
fn table_of(name: &str) -> &'static Table {
    match name {
        "codex" => &super::openai_responses::OPENAI_RESPONSES,
        "chatgpt" => &chatgpt::CHATGPT,
        "tanstack-ui" => &tanstack::TANSTACK,
        _ => TABLES.into_iter().find(|table| table.name == name).unwrap_or(&super::anthropic::ANTHROPIC),
    }
}
