//! What a transcript says of an answer of the model: which model, what it cost, why it stopped.

use super::transcript::{first_of, opened};
use crate::format::tree::Tree;

/// Why an answer ended, in the words of each vendor, and in ours.
const STOP_REASONS: [(&str, &str); 16] = [
    ("end_turn", "stop"),
    ("stop", "stop"),
    ("STOP", "stop"),
    ("stop_sequence", "stop"),
    ("pause_turn", "stop"),
    ("refusal", "stop"),
    ("max_tokens", "length"),
    ("MAX_TOKENS", "length"),
    ("length", "length"),
    ("tool_use", "toolUse"),
    ("tool_calls", "toolUse"),
    ("tool-calls", "toolUse"),
    ("function_call", "toolUse"),
    ("interrupted", "aborted"),
    ("client_stopped", "aborted"),
    ("error", "error"),
];

/// The parts of a usage, and the keys that each vendor gives them.
const USAGE: [(&str, &[&str]); 4] = [
    ("input", &["input_tokens", "inputTokens", "prompt_tokens", "promptTokens", "promptTokenCount"]),
    ("output", &["output_tokens", "outputTokens", "completion_tokens", "completionTokens", "candidatesTokenCount"]),
    ("cacheRead", &["cache_read_input_tokens", "cacheReadTokens"]),
    ("cacheWrite", &["cache_creation_input_tokens", "cacheWriteTokens"]),
];

/// What was read from a cache, where the input counts it too.
const CACHED_INPUT: [&str; 3] = ["cached_input_tokens", "cachedInputTokens", "cachedContentTokenCount"];

/// What a message says of itself, in the fields of the core; what is not known is left out.
#[inline(never)]
pub(super) fn answer_of<'a>(message: &Tree<'a>, provider: Option<&'static str>) -> Tree<'a> {
    let model = message.get("model").cloned().or_else(|| opened(message, "modelInfo").take("id"));
    // What a tool made up itself names no model.
    let model = model.filter(|model| model.as_text().is_some_and(|name| !name.is_empty() && !name.starts_with('<')));
    let mut answer = Tree::empty();
    if let (Some(_), Some(provider)) = (&model, provider) {
        answer.set(PROVIDER, Tree::text(provider));
    }
    let stop_reason = first_of(message, &["stop_reason", "finish_reason"]).and_then(stop_reason);
    let usage = first_of(message, &["usage", "metrics"]).and_then(usage);
    for (key, value) in [(MODEL, model), ("stopReason", stop_reason), ("usage", usage)] {
        if let Some(value) = value {
            answer.set(key, value);
        }
    }
    answer
}

/// The key of whose model answered.
pub(super) const PROVIDER: &str = "provider";

/// The key of which model it was.
pub(super) const MODEL: &str = "model";

/// Takes over what a later record of the same answer says.
pub(super) fn update<'a>(answer: &mut Tree<'a>, mut later: Tree<'a>) {
    for (key, value) in later.take_all() {
        answer.set(key, value);
    }
}

/// The core's word for why an answer ended.
pub(super) fn stop_reason(given: &Tree<'_>) -> Option<Tree<'static>> {
    let given = given.as_text()?;
    STOP_REASONS.iter().find(|(theirs, _)| *theirs == given).map(|(_, ours)| Tree::text(*ours))
}

/// A usage in the core's form; none where it counts nothing.
#[inline(never)]
pub(super) fn usage(given: &Tree<'_>) -> Option<Tree<'static>> {
    let given = given.clone().opened();
    let count = |keys: &[&str]| first_of(&given, keys).and_then(Tree::as_number).filter(|count| *count > 0.0);
    let details = first_of(&given, &["input_tokens_details", "prompt_tokens_details"]).cloned().map(Tree::opened);
    let cached = details.and_then(|details| details.get("cached_tokens")?.as_number()).or_else(|| count(&CACHED_INPUT));
    let mut usage = Tree::empty();
    let mut any = false;
    for (name, keys) in USAGE {
        let mut tokens = count(keys).unwrap_or(0.0);
        match (name, cached) {
            ("input", Some(cached)) => tokens = (tokens - cached).max(0.0),
            ("cacheRead", Some(cached)) => tokens = cached,
            _ => {}
        }
        any |= tokens > 0.0;
        usage.set(name, Tree::Raw((tokens as u64).to_string().into()));
    }
    any.then_some(usage)
}
