//! The tokens of an encoding and their levels, to be looked up by their bytes.

use crate::characters::Characters;
use crate::east_asian::{self, EastAsian, Row};
use crate::keys::{key8, key16, pair};
use crate::long_tokens::LongTokens;
use crate::table::{Filter, Table};
use crate::tiny::Tiny;
use crate::word::ShortWord;

/// When a merge is made: the lower, the sooner. 0 is for tokens that no merge makes.
pub(crate) type Level = u16;
/// The level of what is no token.
pub(crate) const NO_TOKEN: Level = Level::MAX;

/// A level as tables hold it, with its bits turned over: what is no token is 0 there, as new memory is. To fill the
/// tables with anything else would take a loop, which is slow when nothing is compiled well yet.
pub(crate) type Held = u16;
/// What a table holds in place of a token.
pub(crate) const NOTHING: Held = held(NO_TOKEN);

#[inline(always)]
pub(crate) const fn held(level: Level) -> Held {
    !level
}

#[inline(always)]
pub(crate) const fn level_of(held: Held) -> Level {
    !held
}

/// The most bytes of a token in the tables of short and of middling ones.
const SHORT: usize = 7;
pub(crate) const MIDDLING: usize = ShortWord::MOST;

/// The tokens. Those of one byte are not in it: every byte is a token.
pub(crate) struct Vocabulary {
    /// Those of two bytes, by both of them: where merging begins.
    pairs: Box<[Held]>,
    tiny: Tiny,
    filter: Filter,
    short: Table<u64>,
    middling: Table<[u64; 2]>,
    long: LongTokens,
    characters: Characters,
    east_asian: EastAsian,
    /// The most bytes of a token.
    longest: usize,
}

impl Vocabulary {
    /// An empty one, with room for as many tokens as there are of each length in bytes.
    pub(crate) fn with_room(counts: &[usize]) -> Self {
        let between =
            |from: usize, to: usize| counts.iter().skip(from).take((to + 1).saturating_sub(from)).sum::<usize>();
        Self {
            pairs: vec![NOTHING; 1 << 16].into_boxed_slice(),
            tiny: Tiny::new(),
            filter: Filter::new(),
            short: Table::with_room(between(3, SHORT)),
            middling: Table::with_room(between(SHORT + 1, MIDDLING)),
            long: LongTokens::with_room(between(MIDDLING + 1, counts.len())),
            characters: Characters::new(),
            east_asian: EastAsian::new(),
            longest: counts.iter().rposition(|&count| count > 0).unwrap_or(0),
        }
    }

    /// Ends adding; whether there was room for all tokens and all were new, as far as it was not said before.
    pub(crate) fn finish(&mut self) -> bool {
        let pairs = &self.pairs;
        let is_pair = |first, second| pairs.get(pair(first, second)).is_some_and(|&held| held != NOTHING);
        self.east_asian.finish(is_pair, self.characters.tokens());
        self.short.flush(&mut self.filter) && self.middling.flush(&mut self.filter)
    }

    /// Adds the token that is the first bytes of a text, at least two; whether there was room for it and it was new.
    pub(crate) fn add(&mut self, text: &[u8], length: usize, level: Level) -> bool {
        if length <= MIDDLING {
            return self.add_short(ShortWord::of(text, length), level);
        }
        let token = text.get(..length).unwrap_or_default();
        self.note(token, level);
        self.long.add(token, level)
    }

    /// Notes what a token says about characters.
    #[inline(never)]
    fn note(&mut self, token: &[u8], level: Level) {
        self.characters.note(token, level);
        self.east_asian.note(token);
    }

    /// Adds a short token of at least two bytes.
    #[inline(always)]
    pub(crate) fn add_short(&mut self, token: ShortWord, level: Level) -> bool {
        // ASCII says nothing about characters.
        if !token.is_ascii() {
            self.note(token.padded().get(..token.length).unwrap_or_default(), level);
        }
        let ShortWord { bytes: [low, high], length } = token;
        let [first, second, third, ..] = low.to_le_bytes();
        let key = (length as u64) << 56;
        match length {
            2 => match self.pairs.get_mut(pair(first, second)) {
                // Some merge makes each of them.
                Some(slot) if *slot == NOTHING && level != 0 => {
                    *slot = held(level);
                    self.tiny.note(&[first, second]);
                    true
                }
                _ => false,
            },
            3..=SHORT => {
                if length == 3 {
                    self.tiny.note(&[first, second, third]);
                }
                self.short.add(low | key, level, &mut self.filter)
            }
            8..=MIDDLING => self.middling.add([low, high | key], level, &mut self.filter),
            _ => false,
        }
    }

    /// The level of a part of a text of at least two bytes, or [`NO_TOKEN`]. A call costs little beside the lookup, and
    /// what calls it stays small enough to be compiled well soon.
    #[inline(never)]
    pub(crate) fn level(&self, text: &[u8], from: usize, to: usize) -> Level {
        match to - from {
            2 => match text.get(from..to) {
                Some(&[first, second]) => self.level_of_pair(first, second),
                _ => NO_TOKEN,
            },
            3..=SHORT => self.short.get(key8(text, from, to), &self.filter),
            8..=MIDDLING => self.middling.get(key16(text, from, to), &self.filter),
            length if length > 1 && length <= self.longest => self.long.get(text.get(from..to).unwrap_or_default()),
            _ => NO_TOKEN,
        }
    }

    /// The bytes of the character at a byte of `text[from..to]` where merging may begin with all of it; else 1.
    #[inline(always)]
    pub(crate) fn whole_character(&self, text: &[u8], at: usize, from: usize, to: usize) -> usize {
        self.characters.whole(text, at, from, to)
    }

    /// The level of two bytes.
    #[inline(always)]
    fn level_of_pair(&self, first: u8, second: u8) -> Level {
        self.pairs.get(pair(first, second)).map_or(NO_TOKEN, |&held| level_of(held))
    }

    /// The characters of a piece of Chinese, Japanese or Korean; see [`EastAsian::row`].
    #[inline(always)]
    pub(crate) fn east_asian_row(&self, text: &[u8], from: usize, to: usize) -> Option<Row> {
        let crossed = |before, behind| self.characters.is_crossed(before, behind);
        if east_asian::is_in(text, from, to) { self.east_asian.row(text, from, to, crossed) } else { None }
    }

    /// The bytes and the tokens of a piece of up to three letters or digits; see [`Tiny::at`].
    #[inline(always)]
    pub(crate) fn tiny_piece<const CASED: bool>(&self, text: &[u8], at: usize) -> (usize, u64) {
        self.tiny.at::<CASED>(text, at)
    }
}
