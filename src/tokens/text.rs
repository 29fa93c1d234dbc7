//! What a text is estimated to take, by what stands in it.
//!
//! A tokenizer takes words that it has often seen whole, and breaks others up. How often it has seen
//! something shows in the characters that follow each other: `th` nearly always goes on inside a
//! token, `qx` hardly ever does. So each byte of ASCII has a rate by its class and the class of the
//! byte before it, and every other character one by its place among the scripts. The rates, in
//! `rates.rs`, are fitted to o200k_base; TOKENS.md says how well.

use super::rates::{CHARACTER_RATES, PAIR_RATES};
use std::sync::LazyLock;

/// How many classes of bytes there are.
pub(super) const CLASSES: usize = 42;
/// The class of the bytes of all characters beyond ASCII.
pub(super) const BEYOND_ASCII: u8 = 0;
/// The class of each letter is its place in the alphabet, so these begin behind `z`.
const CAPITALS: u8 = 27;

/// What a text begins as if it stood behind.
pub(super) const BEGIN: u8 = b' ';

/// The class of a byte.
pub(super) const fn class(byte: u8) -> u8 {
    match byte {
        0x80.. => BEYOND_ASCII,
        b'a'..=b'z' => 1 + byte - b'a',
        b'A'..=b'Z' => CAPITALS,
        b'0'..=b'9' => 28,
        b' ' => 29,
        b'\n' | b'\r' => 30,
        b'\t' => 31,
        b'_' => 32,
        b'-' => 33,
        b'=' => 34,
        b'.' => 35,
        b'/' => 36,
        b'"' | b'\'' | b'`' => 37,
        b',' | b';' | b':' => 38,
        b'*' | b'#' => 39,
        b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'<' | b'>' => 40,
        _ => 41,
    }
}

/// How many pairs of bytes there are.
const PAIRS: usize = 1 << 16;

/// The rate of each pair of bytes, in hundredths of a token. It is made of [`PAIR_RATES`] when a text is
/// first estimated: that one is for the file, this one spares two look-ups of classes for each byte.
static RATE: LazyLock<Box<[u8; PAIRS]>> = LazyLock::new(|| {
    let mut rates = Box::new([0; PAIRS]);
    for (pair, rate) in rates.iter_mut().enumerate() {
        let [.., before, byte] = pair.to_be_bytes();
        let place = usize::from(class(before)) * CLASSES + usize::from(class(byte));
        *rate = PAIR_RATES.get(place).copied().unwrap_or_default();
    }
    rates
});

/// What a text is estimated to take, in hundredths of a token. It is linear in the text, whatever
/// stands in it.
pub(super) fn estimated_hundredths(text: &str) -> u64 {
    pair_hundredths(text.as_bytes()) + beyond_ascii_hundredths(text)
}

/// What each byte adds by the one before it. Every loaded entry goes through here, so the loop has no
/// branches; inside of a character beyond ASCII, the rates are 0.
fn pair_hundredths(bytes: &[u8]) -> u64 {
    let rates = &**RATE;
    let mut before = BEGIN;
    let mut sum = 0;
    for &byte in bytes {
        let pair = usize::from(u16::from_be_bytes([before, byte]));
        sum += u64::from(rates.get(pair).copied().unwrap_or_default());
        before = byte;
    }
    sum
}

/// What the characters beyond ASCII add. Nearly all text is ASCII with a few others in it, so ASCII
/// is passed over fast.
fn beyond_ascii_hundredths(text: &str) -> u64 {
    let mut sum = 0;
    let mut rest = text;
    loop {
        let mut others = rest.get(ascii_length(rest.as_bytes())..).unwrap_or_default().chars();
        let Some(other) = others.next() else { return sum };
        sum += u64::from(character_rate(other));
        rest = others.as_str();
    }
}

/// The bit of each byte in eight that no ASCII has.
const HIGH_BITS: u64 = 0x8080_8080_8080_8080;

/// How many bytes of ASCII some bytes begin with, counted 32 at a time.
fn ascii_length(bytes: &[u8]) -> usize {
    let (words, _) = bytes.as_chunks::<8>();
    let (groups, _) = words.as_chunks::<4>();
    let high_bits = |words: &[[u8; 8]; 4]| {
        let [a, b, c, d] = words.map(u64::from_le_bytes);
        (a | b | c | d) & HIGH_BITS
    };
    let whole = 32 * groups.iter().take_while(|group| high_bits(group) == 0).count();
    whole + bytes.iter().skip(whole).take_while(|byte| byte.is_ascii()).count()
}

/// The range of a character beyond ASCII in [`CHARACTER_RATES`].
pub(super) fn character_range(c: char) -> usize {
    CHARACTER_RATES.partition_point(|&(end, _)| end < c as u32)
}

/// The rate of a character beyond ASCII, in hundredths of a token.
fn character_rate(c: char) -> u8 {
    CHARACTER_RATES.get(character_range(c)).map_or(u8::MAX, |&(_, rate)| rate)
}

#[cfg(test)]
mod tests {
    use super::super::ONE_TOKEN;
    use super::*;

    #[test]
    fn the_unit_of_the_tests_takes_one_token_wherever_it_stands() {
        for times in [0, 1, 2, 1_000, 4_000_000] {
            assert_eq!(estimated_hundredths(&ONE_TOKEN.repeat(times)), 100 * times as u64);
        }
    }

    #[test]
    fn a_text_is_the_sum_of_its_pairs_and_its_other_characters() {
        for text in
            ["", "a", "é", "abcdefgh", "abcdefghé", "abcdefg中hijklmnop😀", "中中abcdefghijklmnopqé", "\u{7f}\0"]
        {
            let pairs: u64 = std::iter::once(b' ')
                .chain(text.bytes())
                .collect::<Vec<_>>()
                .windows(2)
                .map(|pair| u64::from(PAIR_RATES[usize::from(class(pair[0])) * CLASSES + usize::from(class(pair[1]))]))
                .sum();
            let others: u64 = text.chars().filter(|c| !c.is_ascii()).map(|c| u64::from(character_rate(c))).sum();
            assert_eq!(estimated_hundredths(text), pairs + others, "{text}");
        }
    }

    #[test]
    fn runs_of_any_character_grow_as_they_get_longer() {
        for byte in 0..=0x7f {
            let run = |times| estimated_hundredths(&char::from(byte).to_string().repeat(times));
            let (short, long) = (run(1_001) - run(1), run(10_001) - run(1));
            assert_eq!(long, 10 * short, "{byte}");
        }
    }
}
