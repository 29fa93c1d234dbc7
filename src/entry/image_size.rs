//! The width and height of an image, read from the first bytes of its data.
//!
//! Formats: PNG, JPEG, GIF and WebP, the ones that providers take. Only as much of the base64 is
//! decoded as the format needs to say its size; the pixels are never looked at.

use super::base64::Base64;

/// The size of an image, in pixels; neither side is 0 or beyond belief.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PixelSize {
    /// From left to right.
    pub width: u32,
    /// From top to bottom.
    pub height: u32,
}

/// How many bytes the formats need that state their size at once: all but JPEG.
const HEAD: usize = 30;
/// How far a JPEG is searched, in bytes. The size stands behind the thumbnail and the colour
/// profile, and no segment before it is longer than this.
const JPEG_SEARCH: usize = 64 * 1024;
/// A side above this is a lie, in pixels: neither JPEG nor GIF can say more, and no provider takes as much.
const LARGEST_SIDE: u32 = 65_535;

/// The size of an image; `None` where it cannot be told.
pub(super) fn image_size(data: &Base64<'_>) -> Option<PixelSize> {
    let head = data.first_bytes(HEAD);
    let (width, height) = if let Some(chunk) = head.strip_prefix(b"\x89PNG\r\n\x1a\n") {
        png_size(chunk)?
    } else if let Some(screen) = head.strip_prefix(b"GIF87a").or_else(|| head.strip_prefix(b"GIF89a")) {
        gif_size(screen)?
    } else if let Some(file) = head.strip_prefix(b"RIFF") {
        webp_size(file)?
    } else if head.starts_with(&[0xff, 0xd8]) {
        jpeg_size(&mut data.first_bytes(JPEG_SEARCH).into_iter().skip(2))?
    } else {
        return None;
    };
    let is_side = |side| (1..=LARGEST_SIDE).contains(&side);
    (is_side(width) && is_side(height)).then_some(PixelSize { width, height })
}

/// The first chunk of a PNG: its length, its name, its content.
fn png_size(chunk: &[u8]) -> Option<(u32, u32)> {
    match *chunk {
        [_, _, _, _, b'I', b'H', b'D', b'R', w3, w2, w1, w0, h3, h2, h1, h0, ..] => {
            Some((u32::from_be_bytes([w3, w2, w1, w0]), u32::from_be_bytes([h3, h2, h1, h0])))
        }
        _ => None,
    }
}

/// The screen of a GIF.
fn gif_size(screen: &[u8]) -> Option<(u32, u32)> {
    match *screen {
        [w0, w1, h0, h1, ..] => Some((little_endian(w0, w1, 0), little_endian(h0, h1, 0))),
        _ => None,
    }
}

/// The length of a WebP, its form, and the first chunk: its name, its length, its content. There are
/// three kinds: lossy, lossless, and extended, which states the canvas.
fn webp_size(file: &[u8]) -> Option<(u32, u32)> {
    match *file.get(4..)?.strip_prefix(b"WEBPVP8")? {
        // The two highest bits of each side are a scale for display.
        [b' ', _, _, _, _, _, _, _, 0x9d, 0x01, 0x2a, w0, w1, h0, h1, ..] => {
            Some((little_endian(w0, w1 & 0x3f, 0), little_endian(h0, h1 & 0x3f, 0)))
        }
        // 14 bits each, one less than the side.
        [b'L', _, _, _, _, 0x2f, b0, b1, b2, b3, ..] => {
            let bits = u32::from_le_bytes([b0, b1, b2, b3]);
            Some(((bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1))
        }
        // 24 bits each, one less than the side.
        [b'X', _, _, _, _, _, _, _, _, w0, w1, w2, h0, h1, h2, ..] => {
            Some((little_endian(w0, w1, w2) + 1, little_endian(h0, h1, h2) + 1))
        }
        _ => None,
    }
}

fn little_endian(low: u8, middle: u8, high: u8) -> u32 {
    u32::from_le_bytes([low, middle, high, 0])
}

/// Walks the segments of a JPEG to the one that begins a frame.
fn jpeg_size(bytes: &mut impl Iterator<Item = u8>) -> Option<(u32, u32)> {
    loop {
        if bytes.next()? != 0xff {
            return None;
        }
        // Any number of fill bytes may stand before a marker.
        let marker = bytes.find(|&byte| byte != 0xff)?;
        if matches!(marker, 0x01 | 0xd0..=0xd7) {
            continue;
        }
        // The pixels, or the end: no frame came before them.
        if matches!(marker, 0xd9 | 0xda) {
            return None;
        }
        let length = big_endian(bytes)? as usize;
        // Of these markers three begin no frame: they bring tables.
        if matches!(marker, 0xc0..=0xcf) && !matches!(marker, 0xc4 | 0xc8 | 0xcc) {
            let _precision = bytes.next()?;
            let height = big_endian(bytes)?;
            return Some((big_endian(bytes)?, height));
        }
        // A length counts its own two bytes.
        if let Some(last) = length.checked_sub(2)?.checked_sub(1) {
            bytes.nth(last)?;
        }
    }
}

/// A number of two bytes.
fn big_endian(bytes: &mut impl Iterator<Item = u8>) -> Option<u32> {
    Some(u32::from(bytes.next()?) << 8 | u32::from(bytes.next()?))
}

#[cfg(test)]
#[path = "image_size_tests.rs"]
mod tests;
