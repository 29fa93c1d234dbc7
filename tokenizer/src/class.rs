//! What a character is to the patterns: letter, number, white space and so on.
//!
//! The classes come with the vocabulary file, where [`crate::build`] writes what the very tables say
//! that tiktoken-rs splits by. So they are always of the same version of Unicode.

/// The version of Unicode that the classes are of. A test holds it against the tables of tiktoken-rs.
pub const UNICODE_VERSION: (u8, u8, u8) = (16, 0, 0);

/// A class, or several: each is one bit.
pub(crate) type Class = u8;

/// Upper-case and title-case letters.
pub(crate) const UPPER: Class = 1;
/// Lower-case letters.
pub(crate) const LOWER: Class = 1 << 1;
/// Letters without case, modifier letters among them.
pub(crate) const CASELESS: Class = 1 << 2;
/// Marks, which combine with the character before them.
pub(crate) const MARK: Class = 1 << 3;
/// Numbers of every kind.
pub(crate) const NUMBER: Class = 1 << 4;
/// White space other than CR and LF.
pub(crate) const SPACE: Class = 1 << 5;
/// CR and LF.
pub(crate) const NEWLINE: Class = 1 << 6;
/// Everything else: punctuation, symbols, control characters, unassigned code points.
pub(crate) const OTHER: Class = 1 << 7;

pub(crate) const LETTER: Class = UPPER | LOWER | CASELESS;
pub(crate) const WHITE_SPACE: Class = SPACE | NEWLINE;

/// One more than the last code point.
pub(crate) const CODE_POINTS: u32 = 0x11_0000;
/// How many code points share a page: those whose UTF-8 differs in its last byte only.
const PAGE: usize = 64;

/// The class of every code point, in pages, of which those that are all of one class are kept once.
pub(crate) struct Classes {
    ascii: [Class; 256],
    /// The page of each block of code points.
    blocks: Vec<u16>,
    pages: Vec<[Class; PAGE]>,
}

impl Classes {
    /// From runs of code points with one class, which must cover all of them.
    #[inline(never)]
    pub(crate) fn from_runs(runs: impl Iterator<Item = (Class, u32)>) -> Option<Self> {
        let mut classes = Self { ascii: [0; 256], blocks: Vec::new(), pages: Vec::new() };
        let mut page = Vec::with_capacity(PAGE);
        // The pages that are all of one class, by its bit; others are hardly ever alike.
        let mut uniform = [None; Class::BITS as usize];
        let mut at = 0_u32;
        for (class, length) in runs {
            if length == 0 || length > CODE_POINTS - at || class.count_ones() != 1 {
                return None;
            }
            for ascii in classes.ascii.iter_mut().take(0x80).skip(at as usize).take(length as usize) {
                *ascii = class;
            }
            at += length;
            let mut left = length as usize;
            while left > 0 {
                if page.is_empty() && left >= PAGE {
                    let known = uniform.get_mut(class.trailing_zeros() as usize)?;
                    let number = match *known {
                        Some(number) => number,
                        None => classes.add(&[class; PAGE])?,
                    };
                    *known = Some(number);
                    classes.blocks.resize(classes.blocks.len() + left / PAGE, number);
                    left %= PAGE;
                    continue;
                }
                let taken = left.min(PAGE - page.len());
                page.resize(page.len() + taken, class);
                left -= taken;
                if page.len() == PAGE {
                    let number = classes.add(&page)?;
                    classes.blocks.push(number);
                    page.clear();
                }
            }
        }
        (at == CODE_POINTS).then_some(classes)
    }

    /// Adds a page: its number.
    fn add(&mut self, page: &[Class]) -> Option<u16> {
        self.pages.push(page.try_into().ok()?);
        u16::try_from(self.pages.len() - 1).ok()
    }

    /// The class of the character at a byte, and its length in bytes; 0 and 0 at the end. What is no ASCII costs a
    /// call, so that the many places which ask stay small.
    #[inline(always)]
    pub(crate) fn at(&self, text: &[u8], at: usize) -> (Class, usize) {
        match text.get(at) {
            Some(&byte) if byte < 0x80 => (self.of_ascii(byte), 1),
            Some(_) => {
                let [class, length] = self.of_wide(text, at).to_le_bytes();
                (class, usize::from(length))
            }
            None => (0, 0),
        }
    }

    /// The class and the length in one number: two would go through memory.
    #[inline(never)]
    fn of_wide(&self, text: &[u8], at: usize) -> u16 {
        let (class, length) = self.any_at(text, at);
        u16::from_le_bytes([class, length as u8])
    }

    /// The same as [`Classes::at`] for where most is no ASCII.
    #[inline(always)]
    pub(crate) fn any_at(&self, text: &[u8], at: usize) -> (Class, usize) {
        let Some(&byte) = text.get(at) else { return (0, 0) };
        if byte < 0x80 { (self.of_ascii(byte), 1) } else { self.at_wide(text, at, byte) }
    }

    #[inline(always)]
    fn of_ascii(&self, byte: u8) -> Class {
        self.ascii.get(usize::from(byte)).copied().unwrap_or(OTHER)
    }

    /// The same for what is no ASCII. What is no UTF-8 either is a byte of its own, of the class of signs; of a cut character what is left.
    #[inline(always)]
    fn at_wide(&self, text: &[u8], at: usize, first: u8) -> (Class, usize) {
        let next = |further: usize| usize::from(text.get(at + further).copied().unwrap_or(0) & 0x3f);
        let first_bits = usize::from(first);
        let (block, last, length) = match first {
            0xc0..=0xdf => (first_bits & 0x1f, next(1), 2),
            0xe0..=0xef => ((first_bits & 0xf) << 6 | next(1), next(2), 3),
            0xf0..=0xf7 => ((first_bits & 7) << 12 | next(1) << 6 | next(2), next(3), 4),
            _ => return (OTHER, 1),
        };
        let page = self.blocks.get(block).and_then(|&page| self.pages.get(usize::from(page)));
        let class = page.and_then(|page| page.get(last)).copied().unwrap_or(OTHER);
        (class, length.min(text.len() - at))
    }

    /// Where a run of characters of some classes ends.
    #[inline(always)]
    pub(crate) fn run(&self, text: &[u8], from: usize, wanted: Class) -> usize {
        let mut at = from;
        loop {
            match text.get(at) {
                Some(&byte) if byte < 0x80 => {
                    if self.of_ascii(byte) & wanted == 0 {
                        return at;
                    }
                    at += 1;
                }
                Some(_) => return self.any_run(text, at, wanted),
                None => return at,
            }
        }
    }

    /// The same for where most is no ASCII.
    #[inline(never)]
    pub(crate) fn any_run(&self, text: &[u8], from: usize, wanted: Class) -> usize {
        let mut at = from;
        loop {
            let (class, length) = self.any_at(text, at);
            if class & wanted == 0 {
                return at;
            }
            at += length;
        }
    }
}

#[cfg(test)]
#[cfg(feature = "build")]
mod tests {
    use super::*;

    #[test]
    fn every_character_has_the_class_that_the_tables_of_tiktoken_rs_give_it() {
        let runs = crate::build::classes::runs();
        let classes = Classes::from_runs(runs.iter().copied()).unwrap();
        let mut code_points = 0..CODE_POINTS;
        for (class, length) in runs {
            for character in code_points.by_ref().take(length as usize).filter_map(char::from_u32) {
                let text = character.to_string();
                assert_eq!(classes.at(text.as_bytes(), 0), (class, text.len()), "{character:?}");
            }
        }
        assert!(code_points.is_empty());
    }

    #[test]
    fn runs_that_do_not_cover_all_code_points_once_are_refused() {
        let refused = |runs: &[(Class, u32)]| Classes::from_runs(runs.iter().copied()).is_none();
        assert!(refused(&[]));
        assert!(refused(&[(OTHER, CODE_POINTS - 1)]));
        assert!(refused(&[(OTHER, CODE_POINTS), (OTHER, 1)]));
        assert!(refused(&[(OTHER, 0), (OTHER, CODE_POINTS)]));
        assert!(refused(&[(OTHER | MARK, CODE_POINTS)]));
        assert!(!refused(&[(OTHER, 1), (MARK, CODE_POINTS - 1)]));
    }

    #[test]
    fn what_is_no_utf8_is_one_byte_at_a_time_and_ends_with_the_text() {
        let classes = Classes::from_runs(crate::build::classes::runs().into_iter()).unwrap();
        assert_eq!(classes.at(b"\x80a", 0), (OTHER, 1));
        assert_eq!(classes.at(b"\xff", 0), (OTHER, 1));
        assert_eq!(classes.at("中".get(..0).unwrap().as_bytes(), 0), (0, 0));
        assert_eq!(classes.at(&"中".as_bytes()[..2], 0).1, 2);
    }
}
