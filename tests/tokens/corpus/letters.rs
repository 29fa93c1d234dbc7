//! Letters, marks and numbers of every class, the contractions, control characters and what is not assigned.

use super::{Sample, drawn};
use crate::classes::characters;

/// The general categories.
pub(crate) const CATEGORIES: [&str; 29] = [
    "Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No", "Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "Sm",
    "Sc", "Sk", "So", "Zs", "Zl", "Zp", "Cc", "Cf", "Co", "Cn",
];

/// What contractions begin with, or seem to.
const APOSTROPHES: [&str; 4] = ["'", "’", "ʼ", "`"];

/// What may follow: contractions in all cases, with the long s and the Kelvin sign, cut off and run on.
pub(crate) const CONTRACTED: [&str; 24] = [
    "s", "S", "\u{17f}", "t", "T", "re", "RE", "Re", "rE", "ve", "VE", "vE", "m", "M", "ll", "LL", "lL", "d", "D", "r",
    "v", "l", "k", "\u{212a}",
];

pub(crate) fn samples() -> Vec<Sample> {
    let mut samples = vec![contractions(), cases(), marks_first(), controls()];
    samples.extend(CATEGORIES.into_iter().map(category));
    samples.extend(["Nd", "Nl", "No"].into_iter().map(numbers));
    samples.extend(every_scalar());
    samples
}

fn contractions() -> Sample {
    let mut text = String::new();
    for before in ["I", "we", "X", "É", "ся", "字", "7", " ", ".", "\n", "\u{301}", "'"] {
        for apostrophe in APOSTROPHES {
            for contracted in CONTRACTED {
                for behind in ["", "x", "X", "1", "'s", " ", "\u{301}"] {
                    text.push_str(&format!("{before}{apostrophe}{contracted}{behind} "));
                }
            }
        }
    }
    Sample::new("contractions", text)
}

/// Upper-case, lower-case and caseless letters and marks in all orders of up to five.
fn cases() -> Sample {
    const LETTERS: [char; 6] = ['A', 'b', 'ǅ', 'ʰ', '字', '\u{301}'];
    let mut text = String::new();
    for length in 1..=5_u32 {
        for number in 0..LETTERS.len().pow(length) {
            text.extend((0..length).map(|place| LETTERS[number / LETTERS.len().pow(place) % LETTERS.len()]));
            text.push(if number % 2 == 0 { ' ' } else { '-' });
        }
    }
    Sample::new("cases in all orders", text)
}

/// Combining marks where a piece begins.
fn marks_first() -> Sample {
    let mut text = String::new();
    for (place, mark) in characters(r"\p{M}").into_iter().enumerate() {
        let (before, behind) =
            ([" ", "\n", "1", ".", "", "  ", "\t", "/"][place % 8], ["a", "B", " ", "'s", "1", "!", "का"][place % 7]);
        text.push_str(&format!("{before}{mark}{behind}"));
    }
    Sample::new("marks at the start of a piece", text)
}

fn controls() -> Sample {
    let controls = characters(r"[\p{Cc}\p{Cf}]");
    Sample::new(
        "control characters in words",
        controls.iter().map(|char| format!("a{char}b {char}7{char}")).collect::<String>(),
    )
}

/// A category's characters among words, numbers, signs and white space.
fn category(name: &str) -> Sample {
    let mut chance = drawn(name);
    let all = characters(&format!(r"\p{{{name}}}"));
    let mut text = String::new();
    for _ in 0..1_500 {
        for _ in 0..chance.usize(1..4) {
            text.push(all[chance.usize(..all.len())]);
        }
        text.push_str(["", " ", "a", "Ab", "B", "1", "'s", "\n", "/", ".", "  ", "-x"][chance.usize(..12)]);
    }
    Sample::new(format!("the category {name}"), text)
}

/// Numbers of a class in runs of one to eight, alone and in words.
fn numbers(name: &str) -> Sample {
    let mut chance = drawn(&format!("numbers {name}"));
    let all = characters(&format!(r"\p{{{name}}}"));
    let mut text = String::new();
    for length in (1..=8).cycle().take(800) {
        let digits = all[chance.usize(..all.len())].to_string();
        text.push_str(["", " ", "x", ".", "-", ",", "  "][chance.usize(..7)]);
        text.push_str(&if chance.bool() { digits.repeat(length) } else { format!("{digits}1") });
    }
    Sample::new(format!("numbers of the category {name}"), text)
}

/// Every scalar value, assigned or not, in a row; each that is assigned also in places that show what class it is of.
fn every_scalar() -> Vec<Sample> {
    let all: Vec<char> = ('\0'..=char::MAX).collect();
    let in_a_row = all.chunks(0x2000).map(|block| {
        let name = format!("U+{:04X} to U+{:04X} in a row", block[0] as u32, block[block.len() - 1] as u32);
        Sample::new(name, block.iter().collect::<String>())
    });
    let assigned = characters(r"[^\p{Cn}\p{Co}]");
    let in_places = assigned.chunks(0x400).map(|block| {
        let name = format!("U+{:04X} to U+{:04X} in places that tell", block[0] as u32, block[block.len() - 1] as u32);
        let shown = block.iter().map(|char| format!("{char}123{char}/src  {char}\n{char}'s\n"));
        Sample::new(name, shown.collect::<String>())
    });
    in_a_row.chain(in_places).collect()
}
