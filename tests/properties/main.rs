//! What must hold for every session, on random trees: parallel, interleaved, missing, repeated, late
//! and out-of-order results, failed turns, compactions anywhere, broken parents and damaged lines.
//!
//! Each property runs a few hundred cases. More by hand, in release mode:
//!
//! ```text
//! THREADFOLD_CASES=100000 cargo test --release --test properties
//! ```
//!
//! A run prints its seed; `THREADFOLD_SEED=<seed>` with the same number of cases repeats it. Without
//! a number of cases the seed is always the same, so that a change is judged by what it changed;
//! by hand it is a new one each time.

// A test may panic: that is how it fails.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

#[path = "../support/mod.rs"]
mod support;

mod answers;
mod cuts;
mod damaged_sessions;
mod files;
mod folds;
mod prunes;
mod sequences;
mod sizes;
mod views;

use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestCaseError, TestRunner};
use std::hash::{BuildHasher, Hasher};

/// How many cases each property runs where nobody says, and from which seed.
const CASES: u32 = 400;
const SEED: u64 = 20_261_130;

fn number(variable: &str) -> Option<u64> {
    let value = std::env::var(variable).ok()?;
    Some(value.parse().unwrap_or_else(|_| panic!("{variable}: {value:?} is no number")))
}

/// Holds a property against random values, and says how to see the same values again.
fn check<S: Strategy>(property: &str, values: S, holds: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    check_some(CASES, property, values, holds);
}

/// The same for a property whose cases are long: so many of them where [`CASES`] is the rule, and of
/// a number of cases given by hand the same share.
fn check_some<S: Strategy>(
    usual: u32,
    property: &str,
    values: S,
    holds: impl Fn(S::Value) -> Result<(), TestCaseError>,
) {
    let by_hand = number("THREADFOLD_CASES");
    let all = by_hand.unwrap_or(u64::from(CASES));
    let cases = (all * u64::from(usual)).div_ceil(u64::from(CASES)) as u32;
    let chosen = || match by_hand {
        Some(_) => std::collections::hash_map::RandomState::new().build_hasher().finish(),
        None => SEED,
    };
    let seed = number("THREADFOLD_SEED").unwrap_or_else(chosen);
    eprintln!("{property}: {cases} cases; again with THREADFOLD_SEED={seed} THREADFOLD_CASES={all}");
    let config =
        ProptestConfig { cases, rng_seed: RngSeed::Fixed(seed), failure_persistence: None, ..Default::default() };
    if let Err(failure) = TestRunner::new(config).run(&values, holds) {
        panic!("{property}: {failure}\nagain with THREADFOLD_SEED={seed} THREADFOLD_CASES={all}");
    }
}
