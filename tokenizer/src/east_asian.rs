//! Pieces of Chinese, Japanese and Korean, which have no spaces and so are long, counted by what stands alone.
//!
//! Most characters of such a text have no token in common with the next one. What lies between two borders that no
//! token crosses is merged for itself, and mostly that is one character, whose tokens are known.
//!
//! That is exact. A token that crosses the border of two such characters either holds both of them, and then they are
//! noted as a pair; or it begins in the middle of the first or ends in the middle of the second, and then the border is
//! one that [`crate::characters`] calls crossed. Where neither is so, no merge crosses the border, and both sides are
//! merged as if the other was not there. Two characters at a border that is not crossed can only become the token that
//! they are together. One character is a token, or two bytes of it are, or none; one that no merge makes has no such two.

use std::ops::RangeInclusive;

use crate::bits::Bits;
use crate::keys::{hash, place};
use crate::vocabulary::{Level, NO_TOKEN};

/// The bytes of a character of U+3000 to U+FFFF, and its first byte.
const BYTES: usize = 3;
const FIRST: RangeInclusive<u8> = 0xe3..=0xef;
/// Each byte behind the first one.
const CONTINUATION: RangeInclusive<u8> = 0x80..=0xbf;

/// The bits of a hash of two characters.
const PAIR_BITS: u32 = 19;

/// The most items of a row: a bit of a word for each.
pub(crate) const MOST: usize = 64;

/// Which characters go together, and how many tokens each is.
pub(crate) struct EastAsian {
    /// Which hashes two characters may have that some token holds side by side.
    pairs: Bits,
    /// Which characters are more than one token, and which are more than two.
    two: Bits,
    three: Bits,
}

/// The items of a piece: its characters, and the bytes of all others.
pub(crate) struct Row {
    /// The bytes at which they begin.
    begins: [u32; MOST],
    count: u32,
    /// The byte behind them.
    end: usize,
    /// Behind which of them a token may go on, and behind which one may begin or end in the middle of a character.
    joined: u64,
    cut: u64,
    /// Which are more than one token, and which are more than two.
    two: u64,
    three: u64,
}

impl EastAsian {
    pub(crate) fn new() -> Self {
        Self { pairs: Bits::new(1 << PAIR_BITS), two: Bits::new(1 << 16), three: Bits::new(1 << 16) }
    }

    /// Notes which characters stand side by side in a token, also in one that no merge makes: a whole piece may be one.
    pub(crate) fn note(&mut self, token: &[u8]) {
        for both in token.windows(2 * BYTES) {
            if let (Some(one), Some(other)) = (character(both, 0), character(both, BYTES)) {
                self.pairs.set(pair(one, other));
            }
        }
    }

    /// All tokens are noted. `is_pair` tells whether two bytes are a token, `tokens` which characters are, by their
    /// code points.
    #[inline(never)]
    pub(crate) fn finish(&mut self, is_pair: impl Fn(u8, u8) -> bool, tokens: &Bits) {
        for second in CONTINUATION {
            // Each third byte is a bit.
            let with_second = CONTINUATION.rev().fold(0, |bits, third| bits << 1 | u64::from(is_pair(second, third)));
            for first in FIRST {
                let characters = code(first, second, 0);
                let two = !tokens.word(characters);
                self.two.set_word(characters, two);
                self.three.set_word(characters, if is_pair(first, second) { 0 } else { two & !with_second });
            }
        }
    }

    /// The items of a piece of at least two bytes; none if there are too many. `crossed` tells, of the last byte before
    /// a border and the first one behind, whether a token may cross it that cuts one of the two characters.
    #[inline(always)]
    pub(crate) fn row(&self, text: &[u8], from: usize, to: usize, crossed: impl Fn(u8, u8) -> bool) -> Option<Row> {
        let mut row = Row { begins: [0; MOST], count: 0, end: to, joined: 0, cut: 0, two: 0, three: 0 };
        let text = text.get(..to)?;
        let (mut at, mut before) = (from, None);
        while at < to {
            *row.begins.get_mut(row.count as usize)? = at as u32;
            let character = character(text, at);
            let bit = 1_u64.wrapping_shl(row.count);
            match (before, character) {
                (Some(before), Some(character)) => {
                    let cut = crossed(byte(text, at - 1), byte(text, at));
                    let joined = cut | self.pairs.has(pair(before, character));
                    row.cut |= (bit >> 1) * u64::from(cut);
                    row.joined |= (bit >> 1) * u64::from(joined);
                }
                // What else stands there may belong to anything.
                _ => {
                    row.cut |= bit >> 1;
                    row.joined |= bit >> 1;
                }
            }
            if let Some(character) = character {
                row.two |= bit * u64::from(self.two.has(character));
                row.three |= bit * u64::from(self.three.has(character));
                at += BYTES;
            } else {
                at += 1;
            }
            before = character;
            row.count += 1;
        }
        Some(row)
    }
}

impl Row {
    /// The tokens, unless all items may go together. `level` gives the level of what lies between two bytes,
    /// `merge` merges it.
    #[inline(always)]
    pub(crate) fn tokens(
        &self,
        level: impl Fn(usize, usize) -> Level,
        merge: impl Fn(usize, usize) -> u64,
    ) -> Option<u64> {
        let all = u64::MAX >> (MOST as u32 - self.count);
        if self.joined == all >> 1 {
            return None;
        }
        let mut tokens = self.tokens_of(all & !(self.joined | self.joined << 1));
        let mut joined = self.joined;
        while joined != 0 {
            let first = joined.trailing_zeros();
            let borders = (joined >> first).trailing_ones();
            let last = first + borders;
            joined &= u64::MAX.checked_shl(last).unwrap_or(0);
            let [from, to] = [first, last + 1].map(|item| self.begin(item));
            tokens += match level(from, to) {
                // Of two characters nothing else can come.
                NO_TOKEN if borders == 1 && self.cut >> first & 1 == 0 => self.tokens_of(3 << first),
                // No token, or one that no merge makes: a piece that is one has no border that is not joined.
                NO_TOKEN | 0 => merge(from, to),
                _ => 1,
            };
        }
        Some(tokens)
    }

    /// Those of characters of which each stands alone.
    #[inline(always)]
    fn tokens_of(&self, alone: u64) -> u64 {
        u64::from(alone.count_ones() + (alone & self.two).count_ones() + (alone & self.three).count_ones())
    }

    #[inline(always)]
    fn begin(&self, item: u32) -> usize {
        if item < self.count {
            self.begins.get(item as usize).map_or(self.end, |&begin| begin as usize)
        } else {
            self.end
        }
    }
}

/// Whether a piece is worth it: that it has such a character, and another one.
#[inline(always)]
pub(crate) fn is_in(text: &[u8], from: usize, to: usize) -> bool {
    to - from >= 2 * BYTES && character(text, to - BYTES).is_some()
}

/// The character at a byte, if it is one of those.
#[inline(always)]
fn character(text: &[u8], at: usize) -> Option<usize> {
    match text.get(at..).and_then(|rest| rest.first_chunk::<BYTES>()) {
        Some(&[first, second, third]) if FIRST.contains(&first) => Some(code(first, second, third)),
        _ => None,
    }
}

#[inline(always)]
fn code(first: u8, second: u8, third: u8) -> usize {
    let [first, second, third] = [first & 0xf, second & 0x3f, third & 0x3f].map(usize::from);
    first << 12 | second << 6 | third
}

#[inline(always)]
fn pair(one: usize, other: usize) -> usize {
    place(hash((one << 16 | other) as u64), PAIR_BITS)
}

fn byte(text: &[u8], at: usize) -> u8 {
    text.get(at).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Knows 中 and 文, the first two bytes of 字, and 中文.
    fn known() -> EastAsian {
        let mut known = EastAsian::new();
        known.note("中文".as_bytes());
        let [first, second, _] = *"字".as_bytes() else { unreachable!("it has three bytes") };
        let mut tokens = Bits::new(1 << 16);
        ['中', '文'].into_iter().for_each(|token| tokens.set(token as usize));
        known.finish(|one, other| [one, other] == [first, second], &tokens);
        known
    }

    /// The tokens of a text, and what was merged.
    fn tokens(text: &str, cut: (u8, u8)) -> Option<(u64, Vec<String>)> {
        let row = known().row(text.as_bytes(), 0, text.len(), |before, behind| (before, behind) == cut)?;
        let part = |from, to| String::from_utf8_lossy(&text.as_bytes()[from..to]).into_owned();
        let merged = std::cell::RefCell::new(Vec::new());
        let level = |from, to| if part(from, to) == "中文" { 7 } else { NO_TOKEN };
        let tokens = row.tokens(level, |from, to| {
            merged.borrow_mut().push(part(from, to));
            100
        });
        Some((tokens?, merged.into_inner()))
    }

    #[test]
    fn characters_that_no_token_joins_are_counted_for_themselves() {
        let none = (0, 0);
        assert_eq!(tokens("文中", none), Some((2, vec![])));
        assert_eq!(tokens("文中文文", none), Some((3, vec![])));
        // Two bytes of the first one are a token, none of the second one.
        assert_eq!(tokens("字국", none), Some((5, vec![])));
        // All of it may be one token: that is for others to say.
        assert_eq!(tokens("中文", none), None);
    }

    #[test]
    fn what_tokens_may_join_is_merged() {
        let before_the_last = |text: &str| {
            let border = text.len() - BYTES;
            (text.as_bytes()[border - 1], text.as_bytes()[border])
        };
        // Where one may begin in the middle of a character, two are merged, too.
        let (one, other) = before_the_last("中文国");
        assert_eq!(tokens("国中文国", (one, other)), Some((103, vec!["中文国".to_owned()])));
        let (one, other) = before_the_last("文国");
        assert_eq!(tokens("国中国文国", (one, other)), Some((3 + 1 + 3 + 100, vec!["文国".to_owned()])));
        // What else stands in a piece may belong to anything.
        assert_eq!(tokens("a文国", (0, 0)), Some((103, vec!["a文".to_owned()])));
        assert_eq!(tokens("国é中国", (0, 0)), Some((103, vec!["国é中".to_owned()])));
    }

    #[test]
    fn too_many_characters_are_left() {
        assert_eq!(tokens(&"国".repeat(MOST), (0, 0)), Some((3 * MOST as u64, vec![])));
        assert_eq!(tokens(&"国".repeat(MOST + 1), (0, 0)), None);
    }

    #[test]
    fn a_piece_is_told_by_its_end() {
        for (text, expected) in [("中文", true), ("a中文", true), ("中", false), ("中文a", false), ("日本éé", false)]
        {
            assert_eq!(is_in(text.as_bytes(), 0, text.len()), expected, "{text}");
        }
    }
}
