//! The agent's companion beside a simulated host on a virtual clock: whatever summarisers, hooks, stores
//! and users do, the rules of `rules.rs` hold after every step.
//!
//! The random lives run a few thousand times. More by hand, in release mode:
//!
//! ```text
//! THREADFOLD_CASES=100000 cargo test --release --test agent
//! ```
//!
//! `tests/support/check.rs` says how a run is repeated.

// A test may panic: that is how it fails.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

#[path = "../support/mod.rs"]
mod support;

mod chance;
mod deeds;
mod ledger;
mod lives;
mod outside;
mod paths;
mod rules;
mod store;
mod table;
mod trees;
mod world;
