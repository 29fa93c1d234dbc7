//! What must hold for every session, on random trees: parallel, interleaved, missing, repeated, late
//! and out-of-order results, failed turns, compactions anywhere, broken parents and damaged lines.
//!
//! Each property runs a few hundred cases. More by hand, in release mode:
//!
//! ```text
//! THREADFOLD_CASES=100000 cargo test --release --test properties
//! ```
//!
//! `tests/support/check.rs` says how a run is repeated.

// A test may panic: that is how it fails.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

#[path = "../support/mod.rs"]
mod support;

mod answers;
mod branches;
mod cuts;
mod damaged_sessions;
mod files;
mod folds;
mod prunes;
mod sequences;
mod sizes;
mod views;

use support::check::{check, check_some};
