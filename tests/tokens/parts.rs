//! A text counts the same in one part, in many, and with pauses, wherever it is cut.

use crate::corpus::{self, Sample, drawn, runs};
use crate::encodings::JUDGES;
use crate::random::Atoms;
use crate::shrink::escaped;
use fastrand::Rng;
use tokenizer::{Feed, Progress, Tokenizer};

/// Counts a text in parts of at most so many characters.
fn fed(ours: &Tokenizer, text: &str, longest: usize, chance: &mut Rng) -> u64 {
    let mut feed = Feed::default();
    let mut rest = text;
    while !rest.is_empty() && !chance.u8(..).is_multiple_of(64) {
        let taken = chance.usize(..=longest);
        let end = rest.char_indices().nth(taken).map_or(rest.len(), |(end, _)| end);
        let (part, behind) = rest.split_at(end);
        feed.add(ours, part.as_bytes());
        rest = behind;
    }
    feed.finish(ours, rest.as_bytes())
}

/// Counts a text with pauses after about so many bytes.
fn paused(ours: &Tokenizer, text: &str, bytes: usize) -> u64 {
    let mut progress = Progress::default();
    while !ours.count_some(text, &mut progress, bytes) {}
    progress.tokens
}

fn holds(name: &str, text: &str, longest: usize, chance: &mut Rng, ours: &[Tokenizer]) {
    for (judge, ours) in JUDGES.iter().zip(ours) {
        let whole = ours.count(text);
        let shown: String = text.chars().take(400).collect();
        let told = format!("{}, {name}, parts of {longest}: {}", judge.name, escaped(&shown));
        assert_eq!(fed(ours, text, longest, chance), whole, "{told}");
        assert_eq!(paused(ours, text, longest.max(1)), whole, "{told}");
    }
}

#[test]
fn a_random_text_counts_the_same_in_parts() {
    let (atoms, mut chance) = (Atoms::new(), drawn("parts"));
    let ours: Vec<Tokenizer> = JUDGES.iter().map(|judge| judge.ours()).collect();
    for case in 0..20_000 {
        let text: String = (0..=case % 4).map(|_| atoms.text(&mut chance)).collect();
        let longest = [1, 2, 5, 30][chance.usize(..4)];
        holds(&format!("case {case}"), &text, longest, &mut chance, &ours);
    }
}

#[test]
fn the_corpus_counts_the_same_in_parts() {
    let mut chance = drawn("parts of the corpus");
    let ours: Vec<Tokenizer> = JUDGES.iter().map(|judge| judge.ours()).collect();
    let long = corpus::own().into_iter().filter(|sample| sample.text.len() > 2_000);
    for Sample { name, text } in long.chain(runs::longest()) {
        // Some hundred parts at most: a long run is looked at again and again.
        let longest = [100, 1_000, 20_000][chance.usize(..3)].max(text.len() / 500);
        holds(&name, &text, longest, &mut chance, &ours);
    }
}
