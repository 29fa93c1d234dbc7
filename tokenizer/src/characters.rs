//! Where merging may begin with a whole character.
//!
//! Most characters of more than one byte are tokens, and their bytes become one before anything else happens
//! to them. Not so where a token crosses a border of the character and begins or ends in its middle: then
//! some of the bytes may go elsewhere first. Such tokens are few, and of each it is known which bytes stand
//! beside the border. So a character that stands among other neighbours is whole: as long as it is in parts, two
//! of them can be merged, at a level that is not above its own, and no merge crosses its borders.

use crate::bits::Bits;
use crate::keys::pair;
use crate::vocabulary::Level;

/// Characters from here on are always merged from their bytes: nearly none of them are tokens.
const BELOW: usize = 0x2_0000;

/// The characters of more than one byte that are tokens, and the borders that are not safe.
pub(crate) struct Characters {
    tokens: Bits,
    /// By the last byte before a border and the first one behind it: whether a token crosses it that begins in the
    /// middle of the character before, or ends in the middle of the one behind.
    crossed: Bits,
}

impl Characters {
    pub(crate) fn new() -> Self {
        Self { tokens: Bits::new(BELOW), crossed: Bits::new(1 << 16) }
    }

    /// Notes what a token of at least two bytes says about characters. One that no merge makes says nothing.
    pub(crate) fn note(&mut self, token: &[u8], level: Level) {
        let is_ascii = |byte: Option<&u8>| byte.is_none_or(u8::is_ascii);
        if level == 0 || is_ascii(token.first()) && is_ascii(token.last()) {
            return;
        }
        if let Some(character) = only_character(token) {
            self.tokens.set(character);
            return;
        }
        let last_bytes = token.iter().take_while(|&&byte| is_continuation(byte)).count();
        for border in [last_bytes, token.len() - unfinished(token)] {
            if let Some(&[before, behind]) = border.checked_sub(1).and_then(|at| token.get(at..border + 1)) {
                self.crossed.set(pair(before, behind));
            }
        }
    }

    /// Those that are tokens, by their code points.
    pub(crate) fn tokens(&self) -> &Bits {
        &self.tokens
    }

    /// Whether a token may cross the border between two bytes, which begins in the middle of the character before
    /// it, or ends in the middle of the one behind.
    #[inline(always)]
    pub(crate) fn is_crossed(&self, before: u8, behind: u8) -> bool {
        self.crossed.has(pair(before, behind))
    }

    /// The bytes of the character at a byte of `text[from..to]`, which is merged by itself, where none of
    /// its merges cuts the character; else 1.
    #[inline(always)]
    pub(crate) fn whole(&self, text: &[u8], at: usize, from: usize, to: usize) -> usize {
        let byte = |at: usize| text.get(at).copied().unwrap_or(0);
        let first = byte(at);
        if first < 0xc0 {
            return 1;
        }
        let (character, length) = read(first, |further| byte(at + further));
        let end = at + length;
        if !self.tokens.has(character)
            || end > to
            || at > from && self.crossed.has(pair(byte(at - 1), first))
            || end < to && self.crossed.has(pair(byte(end - 1), byte(end)))
        {
            return 1;
        }
        length
    }
}

/// The code point of the character that a token of more than one byte consists of, if it is one.
fn only_character(token: &[u8]) -> Option<usize> {
    let (&first, rest) = token.split_first()?;
    let (character, length) = read(first, |further| token.get(further).copied().unwrap_or(0));
    let is_one = length == token.len() && !is_continuation(first) && rest.iter().all(|&byte| is_continuation(byte));
    is_one.then_some(character)
}

/// The code point of the character beyond ASCII that begins with a byte, and its length in bytes. `byte` gives those
/// behind the first.
#[inline(always)]
fn read(first: u8, byte: impl Fn(usize) -> u8) -> (usize, usize) {
    let bits = |further: usize| usize::from(byte(further) & 0x3f);
    let high = usize::from(first);
    match high {
        ..0xe0 => ((high & 0x1f) << 6 | bits(1), 2),
        0xe0..0xf0 => ((high & 0xf) << 12 | bits(1) << 6 | bits(2), 3),
        _ => ((high & 7) << 18 | bits(1) << 12 | bits(2) << 6 | bits(3), 4),
    }
}

fn is_continuation(byte: u8) -> bool {
    (0x80..0xc0).contains(&byte)
}

/// How many bytes at the end are the first ones of a character that is not all there.
fn unfinished(token: &[u8]) -> usize {
    let behind = token.iter().rev().take_while(|&&byte| is_continuation(byte)).count();
    let Some(&first) = token.len().checked_sub(behind + 1).and_then(|at| token.get(at)) else { return 0 };
    let length = match first {
        0xc0..0xe0 => 2,
        0xe0..0xf0 => 3,
        0xf0.. => 4,
        _ => 1,
    };
    if behind + 1 < length { behind + 1 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(characters: &Characters, text: &str) -> Vec<usize> {
        let text = text.as_bytes();
        let (mut at, mut lengths) = (0, Vec::new());
        while at < text.len() {
            let length = characters.whole(text, at, 0, text.len());
            lengths.push(length);
            at += length;
        }
        lengths
    }

    #[test]
    fn characters_that_are_tokens_are_whole_but_at_borders_that_a_token_crosses() {
        let mut characters = Characters::new();
        for (token, level) in [("é", 3), ("中", 4), ("国", 5), ("a", 6), ("à", 0), ("中国", 7), ("\u{2f800}", 8)]
        {
            characters.note(token.as_bytes(), level);
        }
        assert_eq!(whole(&characters, "aé中国é"), [1, 2, 3, 3, 2]);
        // No merge makes the first, the second is no token, the third lies beyond.
        assert_eq!(whole(&characters, "àü\u{2f800}"), [1; 8]);
        // The last byte of 中 with 国; those of "é" and more with the first one of 中.
        characters.note(&"中国".as_bytes()[2..], 9);
        assert_eq!(whole(&characters, "中é国中国中"), [3, 2, 3, 1, 1, 1, 1, 1, 1, 3]);
        characters.note(&"éé中".as_bytes()[..5], 9);
        assert_eq!(whole(&characters, "aéaé中"), [1, 2, 1, 1, 1, 1, 1, 1]);
        // What is merged by itself has no neighbours.
        assert_eq!(characters.whole("é中".as_bytes(), 2, 2, 5), 3);
        assert_eq!(characters.whole("é中".as_bytes(), 0, 0, 2), 2);
        assert_eq!(characters.whole("é中".as_bytes(), 2, 2, 4), 1);
    }
}
