//! What a run tells the screen. Events are collected inside and delivered after the call.

use crate::session::Index;

/// An event of a compaction run.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A request is about to be sent, or the result to be saved.
    CompactionProgress {
        /// The kind of the request, or `save`.
        phase: &'static str,
        /// The number of the request, from 1.
        request: u32,
        /// How many requests the run makes.
        requests: u32,
        /// Who is asked.
        summarizer: &'static str,
        /// The number of that candidate, from 1.
        candidate: u32,
        /// The number of its attempt at the request, from 1.
        attempt: u32,
        /// How long it is waited before, in milliseconds.
        wait_ms: Option<u64>,
    },
    /// A compaction has joined the session.
    SessionCompact {
        /// Its entry.
        entry: Index,
        /// Whether a hook made it.
        from_extension: bool,
        /// Why the run started.
        reason: &'static str,
    },
    /// A run has ended; each ends exactly once.
    CompactionEnd {
        /// How it ended.
        status: &'static str,
        /// Why the run started.
        reason: &'static str,
        /// Who made the summary.
        summarizer: Option<&'static str>,
        /// The context size before, in tokens.
        tokens_before: u64,
        /// The context size after, in tokens.
        tokens_after: Option<u64>,
    },
}
