//! How a property is held against random values, and how a run of it is repeated.
//!
//! A run prints its seed; `THREADFOLD_SEED=<seed>` with the same number of cases repeats it. Without
//! a number of cases the seed is always the same, so that a change is judged by what it changed;
//! by hand it is a new one each time.

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
pub(crate) fn check<S: Strategy>(property: &str, values: S, holds: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    check_some(CASES, property, values, holds);
}

/// The same for a property whose cases are longer or shorter than usual: so many of them where
/// [`CASES`] is the rule, and of a number of cases given by hand the same share.
pub(crate) fn check_some<S: Strategy>(
    usual: u32,
    property: &str,
    values: S,
    holds: impl Fn(S::Value) -> Result<(), TestCaseError>,
) {
    let all = number("THREADFOLD_CASES").unwrap_or(u64::from(CASES));
    check_cases((all * u64::from(usual)).div_ceil(u64::from(CASES)) as u32, all, property, values, holds);
}

/// The same for a property whose number of cases given by hand is taken as it is; `usual` where none is.
pub(crate) fn check_all<S: Strategy>(
    usual: u32,
    property: &str,
    values: S,
    holds: impl Fn(S::Value) -> Result<(), TestCaseError>,
) {
    let all = number("THREADFOLD_CASES").unwrap_or(u64::from(usual));
    check_cases(all as u32, all, property, values, holds);
}

fn check_cases<S: Strategy>(
    cases: u32,
    all: u64,
    property: &str,
    values: S,
    holds: impl Fn(S::Value) -> Result<(), TestCaseError>,
) {
    let chosen = || match number("THREADFOLD_CASES") {
        Some(_) => std::collections::hash_map::RandomState::new().build_hasher().finish(),
        None => SEED,
    };
    let seed = number("THREADFOLD_SEED").unwrap_or_else(chosen);
    let again = format!("again with THREADFOLD_SEED={seed} THREADFOLD_CASES={all}");
    eprintln!("{property}: {cases} cases; {again}");
    let config =
        ProptestConfig { cases, rng_seed: RngSeed::Fixed(seed), failure_persistence: None, ..Default::default() };
    if let Err(failure) = TestRunner::new(config).run(&values, holds) {
        panic!("{property}: {failure}\n{again}");
    }
}
