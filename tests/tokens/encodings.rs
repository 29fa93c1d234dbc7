//! The encodings: for each its authority, the slow reading of what is published, and its vocabulary file.

use crate::reference::Reference;
use crate::reference::merge::Ranks;
use crate::reference::pattern::{CL100K, GPT_2, O200K};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::LazyLock;
use tiktoken_rs::CoreBPE;
use tokenizer::{Encoding, Tokenizer, build};

/// What an encoding's counts are held to.
pub(crate) struct Judge {
    pub(crate) name: &'static str,
    pub(crate) reference: Reference,
    authority: CoreBPE,
    vocabulary_file: Vec<u8>,
}

/// One of each encoding; made once, since some take seconds.
pub(crate) static JUDGES: LazyLock<Vec<Judge>> = LazyLock::new(|| {
    std::thread::scope(|scope| {
        let all = Encoding::ALL.map(|encoding| scope.spawn(move || Judge::new(encoding)));
        all.into_iter().map(|judge| judge.join().expect("a judge")).collect()
    })
});

impl Judge {
    fn new(encoding: Encoding) -> Self {
        let pattern = match encoding {
            Encoding::O200kBase | Encoding::O200kHarmony => O200K,
            Encoding::Cl100kBase => CL100K,
            Encoding::P50kBase | Encoding::R50kBase => GPT_2,
        };
        Self {
            name: encoding.name(),
            reference: Reference { pattern, ranks: Ranks::new(build::ranks(encoding)) },
            authority: build::authority(encoding),
            vocabulary_file: build::vocabulary_file(encoding),
        }
    }

    /// What tiktoken-rs counts; `None` where its pattern gives up.
    pub(crate) fn authority(&self, text: &str) -> Option<u64> {
        catch_unwind(AssertUnwindSafe(|| self.authority.count_ordinary(text) as u64)).ok()
    }

    /// The tokens of a text, beyond doubt.
    pub(crate) fn count(&self, text: &str) -> u64 {
        self.authority(text).unwrap_or_else(|| self.reference.count(text))
    }

    /// Our counter, which has counted nothing yet.
    pub(crate) fn ours(&self) -> Tokenizer {
        Tokenizer::load(&self.vocabulary_file).unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }
}
