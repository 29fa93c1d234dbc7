//! How many tokens the pieces have that came up lately.
//!
//! Texts repeat their words, and a place here costs less than merging, or than a look into the large tables.

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

/// So many places lie side by side in a row. A piece has one of its own, and stands at another of the row where that is
/// taken: of the words of a text, few rows have more. With one place each, words that share it would push each other
/// out all the time.
const ROW: usize = 4;

/// The key of a piece, with its tokens in the last word. That of none is 0, as new memory is.
type Place<const WORDS: usize> = Cell<[u64; WORDS]>;

/// The tokens of a piece, if a place has it.
#[inline(always)]
fn known<const WORDS: usize>(place: &Place<WORDS>, key: [u64; WORDS]) -> Option<u64> {
    let known = place.get();
    let (&[ref words @ .., last], &[ref key_words @ .., key_last]) = (known.as_slice(), key.as_slice()) else {
        return None;
    };
    (words == key_words && last & WITHOUT_TOKENS == key_last).then_some(last >> TOKENS_SHIFT)
}

fn is_free<const WORDS: usize>(place: &Place<WORDS>) -> bool {
    place.get() == [0; WORDS]
}

fn keep<const WORDS: usize>(place: &Place<WORDS>, mut key: [u64; WORDS], tokens: u64) {
    if let Some(last) = key.last_mut() {
        *last |= tokens << TOKENS_SHIFT;
    }
    place.set(key);
}

/// The places of pieces whose keys have so many words.
struct Places<const WORDS: usize>(Box<[Place<WORDS>]>);

impl<const WORDS: usize> Places<WORDS> {
    fn new(bits: u32) -> Self {
        Self(bytemuck::zeroed_slice_box(1 << bits))
    }

    fn none() -> Self {
        Self(Box::default())
    }

    /// The tokens of a piece, if they are known at its own place.
    #[inline(always)]
    fn known(&self, own: usize, key: [u64; WORDS]) -> Option<u64> {
        known(self.0.get(own)?, key)
    }

    /// The same of one that is not at its own place. `count` counts what is nowhere in the row, which is then kept, at
    /// its own place if none is free.
    #[inline(always)]
    fn known_elsewhere(&self, own: usize, key: [u64; WORDS], count: impl FnOnce() -> u64) -> u64 {
        let row = self.0.get(own & !(ROW - 1)..).and_then(|rest| rest.first_chunk::<ROW>());
        let Some((row, own)) = row.and_then(|row| Some((row, row.get(own % ROW)?))) else { return count() };
        if let Some(tokens) = row.iter().find_map(|place| known(place, key)) {
            return tokens;
        }
        let tokens = count();
        if tokens <= MOST_TOKENS {
            let free = [own].into_iter().chain(row).find(|place| is_free(place));
            keep(free.unwrap_or(own), key, tokens);
        }
        tokens
    }
}

/// A piece and its tokens.
type LongPlace = (Vec<u8>, u64);

/// The counts of pieces.
pub(crate) struct Cache {
    shorter: Places<2>,
    longer: Places<4>,
    longest: Box<[RefCell<LongPlace>]>,
}

impl Cache {
    pub(crate) fn new() -> Self {
        Self {
            shorter: Places::new(SHORTER_BITS),
            longer: Places::new(LONGER_BITS),
            longest: vec![RefCell::default(); 1 << LONGEST_BITS].into_boxed_slice(),
        }
    }

    /// One that keeps nothing.
    pub(crate) fn none() -> Self {
        Self { shorter: Places::none(), longer: Places::none(), longest: Box::default() }
    }

    /// The tokens of a piece of at most 15 bytes by its key, if they are known at its own place.
    #[inline(always)]
    pub(crate) fn shorter(&self, key: [u64; 2]) -> Option<u64> {
        self.shorter.known(place(hash2(key), SHORTER_BITS), key)
    }

    /// The same where its own place has another piece; `count` counts what is not known.
    #[inline(always)]
    pub(crate) fn shorter_elsewhere(&self, key: [u64; 2], count: impl FnOnce() -> u64) -> u64 {
        self.shorter.known_elsewhere(place(hash2(key), SHORTER_BITS), key, count)
    }

    /// The tokens of a piece of 16 to 31 bytes; `count` counts what is not known.
    #[inline(always)]
    pub(crate) fn longer(&self, text: &[u8], from: usize, to: usize, count: impl FnOnce() -> u64) -> u64 {
        let [low, high] = key16(text, from + 16, to);
        let key = [word(text, from, 8), word(text, from + 8, 8), low, high];
        if key == [0; 4] {
            // Sixteen bytes of 0, which look like a free place.
            return count();
        }
        let own = place(hash2([hash2([key[0], key[1]]), hash2([low, high])]), LONGER_BITS);
        match self.longer.known(own, key) {
            Some(tokens) => tokens,
            None => self.longer.known_elsewhere(own, key, count),
        }
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

    fn key(text: &str) -> [u64; 2] {
        key16(text.as_bytes(), 0, text.len())
    }

    fn count(cache: &Cache, text: &str, tokens: u64) -> u64 {
        cache.shorter(key(text)).unwrap_or_else(|| cache.shorter_elsewhere(key(text), || tokens))
    }

    /// Words whose own place is one of two in a row.
    fn neighbours() -> [[String; 5]; 2] {
        let place_of = |word: &String| place(hash2(key(word)), SHORTER_BITS);
        let words = || (0..).map(|number: u32| format!("word {number}"));
        let first = place_of(&"word 0".to_owned());
        [first, first ^ 1].map(|own| {
            let words: Vec<String> = words().filter(|word| place_of(word) == own).take(5).collect();
            words.try_into().unwrap()
        })
    }

    #[test]
    fn a_piece_that_finds_its_place_taken_stands_elsewhere_in_the_row_while_there_is_room() {
        let [[one, two, three, four, five], [other, ..]] = neighbours();
        let cache = Cache::new();
        for (word, tokens) in [(&one, 1), (&two, 2), (&three, 3), (&four, 4)] {
            assert_eq!(count(&cache, word, tokens), tokens);
        }
        for (word, tokens) in [(&one, 1), (&two, 2), (&three, 3), (&four, 4)] {
            assert_eq!(count(&cache, word, 9), tokens);
        }
        // No room any more: it takes its own place, and leaves the others theirs.
        assert_eq!((count(&cache, &five, 5), count(&cache, &five, 9)), (5, 5));
        assert_eq!((count(&cache, &two, 9), count(&cache, &three, 9), count(&cache, &four, 9)), (2, 3, 4));
        assert_eq!((count(&cache, &other, 6), count(&cache, &other, 9)), (6, 6));
        assert_eq!(count(&cache, &five, 9), 5);
        let left = [&two, &three, &four].map(|word| count(&cache, word, 9));
        assert_eq!(left.iter().filter(|&&tokens| tokens == 9).count(), 1);
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

    #[test]
    fn bytes_of_0_are_no_free_place() {
        let cache = Cache::new();
        let text = [0; LONGER];
        for length in 16..=LONGER {
            let counts = [3, 4].map(|tokens| cache.longer(&text, 0, length, || tokens));
            assert_eq!(counts, if length == 16 { [3, 4] } else { [3, 3] }, "{length}");
        }
        for length in 1..=SHORTER {
            assert_eq!(cache.shorter(key16(&text, 0, length)), None);
        }
    }
}
