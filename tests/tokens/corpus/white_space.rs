//! White space of all kinds, alone, in runs and in mixes, before text, behind it and at the end.

use super::{Sample, drawn};
use crate::classes::characters;

/// White space by Unicode, and what is often taken for it: the byte order mark, the Mongolian vowel separator, and
/// spaces of no width.
pub(crate) fn spaces() -> Vec<char> {
    let mut spaces = characters(r"\p{White_Space}");
    spaces.extend(['\u{feff}', '\u{180e}', '\u{200b}', '\u{200c}', '\u{2060}', '\u{1c}', '\u{1f}']);
    spaces
}

/// What a run of white space may stand before.
const FOLLOWED_BY: [&str; 12] = ["", "a", "A", "é", "का", "7", "123", ".", "/", "'s", "\u{301}", "\u{feff}"];

pub(crate) fn samples() -> Vec<Sample> {
    let mut samples = Vec::new();
    for space in spaces() {
        let mut text = String::new();
        for following in FOLLOWED_BY {
            for times in 1..=5 {
                text.push_str(&format!("x{}{following}", space.to_string().repeat(times)));
            }
            for mixed in [" {}", "{} ", "\n{}", "{}\n", "\r\n{}", "{}\r\n", " {}\n ", "\t{}{}", "{}  ", "  {}"] {
                text.push_str(&format!("x{}{following}", mixed.replace("{}", &space.to_string())));
            }
        }
        samples.push(Sample::new(format!("the space U+{:04X}", space as u32), text.clone()));
        // The end of a text is a place of its own.
        for end in [
            space.to_string(),
            space.to_string().repeat(3),
            format!(" {space}"),
            format!("{space} "),
            format!("\n{space}"),
        ] {
            samples.push(Sample::new(
                format!("the space U+{:04X} at the end: {end:?}", space as u32),
                format!("word{end}"),
            ));
        }
    }
    samples.extend((0..200).map(|number| Sample::new(format!("mixed white space {number}"), mixed(number))));
    samples
}

fn mixed(number: usize) -> String {
    let mut chance = drawn(&format!("white space {number}"));
    let spaces = spaces();
    let mut text = String::new();
    for _ in 0..chance.usize(1..20) {
        for _ in 0..chance.usize(1..7) {
            match chance.usize(..6) {
                0 => text.push_str("\r\n"),
                1 => text.push('\n'),
                2 | 3 => text.push(' '),
                4 => text.push('\t'),
                _ => text.push(spaces[chance.usize(..spaces.len())]),
            }
        }
        text.push_str(FOLLOWED_BY[chance.usize(..FOLLOWED_BY.len())]);
    }
    text
}
