//! An error text as plain words, and the search for a pattern in them.
//!
//! JSON, HTML, quotes, snake_case and CamelCase all become the same small words, so that one pattern
//! finds a phrase however it is wrapped: `context_length_exceeded`, `ContextLengthExceeded` and
//! `Context length exceeded` are the words `context length exceeded`.

/// How much of a long text is read at its start and at its end, in bytes. A message stands at the start;
/// the error that a traceback ends with, at the end.
const START: usize = 12 * 1024;
const END: usize = 4 * 1024;

/// The most words that `..` and `...` may stand for.
const GAP: usize = 8;
const LONG_GAP: usize = 64;

/// Words of a text, in small letters.
pub(super) struct Words<'a>(Vec<&'a str>);

/// The numbers that a pattern found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Figures {
    pub(super) limit: Option<u64>,
    pub(super) requested: Option<u64>,
}

/// The two ends of a text as small words, with spaces between them.
pub(super) fn normalize(text: &str) -> String {
    let (start, rest) = split_near(text, START);
    let (_, end) = split_near(rest, rest.len().saturating_sub(END));
    let mut words = String::with_capacity(start.len() + end.len() + 1);
    add_words(start, &mut words);
    if start.len() + end.len() < text.len() {
        words.push(' ');
    }
    add_words(end, &mut words);
    words
}

impl<'a> Words<'a> {
    /// The words of a text that [`normalize`] made.
    pub(super) fn of(normal: &'a str) -> Self {
        Self(normal.split(' ').filter(|word| !word.is_empty()).collect())
    }

    pub(super) fn get(&self, index: usize) -> Option<&'a str> {
        self.0.get(index).copied()
    }

    /// Where a pattern first stands in the words, and the numbers it names there. In a pattern stand words and
    ///
    /// - `a|b`: one of several words;
    /// - `{limit}`, `{requested}`: a number to take; one that is named twice is the sum;
    /// - `#`: any other number;
    /// - `..`: up to 8 words, `...`: up to 64, as few as possible;
    /// - `^`, `$`: the start and the end of the text. A lone `^` fits every text.
    pub(super) fn find(&self, pattern: &str) -> Option<Figures> {
        let mut segments = pattern.split(" ..");
        let first = segments.next()?;
        (0..=self.0.len()).find_map(|start| {
            let mut figures = Figures::default();
            let mut at = self.match_at(first, start, &mut figures)?;
            for segment in segments.clone() {
                let (segment, gap) = match segment.strip_prefix('.') {
                    Some(segment) => (segment, LONG_GAP),
                    None => (segment, GAP),
                };
                let segment = segment.trim_start();
                let (found, end) = (at..=at + gap).find_map(|place| {
                    let mut figures = figures;
                    let end = self.match_at(segment, place, &mut figures)?;
                    Some((figures, end))
                })?;
                (figures, at) = (found, end);
            }
            Some(figures)
        })
    }

    /// The place behind a segment of a pattern, if it stands at a place.
    #[inline(never)]
    pub(super) fn match_at(&self, segment: &str, mut at: usize, figures: &mut Figures) -> Option<usize> {
        for part in segment.split(' ') {
            match part {
                "^" if at == 0 => continue,
                "$" if at == self.0.len() => continue,
                "{limit}" => add(&mut figures.limit, count(self.get(at)?)?),
                "{requested}" => add(&mut figures.requested, count(self.get(at)?)?),
                "#" => drop(count(self.get(at)?)?),
                choices if is_one_of(choices, self.get(at)?) => {}
                _ => return None,
            }
            at += 1;
        }
        Some(at)
    }

    /// The HTTP status that the text itself names: at its start, or behind a word that says so.
    pub(super) fn status(&self) -> Option<u16> {
        let mut leading = true;
        let (mut before, mut before_that) = ("", "");
        for word in &self.0 {
            let named = is_one_of("status|code|http", before) || before_that == "http";
            if let Some(status) = whole(word).filter(|status| (400..600).contains(status) && (leading || named)) {
                return Some(status as u16);
            }
            leading &= is_one_of("error|api|http|request|failed|with|status|code", word);
            (before_that, before) = (before, word);
        }
        None
    }
}

/// Whether a word is one of those between the bars.
#[inline(never)]
pub(in crate::summary) fn is_one_of(choices: &str, word: &str) -> bool {
    choices.split('|').any(|choice| choice == word)
}

/// Splits a text at a byte, or before the character that the byte is in.
fn split_near(text: &str, at: usize) -> (&str, &str) {
    (0..=at.min(text.len())).rev().find_map(|at| text.split_at_checked(at)).unwrap_or((text, ""))
}

fn add(sum: &mut Option<u64>, number: u64) {
    *sum = Some(sum.unwrap_or(0).saturating_add(number));
}

/// Adds the words of a text, with one space between them.
fn add_words(text: &str, words: &mut String) {
    let bytes = text.as_bytes();
    let digit = |place: usize| bytes.get(place).is_some_and(u8::is_ascii_digit);
    let (mut before, mut next) = (' ', 0);
    for (place, c) in text.char_indices() {
        if place < next {
            continue;
        }
        match c {
            'a'..='z' | '0'..='9' | '\u{c0}'..='\u{1fff}' => words.push(c),
            'A'..='Z' => {
                if before.is_ascii_lowercase() {
                    words.push(' ');
                }
                words.push(c.to_ascii_lowercase());
            }
            // 200,000 and 200_000 are one number, [1,129024] are two.
            ',' | '_' if before.is_ascii_digit() && (1..=3).all(|ahead| digit(place + ahead)) && !digit(place + 4) => {}
            '.' if before.is_ascii_digit() && digit(place + 1) => words.push('.'),
            // An escape of JSON, perhaps escaped again: its letter is no part of a word.
            '\\' => {
                words.push(' ');
                next = place
                    + match bytes.get(place + 1) {
                        Some(b'n' | b'r' | b't') => 2,
                        Some(b'u') => 6,
                        _ => 1,
                    };
            }
            // Scripts without spaces: a word a character.
            '\u{2e80}'.. => {
                words.push(' ');
                words.push(c);
                words.push(' ');
            }
            _ => words.push(' '),
        }
        before = c;
    }
}

/// A number as providers write it: `131072`, `200.000`, `128k`, `1.5m`.
fn count(word: &str) -> Option<u64> {
    let (number, unit) = match word.strip_suffix('k') {
        Some(number) => (number, 1_000),
        None => word.strip_suffix('m').map_or((word, 1), |number| (number, 1_000_000)),
    };
    let mut groups = number.split('.');
    let first = whole(groups.next()?)?;
    if unit == 1 {
        return groups.try_fold(first, |sum, group| {
            let thousands = whole(group).filter(|_| group.len() == 3)?;
            Some(sum.saturating_mul(1_000).saturating_add(thousands))
        });
    }
    Some(first.saturating_mul(unit).saturating_add(part_of(unit, groups.next().unwrap_or_default())))
}

/// A whole number; none where it is too large.
#[inline(never)]
pub(super) fn whole(digits: &str) -> Option<u64> {
    if digits.is_empty() {
        return None;
    }
    digits.bytes().try_fold(0_u64, |number, byte| {
        let digit = byte.checked_sub(b'0').filter(|digit| *digit < 10)?;
        number.checked_mul(10)?.checked_add(digit.into())
    })
}

/// The part of a unit that the digits behind a point are, rounded down; what is no digit ends them.
pub(super) fn part_of(mut unit: u64, digits: &str) -> u64 {
    let mut sum = 0;
    for byte in digits.bytes().take_while(u8::is_ascii_digit) {
        sum += unit * u64::from(byte - b'0') / 10;
        unit /= 10;
    }
    sum
}
