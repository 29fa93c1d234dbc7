//! What runs tell the screen. Events are collected inside and delivered after the call.

use crate::session::Index;

/// An event.
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
    /// A compaction that nobody asked for has a plan and starts.
    AutoCompactionStart {
        /// Why: `threshold` or `overflow`.
        reason: &'static str,
    },
    /// It has ended.
    AutoCompactionEnd {
        /// Why it started.
        reason: &'static str,
        /// The entry of the compaction, where it is committed.
        entry: Option<Index>,
        /// Whether it was aborted, or cancelled by a hook.
        aborted: bool,
        /// Whether the request that was too large is sent again now.
        will_retry: bool,
        /// Why it failed.
        error_message: Option<String>,
    },
    /// Stored results have got their notice: what was handed out of them is out of date.
    Rewritten {
        /// The results.
        results: Vec<Index>,
    },
    /// The leaf has moved to another place of the tree.
    SessionTree {
        /// The leaf now; `None` before the first entry.
        new_leaf: Option<Index>,
        /// The leaf before.
        old_leaf: Option<Index>,
        /// The summary of the branch that was left, which is the leaf then.
        summary_entry: Option<Index>,
        /// Whether a hook made the summary.
        from_extension: bool,
    },
}
