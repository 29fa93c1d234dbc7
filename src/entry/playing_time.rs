//! How long a recording or a film plays, from its first bytes.
//!
//! Formats: WAV by its byte rate, MP3 by the bit rate of its first frame, and MP4 with its kin (M4A, MOV) by the
//! head of the film, which stands at the beginning or at the end.

use super::base64::Base64;
use super::pdf_pages::find;

/// How much of the beginning is looked at, in bytes: a tag with a small picture may come before the sound.
const BEGINNING: usize = 49_152;

/// Seconds, begun ones included; `None` where they cannot be told.
pub(super) fn playing_time(data: &Base64<'_>) -> Option<u32> {
    let beginning = data.first_bytes(BEGINNING);
    let seconds = if beginning.starts_with(b"RIFF") {
        // The chunk that tells its form: its name, its length, two small numbers, the sampling rate, the byte rate.
        let rate = u32::from_le_bytes(four_bytes(&beginning, find(&beginning, b"fmt ")? + 16)?);
        data.bytes().div_ceil(u64::from(rate).max(1))
    } else if beginning.get(4..8) == Some(b"ftyp") {
        film_head(&beginning).or_else(|| film_head(&data.last_bytes()))?
    } else {
        let sound = sound_start(&beginning);
        (data.bytes().saturating_sub(sound as u64)).div_ceil(mp3_byte_rate(beginning.get(sound..)?)?)
    };
    u32::try_from(seconds).ok()
}

fn four_bytes(bytes: &[u8], at: usize) -> Option<[u8; 4]> {
    bytes.get(at..)?.first_chunk().copied()
}

/// Where the sound of an MP3 begins: behind the tag, which says its length in four times seven bits.
fn sound_start(file: &[u8]) -> usize {
    match *file {
        [b'I', b'D', b'3', _, _, _, b3, b2, b1, b0, ..] => {
            10 + [b3, b2, b1, b0].iter().fold(0, |length, byte| length << 7 | usize::from(byte & 0x7f))
        }
        _ => 0,
    }
}

/// Bit rates of layer III by their numbers, in kilobytes a second: of MPEG 1, and of its extensions to low sampling
/// rates.
const BYTE_RATES: [[u8; 14]; 2] =
    [[4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40], [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 18, 20]];
/// How far behind a frame's beginning it says that the bit rate changes from frame to frame, in bytes.
const VARIES_WITHIN: usize = 64;

/// Bytes a second, from the first frame of an MP3; `None` where its bit rate changes.
fn mp3_byte_rate(frame: &[u8]) -> Option<u64> {
    let [0xff, form, rates, ..] = *frame else { return None };
    // The end of the sync word and layer III.
    if form & 0xe6 != 0xe2 {
        return None;
    }
    let start = frame.get(..VARIES_WITHIN).unwrap_or(frame);
    if find(start, b"Xing").or_else(|| find(start, b"VBRI")).is_some() {
        return None;
    }
    let table = BYTE_RATES.get(usize::from(form & 0x18 != 0x18))?;
    let kilobytes = table.get(usize::from(rates >> 4).checked_sub(1)?)?;
    Some(u64::from(*kilobytes) * 1_000)
}

/// Seconds, from the head of a film: its version, two dates, the units of a second, and how many of them it plays.
fn film_head(part: &[u8]) -> Option<u64> {
    let head = find(part, b"mvhd")? + 4;
    let number = |at: usize| Some(u64::from(u32::from_be_bytes(four_bytes(part, head + at)?)));
    // From the second version on, dates and length take twice the bytes; the lower half of the length is enough.
    let (units, length) = if part.get(head) == Some(&0) { (12, 16) } else { (20, 28) };
    Some(number(length)?.div_ceil(number(units)?.max(1)))
}
