//! Counting a text that comes in parts.

use crate::counter::{Progress, Tokenizer, Until};

/// The parts so far of a text, and their tokens.
#[derive(Debug, Default)]
pub struct Feed {
    /// What is not counted yet: what follows may change its last piece.
    rest: Vec<u8>,
    tokens: u64,
    /// Below this length it makes no sense to look at the rest again. It doubles, so that a piece which
    /// comes in many parts is not gone through with each of them.
    look_at: usize,
}

impl Feed {
    /// Takes the next part, which is UTF-8 and ends between two characters.
    pub fn add(&mut self, tokenizer: &Tokenizer, part: &[u8]) {
        if self.rest.is_empty() {
            let counted = self.count(tokenizer, part, true);
            self.rest.extend_from_slice(part.get(counted..).unwrap_or_default());
            self.look_at = 2 * self.rest.len();
            return;
        }
        self.rest.extend_from_slice(part);
        if self.rest.len() >= self.look_at {
            let rest = std::mem::take(&mut self.rest);
            let counted = self.count(tokenizer, &rest, true);
            self.rest = rest;
            self.rest.drain(..counted);
            self.look_at = 2 * self.rest.len();
        }
    }

    /// The tokens of the whole text, whose last part this is.
    pub fn finish(mut self, tokenizer: &Tokenizer, part: &[u8]) -> u64 {
        if self.rest.is_empty() {
            self.count(tokenizer, part, false);
        } else {
            let mut rest = std::mem::take(&mut self.rest);
            rest.extend_from_slice(part);
            self.count(tokenizer, &rest, false);
        }
        self.tokens
    }

    /// Counts what cannot change any more: how many bytes.
    fn count(&mut self, tokenizer: &Tokenizer, text: &[u8], more_follows: bool) -> usize {
        let mut progress = Progress::default();
        tokenizer.advance(text, &mut progress, Until { byte: usize::MAX, more_follows });
        self.tokens += progress.tokens;
        progress.at
    }
}
