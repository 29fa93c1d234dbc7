//! Where the next piece of a text ends, by the pattern of an encoding.
//!
//! The patterns are regular expressions with alternatives that are tried in order, and each gives
//! back what it took too much. Here each is written out as what it comes to, from the first character
//! of a piece on. `tests/tokens/reference.rs` reads the patterns word by word and is held against this.

use crate::ascii::{letters, small_letters};
use crate::class::{CASELESS, Classes, LETTER, LOWER, MARK, NEWLINE, NUMBER, OTHER, UPPER, WHITE_SPACE};
use crate::encoding::Pattern;

/// A piece of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Piece {
    /// The byte behind it.
    pub(crate) end: usize,
    /// How far the text was looked at. Where that is the end of the text, more text could change the piece.
    pub(crate) seen: usize,
}

impl Piece {
    fn at(end: usize) -> Self {
        Self { end, seen: end }
    }
}

/// How far a contraction is looked for behind what was seen, in bytes: an apostrophe and two letters,
/// of which one may take two bytes.
pub(crate) const LOOKAHEAD: usize = 4;

/// Punctuation, symbols and what else a pattern calls neither white space nor letter nor number.
const SIGN: u8 = OTHER | MARK;
/// What may stand in an upper-case run of a word of `o200k`, and what in a lower-case one.
const UPPER_RUN: u8 = UPPER | CASELESS | MARK;
const LOWER_RUN: u8 = LOWER | CASELESS | MARK;

#[inline(always)]
pub(crate) fn o200k(classes: &Classes, text: &[u8], at: usize) -> Piece {
    // What nearly all texts consist of.
    let from = at + usize::from(text.get(at) == Some(&b' '));
    if text.get(from).is_some_and(u8::is_ascii_alphabetic) {
        return cased_word(classes, text, from);
    }
    let (class, length) = classes.at(text, at);
    if class & (LETTER | MARK) != 0 {
        return cased_word(classes, text, at);
    }
    if class == NUMBER {
        return up_to_three_numbers(classes, text, at);
    }
    if class == NEWLINE {
        return white_space(classes, text, at, Pattern::O200k);
    }
    let next = at + length;
    let (next_class, _) = classes.at(text, next);
    if next_class & (LETTER | MARK) != 0 {
        // One character of any other kind leads a word.
        cased_word(classes, text, next)
    } else if class == OTHER {
        signs(classes, text, at, b"\r\n/")
    } else if next_class == OTHER && text.get(at) == Some(&b' ') {
        signs(classes, text, next, b"\r\n/")
    } else {
        white_space(classes, text, at, Pattern::O200k)
    }
}

#[inline(always)]
pub(crate) fn cl100k(classes: &Classes, text: &[u8], at: usize) -> Piece {
    let (class, length) = classes.at(text, at);
    if class & LETTER != 0 {
        return word(classes, text, at);
    }
    if class == NUMBER {
        return up_to_three_numbers(classes, text, at);
    }
    if class == NEWLINE {
        return white_space(classes, text, at, Pattern::Cl100k);
    }
    // Here a contraction is a piece of its own, and goes before all else.
    let contraction = contraction(text, at, true);
    if contraction > 0 {
        return Piece::at(at + contraction);
    }
    let next = at + length;
    let (next_class, _) = classes.at(text, next);
    if next_class & LETTER != 0 {
        word(classes, text, next)
    } else if class & SIGN != 0 {
        signs(classes, text, at, b"\r\n")
    } else if next_class & SIGN != 0 && text.get(at) == Some(&b' ') {
        signs(classes, text, next, b"\r\n")
    } else {
        white_space(classes, text, at, Pattern::Cl100k)
    }
}

#[inline(always)]
pub(crate) fn gpt2(classes: &Classes, text: &[u8], at: usize) -> Piece {
    let contraction = contraction(text, at, false);
    if contraction > 0 {
        return Piece::at(at + contraction);
    }
    let from = at + usize::from(text.get(at) == Some(&b' '));
    let (class, _) = classes.at(text, from);
    if class & LETTER != 0 {
        return word(classes, text, from);
    }
    for kind in [NUMBER, SIGN] {
        if class & kind != 0 {
            return Piece::at(classes.run(text, from, kind));
        }
    }
    white_space(classes, text, at, Pattern::Gpt2)
}

/// A word of the older patterns: letters.
#[inline(always)]
fn word(classes: &Classes, text: &[u8], from: usize) -> Piece {
    Piece::at(classes.run(text, letters(text, from), LETTER))
}

/// A word of `o200k`, with the contraction behind it: upper-case letters, then lower-case ones.
/// Letters without case and marks are both, which decides where a word in capitals ends: where no
/// lower-case letter follows, behind the last of them that stands in it.
#[inline(always)]
fn cased_word(classes: &Classes, text: &[u8], from: usize) -> Piece {
    let mut at = from;
    while text.get(at).is_some_and(u8::is_ascii_uppercase) {
        at += 1;
    }
    let end = small_letters(text, at);
    // Any other character of ASCII ends a word, whether or not small letters followed the capitals.
    if text.get(end).is_some_and(u8::is_ascii) {
        return Piece::at(end + contraction(text, end, true));
    }
    cased_word_beyond_ascii(classes, text, from, at)
}

/// The same for a word that begins with capitals of ASCII up to a byte, but is not all ASCII, or ends the text.
fn cased_word_beyond_ascii(classes: &Classes, text: &[u8], from: usize, behind_capitals: usize) -> Piece {
    let mut at = behind_capitals;
    let mut behind_last_of_both = from;
    let class = loop {
        let (class, length) = classes.any_at(text, at);
        if class & UPPER_RUN == 0 {
            break class;
        }
        at += length;
        if class != UPPER {
            behind_last_of_both = at;
        }
    };
    let (end, seen) = if class == LOWER {
        let end = classes.any_run(text, at, LOWER_RUN);
        (end, end)
    } else if behind_last_of_both > from {
        (behind_last_of_both, at)
    } else {
        (at, at)
    };
    let end = end + contraction(text, end, true);
    Piece { end, seen: seen.max(end) }
}

/// The length of a contraction, such as `'s` or `'LL`, in bytes; 0 where there is none. Without regard
/// to case, the long s of old prints is an s.
#[inline(always)]
fn contraction(text: &[u8], at: usize, any_case: bool) -> usize {
    if text.get(at) != Some(&b'\'') {
        return 0;
    }
    let letter = |further: usize| {
        let letter = text.get(at + further).copied().unwrap_or(0);
        if any_case { letter.to_ascii_lowercase() } else { letter }
    };
    match (letter(1), letter(2)) {
        (b's' | b'd' | b'm' | b't', _) => 2,
        (b'l', b'l') | (b'v' | b'r', b'e') => 3,
        (0xc5, 0xbf) if any_case => 3,
        _ => 0,
    }
}

#[inline(always)]
fn up_to_three_numbers(classes: &Classes, text: &[u8], from: usize) -> Piece {
    let mut at = from;
    for _ in 0..3 {
        let (class, length) = classes.at(text, at);
        if class != NUMBER {
            break;
        }
        at += length;
    }
    Piece::at(at)
}

/// Signs, and what of `tail` follows them.
#[inline(always)]
fn signs(classes: &Classes, text: &[u8], from: usize, tail: &[u8]) -> Piece {
    let mut at = classes.run(text, from, SIGN);
    while text.get(at).is_some_and(|byte| tail.contains(byte)) {
        at += 1;
    }
    Piece::at(at)
}

/// White space: up to its last line end; without one, all but its last character, which leads what follows.
#[inline(always)]
fn white_space(classes: &Classes, text: &[u8], from: usize, pattern: Pattern) -> Piece {
    let (mut at, mut last, mut behind_newline) = (from, from, from);
    // Indentation, most of all.
    while text.get(at) == Some(&b' ') {
        last = at;
        at += 1;
    }
    loop {
        let (class, length) = classes.at(text, at);
        if class & WHITE_SPACE == 0 {
            break;
        }
        last = at;
        at += length;
        if class == NEWLINE {
            behind_newline = at;
        }
    }
    let at_the_end = at == text.len();
    let end = match pattern {
        Pattern::O200k if behind_newline > from => behind_newline,
        Pattern::Cl100k if behind_newline > from && !at_the_end => behind_newline,
        _ if at_the_end || last == from => at,
        _ => last,
    };
    Piece { end, seen: at }
}
