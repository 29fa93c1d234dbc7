//! How far off an estimate may be, and how that is said.

use std::fmt;

/// How far off an estimate is in nine of ten cases, in thousandths of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Margin {
    /// How much less it may be.
    pub below: u32,
    /// How much more it may be.
    pub above: u32,
}

impl Margin {
    /// Of what a tokenizer counted, where what frames messages is known.
    pub const NONE: Self = Self { below: 0, above: 0 };
    /// Of a model of which nothing is known. By TOKENS.md, nine of ten texts lie within a quarter for
    /// o200k_base; other tokenizers take up to a quarter more.
    pub const UNCALIBRATED: Self = Self { below: 250, above: 500 };

    /// Of what files take, whatever counts the texts: a page of a PDF without a text is half of what is taken for
    /// one, and one of dense text half as much again.
    pub const FILES: Self = Self { below: 500, above: 500 };
    /// Of what a tokenizer counted, as long as it is not: a few tokens for each message.
    pub const COUNTED: Self = Self { below: 0, above: 100 };

    /// What may be missing of so many tokens, and what may come on top.
    pub fn parts(self, tokens: u64) -> (u64, u64) {
        let part = |margin: u32| tokens.saturating_mul(margin.into()).div_ceil(1_000);
        (part(self.below), part(self.above))
    }

    /// The same where files take so many of the tokens.
    pub fn parts_with(self, files: u64, tokens: u64) -> (u64, u64) {
        let files = files.min(tokens);
        let ((below, above), (less, more)) = (self.parts(tokens - files), Self::FILES.parts(files));
        (below.saturating_add(less), above.saturating_add(more))
    }

    /// Between which numbers so many tokens lie in nine of ten cases, of which files take some.
    pub fn range(self, files: u64, tokens: u64) -> (u64, u64) {
        let (less, more) = self.parts_with(files, tokens);
        (tokens.saturating_sub(less), tokens.saturating_add(more))
    }

    /// An estimate as messages for people say it.
    pub fn of(self, tokens: u64) -> Spoken {
        Spoken { tokens, margin: self }
    }
}

/// An estimate with its margin, as text.
#[derive(Debug, Clone, Copy)]
pub struct Spoken {
    tokens: u64,
    margin: Margin,
}

impl fmt::Display for Spoken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tokens = self.tokens;
        match self.margin.range(0, tokens) {
            (low, high) if low == high => write!(f, "{tokens}"),
            (low, high) => write!(f, "{tokens} (estimated: {low} to {high})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_a_margin_of_their_own() {
        assert_eq!(Margin::NONE.range(0, 10_000), (10_000, 10_000));
        assert_eq!(Margin::NONE.range(4_000, 10_000), (8_000, 12_000));
        assert_eq!(Margin::UNCALIBRATED.range(4_000, 10_000), (6_500, 15_000));
        // What prunes have saved may be more than what is left.
        assert_eq!(Margin::NONE.range(4_000, 100), (50, 150));
    }

    #[test]
    fn an_estimate_says_its_margin_and_an_exact_number_none() {
        assert_eq!(Margin::UNCALIBRATED.of(901).to_string(), "901 (estimated: 675 to 1352)");
        assert_eq!(Margin::NONE.of(901).to_string(), "901");
        assert_eq!(Margin::UNCALIBRATED.of(0).to_string(), "0");
        assert!(Margin::UNCALIBRATED.of(u64::MAX).to_string().ends_with(&format!("to {})", u64::MAX)));
    }
}
