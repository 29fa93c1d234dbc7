//! What a reply of a summariser may be.

use super::classify::is_one_of;
use super::request::SummaryRequest;
use super::sections::has_all;
use super::text::strip_file_lists;
use crate::tokens::{Margin, TokenRule, estimate_text};
use std::fmt;

/// How a reply ended, as far as it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ReplyEnd {
    /// Finished, or not said.
    #[default]
    Finished,
    /// At the output limit.
    Length,
    /// With a call of a tool.
    ToolCall,
    /// With an error.
    Error,
    /// Stopped from outside.
    Aborted,
}

impl ReplyEnd {
    /// The end that a stop reason names, in the words of the providers. An unknown one says nothing.
    ///
    /// ```
    /// use threadfold::summary::ReplyEnd;
    /// assert_eq!(ReplyEnd::from_stop_reason("max_tokens"), ReplyEnd::Length);
    /// ```
    pub fn from_stop_reason(reason: &str) -> Self {
        let mut word = reason.to_ascii_lowercase();
        word.retain(|character| character.is_ascii_alphanumeric());
        let ends = [
            ("length|maxtokens|maxoutputtokens|modelcontextwindowexceeded|incomplete", Self::Length),
            ("tooluse|toolcall|toolcalls|functioncall", Self::ToolCall),
            (
                "error|failed|contentfilter|safety|refusal|recitation|blocklist|prohibitedcontent|malformedfunctioncall",
                Self::Error,
            ),
            ("aborted|abort|cancelled|canceled", Self::Aborted),
        ];
        ends.iter().find(|(words, _)| is_one_of(words, &word)).map_or(Self::Finished, |&(_, end)| end)
    }
}

/// A reply of a summariser.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reply {
    /// Its text.
    pub text: String,
    /// How it ended.
    pub end: ReplyEnd,
    /// The error that came with it.
    pub error_message: Option<String>,
}

impl Reply {
    /// A reply that is only a text.
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }
}

/// A reply that may be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accepted {
    /// The summary: no fence around it, no reasoning before it.
    pub text: String,
    /// What is odd about it.
    pub warnings: Vec<Warning>,
}

/// What is odd about a summary that may be stored all the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Warning {
    /// Headings that were asked for are missing.
    Unstructured,
}

impl Warning {
    /// The warning as it is written in JavaScript.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unstructured => "unstructured",
        }
    }
}

/// Why a reply may not be stored. As text, a sentence for people, and for the model that is asked again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// Nothing, or nothing that shows.
    Empty,
    /// Reasoning and nothing else.
    ReasoningOnly,
    /// A call of a tool.
    ToolCall,
    /// An error, with its text.
    Error(String),
    /// It reached its output limit, in tokens.
    CutOff {
        /// The limit.
        max_tokens: u64,
    },
    /// It was stopped from outside.
    Aborted,
    /// It is not smaller than what it replaces.
    NotSmaller {
        /// Its size, in tokens.
        tokens: u64,
        /// The size of what it replaces, in tokens.
        replaced: u64,
        /// How far off the sizes may be.
        margin: Margin,
    },
}

impl Refusal {
    /// The refusal as one stable word.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::ReasoningOnly => "reasoning-only",
            Self::ToolCall => "tool-call",
            Self::Error(_) => "error",
            Self::CutOff { .. } => "cut-off",
            Self::Aborted => "aborted",
            Self::NotSmaller { .. } => "not-smaller",
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the reply holds no text"),
            Self::ReasoningOnly => f.write_str("the reply holds reasoning and no summary"),
            Self::ToolCall => f.write_str("the reply calls a tool; a summary is plain text"),
            Self::Error(text) => write!(f, "the reply is an error: {}", start_of(text)),
            Self::CutOff { max_tokens } => {
                write!(f, "the reply was cut off at its output limit; allowed are {max_tokens} tokens")
            }
            Self::Aborted => f.write_str("the reply was aborted"),
            Self::NotSmaller { tokens, replaced, margin } => write!(
                f,
                "the summary takes {} tokens, which is not less than the {} tokens it replaces",
                margin.of(*tokens),
                margin.of(*replaced)
            ),
        }
    }
}

/// The start of an error text, on one line.
pub(super) fn start_of(text: &str) -> String {
    const SHOWN: usize = 200;
    let between = |character: char| character.is_whitespace() || character.is_control();
    let mut words = text.split(between).filter(|word| !word.is_empty());
    let mut start = words.next().unwrap_or_default().to_owned();
    for word in words {
        start.push(' ');
        start.push_str(word);
        if start.len() > SHOWN * 4 {
            break;
        }
    }
    match start.char_indices().nth(SHOWN) {
        Some((end, _)) => {
            start.truncate(end);
            start + "…"
        }
        None => start,
    }
}

/// Checks a reply to a request. `replaced_tokens` is the size of the previous summary and the
/// messages that the reply replaces, where it replaces some.
///
/// # Errors
///
/// The reason why the reply may not be stored.
pub fn check_reply(
    reply: &Reply,
    request: &SummaryRequest,
    replaced_tokens: Option<u64>,
    rule: TokenRule,
) -> Result<Accepted, Refusal> {
    let text = reply.text.trim();
    let error = reply.error_message.as_deref().map(str::trim).filter(|message| !message.is_empty());
    match reply.end {
        ReplyEnd::Aborted => return Err(Refusal::Aborted),
        ReplyEnd::Error => return Err(Refusal::Error(error.unwrap_or(text).to_owned())),
        _ => {}
    }
    if let Some(error) = error {
        return Err(Refusal::Error(error.to_owned()));
    }
    match reply.end {
        ReplyEnd::ToolCall => return Err(Refusal::ToolCall),
        ReplyEnd::Length => return Err(Refusal::CutOff { max_tokens: request.max_tokens }),
        _ => {}
    }
    if !shows(text) {
        return Err(Refusal::Empty);
    }
    let text = without_fence(without_reasoning(text));
    let text = without_reasoning(text);
    if !shows(text) {
        return Err(Refusal::ReasoningOnly);
    }
    if is_tool_call(text) {
        return Err(Refusal::ToolCall);
    }
    if is_error_text(text) {
        return Err(Refusal::Error(text.to_owned()));
    }
    let text = strip_file_lists(text);
    let text = text.trim();
    if !shows(text) {
        return Err(Refusal::Empty);
    }
    let tokens = estimate_text(text, rule);
    match replaced_tokens {
        Some(replaced) if tokens >= replaced => {
            return Err(Refusal::NotSmaller { tokens, replaced, margin: rule.margin() });
        }
        _ => {}
    }
    let warnings = if has_all(text, request.headings) { Vec::new() } else { vec![Warning::Unstructured] };
    Ok(Accepted { text: text.to_owned(), warnings })
}

/// Whether a text holds a character that shows.
fn shows(text: &str) -> bool {
    text.chars().any(|character| {
        !(character.is_whitespace()
            || character.is_control()
            || matches!(character, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{2060}'..='\u{2064}' | '\u{FEFF}'))
    })
}

const REASONING_TAGS: [&str; 5] = ["think", "thinking", "thought", "reasoning", "reflection"];

/// A text without the reasoning that stands before it. Reasoning without an end is all of the text.
fn without_reasoning(text: &str) -> &str {
    let mut text = text.trim();
    while let Some(tag) = REASONING_TAGS.into_iter().find(|tag| strip_tag(text, "<", tag).is_some()) {
        let inside = strip_tag(text, "<", tag).unwrap_or_default();
        let mut places = inside.match_indices("</");
        let behind = places.find_map(|(place, _)| strip_tag(inside.get(place..)?, "</", tag));
        text = behind.unwrap_or_default().trim_start();
    }
    text
}

fn strip_tag<'a>(text: &'a str, open: &str, name: &str) -> Option<&'a str> {
    let rest = text.strip_prefix(open)?;
    let (found, rest) = rest.split_at_checked(name.len())?;
    found.eq_ignore_ascii_case(name).then(|| rest.strip_prefix('>'))?
}

/// A text without the code fence around all of it.
fn without_fence(text: &str) -> &str {
    let Some((first, inner)) = text.split_once('\n') else { return text };
    let Some((inner, last)) = inner.rsplit_once('\n') else { return text };
    let Some((fence, info)) = fence_of(first) else { return text };
    let closes = |line: &str| fence_of(line).is_some_and(|(other, info)| info.is_empty() && other.starts_with(fence));
    if !closes(last) {
        return text;
    }
    // Fences inside come in pairs; the first could also be one of several that stand side by side,
    // unless it says that it holds a document.
    let (mut open, mut fences, mut ended_early) = (1_usize, 0_usize, false);
    for line in inner.lines() {
        if closes(line) {
            fences += 1;
            open = open.saturating_sub(1);
            ended_early |= open == 0;
        } else if fence_of(line).is_some_and(|(other, _)| other.starts_with(fence)) {
            fences += 1;
            open += 1;
        }
    }
    let document = matches!(info.to_ascii_lowercase().as_str(), "markdown" | "md" | "text" | "txt");
    if (!ended_early && open == 1) || (document && fences % 2 == 0) { inner.trim() } else { text }
}

/// The fence that a line is, and what it says about its content.
fn fence_of(line: &str) -> Option<(&str, &str)> {
    let line = line.trim();
    ['`', '~'].into_iter().find_map(|mark| {
        let info = line.trim_start_matches(mark);
        let fence = line.get(..line.len() - info.len())?;
        (fence.len() >= 3 && !info.contains(mark)).then(|| (fence, info.trim()))
    })
}

/// Whether a text is a tool call written out.
fn is_tool_call(text: &str) -> bool {
    let lower_start: String = text.chars().take(24).collect::<String>().to_ascii_lowercase();
    ["<tool_call", "<function_call", "<function=", "<function_calls", "<invoke ", "[tool_calls]"]
        .iter()
        .any(|start| lower_start.starts_with(start))
        || has_keys(
            text,
            |key| matches!(key, "name" | "tool" | "function"),
            |key| matches!(key, "arguments" | "parameters" | "input" | "function"),
        )
}

/// Whether a text is what a server or a client says when it fails.
fn is_error_text(text: &str) -> bool {
    if has_keys(text, |key| key == "error", |key| key == "error") {
        return true;
    }
    let start = text.chars().take(40).collect::<String>().to_ascii_lowercase();
    if start.starts_with("<!doctype html") || start.starts_with("<html") {
        return true;
    }
    // A summary may well begin with an error that it reports; it is longer than one line, or has headings.
    if text.lines().filter(|line| !line.trim().is_empty()).count() > 3
        || text.lines().any(super::sections::is_known_heading)
    {
        return false;
    }
    let status = start.strip_prefix("http ").or_else(|| start.strip_prefix("http/1.1 ")).unwrap_or(&start);
    let status = status.strip_prefix("error ").or_else(|| status.strip_prefix("error: ")).unwrap_or(status);
    let digits = status.bytes().take_while(u8::is_ascii_digit).count();
    let is_status = digits == 3
        && status.starts_with(['4', '5'])
        && status.get(3..).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', ':', '{', '\n', ',']))
        && (start.starts_with("http") || start.starts_with("error") || mentions_failure(text));
    is_status
        || ["error:", "api error", "apierror", "internal server error", "error code:", "request failed"]
            .iter()
            .any(|word| start.starts_with(word))
}

fn mentions_failure(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    [
        "error",
        "too many requests",
        "rate limit",
        "unauthorized",
        "forbidden",
        "not found",
        "bad request",
        "overloaded",
        "unavailable",
        "timeout",
        "bad gateway",
        "too large",
    ]
    .iter()
    .any(|word| lower.contains(word))
}

/// Whether a text is one JSON object with a key of each of the two sorts.
fn has_keys(text: &str, first: impl Fn(&str) -> bool, second: impl Fn(&str) -> bool) -> bool {
    if !text.starts_with('{') || !text.ends_with('}') {
        return false;
    }
    crate::entry::object::keys(text)
        .is_some_and(|keys| keys.iter().any(|key| first(key)) && keys.iter().any(|key| second(key)))
}

#[cfg(test)]
#[path = "reply_tests.rs"]
mod tests;
