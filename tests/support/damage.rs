//! Ways to damage a file, as proptest makes them.

use proptest::prelude::*;
use proptest::sample::Index;

/// A way to damage a file.
#[derive(Debug, Clone)]
pub(crate) enum Damage {
    /// One byte becomes another.
    Flip(Index, u8),
    /// Bytes are put in.
    Insert(Index, Vec<u8>),
    /// Some bytes are lost.
    Cut(Index, u8),
    /// Everything behind a place is lost.
    End(Index),
    /// A block of the disk reads as zeros.
    Zeros(Index, u8),
    /// A line loses its end.
    Glue(Index),
    /// A line loses its second half.
    Tear(Index),
    /// A line stands twice.
    Double(Index),
    /// A line is lost.
    Drop(Index),
    /// Two lines change places.
    Swap(Index, Index),
    /// The lines stand in another order: each goes to the place that a multiple of its number gives.
    Shuffle(u16),
    /// Lines end as on another system.
    Ends(&'static str),
    /// A byte order mark stands in front.
    ByteOrderMark,
}

/// Any way to damage a file.
pub(crate) fn damage() -> impl Strategy<Value = Damage> {
    let place = any::<Index>;
    prop_oneof![
        4 => (place(), any::<u8>()).prop_map(|(at, byte)| Damage::Flip(at, byte)),
        2 => (place(), prop::collection::vec(any::<u8>(), 1..6)).prop_map(|(at, bytes)| Damage::Insert(at, bytes)),
        2 => (place(), any::<u8>()).prop_map(|(at, length)| Damage::Cut(at, length)),
        1 => place().prop_map(Damage::End),
        1 => (place(), any::<u8>()).prop_map(|(at, length)| Damage::Zeros(at, length)),
        2 => place().prop_map(Damage::Glue),
        2 => place().prop_map(Damage::Tear),
        2 => place().prop_map(Damage::Double),
        1 => place().prop_map(Damage::Drop),
        2 => (place(), place()).prop_map(|(one, other)| Damage::Swap(one, other)),
        1 => any::<u16>().prop_map(Damage::Shuffle),
        1 => prop::sample::select(vec!["\r\n", "\r", "\n\n", " \n", "\n\r\n", "\u{2028}"]).prop_map(Damage::Ends),
        1 => Just(Damage::ByteOrderMark),
    ]
}

/// The file once all that has happened to it.
pub(crate) fn damaged(mut bytes: Vec<u8>, all: &[Damage]) -> Vec<u8> {
    for damage in all {
        if bytes.is_empty() {
            break;
        }
        let mut lines: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
        let count = lines.len();
        let end_of = |at: usize, length: u8| bytes.len().min(at + usize::from(length));
        match damage {
            Damage::Flip(at, byte) => {
                let at = at.index(bytes.len());
                bytes[at] = *byte;
                continue;
            }
            Damage::Insert(at, new) => {
                let at = at.index(bytes.len());
                bytes.splice(at..at, new.iter().copied());
                continue;
            }
            Damage::Cut(at, length) => {
                let at = at.index(bytes.len());
                bytes.drain(at..end_of(at, *length));
                continue;
            }
            Damage::End(at) => {
                bytes.truncate(at.index(bytes.len()));
                continue;
            }
            Damage::Zeros(at, length) => {
                let at = at.index(bytes.len());
                let end = end_of(at, *length);
                bytes[at..end].fill(0);
                continue;
            }
            Damage::ByteOrderMark => {
                bytes.splice(0..0, *b"\xef\xbb\xbf");
                continue;
            }
            Damage::Ends(end) => {
                bytes = bytes.split(|&byte| byte == b'\n').collect::<Vec<_>>().join(end.as_bytes());
                continue;
            }
            Damage::Glue(at) => {
                let at = at.index(count);
                lines[at] = lines[at].strip_suffix(b"\n").unwrap_or(lines[at]);
            }
            Damage::Tear(at) => {
                let at = at.index(count);
                lines[at] = &lines[at][..lines[at].len() / 2];
            }
            Damage::Double(at) => {
                let at = at.index(count);
                lines.insert(at, lines[at]);
            }
            Damage::Drop(at) => {
                lines.remove(at.index(count));
            }
            Damage::Swap(one, other) => lines.swap(one.index(count), other.index(count)),
            Damage::Shuffle(factor) => {
                let mut order: Vec<usize> = (0..count).collect();
                order.sort_by_key(|line| (line * usize::from(*factor)) % count);
                lines = order.into_iter().map(|line| lines[line]).collect();
            }
        }
        bytes = lines.concat();
    }
    bytes
}
