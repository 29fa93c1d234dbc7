//! Exact counts: our counter equals tiktoken-rs on everything that it can count, and a slow reading of the published
//! pattern on the rest. Fifty thousand random texts; more by hand, in release mode:
//!
//! ```text
//! THREADFOLD_CASES=20000000 cargo test --release --test tokens random
//! ```
//!
//! A run prints its seed; `THREADFOLD_SEED=<seed>` repeats it.

// A test may panic: that is how it fails.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod classes;
mod corpus;
mod encodings;
mod equality;
mod parts;
mod random;
mod reference;
mod reference_tests;
mod shrink;
mod unicode;
