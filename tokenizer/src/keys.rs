//! Bytes as numbers that are compared and hashed at once.

/// The bytes of `text[from..to]`, 1 to 15 of them, with their number in the highest byte, so that
/// bytes of 0 at the end are told from none.
#[inline(always)]
pub(crate) fn key16(text: &[u8], from: usize, to: usize) -> [u64; 2] {
    let length = to - from;
    let [low, high] = match text.get(from..).and_then(|rest| rest.first_chunk::<16>()) {
        Some(bytes) => {
            let bytes = u128::from_le_bytes(*bytes);
            // What stands behind the bytes becomes 0. Shifts of 128 bits would be calls.
            let [low, high] = MASKS.get(length).copied().unwrap_or_default();
            [bytes as u64 & low, (bytes >> 64) as u64 & high]
        }
        None => [word(text, from, length.min(8)), if length > 8 { word(text, from + 8, length - 8) } else { 0 }],
    };
    [low, high | (length as u64) << 56]
}

/// For each number of bytes the bits that they have, of 16.
#[expect(clippy::indexing_slicing, reason = "the compiler computes it, and would refuse a place that is not there")]
static MASKS: [[u64; 2]; 16] = {
    let mut masks = [[0; 2]; 16];
    let mut length = 1;
    while length < 16 {
        let mask = u128::MAX >> (8 * (16 - length));
        masks[length] = [mask as u64, (mask >> 64) as u64];
        length += 1;
    }
    masks
};

/// The same of at most 7 bytes.
#[inline(always)]
pub(crate) fn key8(text: &[u8], from: usize, to: usize) -> u64 {
    let length = to - from;
    word(text, from, length) | (length as u64) << 56
}

/// Up to 8 bytes of a text as a number, the first one lowest.
#[inline(always)]
pub(crate) fn word(text: &[u8], from: usize, length: usize) -> u64 {
    if let Some(bytes) = text.get(from..).and_then(|rest| rest.first_chunk::<8>()) {
        let unused = 8 * (8 - length as u32);
        u64::from_le_bytes(*bytes) & u64::MAX.checked_shr(unused).unwrap_or(0)
    } else {
        let bytes = text.get(from..from + length).unwrap_or_default();
        bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
    }
}

/// Odd numbers without pattern in their bits: of the golden ratio, and of the square root of 3.
const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
const OTHER_MIX: u64 = 0xbb67_ae85_84ca_a73b;

/// A mix of a number. Its highest bits are the best.
#[inline(always)]
pub(crate) fn hash(key: u64) -> u64 {
    (key ^ key >> 32).wrapping_mul(MIX)
}

/// The same of two numbers.
#[inline(always)]
pub(crate) fn hash2([low, high]: [u64; 2]) -> u64 {
    (low ^ low >> 32).wrapping_mul(MIX).wrapping_add((high ^ high >> 32).wrapping_mul(OTHER_MIX))
}

/// The highest bits of a hash, as a place.
#[inline(always)]
pub(crate) fn place(hash: u64, bits: u32) -> usize {
    (hash >> (64 - bits)) as usize
}
