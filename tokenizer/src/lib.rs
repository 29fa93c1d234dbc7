//! Counts tokens as tiktoken does, without telling which they are.
//!
//! A text is split into pieces by the pattern of its encoding ([`split`]), and the pieces are merged,
//! from bytes to tokens, in the order that the encoding's ranks prescribe ([`merge`], [`long_piece`]).
//! How many tokens remain is all that is asked, so a vocabulary needs no ranks: it keeps *levels*,
//! which order only the merges that can get in each other's way. That makes its file less than half as
//! large. [`build`] says how levels are made and why they give the same tokens.
//!
//! The authority for all of it is the crate tiktoken-rs: the files are made from its vocabularies, and
//! `tests/tokens` holds the counts against its `count_ordinary`. Special tokens in a text are text.

mod ascii;
mod bits;
#[cfg(feature = "build")]
pub mod build;
mod cache;
mod characters;
mod class;
mod counter;
mod east_asian;
mod encoding;
mod feed;
mod file;
mod keys;
mod long_piece;
mod long_tokens;
mod merge;
mod split;
mod table;
#[cfg(test)]
#[cfg(feature = "build")]
mod testing;
mod tiny;
mod variant;
mod vocabulary;
mod warm_up;
mod wide_merge;
mod word;

pub use class::UNICODE_VERSION;
pub use counter::{Progress, Tokenizer};
pub use encoding::Encoding;
pub use feed::Feed;
pub use file::{VocabularyError, encoding_of, hash};
