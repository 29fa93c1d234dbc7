//! Forty scripts and more: words, sentences and numbers of letters drawn from each.

use super::{Sample, drawn};
use crate::classes::characters;

/// The scripts by their names in Unicode.
pub(crate) const SCRIPTS: [&str; 48] = [
    "Latin",
    "Greek",
    "Cyrillic",
    "Armenian",
    "Hebrew",
    "Arabic",
    "Syriac",
    "Thaana",
    "Devanagari",
    "Bengali",
    "Gurmukhi",
    "Gujarati",
    "Oriya",
    "Tamil",
    "Telugu",
    "Kannada",
    "Malayalam",
    "Sinhala",
    "Thai",
    "Lao",
    "Tibetan",
    "Myanmar",
    "Georgian",
    "Hangul",
    "Ethiopic",
    "Cherokee",
    "Canadian_Aboriginal",
    "Ogham",
    "Runic",
    "Khmer",
    "Mongolian",
    "Hiragana",
    "Katakana",
    "Bopomofo",
    "Han",
    "Yi",
    "Gothic",
    "Deseret",
    "Tifinagh",
    "Nko",
    "Vai",
    "Javanese",
    "Balinese",
    "Coptic",
    "Glagolitic",
    "Adlam",
    "Cuneiform",
    "Osage",
];

/// Scripts that write without spaces between words.
const UNSPACED: [&str; 8] = ["Thai", "Lao", "Khmer", "Myanmar", "Han", "Hiragana", "Katakana", "Tibetan"];

const SENTENCES: usize = 60;

pub(crate) fn samples() -> Vec<Sample> {
    SCRIPTS.iter().map(|script| Sample::new(format!("the script {script}"), prose(script))).collect()
}

/// Some sentences in a script, with letters of both cases, marks and numbers where it has them.
fn prose(script: &str) -> String {
    let mut chance = drawn(script);
    let letters = characters(&format!(r"[\p{{sc={script}}}&&[\p{{L}}\p{{M}}]]"));
    let digits = characters(&format!(r"[\p{{scx={script}}}\p{{sc={script}}}0-9&&\p{{N}}]"));
    let space = if UNSPACED.contains(&script) { "" } else { " " };
    let mut text = String::new();
    for _ in 0..SENTENCES {
        for _ in 0..chance.usize(2..14) {
            for _ in 0..chance.usize(1..10) {
                text.push(letters[chance.usize(..letters.len())]);
            }
            text.push_str(space);
        }
        for _ in 0..chance.usize(1..8) {
            text.push(digits[chance.usize(..digits.len())]);
        }
        text.push_str([". ", "! ", "?\n", ".\n\n", "。", "।", "؟ ", "… "][chance.usize(..8)]);
    }
    text
}
