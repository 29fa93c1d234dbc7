//! Counting a long piece a window at a time, in a time that grows with its length alone.
//!
//! Tokens are those of a text exactly where each two neighbours are what merging their own bytes gives:
//! the first merge that went wrong would go wrong between two of them already. So a piece is merged in
//! windows, and where a window meets the tokens before it, the two tokens at the border are merged
//! together. If they come out as they went in, the border holds. If not, the last token is taken back
//! and the window begins there; if that happens again and again it gets wider, and at last reaches to the
//! end of the piece.

use std::collections::VecDeque;

use crate::merge::{MOST_PARTS, Merged, merge};
use crate::vocabulary::Vocabulary;
use crate::wide_merge::wide_merge;

/// How many tokens at the end of a window are left to the next one: what follows may change them.
const LEFT_OPEN: usize = 2;
/// How many tokens can be taken back. More is never needed but by texts that are made for it, which
/// are then merged as a whole.
const KEPT: usize = 64;
/// The bytes of a window that is wider than what is merged at once, at first.
const WIDER: usize = 256;
/// The bytes of a window in a row of one character: its tokens are long, so much is left open.
const OF_ROWS: usize = 4_096;
/// How many bytes make a row.
const ROW: usize = 48;
/// So many tokens are taken back before windows get wider.
const SETBACKS: u32 = 2;

/// How far a long piece is counted.
#[derive(Debug, Clone)]
pub(crate) struct LongPiece {
    start: usize,
    end: usize,
    /// Tokens that are not taken back any more.
    settled: u64,
    /// Where the tokens behind those begin.
    recent: VecDeque<usize>,
    /// The byte behind the last token.
    at: usize,
    /// The bytes that a window has at least; 0 where it is as much as is merged at once.
    window: usize,
    /// How far `at` has ever been: windows get wider until it is passed.
    farthest: usize,
    /// How many tokens were taken back since.
    setbacks: u32,
}

impl LongPiece {
    /// Nothing of `text[start..end]` is counted.
    pub(crate) fn new(start: usize, end: usize) -> Self {
        let recent = VecDeque::with_capacity(2 * KEPT);
        Self { start, end, settled: 0, recent, at: start, window: 0, farthest: start, setbacks: 0 }
    }

    /// The byte behind the piece.
    pub(crate) fn end(&self) -> usize {
        self.end
    }

    /// The first byte that is not counted.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// The tokens, once all are counted.
    pub(crate) fn tokens(&self) -> Option<u64> {
        (self.at >= self.end).then_some(self.settled + self.recent.len() as u64)
    }

    /// Counts a window more, or takes a token back.
    pub(crate) fn step(&mut self, vocabulary: &Vocabulary, text: &[u8]) {
        let (starts, to) = self.window(vocabulary, text);
        let second = starts.iter().nth(1).unwrap_or(to);
        if !self.border_holds(vocabulary, text, second) {
            self.take_back(vocabulary, text);
            return;
        }
        let kept = if to == self.end { starts.len() } else { starts.len().saturating_sub(LEFT_OPEN) };
        let at = starts.iter().nth(kept).unwrap_or(to);
        if kept == 0 || at <= self.farthest && to < self.end {
            // Nothing is won yet.
            self.widen();
            return;
        }
        self.recent.extend(starts.iter().take(kept));
        self.at = at;
        self.farthest = at;
        while self.recent.len() > KEPT {
            self.recent.pop_front();
            self.settled += 1;
        }
        self.window = 0;
        self.setbacks = 0;
    }

    /// The tokens of the next window, and the byte behind it.
    fn window(&self, vocabulary: &Vocabulary, text: &[u8]) -> (Starts, usize) {
        let width = if begins_row(text, self.at) { self.window.max(OF_ROWS) } else { self.window };
        if width == 0 {
            let merged = merge(vocabulary, text, self.at, self.end);
            let to = merged.end;
            (Starts::Short(merged), to)
        } else {
            let to = self.end.min(self.at.saturating_add(width));
            (Starts::Wide(self.at, wide_merge(vocabulary, text, self.at, to)), to)
        }
    }

    fn widen(&mut self) {
        self.window = self.window.saturating_mul(2).max(WIDER);
    }

    /// Whether the last token and the one from `at` to `next` stay two when they are merged.
    fn border_holds(&self, vocabulary: &Vocabulary, text: &[u8], next: usize) -> bool {
        let Some(&last) = self.recent.back() else { return true };
        let merged = merge(vocabulary, text, last, next);
        let starts = if merged.end == next {
            Starts::Short(merged)
        } else {
            Starts::Wide(last, wide_merge(vocabulary, text, last, next))
        };
        starts.len() == 2 && starts.iter().nth(1) == Some(self.at)
    }

    fn take_back(&mut self, vocabulary: &Vocabulary, text: &[u8]) {
        self.setbacks += 1;
        if self.setbacks > SETBACKS {
            self.widen();
        }
        if let Some(last) = self.recent.pop_back() {
            self.at = last;
        }
        if self.recent.is_empty() && self.settled > 0 {
            let starts = wide_merge(vocabulary, text, self.start, self.end);
            self.settled = starts.len() as u64;
            self.at = self.end;
        }
    }
}

/// Whether one character comes again and again from a byte on, or few in turn.
fn begins_row(text: &[u8], at: usize) -> bool {
    let row = text.get(at..at + ROW).unwrap_or_default();
    (1..=4).any(|period| row.len() == ROW && row.iter().zip(row.iter().skip(period)).all(|(a, b)| a == b))
}

/// Where the tokens of a window begin.
#[expect(clippy::large_enum_variant, reason = "it lives on the stack, for one step")]
enum Starts {
    Short(Merged<MOST_PARTS>),
    /// From this byte on.
    Wide(usize, Vec<usize>),
}

impl Starts {
    fn len(&self) -> usize {
        match self {
            Self::Short(merged) => merged.len(),
            Self::Wide(_, starts) => starts.len(),
        }
    }

    fn iter(&self) -> impl Iterator<Item = usize> {
        let (short, wide) = match self {
            Self::Short(merged) => (Some(merged.starts()), None),
            Self::Wide(from, starts) => (None, Some(starts.iter().map(move |start| from + start))),
        };
        short.into_iter().flatten().chain(wide.into_iter().flatten())
    }
}

#[cfg(test)]
#[cfg(feature = "build")]
mod tests {
    use super::*;
    use crate::testing::vocabulary;

    /// Long pieces of all kinds: rows of one character, of few, of many, of characters that may be cut.
    fn pieces() -> Vec<Vec<u8>> {
        let alphabets =
            ["a", "aA", " ", "=", "ab", "abcdefghij", "aeinrst", "─", "的一是", "é", "\u{11f00}\u{1f600}", "अिल"];
        let mut state = 7_u64;
        let mut below = |limit: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % limit
        };
        let mut pieces = Vec::new();
        for alphabet in alphabets {
            let characters: Vec<char> = alphabet.chars().collect();
            for length in [1, 2, 63, 64, 65, 128, 129, 700, 3_000] {
                pieces.push((0..length).map(|_| characters[below(characters.len())]).collect::<String>().into_bytes());
            }
        }
        // Rows that change in their middle: what was counted of the first may have to be taken back.
        for (first, second) in [("a", "b"), (" ", "\u{a0}"), ("=", "=-"), ("ab", "ba")] {
            pieces.push(format!("{}{}", first.repeat(90), second.repeat(90)).into_bytes());
        }
        pieces.push((0..2_000).map(|_| below(256) as u8).collect());
        pieces
    }

    #[test]
    fn windows_give_what_merging_the_whole_gives() {
        for piece in pieces() {
            let expected = wide_merge(vocabulary(), &piece, 0, piece.len()).len() as u64;
            let mut long_piece = LongPiece::new(0, piece.len());
            let mut steps = 0;
            while long_piece.tokens().is_none() {
                long_piece.step(vocabulary(), &piece);
                steps += 1;
                assert!(steps <= 2 * piece.len() + 64, "{:?} does not end", String::from_utf8_lossy(&piece));
            }
            assert_eq!(long_piece.tokens(), Some(expected), "{:?}", String::from_utf8_lossy(&piece));
        }
    }

    #[test]
    fn a_piece_of_which_too_much_is_taken_back_is_merged_as_a_whole() {
        let piece = "a".repeat(1_000).into_bytes();
        let mut long_piece = LongPiece::new(0, piece.len());
        while long_piece.settled == 0 {
            long_piece.step(vocabulary(), &piece);
        }
        while long_piece.tokens().is_none() {
            long_piece.take_back(vocabulary(), &piece);
        }
        assert_eq!(long_piece.tokens(), Some(wide_merge(vocabulary(), &piece, 0, piece.len()).len() as u64));
    }
}
