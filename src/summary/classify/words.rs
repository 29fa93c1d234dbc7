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

/// The words of a text, in small letters.
pub(super) struct Words(Vec<Box<str>>);

/// The numbers that a pattern found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Figures {
    pub(super) limit: Option<u64>,
    pub(super) requested: Option<u64>,
}

impl Words {
    /// The words of the two ends of a text.
    pub(super) fn of(text: &str) -> Self {
        let (start, rest) = split_near(text, START);
        let (_, end) = split_near(rest, rest.len().saturating_sub(END));
        let mut words = String::with_capacity(start.len() + end.len() + 1);
        add_words(start, &mut words);
        if start.len() + end.len() < text.len() {
            words.push(' ');
        }
        add_words(end, &mut words);
        Self(words.split(' ').filter(|word| !word.is_empty()).map(Into::into).collect())
    }

    pub(super) fn get(&self, index: usize) -> Option<&str> {
        self.0.get(index).map(|word| &**word)
    }

    /// Where a pattern first stands in the words, and the numbers it names there. In a pattern stand words and
    ///
    /// - `a|b`: one of several words;
    /// - `{limit}`, `{requested}`: a number to take; one that is named twice is the sum;
    /// - `#`: any other number;
    /// - `..`: up to 8 words, `...`: up to 64, as few as possible;
    /// - `^`, `$`: the start and the end of the text.
    ///
    /// The empty pattern fits every text.
    pub(super) fn find(&self, pattern: &str) -> Option<Figures> {
        if pattern.is_empty() {
            return Some(Figures::default());
        }
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
    fn match_at(&self, segment: &str, mut at: usize, figures: &mut Figures) -> Option<usize> {
        for part in segment.split(' ') {
            match part {
                "^" if at == 0 => continue,
                "$" if at == self.0.len() => continue,
                "{limit}" => add(&mut figures.limit, count(self.get(at)?)?),
                "{requested}" => add(&mut figures.requested, count(self.get(at)?)?),
                "#" => drop(count(self.get(at)?)?),
                part => {
                    let word = self.get(at)?;
                    if !part.split('|').any(|choice| choice == word) {
                        return None;
                    }
                }
            }
            at += 1;
        }
        Some(at)
    }

    /// The HTTP status that the text itself names: at its start, or behind a word that says so.
    pub(super) fn status(&self) -> Option<u16> {
        let mut leading = true;
        for (index, word) in self.0.iter().enumerate() {
            let before = |back: usize| index.checked_sub(back).and_then(|place| self.get(place)).unwrap_or_default();
            let named = matches!(before(1), "status" | "code" | "http") || before(2) == "http";
            let status = word.parse().ok().filter(|status| (400..600).contains(status));
            if status.is_some() && (leading || named) {
                return status;
            }
            leading &= matches!(&**word, "error" | "api" | "http" | "request" | "failed" | "with" | "status" | "code");
        }
        None
    }
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
            'a'..='z' | '0'..='9' => words.push(c),
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
            '\u{2e80}'.. => words.extend([' ', c, ' ']),
            _ => words.push(' '),
        }
        before = c;
    }
}

/// A number as providers write it: `131072`, `200.000`, `128k`, `1.5m`.
pub(super) fn count(word: &str) -> Option<u64> {
    let (number, unit) = match word.strip_suffix('k') {
        Some(number) => (number, 1_000),
        None => word.strip_suffix('m').map_or((word, 1), |number| (number, 1_000_000)),
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !digits(whole) {
        return None;
    }
    if fraction.split('.').all(|group| group.len() == 3 && digits(group)) && unit == 1 {
        return number.replace('.', "").parse().ok();
    }
    let whole: u64 = whole.parse().ok()?;
    Some(whole.saturating_mul(unit).saturating_add(fraction_of(fraction, unit)?))
}

/// The part of a unit that the digits behind a point are, rounded down.
pub(super) fn fraction_of(digits: &str, unit: u64) -> Option<u64> {
    let digits = digits.get(..digits.len().min(6))?;
    if digits.is_empty() {
        return Some(0);
    }
    let power = 10_u64.checked_pow(digits.len().try_into().ok()?)?;
    Some(digits.parse::<u64>().ok()?.saturating_mul(unit) / power)
}
