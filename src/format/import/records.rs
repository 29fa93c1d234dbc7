//! The records of a file: one a line.

use crate::format::tree::Tree;
use crate::session::{Line, escapes_surrogates, lines, rewrite_leniently};

/// A record.
pub(super) struct Record<'a> {
    /// Its line, from 1.
    pub(super) line: u32,
    /// Its text.
    pub(super) text: &'a str,
    /// What it says; none where it is no JSON.
    pub(super) tree: Option<Tree<'a>>,
    /// Whether halves of surrogate pairs were read as U+FFFD.
    pub(super) half_pairs: bool,
}

/// Reads each line of a file.
pub(super) fn read_records(text: &str) -> Vec<Record<'_>> {
    let mut records = Vec::new();
    records.extend(lines(text.as_bytes()).filter_map(|line| read_line(text.as_bytes(), &line)));
    records
}

/// Reads a line of a file; none where its bytes are no text.
pub(super) fn read_line<'a>(file: &'a [u8], line: &Line) -> Option<Record<'a>> {
    let text = std::str::from_utf8(file.get(line.start..line.end)?).ok()?;
    let (tree, half_pairs) = read_leniently(text);
    Some(Record { line: line.number, text, tree, half_pairs })
}

/// Reads JSON, also where it escapes halves of surrogate pairs, which `JSON.parse` takes; says whether it does.
pub(super) fn read_leniently(text: &str) -> (Option<Tree<'_>>, bool) {
    // What is not looked into at once may hold them too.
    let lenient = escapes_surrogates(text.as_bytes()).then(|| rewrite_leniently(text)).flatten();
    match lenient {
        Some(lenient) => (Tree::read(&lenient.text).ok().map(Tree::into_owned), true),
        None => (Tree::read(text).ok(), false),
    }
}
