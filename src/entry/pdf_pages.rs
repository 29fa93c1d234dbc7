//! How many pages a PDF has, from what it begins and ends with.
//!
//! The root of the tree of pages says it, and a PDF that was made for the web says it right at its beginning.
//! Where both are packed, or lie in the middle of a long file, it cannot be told without decoding all of it.

use super::base64::{Base64, number_at_start};

/// How much of the beginning is looked at, in bytes.
const BEGINNING: usize = 49_152;
/// Where the mark of the format may stand at the latest, in bytes.
const MARK_WITHIN: usize = 1_024;

/// The pages as the file states them; `None` where they cannot be told.
pub(super) fn pdf_pages(data: &Base64<'_>) -> Option<u32> {
    let beginning = data.first_bytes(BEGINNING);
    find(beginning.get(..MARK_WITHIN).unwrap_or(&beginning), b"%PDF-")?;
    // Of several trees, as changes leave them behind, the largest.
    stated_in(&beginning).max(stated_in(&data.last_bytes()))
}

/// The most pages that an object in a part of the file states.
fn stated_in(mut part: &[u8]) -> Option<u32> {
    let mut most = None;
    while let Some(end) = find(part, b"endobj") {
        most = most.max(part.get(..end).and_then(stated_by));
        part = part.get(end + 1..)?;
    }
    most
}

/// The pages that an object states: the root of the tree, or the first object of a file for the web.
fn stated_by(object: &[u8]) -> Option<u32> {
    if find(object, b"/Linearized").is_some() {
        return number_behind(object, b"/N");
    }
    let is_tree = object.get(..find(object, b"/Pages")?)?.trim_ascii_end().ends_with(b"/Type");
    // A branch of the tree states only its own.
    (is_tree && find(object, b"/Parent").is_none()).then(|| number_behind(object, b"/Count"))?
}

/// The number behind a name.
fn number_behind(object: &[u8], name: &[u8]) -> Option<u32> {
    Some(number_at_start(object.get(find(object, name)? + name.len()..)?.trim_ascii_start())?.0)
}

/// Where a word stands first.
pub(super) fn find(bytes: &[u8], word: &[u8]) -> Option<usize> {
    bytes.windows(word.len()).position(|window| window == word)
}
