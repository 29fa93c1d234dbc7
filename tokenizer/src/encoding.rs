//! The encodings that are known, by the names that OpenAI gave them.

/// How a text is split into pieces before they are merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pattern {
    /// Of `r50k_base` and `p50k_base`.
    Gpt2,
    /// Of `cl100k_base`.
    Cl100k,
    /// Of `o200k_base` and `o200k_harmony`.
    O200k,
}

/// An encoding: a vocabulary and the pattern that splits texts for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// GPT-4o, GPT-4.1, GPT-5 and the o series.
    O200kBase,
    /// The gpt-oss models. It differs from `o200k_base` in special tokens only, which count as text
    /// here, so both have one vocabulary.
    O200kHarmony,
    /// GPT-4, GPT-3.5, the third generation of embeddings.
    Cl100kBase,
    /// Codex and the later completion models.
    P50kBase,
    /// GPT-2 and GPT-3.
    R50kBase,
}

impl Encoding {
    /// Every encoding, the newest first.
    pub const ALL: [Self; 5] = [Self::O200kBase, Self::O200kHarmony, Self::Cl100kBase, Self::P50kBase, Self::R50kBase];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::O200kBase => "o200k_base",
            Self::O200kHarmony => "o200k_harmony",
            Self::Cl100kBase => "cl100k_base",
            Self::P50kBase => "p50k_base",
            Self::R50kBase => "r50k_base",
        }
    }

    /// The encoding of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|encoding| encoding.name() == name)
    }

    /// The encoding whose file holds its vocabulary: itself, but for one.
    pub fn vocabulary(self) -> Self {
        if self == Self::O200kHarmony { Self::O200kBase } else { self }
    }

    pub(crate) fn pattern(self) -> Pattern {
        match self {
            Self::O200kBase | Self::O200kHarmony => Pattern::O200k,
            Self::Cl100kBase => Pattern::Cl100k,
            Self::P50kBase | Self::R50kBase => Pattern::Gpt2,
        }
    }
}
