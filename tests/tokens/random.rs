//! Random texts: what tells tokenizers apart, in any order. Characters of every class, white space, contractions,
//! tokens of the vocabularies glued together, and real text that was hurt.

use crate::classes::characters;
use crate::corpus::letters::{CATEGORIES, CONTRACTED};
use crate::corpus::scripts::SCRIPTS;
use crate::corpus::{self, emoji, white_space};
use crate::encodings::JUDGES;
use fastrand::Rng;
use std::collections::BTreeSet;

/// What random texts are made of.
pub(crate) struct Atoms {
    categories: Vec<Vec<char>>,
    scripts: Vec<Vec<char>>,
    spaces: Vec<char>,
    /// Tokens of all vocabularies that are whole characters.
    tokens: Vec<String>,
    /// Those of them that are Chinese, Japanese or Korean.
    east_asian: Vec<String>,
    /// Real text, and where characters begin in it.
    prose: Vec<char>,
}

impl Atoms {
    pub(crate) fn new() -> Self {
        let tokens = JUDGES.iter().flat_map(|judge| judge.reference.ranks.tokens());
        let tokens: BTreeSet<String> = tokens.filter_map(|token| String::from_utf8(token.clone()).ok()).collect();
        let is_east_asian = |token: &&String| token.chars().all(|char| ('\u{3000}'..'\u{ffff}').contains(&char));
        let samples = [corpus::code::samples(), corpus::scripts::samples(), corpus::data::samples()].concat();
        Self {
            categories: CATEGORIES.iter().map(|name| characters(&format!(r"\p{{{name}}}"))).collect(),
            scripts: SCRIPTS.iter().map(|name| characters(&format!(r"\p{{sc={name}}}"))).collect(),
            spaces: white_space::spaces(),
            east_asian: tokens.iter().filter(is_east_asian).cloned().collect(),
            tokens: tokens.into_iter().collect(),
            prose: samples.iter().flat_map(|sample| sample.text.chars()).collect(),
        }
    }

    /// A text of some atoms, mostly few.
    pub(crate) fn text(&self, chance: &mut Rng) -> String {
        let most = [2, 3, 4, 6, 8, 12, 24][chance.usize(..7)];
        let mut text = String::new();
        for _ in 0..=chance.usize(..most) {
            self.atom(chance, &mut text);
        }
        text
    }

    fn atom(&self, chance: &mut Rng, text: &mut String) {
        match chance.u8(..20) {
            0..=3 => text.push_str(&self.tokens[chance.usize(..self.tokens.len())]),
            4 | 5 => self.hurt_prose(chance, text),
            6 => self.category(chance, text),
            7 => {
                let script = &self.scripts[chance.usize(..self.scripts.len())];
                some(chance, 8, |chance| text.push(script[chance.usize(..script.len())]));
            }
            8 | 9 => self.white_space(chance, text),
            10 => {
                text.push_str(["'", "'", "'", "’", " '"][chance.usize(..5)]);
                text.push_str(CONTRACTED[chance.usize(..CONTRACTED.len())]);
            }
            11 => some(chance, 9, |chance| text.push(char::from(b'0' + chance.u8(..10)))),
            12 => some(chance, 6, |chance| {
                text.push(['A', 'B', 'c', 'd', 'É', 'ß', 'ǅ', 'ʰ', '字', '\u{301}'][chance.usize(..10)])
            }),
            13 => some(chance, 12, |chance| text.push(char::from(chance.u8(b'!'..=b'~')))),
            14 => some(chance, 20, |chance| text.push(chance.alphanumeric())),
            15 => text.push_str(emoji::SEQUENCES[chance.usize(..emoji::SEQUENCES.len())]),
            16 => {
                let char = *chance.choice(&['a', ' ', '\n', '=', '-', 'é', '字', '/', '\u{301}']).expect("one of them");
                let most = [4, 16, 40, 300][chance.usize(..4)];
                some(chance, most, |_| text.push(char));
            }
            17 => some(chance, 6, |chance| self.east_asian(chance, text)),
            18 => {
                let digits = chance.u32(2..=36);
                some(chance, 60, |chance| text.extend(char::from_digit(chance.u32(..digits), digits)));
            }
            _ => text.push(chance.char(..)),
        }
    }

    /// A token, or a character of one.
    fn east_asian(&self, chance: &mut Rng, text: &mut String) {
        let token = &self.east_asian[chance.usize(..self.east_asian.len())];
        if chance.bool() {
            text.push_str(token);
        } else {
            let characters: Vec<char> = token.chars().collect();
            text.push(characters[chance.usize(..characters.len())]);
        }
    }

    fn category(&self, chance: &mut Rng, text: &mut String) {
        let category = &self.categories[chance.usize(..self.categories.len())];
        some(chance, 3, |chance| text.push(category[chance.usize(..category.len())]));
    }

    fn white_space(&self, chance: &mut Rng, text: &mut String) {
        some(chance, 5, |chance| match chance.u8(..6) {
            0 => text.push_str("\r\n"),
            1 => text.push('\n'),
            2 | 3 => text.push(' '),
            4 => text.push('\t'),
            _ => text.push(self.spaces[chance.usize(..self.spaces.len())]),
        });
    }

    /// A stretch of real text with a character lost, doubled, put in, changed in case, or with two in turn.
    fn hurt_prose(&self, chance: &mut Rng, text: &mut String) {
        let length = chance.usize(1..40);
        let start = chance.usize(..self.prose.len() - length);
        let mut stretch = self.prose[start..start + length].to_vec();
        for _ in 0..chance.usize(..3) {
            let at = chance.usize(..stretch.len());
            match chance.u8(..6) {
                0 if stretch.len() > 1 => drop(stretch.remove(at)),
                1 => stretch.insert(at, stretch[at]),
                2 => stretch.insert(at, chance.char(..)),
                3 => stretch.splice(at..=at, stretch[at].to_uppercase()).for_each(drop),
                4 => stretch.insert(at, self.spaces[chance.usize(..self.spaces.len())]),
                _ => stretch.swap(at, 0),
            }
        }
        text.extend(stretch);
    }
}

/// Does something once or more, so many times at most.
fn some(chance: &mut Rng, most: usize, mut once: impl FnMut(&mut Rng)) {
    for _ in 0..=chance.usize(..most) {
        once(chance);
    }
}
