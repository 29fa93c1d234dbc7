//! Which format an array is in.
//!
//! Each message may tell: a key or a type that only some formats have. Those that fit every message are left;
//! where several are, and what they would make of the array differs, the caller has to say.

use super::TABLES;
use super::table::Table;
use super::tree::Tree;
use crate::error::{Error, ErrorCode};

/// Detects the format of an array.
pub(super) fn detect(items: &[Tree<'_>]) -> Result<&'static Table, Error> {
    let mut fitting: Vec<&'static Table> = TABLES.to_vec();
    for (index, item) in items.iter().enumerate() {
        let names = formats_of(item);
        let before = fitting.clone();
        fitting.retain(|table| names.contains(&table.name));
        if fitting.is_empty() {
            let known: Vec<&str> = before.iter().map(|table| table.name).collect();
            let reason = if names.is_empty() {
                "a message of no format that is known".to_owned()
            } else {
                format!("a message of {}, in an array that is {} so far", names.join(" or "), known.join(" or "))
            };
            return Err(Error::new(
                ErrorCode::UnsupportedFormat,
                format!("messages[{index}]: {reason}; all messages have to be of one format, named by `format`"),
            ));
        }
    }
    match fitting.as_slice() {
        [only] => Ok(only),
        several => {
            let names: Vec<&str> = several.iter().map(|table| table.name).collect();
            let message = format!(
                "messages: they could be {}; say which with `format`, as in {{ format: \"{}\" }}",
                names.join(" or "),
                names.first().copied().unwrap_or_default()
            );
            Err(Error { formats: names, ..Error::new(ErrorCode::AmbiguousFormat, message) })
        }
    }
}

const PLAIN: &[&str] = &["openai-chat", "openai-responses", "anthropic", "ai-sdk-model", "pi"];

/// The formats that a message may be of.
fn formats_of(item: &Tree<'_>) -> &'static [&'static str] {
    let has = |key: &str| item.get(key).is_some();
    let role = item.text_of("role");
    if has("parts") {
        // An UI message has an id, and its parts have types.
        let typed = item.get("parts").is_some_and(|parts| parts.items().iter().any(|part| part.get("type").is_some()));
        let gemini = role.as_deref() == Some("model") || !typed && !has("id");
        return if gemini { &["gemini"] } else { &["ai-sdk-ui"] };
    }
    match role.as_deref() {
        None if has("type") => &["openai-responses"],
        None => &[],
        Some("model") => &["gemini"],
        Some("tool") if has("tool_call_id") => &["openai-chat"],
        Some("tool") => &["ai-sdk-model"],
        Some("function") => &["openai-chat"],
        Some(
            "toolResult" | "custom" | "hookMessage" | "bashExecution" | "pythonExecution" | "fileMention"
            | "branchSummary" | "compactionSummary",
        ) => &["pi"],
        Some("developer") => &["openai-chat", "openai-responses"],
        Some("system") => &["openai-chat", "openai-responses", "ai-sdk-model"],
        Some("user" | "assistant") => of_content(item, &has),
        Some(_) => &[],
    }
}

/// What the content of a user's or an assistant's message tells.
fn of_content(item: &Tree<'_>, has: &dyn Fn(&str) -> bool) -> &'static [&'static str] {
    if has("tool_calls") || has("function_call") || has("refusal") || has("reasoning_content") {
        return &["openai-chat"];
    }
    if item.text_of("type").as_deref() == Some("message") && !has("model") {
        return &["openai-responses"];
    }
    if has("stopReason") || has("api") {
        return &["pi"];
    }
    let parts = item.get("content").map(Tree::items).unwrap_or_default();
    for part in parts {
        let has = |key: &str| part.get(key).is_some();
        match part.text_of("type").as_deref() {
            Some("input_text" | "output_text" | "input_image" | "input_file") => return &["openai-responses"],
            Some("image_url" | "input_audio" | "refusal") => return &["openai-chat"],
            Some(
                "tool_use" | "tool_result" | "redacted_thinking" | "document" | "search_result" | "server_tool_use",
            ) => {
                return &["anthropic"];
            }
            Some("thinking") if has("signature") => return &["anthropic"],
            Some("image") if has("source") => return &["anthropic"],
            Some("tool-call" | "tool-result" | "reasoning" | "tool-approval-request") => return &["ai-sdk-model"],
            Some("file") if has("mediaType") => return &["ai-sdk-model"],
            Some("image") if has("image") => return &["ai-sdk-model"],
            Some("file") if has("file") => return &["openai-chat"],
            Some("toolCall") => return &["pi"],
            Some("image") if has("mimeType") => return &["pi"],
            Some("thinking") => return &["pi"],
            _ => {}
        }
    }
    PLAIN
}
