//! Where a record stands, and how its line is written back: the same bytes, but for what a
//! migration, a prune or a new entry splices in.

use std::borrow::Cow;

/// Where a record stands.
#[derive(Debug, Clone)]
pub(crate) enum Stored {
    /// In the bytes that were loaded, from `start` to `end`, with what a migration or a prune changes.
    Loaded { start: usize, end: usize, edits: Vec<Edit> },
    /// In a line of its own, appended since.
    Appended(Box<str>),
}

/// A change of a record: the bytes from `start` to `end` of it become `text`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Edit {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) text: String,
}

impl Stored {
    /// The line of the record, as it is written.
    pub(crate) fn line<'a>(&'a self, bytes: &'a [u8]) -> Cow<'a, [u8]> {
        match self {
            Self::Appended(line) => Cow::Borrowed(line.as_bytes()),
            Self::Loaded { start, end, edits } => line_with(bytes, *start, *end, edits),
        }
    }
}

/// Adds a change, keeping them in the order of the record.
pub(super) fn insert_edit(edits: &mut Vec<Edit>, edit: Edit) {
    edits.insert(edits.partition_point(|other| other.start <= edit.start), edit);
}

/// The record from `start` to `end`, changed.
pub(crate) fn line_with<'a>(bytes: &'a [u8], start: usize, end: usize, edits: &[Edit]) -> Cow<'a, [u8]> {
    let record = bytes.get(start..end).unwrap_or_default();
    if edits.is_empty() {
        return Cow::Borrowed(record);
    }
    let mut line = Vec::with_capacity(record.len() + 80);
    let mut position = 0;
    for edit in edits {
        line.extend_from_slice(record.get(position..edit.start).unwrap_or_default());
        line.extend_from_slice(edit.text.as_bytes());
        position = edit.end;
    }
    line.extend_from_slice(record.get(position..).unwrap_or_default());
    Cow::Owned(line)
}

/// Where a slice stands in the text it was borrowed from; `None` where it was not.
pub(crate) fn offset_in(text: &str, part: &str) -> Option<usize> {
    let offset = (part.as_ptr() as usize).checked_sub(text.as_ptr() as usize)?;
    (offset + part.len() <= text.len()).then_some(offset)
}

/// Bytes as text, with U+FFFD for what is no UTF-8. Nearly all records are UTF-8, and to see that is
/// much faster than the reading that replaces.
pub(crate) fn lossy_text(raw: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(raw).map_or_else(|_| String::from_utf8_lossy(raw), Cow::Borrowed)
}

/// Where an offset into a text lies in the bytes that the text was read from, with U+FFFD for what
/// is no UTF-8. It costs no more than the offset, whatever lies behind it.
pub(crate) fn raw_offset(raw: &[u8], offset: usize) -> usize {
    // What is no UTF-8 takes at most as many bytes as the U+FFFD in its place.
    let raw = raw.get(..offset).unwrap_or(raw);
    let (mut in_raw, mut in_text) = (0, 0);
    for chunk in raw.utf8_chunks() {
        let valid = chunk.valid().len();
        if offset <= in_text + valid {
            return in_raw + offset - in_text;
        }
        in_raw += valid + chunk.invalid().len();
        in_text += valid + char::REPLACEMENT_CHARACTER.len_utf8();
    }
    in_raw
}

/// Where new fields go in a record: behind its `type` if that comes first, else at its start.
pub(crate) fn splice_point(record: &str) -> usize {
    let Some(rest) = record.strip_prefix(r#"{"type":""#) else { return 1 };
    match rest.find(['"', '\\']) {
        Some(end) if rest.as_bytes().get(end) == Some(&b'"') => record.len() - rest.len() + end + 1,
        _ => 1,
    }
}

/// Fields as they are spliced in at a splice point of a record.
pub(crate) fn spliced_fields(record: &str, point: usize, fields: &str) -> String {
    // At the start of an object the comma goes behind, and none where the object is empty.
    if point == 1 {
        let empty = record.get(1..).is_some_and(|rest| rest.trim_start().starts_with('}'));
        if empty { fields.to_owned() } else { format!("{fields},") }
    } else {
        format!(",{fields}")
    }
}

/// Text as a JSON string.
pub(crate) fn json_string(text: &str) -> String {
    // Serialising a string cannot fail; the empty string stands for the impossible.
    serde_json::to_string(text).unwrap_or_else(|_| "\"\"".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(record: &str, expected: &str) {
        let point = splice_point(record);
        let fields = spliced_fields(record, point, r#""id":"a""#);
        let spliced = format!("{}{fields}{}", &record[..point], &record[point..]);
        assert_eq!(spliced, expected);
        serde_json::from_str::<serde_json::Value>(&spliced).unwrap();
    }

    #[test]
    fn an_offset_is_found_again_in_bytes_that_are_no_utf8() {
        let raw = b"a\xff\xe2\x82b\xc3\xa9c\xff";
        let text = String::from_utf8_lossy(raw);
        let found = |part: &str| raw_offset(raw, text.find(part).unwrap());
        assert_eq!((found("a"), found("b"), found("\u{e9}"), found("c")), (0, 4, 5, 7));
        assert_eq!((raw_offset(raw, text.len()), raw_offset(b"abc", 2), raw_offset(b"", 0)), (raw.len(), 2, 0));
    }

    #[test]
    fn fields_go_behind_a_leading_type() {
        check(r#"{"type":"custom","x":1}"#, r#"{"type":"custom","id":"a","x":1}"#);
        check(r#"{"type":"custom"}"#, r#"{"type":"custom","id":"a"}"#);
        check(r#"{"x":1,"type":"custom"}"#, r#"{"id":"a","x":1,"type":"custom"}"#);
        check(r#"{"type":"cust\u006fm"}"#, r#"{"id":"a","type":"cust\u006fm"}"#);
        check("{}", r#"{"id":"a"}"#);
        check("{ }", r#"{"id":"a" }"#);
    }
}
