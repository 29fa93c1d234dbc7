//! Tokens by their bytes, as keys of one size.

use crate::keys::{bits_for, hash, hash2, place};
use crate::vocabulary::{Held, Level, NO_TOKEN, NOTHING, held, level_of};

/// Which hashes some token may have: most lookups find nothing, and this tells it from memory that is at hand,
/// where the tables would have to be fetched. Each hash is two bits of one word.
pub(crate) struct Filter(Box<[u64]>);

/// The bits of a hash that choose its word: ten bits for each token of the largest vocabulary.
const FILTER_BITS: u32 = 15;

impl Filter {
    pub(crate) fn new() -> Self {
        Self(vec![0; 1 << FILTER_BITS].into_boxed_slice())
    }

    #[inline(always)]
    fn bits(hash: u64) -> u64 {
        let bit = |from: u32| 1_u64.wrapping_shl((hash >> from) as u32);
        bit(64 - FILTER_BITS - 6) | bit(64 - FILTER_BITS - 12)
    }

    #[inline(always)]
    fn add(&mut self, hash: u64) {
        if let Some(word) = self.0.get_mut(place(hash, FILTER_BITS)) {
            *word |= Self::bits(hash);
        }
    }

    #[inline(always)]
    fn may_have(&self, hash: u64) -> bool {
        self.0.get(place(hash, FILTER_BITS)).is_some_and(|word| !word & Self::bits(hash) == 0)
    }
}

/// What a table is looked up by. The default stands for an empty place: no key is 0, as each holds its length.
pub(crate) trait Key: Copy + Default + PartialEq {
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

/// How many tokens are added at a time.
const AT_A_TIME: usize = 64;

/// Open addressing, at most two thirds full. Keys and levels lie apart, since most lookups find nothing.
pub(crate) struct Table<K> {
    keys: Box<[K]>,
    levels: Box<[Held]>,
    bits: u32,
    /// What is still to be added, with its hash.
    pending: Vec<(K, u64, Level)>,
}

impl<K: Key> Table<K> {
    pub(crate) fn with_room(count: usize) -> Self {
        let bits = bits_for(count);
        Self {
            keys: vec![K::default(); 1 << bits].into_boxed_slice(),
            levels: vec![NOTHING; 1 << bits].into_boxed_slice(),
            bits,
            pending: Vec::with_capacity(AT_A_TIME),
        }
    }

    /// Adds a token, by the batch; false once a batch held a token that was there already or had no room. Of the last
    /// batch [`Self::flush`] tells.
    #[inline(always)]
    pub(crate) fn add(&mut self, key: K, level: Level, filter: &mut Filter) -> bool {
        self.pending.push((key, key.hash(), level));
        self.pending.len() < AT_A_TIME || self.flush(filter)
    }

    /// Adds what is pending. With nothing else to do between them, the places of several are fetched from memory side
    /// by side.
    #[inline(never)]
    pub(crate) fn flush(&mut self, filter: &mut Filter) -> bool {
        let pending = std::mem::take(&mut self.pending);
        let mut all = true;
        for &(key, hash, level) in &pending {
            filter.add(hash);
            all &= self.put(key, hash, level);
        }
        self.pending = pending;
        self.pending.clear();
        all
    }

    fn put(&mut self, key: K, hash: u64, level: Level) -> bool {
        let place = self.place(key, hash);
        match (self.keys.get_mut(place), self.levels.get_mut(place)) {
            (Some(known), Some(slot)) if *known == K::default() => {
                *known = key;
                *slot = held(level);
                true
            }
            _ => false,
        }
    }

    #[inline(always)]
    pub(crate) fn get(&self, key: K, filter: &Filter) -> Level {
        let hash = key.hash();
        if filter.may_have(hash) {
            self.levels.get(self.place(key, hash)).map_or(NO_TOKEN, |&held| level_of(held))
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
