//! The rule by which tokens are counted: one for texts, one for images.

use super::image::IMAGE_TOKENS;
use super::margin::Margin;
use crate::error::{Error, ErrorCode, Quoted};
use tokenizer::Tokenizer;

/// How the tokens of a session are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenRule {
    /// How texts are counted.
    pub text: TextRule,
    /// How images are counted, and by whose rules PDFs and audio.
    pub images: ImageRule,
}

/// How the tokens of a text are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextRule {
    /// Estimated by script and content; every role that the model sees counts.
    ByScript,
    /// UTF-16 units / 4, with the zeros of the historical rule: code executions, file mentions and
    /// images of users count nothing.
    Classic,
    /// Counted by the tokenizer of a model; every role that the model sees counts.
    Exact(&'static Tokenizer),
}

/// How the tokens of an image are counted. Where its size is unknown, each rule that asks for one
/// counts [`IMAGE_TOKENS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImageRule {
    /// A token for each patch, as Anthropic counts.
    ClaudePatches {
        /// The longest side that the model sees, in pixels.
        longest_side: u16,
        /// The most tokens of an image.
        most_tokens: u16,
    },
    /// So many tokens, and so many for each tile, as OpenAI counts.
    OpenAiTiles {
        /// Tokens of every image.
        base: u16,
        /// Tokens of a tile.
        tile: u16,
    },
    /// So many hundredths of a token for each patch, as OpenAI counts in its small models.
    OpenAiPatches {
        /// What a patch takes, in hundredths of a token.
        hundredths: u16,
    },
    /// By tiles, as Google counts.
    GeminiTiles,
    /// One number for every image, as Google counts in Gemini 3.
    Gemini3,
    /// So many tokens, whatever its size, of a model of which no rule is known.
    Flat(u16),
    /// Its base64 as text, a token for each character: what a host or proxy does that knows no images.
    Base64AsText,
}

/// The rules by their names. Sources and examples stand beside the tests in `image_tests.rs`.
pub const IMAGE_RULES: &[(&str, ImageRule)] = &[
    ("anthropic", ImageRule::ANTHROPIC),
    // Claude Opus 4.7 and what came after it.
    ("anthropic-high-resolution", ImageRule::ClaudePatches { longest_side: 2_576, most_tokens: 4_784 }),
    // GPT-4o, GPT-4.1, GPT-4.5.
    ("openai", ImageRule::OpenAiTiles { base: 85, tile: 170 }),
    ("openai-gpt-5", ImageRule::OpenAiTiles { base: 70, tile: 140 }),
    // o1, o1-pro, o3.
    ("openai-o", ImageRule::OpenAiTiles { base: 75, tile: 150 }),
    ("openai-gpt-4o-mini", ImageRule::OpenAiTiles { base: 2_833, tile: 5_667 }),
    // GPT-4.1 mini, GPT-5 mini.
    ("openai-mini", ImageRule::OpenAiPatches { hundredths: 162 }),
    // GPT-4.1 nano, GPT-5 nano.
    ("openai-nano", ImageRule::OpenAiPatches { hundredths: 246 }),
    ("openai-o4-mini", ImageRule::OpenAiPatches { hundredths: 172 }),
    // Gemini 2.0 and 2.5.
    ("gemini", ImageRule::GeminiTiles),
    ("gemini-3", ImageRule::Gemini3),
    ("flat", ImageRule::FLAT),
    ("base64-as-text", ImageRule::Base64AsText),
];

impl ImageRule {
    /// The rule of the preset `safe`, where no other is named.
    const ANTHROPIC: Self = Self::ClaudePatches { longest_side: 1_568, most_tokens: 1_568 };
    /// The rule of the preset `classic`.
    const FLAT: Self = Self::Flat(IMAGE_TOKENS as u16);

    /// The rule of a name.
    ///
    /// # Errors
    ///
    /// `invalid-argument` for any other name.
    pub fn parse(name: &str) -> Result<Self, Error> {
        let found = IMAGE_RULES.iter().find(|(known, _)| *known == name);
        found.map(|&(_, rule)| rule).ok_or_else(|| {
            let known: Vec<String> = IMAGE_RULES.iter().map(|(known, _)| Quoted(known).to_string()).collect();
            let message = format!("images: {} is no rule; allowed is one of {}", Quoted(name), known.join(", "));
            Error::new(ErrorCode::InvalidArgument, message)
        })
    }
}

impl TokenRule {
    /// How far off a number by this rule is in nine of ten cases, as long as no usage has taught more.
    pub fn margin(self) -> Margin {
        match self.text {
            TextRule::ByScript | TextRule::Classic => Margin::UNCALIBRATED,
            TextRule::Exact(_) => Margin::COUNTED,
        }
    }

    /// The rule of the preset `safe`.
    pub const BY_SCRIPT: Self = Self { text: TextRule::ByScript, images: ImageRule::ANTHROPIC };
    /// The rule of the preset `classic`.
    pub const CLASSIC: Self = Self { text: TextRule::Classic, images: ImageRule::FLAT };
}
