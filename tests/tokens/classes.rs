//! The classes of characters that the patterns name, as the regex crates have them with which tiktoken-rs reads its
//! patterns.

use regex_syntax::hir::{Class as HirClass, HirKind};
use std::sync::LazyLock;

/// What the patterns can tell of a character: a set of bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Class(u16);

impl Class {
    /// `\p{L}`
    pub(crate) const LETTER: Self = Self(1);
    /// `\p{N}`
    pub(crate) const NUMBER: Self = Self(1 << 1);
    /// `\s`
    pub(crate) const WHITE_SPACE: Self = Self(1 << 2);
    /// `[\p{Lu}\p{Lt}]`
    pub(crate) const UPPER: Self = Self(1 << 3);
    /// `\p{Ll}`
    pub(crate) const LOWER: Self = Self(1 << 4);
    /// `[\p{Lm}\p{Lo}\p{M}]`
    pub(crate) const CASELESS: Self = Self(1 << 5);
    /// `[\r\n]`
    pub(crate) const NEWLINE: Self = Self(1 << 6);
    pub(crate) const BLANK: Self = Self(1 << 7);
    pub(crate) const SLASH: Self = Self(1 << 8);

    const NAMES: [(Self, &str); 9] = [
        (Self::LETTER, r"\p{L}"),
        (Self::NUMBER, r"\p{N}"),
        (Self::WHITE_SPACE, r"\s"),
        (Self::UPPER, r"[\p{Lu}\p{Lt}]"),
        (Self::LOWER, r"\p{Ll}"),
        (Self::CASELESS, r"[\p{Lm}\p{Lo}\p{M}]"),
        (Self::NEWLINE, r"[\r\n]"),
        (Self::BLANK, " "),
        (Self::SLASH, "/"),
    ];

    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) fn of(char: char) -> Self {
        Self(CLASSES[char as usize])
    }

    pub(crate) fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// The bits of every scalar value.
static CLASSES: LazyLock<Vec<u16>> = LazyLock::new(|| {
    let mut classes = vec![0; char::MAX as usize + 1];
    for (class, pattern) in Class::NAMES {
        for char in characters(pattern) {
            classes[char as usize] |= class.0;
        }
    }
    classes
});

/// The characters that a pattern of one character matches.
pub(crate) fn characters(pattern: &str) -> Vec<char> {
    let hir = regex_syntax::parse(pattern).unwrap_or_else(|error| panic!("{pattern}: {error}"));
    match hir.kind() {
        HirKind::Class(HirClass::Unicode(class)) => {
            class.ranges().iter().flat_map(|range| range.start()..=range.end()).collect()
        }
        HirKind::Literal(literal) => String::from_utf8_lossy(&literal.0).chars().collect(),
        other => panic!("{pattern}: one character, but not {other:?}"),
    }
}

/// The characters of some classes, or all but those.
#[derive(Clone, Copy)]
pub(crate) struct Set {
    classes: Class,
    negated: bool,
}

impl Set {
    pub(crate) const fn of(classes: Class) -> Self {
        Self { classes, negated: false }
    }

    pub(crate) const fn none_of(classes: Class) -> Self {
        Self { classes, negated: true }
    }

    pub(crate) fn holds(self, class: Class) -> bool {
        class.meets(self.classes) != self.negated
    }
}
