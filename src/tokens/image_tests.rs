//! Images, by the examples that the providers publish.

use super::*;

fn sized(width: u32, height: u32) -> Image {
    Image { size: Some(PixelSize { width, height }), data_length: 3_600_000, ..Image::default() }
}

fn check(rule: &str, examples: &[(u32, u32, u64)]) {
    for &(width, height, tokens) in examples {
        let rule = ImageRule::parse(rule).unwrap();
        assert_eq!(image_tokens(&sized(width, height), rule), tokens, "{width} x {height} by {rule:?}");
    }
}

/// docs.claude.com, "Vision", read in 2026: an image takes a token for each begun patch of 28 by 28
/// pixels; most models see at most 1 568 pixels a side and 1 568 tokens, newer large ones 2 576 and 4 784.
#[test]
fn anthropic_counts_patches() {
    check("anthropic", &[(200, 200, 64), (1_000, 1_000, 1_296), (1_092, 1_092, 1_521)]);
    // Shrunk to 1 456 by 819, 1 269 by 952, 1 568 by 157.
    check("anthropic", &[(1_920, 1_080, 1_560), (2_000, 1_500, 1_564), (4_000, 400, 336), (400, 4_000, 336)]);
    check("anthropic", &[(1, 1, 1), (1, 20_000, 56), (u32::MAX, 1, 56), (u32::MAX, u32::MAX, 1_521)]);
    // As a public list of counts by Anthropic's API has it, less the text of its request.
    check("anthropic-high-resolution", &[(1_920, 1_080, 2_691), (256, 256, 100), (1_280, 720, 1_196)]);
}

/// platform.openai.com, "Images and vision", read in 2025: the examples 1024 x 1024 and 2048 x 4096 of
/// "Calculating costs" for models that count tiles, 85 tokens and 170 for each of 512 by 512 pixels.
#[test]
fn openai_counts_tiles_in_most_models() {
    check("openai", &[(1_024, 1_024, 765), (2_048, 4_096, 1_105), (512, 512, 255), (513, 512, 425), (1, 1, 255)]);
    check("openai", &[(4_096, 8_192, 1_105), (20_000, 20, 765), (u32::MAX, u32::MAX, 765), (u32::MAX, 1, 765)]);
    check("openai-gpt-5", &[(1_024, 1_024, 630)]);
    check("openai-o", &[(1_024, 1_024, 675)]);
    check("openai-gpt-4o-mini", &[(1_024, 1_024, 25_501)]);
}

/// The same page: the examples 1024 x 1024, of 1 024 patches, and 1800 x 2400, of 1 452, for models that
/// count patches of 32 by 32 pixels, and what each model multiplies them by.
#[test]
fn openai_counts_patches_in_small_models() {
    assert_eq!(openai_patches((1_024, 1_024)), 1_024);
    assert_eq!((openai_patches((1_800, 2_400)), openai_patches((2_400, 1_800))), (1_452, 1_452));
    assert_eq!((openai_patches((1, 1)), openai_patches((1, 100_000))), (1, 1_536));
    assert_eq!(openai_patches((u64::from(u32::MAX), u64::from(u32::MAX))), 1_521);
    check("openai-mini", &[(1_024, 1_024, 1_659), (1_800, 2_400, 2_353)]);
    check("openai-nano", &[(1_024, 1_024, 2_520)]);
    check("openai-o4-mini", &[(1_024, 1_024, 1_762)]);
}

/// ai.google.dev, "Image understanding", read in 2025: 258 tokens up to 384 pixels a side; the example
/// 960 x 540 has tiles of 360 pixels, 3 by 2. "Media resolution", read in 2026: an image takes 1 120 tokens
/// in Gemini 3 where nothing else is asked for.
#[test]
fn gemini_counts_tiles() {
    check("gemini", &[(384, 384, 258), (1, 1, 258), (960, 540, 6 * 258), (385, 100, 2 * 258)]);
    check("gemini", &[(3_072, 3_072, 16 * 258), (u32::MAX, u32::MAX, 16 * 258), (u32::MAX, 1, 12 * 258)]);
    check("gemini-3", &[(1, 1, 1_120), (4_000, 3_000, 1_120)]);
}

#[test]
fn an_image_of_unknown_size_counts_as_the_rule_says() {
    let unknown = Image { data_length: 3_600_000, ..Image::default() };
    for (name, rule) in super::super::rule::IMAGE_RULES {
        let expected = match *name {
            "base64-as-text" => 3_600_000,
            "gemini-3" => 1_120,
            _ => IMAGE_TOKENS,
        };
        assert_eq!(image_tokens(&unknown, *rule), expected, "{name}");
    }
    check("flat", &[(1, 1, 1_200), (8_000, 8_000, 1_200)]);
    check("base64-as-text", &[(1, 1, 3_600_000)]);
}

#[test]
fn a_larger_image_never_counts_less_than_half_of_a_smaller_one() {
    // Whatever the sides: no rule overflows, divides by nothing or runs long.
    for (name, rule) in super::super::rule::IMAGE_RULES {
        for width in [1, 31, 384, 768, 1_568, 2_049, 65_535, u32::MAX] {
            for height in [1, 29, 500, 1_025, 4_000, u32::MAX] {
                let tokens = image_tokens(&sized(width, height), *rule);
                assert!(
                    tokens > 0 && (tokens <= 110_000 || *name == "base64-as-text"),
                    "{name}: {width} x {height}: {tokens}"
                );
                assert_eq!(tokens, image_tokens(&sized(height, width), *rule), "{name}: {width} x {height}");
            }
        }
    }
}
