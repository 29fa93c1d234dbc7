//! Merging any number of bytes, a level at a time.
//!
//! A token has a higher level than its parts, so making all merges of one level makes none of that level
//! or below possible. One pass from left to right makes them, and the levels that are there are passed in
//! their order. Of a long row of equal characters, which is what most wide merges are for, half of the
//! parts are gone with each pass; of any text there are at most as many passes as levels.

use crate::vocabulary::{Level, NO_TOKEN, Vocabulary};

#[derive(Clone, Copy)]
struct Part {
    begin: u32,
    /// The level it has together with the next part.
    level: Level,
    /// Whether the newest pass made it.
    is_new: bool,
}

/// The bytes at which the tokens of `text[from..to]` begin, counted from `from`.
pub(crate) fn wide_merge(vocabulary: &Vocabulary, text: &[u8], from: usize, to: usize) -> Vec<usize> {
    let mut parts = Vec::with_capacity(to - from);
    let mut at = from;
    while at < to {
        parts.push(Part { begin: at as u32, level: NO_TOKEN, is_new: true });
        at += vocabulary.whole_character(text, at, from, to);
    }
    loop {
        find_levels(vocabulary, text, to, &mut parts);
        let lowest = parts.iter().fold(NO_TOKEN, |lowest, part| lowest.min(part.level));
        if lowest == NO_TOKEN {
            return parts.iter().map(|part| part.begin as usize - from).collect();
        }
        merge_all(&mut parts, lowest);
    }
}

/// Finds the level of each part whose own end or whose next part is new.
fn find_levels(vocabulary: &Vocabulary, text: &[u8], to: usize, parts: &mut [Part]) {
    let begin_of = |part: Option<&Part>| part.map_or(to, |part| part.begin as usize);
    for at in 0..parts.len() {
        let (Some(&part), next) = (parts.get(at), parts.get(at + 1)) else { return };
        if !part.is_new && next.is_none_or(|next| !next.is_new) {
            continue;
        }
        let level = match next {
            Some(_) => vocabulary.level(text, part.begin as usize, begin_of(parts.get(at + 2))),
            None => NO_TOKEN,
        };
        if let Some(part) = parts.get_mut(at) {
            // What no merge makes has the level 0.
            part.level = if level == 0 { NO_TOKEN } else { level };
        }
    }
}

/// Makes all merges of a level, from left to right.
fn merge_all(parts: &mut Vec<Part>, level: Level) {
    let (mut kept, mut at) = (0, 0);
    while let Some(&part) = parts.get(at) {
        let merges = part.level == level;
        if let Some(slot) = parts.get_mut(kept) {
            *slot = Part { is_new: merges, ..part };
        }
        kept += 1;
        at += if merges { 2 } else { 1 };
    }
    parts.truncate(kept);
}
