//! Our counts equal those of tiktoken-rs: on the corpus, on what is installed, on real sessions, on random texts, and
//! on texts that take too long where something is quadratic.

use crate::corpus::{self, Sample, files, runs};
use crate::encodings::{JUDGES, Judge};
use crate::random::Atoms;
use crate::shrink::{escaped, shrunk};
use fastrand::Rng;
use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};
use tokenizer::Tokenizer;

/// How many random texts are counted where nobody says, and from which seed.
const CASES: u64 = 50_000;
const SEED: u64 = 20_261_130;

/// Our counters, one of each encoding. What they counted before must make no difference.
struct Ours(Vec<Tokenizer>);

impl Ours {
    fn new() -> Self {
        Self(JUDGES.iter().map(Judge::ours).collect())
    }

    fn hold(&self, name: &str, text: &str) {
        self.hold_some(name, text, |_| true);
    }

    /// The same for some of the encodings.
    fn hold_some(&self, name: &str, text: &str, wanted: impl Fn(&Judge) -> bool) {
        for (judge, ours) in JUDGES.iter().zip(&self.0).filter(|(judge, _)| wanted(judge)) {
            let (count, right) = (ours.count(text), judge.count(text));
            if count != right {
                panic!("{}, {name}: {count} tokens in place of {right}: {}", judge.name, told(judge, text));
            }
        }
    }
}

/// What of a text is counted wrong, by a counter that has counted nothing else.
fn told(judge: &Judge, text: &str) -> String {
    let differs = |text: &str| judge.ours().count(text) != judge.count(text);
    if !differs(text) {
        return format!("only after other texts were counted: {}", escaped(text));
    }
    let short = shrunk(text, differs);
    format!("{} counts as {} in place of {}", escaped(&short), judge.ours().count(&short), judge.count(&short))
}

/// Does something for each number below the end, on all cores, each with counters of its own.
fn for_each(end: u64, work: impl Fn(u64, &Ours) + Sync) {
    let next = AtomicU64::new(0);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                let ours = Ours::new();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= end {
                        return;
                    }
                    work(number, &ours);
                }
            });
        }
    });
}

fn hold(samples: &[Sample]) {
    for_each(samples.len() as u64, |number, ours| {
        let Sample { name, text } = &samples[number as usize];
        ours.hold(name, text);
    });
}

#[test]
fn the_corpus_is_counted_as_tiktoken_does() {
    hold(&corpus::own());
}

#[test]
fn installed_texts_are_counted_as_tiktoken_does() {
    let samples = files::installed();
    if samples.is_empty() {
        eprintln!("skipped: no packages are installed in node_modules");
    }
    hold(&samples);
}

#[test]
fn the_texts_of_real_sessions_are_counted_as_tiktoken_does() {
    let samples = files::sessions();
    if samples.is_empty() {
        eprintln!("skipped: the folder of real sessions is not there");
    }
    // As a file, and as the strings that a session holds: there, a line break is one.
    let strings: HashSet<String> = samples.iter().flat_map(|sample| files::strings(&sample.text)).collect();
    let strings: Vec<Sample> = strings.into_iter().map(|text| Sample::new("a string of a session", text)).collect();
    hold(&samples);
    hold(&strings);
}

#[test]
fn random_texts_are_counted_as_tiktoken_does() {
    let number = |variable: &str| std::env::var(variable).ok().map(|value| value.parse().expect(variable));
    let cases: u64 = number("THREADFOLD_CASES").unwrap_or(CASES);
    let seed: u64 = number("THREADFOLD_SEED").unwrap_or(SEED);
    eprintln!("{cases} random texts; again with THREADFOLD_SEED={seed} THREADFOLD_CASES={cases}");
    let atoms = Atoms::new();
    /// How many texts are drawn from one seed.
    const BATCH: u64 = 500;
    for_each(cases.div_ceil(BATCH), |batch, ours| {
        let mut chance = Rng::with_seed(seed.wrapping_add(batch));
        for case in batch * BATCH..cases.min((batch + 1) * BATCH) {
            // What differs from o200k_base in special tokens alone would be counted twice.
            let wanted = |judge: &Judge| judge.name != "o200k_harmony";
            ours.hold_some(&format!("case {case} of seed {seed}"), &atoms.text(&mut chance), wanted);
        }
    });
}

#[test]
fn the_longest_runs_are_counted_as_published() {
    let ours = Ours::new();
    for Sample { name, text } in runs::longest() {
        ours.hold(&name, &text);
    }
}
