//! What a file beside the text takes, by the rules that the providers publish: so many tokens a page or a second.
//!
//! The rule for images says whose rule it is. Where a provider publishes none, or the file does not say how long it
//! is, what stands for it is in [`Measure::of`], and nowhere else.

use super::image::image_tokens;
use super::rule::ImageRule;
use crate::entry::{Attachment, AttachmentKind, Image, MOST_PAGES, MOST_SECONDS, PixelSize};

/// What an attachment takes, in tokens.
pub(super) fn attachment_tokens(attachment: &Attachment, rule: ImageRule) -> u64 {
    let bytes = attachment.data_length as u64 * 3 / 4;
    if rule == ImageRule::Base64AsText && bytes > 0 {
        return attachment.data_length as u64;
    }
    let Measure { tokens, bytes: bytes_of_unit, most, elsewhere } = Measure::of(attachment.kind, rule);
    tokens
        * match attachment.extent {
            Some(extent) => extent.into(),
            None if bytes > 0 => bytes.div_ceil(bytes_of_unit).min(most),
            None => elsewhere,
        }
}

/// The text of a page of a PDF, in tokens: the lower end of the 1 500 to 3 000 of docs.claude.com, PDF support, 2026,
/// whose example of three pages comes to 2 333 each with the image. OpenAI gives text and image, too
/// (platform.openai.com, File inputs, 2026), and says no number.
const PAGE_TEXT: u64 = 1_500;
/// A page as an image: US Letter at 112 pixels an inch. No provider says how many pixels it makes of a page; for
/// Claude this comes to 1 496 tokens of the 1 568 that an image may take.
const PAGE: PixelSize = PixelSize { width: 952, height: 1_232 };

/// What a page, a second or a token of a file takes, and how many of them a file has that does not say it.
struct Measure {
    /// Tokens of each.
    tokens: u64,
    /// Bytes that stand for one.
    bytes: u64,
    /// The most that bytes can stand for: the most that a provider takes.
    most: u64,
    /// How many stand for a file whose data lies elsewhere.
    elsewhere: u64,
}

impl Measure {
    fn of(kind: AttachmentKind, rule: ImageRule) -> Self {
        use ImageRule::{Gemini3, GeminiTiles, OpenAiPatches, OpenAiTiles};
        match kind {
            AttachmentKind::Document => {
                let tokens = match rule {
                    // ai.google.dev, Document understanding, 2025; Media resolution, 2026. The text is not counted.
                    GeminiTiles => 258,
                    Gemini3 => 560,
                    _ => PAGE_TEXT + image_tokens(&Image { size: Some(PAGE), ..Image::default() }, rule),
                };
                // PDFs that pack what they say are mostly text, which takes some 25 kB a page.
                Self { tokens, bytes: 25_000, most: MOST_PAGES.into(), elsewhere: 5 }
            }
            AttachmentKind::Audio => {
                let tokens = match rule {
                    // developers.openai.com, Managing costs, 2026: a token for 100 ms of the user's audio.
                    OpenAiTiles { .. } | OpenAiPatches { .. } => 10,
                    // ai.google.dev, Audio understanding, 2025. The highest there is stands for others.
                    _ => 32,
                };
                // 64 kbit a second.
                Self { tokens, bytes: 8_000, most: MOST_SECONDS.into(), elsewhere: 60 }
            }
            AttachmentKind::Video => {
                let tokens = match rule {
                    // ai.google.dev, Media resolution, 2026: 70 for the frame of a second, and its sound.
                    Gemini3 => 70 + 32,
                    // ai.google.dev, Understand and count tokens, 2025. No other provider takes films.
                    _ => 263,
                };
                // 1 Mbit a second.
                Self { tokens, bytes: 125_000, most: MOST_SECONDS.into(), elsewhere: 60 }
            }
            // Four bytes a token.
            AttachmentKind::Text => Self { tokens: 1, bytes: 4, most: u64::MAX, elsewhere: 1_200 },
        }
    }
}

#[cfg(test)]
#[path = "attachment_tests.rs"]
mod tests;
