//! Counting a text, at once or a part of it at a time.

use std::fmt;

use crate::cache::{Cache, LONGER, LONGEST, SHORTER};
use crate::class::Classes;
use crate::encoding::{Encoding, Pattern};
use crate::file::{self, Loaded, VocabularyError};
use crate::keys::key16;
use crate::long_piece::LongPiece;
use crate::merge::{FEW_PARTS, MOST_PARTS, merge};
use crate::split::{self, LOOKAHEAD, Piece};
use crate::vocabulary::{NO_TOKEN, Vocabulary};

/// Counts tokens in one encoding. It takes some 7 MB of memory for the largest vocabulary.
pub struct Tokenizer {
    encoding: Encoding,
    pattern: Pattern,
    classes: Classes,
    vocabulary: Vocabulary,
    cache: Cache,
}

impl fmt::Debug for Tokenizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.encoding.name())
    }
}

impl PartialEq for Tokenizer {
    /// Only the very same is: there is no need for two of one vocabulary.
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Tokenizer {}

/// How far a text is counted.
#[derive(Debug, Clone, Default)]
pub struct Progress {
    /// The tokens up to there.
    pub tokens: u64,
    /// The first byte that is not counted.
    pub at: usize,
    /// The piece that is being counted, where it is a long one.
    long_piece: Option<LongPiece>,
}

/// How far counting shall go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Until {
    /// It stops at the first border of pieces from this byte on.
    pub(crate) byte: usize,
    /// Whether more text may follow: then what could still change is left.
    pub(crate) more_follows: bool,
}

/// What was counted at a stretch.
struct Stride {
    /// The first byte that is not counted.
    at: usize,
    tokens: u64,
    then: Then,
}

/// What comes behind a stretch.
enum Then {
    GoOn,
    /// What follows the text may change the next piece.
    Wait,
    /// A long piece up to this byte.
    LongPiece(usize),
}

/// How many pieces are counted at a stretch.
const STRIDE: usize = 256;

/// How many pieces in a row that are not tiny end the search for such.
const TRIES: u32 = 2;

impl Tokenizer {
    /// Reads a vocabulary file. One that is handed over is freed before the cache is made, so that wasm memory need not
    /// grow.
    pub fn load(file: impl AsRef<[u8]>) -> Result<Self, VocabularyError> {
        let loaded = file::read(file.as_ref(), Self::warm_up)?;
        drop(file);
        Ok(Self::of(loaded, Cache::new()))
    }

    fn of(loaded: Loaded, cache: Cache) -> Self {
        let Loaded { encoding, classes, vocabulary } = loaded;
        Self { encoding, pattern: encoding.pattern(), classes, vocabulary, cache }
    }

    /// Counts a text with what is loaded up to here, for nothing but that the code is compiled well soon.
    fn warm_up(loaded: Loaded, text: &[u8]) -> Loaded {
        let half = Self::of(loaded, Cache::none());
        half.advance(text, &mut Progress::default(), Until { byte: usize::MAX, more_follows: false });
        Loaded { encoding: half.encoding, classes: half.classes, vocabulary: half.vocabulary }
    }

    /// The encoding of the vocabulary.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// The tokens of a text.
    pub fn count(&self, text: &str) -> u64 {
        let mut progress = Progress::default();
        self.advance(text.as_bytes(), &mut progress, Until { byte: usize::MAX, more_follows: false });
        progress.tokens
    }

    /// Counts on in a text, by about so many bytes more. Whether all of it is counted.
    pub fn count_some(&self, text: &str, progress: &mut Progress, bytes: usize) -> bool {
        let byte = progress.reached().saturating_add(bytes);
        self.advance(text.as_bytes(), progress, Until { byte, more_follows: false });
        progress.at >= text.len()
    }

    /// Counts on in UTF-8; what is none gives some count.
    pub(crate) fn advance(&self, text: &[u8], progress: &mut Progress, until: Until) {
        let (mut at, mut tokens) = (progress.at, progress.tokens);
        while at < text.len() && at < until.byte {
            if progress.long_piece.is_some() {
                (progress.at, progress.tokens) = (at, tokens);
                if !self.advance_in_long_piece(text, progress, until.byte) {
                    return;
                }
                (at, tokens) = (progress.at, progress.tokens);
                continue;
            }
            let stride = match self.pattern {
                Pattern::O200k => self.stride_of_o200k(text, at, until),
                Pattern::Cl100k => self.stride_of_cl100k(text, at, until),
                Pattern::Gpt2 => self.stride_of_gpt2(text, at, until),
            };
            (at, tokens) = (stride.at, tokens + stride.tokens);
            match stride.then {
                Then::GoOn => {}
                Then::Wait => break,
                Then::LongPiece(end) => progress.long_piece = Some(LongPiece::new(at, end)),
            }
        }
        (progress.at, progress.tokens) = (at, tokens);
    }

    #[inline(never)]
    fn stride_of_o200k(&self, text: &[u8], from: usize, until: Until) -> Stride {
        let tiny = |at| self.vocabulary.tiny_piece::<true>(text, at);
        self.stride(text, from, until, tiny, |at| split::o200k(&self.classes, text, at))
    }

    #[inline(never)]
    fn stride_of_cl100k(&self, text: &[u8], from: usize, until: Until) -> Stride {
        let tiny = |at| self.vocabulary.tiny_piece::<false>(text, at);
        self.stride(text, from, until, tiny, |at| split::cl100k(&self.classes, text, at))
    }

    #[inline(never)]
    fn stride_of_gpt2(&self, text: &[u8], from: usize, until: Until) -> Stride {
        self.stride(text, from, until, |_| (0, 0), |at| split::gpt2(&self.classes, text, at))
    }

    /// Counts some pieces. A wasm engine compiles a function anew, and well, once it was called often or went
    /// round its loops often; a loop that is under way stays as slow as it was. So this one does not last, and is
    /// made for each pattern anew: what is small is compiled sooner.
    #[inline(always)]
    fn stride(
        &self,
        text: &[u8],
        from: usize,
        until: Until,
        tiny: impl Fn(usize) -> (usize, u64),
        piece: impl Fn(usize) -> Piece,
    ) -> Stride {
        let (mut at, mut tokens) = (from, 0);
        // How many pieces may still be of another kind before it is no longer tried whether the next one is tiny. Where
        // the last one was, the next one is likely to be, and otherwise the trial would cost more than it saves.
        let mut tries = 0_u32;
        for _ in 0..STRIDE {
            if at >= text.len() || at >= until.byte {
                break;
            }
            if tries > 0 {
                let (length, count) = tiny(at);
                if length > 0 {
                    (at, tokens, tries) = (at + length, tokens + count, TRIES);
                    continue;
                }
                tries -= 1;
            }
            let next = piece(at);
            if until.more_follows && next.seen + LOOKAHEAD > text.len() {
                return Stride { at, tokens, then: Then::Wait };
            }
            let end = next.end.max(at + 1);
            // Many words of prose and code have three letters, but few have less.
            if end - at <= 2 && text.get(at).is_some_and(u8::is_ascii_alphanumeric) {
                tries = TRIES;
            }
            match end - at {
                ..=SHORTER => {
                    let known = self.cache.shorter(key16(text, at, end));
                    tokens += known.unwrap_or_else(|| self.tokens_of_shorter(text, at, end));
                }
                16..=LONGER => tokens += self.tokens_of_longer(text, at, end),
                32..=LONGEST => tokens += self.tokens_of_longest(text, at, end),
                _ => return Stride { at, tokens, then: Then::LongPiece(end) },
            }
            at = end;
        }
        Stride { at, tokens, then: Then::GoOn }
    }

    #[inline(never)]
    fn tokens_of_shorter(&self, text: &[u8], from: usize, to: usize) -> u64 {
        self.cache.shorter_elsewhere(key16(text, from, to), || self.tokens_of_piece(text, from, to))
    }

    #[inline(never)]
    fn tokens_of_longer(&self, text: &[u8], from: usize, to: usize) -> u64 {
        self.cache.longer(text, from, to, || self.tokens_of_piece(text, from, to))
    }

    #[inline(never)]
    fn tokens_of_longest(&self, text: &[u8], from: usize, to: usize) -> u64 {
        let piece = text.get(from..to).unwrap_or_default();
        self.cache.longest(piece, || self.tokens_of_piece(piece, 0, piece.len()))
    }

    /// Counts on in a long piece; whether it is done.
    fn advance_in_long_piece(&self, text: &[u8], progress: &mut Progress, byte: usize) -> bool {
        let Some(long_piece) = &mut progress.long_piece else { return true };
        while long_piece.at() < byte {
            if let Some(tokens) = long_piece.tokens() {
                progress.tokens += tokens;
                progress.at = long_piece.end();
                progress.long_piece = None;
                return true;
            }
            long_piece.step(&self.vocabulary, text);
        }
        false
    }

    /// The tokens of a piece. One that is a token is one, whatever merging would give.
    #[inline(never)]
    fn tokens_of_piece(&self, text: &[u8], from: usize, to: usize) -> u64 {
        if to - from <= 1 {
            return 1;
        }
        // A piece that is a token has no border that no token crosses: this leaves it.
        if let Some(row) = self.vocabulary.east_asian_row(text, from, to) {
            let level = |from, to| self.vocabulary.level(text, from, to);
            if let Some(tokens) = row.tokens(level, |from, to| self.tokens_of_merged(text, from, to)) {
                return tokens;
            }
        }
        if self.vocabulary.level(text, from, to) != NO_TOKEN {
            return 1;
        }
        self.tokens_of_merged(text, from, to)
    }

    /// The same by merging.
    #[inline(never)]
    fn tokens_of_merged(&self, text: &[u8], from: usize, to: usize) -> u64 {
        if to - from <= FEW_PARTS {
            return merge::<FEW_PARTS>(&self.vocabulary, text, from, to).len() as u64;
        }
        let merged = merge::<MOST_PARTS>(&self.vocabulary, text, from, to);
        if merged.end == to {
            return merged.len() as u64;
        }
        let mut long_piece = LongPiece::new(from, to);
        loop {
            match long_piece.tokens() {
                Some(tokens) => return tokens,
                None => long_piece.step(&self.vocabulary, text),
            }
        }
    }
}

impl Progress {
    /// How far a text was gone through, long pieces included.
    fn reached(&self) -> usize {
        self.long_piece.as_ref().map_or(self.at, LongPiece::at)
    }
}
