//! A text of a vocabulary's own words, to be counted while it is loaded.
//!
//! A wasm engine first compiles each function fast and badly. Once it has run for a while it is compiled again,
//! well, on another thread, which takes some milliseconds. Counting this text when the vocabulary is there by half makes
//! that happen while the other half is loaded, not in the middle of the first text of the user.

/// So many words are enough for all functions to be compiled well.
const WORDS: usize = 300;
/// Words grow up to so many bytes, and begin anew with two: most are merged at once, a few are longer.
const SHORTEST: usize = 2;
const LONGEST: usize = 24;

/// The text, from the bytes of all words, which lie one behind the other. What is cut out of them need not be UTF-8.
#[inline(never)]
pub(crate) fn text(words: &[u8]) -> Vec<u8> {
    let distance = (words.len() / WORDS).max(1);
    let lengths = (SHORTEST..=LONGEST).cycle();
    let mut text = Vec::with_capacity(WORDS * LONGEST);
    for (start, length) in (0..words.len()).step_by(distance).take(WORDS).zip(lengths) {
        text.extend(words.iter().skip(start).take(length));
        text.push(b' ');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_has_short_words_and_long_ones_from_everywhere() {
        let words: Vec<u8> = (b'a'..=b'z').flat_map(|letter| [letter; 1_000]).collect();
        let text = String::from_utf8(text(&words)).unwrap();
        let found: Vec<&str> = text.split_terminator(' ').collect();
        assert_eq!(found.len(), WORDS);
        let lengths: Vec<usize> = found.iter().map(|word| word.len()).collect();
        assert!(lengths.starts_with(&[2, 3, 4]) && lengths.iter().max() == Some(&LONGEST));
        assert!(('a'..='z').all(|letter| found.iter().any(|word| word.starts_with(letter))));
    }

    #[test]
    fn few_words_are_few_words() {
        assert_eq!(text(b""), b"");
        assert_eq!(text(b"abcd"), b"ab bcd cd d ");
    }
}
