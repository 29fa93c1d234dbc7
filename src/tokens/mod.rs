//! Counting tokens of texts, messages, images and other files: by estimate, by the historical rule, or by a tokenizer.

mod attachment;
mod estimate;
#[cfg(test)]
mod fit;
mod image;
mod margin;
mod rates;
mod rule;
mod text;

pub(crate) use estimate::estimate_message_by;
pub use estimate::{TokenEstimate, estimate_message, estimate_text, utf16_length};
pub use image::IMAGE_TOKENS;
pub use margin::{Margin, Spoken};
pub use rule::{IMAGE_RULES, ImageRule, TextRule, TokenRule};

/// Four characters that take one token by every rule: by the rates, a test says so, which makes texts of
/// a known size of it.
#[cfg(test)]
pub(crate) const ONE_TOKEN: &str = "but ";
