//! Where a grapheme cluster ends, which is what a reader sees as one character: the rules of
//! UAX #29 for extended clusters.
//!
//! The classes of the characters are a table of our own, `cluster/table.rs`, of 1.8 kB: the engine
//! asks for one boundary near a cut, and what unicode-segmentation brings for that is many times
//! as large. That crate stays the authority: the tests make the table from its answers, and hold
//! the boundaries against it.

mod table;

use std::str::Chars;
use table::{RUNS, TABLE};

/// What a character is to the rules: the values of its property Grapheme_Cluster_Break, with the
/// consonants and linkers of Indic conjuncts and the pictographs told apart. A class's code in the
/// table is its place in this list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Class {
    Other,
    /// A mark that joins what is before it. The next three do so too.
    Extend,
    /// A mark that makes a conjunct of the consonants on its sides.
    Linker,
    /// U+200C, an `Extend` that parts a conjunct.
    NonJoiner,
    /// U+200D, which joins pictographs.
    Joiner,
    SpacingMark,
    /// Joins what is behind it.
    Prepend,
    /// CR and LF too.
    Control,
    RegionalIndicator,
    Pictographic,
    /// A consonant that takes part in conjuncts.
    Consonant,
    /// The parts of a Hangul syllable: leading consonant, vowel, trailing consonant.
    L,
    V,
    T,
    /// A Hangul syllable of all three. In the table those without a trailing consonant are among
    /// these.
    Lvt,
    /// A Hangul syllable without a trailing consonant.
    Lv,
}

impl Class {
    const ALL: [Self; 16] = [
        Self::Other,
        Self::Extend,
        Self::Linker,
        Self::NonJoiner,
        Self::Joiner,
        Self::SpacingMark,
        Self::Prepend,
        Self::Control,
        Self::RegionalIndicator,
        Self::Pictographic,
        Self::Consonant,
        Self::L,
        Self::V,
        Self::T,
        Self::Lvt,
        Self::Lv,
    ];
}

/// Bits of a class's code.
const CODE_BITS: u32 = 4;
const CODE: u32 = (1 << CODE_BITS) - 1;

/// The first Hangul syllable, and how many there are with the same beginning: one without a
/// trailing consonant, then one with each.
const FIRST_SYLLABLE: u32 = 0xac00;
const SYLLABLES_WITH_ONE_BEGINNING: u32 = 28;

/// The last boundary between grapheme clusters at or before `place`, which lies between two
/// characters of the text (for any other place it is 0).
///
/// Looks back as far as the cluster at the place reaches, and for flags as far as their row, at
/// each character a few times at most: the cost is linear in that even where a whole text is one
/// cluster. Reading the table takes some microseconds; between two characters of ASCII it is not
/// read.
pub(super) fn last_boundary(text: &str, place: usize) -> usize {
    let Some((head, tail)) = text.split_at_checked(place) else { return 0 };
    match (head.as_bytes().last(), tail.as_bytes().first()) {
        // The only rule on what follows a control character. Before one is always a boundary.
        (Some(b'\r'), Some(b'\n')) => return place - 1,
        (Some(0..=0x7f), Some(0..=0x7f)) => return place,
        _ => {}
    }
    let Some(next) = tail.chars().next() else { return place };
    let classes = Classes::read();
    let mut next = classes.class(next);
    let mut before = head.chars();
    loop {
        let place = before.as_str().len();
        let Some(previous) = before.next_back() else { return 0 };
        let previous = classes.class(previous);
        if classes.is_boundary(before.clone(), previous, next) {
            return place;
        }
        next = previous;
    }
}

/// The table, read for search: for each run of characters of one class the first one, and the
/// code in the lowest bits.
struct Classes([u32; RUNS]);

impl Classes {
    /// Each run of the table is one number: its length less one, and the code in the lowest bits.
    /// A number is written seven bits to a byte, the lowest first, with the highest bit set in all
    /// bytes but its last.
    fn read() -> Self {
        let mut runs = [u32::MAX; RUNS];
        let mut bytes = TABLE.iter();
        let mut start = 0;
        for run in &mut runs {
            let mut number = 0;
            let mut shift = 0;
            for &byte in bytes.by_ref() {
                number |= u32::from(byte & 0x7f) << shift;
                shift += 7;
                if byte < 0x80 {
                    break;
                }
            }
            *run = start << CODE_BITS | number & CODE;
            start += (number >> CODE_BITS) + 1;
        }
        Self(runs)
    }

    fn class(&self, character: char) -> Class {
        let character = u32::from(character);
        let behind = self.0.partition_point(|&run| run >> CODE_BITS <= character);
        let run = self.0.get(behind.wrapping_sub(1)).copied().unwrap_or_default();
        match Class::ALL.get((run & CODE) as usize) {
            Some(Class::Lvt) if (character - FIRST_SYLLABLE).is_multiple_of(SYLLABLES_WITH_ONE_BEGINNING) => Class::Lv,
            class => class.copied().unwrap_or(Class::Other),
        }
    }

    /// Whether a cluster ends between two characters of these classes, the first of which follows
    /// `before`. CR before LF is not looked at.
    fn is_boundary(&self, before: Chars<'_>, previous: Class, next: Class) -> bool {
        use Class::*;
        let mut before = before.rev().map(|character| self.class(character));
        match (previous, next) {
            // GB4 and GB5.
            (Control, _) | (_, Control) => true,
            // GB6 to GB8.
            (L, L | V | Lv | Lvt) | (Lv | V, V | T) | (Lvt | T, T) => false,
            // GB9, GB9a and GB9b.
            (_, Extend | Linker | NonJoiner | Joiner | SpacingMark) | (Prepend, _) => false,
            // GB9c: consonants with marks between them, of which one is a linker.
            (Extend | Linker | Joiner, Consonant) => {
                let mut linked = previous == Linker;
                let base = before.find(|&class| {
                    linked |= class == Linker;
                    !matches!(class, Extend | Linker | Joiner)
                });
                !(linked && base == Some(Consonant))
            }
            // GB11: pictographs with marks and one joiner between them.
            (Joiner, Pictographic) => {
                let base = before.find(|class| !matches!(class, Extend | Linker | NonJoiner));
                base != Some(Pictographic)
            }
            // GB12 and GB13: a flag is two indicators, counted from the first of their row.
            (RegionalIndicator, RegionalIndicator) => {
                before.take_while(|&class| class == RegionalIndicator).count() % 2 == 1
            }
            // GB999.
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests;
