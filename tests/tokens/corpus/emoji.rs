//! Emoji: single ones, and the sequences that show as one.

use super::{Sample, drawn};
use crate::classes::characters;

const JOINER: &str = "\u{200d}";
const AS_EMOJI: &str = "\u{fe0f}";
const KEYCAP: &str = "\u{20e3}";

/// One sequence of each kind.
pub(crate) const SEQUENCES: [&str; 14] = [
    // A family, joined; people with skin tones, joined.
    "👨\u{200d}👩\u{200d}👧\u{200d}👦",
    "🧑🏽\u{200d}🚀",
    "👩🏿\u{200d}❤\u{fe0f}\u{200d}💋\u{200d}👨🏻",
    // A skin tone by itself and on a hand.
    "🏾",
    "👋🏼",
    // Flags: of two letters, by tags, joined.
    "🇩🇪🇫🇷",
    "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
    "🏳\u{fe0f}\u{200d}🌈",
    // Keycaps.
    "1\u{fe0f}\u{20e3}#\u{fe0f}\u{20e3}*\u{20e3}",
    // With a variation selector, as text and as an emoji.
    "☺\u{fe0e}☺\u{fe0f}",
    // Gender, direction and hair by joined signs.
    "🏃🏻\u{200d}♀\u{fe0f}\u{200d}➡\u{fe0f}",
    "👨🏽\u{200d}🦰",
    // Broken: a joiner without a partner, half a flag.
    "👩\u{200d}",
    "🇩",
];

pub(crate) fn samples() -> Vec<Sample> {
    let mut chance = drawn("emoji");
    let emoji = characters(r"\p{Emoji}");
    let mut joined = String::new();
    for _ in 0..600 {
        joined.push(emoji[chance.usize(..emoji.len())]);
        joined.push_str(["", "", " ", JOINER, AS_EMOJI, KEYCAP, "🏻", "🏿", " ok ", "\n"][chance.usize(..10)]);
    }
    vec![
        Sample::new("every emoji", emoji.iter().collect::<String>()),
        Sample::new("every emoji behind a space", emoji.iter().map(|char| format!(" {char}")).collect::<String>()),
        Sample::new("sequences of emoji", SEQUENCES.concat()),
        Sample::new("sequences of emoji in a sentence", format!("He said {} and left.", SEQUENCES.join(", then "))),
        Sample::new("emoji joined at random", joined),
    ]
}
