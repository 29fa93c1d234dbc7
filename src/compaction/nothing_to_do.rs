//! Why there is nothing to compact: an answer, not an error.

use crate::entry::EntryId;
use crate::session::PendingToolCall;
use crate::settings::Settings;
use crate::tokens::Margin;
use std::fmt;

/// Why there is nothing to compact. As text, a sentence for people with the figures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NothingToDo {
    /// Nothing that the model sees lies behind the latest compaction.
    AlreadyCompacted,
    /// Everything fits the keep budget, or nothing lies before the cut.
    SessionTooSmall {
        /// What could be summarised or kept, in tokens.
        window_tokens: u64,
        /// The keep budget, in tokens.
        keep_recent_tokens: u64,
        /// How far off the first may be.
        margin: Margin,
    },
    /// The context fits, and it was to be compacted only where that is due.
    BelowThreshold {
        /// The context size, in tokens.
        tokens: u64,
        /// The threshold, in tokens.
        limit: u64,
        /// How far off the estimate in it may be.
        margin: Margin,
    },
    /// The fixed overhead and the newest message alone pass the threshold.
    Infeasible {
        /// System prompt and tools, in tokens.
        fixed_tokens: u64,
        /// The newest message, in tokens.
        newest_message_tokens: u64,
        /// The threshold, in tokens.
        limit: u64,
        /// How far off the sizes may be.
        margin: Margin,
    },
    /// The context is over the threshold, and no cut may be made in what is there.
    KeptTailTooLarge {
        /// The largest entry in the way.
        entry_id: EntryId,
        /// Its size, in tokens.
        entry_tokens: u64,
        /// All that has to be kept, in tokens.
        kept_tokens: u64,
        /// The threshold, in tokens.
        limit: u64,
        /// How far off the sizes may be.
        margin: Margin,
    },
    /// Nothing is left but the turn of a call that still awaits its result.
    OpenToolCall {
        /// The calls.
        calls: Vec<PendingToolCall>,
    },
    /// Automatic compaction is switched off.
    Disabled,
    /// The model's window is not known, so nothing starts by itself.
    UnknownWindow,
}

impl NothingToDo {
    /// Every reason, as it is written in JavaScript.
    pub const WORDS: [&str; 8] = [
        "already-compacted",
        "session-too-small",
        "below-threshold",
        "infeasible",
        "kept-tail-too-large",
        "open-tool-call",
        "disabled",
        "unknown-window",
    ];

    /// What keeps a compaction from starting by itself, whatever the session holds; else the window.
    pub(super) fn unasked(settings: &Settings, context_window: Option<u64>) -> Result<u64, Self> {
        if settings.compaction.enabled { context_window.ok_or(Self::UnknownWindow) } else { Err(Self::Disabled) }
    }

    /// Whether the fixed overhead and the newest message alone pass the threshold.
    pub(super) fn infeasible(
        fixed_tokens: u64,
        newest_message_tokens: u64,
        limit: u64,
        margin: Margin,
    ) -> Option<Self> {
        let passes = fixed_tokens.saturating_add(newest_message_tokens) > limit;
        passes.then_some(Self::Infeasible { fixed_tokens, newest_message_tokens, limit, margin })
    }

    /// The reason as one stable word.
    pub fn as_str(&self) -> &'static str {
        let [already, small, below, infeasible, tail, open, disabled, window] = Self::WORDS;
        match self {
            Self::AlreadyCompacted => already,
            Self::SessionTooSmall { .. } => small,
            Self::BelowThreshold { .. } => below,
            Self::Infeasible { .. } => infeasible,
            Self::KeptTailTooLarge { .. } => tail,
            Self::OpenToolCall { .. } => open,
            Self::Disabled => disabled,
            Self::UnknownWindow => window,
        }
    }
}

impl fmt::Display for NothingToDo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AlreadyCompacted => f.write_str("nothing has been said since the latest compaction"),
            Self::SessionTooSmall { window_tokens, keep_recent_tokens, margin } => write!(
                f,
                "the newest {keep_recent_tokens} tokens are kept, and nothing lies before them; there are {} in all",
                margin.of(*window_tokens)
            ),
            Self::BelowThreshold { tokens, limit, margin } => {
                let tokens = margin.of(*tokens);
                write!(f, "the context takes {tokens} tokens, and up to {limit} nothing has to be done")
            }
            Self::Infeasible { fixed_tokens, newest_message_tokens, limit, margin } => write!(
                f,
                "system prompt and tools take {fixed_tokens} tokens and the newest message {}, \
                 which is more than the {limit} allowed; no summary can help",
                margin.of(*newest_message_tokens)
            ),
            Self::KeptTailTooLarge { entry_id, entry_tokens, kept_tokens, limit, margin } => write!(
                f,
                "what has to be kept takes {} tokens of the {limit} allowed; the entry {entry_id} alone takes {entry_tokens}",
                margin.of(*kept_tokens)
            ),
            Self::OpenToolCall { calls } => {
                let names: Vec<&str> = calls.iter().map(|call| &*call.tool_call_id).collect();
                write!(f, "the only turn there is still awaits the result of {}", names.join(", "))
            }
            Self::Disabled => f.write_str("automatic compaction is switched off (compaction.enabled)"),
            Self::UnknownWindow => f.write_str("the context window of the model is not known"),
        }
    }
}
