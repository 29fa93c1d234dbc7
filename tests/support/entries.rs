//! Entries as the JSON that is appended, without ids. Sizes are in tokens: a `word` is one.

/// A text block.
pub(crate) fn text(words: usize) -> String {
    format!(r#"{{"type":"text","text":"{}"}}"#, "but ".repeat(words))
}

/// A call of the tool `t`.
pub(crate) fn call(id: &str) -> String {
    format!(r#"{{"type":"toolCall","id":"{id}","name":"t","arguments":{{}}}}"#)
}

/// A message, from its role and the rest of its JSON.
pub(crate) fn message(role: &str, rest: &str) -> String {
    format!(r#"{{"type":"message","message":{{"role":"{role}",{rest}}}}}"#)
}

pub(crate) fn user(words: usize) -> String {
    message("user", &format!(r#""content":[{}]"#, text(words)))
}

/// What the user says, in these words.
pub(crate) fn says(words: &str) -> String {
    message("user", &format!(r#""content":{}"#, serde_json::to_string(words).expect("a string")))
}

/// A turn with a call for each id.
pub(crate) fn assistant(words: usize, calls: &[&str]) -> String {
    turn(words, calls, if calls.is_empty() { "stop" } else { "toolUse" }, "")
}

/// A turn that ended so; `rest` is what its message holds beside.
pub(crate) fn turn(words: usize, calls: &[&str], stop: &str, rest: &str) -> String {
    let blocks: Vec<String> = std::iter::once(text(words)).chain(calls.iter().map(|id| call(id))).collect();
    message("assistant", &format!(r#""content":[{}],"stopReason":"{stop}"{rest}"#, blocks.join(",")))
}

/// A turn with what the provider counted: all but one token of it prompt.
pub(crate) fn counted(words: usize, total: u64) -> String {
    turn(words, &[], "stop", &usage(total))
}

/// The usage of a turn, as a part of its message.
pub(crate) fn usage(total: u64) -> String {
    format!(r#","usage":{{"input":{},"output":1,"totalTokens":{total}}}"#, total.saturating_sub(1))
}

/// A request that the provider refused, with what it said.
pub(crate) fn refused(said: &str) -> String {
    let said = serde_json::to_string(said).expect("a string");
    message("assistant", &format!(r#""content":[],"stopReason":"error","errorMessage":{said}"#))
}

/// What a provider says of a request that is too large.
pub(crate) const TOO_LONG: &str = "prompt is too long: 210000 tokens > 200000 maximum";

pub(crate) fn result(id: &str, words: usize) -> String {
    message("toolResult", &format!(r#""toolCallId":"{id}","toolName":"t","content":[{}]"#, text(words)))
}
