//! A text of a vocabulary's own tokens, to be counted once when it is loaded.
//!
//! A wasm engine first compiles each function fast and badly. Once it has run for a while it is compiled again,
//! well, on another thread, which takes some ten milliseconds. Counting this text makes that begin while the
//! vocabulary is loaded, not in the middle of the first text of the user. All that it leaves behind are true
//! counts in the cache.

/// About so many tokens are in the text: enough for the functions to be compiled well, and some milliseconds.
const TOKENS: u32 = 4_000;
/// Words grow up to so many tokens, and begin anew with one: most are merged at once, a few are longer.
const LONGEST_WORD: u32 = 10;

/// The text, while the stems come. Their order is that of their bytes, so tokens that lie equally far apart are
/// of all scripts.
pub(crate) struct Sample {
    text: Vec<u8>,
    /// Of so many stems one is taken.
    one_of: u32,
    /// The stems up to the next one that is taken.
    left: u32,
    /// The tokens that are still to come of the newest word, and how many it has.
    tokens: u32,
    word: u32,
}

impl Sample {
    /// Of so many stems.
    pub(crate) fn of(stems: u32) -> Self {
        let one_of = stems.div_ceil(TOKENS).max(1);
        Self { text: Vec::new(), one_of, left: one_of, tokens: 1, word: 1 }
    }

    /// Takes a token of the next stem, or leaves it out.
    pub(crate) fn add(&mut self, token: &[u8]) {
        self.left -= 1;
        if self.left > 0 {
            return;
        }
        self.left = self.one_of;
        self.text.extend_from_slice(token);
        self.tokens -= 1;
        if self.tokens == 0 {
            self.text.push(b' ');
            self.word = self.word % LONGEST_WORD + 1;
            self.tokens = self.word;
        }
    }

    /// All of it.
    pub(crate) fn text(&self) -> &[u8] {
        &self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_has_words_of_one_token_and_of_several_from_first_to_last() {
        for stems in [1, TOKENS - 1, TOKENS, TOKENS + 1, 10 * TOKENS] {
            let mut sample = Sample::of(stems);
            for stem in 1..=stems {
                sample.add(format!("{stem};").as_bytes());
            }
            let text = std::str::from_utf8(sample.text()).unwrap();
            let words: Vec<usize> = text.split(' ').map(|word| word.matches(';').count()).collect();
            assert!(words.iter().sum::<usize>() as u32 <= TOKENS, "{stems}");
            let complete = words.split_last().unwrap().1;
            assert!(complete.iter().copied().eq((1..=LONGEST_WORD as usize).cycle().take(complete.len())), "{words:?}");
            let last = text.trim_end_matches([' ', ';']).rsplit([' ', ';']).next().unwrap().parse::<u32>().unwrap();
            assert!(stems - last < stems.div_ceil(TOKENS), "{last} of {stems}");
        }
    }
}
