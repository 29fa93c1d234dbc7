//! The hooks: where the host's extensions have their say in a run.
//!
//! Several handlers may be added to one hook. The loop outside calls them in the order they were added
//! and hands the run one answer: what they said together.

/// A hook that is to be called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Hook {
    /// `session_before_compact`: a compaction is planned.
    BeforeCompact {
        /// Why: `manual`, `threshold` or `overflow`.
        reason: &'static str,
        /// Whether the request that was too large is to be sent again afterwards.
        will_retry: bool,
    },
    /// `session.compacting`: the first request is about to be made.
    Compacting,
    /// `session_before_tree`: the leaf is about to move to another place of the tree.
    BeforeTree,
}

impl Hook {
    /// The hook as it is written in JavaScript.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::BeforeCompact { .. } => "session_before_compact",
            Self::Compacting => "session.compacting",
            Self::BeforeTree => "session_before_tree",
        }
    }
}

/// What the handlers of a hook said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HookAnswer {
    /// Nothing.
    Nothing,
    /// The run is to end.
    Cancel,
    /// To `session_before_compact`: the compaction to be stored in place of a summary of ours.
    Compaction(Box<HookCompaction>),
    /// To `session.compacting`: what the requests are to hold.
    Additions(Box<Additions>),
    /// To `session_before_tree`: the summary of the branch that is left.
    Summary {
        /// The text.
        summary: String,
        /// JSON to be stored with it.
        details: Option<String>,
    },
    /// Something that is no answer to this hook: what is wrong with it.
    Nonsense(String),
}

/// A compaction that a hook made.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HookCompaction {
    /// The summary.
    pub summary: String,
    /// Two or three sentences for a screen.
    pub short_summary: Option<String>,
    /// The first entry that stays verbatim.
    pub first_kept_entry_id: String,
    /// The context size before, in tokens; `None` for that of the plan.
    pub tokens_before: Option<u64>,
    /// JSON to be stored with it.
    pub details: Option<String>,
    /// JSON that the hook wants kept.
    pub preserve_data: Option<String>,
}

/// What a hook adds to the requests of a run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Additions {
    /// Instructions in place of those for a first summary or an update.
    pub prompt: Option<String>,
    /// Lines of context for every request.
    pub context: Vec<String>,
    /// JSON that the hook wants kept with the compaction.
    pub preserve_data: Option<String>,
}
