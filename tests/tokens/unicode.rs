//! The version of Unicode by which texts are split.

use crate::classes::characters;
use tokenizer::UNICODE_VERSION;

/// The classes come from the regex crates that tiktoken-rs splits by. With an update of those this fails: then the
/// constant changes, the documents with it, and counts of new letters do.
#[test]
fn the_version_of_unicode_is_that_of_tiktokens_tables() {
    let (major, minor, update) = UNICODE_VERSION;
    assert_eq!(update, 0, "regex-syntax tells no updates apart");
    let known = |version: &str| regex_syntax::parse(&format!(r"\p{{age={version}}}")).is_ok();
    assert!(known(&format!("{major}.{minor}")), "{UNICODE_VERSION:?} is newer than the tables");
    assert!(!known(&format!("{major}.{}", minor + 1)), "the tables are newer than {UNICODE_VERSION:?}");
    assert!(!known(&format!("{}.0", major + 1)), "the tables are newer than {UNICODE_VERSION:?}");
}

/// What the version named is known by: letters and numbers that came with it.
#[test]
fn letters_that_came_with_the_version_are_letters() {
    for (letter, class) in [('\u{1c89}', r"\p{Lu}"), ('\u{105c0}', r"\p{Lo}"), ('\u{10d40}', r"\p{Nd}")] {
        assert!(characters(class).contains(&letter), "{letter:?} is of {class}");
    }
}
