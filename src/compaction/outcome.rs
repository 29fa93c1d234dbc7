//! How a compaction run ended.

use super::nothing_to_do::NothingToDo;
use crate::error::Error;
use crate::session::Index;
use crate::summary::Summarizer;

/// How a run ended. Every run ends in exactly one of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename_all = "kebab-case"))]
pub enum Status {
    /// The compaction is an entry of the session.
    Committed,
    /// There was nothing to do.
    NothingToDo,
    /// It was aborted; nothing has changed.
    Cancelled,
    /// It failed; nothing has changed.
    Failed,
}

impl Status {
    /// The status as it is written in JavaScript.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Committed => "committed",
            Self::NothingToDo => "nothing-to-do",
            Self::Cancelled => "cancelled",
            Self::Failed => "failed",
        }
    }
}

/// Whether a compaction helped, by the estimate on both sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// Whether the context is smaller by a tenth, or fits the threshold.
    pub sufficient: bool,
    /// The estimate before, in tokens.
    pub estimate_before: u64,
    /// The estimate after, in tokens.
    pub estimate_after: u64,
    /// Between which numbers the size after lies in nine of ten cases, in tokens.
    pub after_within: (u64, u64),
    /// Where it did not help: the entries in the way.
    pub entries_in_the_way: Vec<Index>,
}

/// How a compaction run ended, with its figures.
#[derive(Debug, Clone, PartialEq)]
pub struct CompactionOutcome {
    /// How it ended.
    pub status: Status,
    /// Why there was nothing to do.
    pub nothing_to_do: Option<NothingToDo>,
    /// Why it failed.
    pub error: Option<Error>,
    /// The entry of the compaction.
    pub entry: Option<Index>,
    /// The context size before, in tokens.
    pub tokens_before: u64,
    /// The context size after, in tokens.
    pub tokens_after: Option<u64>,
    /// Whether it helped.
    pub progress: Option<Progress>,
    /// Who made the summary.
    pub summarizer: Option<Summarizer>,
    /// What was odd about an accepted reply, as stable words.
    pub warnings: Vec<&'static str>,
}

impl CompactionOutcome {
    /// The outcome of a compaction that never started: failed, or cancelled where there is no error.
    /// `tokens` is the context size, in tokens.
    pub(crate) fn unstarted(error: Option<Error>, tokens: u64) -> Self {
        Self {
            status: if error.is_some() { Status::Failed } else { Status::Cancelled },
            nothing_to_do: None,
            error,
            entry: None,
            tokens_before: tokens,
            tokens_after: None,
            progress: None,
            summarizer: None,
            warnings: Vec::new(),
        }
    }
}
