//! How many tokens the pieces have that came up lately.
//!
//! Texts repeat their words, and a place here costs less than merging, or than a look into the large
//! tables. Each piece has one place, where a newer one takes it over; shorter ones may stand beside it.

use std::cell::{Cell, RefCell};

use crate::keys::{hash2, key16, place, word};

/// The bits of a place among the shorter pieces, and among the longer ones.
const SHORTER_BITS: u32 = 16;
const LONGER_BITS: u32 = 13;

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

/// The key of a piece, with its tokens. That of none is 0, as each key holds a length.
#[derive(Clone, Default)]
struct ShorterPlace(Cell<[u64; 2]>);

impl ShorterPlace {
    #[inline(always)]
    fn known(&self, [low, high]: [u64; 2]) -> Option<u64> {
        let [known_low, known_high] = self.0.get();
        (known_low == low && known_high & WITHOUT_TOKENS == high).then_some(known_high >> TOKENS_SHIFT)
    }

    fn is_free(&self) -> bool {
        self.0.get() == [0, 0]
    }

    fn keep(&self, [low, high]: [u64; 2], tokens: u64) {
        self.0.set([low, high | tokens << TOKENS_SHIFT]);
    }
}

/// A piece and its tokens.
type LongPlace = (Vec<u8>, u64);

/// The counts of pieces.
pub(crate) struct Cache {
    shorter: Box<[ShorterPlace]>,
    longer: Box<[Cell<[u64; 4]>]>,
    longest: Box<[RefCell<LongPlace>]>,
}

impl Cache {
    pub(crate) fn new() -> Self {
        Self {
            shorter: vec![ShorterPlace::default(); 1 << SHORTER_BITS].into_boxed_slice(),
            longer: vec![Cell::default(); 1 << LONGER_BITS].into_boxed_slice(),
            longest: vec![RefCell::default(); 1 << LONGEST_BITS].into_boxed_slice(),
        }
    }

    /// One that keeps nothing.
    pub(crate) fn none() -> Self {
        Self { shorter: Box::default(), longer: Box::default(), longest: Box::default() }
    }

    /// The tokens of a piece of at most 15 bytes by its key, if they are known at its own place.
    #[inline(always)]
    pub(crate) fn shorter(&self, key: [u64; 2]) -> Option<u64> {
        self.shorter.get(Self::place_of_shorter(key))?.known(key)
    }

    /// The same where its own place has another piece: then it may be at the one beside. `count` counts what is at
    /// neither, which is kept where there is room, at its own place if there is none.
    pub(crate) fn shorter_elsewhere(&self, key: [u64; 2], count: impl FnOnce() -> u64) -> u64 {
        let own = Self::place_of_shorter(key);
        let (Some(own), Some(beside)) = (self.shorter.get(own), self.shorter.get(own ^ 1)) else { return count() };
        if let Some(tokens) = beside.known(key) {
            return tokens;
        }
        let tokens = count();
        if tokens <= MOST_TOKENS {
            let place = if own.is_free() || !beside.is_free() { own } else { beside };
            place.keep(key, tokens);
        }
        tokens
    }

    #[inline(always)]
    fn place_of_shorter(key: [u64; 2]) -> usize {
        place(hash2(key), SHORTER_BITS)
    }

    /// The tokens of a piece of 16 to 31 bytes, which has one place; `count` counts what is not there.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn count(cache: &Cache, text: &str, tokens: u64) -> u64 {
        let key = key16(text.as_bytes(), 0, text.len());
        cache.shorter(key).unwrap_or_else(|| cache.shorter_elsewhere(key, || tokens))
    }

    /// Words whose own place is one of two beside each other.
    fn neighbours() -> [Vec<String>; 2] {
        let place_of = |word: &String| Cache::place_of_shorter(key16(word.as_bytes(), 0, word.len()));
        let words = || (0..).map(|number: u32| format!("word {number}"));
        let first = place_of(&"word 0".to_owned());
        [first, first ^ 1].map(|place| words().filter(|word| place_of(word) == place).take(3).collect())
    }

    #[test]
    fn a_piece_that_finds_its_place_taken_stands_beside_it_where_there_is_room() {
        let [[one, two, three], [four, ..]] = neighbours().map(|words| <[String; 3]>::try_from(words).unwrap());
        let cache = Cache::new();
        assert_eq!((count(&cache, &one, 1), count(&cache, &two, 2)), (1, 2));
        assert_eq!((count(&cache, &one, 9), count(&cache, &two, 9)), (1, 2));
        // No room any more: it takes its own place.
        assert_eq!((count(&cache, &three, 3), count(&cache, &three, 9)), (3, 3));
        assert_eq!((count(&cache, &two, 9), count(&cache, &one, 4)), (2, 4));
        // The place of another is never free for that one alone.
        assert_eq!((count(&cache, &four, 5), count(&cache, &four, 9), count(&cache, &two, 6)), (5, 5, 6));
    }

    #[test]
    fn what_has_too_many_tokens_is_counted_each_time() {
        let cache = Cache::new();
        assert_eq!((count(&cache, "many", 16), count(&cache, "many", 15), count(&cache, "many", 1)), (16, 15, 15));
    }

    #[test]
    fn longer_pieces_are_told_apart() {
        let cache = Cache::new();
        let text = "a".repeat(600);
        for length in 16..=LONGER {
            assert_eq!(cache.longer(text.as_bytes(), 0, length, || length as u64 - 16), length as u64 - 16);
        }
        for length in 32..=LONGEST {
            assert_eq!(cache.longest(&text.as_bytes()[..length], || length as u64), length as u64);
        }
        assert_eq!(cache.longest(&text.as_bytes()[..LONGEST], || 0), LONGEST as u64);
    }
}
