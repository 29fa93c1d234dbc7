//! The texts that every encoding is held to: each kind of writing, code, data and oddity at least once. What is drawn
//! at random is the same in every run.

pub(crate) mod code;
pub(crate) mod data;
pub(crate) mod emoji;
pub(crate) mod files;
pub(crate) mod letters;
pub(crate) mod runs;
pub(crate) mod scripts;
pub(crate) mod white_space;

/// A text with a name to find it again.
#[derive(Clone)]
pub(crate) struct Sample {
    pub(crate) name: String,
    pub(crate) text: String,
}

impl Sample {
    pub(crate) fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into() }
    }
}

/// What is drawn at random here, by its name.
pub(crate) fn drawn(name: &str) -> fastrand::Rng {
    fastrand::Rng::with_seed(
        name.bytes().fold(20_261_130_u64, |seed, byte| seed.wrapping_mul(31).wrapping_add(u64::from(byte))),
    )
}

/// Everything that is at hand without an installed package, but for the longest runs.
pub(crate) fn own() -> Vec<Sample> {
    [
        scripts::samples(),
        emoji::samples(),
        code::samples(),
        data::samples(),
        runs::samples(),
        white_space::samples(),
        letters::samples(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
