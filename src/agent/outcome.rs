//! How a run of an agent ended.

use crate::compaction::CompactionOutcome;
use crate::error::Error;
use crate::session::Index;
use crate::summary::Summarizer;

/// How a run ended, by what was asked for.
#[derive(Debug, Clone, PartialEq)]
pub enum AgentOutcome {
    /// A check at the end of a turn or before a prompt.
    Turn(TurnOutcome),
    /// A compaction by hand.
    Compaction(CompactionOutcome),
    /// A navigation.
    Navigation(NavigateOutcome),
}

/// What a check did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "TurnAction", rename_all = "kebab-case"))]
pub enum Action {
    /// Nothing.
    None,
    /// Old tool outputs were pruned.
    Pruned,
    /// The session was compacted.
    Compacted,
    /// What had to be done could not be done.
    Failed,
    /// Another run was under way.
    Busy,
}

impl Action {
    /// The action as it is written in JavaScript.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Pruned => "pruned",
            Self::Compacted => "compacted",
            Self::Failed => "failed",
            Self::Busy => "busy",
        }
    }
}

/// How the host's agent goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "NextType", rename_all = "kebab-case"))]
pub enum Next {
    /// The request that failed is sent again.
    Continue,
    /// The agent is asked to go on if it has more to do.
    Prompt,
    /// It waits for the user.
    Wait,
}

impl Next {
    /// How to go on, as it is written in JavaScript.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Continue => "continue",
            Self::Prompt => "prompt",
            Self::Wait => "wait",
        }
    }
}

/// How a check ended.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnOutcome {
    /// What it did.
    pub action: Action,
    /// The compaction that it started, or why there was none to start.
    pub compaction: Option<CompactionOutcome>,
    /// How many tool outputs were pruned.
    pub pruned_count: usize,
    /// By how much that made the context smaller, in tokens.
    pub tokens_saved: u64,
    /// How the host's agent goes on.
    pub next: Next,
}

/// How a navigation ended.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NavigateOutcome {
    /// Whether a hook or an abort ended it; nothing has changed then.
    pub cancelled: bool,
    /// Whether it was an abort.
    pub aborted: bool,
    /// Why it failed; nothing has changed then.
    pub error: Option<Error>,
    /// The text of the user message that is to be written anew.
    pub editor_text: Option<String>,
    /// The branch summary.
    pub summary_entry: Option<Index>,
    /// Why there is no summary although one was asked for.
    pub summary_skipped: Option<&'static str>,
    /// Who made the summary.
    pub summarizer: Option<Summarizer>,
    /// What was odd about an accepted reply, as stable words.
    pub warnings: Vec<&'static str>,
}
