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
/// The shortest line of a blob that was wrapped: PEM wraps at 64 characters, MIME and `base64` at 76.
const WRAPPED_MIN: usize = 60;

/// How many bytes of a text stand in runs of base64, wrapped into lines or not.
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
        if let Some(other) = window.iter().rposition(|&byte| !is_base64_or_line_end(byte)) {
            start += other + 1;
            continue;
        }
        let behind = bytes.get(start + BLOB_MIN..).unwrap_or_default();
        let length = BLOB_MIN + behind.iter().take_while(|&&byte| is_base64_or_line_end(byte)).count();
        total += blob_length_of_lines(bytes.get(start..start + length).unwrap_or_default());
        start += length;
    }
    total
}

/// The same for a run of base64 and line ends. Lines belong together where they are as long as the
/// first of them; the last may be shorter.
fn blob_length_of_lines(run: &[u8]) -> usize {
    let mut total = 0;
    let mut blob = Blob::default();
    for line in run.split(|&byte| is_line_end(byte)).filter(|line| !line.is_empty()) {
        if line.len() > blob.width {
            total += std::mem::take(&mut blob).counted_length();
            blob.width = line.len();
        }
        blob.add(line);
        if line.len() < blob.width || line.len() < WRAPPED_MIN {
            total += std::mem::take(&mut blob).counted_length();
        }
    }
    total + blob.counted_length()
}

/// Lines that belong together.
#[derive(Default)]
struct Blob {
    /// The length of each line but the last.
    width: usize,
    length: usize,
    upper: bool,
    lower: bool,
    digit: bool,
}

impl Blob {
    fn add(&mut self, line: &[u8]) {
        self.length += line.len();
        self.upper |= line.iter().any(u8::is_ascii_uppercase);
        self.lower |= line.iter().any(u8::is_ascii_lowercase);
        self.digit |= line.iter().any(u8::is_ascii_digit);
    }

    fn counted_length(self) -> usize {
        if self.length >= BLOB_MIN && self.upper && self.lower && self.digit { self.length } else { 0 }
    }
}

fn is_base64_or_line_end(byte: u8) -> bool {
    // Both alphabets: `-` and `_` stand for `+` and `/` in URLs.
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'-' | b'_') || is_line_end(byte)
}

fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
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

    #[test]
    fn a_blob_may_be_wrapped_into_lines() {
        let line = |length: usize| "iVBORw0KGgo".chars().cycle().take(length).collect::<String>();
        for end in ["\n", "\r\n"] {
            for width in [64, 76] {
                let blob = format!("{}{}", format!("{}{end}", line(width)).repeat(10), line(20));
                check(&blob, 10 * width + 20);
                check(&format!("Here it is:\n{blob}\n-----END-----\nand more"), 10 * width + 20);
            }
            // Four lines are the fewest of 76 that make a blob.
            check(&format!("{}{end}", line(76)).repeat(3), 0);
            check(&format!("{}{end}", line(76)).repeat(4), 4 * 76);
        }
        // A list of names, of short ids, of paths.
        check(&"SomeName12\nOther3\n".repeat(100), 0);
        check(&"aB3dE6gH\n".repeat(100), 0);
        let path = |tail: usize| format!("src/Main/java/org/example/accounts/services2/module/{}\n", line(tail));
        check(&(0..60).map(|tail| path(1 + (tail * 7) % 20)).collect::<String>(), 0);
        // Two whole blobs below each other.
        check(&format!("{}\n{}", line(300), line(400)), 700);
        check(&format!("{}\n{}\n", line(400), line(300)), 700);
    }
}
