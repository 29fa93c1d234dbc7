//! The fit of the rates to o200k_base, made anew by hand:
//! `THREADFOLD_WRITE=1 cargo test --lib tokens::fit`.
//!
//! What it reads is at hand after `cargo xtask test`: declarations in many languages and other prose
//! from packages, and the sources of the packages and crates that the project builds with. Nothing of
//! this repository is among it, so that its own texts can be asked how good the rates are.

mod corpus;
mod made;

use super::rates::{CHARACTER_RATES, PAIR_RATES};
use super::text::{BEGIN, CLASSES, character_range, class};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A text of the corpus.
struct Sample {
    /// What its kind of text is; the sum of each group counts the same.
    group: String,
    text: String,
}

/// The end of each range of characters beyond ASCII (inclusive), and its rate where no text of the
/// corpus tells one, in hundredths of a token.
#[rustfmt::skip]
const RANGES: &[(u32, u8)] = &[
    (0x9f, 200), // control characters
    (0xbf, 70), // signs
    (0xdf, 60), // capitals with accents
    (0xff, 30), // letters with accents
    (0x17f, 45), // more of them
    (0x19f, 100),
    (0x1b0, 50), // Vietnamese
    (0x24f, 100),
    (0x2af, 100),
    (0x36f, 60), // marks
    (0x3ff, 36), // Greek
    (0x40f, 50),
    (0x42f, 50), // Cyrillic capitals; each small letter is a range of its own, see below
    (0x52f, 60), // more Cyrillic
    (0x58f, 35), // Armenian
    (0x5ff, 42), // Hebrew
    (0x64a, 29), // Arabic
    (0x65f, 80), // its vowels
    (0x66f, 29),
    (0x77f, 40), // Arabic of other languages, Syriac
    (0x8ff, 100),
    (0x97f, 33), // Devanagari
    (0x9ff, 37), // Bengali
    (0xa7f, 50), // Gurmukhi
    (0xaff, 35), // Gujarati
    (0xb7f, 60),
    (0xbff, 34), // Tamil
    (0xc7f, 48), // Telugu
    (0xcff, 40), // Kannada
    (0xd7f, 35), // Malayalam
    (0xdff, 50), // Sinhala
    (0xe7f, 40), // Thai
    (0xeff, 180), // Lao
    (0xfff, 70), // Tibetan
    (0x109f, 55), // Burmese
    (0x10ff, 38), // Georgian
    (0x11ff, 100), // Hangul letters
    (0x139f, 200), // Ethiopic
    (0x177f, 150),
    (0x17ff, 65), // Khmer
    (0x1dff, 200),
    (0x1e9f, 100), // letters with a dot and the like
    (0x1eb8, 60), // Vietnamese
    (0x1eb9, 100), // of Yoruba too
    (0x1ecc, 60),
    (0x1ecd, 100),
    (0x1eff, 60),
    (0x1fff, 80), // accented Greek
    (0x206f, 60), // dashes, quotes
    (0x24ff, 120), // signs, arrows, mathematics
    (0x259f, 50), // boxes
    (0x2bff, 130), // shapes, symbols
    (0x2fff, 200),
    (0x303f, 70), // marks of Chinese and Japanese
    (0x309f, 75), // Hiragana
    (0x30ff, 120), // Katakana
    (0x33ff, 120),
    (0x4dbf, 150), // rare Han
    (0x9fff, 75), // Han
    (0xabff, 200),
    (0xd7ff, 56), // Hangul
    (0xfaff, 200),
    (0xfdff, 100), // Arabic forms
    (0xfe0f, 60), // variation selectors
    (0xfeff, 120),
    (0xffef, 75), // wide forms
    (0x1efff, 200),
    (0x1faff, 165), // emoji
    (0x10_ffff, 200),
];
/// The small Cyrillic letters, each a range of its own: how often each is used tells the languages
/// apart, and their tokens are of very different lengths.
const CYRILLIC_LETTERS: std::ops::Range<u32> = 0x430..0x460;
const CYRILLIC_RATE: u8 = 35;

/// The rate of a pair where the corpus tells none, in hundredths of a token. It also decides where in
/// a word its tokens are counted, which sums do not tell: most of them where it begins.
fn known_rate(before: usize, class: usize) -> u8 {
    const LETTERS: std::ops::RangeInclusive<usize> = 1..=27;
    const DIGITS: usize = 28;
    const SPACES: std::ops::RangeInclusive<usize> = 29..=31;
    match class {
        0 => 0,
        class if LETTERS.contains(&class) => {
            if LETTERS.contains(&before) {
                10
            } else {
                60
            }
        }
        DIGITS => {
            if before == DIGITS {
                35
            } else {
                50
            }
        }
        class if SPACES.contains(&class) => 10,
        class => {
            if before == class {
                25
            } else {
                45
            }
        }
    }
}

/// How much the rate of a pair that was given counts, beside one group, and that of a Cyrillic letter.
const PAIR_CONFIDENCE: f64 = 5e-4;
/// How much that of a range of characters does. Few texts hold any of most of them, and those that do
/// hold the same few together.
const RANGE_CONFIDENCE: f64 = 1e-2;
/// What the estimates aim at, in parts of the exact count: a context that was guessed too small ends
/// in a provider's error.
const AIM: f64 = 1.03;
/// Code lies close together, but for languages that are written in long words.
const CODE_AIM: f64 = 1.005;
/// There are thousands of emoji, and those that are rarely used take more tokens.
const EMOJI_AIM: f64 = 1.1;
/// What they aim at for base64, which other tokenizers take to smaller pieces.
const BASE64_AIM: f64 = 1.12;
/// Code is what most sessions hold.
const CODE_WEIGHT: f64 = 3.0;
/// Declarations and scriptures are not how people talk at work.
const TALK_WEIGHT: f64 = 8.0;
/// Runs of one character must not cost as much as words; how much exactly matters little.
const RUN_WEIGHT: f64 = 0.1;
/// How often every rate is corrected once.
const ROUNDS: usize = 1_500;

fn ranges() -> Vec<(u32, u8)> {
    let letters = CYRILLIC_LETTERS.map(|letter| (letter, CYRILLIC_RATE));
    let mut ranges: Vec<(u32, u8)> = RANGES.iter().copied().chain(letters).collect();
    ranges.sort_unstable();
    ranges
}

/// How often each pair and each range stands in a text.
fn features(text: &str, ranges: &[(u32, u8)]) -> BTreeMap<usize, f64> {
    let mut counts = BTreeMap::new();
    let classes: Vec<usize> = [BEGIN].into_iter().chain(text.bytes()).map(class).map(usize::from).collect();
    for pair in classes.windows(2).filter(|pair| pair != &[0, 0]) {
        *counts.entry(pair[0] * CLASSES + pair[1]).or_default() += 1.0;
    }
    for other in text.chars().filter(|c| !c.is_ascii()) {
        let range = ranges.partition_point(|&(end, _)| end < other as u32);
        *counts.entry(CLASSES * CLASSES + range).or_default() += 1.0;
    }
    counts
}

fn aim_and_weight(group: &str) -> (f64, f64) {
    match group.split('.').next() {
        Some("base64") => (BASE64_AIM, 1.0),
        Some("emoji") => (EMOJI_AIM, 1.0),
        Some("code") => (CODE_AIM, CODE_WEIGHT),
        Some("talk") => (AIM, TALK_WEIGHT),
        Some("run") => (AIM, RUN_WEIGHT),
        _ => (AIM, 1.0),
    }
}

/// The rates that minimise the squares of the relative errors, each at least 0, in tokens.
fn fitted(samples: &[Sample], ranges: &[(u32, u8)]) -> Vec<f64> {
    let exact = tiktoken_rs::o200k_base().unwrap();
    let mut sizes: BTreeMap<&str, f64> = BTreeMap::new();
    for sample in samples {
        *sizes.entry(&sample.group).or_default() += 1.0;
    }
    let of_pairs = (0..CLASSES * CLASSES).map(|pair| known_rate(pair / CLASSES, pair % CLASSES));
    let known: Vec<f64> =
        of_pairs.chain(ranges.iter().map(|&(_, rate)| rate)).map(|rate| f64::from(rate) / 100.0).collect();
    // The normal equations: products and aims.
    let count = known.len();
    let mut products = vec![0.0; count * count];
    let mut aims = vec![0.0; count];
    for (rate, known) in known.iter().enumerate() {
        let is_letter = |range: &(u32, u8)| CYRILLIC_LETTERS.contains(&range.0);
        let told_apart = rate.checked_sub(CLASSES * CLASSES).and_then(|range| ranges.get(range)).is_none_or(is_letter);
        let confidence = if told_apart { PAIR_CONFIDENCE } else { RANGE_CONFIDENCE };
        products[rate * count + rate] = confidence;
        aims[rate] = known * confidence;
    }
    for sample in samples {
        let tokens = exact.count_ordinary(&sample.text) as f64;
        let (aim, weight) = aim_and_weight(&sample.group);
        let weight = weight / sizes[&*sample.group];
        let features: Vec<(usize, f64)> =
            features(&sample.text, ranges).into_iter().map(|(place, number)| (place, number / tokens)).collect();
        for &(row, one) in &features {
            aims[row] += weight * one * aim;
            for &(column, other) in &features {
                products[row * count + column] += weight * one * other;
            }
        }
    }
    // One rate after the other takes its best value, the others given, until nothing moves.
    let mut rates = known;
    for _ in 0..ROUNDS {
        for rate in 0..count {
            let row = &products[rate * count..(rate + 1) * count];
            let sum: f64 = row.iter().zip(&rates).map(|(product, rate)| product * rate).sum();
            rates[rate] = (rates[rate] + (aims[rate] - sum) / row[rate]).clamp(0.0, 2.55);
        }
    }
    rates
}

/// The rates as they are written.
fn rounded(rates: &[f64], ranges: &[(u32, u8)]) -> (Vec<u8>, Vec<(u32, u8)>) {
    let rates: Vec<u8> = rates.iter().map(|rate| (rate * 100.0).round() as u8).collect();
    let (pairs, characters) = rates.split_at(CLASSES * CLASSES);
    (pairs.to_vec(), ranges.iter().map(|&(end, _)| end).zip(characters.iter().copied()).collect())
}

fn source(pairs: &[u8], characters: &[(u32, u8)]) -> String {
    let mut source = "//! The rates of texts, in hundredths of a token of o200k_base.
//!
//! Made by `THREADFOLD_WRITE=1 cargo test --lib tokens::fit`; do not edit.

use super::text::CLASSES;

/// The rate of each pair of classes: a row for the first, a column for the second.
#[rustfmt::skip]
pub(super) const PAIR_RATES: [u8; CLASSES * CLASSES] = [
"
    .to_owned();
    for row in pairs.chunks(CLASSES) {
        let rates: Vec<String> = row.iter().map(u8::to_string).collect();
        writeln!(source, "    {},", rates.join(", ")).unwrap();
    }
    source += "];

/// The end of each range of characters beyond ASCII (inclusive) and its rate, in order.
#[rustfmt::skip]
pub(super) const CHARACTER_RATES: &[(u32, u8)] = &[
";
    for row in characters.chunks(8) {
        let ranges: Vec<String> = row.iter().map(|(end, rate)| format!("({end:#x}, {rate})")).collect();
        writeln!(source, "    {},", ranges.join(", ")).unwrap();
    }
    source + "];\n"
}

#[test]
fn the_rates_are_made_anew_when_asked_for() {
    if std::env::var_os("THREADFOLD_WRITE").is_none() {
        return;
    }
    let ranges = ranges();
    let mut samples = corpus::samples();
    samples.extend(made::samples());
    let (pairs, characters) = rounded(&fitted(&samples, &ranges), &ranges);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/tokens/rates.rs");
    std::fs::write(path, source(&pairs, &characters)).unwrap();
}

#[test]
fn the_rates_are_whole() {
    assert!(CHARACTER_RATES.is_sorted_by(|one, other| one.0 < other.0));
    assert_eq!(CHARACTER_RATES.last().unwrap().0, char::MAX as u32);
    assert_eq!(
        CHARACTER_RATES.iter().map(|&(end, _)| end).collect::<Vec<_>>(),
        ranges().iter().map(|&(end, _)| end).collect::<Vec<_>>()
    );
    assert_eq!(character_range(char::MAX), CHARACTER_RATES.len() - 1);
    assert!((0..=255).all(|byte| usize::from(class(byte)) < CLASSES));
    // Inside of characters beyond ASCII, only their own rates count.
    assert_eq!(PAIR_RATES[0], 0);
}
