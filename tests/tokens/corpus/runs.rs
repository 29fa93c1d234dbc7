//! Long runs: of one character, of a few, and without a space.

use super::{Sample, drawn};

/// What is repeated, up to some thousand times.
const REPEATED: [&str; 26] = [
    "a", "A", "e", "z", "é", "ß", "я", "字", "あ", "ก", "का", "\u{301}", "🙂", "0", "7", "٣", "=", "-", "*", "#", "/",
    "\\", "ab", "aB", "=-", "<|",
];

/// White space, and how often tiktoken-rs bears it.
const SPACES: [&str; 8] = [" ", "\t", "\n", "\r\n", "\u{a0}", "\u{3000}", " \n", "\n "];

pub(crate) fn samples() -> Vec<Sample> {
    let lengths = [
        1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 80, 81, 99, 100, 127, 128, 129, 255, 256, 257, 600,
        4_099,
    ];
    let mut samples = Vec::new();
    for run in REPEATED.iter().chain(&SPACES) {
        let text: String =
            lengths.iter().map(|&length| format!("{}x{}.", run.repeat(length), run.repeat(length))).collect();
        samples.push(Sample::new(format!("runs of {run:?}"), text));
        samples.push(Sample::new(format!("one run of {run:?}"), run.repeat(5_003)));
        samples.push(Sample::new(
            format!("runs of {run:?} behind a letter"),
            lengths.iter().map(|&length| format!("q{}", run.repeat(length))).collect::<String>(),
        ));
    }
    samples.extend([letters("letters without a space", 20_000), alphabet("few letters without a space", 20_000)]);
    samples
}

/// What is long enough for something quadratic to show, and, of white space, for tiktoken-rs to give up.
pub(crate) fn longest() -> Vec<Sample> {
    const LENGTH: usize = 200_000;
    const MEGABYTE: usize = 1_000_000;
    let run = |run: &&str| Sample::new(format!("a long run of {run:?}"), run.repeat(LENGTH / run.len()));
    let before = |end: &str| Sample::new(format!("a megabyte of spaces before {end:?}"), " ".repeat(MEGABYTE) + end);
    let mut samples: Vec<Sample> = ["a", "A", "=", "字", "\t", "\u{3000}", " \n", "ab"].iter().map(run).collect();
    samples.extend(["", "x", "\n"].map(before));
    samples.push(Sample::new("a megabyte of line breaks", "\n".repeat(MEGABYTE)));
    samples.extend([letters("many letters", LENGTH), alphabet("many of few letters", LENGTH)]);
    samples
}

fn letters(name: &str, length: usize) -> Sample {
    let mut chance = drawn(name);
    Sample::new(name, (0..length).map(|_| chance.lowercase()).collect::<String>())
}

/// Few letters in a row meet more tokens than many.
fn alphabet(name: &str, length: usize) -> Sample {
    let mut chance = drawn(name);
    Sample::new(name, (0..length).map(|_| ['a', 'n', 's', 'e'][chance.usize(..4)]).collect::<String>())
}
