//! Telling arrays apart by what they say: the same after a database has put the keys in another order, another
//! once a text was edited.

use super::piece::{Kind, Piece, Slot};
use super::tree::Tree;
use crate::entry::scan::find_either;
use xxhash_rust::xxh64::xxh64;

/// The digests of the beginnings of a row of items: of none, of the first, of the first two and so on.
pub(super) fn digests(pieces: &[Piece<'_>]) -> Vec<String> {
    let mut digest = 0;
    let mut all = vec![written(digest)];
    let mut row = pieces.iter().peekable();
    while let Some(first) = row.next() {
        digest = xxh64(&digest_of(first).to_le_bytes(), digest);
        while let Some(piece) = row.next_if(|piece| piece.item == first.item) {
            digest = xxh64(&digest_of(piece).to_le_bytes(), digest);
        }
        all.push(written(digest));
    }
    all
}

fn written(digest: u64) -> String {
    format!("{digest:016x}")
}

/// An id for an item without one, from what it says and where it stands.
pub(super) fn id_of(item: &Tree<'_>, number: usize) -> String {
    format!("threadfold-{}", written(xxh64(item.to_json().as_bytes(), number as u64)))
}

/// The digest of what a piece says; what only describes it has no part in it.
fn digest_of(piece: &Piece<'_>) -> u64 {
    let mut digest = (piece.role as u64) << 8 | piece.kind as u64;
    for slot in [Slot::Body, Slot::Id, Slot::Name, Slot::IsError, Slot::Data] {
        if let Some(value) = piece.get(slot) {
            digest = value_digest(value, digest.wrapping_add(slot as u64));
        }
    }
    if piece.kind.is_opaque() {
        digest = value_digest(&piece.rest, digest);
    }
    // A message without parts says what it says in its fields.
    if let (Kind::Nothing, Some(item)) = (piece.kind, &piece.item_rest) {
        digest = value_digest(item, digest);
    }
    for part in &piece.content {
        // One level: the content of a result holds no results.
        digest = xxh64(&part.content.len().to_le_bytes(), digest ^ leaf_digest(part));
    }
    digest
}

fn leaf_digest(piece: &Piece<'_>) -> u64 {
    [Slot::Body, Slot::Data]
        .into_iter()
        .filter_map(|slot| piece.get(slot))
        .fold(0, |digest, value| value_digest(value, digest))
}

fn value_digest(value: &Tree<'_>, seed: u64) -> u64 {
    match value {
        Tree::Text(text) => xxh64(text.as_bytes(), seed),
        // As it is written, which is one way for whatever a host writes.
        Tree::Raw(json) if json.starts_with('"') => xxh64(json.as_bytes(), seed),
        Tree::Raw(json) => seed.wrapping_add(words_digest(json)),
        other => seed.wrapping_add(words_digest(&other.to_json())),
    }
}

/// The sum of the digests of the strings and words in a JSON text: whatever their order, and whatever stands
/// between them.
fn words_digest(json: &str) -> u64 {
    let mut sum: u64 = 0;
    let mut add = |text: Option<&str>| {
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            sum = sum.wrapping_add(xxh64(text.as_bytes(), 0));
        }
    };
    let bytes = json.as_bytes();
    let mut place = 0;
    while let Some(quote) = find_either(bytes, place, b'"', b'"') {
        // Words and numbers up to the string, then the string.
        json.get(place..quote).unwrap_or_default().split(is_between_words).for_each(|word| add(Some(word)));
        let end = string_end(bytes, quote + 1);
        add(json.get(quote..end));
        place = end + 1;
    }
    json.get(place..).unwrap_or_default().split(is_between_words).for_each(|word| add(Some(word)));
    sum
}

/// Where the string ends whose text begins here.
fn string_end(bytes: &[u8], from: usize) -> usize {
    let mut place = from;
    while let Some(found) = find_either(bytes, place, b'"', b'\\') {
        if bytes.get(found) == Some(&b'"') {
            return found;
        }
        place = found + 2;
    }
    bytes.len()
}

fn is_between_words(sign: char) -> bool {
    matches!(sign, ',' | ':' | '{' | '}' | '[' | ']') || sign.is_ascii_whitespace()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_keys_does_not_matter_and_their_values_do() {
        let digest = |json: &str| words_digest(json);
        assert_eq!(digest(r#"{"a":1,"b":"x, y"}"#), digest(r#"{ "b": "x, y", "a": 1 }"#));
        assert_ne!(digest(r#"{"a":1}"#), digest(r#"{"a":2}"#));
        assert_ne!(digest(r#"{"a":"x y"}"#), digest(r#"{"a":"x","y":1}"#));
        assert_ne!(digest(r#"{"a":12}"#), digest(r#"{"a":21}"#));
    }
}
