//! How many tokens the pieces have that came up lately.
//!
//! Texts repeat their words, and a place here costs less than merging, or than a look into the large
//! tables. Each piece has one place; a newer one takes it over.

use std::cell::{Cell, RefCell};

use crate::keys::{hash2, key16, place, word};

/// The bits of a place among the shorter pieces, and among the longer ones.
const SHORTER_BITS: u32 = 13;
const LONGER_BITS: u32 = 12;

/// The most bytes of a shorter piece: with their number they fill two words.
pub(crate) const SHORTER: usize = 15;
/// The most bytes of a longer piece: with their number they fill four words.
pub(crate) const LONGER: usize = 31;

/// The most bytes of a piece that is kept: rules and boxes of tables are as long.
pub(crate) const LONGEST: usize = 512;
/// The bits of a place among the pieces that are longer still.
const LONGEST_BITS: u32 = 6;

/// The highest byte of a key holds the length, at most 15, in its lower half; a place keeps the tokens in the other.
const TOKENS_SHIFT: u32 = 60;
const WITHOUT_TOKENS: u64 = (1 << TOKENS_SHIFT) - 1;
/// More tokens are not kept.
const MOST_TOKENS: u64 = 15;

/// A piece and its tokens.
type LongPlace = (Vec<u8>, u64);

/// The counts of pieces.
pub(crate) struct Cache {
    shorter: Box<[Cell<[u64; 2]>]>,
    longer: Box<[Cell<[u64; 4]>]>,
    longest: Box<[RefCell<LongPlace>]>,
}

impl Cache {
    pub(crate) fn new() -> Self {
        Self {
            shorter: vec![Cell::default(); 1 << SHORTER_BITS].into_boxed_slice(),
            longer: vec![Cell::default(); 1 << LONGER_BITS].into_boxed_slice(),
            longest: vec![RefCell::default(); 1 << LONGEST_BITS].into_boxed_slice(),
        }
    }

    /// The tokens of a piece of at most 15 bytes; `count` counts them where they are not known.
    #[inline(always)]
    pub(crate) fn shorter(&self, text: &[u8], from: usize, to: usize, count: impl FnOnce() -> u64) -> u64 {
        let [low, high] = key16(text, from, to);
        let Some(place) = self.shorter.get(place(hash2([low, high]), SHORTER_BITS)) else { return count() };
        let [known_low, known_high] = place.get();
        if known_low == low && known_high & WITHOUT_TOKENS == high {
            return known_high >> TOKENS_SHIFT;
        }
        let tokens = count();
        if tokens <= MOST_TOKENS {
            place.set([low, high | tokens << TOKENS_SHIFT]);
        }
        tokens
    }

    /// The same of a piece of 16 to 31 bytes.
    #[inline(always)]
    pub(crate) fn longer(&self, text: &[u8], from: usize, to: usize, count: impl FnOnce() -> u64) -> u64 {
        let [second_low, second_high] = key16(text, from + 16, to);
        let key = [word(text, from, 8), word(text, from + 8, 8), second_low, second_high];
        let hashed = hash2([hash2([key[0], key[1]]), hash2([key[2], key[3]])]);
        let Some(place) = self.longer.get(place(hashed, LONGER_BITS)) else { return count() };
        let known = place.get();
        if known[..3] == key[..3] && known[3] & WITHOUT_TOKENS == key[3] && known[3] != 0 {
            return known[3] >> TOKENS_SHIFT;
        }
        let tokens = count();
        if tokens <= MOST_TOKENS {
            place.set([key[0], key[1], key[2], key[3] | tokens << TOKENS_SHIFT]);
        }
        tokens
    }

    /// The same of a piece of 32 to 512 bytes.
    pub(crate) fn longest(&self, piece: &[u8], count: impl FnOnce() -> u64) -> u64 {
        // Of a row of equal characters the length tells most.
        let ends = word(piece, 0, 8) ^ word(piece, piece.len() - 8, 8).rotate_left(1);
        let place = self.longest.get(place(hash2([ends, piece.len() as u64]), LONGEST_BITS));
        let Some(Ok(mut place)) = place.map(RefCell::try_borrow_mut) else { return count() };
        if place.0 != piece {
            place.1 = count();
            place.0.clear();
            place.0.extend_from_slice(piece);
        }
        place.1
    }
}
