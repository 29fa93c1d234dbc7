//! The tokens of an encoding and their levels, to be looked up by their bytes.

use crate::characters::Characters;
use crate::keys::{hash, hash2, key8, key16, place};

/// When a merge is made: the lower, the sooner. 0 is for tokens that no merge makes.
pub(crate) type Level = u16;
/// The level of what is no token.
pub(crate) const NO_TOKEN: Level = Level::MAX;

/// The most bytes of a token in the tables of short and of middling ones.
const SHORT: usize = 7;
const MIDDLING: usize = 15;

/// The tokens. Those of one byte are not in it: every byte is a token.
pub(crate) struct Vocabulary {
    /// By both bytes of those that have two: where merging begins.
    pairs: Box<[Level]>,
    filter: Filter,
    short: Table<u64>,
    middling: Table<[u64; 2]>,
    long: LongTokens,
    characters: Characters,
    /// The most bytes of a token.
    longest: usize,
}

impl Vocabulary {
    /// An empty one, with room for as many tokens as there are of each length in bytes.
    pub(crate) fn with_room(counts: &[usize]) -> Self {
        let between =
            |from: usize, to: usize| counts.iter().skip(from).take((to + 1).saturating_sub(from)).sum::<usize>();
        Self {
            pairs: vec![NO_TOKEN; 1 << 16].into_boxed_slice(),
            filter: Filter::new(),
            short: Table::with_room(between(2, SHORT)),
            middling: Table::with_room(between(SHORT + 1, MIDDLING)),
            long: LongTokens::with_room(between(MIDDLING + 1, counts.len())),
            characters: Characters::new(),
            longest: counts.iter().rposition(|&count| count > 0).unwrap_or(0),
        }
    }

    /// Adds the token that is the first bytes of a text, at least two; whether there was room for it and it was new.
    #[inline(always)]
    pub(crate) fn add(&mut self, text: &[u8], length: usize, level: Level) -> bool {
        if let (2, &[first, second, ..]) = (length, text)
            && let Some(slot) = self.pairs.get_mut(pair(first, second))
        {
            *slot = level;
        }
        self.characters.note(text.get(..length).unwrap_or_default(), level);
        match length {
            0 | 1 => false,
            2..=SHORT => self.short.add(key8(text, 0, length), level, &mut self.filter),
            8..=MIDDLING => self.middling.add(key16(text, 0, length), level, &mut self.filter),
            _ => self.long.add(text.get(..length).unwrap_or_default(), level),
        }
    }

    /// The level of a part of a text of at least two bytes, or [`NO_TOKEN`].
    #[inline(always)]
    pub(crate) fn level(&self, text: &[u8], from: usize, to: usize) -> Level {
        match to - from {
            2 => match text.get(from..to) {
                Some(&[first, second]) => self.level_of_pair(first, second),
                _ => NO_TOKEN,
            },
            3..=SHORT => self.short.get(key8(text, from, to), &self.filter),
            8..=MIDDLING => self.middling.get(key16(text, from, to), &self.filter),
            length if length > 1 && length <= self.longest => self.long.get(text.get(from..to).unwrap_or_default()),
            _ => NO_TOKEN,
        }
    }

    /// The bytes of the character at a byte of `text[from..to]` where merging may begin with all of it; else 1.
    #[inline(always)]
    pub(crate) fn whole_character(&self, text: &[u8], at: usize, from: usize, to: usize) -> usize {
        self.characters.whole(text, at, from, to)
    }

    /// The level of two bytes.
    #[inline(always)]
    fn level_of_pair(&self, first: u8, second: u8) -> Level {
        self.pairs.get(pair(first, second)).copied().unwrap_or(NO_TOKEN)
    }

    /// How many tokens two bytes are.
    #[inline(always)]
    pub(crate) fn tokens_of_pair(&self, first: u8, second: u8) -> u64 {
        1 + u64::from(self.level_of_pair(first, second) == NO_TOKEN)
    }
}

#[inline(always)]
fn pair(first: u8, second: u8) -> usize {
    usize::from(first) << 8 | usize::from(second)
}

/// Which hashes some token may have, as bits: most lookups find nothing, and this tells it from memory that
/// is at hand, where the tables would have to be fetched.
struct Filter(Box<[u64]>);

/// The bits of a filter that a hash is one of: ten for each token of the largest vocabulary.
const FILTER_BITS: u32 = 21;

impl Filter {
    fn new() -> Self {
        Self(vec![0; 1 << (FILTER_BITS - 6)].into_boxed_slice())
    }

    fn add(&mut self, hash: u64) {
        let bit = place(hash, FILTER_BITS);
        if let Some(word) = self.0.get_mut(bit / 64) {
            *word |= 1 << (bit % 64);
        }
    }

    #[inline(always)]
    fn may_have(&self, hash: u64) -> bool {
        let bit = place(hash, FILTER_BITS);
        self.0.get(bit / 64).is_some_and(|word| word >> (bit % 64) & 1 == 1)
    }
}

/// What a table is looked up by. The default stands for an empty place: no key is 0, as each holds its length.
trait Key: Copy + Default + PartialEq {
    fn hash(self) -> u64;
}

impl Key for u64 {
    #[inline(always)]
    fn hash(self) -> u64 {
        hash(self)
    }
}

impl Key for [u64; 2] {
    #[inline(always)]
    fn hash(self) -> u64 {
        hash2(self)
    }
}

/// Open addressing, at most two thirds full. Keys and levels lie apart, since most lookups find nothing.
struct Table<K> {
    keys: Box<[K]>,
    levels: Box<[Level]>,
    bits: u32,
}

impl<K: Key> Table<K> {
    fn with_room(count: usize) -> Self {
        let bits = (count * 3 / 2).max(2).next_power_of_two().trailing_zeros();
        Self {
            keys: vec![K::default(); 1 << bits].into_boxed_slice(),
            levels: vec![NO_TOKEN; 1 << bits].into_boxed_slice(),
            bits,
        }
    }

    fn add(&mut self, key: K, level: Level, filter: &mut Filter) -> bool {
        let hash = key.hash();
        filter.add(hash);
        let place = self.place(key, hash);
        match (self.keys.get_mut(place), self.levels.get_mut(place)) {
            (Some(known), Some(slot)) if *known == K::default() => {
                *known = key;
                *slot = level;
                true
            }
            _ => false,
        }
    }

    #[inline(always)]
    fn get(&self, key: K, filter: &Filter) -> Level {
        let hash = key.hash();
        if filter.may_have(hash) {
            self.levels.get(self.place(key, hash)).copied().unwrap_or(NO_TOKEN)
        } else {
            NO_TOKEN
        }
    }

    /// Where a key is or would be. A full table, which is none that was filled by its counts, has no place for it.
    #[inline(always)]
    fn place(&self, key: K, hash: u64) -> usize {
        let mask = self.keys.len() - 1;
        let first = place(hash, self.bits);
        let mut place = first;
        loop {
            match self.keys.get(place) {
                Some(&found) if found != key && found != K::default() => {}
                _ => return place,
            }
            place = (place + 1) & mask;
            if place == first {
                return usize::MAX;
            }
        }
    }
}

/// The few tokens that are longer, their bytes one behind the other.
struct LongTokens {
    bytes: Vec<u8>,
    /// Where each ends in the bytes, and its level.
    tokens: Vec<(u32, Level)>,
    /// The number of a token, from 1 on; 0 where a place is empty.
    places: Box<[u32]>,
    bits: u32,
}

impl LongTokens {
    fn with_room(count: usize) -> Self {
        let bits = (count * 3 / 2).max(2).next_power_of_two().trailing_zeros();
        Self { bytes: Vec::new(), tokens: Vec::new(), places: vec![0; 1 << bits].into_boxed_slice(), bits }
    }

    fn add(&mut self, token: &[u8], level: Level) -> bool {
        let place = self.place(token);
        let (Ok(number), Some(slot)) = (u32::try_from(self.tokens.len() + 1), self.places.get_mut(place)) else {
            return false;
        };
        if *slot != 0 {
            return false;
        }
        *slot = number;
        self.bytes.extend_from_slice(token);
        self.tokens.push((self.bytes.len() as u32, level));
        true
    }

    fn get(&self, token: &[u8]) -> Level {
        let number = self.places.get(self.place(token)).copied().unwrap_or(0);
        let index = (number as usize).wrapping_sub(1);
        self.tokens.get(index).map_or(NO_TOKEN, |&(_, level)| level)
    }

    fn place(&self, token: &[u8]) -> usize {
        let mask = self.places.len() - 1;
        let chunks = token.chunks(MIDDLING).map(|chunk| hash2(key16(chunk, 0, chunk.len())));
        let first = place(chunks.fold(0, |hashed, chunk| hash2([hashed, chunk])), self.bits);
        let mut place = first;
        loop {
            match self.places.get(place) {
                Some(&number) if number != 0 && self.bytes_of(number) != token => {}
                _ => return place,
            }
            place = (place + 1) & mask;
            if place == first {
                return usize::MAX;
            }
        }
    }

    fn bytes_of(&self, number: u32) -> &[u8] {
        let end_of = |number: u32| (number as usize).checked_sub(1).and_then(|index| self.tokens.get(index));
        let from = end_of(number.wrapping_sub(1)).map_or(0, |&(end, _)| end as usize);
        let to = end_of(number).map_or(0, |&(end, _)| end as usize);
        self.bytes.get(from..to).unwrap_or_default()
    }
}
