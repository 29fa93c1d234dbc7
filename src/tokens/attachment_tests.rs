//! Files, by what the providers publish; the sources stand beside the numbers.

use super::*;

fn tokens(kind: AttachmentKind, extent: Option<u32>, data_length: usize, rule: &str) -> u64 {
    attachment_tokens(&Attachment { kind, data_length, extent }, ImageRule::parse(rule).unwrap())
}

fn check(kind: AttachmentKind, units: u32, expected: &[(&str, u64)]) {
    for &(rule, unit) in expected {
        assert_eq!(tokens(kind, Some(units), 4_000_000, rule), unit * u64::from(units), "{kind:?} by {rule}");
    }
}

#[test]
fn pages_take_their_text_and_their_image_or_a_fixed_number() {
    let rules = [
        ("anthropic", 1_500 + 1_496),
        ("anthropic-high-resolution", 1_500 + 1_496),
        ("openai", 1_500 + 765),
        ("openai-gpt-5", 1_500 + 630),
        ("openai-mini", 1_500 + 1_896),
        ("flat", 1_500 + 1_200),
        ("gemini", 258),
        ("gemini-3", 560),
    ];
    check(AttachmentKind::Document, 12, &rules);
    // Three pages with text and image take 7 000 in an example of Anthropic's.
    assert!((7_000 * 3 / 4..7_000 * 3 / 2).contains(&tokens(
        AttachmentKind::Document,
        Some(3),
        4_000_000,
        "anthropic"
    )));
}

#[test]
fn seconds_take_what_their_provider_says_or_the_most_that_one_does() {
    let rules =
        [("openai", 10), ("openai-mini", 10), ("gemini", 32), ("gemini-3", 32), ("anthropic", 32), ("flat", 32)];
    check(AttachmentKind::Audio, 90, &rules);
    check(AttachmentKind::Video, 90, &[("gemini", 263), ("gemini-3", 102), ("openai", 263), ("flat", 263)]);
}

#[test]
fn a_file_that_does_not_say_how_long_it_is_goes_by_its_bytes() {
    // 1 000 000 bytes each.
    let length = 1_333_336;
    assert_eq!(tokens(AttachmentKind::Document, None, length, "gemini"), 258 * 41);
    assert_eq!(tokens(AttachmentKind::Audio, None, length, "openai"), 10 * 126);
    assert_eq!(tokens(AttachmentKind::Video, None, length, "gemini"), 263 * 9);
    assert_eq!(tokens(AttachmentKind::Text, None, length, "gemini"), 250_001);
    assert_eq!(tokens(AttachmentKind::Document, None, 8, "gemini"), 258);
    // Never more than a provider takes.
    assert_eq!(tokens(AttachmentKind::Document, None, usize::MAX / 4, "gemini"), 258 * 1_000);
    assert_eq!(tokens(AttachmentKind::Audio, None, usize::MAX / 4, "gemini"), 32 * 34_200);
}

#[test]
fn a_file_that_lies_elsewhere_takes_a_fixed_number() {
    for rule in ["gemini", "base64-as-text"] {
        assert!(tokens(AttachmentKind::Document, None, 0, rule) > 0, "{rule}");
    }
    assert_eq!(tokens(AttachmentKind::Document, None, 0, "gemini"), 258 * 5);
    assert_eq!(tokens(AttachmentKind::Audio, None, 0, "gemini"), 32 * 60);
    assert_eq!(tokens(AttachmentKind::Video, None, 0, "gemini"), 263 * 60);
    assert_eq!(tokens(AttachmentKind::Text, None, 0, "gemini"), 1_200);
}

#[test]
fn base64_as_text_counts_every_character_whatever_the_file_says() {
    for kind in [AttachmentKind::Document, AttachmentKind::Audio, AttachmentKind::Video, AttachmentKind::Text] {
        assert_eq!(tokens(kind, Some(3), 40_000, "base64-as-text"), 40_000);
    }
}
