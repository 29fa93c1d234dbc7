//! A compaction that can be made: what is summarised, what is kept, and what it costs.

use crate::entry::EntryId;
use crate::session::{Index, PendingToolCall, Session, borrowed};
use crate::summary::{
    FileOperations, RequestOptions, SummaryRequest, history_request, short_request, turn_prefix_request,
};

/// A compaction that can be made. Entries are named by number; messages are made when asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Preparation {
    /// The leaf the plan was made for.
    pub leaf: Index,
    /// Its id: as long as it has that number, no entry of the plan was taken back.
    pub leaf_id: EntryId,
    /// How often stored results had been pruned then.
    pub rewrites: u32,
    /// The first entry that stays verbatim.
    pub first_kept: Index,
    /// The messages that the history summary replaces, oldest first.
    pub entries_to_summarize: Vec<Index>,
    /// The beginning of a split turn.
    pub turn_prefix: Vec<Index>,
    /// The messages that stay.
    pub kept: Vec<Index>,
    /// Messages that fall out unsummarised: always empty in the safe preset.
    pub dropped: Vec<Index>,
    /// Whether the cut splits a turn.
    pub is_split_turn: bool,
    /// The previous compaction on the path.
    pub previous_compaction: Option<Index>,
    /// The files that were read and modified.
    pub file_operations: FileOperations,
    /// The context size before, in tokens.
    pub tokens_before: u64,
    /// The keep budget as adapted, in tokens.
    pub keep_recent_tokens: u64,
    /// What is kept, in tokens, by the estimate.
    pub kept_tokens: u64,
    /// Where more is kept than the budget allows: the entries in the way.
    pub entries_in_the_way: Vec<Index>,
    /// Calls at the leaf that still await their result.
    pub pending_tool_calls: Vec<PendingToolCall>,
    /// The reserve in force, in tokens.
    pub reserve_tokens: u64,
    /// The system prompt and the tools, in tokens.
    pub fixed_tokens: u64,
    /// What will be sent with the context but is not in the session yet, in tokens.
    pub pending_tokens: u64,
    /// The window, in tokens, where it is known.
    pub context_window: Option<u64>,
}

impl Preparation {
    /// The previous summary, if there is one.
    pub fn previous_summary<'a>(&self, session: &'a Session) -> Option<&'a str> {
        let previous = session.entry(self.previous_compaction?)?.compaction()?;
        Some(previous.summary.as_str()).filter(|summary| !summary.trim().is_empty())
    }

    /// The requests for the summaries that this plan needs, in their order.
    pub fn requests(&self, session: &Session, options: &RequestOptions<'_>) -> Vec<SummaryRequest> {
        let history = (!self.entries_to_summarize.is_empty()).then(|| self.history_request(session, options));
        let prefix = (!self.turn_prefix.is_empty()).then(|| self.turn_prefix_request(session, options));
        history.into_iter().chain(prefix).collect()
    }

    /// The size of those requests, in tokens. One that is too large for its summariser is made in
    /// parts, each with instructions and the summary so far; all parts together are larger than this.
    pub fn request_tokens(&self, session: &Session, options: &RequestOptions<'_>) -> u64 {
        self.requests(session, options).iter().map(|request| request.prompt_tokens).sum()
    }

    pub(crate) fn history_request(&self, session: &Session, options: &RequestOptions<'_>) -> SummaryRequest {
        let messages = session.repaired_messages(&self.entries_to_summarize, Some(self.leaf));
        history_request(borrowed(&messages), self.previous_summary(session), options)
    }

    pub(crate) fn turn_prefix_request(&self, session: &Session, options: &RequestOptions<'_>) -> SummaryRequest {
        turn_prefix_request(borrowed(&session.repaired_messages(&self.turn_prefix, Some(self.leaf))), options)
    }

    pub(crate) fn short_request(
        &self,
        session: &Session,
        summary: &str,
        options: &RequestOptions<'_>,
    ) -> SummaryRequest {
        short_request(borrowed(&session.repaired_messages(&self.kept, Some(self.leaf))), summary, options)
    }
}
