//! The spellings of a word that share one stem in a vocabulary file: with a space before it, with a
//! capital, in capitals. Half of all tokens are such spellings of another.

use crate::ascii::small_letters_of;
use crate::word::{ShortWord, Word};

/// How many spellings there are.
pub(crate) const VARIANTS: u8 = 6;

/// Writes the stem in one of its spellings. Only ASCII letters change; each spelling but the first two
/// is of use for stems only that begin with a small one.
pub(crate) fn spell(stem: &Word, variant: u8, spelled: &mut Word) {
    spelled.truncate(0);
    if variant & 1 == 1 {
        spelled.extend(b" ", 1);
    }
    let from = spelled.len();
    spelled.extend(stem.padded(), stem.len());
    let word = spelled.bytes_mut().get_mut(from..).unwrap_or_default();
    match variant >> 1 {
        0 => {}
        1 => word.iter_mut().take(1).for_each(|letter| letter.make_ascii_uppercase()),
        _ => word.make_ascii_uppercase(),
    }
}

/// The most bytes of a stem that [`spell_short`] takes: a space has room before it.
pub(crate) const SHORT_STEM: usize = ShortWord::MOST - 1;

/// The same for a stem of at most [`SHORT_STEM`] bytes, without a way through memory.
#[inline(always)]
pub(crate) fn spell_short(stem: ShortWord, variant: u8) -> ShortWord {
    let [low, high] = stem.bytes;
    // The bit of a byte in which a small letter differs from its capital.
    let [low_small, high_small] = [low, high].map(|bytes| small_letters_of(bytes) >> 2);
    let [low, high] = match variant >> 1 {
        0 => [low, high],
        1 => [low ^ low_small & 0xff, high],
        _ => [low ^ low_small, high ^ high_small],
    };
    if variant & 1 == 1 {
        ShortWord { bytes: [low << 8 | u64::from(b' '), high << 8 | low >> 56], length: stem.length + 1 }
    } else {
        ShortWord { bytes: [low, high], length: stem.length }
    }
}

/// The stem of a token, and the spelling that makes the token of it.
#[cfg(feature = "build")]
pub(crate) fn stem_of(token: &[u8]) -> (Vec<u8>, u8) {
    let word = match token {
        [b' ', rest @ ..] if !rest.is_empty() => rest,
        all => all,
    };
    let capitals = word.len() > 1 && word.is_ascii() && word.iter().any(u8::is_ascii_uppercase);
    let mut stem = word.to_vec();
    if capitals && !word.iter().any(u8::is_ascii_lowercase) && word.first().is_some_and(u8::is_ascii_uppercase) {
        stem.make_ascii_lowercase();
    } else {
        stem.iter_mut().take(1).for_each(|letter| letter.make_ascii_lowercase());
    }
    let (mut word, mut spelled) = (Word::default(), Word::default());
    word.extend(&stem, stem.len());
    let variant = (0..VARIANTS).find(|&variant| {
        spell(&word, variant, &mut spelled);
        spelled.bytes() == token
    });
    match variant {
        Some(variant) => (stem, variant),
        // No spelling gives it back: it stands for itself.
        None => (token.to_vec(), 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_stems_are_spelled_as_long_ones_are() {
        for stem in [
            "a",
            "A",
            "1",
            "word",
            "aB1 z{`@[",
            "fourteenbytes1",
            "sevenBy",
            "eightByt",
            "a-b_c",
            "été",
            "Écrit",
            "слово",
            "中文字",
        ] {
            let mut word = Word::default();
            word.extend(stem.as_bytes(), stem.len());
            let short = word.short().unwrap();
            for variant in 0..VARIANTS {
                let mut spelled = Word::default();
                spell(&word, variant, &mut spelled);
                assert_eq!(Some(spell_short(short, variant)), spelled.short(), "{stem} {variant}");
            }
        }
    }
}
