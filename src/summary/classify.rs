//! What an error of a provider, a proxy or the network means for the session.

mod rules;
mod wait;
mod words;

use crate::entry::{AssistantMessage, StopReason, calculate_prompt_tokens};
use rules::RULES;
pub(super) use words::is_one_of;
use words::{Figures, Words, normalize};

/// What an error means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename_all = "snake_case"))]
pub enum ErrorClass {
    /// More tokens than the context window takes.
    Overflow,
    /// More bytes than the server takes, or an image that is too large.
    PayloadTooLarge,
    /// Too much within a short time; it passes.
    RateLimit,
    /// What was paid for or allotted is used up; waiting a little does not help.
    Quota,
    /// No valid key, or no right to do this.
    Auth,
    /// A failure of the server or the network that may pass.
    Transient,
    /// None of these.
    Other,
}

impl ErrorClass {
    /// The class as it is written in JavaScript.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Overflow => "overflow",
            Self::PayloadTooLarge => "payload_too_large",
            Self::RateLimit => "rate_limit",
            Self::Quota => "quota",
            Self::Auth => "auth",
            Self::Transient => "transient",
            Self::Other => "other",
        }
    }
}

/// An error with its class, and what its text names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Classified {
    /// What it means.
    pub class: ErrorClass,
    /// The window or limit that the text names, in tokens; for [`ErrorClass::PayloadTooLarge`] in bytes.
    pub limit: Option<u64>,
    /// How much was asked for, in the unit of the limit, where the text names it.
    pub requested: Option<u64>,
    /// How long the text says to wait, in milliseconds, at most what a timer takes (about 25 days).
    pub retry_after_ms: Option<u64>,
}

/// Tells what an error means from its text and its HTTP status. The text may be a plain message, a JSON
/// or HTML body, or either inside of other words; a status that only the text names counts too.
///
/// Takes the same bounded time for a text of any length: of a long one it reads the two ends.
///
/// ```
/// use threadfold::summary::{ErrorClass, classify_error};
/// let error = classify_error("prompt is too long: 213462 tokens > 200000 maximum", Some(400));
/// assert_eq!((error.class, error.limit, error.requested), (ErrorClass::Overflow, Some(200_000), Some(213_462)));
/// ```
pub fn classify_error(text: &str, status: Option<u16>) -> Classified {
    let normal = normalize(text);
    let words = Words::of(&normal);
    let status = status_of(&words, status);
    let found = RULES.iter().find_map(|rules| {
        let figures = rules.patterns(status).find_map(|pattern| words.find(pattern))?;
        Some((rules.class, figures))
    });
    let (class, Figures { limit, requested }) = found.unwrap_or((ErrorClass::Other, Figures::default()));
    let passes = matches!(class, ErrorClass::RateLimit | ErrorClass::Quota | ErrorClass::Transient);
    Classified { class, limit, requested, retry_after_ms: if passes { words.wait_ms() } else { None } }
}

/// The status of an error, 0 where there is none. An error may come inside of an answer that began well;
/// its own status says nothing then.
fn status_of(words: &Words<'_>, given: Option<u16>) -> u16 {
    given.filter(|status| *status >= 400).or_else(|| words.status()).unwrap_or(0)
}

/// Whether an assistant turn means that the context has to shrink before the model can go on:
///
/// - it ended with an error that means overflow, or a payload that is too large, which the same recovery heals;
/// - it reported more input than the window, without an error, as some providers do;
/// - it stopped at its limit with no output because the input filled the window (99 % of it or more).
///
/// An aborted turn is none. A usage is taken at its word here; whether it may be an accumulated figure
/// takes a session to tell. Without a window only an error counts.
pub fn is_context_overflow(message: &AssistantMessage, context_window: Option<u64>) -> bool {
    let reported = match (context_window, &message.usage) {
        (Some(window), Some(usage)) => Some((window, calculate_prompt_tokens(usage), usage.output)),
        _ => None,
    };
    match (message.stop_reason, reported) {
        (StopReason::Aborted, _) => false,
        (StopReason::Error, _) => {
            matches!(class_of(message), Some(ErrorClass::Overflow | ErrorClass::PayloadTooLarge))
        }
        (StopReason::Length, Some((window, prompt, 0))) => prompt >= window - window / 100,
        (_, Some((window, prompt, _))) => prompt > window,
        (_, None) => false,
    }
}

/// The class of the error that a turn ended with.
pub(crate) fn class_of(message: &AssistantMessage) -> Option<ErrorClass> {
    let text = message.error_message.as_deref().filter(|_| message.stop_reason == StopReason::Error)?;
    Some(classify_error(text, None).class)
}

#[cfg(test)]
#[path = "classify/tests.rs"]
mod tests;
