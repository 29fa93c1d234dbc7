//! Makes vocabulary files from the vocabularies of tiktoken-rs.
//!
//! [`levels`] says in which order tokens are merged, [`classes`] what each character is to the patterns,
//! and [`write`] puts all of it into a file.

#![expect(clippy::indexing_slicing, reason = "this makes files at build, of data that is known")]

pub(crate) mod classes;
mod levels;
mod write;

use std::collections::BTreeMap;

use crate::encoding::Encoding;

/// Bytes of tokens, and the rank of each.
pub type Ranks = BTreeMap<Vec<u8>, u32>;

/// The ordinary tokens of an encoding, with their ranks, as tiktoken-rs has them.
pub fn ranks(encoding: Encoding) -> Ranks {
    let authority = authority(encoding);
    // The ranks of ordinary tokens have gaps, but none of 1 000; special tokens lie behind them.
    let mut ranks = Ranks::new();
    let special: Vec<Vec<u8>> = authority.special_tokens().iter().map(|token| token.as_bytes().to_vec()).collect();
    for rank in 0..MOST_RANKS {
        if let Ok(bytes) = authority.decode_bytes(&[rank])
            && !special.contains(&bytes)
        {
            ranks.insert(bytes, rank);
        }
    }
    ranks
}

/// Beyond every rank of every encoding.
const MOST_RANKS: u32 = 210_000;

/// What counts are held against.
#[expect(clippy::expect_used, reason = "the vocabularies are part of the crate")]
pub fn authority(encoding: Encoding) -> tiktoken_rs::CoreBPE {
    match encoding {
        Encoding::O200kBase => tiktoken_rs::o200k_base(),
        Encoding::O200kHarmony => tiktoken_rs::o200k_harmony(),
        Encoding::Cl100kBase => tiktoken_rs::cl100k_base(),
        Encoding::P50kBase => tiktoken_rs::p50k_base(),
        Encoding::R50kBase => tiktoken_rs::r50k_base(),
    }
    .expect("tiktoken-rs reads its own vocabularies")
}

/// The vocabulary file of an encoding.
pub fn vocabulary_file(encoding: Encoding) -> Vec<u8> {
    let encoding = encoding.vocabulary();
    let levels = levels::levels(&ranks(encoding));
    write::write(encoding, &classes::runs(), &levels)
}
