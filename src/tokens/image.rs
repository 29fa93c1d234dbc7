//! What an image takes, by the rules that the providers publish: by its size, never by the length of
//! its data, but where it is sent as text.

use super::rule::ImageRule;
use crate::entry::{Image, PixelSize};

/// Tokens of an image whose size is unknown, and of every image by the rule `flat`.
pub const IMAGE_TOKENS: u64 = 1_200;

/// What an image takes, in tokens.
pub(super) fn image_tokens(image: &Image, rule: ImageRule) -> u64 {
    let sides = image.size.map(|PixelSize { width, height }| (u64::from(width), u64::from(height)));
    match (rule, sides) {
        (ImageRule::Flat(tokens), _) => tokens.into(),
        (ImageRule::Gemini3, _) => GEMINI_3_TOKENS,
        (ImageRule::Base64AsText, _) => image.data_length as u64,
        (_, None) => IMAGE_TOKENS,
        (ImageRule::ClaudePatches { longest_side, most_tokens }, Some(sides)) => {
            claude_patches(sides, longest_side.into(), most_tokens.into())
        }
        (ImageRule::OpenAiTiles { base, tile }, Some(sides)) => u64::from(base) + u64::from(tile) * openai_tiles(sides),
        (ImageRule::OpenAiPatches { hundredths }, Some(sides)) => {
            (openai_patches(sides) * u64::from(hundredths)).div_ceil(100)
        }
        (ImageRule::GeminiTiles, Some(sides)) => GEMINI_TILE_TOKENS * gemini_tiles(sides),
    }
}

/// The side of a patch of Claude's, in pixels; each takes a token.
const CLAUDE_PATCH: u64 = 28;

/// Patches of the image, made smaller until neither its long side nor their number is above the limit.
fn claude_patches((width, height): (u64, u64), longest_side: u64, most: u64) -> u64 {
    let patches = width.div_ceil(CLAUDE_PATCH).saturating_mul(height.div_ceil(CLAUDE_PATCH));
    let (long, short) = (width.max(height), width.min(height));
    if long <= longest_side && patches <= most {
        return patches;
    }
    // A smaller size is best where one of its sides is a whole number of patches; then the other is
    // as many as it needs, begun ones included.
    let of_long = |along: u64| along * (along * short).div_ceil(long);
    let of_short = |across: u64| across * (across * long).div_ceil(short);
    let whole = longest_side / CLAUDE_PATCH;
    let by_long = (1..=whole).map(of_long);
    let by_short = (1..=whole).take_while(|across| across * long <= whole * short).map(of_short);
    by_long.chain(by_short).filter(|&patches| patches <= most).max().unwrap_or(1)
}

/// The most that the sides of an image may have, in pixels.
const OPENAI_LONG_SIDE: u64 = 2_048;
const OPENAI_SHORT_SIDE: u64 = 768;
/// The side of a tile, in pixels.
const OPENAI_TILE: u64 = 512;

/// Tiles of the image, made smaller until its long side and then its short side are within the limits.
fn openai_tiles((width, height): (u64, u64)) -> u64 {
    // Both sides over one divisor, so that no part of a pixel is lost.
    let (mut long, mut short, mut divisor) = (width.max(height), width.min(height), 1);
    if long > OPENAI_LONG_SIDE {
        (long, short, divisor) = (OPENAI_LONG_SIDE * long, OPENAI_LONG_SIDE * short, long);
    }
    if short > OPENAI_SHORT_SIDE * divisor {
        (long, short, divisor) = (OPENAI_SHORT_SIDE * long, OPENAI_SHORT_SIDE * short, short);
    }
    long.div_ceil(OPENAI_TILE * divisor) * short.div_ceil(OPENAI_TILE * divisor)
}

/// The side of a patch, in pixels, and how many there may be.
const OPENAI_PATCH: u64 = 32;
const OPENAI_MOST_PATCHES: u64 = 1_536;

/// Patches of the image, made smaller until they are few enough and one side is a whole number of them.
fn openai_patches((width, height): (u64, u64)) -> u64 {
    let patches = width.div_ceil(OPENAI_PATCH).saturating_mul(height.div_ceil(OPENAI_PATCH));
    if patches <= OPENAI_MOST_PATCHES {
        return patches;
    }
    // As many as fit along each side where the area is just within the limit.
    let columns = (OPENAI_MOST_PATCHES * width / height.max(1)).isqrt().max(1);
    let rows = (OPENAI_MOST_PATCHES * height / width.max(1)).isqrt().max(1);
    // The side that shrinks more to become whole decides for both.
    let (columns, rows) = if columns * height <= rows * width {
        (columns, (columns * height).div_ceil(width.max(1)))
    } else {
        ((rows * width).div_ceil(height.max(1)), rows)
    };
    (columns * rows).min(OPENAI_MOST_PATCHES)
}

/// An image in Gemini 3, whatever its size.
const GEMINI_3_TOKENS: u64 = 1_120;
const GEMINI_TILE_TOKENS: u64 = 258;
/// An image whose sides have at most this many pixels is one tile.
const GEMINI_SMALL: u64 = 384;
/// A larger one is shrunk until no side has more than this many pixels.
const GEMINI_LONGEST_SIDE: u64 = 3_072;

/// Tiles of the image. Their side is two thirds of its short side, within limits.
fn gemini_tiles((width, height): (u64, u64)) -> u64 {
    let long = width.max(height);
    if long <= GEMINI_SMALL {
        return 1;
    }
    let shrunk = |side: u64| if long > GEMINI_LONGEST_SIDE { (side * GEMINI_LONGEST_SIDE / long).max(1) } else { side };
    let (width, height) = (shrunk(width), shrunk(height));
    let tile = (width.min(height) * 2 / 3).clamp(256, 768);
    width.div_ceil(tile) * height.div_ceil(tile)
}

#[cfg(test)]
#[path = "image_tests.rs"]
mod tests;
