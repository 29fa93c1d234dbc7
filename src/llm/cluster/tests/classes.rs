//! The table of classes, made from the answers of unicode-segmentation, which says where
//! boundaries are but not what the characters are.

use super::super::*;
use super::is_boundary;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::LazyLock;
use unicode_segmentation::UNICODE_VERSION;

/// All characters in order, each with its class.
static CHARACTERS: LazyLock<Vec<(char, Class)>> =
    LazyLock::new(|| ('\0'..=char::MAX).map(|character| (character, class(character))).collect());

/// The class of a character, told by how it joins others.
fn class(character: char) -> Class {
    let mut buffer = [0; 4];
    let character: &str = character.encode_utf8(&mut buffer);
    let joins = |before: &[&str], after: &str| {
        let before = before.concat();
        !is_boundary(&(before.clone() + after), before.len())
    };
    if joins(&["a"], character) {
        let joins_pictographs = joins(&["👩", character], "👩");
        let is_extend = joins(&["👩", character, "\u{200d}"], "👩");
        let links = joins(&["क", character], "क");
        let stays_in_conjuncts = joins(&["क", character, "\u{94d}"], "क");
        return match (joins_pictographs, is_extend, links, stays_in_conjuncts) {
            (false, true, false, true) => Class::Extend,
            (false, true, true, true) => Class::Linker,
            (false, true, false, false) => Class::NonJoiner,
            (true, false, false, true) => Class::Joiner,
            (false, false, false, false) => Class::SpacingMark,
            other => panic!("no class for {character:?}, {other:?}"),
        };
    }
    let tests: [(Class, &dyn Fn() -> bool); 10] = [
        (Class::Prepend, &|| joins(&[character], "a")),
        (Class::Control, &|| !joins(&["\u{600}"], character)),
        (Class::RegionalIndicator, &|| joins(&["🇩"], character)),
        (Class::Pictographic, &|| joins(&["👩\u{200d}"], character)),
        (Class::Consonant, &|| joins(&["क\u{94d}"], character)),
        (Class::L, &|| joins(&[character], "\u{1100}")),
        (Class::T, &|| joins(&["\u{11a8}"], character)),
        (Class::V, &|| joins(&["\u{1161}"], character)),
        (Class::Lv, &|| joins(&[character], "\u{1161}")),
        (Class::Lvt, &|| joins(&[character], "\u{11a8}")),
    ];
    tests.iter().find(|(_, test)| test()).map_or(Class::Other, |(class, _)| *class)
}

/// The characters of each class.
pub(super) fn members() -> Vec<Vec<char>> {
    let mut members = vec![Vec::new(); Class::ALL.len()];
    for &(character, class) in CHARACTERS.iter() {
        members[class as usize].push(character);
    }
    members
}

/// The source of `table.rs`. Surrogates, which are no characters, belong to the run that they interrupt.
fn source() -> String {
    let mut runs: Vec<(u32, Class)> = Vec::new();
    for &(character, class) in CHARACTERS.iter() {
        let class = if class == Class::Lv { Class::Lvt } else { class };
        if runs.last().is_none_or(|&(_, last)| last != class) {
            runs.push((u32::from(character), class));
        }
    }
    let ends = runs.iter().skip(1).map(|&(start, _)| start).chain([u32::from(char::MAX) + 1]);
    let mut bytes = Vec::new();
    for (&(start, class), end) in runs.iter().zip(ends) {
        let mut number = (end - start - 1) << CODE_BITS | class as u32;
        while number >= 0x80 {
            bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        bytes.push(number as u8);
    }
    let (major, minor, patch) = UNICODE_VERSION;
    let mut text = format!(
        "//! The classes of all characters in Unicode {major}.{minor}.{patch}; `Classes::read` says how they are written.\n\
         //!\n\
         //! Made from unicode-segmentation by `THREADFOLD_WRITE=1 cargo test --lib llm::cluster`; do not edit.\n\
         //! What it states is data of the Unicode Character Database, under the licence in `LICENSE-UNICODE`.\n\n\
         /// How many runs of characters of one class there are.\n\
         pub(super) const RUNS: usize = {};\n\n\
         #[rustfmt::skip]\n\
         pub(super) const TABLE: &[u8] = &[\n",
        runs.len(),
    );
    for line in bytes.chunks(24) {
        let line: Vec<String> = line.iter().map(u8::to_string).collect();
        writeln!(text, "    {},", line.join(", ")).unwrap();
    }
    text + "];\n"
}

#[test]
fn the_table_is_that_of_unicode_segmentation() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/llm/cluster/table.rs");
    let source = source();
    if std::env::var_os("THREADFOLD_WRITE").is_some() {
        std::fs::write(&path, &source).unwrap();
    }
    let checked_in = std::fs::read_to_string(&path).unwrap();
    assert!(checked_in == source, "table.rs is behind unicode-segmentation; see its first lines");
}

#[test]
fn every_character_has_the_class_that_it_shows() {
    let classes = Classes::read();
    for &(character, class) in CHARACTERS.iter() {
        assert_eq!(classes.class(character), class, "{character:?}");
    }
    let codes = Class::ALL.map(|class| Class::ALL[class as usize]);
    assert_eq!(codes, Class::ALL, "the list is in the order of the declaration");
}
