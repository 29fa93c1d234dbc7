//! Characters that merging may cut.
//!
//! Most characters of more than one byte are tokens, and their bytes become one before anything else
//! happens to them; so merging may begin with the whole character. Not so where a token begins in the
//! middle of a character, or ends there, and its level is as low as that of the character: then some of the
//! bytes may go elsewhere first. For a character that is no token there is nothing to begin with.

use std::collections::{BTreeMap, HashMap};

use crate::file::only_character;
use crate::vocabulary::Level;

/// The characters of more than one byte that are tokens but may be cut, in order.
pub(crate) fn cut_characters(levels: &BTreeMap<Vec<u8>, Level>) -> Vec<char> {
    // The lowest level of a token that begins with these last bytes of a character and goes on, or that
    // ends with these first ones and began before.
    let mut beginning_with: HashMap<&[u8], Level> = HashMap::new();
    let mut ending_with: HashMap<&[u8], Level> = HashMap::new();
    for (token, &level) in levels.iter().filter(|&(_, &level)| level > 0) {
        let last_bytes = token.iter().take_while(|&&byte| is_continuation(byte)).count();
        if last_bytes > 0 && last_bytes < token.len() {
            note(&mut beginning_with, &token[..last_bytes], level);
        }
        let first_bytes = unfinished(token);
        if first_bytes > 0 && first_bytes < token.len() {
            note(&mut ending_with, &token[token.len() - first_bytes..], level);
        }
    }
    let is_cut = |token: &[u8], level: Level| {
        let cut_before = |level_of: Option<&Level>| level_of.is_some_and(|&other| other <= level);
        level == 0
            || (1..token.len()).any(|at| {
                let (first, last) = token.split_at(at);
                cut_before(ending_with.get(first)) || cut_before(beginning_with.get(last))
            })
    };
    let characters = levels.iter().filter_map(|(token, &level)| Some((only_character(token)?, token, level)));
    let mut cut: Vec<char> =
        characters.filter(|(_, token, level)| is_cut(token, *level)).map(|(character, ..)| character).collect();
    cut.sort_unstable();
    cut
}

fn note<'a>(lowest: &mut HashMap<&'a [u8], Level>, bytes: &'a [u8], level: Level) {
    lowest.entry(bytes).and_modify(|known| *known = level.min(*known)).or_insert(level);
}

fn is_continuation(byte: u8) -> bool {
    (0x80..0xc0).contains(&byte)
}

/// How many bytes at the end are the first ones of a character that is not all there.
fn unfinished(token: &[u8]) -> usize {
    let behind = token.iter().rev().take_while(|&&byte| is_continuation(byte)).count();
    let Some(&first) = token.len().checked_sub(behind + 1).and_then(|at| token.get(at)) else { return 0 };
    let length = match first {
        0xc0..0xe0 => 2,
        0xe0..0xf0 => 3,
        0xf0.. => 4,
        _ => 1,
    };
    if behind + 1 < length { behind + 1 } else { 0 }
}
