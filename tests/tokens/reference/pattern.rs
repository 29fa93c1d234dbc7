//! The published patterns, word by word, and how a regular expression would try them.

use crate::classes::{Class, Set};

/// One of the alternatives of a pattern: all of its words, in order.
pub(crate) type Alternative = &'static [Word];

pub(crate) enum Word {
    /// Characters of a set, as many as there are, and fewer where what follows would not fit otherwise.
    Greedy(Set, usize, usize),
    /// The same, and never fewer.
    Possessive(Set, usize, usize),
    /// One of the contractions, in both cases where `ignoring_case`.
    Contraction { ignoring_case: bool },
    /// A contraction in both cases, or nothing.
    OptionalContraction,
    /// Nothing, where the text ends.
    End,
    /// Nothing, where no character follows but white space.
    NotBeforeText,
}

use Word::{Contraction, End, Greedy, NotBeforeText, OptionalContraction, Possessive};

const MANY: usize = usize::MAX;

/// A character that may stand before the letters of a word: `[^\r\n\p{L}\p{N}]`.
const PREFIX: Set = Set::none_of(Class::NEWLINE.and(Class::LETTER).and(Class::NUMBER));
/// `[^\s\p{L}\p{N}]`
const MARK: Set = Set::none_of(Class::WHITE_SPACE.and(Class::LETTER).and(Class::NUMBER));
const LETTER: Set = Set::of(Class::LETTER);
const NUMBER: Set = Set::of(Class::NUMBER);
const WHITE_SPACE: Set = Set::of(Class::WHITE_SPACE);
const NEWLINE: Set = Set::of(Class::NEWLINE);
const BLANK: Set = Set::of(Class::BLANK);
/// `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`
const UPPER: Set = Set::of(Class::UPPER.and(Class::CASELESS));
/// `[\p{Ll}\p{Lm}\p{Lo}\p{M}]`
const LOWER: Set = Set::of(Class::LOWER.and(Class::CASELESS));

/// The pattern of o200k_base and o200k_harmony.
pub(crate) const O200K: &[Alternative] = &[
    &[Greedy(PREFIX, 0, 1), Greedy(UPPER, 0, MANY), Greedy(LOWER, 1, MANY), OptionalContraction],
    &[Greedy(PREFIX, 0, 1), Greedy(UPPER, 1, MANY), Greedy(LOWER, 0, MANY), OptionalContraction],
    &[Greedy(NUMBER, 1, 3)],
    &[Greedy(BLANK, 0, 1), Greedy(MARK, 1, MANY), Greedy(Set::of(Class::NEWLINE.and(Class::SLASH)), 0, MANY)],
    &[Greedy(WHITE_SPACE, 0, MANY), Greedy(NEWLINE, 1, MANY)],
    &[Greedy(WHITE_SPACE, 1, MANY), NotBeforeText],
    &[Greedy(WHITE_SPACE, 1, MANY)],
];

/// The pattern of cl100k_base.
pub(crate) const CL100K: &[Alternative] = &[
    &[Contraction { ignoring_case: true }],
    &[Possessive(PREFIX, 0, 1), Possessive(LETTER, 1, MANY)],
    &[Possessive(NUMBER, 1, 3)],
    &[Greedy(BLANK, 0, 1), Possessive(MARK, 1, MANY), Possessive(NEWLINE, 0, MANY)],
    &[Possessive(WHITE_SPACE, 1, MANY), End],
    &[Greedy(WHITE_SPACE, 0, MANY), Greedy(NEWLINE, 1, 1)],
    &[Greedy(WHITE_SPACE, 1, MANY), NotBeforeText],
    &[Greedy(WHITE_SPACE, 1, 1)],
];

/// The pattern of p50k_base and r50k_base.
pub(crate) const GPT_2: &[Alternative] = &[
    &[Contraction { ignoring_case: false }],
    &[Greedy(BLANK, 0, 1), Possessive(LETTER, 1, MANY)],
    &[Greedy(BLANK, 0, 1), Possessive(NUMBER, 1, MANY)],
    &[Greedy(BLANK, 0, 1), Possessive(MARK, 1, MANY)],
    &[Possessive(WHITE_SPACE, 1, MANY), End],
    &[Greedy(WHITE_SPACE, 1, MANY), NotBeforeText],
    &[Greedy(WHITE_SPACE, 1, 1)],
];

const CONTRACTIONS: [&str; 7] = ["s", "t", "re", "ve", "m", "ll", "d"];

/// Where the piece ends that begins at a place. The first alternative that fits decides.
pub(crate) fn first_match(pattern: &[Alternative], text: &[(char, Class)], at: usize) -> usize {
    let end = pattern.iter().find_map(|words| end_of(words, text, at));
    end.unwrap_or_else(|| panic!("no alternative fits {:?}", text[at].0))
}

/// Where words end that are tried from a place on. The depth is that of the pattern.
fn end_of(words: &[Word], text: &[(char, Class)], at: usize) -> Option<usize> {
    let Some((word, rest)) = words.split_first() else { return Some(at) };
    match *word {
        Greedy(set, least, most) => {
            let run = run(set, text, at, most);
            (least..=run).rev().find_map(|taken| end_of(rest, text, at + taken))
        }
        Possessive(set, least, most) => {
            let run = run(set, text, at, most);
            if run < least { None } else { end_of(rest, text, at + run) }
        }
        Contraction { ignoring_case } => end_of(rest, text, at + contraction(text, at, ignoring_case)?),
        OptionalContraction => {
            let contracted = contraction(text, at, true).and_then(|length| end_of(rest, text, at + length));
            contracted.or_else(|| end_of(rest, text, at))
        }
        End => {
            if at == text.len() {
                end_of(rest, text, at)
            } else {
                None
            }
        }
        NotBeforeText => {
            let text_follows = text.get(at).is_some_and(|(_, class)| !WHITE_SPACE.holds(*class));
            if text_follows { None } else { end_of(rest, text, at) }
        }
    }
}

fn run(set: Set, text: &[(char, Class)], at: usize, most: usize) -> usize {
    text[at..].iter().take(most).take_while(|(_, class)| set.holds(*class)).count()
}

/// How many characters a contraction takes, with its apostrophe.
fn contraction(text: &[(char, Class)], at: usize, ignoring_case: bool) -> Option<usize> {
    let matches = |letters: &&&str| {
        let all = std::iter::once('\'').chain(letters.chars());
        let mut there = text[at..].iter().map(|(char, _)| if ignoring_case { folded(*char) } else { *char });
        all.into_iter().all(|char| there.next() == Some(char))
    };
    CONTRACTIONS.iter().find(matches).map(|letters| 1 + letters.len())
}

/// The small letter that a regular expression takes for the same, of those that a contraction has.
fn folded(char: char) -> char {
    match char {
        // The long s is one by Unicode's simple case folding.
        '\u{17f}' => 's',
        _ => char.to_ascii_lowercase(),
    }
}
