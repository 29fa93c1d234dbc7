//! A few bytes that are copied quickly.

use crate::ascii::HIGH;
use crate::keys::bytes16;

/// The most bytes, and behind them room for a step of copying and for keys to be read.
const ROOM: usize = 512;
const PADDING: usize = 16;
/// The bytes of a step.
const STEP: usize = 8;

/// Bytes with room behind them. In wasm a copy whose length is not known costs a call; copies of a fixed
/// length, a little more than is needed, do not.
pub(crate) struct Word {
    bytes: [u8; ROOM + PADDING],
    length: usize,
}

impl Default for Word {
    fn default() -> Self {
        Self { bytes: [0; ROOM + PADDING], length: 0 }
    }
}

impl Word {
    pub(crate) fn len(&self) -> usize {
        self.length
    }

    /// The bytes.
    #[cfg(any(test, feature = "build"))]
    pub(crate) fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }

    /// The same in two numbers, if it is short.
    #[inline(always)]
    pub(crate) fn short(&self) -> Option<ShortWord> {
        (self.length <= ShortWord::MOST).then(|| ShortWord::of(&self.bytes, self.length))
    }

    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        self.bytes.get_mut(..self.length).unwrap_or_default()
    }

    /// The bytes, and whatever stands behind them.
    pub(crate) fn padded(&self) -> &[u8] {
        &self.bytes
    }

    /// Keeps at most so many bytes.
    pub(crate) fn truncate(&mut self, length: usize) {
        self.length = self.length.min(length);
    }

    /// Adds the first bytes of a text, as far as there is room.
    #[inline(always)]
    pub(crate) fn extend(&mut self, text: &[u8], length: usize) {
        let length = length.min(text.len()).min(ROOM - self.length);
        let mut done = 0;
        while done < length {
            let to = self.length + done;
            match (text.get(done..).and_then(|rest| rest.first_chunk::<STEP>()), self.bytes.get_mut(to..)) {
                (Some(step), Some(room)) if room.len() >= STEP => {
                    if let Some(slot) = room.first_chunk_mut::<STEP>() {
                        *slot = *step;
                    }
                    done += STEP;
                }
                (_, room) => {
                    let slot = room.and_then(<[u8]>::first_mut);
                    if let (Some(slot), Some(&byte)) = (slot, text.get(done)) {
                        *slot = byte;
                    }
                    done += 1;
                }
            }
        }
        self.length += length;
    }
}

/// At most 15 bytes, as numbers: the first one is the lowest, and behind the last one is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ShortWord {
    pub(crate) bytes: [u64; 2],
    pub(crate) length: usize,
}

impl ShortWord {
    /// The most bytes.
    pub(crate) const MOST: usize = 15;

    /// The first bytes of a text.
    #[inline(always)]
    pub(crate) fn of(text: &[u8], length: usize) -> Self {
        Self { bytes: bytes16(text, 0, length), length }
    }

    #[inline(always)]
    pub(crate) fn is_ascii(self) -> bool {
        (self.bytes[0] | self.bytes[1]) & HIGH == 0
    }

    /// The bytes, with 0 behind them.
    #[inline(always)]
    pub(crate) fn padded(self) -> [u8; 16] {
        let [low, high] = self.bytes.map(u128::from);
        (high << 64 | low).to_le_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_added_whatever_stands_behind_them() {
        let text: Vec<u8> = (0..=255).chain(0..=255).chain(0..=255).collect();
        for first in [0, 1, 7, 8, 9, 200] {
            for second in [0, 1, 7, 8, 9, 255] {
                for known in [second, second + 3, 600] {
                    let mut word = Word::default();
                    word.extend(&text, first);
                    word.extend(&text[..known], second);
                    assert_eq!(word.bytes(), [&text[..first], &text[..second]].concat());
                }
            }
        }
        let mut full = Word::default();
        full.extend(&text, 400);
        full.extend(&text, 400);
        assert_eq!(full.bytes(), [&text[..400], &text[..112]].concat());
        full.truncate(3);
        full.truncate(9);
        assert_eq!(full.bytes(), &text[..3]);
    }
}
