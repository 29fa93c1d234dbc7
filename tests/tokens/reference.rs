//! A slow, plain reading of what the encodings publish: the pattern that cuts a text into pieces, with the
//! backtracking of a regular expression, and byte pair merging by ranks.
//!
//! It counts what tiktoken-rs cannot (a megabyte of spaces overflows its pattern's stack), and is held to tiktoken-rs
//! on everything else.

pub(crate) mod merge;
pub(crate) mod pattern;

use crate::classes::Class;
use merge::Ranks;
use pattern::{Alternative, first_match};

/// One encoding, as it is published.
pub(crate) struct Reference {
    pub(crate) pattern: &'static [Alternative],
    pub(crate) ranks: Ranks,
}

impl Reference {
    pub(crate) fn count(&self, text: &str) -> u64 {
        self.pieces(text).map(|piece| self.ranks.count(piece.as_bytes())).sum()
    }

    /// The pieces that tokens never cross, in order.
    pub(crate) fn pieces<'t>(&self, text: &'t str) -> impl Iterator<Item = &'t str> {
        let classes: Vec<(char, Class)> = text.chars().map(|char| (char, Class::of(char))).collect();
        let (mut at, mut start) = (0, 0);
        std::iter::from_fn(move || {
            if at == classes.len() {
                return None;
            }
            let end = first_match(self.pattern, &classes, at);
            let bytes: usize = classes[at..end].iter().map(|(char, _)| char.len_utf8()).sum();
            let piece = &text[start..start + bytes];
            (at, start) = (end, start + bytes);
            Some(piece)
        })
    }
}
