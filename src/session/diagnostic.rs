//! What a load found damaged, and what was done about it.

use crate::entry::EntryId;

/// A fault in a session file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The line in the file, from 1; `None` for what was appended in memory.
    pub line: Option<u32>,
    /// The kind of fault.
    pub kind: DiagnosticKind,
    /// The entry concerned, where there is one.
    pub entry_id: Option<EntryId>,
    /// What was found and what was done.
    pub message: String,
}

/// Kinds of faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename_all = "kebab-case"))]
pub enum DiagnosticKind {
    /// A line that is no record.
    MalformedLine,
    /// A last line that ends inside a record.
    TornLine,
    /// A record that follows another on the same line.
    GluedRecord,
    /// No line holds a header.
    MissingHeader,
    /// A second header.
    ExtraHeader,
    /// A version that this library does not know.
    UnknownVersion,
    /// A record without an id in a file whose records have ids.
    MissingId,
    /// An id that an earlier record has.
    DuplicateId,
    /// A parent that does not exist.
    MissingParent,
    /// Entries that are their own ancestors.
    ParentCycle,
    /// A known field of a wrong type.
    WrongShape,
    /// Half of a surrogate pair.
    LoneSurrogate,
    /// Bytes that are no UTF-8.
    InvalidUtf8,
    /// A number that no double can hold.
    NumberOutOfRange,
    /// A compaction whose first kept entry is not on its path.
    UnknownFirstKept,
}

impl DiagnosticKind {
    /// The kind as it is written in JavaScript.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::MalformedLine => "malformed-line",
            Self::TornLine => "torn-line",
            Self::GluedRecord => "glued-record",
            Self::MissingHeader => "missing-header",
            Self::ExtraHeader => "extra-header",
            Self::UnknownVersion => "unknown-version",
            Self::MissingId => "missing-id",
            Self::DuplicateId => "duplicate-id",
            Self::MissingParent => "missing-parent",
            Self::ParentCycle => "parent-cycle",
            Self::WrongShape => "wrong-shape",
            Self::LoneSurrogate => "lone-surrogate",
            Self::InvalidUtf8 => "invalid-utf8",
            Self::NumberOutOfRange => "number-out-of-range",
            Self::UnknownFirstKept => "unknown-first-kept",
        }
    }
}
