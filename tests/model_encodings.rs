//! The table of models by which the JavaScript side is tested says what tiktoken-rs says.

use tiktoken_rs::tokenizer::{Tokenizer, get_tokenizer};

const TABLE: &str = include_str!("fixtures/model-encodings.tsv");

/// The encoding that counts the same: special tokens, by which some differ alone, count as text.
fn name_of(tokenizer: Tokenizer) -> &'static str {
    match tokenizer {
        Tokenizer::O200kHarmony => "o200k_harmony",
        Tokenizer::O200kBase => "o200k_base",
        Tokenizer::Cl100kBase => "cl100k_base",
        Tokenizer::P50kBase | Tokenizer::P50kEdit => "p50k_base",
        Tokenizer::R50kBase | Tokenizer::Gpt2 => "r50k_base",
    }
}

#[test]
fn the_table_of_models_says_what_tiktoken_rs_says() {
    let mut rows = 0;
    for (model, encoding) in TABLE.lines().skip(1).filter_map(|line| line.split_once('\t')) {
        assert_eq!(get_tokenizer(model).map_or("-", name_of), encoding, "{model}");
        rows += 1;
    }
    assert_eq!(rows, TABLE.lines().count() - 1, "each line is a row");
    assert!(rows > 90);
}
