//! The few tokens that are longer than those in the tables.

use crate::keys::{bits_for, hash2, key16, place};
use crate::vocabulary::{Level, MIDDLING, NO_TOKEN};

/// Tokens, their bytes one behind the other.
pub(crate) struct LongTokens {
    bytes: Vec<u8>,
    /// Where each ends in the bytes, and its level.
    tokens: Vec<(u32, Level)>,
    /// The number of a token, from 1 on; 0 where a place is empty.
    places: Box<[u32]>,
    bits: u32,
}

impl LongTokens {
    pub(crate) fn with_room(count: usize) -> Self {
        let bits = bits_for(count);
        Self { bytes: Vec::new(), tokens: Vec::new(), places: vec![0; 1 << bits].into_boxed_slice(), bits }
    }

    pub(crate) fn add(&mut self, token: &[u8], level: Level) -> bool {
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

    pub(crate) fn get(&self, token: &[u8]) -> Level {
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
