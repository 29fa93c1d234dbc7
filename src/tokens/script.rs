//! What a character costs, by its script, and where a text is a blob of base64.
//!
//! The rates were measured with o200k_base on prose of each script and are rounded up a little,
//! since a context that was guessed too small ends in a provider's error. The test beside
//! `estimate_text` holds them against that encoding.

/// Hundredths of a token for a Latin letter, a digit, a sign or white space of ASCII.
pub(super) const LATIN_RATE: u64 = 25;
/// Hundredths of a token for a character of base64, where no word is ever found.
pub(super) const BLOB_RATE: u64 = 100;
/// For a character of which no rate is known: its bytes, more or less.
const UNKNOWN_RATE: u64 = 200;

/// The end of each range of code points (inclusive) and its rate, in order.
const RATES: &[(u32, u64)] = &[
    (0x7f, LATIN_RATE),
    (0x9f, UNKNOWN_RATE), // control characters
    (0x24f, 30),          // accented Latin
    (0x36f, 60),          // phonetics, marks
    (0x3ff, 36),          // Greek
    (0x52f, 28),          // Cyrillic
    (0x58f, 35),          // Armenian
    (0x5ff, 42),          // Hebrew
    (0x77f, 29),          // Arabic
    (0x8ff, 100),
    (0x97f, 33),            // Devanagari
    (0x9ff, 37),            // Bengali
    (0xbff, 34),            // Gurmukhi to Tamil
    (0xdff, 48),            // Telugu to Sinhala
    (0xe7f, 40),            // Thai
    (0xfff, 70),            // Lao, Tibetan
    (0x109f, 60),           // Burmese
    (0x10ff, 38),           // Georgian
    (0x11ff, 100),          // Hangul letters
    (0x139f, UNKNOWN_RATE), // Ethiopic
    (0x177f, 150),
    (0x17ff, 65), // Khmer
    (0x1dff, UNKNOWN_RATE),
    (0x1eff, 40),  // more accented Latin
    (0x1fff, 80),  // accented Greek
    (0x206f, 60),  // dashes, quotes
    (0x24ff, 120), // signs, arrows, mathematics
    (0x259f, 50),  // boxes
    (0x2bff, 130), // shapes, symbols
    (0x2fff, UNKNOWN_RATE),
    (0x303f, 70), // marks of Chinese and Japanese
    (0x30ff, 75), // Kana
    (0x33ff, 120),
    (0x4dbf, 150), // rare Han
    (0x9fff, 70),  // Han
    (0xabff, UNKNOWN_RATE),
    (0xd7ff, 56), // Hangul
    (0xfaff, UNKNOWN_RATE),
    (0xfdff, 100), // Arabic forms
    (0xfe0f, 60),  // variation selectors
    (0xfeff, 120),
    (0xffef, 75), // wide forms
    (0x1efff, UNKNOWN_RATE),
    (0x1faff, 165), // emoji
    (0x10_ffff, UNKNOWN_RATE),
];

/// Hundredths of a token for a character.
pub(super) fn rate(c: char) -> u64 {
    if c.is_ascii() {
        return LATIN_RATE;
    }
    let range = RATES.partition_point(|&(end, _)| end < c as u32);
    RATES.get(range).map_or(UNKNOWN_RATE, |&(_, rate)| rate)
}

/// The shortest run that is taken for a blob: longer than identifiers, paths and hashes get.
const BLOB_MIN: usize = 256;

/// How many bytes of a text stand in runs of base64.
///
/// A run counts only with capitals, small letters and digits in it: a row of one letter is no blob.
pub(super) fn blob_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut total = 0;
    // Where a run may begin: never inside of one.
    let mut start = 0;
    // Looked at from its end, a window is given up at the first word that ends in it, so that only
    // a few bytes of it are read.
    while let Some(window) = bytes.get(start..start + BLOB_MIN) {
        if let Some(other) = window.iter().rposition(|&byte| !is_base64(byte)) {
            start += other + 1;
            continue;
        }
        let behind = bytes.get(start + BLOB_MIN..).unwrap_or_default();
        let length = BLOB_MIN + behind.iter().take_while(|&&byte| is_base64(byte)).count();
        let run = bytes.get(start..start + length).unwrap_or_default();
        if run.iter().any(u8::is_ascii_uppercase)
            && run.iter().any(u8::is_ascii_lowercase)
            && run.iter().any(u8::is_ascii_digit)
        {
            total += length;
        }
        start += length;
    }
    total
}

fn is_base64(byte: u8) -> bool {
    // Both alphabets: `-` and `_` stand for `+` and `/` in URLs.
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'-' | b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ranges_are_in_order_and_cover_all() {
        assert!(RATES.is_sorted_by(|a, b| a.0 < b.0));
        assert_eq!(RATES.last().unwrap().0, char::MAX as u32);
    }

    fn check(text: &str, length: usize) {
        assert_eq!(blob_length(text), length, "{}", text.chars().take(40).collect::<String>());
    }

    #[test]
    fn a_blob_is_a_long_run_of_all_three_kinds() {
        let blob = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ".repeat(20);
        check(&blob, blob.len());
        check(&format!("see {blob} and {blob}."), 2 * blob.len());
        check(&format!("é{blob}é"), blob.len());
        check(&"x".repeat(10_000), 0);
        check(&"deadbeef01".repeat(100), 0);
        check(&"A short word and src/entry/mod.rs again ".repeat(100), 0);
        check("", 0);
    }

    #[test]
    fn a_run_counts_from_its_first_byte_to_its_last() {
        let run = |length: usize| "aB3".repeat(length).chars().take(length).collect::<String>();
        for before in [0, 1, 63, 255, 256, 257, 600] {
            for behind in ["", " ", " and more"] {
                let text = |length| format!("{}{}{behind}", "a ".repeat(before / 2), run(length));
                check(&text(BLOB_MIN - 1), 0);
                check(&text(BLOB_MIN), BLOB_MIN);
                check(&text(BLOB_MIN + 777), BLOB_MIN + 777);
            }
        }
        check(&format!("{} {}", run(255), run(255)), 0);
        check(&format!("{} {}", run(256), run(300)), 556);
    }
}
