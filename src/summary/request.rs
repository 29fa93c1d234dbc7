//! Requests for summaries: what the summariser reads, and how much it may write.

use super::reply::Refusal;
use super::sections::{self, Section};
use super::text::strip_file_lists;
use crate::entry::Message;
use crate::llm::literals::ADDITIONAL_FOCUS;
use crate::llm::prompts::{
    BRANCH_SUMMARY, COMPACTION_SHORT_SUMMARY, COMPACTION_SUMMARY, COMPACTION_TURN_PREFIX, COMPACTION_UPDATE_SUMMARY,
    SUMMARIZATION_SYSTEM, SUMMARY_PART, SUMMARY_RETRY,
};
use crate::llm::{escape_tags, fill, serialize_conversation_into};
use crate::tokens::{TokenRule, estimate_text};

/// No request asks for more output than this, in tokens.
pub const MAX_OUTPUT_TOKENS: u64 = 16_384;
/// No short summary takes more than this, in tokens.
pub(crate) const MAX_SHORT_TOKENS: u64 = 512;
/// No branch summary takes more than this, in tokens.
const MAX_BRANCH_TOKENS: u64 = 2_048;

/// What a request asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename_all = "kebab-case"))]
pub enum RequestKind {
    /// The first summary of a session.
    History,
    /// A summary that brings the previous one up to date.
    Update,
    /// The beginning of a turn whose end is kept.
    TurnPrefix,
    /// Two or three sentences for a screen.
    Short,
    /// The summary of a branch that was left.
    Branch,
    /// A part of a record that is too long for one request; more parts follow.
    Fold,
}

impl RequestKind {
    /// The kind as it is written in JavaScript.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::History => "history",
            Self::Update => "update",
            Self::TurnPrefix => "turn-prefix",
            Self::Short => "short",
            Self::Branch => "branch",
            Self::Fold => "fold",
        }
    }

    /// The output limit under a reserve, in tokens.
    ///
    /// ```
    /// use threadfold::summary::RequestKind;
    /// assert_eq!(RequestKind::History.max_tokens(16_384), 13_107);
    /// ```
    pub fn max_tokens(self, reserve_tokens: u64) -> u64 {
        // Far above every cap, and small enough to be multiplied.
        let reserve = reserve_tokens.min(1 << 32);
        match self {
            Self::History | Self::Update | Self::Fold => reserve * 4 / 5,
            Self::TurnPrefix => reserve / 2,
            Self::Short => (reserve / 5).min(MAX_SHORT_TOKENS),
            Self::Branch => MAX_BRANCH_TOKENS,
        }
        .min(MAX_OUTPUT_TOKENS)
    }

    fn instructions(self) -> &'static str {
        match self {
            Self::History => COMPACTION_SUMMARY,
            Self::Update | Self::Fold => COMPACTION_UPDATE_SUMMARY,
            Self::TurnPrefix => COMPACTION_TURN_PREFIX,
            Self::Short => COMPACTION_SHORT_SUMMARY,
            Self::Branch => BRANCH_SUMMARY,
        }
    }

    /// The headings that its instructions ask for.
    fn headings(self) -> &'static [Section] {
        match self {
            Self::History | Self::Update | Self::Branch => &sections::HISTORY,
            Self::TurnPrefix => &sections::TURN_PREFIX,
            Self::Short | Self::Fold => &[],
        }
    }
}

/// One request to a summariser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SummaryRequest {
    /// What it asks for.
    pub kind: RequestKind,
    /// The system prompt.
    pub system_prompt: &'static str,
    /// The user prompt: record, previous summary, context and instructions.
    pub prompt: String,
    /// The output limit, in tokens.
    pub max_tokens: u64,
    /// The estimated size of system prompt and prompt, in tokens.
    pub prompt_tokens: u64,
    /// The headings that the answer is to have.
    pub(super) headings: &'static [Section],
}

/// What all requests of one run share.
#[derive(Debug, Clone, Copy)]
pub struct RequestOptions<'a> {
    /// The reserve in force, from which the output limits follow.
    pub reserve_tokens: u64,
    /// How the size of a request is estimated.
    pub rule: TokenRule,
    /// Instructions of the user: an additional focus in every request of a compaction; for a branch
    /// they take the place of the standard instructions.
    pub custom_instructions: Option<&'a str>,
    /// Lines of context that hooks gave.
    pub context_lines: &'a [String],
    /// A hook's instructions in place of the ones for a first summary or an update.
    pub instructions: Option<&'a str>,
}

impl RequestOptions<'_> {
    /// Options with nothing but a reserve and a rule.
    pub fn new(reserve_tokens: u64, rule: TokenRule) -> Self {
        Self { reserve_tokens, rule, custom_instructions: None, context_lines: &[], instructions: None }
    }
}

/// The system prompt of every summary request, `SUMMARIZATION_SYSTEM_PROMPT` in JavaScript.
pub fn summarization_system_prompt() -> &'static str {
    SUMMARIZATION_SYSTEM.trim_end()
}

/// The request for the summary of history: an update where there is a previous summary.
///
/// ```
/// use threadfold::entry::{Content, Message};
/// use threadfold::summary::{RequestOptions, history_request};
/// use threadfold::tokens::TokenRule;
/// let message = Message::User { content: Content::Text("Fix the parser.".into()) };
/// let request = history_request([&message], None, &RequestOptions::new(16_384, TokenRule::BY_SCRIPT));
/// assert!(request.prompt.starts_with("<conversation>\n[User]: Fix the parser.\n</conversation>\n"));
/// assert_eq!((request.kind.as_str(), request.max_tokens), ("history", 13_107));
/// ```
pub fn history_request<'m>(
    messages: impl IntoIterator<Item = &'m Message>,
    previous_summary: Option<&str>,
    options: &RequestOptions<'_>,
) -> SummaryRequest {
    build(RequestKind::History, Conversation::Messages(&mut messages.into_iter()), previous_summary, options)
}

/// The request for the beginning of a turn whose end is kept.
pub fn turn_prefix_request<'m>(
    messages: impl IntoIterator<Item = &'m Message>,
    options: &RequestOptions<'_>,
) -> SummaryRequest {
    build(RequestKind::TurnPrefix, Conversation::Messages(&mut messages.into_iter()), None, options)
}

/// The request for two or three sentences about the kept messages and the new summary.
pub fn short_request<'m>(
    kept_messages: impl IntoIterator<Item = &'m Message>,
    summary: &str,
    options: &RequestOptions<'_>,
) -> SummaryRequest {
    build(RequestKind::Short, Conversation::Messages(&mut kept_messages.into_iter()), Some(summary), options)
}

/// The request for the summary of a branch that was left.
pub fn branch_request<'m>(
    messages: impl IntoIterator<Item = &'m Message>,
    options: &RequestOptions<'_>,
) -> SummaryRequest {
    build(RequestKind::Branch, Conversation::Messages(&mut messages.into_iter()), None, options)
}

/// The record of a request.
pub(super) enum Conversation<'c, 'm> {
    /// Messages.
    Messages(&'c mut dyn Iterator<Item = &'m Message>),
    /// Messages that are one text already.
    Text(&'c str),
}

/// A request for history is an update where there is a previous summary.
pub(super) fn build(
    kind: RequestKind,
    conversation: Conversation<'_, '_>,
    previous_summary: Option<&str>,
    options: &RequestOptions<'_>,
) -> SummaryRequest {
    let previous_summary = previous_summary.filter(|summary| !summary.trim().is_empty());
    let kind = match (kind, previous_summary) {
        (RequestKind::History, Some(_)) => RequestKind::Update,
        (kind, _) => kind,
    };
    let mut prompt = String::from("<conversation>\n");
    match conversation {
        Conversation::Messages(messages) => serialize_conversation_into(&mut prompt, messages),
        Conversation::Text(text) => prompt.push_str(text),
    }
    prompt.push_str("\n</conversation>\n\n");
    if let Some(summary) = previous_summary {
        prompt.push_str("<previous-summary>\n");
        // The file lists are added anew behind the new summary.
        prompt.push_str(&escape_tags(strip_file_lists(summary).trim()));
        prompt.push_str("\n</previous-summary>\n\n");
    }
    if options.context_lines.iter().any(|line| !line.trim().is_empty()) {
        prompt.push_str("<additional-context>\n");
        for line in options.context_lines.iter().filter(|line| !line.trim().is_empty()) {
            prompt.push_str("- ");
            prompt.push_str(&escape_tags(line.trim()).replace('\n', "\n  "));
            prompt.push('\n');
        }
        prompt.push_str("</additional-context>\n\n");
    }
    let custom = options.custom_instructions.map(str::trim).filter(|custom| !custom.is_empty()).map(escape_tags);
    let instead = match kind {
        RequestKind::History | RequestKind::Update => options.instructions,
        RequestKind::Branch => custom.as_deref(),
        RequestKind::TurnPrefix | RequestKind::Short | RequestKind::Fold => None,
    };
    prompt.push_str(instead.unwrap_or_else(|| kind.instructions()).trim_end());
    if matches!(kind, RequestKind::TurnPrefix | RequestKind::Branch) && previous_summary.is_some() {
        prompt.push_str("\n\n");
        prompt.push_str(SUMMARY_PART.trim_end());
    }
    if let Some(custom) = custom.as_deref().filter(|_| kind != RequestKind::Branch) {
        prompt.push_str("\n\n");
        prompt.push_str(ADDITIONAL_FOCUS);
        prompt.push(' ');
        prompt.push_str(custom);
    }
    let system_prompt = summarization_system_prompt();
    SummaryRequest {
        kind,
        system_prompt,
        max_tokens: kind.max_tokens(options.reserve_tokens),
        prompt_tokens: estimate_text(system_prompt, options.rule) + estimate_text(&prompt, options.rule),
        headings: if instead.is_some() { &[] } else { kind.headings() },
        prompt,
    }
}

impl SummaryRequest {
    /// The same request once more, saying why the reply to it was refused.
    pub fn with_refusal(&self, refusal: &Refusal, rule: TokenRule) -> Self {
        let mut reason = refusal.to_string();
        if !reason.ends_with('.') {
            reason.push('.');
        }
        let mut addition = String::from("\n\n");
        fill(&mut addition, SUMMARY_RETRY.trim_end(), &[("reason", &escape_tags(&reason))]);
        Self {
            prompt: format!("{}{addition}", self.prompt),
            prompt_tokens: self.prompt_tokens + estimate_text(&addition, rule),
            ..self.clone()
        }
    }
}

#[cfg(test)]
#[path = "request_tests.rs"]
mod tests;
