//! Shortening a text to a number of characters without breaking one that a reader sees as one.

use super::cluster::last_boundary;
use crate::entry::scan;

/// Characters of a tool result that a summary request shows.
pub const TOOL_RESULT_CHARACTERS: usize = 2_000;

/// The length of a text in characters, which are UTF-16 code units.
pub(crate) fn utf16_length(text: &str) -> usize {
    scan::utf16_length(text)
}

/// The longest beginning of a text that takes at most `limit` characters and ends between two
/// grapheme clusters, and how many characters are left out.
///
/// Only the text around the cut is looked at for clusters; the rest is only counted.
pub(crate) fn shorten(text: &str, limit: usize) -> (&str, usize) {
    // A UTF-16 unit takes one to three bytes.
    if text.len() <= limit {
        return (text, 0);
    }
    let place = byte_at(text, limit);
    if place == text.len() {
        return (text, 0);
    }
    let place = last_boundary(text, place);
    let (kept, rest) = text.split_at_checked(place).unwrap_or(("", text));
    (kept, scan::utf16_length(rest))
}

/// The place of the last character boundary that is at most `units` UTF-16 units into the text.
fn byte_at(text: &str, units: usize) -> usize {
    if text.as_bytes().get(..units).is_some_and(<[u8]>::is_ascii) {
        return units;
    }
    let mut left = units;
    for (place, character) in text.char_indices() {
        let Some(rest) = left.checked_sub(character.len_utf16()) else { return place };
        left = rest;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use unicode_segmentation::UnicodeSegmentation;

    fn check(text: &str, limit: usize, kept: &str, left_out: usize) {
        assert_eq!(shorten(text, limit), (kept, left_out), "{text:?} to {limit}");
    }

    #[test]
    fn t41_a_cut_keeps_clusters_whole() {
        let x = "x".repeat(1_999);
        check(&(x.clone() + "📥"), 2_000, &x, 2);
        check(&(x.clone() + "y"), 2_000, &(x.clone() + "y"), 0);
        check(&(x.clone() + "\r\nz"), 2_000, &x, 3);
        // A family joined by zero-width joiners, a conjunct, a letter with marks, a flag.
        for cluster in ["👨‍👩‍👧‍👦", "क्षि", "بّ", "🇩🇪", "e\u{301}\u{302}"] {
            check(&(x.clone() + cluster + "tail"), 2_000, &x, utf16_length(cluster) + 4);
        }
        check("ab", 1, "a", 1);
        check("", 0, "", 0);
        check("😀", 1, "", 2);
    }

    #[test]
    fn a_run_of_flags_is_cut_between_flags() {
        let flags = "🇩🇪".repeat(1_000);
        let (kept, left_out) = shorten(&flags, 2_002);
        assert_eq!((utf16_length(kept), left_out), (2_000, 2_000));
    }

    proptest! {
        #[test]
        fn a_cut_is_a_boundary_and_the_count_is_exact(
            text in "([a-c \r\n]|é|中|😀|👨‍👩‍👧|क्षि|🇩|\u{301}|\u{200d}|\u{1100}|\u{1161}){0,40}", limit in 0usize..60,
        ) {
            let (kept, left_out) = shorten(&text, limit);
            prop_assert!(text.starts_with(kept));
            prop_assert_eq!(utf16_length(kept) + left_out, utf16_length(&text));
            prop_assert!(utf16_length(kept) <= limit);
            let boundaries: Vec<usize> = text.grapheme_indices(true).map(|(place, _)| place).chain([text.len()]).collect();
            let best = boundaries.iter().rev().find(|&&place| utf16_length(&text[..place]) <= limit);
            prop_assert_eq!(best, Some(&kept.len()));
        }
    }
}
