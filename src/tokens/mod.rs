//! Counting tokens: the estimate by script and content, and the historical one.

mod estimate;
mod script;

pub use estimate::{EstimateRule, IMAGE_TOKENS, TokenEstimate, estimate_message, estimate_text, utf16_length};
