//! The sample session: a day's work of a developer and a coding agent on an invented service, as JSONL.
//!
//! Everything in it is made up here: the service (berths, cranes and tides of a harbour), its source
//! files, what its tools print. The agent's tools are carried out on the invented repository, so a file
//! that was edited reads differently afterwards, and a search finds what is there.

// A test that fails by a panic says what it must.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing))]

mod clock;
mod day;
mod habits;
mod image;
mod json;
mod output;
mod project;
mod rng;
mod story;
mod tools;
mod writer;

/// The session as JSONL of version 3: a header and one entry a line. The same text every time.
pub fn generate() -> String {
    let mut day = day::Day::new(0x5eed_4a7b);
    story::tell(&mut day);
    day.out.finish()
}

#[cfg(test)]
mod tests;
