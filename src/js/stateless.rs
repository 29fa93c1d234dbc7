//! What needs no session.
#![allow(unreachable_pub, reason = "wasm-bindgen exports these, whatever Rust sees of them")]

use super::data::ClassifiedData;
use super::errors::to_js_error;
use super::value::{to_js, window};
use crate::entry::Message;
use crate::llm::literals::CONTINUE_PROMPT;
use crate::llm::{Converted, convert, serialize_conversation};
use crate::session::{Preset, SYNTHETIC_RESULT_TEXT, SessionRules};
use crate::summary::{classify_error, is_context_overflow};
use crate::tokens::{ImageRule, estimate_message, estimate_text};
use wasm_bindgen::prelude::*;

/// The version of the engine.
#[wasm_bindgen(js_name = engineVersion)]
pub fn engine_version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// The text of a result that was made up for a call without one.
#[wasm_bindgen(js_name = syntheticResultText)]
pub fn synthetic_result_text() -> String {
    SYNTHETIC_RESULT_TEXT.to_owned()
}

/// The system prompt of every summary request.
#[wasm_bindgen(js_name = summarizationSystemPrompt)]
pub fn summarization_system_prompt() -> String {
    crate::summary::summarization_system_prompt().to_owned()
}

/// Estimates a text, in tokens.
#[wasm_bindgen(js_name = estimateText)]
pub fn estimate_text_tokens(text: &str, preset: &str, images: Option<String>) -> Result<f64, JsValue> {
    Ok(estimate_text(text, rules(preset, images)?.tokens) as f64)
}

/// Estimates a message, in tokens.
#[wasm_bindgen(js_name = estimateMessage)]
pub fn estimate_message_tokens(json: &str, preset: &str, images: Option<String>) -> Result<f64, JsValue> {
    Ok(estimate_message(&message(json)?, rules(preset, images)?.tokens).tokens as f64)
}

/// What a message becomes for a model: `itself`, `nothing`, `content` (its own), `text`, or
/// `text-and-images` (of its files); for the last two the text follows.
#[wasm_bindgen(js_name = convertMessage)]
pub fn convert_message(json: &str) -> Result<Vec<String>, JsValue> {
    let message = message(json)?;
    Ok(match convert(&message) {
        Converted::Itself => vec!["itself".to_owned()],
        Converted::Nothing => vec!["nothing".to_owned()],
        Converted::Content(_) => vec!["content".to_owned()],
        Converted::Text(text) => vec!["text".to_owned(), text],
        Converted::TextAndFileImages(text) => vec!["text-and-images".to_owned(), text],
    })
}

/// Messages as the text that a summariser reads.
#[wasm_bindgen(js_name = serializeMessages)]
pub fn serialize_messages(json: Vec<String>) -> Result<String, JsValue> {
    let messages: Vec<Message> = json.iter().map(|json| message(json)).collect::<Result<_, _>>()?;
    Ok(serialize_conversation(&messages))
}

/// What an error means, by its text and its HTTP status.
#[wasm_bindgen(js_name = classifyError)]
pub fn classify(text: &str, status: Option<u16>) -> Result<JsValue, JsValue> {
    to_js(ClassifiedData::from(&classify_error(text, status)))
}

/// Whether a message is a turn of the model that did not fit its window.
#[wasm_bindgen(js_name = isContextOverflow)]
pub fn is_overflow(json: &str, context_window: Option<f64>) -> Result<bool, JsValue> {
    let window = window(context_window)?;
    Ok(matches!(message(json)?, Message::Assistant(turn) if is_context_overflow(&turn, window)))
}

fn message(json: &str) -> Result<Message, JsValue> {
    Message::from_json(json).map_err(to_js_error)
}

/// The rules of a preset, with another rule for images where one is named.
pub(super) fn rules(preset: &str, images: Option<String>) -> Result<SessionRules, JsValue> {
    let mut rules = SessionRules::from(Preset::parse(preset).map_err(to_js_error)?);
    if let Some(images) = images {
        rules.tokens.images = ImageRule::parse(&images).map_err(to_js_error)?;
    }
    Ok(rules)
}

/// What an agent is asked behind a compaction that nobody asked for.
#[wasm_bindgen(js_name = continuePrompt)]
pub fn continue_prompt() -> String {
    CONTINUE_PROMPT.to_owned()
}
