//! One error for the whole engine, with a closed list of codes.

use std::fmt;

/// What went wrong, as one stable word. A code never changes its meaning; messages may be reworded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorCode {
    /// An argument of a call is missing, of a wrong type or out of range.
    InvalidArgument,
    /// An explicit context window that is not a positive whole number of tokens.
    InvalidWindow,
    /// A setting that is unknown, of a wrong type or out of range.
    InvalidSettings,
    /// An entry or message that cannot be stored.
    InvalidEntry,
    /// Bytes in which no line holds a session record.
    NotASession,
    /// More bytes than the engine takes in.
    TooLarge,
    /// An id that no entry of the session has.
    UnknownEntry,
    /// A second run on a session while one is under way.
    Busy,
    /// The session moved on in a way that makes the run's plan void.
    Stale,
    /// The summariser answered with something that may not be stored.
    SummaryRefused,
    /// The summariser threw, rejected or timed out.
    SummarizerFailed,
    /// The remote endpoint could not be reached, or answered with something that holds no summary.
    RemoteFailed,
    /// The store refused to write.
    StorageFailed,
    /// The store holds something else than what was written last.
    Conflict,
    /// A format of messages or of a file that is not known, or a message that is none of its format.
    UnsupportedFormat,
    /// Messages that several formats would read, each otherwise.
    AmbiguousFormat,
    /// A vocabulary file that is none, damaged, of another encoding or of another version.
    InvalidVocabulary,
    /// A fault of the engine itself.
    Internal,
}

impl ErrorCode {
    /// The code as it is written in JavaScript.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InvalidArgument => "invalid-argument",
            Self::InvalidWindow => "invalid-window",
            Self::InvalidSettings => "invalid-settings",
            Self::InvalidEntry => "invalid-entry",
            Self::NotASession => "not-a-session",
            Self::TooLarge => "too-large",
            Self::UnknownEntry => "unknown-entry",
            Self::Busy => "busy",
            Self::Stale => "stale",
            Self::SummaryRefused => "summary-refused",
            Self::SummarizerFailed => "summarizer-failed",
            Self::RemoteFailed => "remote-failed",
            Self::StorageFailed => "storage-failed",
            Self::Conflict => "conflict",
            Self::UnsupportedFormat => "unsupported-format",
            Self::AmbiguousFormat => "ambiguous-format",
            Self::InvalidVocabulary => "invalid-vocabulary",
            Self::Internal => "internal",
        }
    }
}

/// An error of the engine: a code for programs, a message for people.
///
/// A message names the place, the value and what is allowed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    /// The stable code.
    pub code: ErrorCode,
    /// What was tried, what was found and what is allowed.
    pub message: String,
    /// Of `ambiguous-format` alone: the formats that it could be.
    pub formats: Vec<&'static str>,
}

impl Error {
    /// An error with its code and message.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), formats: Vec::new() }
    }

    /// An id that no entry of the session has.
    pub(crate) fn unknown_entry(what: &str, id: &str) -> Self {
        Self::new(
            ErrorCode::UnknownEntry,
            format!("{what}: no entry of this session has the id {}; ids come from session.entries()", Quoted(id)),
        )
    }
}

/// A value of the caller's inside a message: quoted, control characters escaped, at most 80 characters.
pub(crate) struct Quoted<'a>(pub(crate) &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 80;
        let mut shown: String = self.0.chars().take(SHOWN).collect();
        if self.0.chars().nth(SHOWN).is_some() {
            shown.push('…');
        }
        write!(f, "{shown:?}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_quotes_what_the_caller_gave() {
        let error = Error::unknown_entry("branch", "a\n\"b");
        assert_eq!(error.code.as_str(), "unknown-entry");
        assert!(error.to_string().contains(r#""a\n\"b""#), "{error}");
    }

    #[test]
    fn a_long_value_is_cut() {
        assert_eq!(Quoted(&"x".repeat(500)).to_string().chars().count(), 83);
    }
}
