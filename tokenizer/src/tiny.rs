//! Pieces of one to three ASCII letters, or digits, counted without a branch for their length.
//!
//! Hashes, base64 and the like are full of them, one behind the other and of all lengths: each branch that asks
//! for one would be foretold wrongly every other time, which costs more than the counting.

use crate::bits::Bits;

/// One byte in each of four.
const fn each(byte: u8) -> u32 {
    u32::from_ne_bytes([byte; 4])
}

/// The bit of each byte that no ASCII has.
const HIGH: u32 = each(0x80);

/// What two letters, or two digits, and what three are tokens.
pub(crate) struct Tiny {
    /// For each first byte the second ones.
    pairs: [u64; FIRST],
    triples: Bits,
}

/// Letters differ in these lowest bits, and so do digits; the bit above them tells which it is.
const BITS: u32 = 6;
const LOW: u8 = (1 << BITS) - 1;
const FIRST: usize = 2 << BITS;

impl Tiny {
    pub(crate) fn new() -> Self {
        Self { pairs: [0; FIRST], triples: Bits::new(FIRST << BITS << BITS) }
    }

    /// Notes a token.
    #[inline(always)]
    pub(crate) fn note(&mut self, token: &[u8]) {
        if !token.iter().all(u8::is_ascii_alphabetic) && !token.iter().all(u8::is_ascii_digit) {
            return;
        }
        match *token {
            [first, second] => {
                if let Some(seconds) = self.pairs.get_mut(usize::from(first)) {
                    *seconds |= 1 << (second & LOW);
                }
            }
            [first, second, third] => self.triples.set(place(first, second, third)),
            _ => {}
        }
    }

    /// The bytes and the tokens of the piece that begins at a byte; no bytes where it is of another kind, or where
    /// what follows might belong to it. With `CASED`, small letters end a piece that capitals begin anew.
    #[inline(always)]
    pub(crate) fn at<const CASED: bool>(&self, text: &[u8], at: usize) -> (usize, u64) {
        // More than are looked at, so that the end of the text is not near.
        let Some(&[first, second, third, fourth, ..]) = text.get(at..).and_then(|rest| rest.first_chunk::<8>()) else {
            return (0, 0);
        };
        let bytes = u32::from_le_bytes([first, second, third, fourth]);
        let letters = between(bytes | each(b' '), b'a', b'z');
        let length = if CASED {
            let capitals = letters & !bytes << 2;
            let length = leading(capitals);
            length + leading((letters & !capitals).wrapping_shr(8 * length))
        } else {
            leading(letters)
        };
        let length = length + leading(between(bytes, b'0', b'9')).min(3);
        let is_tiny = (length.wrapping_sub(1) < 3) & (bytes & HIGH == 0);
        // It may begin a contraction.
        if !is_tiny || CASED && bytes.wrapping_shr(8 * length) as u8 == b'\'' {
            return (0, 0);
        }
        // A byte that is not in it becomes 0, with which nothing is a token: no letter or digit has only zeros lowest.
        let [first, second, third, _] = (bytes & 1_u32.wrapping_shl(8 * length).wrapping_sub(1)).to_le_bytes();
        let is_token = self.triples.has(place(first, second, third));
        let is_merged = is_token | self.is_pair(first, second) | self.is_pair(second, third);
        // Three are merged twice only where all of them are a token.
        (length as usize, u64::from(length) - u64::from(is_merged) - u64::from(is_token))
    }

    #[inline(always)]
    fn is_pair(&self, first: u8, second: u8) -> bool {
        self.pairs.get(usize::from(first)).is_some_and(|seconds| seconds >> (second & LOW) & 1 == 1)
    }
}

/// How many of the lowest bytes have their high bit set.
#[inline(always)]
fn leading(bits: u32) -> u32 {
    (!bits & HIGH).trailing_zeros() / 8
}

/// The high bit of each byte that lies between two, as far as the bytes are ASCII.
#[inline(always)]
fn between(bytes: u32, first: u8, last: u8) -> u32 {
    let low = bytes & !HIGH;
    (low + each(0x80 - first)) & !(low + each(0x7f - last)) & HIGH
}

#[inline(always)]
fn place(first: u8, second: u8, third: u8) -> usize {
    let [first, second, third] = [first, second & LOW, third & LOW].map(usize::from);
    (first << BITS | second) << BITS | third
}

#[cfg(test)]
#[cfg(feature = "build")]
mod tests {
    use crate::merge::{FEW_PARTS, merge};
    use crate::testing::vocabulary;
    use crate::vocabulary::NO_TOKEN;

    /// What may stand behind a piece without belonging to it.
    const BEHIND: &str = " .,;:-+";

    fn cased(text: &str) -> (usize, u64) {
        vocabulary().tiny_piece::<true>(text.as_bytes(), 0)
    }

    fn caseless(text: &str) -> (usize, u64) {
        vocabulary().tiny_piece::<false>(text.as_bytes(), 0)
    }

    #[test]
    fn a_piece_has_as_many_tokens_as_merging_gives() {
        let one = ('a'..='z').chain('A'..='Z').map(String::from).collect::<Vec<_>>();
        let more = |pieces: &[String]| -> Vec<_> {
            pieces.iter().flat_map(|piece| one.iter().map(move |letter| format!("{piece}{letter}"))).collect()
        };
        let (two, numbers) = (more(&one), (0..1000).map(|number| number.to_string()));
        for piece in numbers.chain(one.clone()).chain(more(&two)).chain(two) {
            let bytes = piece.as_bytes();
            let is_token = bytes.len() == 1 || vocabulary().level(bytes, 0, bytes.len()) != NO_TOKEN;
            let merged = merge::<FEW_PARTS>(vocabulary(), bytes, 0, bytes.len()).len() as u64;
            let expected = (piece.len(), if is_token { 1 } else { merged });
            assert_eq!(caseless(&format!("{piece}{BEHIND}")), expected, "{piece}");
        }
    }

    #[test]
    fn capitals_begin_a_piece_anew_where_they_matter() {
        for (piece, text) in [("a", "aB"), ("ab", "abC"), ("Ab", "AbC"), ("ABc", "ABcD"), ("AB", "AB1"), ("7", "7a")] {
            assert_eq!(cased(&format!("{text}{BEHIND}")).0, piece.len(), "{text}");
        }
        assert_eq!(caseless(&format!("aBc{BEHIND}")).0, 3);
        assert_eq!(caseless(&format!("12345{BEHIND}")).0, 3);
    }

    #[test]
    fn what_may_be_longer_or_of_another_kind_is_left() {
        let other = ["abcd", "a\u{e9}", "abc\u{e9}", "12\u{663}", "", " a", ".a", "\n", "\u{e9}a"];
        for text in other {
            assert_eq!(cased(&format!("{text}{BEHIND}")), (0, 0), "{text}");
            assert_eq!(caseless(&format!("{text}{BEHIND}")), (0, 0), "{text}");
        }
        // A contraction belongs to the word before it only where capitals matter.
        assert_eq!(cased(&format!("he's{BEHIND}")), (0, 0));
        assert_eq!(caseless(&format!("he's{BEHIND}")).0, 2);
        // The end of the text is near.
        assert_eq!(caseless("ab ...."), (0, 0));
        assert_eq!(caseless("ab ....."), (2, 1));
    }
}
