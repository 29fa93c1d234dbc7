//! The slow reading of the published patterns is held to tiktoken-rs, so that it may speak where that gives up.

use crate::corpus;
use crate::encodings::JUDGES;
use crate::random::Atoms;
use crate::shrink::{escaped, shrunk};

fn holds(name: &str, text: &str) {
    for judge in JUDGES.iter() {
        let differs = |text: &str| judge.authority(text).is_some_and(|count| count != judge.reference.count(text));
        if differs(text) {
            let short = shrunk(text, differs);
            let (authority, read) = (judge.authority(&short), judge.reference.count(&short));
            panic!("{}, {name}: {read} tokens, tiktoken-rs {authority:?}: {}", judge.name, escaped(&short));
        }
    }
}

#[test]
fn the_reference_counts_the_corpus_as_tiktoken_does() {
    for sample in corpus::own() {
        holds(&sample.name, &sample.text);
    }
}

#[test]
fn the_reference_counts_random_texts_as_tiktoken_does() {
    let (atoms, mut chance) = (Atoms::new(), corpus::drawn("reference"));
    for case in 0..2_000 {
        holds(&format!("case {case}"), &atoms.text(&mut chance));
    }
}
