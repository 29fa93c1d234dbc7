//! What each character is to the patterns, by the tables that tiktoken-rs splits by.

use regex_syntax::hir::{Class as HirClass, HirKind};

use crate::class::{CASELESS, CODE_POINTS, Class, LOWER, MARK, NEWLINE, NUMBER, OTHER, SPACE, UPPER};

/// The classes as the patterns write them. What none of them names is of the class `OTHER`.
const NAMED: [(&str, Class); 7] = [
    (r"[\p{Lu}\p{Lt}]", UPPER),
    (r"\p{Ll}", LOWER),
    (r"[\p{Lm}\p{Lo}]", CASELESS),
    (r"\p{M}", MARK),
    (r"\p{N}", NUMBER),
    (r"[\s--\r\n]", SPACE),
    (r"[\r\n]", NEWLINE),
];

/// Runs of code points of one class: the class, and how many there are.
pub(crate) fn runs() -> Vec<(Class, u32)> {
    let mut classes = vec![OTHER; CODE_POINTS as usize];
    for (pattern, class) in NAMED {
        for (from, to) in ranges(pattern) {
            for slot in classes.iter_mut().take(to as usize + 1).skip(from as usize) {
                *slot = class;
            }
        }
    }
    classes.chunk_by(|a, b| a == b).filter_map(|run| Some((*run.first()?, run.len() as u32))).collect()
}

#[expect(clippy::panic, reason = "the patterns above are classes")]
fn ranges(pattern: &str) -> Vec<(u32, u32)> {
    match regex_syntax::parse(pattern).map(|parsed| parsed.into_kind()) {
        Ok(HirKind::Class(HirClass::Unicode(class))) => {
            class.iter().map(|range| (u32::from(range.start()), u32::from(range.end()))).collect()
        }
        other => panic!("{pattern} is no class of characters but {other:?}"),
    }
}
