//! Bytes as numbers that are compared and hashed at once.

/// The bytes of `text[from..to]`, 1 to 15 of them, with their number in the highest byte, so that
/// bytes of 0 at the end are told from none.
#[inline(always)]
pub(crate) fn key16(text: &[u8], from: usize, to: usize) -> [u64; 2] {
    let length = to - from;
    let [low, high] = bytes16(text, from, length);
    [low, high | (length as u64) << 56]
}

/// Up to 15 bytes of a text, with 0 behind them.
#[inline(always)]
pub(crate) fn bytes16(text: &[u8], from: usize, length: usize) -> [u64; 2] {
    match text.get(from..).and_then(|rest| rest.first_chunk::<16>()) {
        Some(bytes) => {
            let bytes = u128::from_le_bytes(*bytes);
            // What stands behind the bytes becomes 0. Shifts of 128 bits would be calls.
            let [low, high] = MASKS.get(length).copied().unwrap_or_default();
            [bytes as u64 & low, (bytes >> 64) as u64 & high]
        }
        None => bytes16_at_end(text, from, length),
    }
}

/// The same where less than 16 bytes follow.
#[inline(never)]
fn bytes16_at_end(text: &[u8], from: usize, length: usize) -> [u64; 2] {
    match length.checked_sub(8) {
        Some(further) => [word(text, from, 8), word(text, from + 8, further)],
        None => [word(text, from, length), 0],
    }
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
    } else if let Some(bytes) = text.get(..from + length).and_then(|known| known.last_chunk::<8>()) {
        // The end of a text: with what stands before.
        u64::from_le_bytes(*bytes).checked_shr(8 * (8 - length as u32)).unwrap_or(0)
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

/// Two bytes as a place.
#[inline(always)]
pub(crate) fn pair(first: u8, second: u8) -> usize {
    usize::from(first) << 8 | usize::from(second)
}

/// The bits of a place in a table that so many keys fill by two thirds at most.
pub(crate) fn bits_for(count: usize) -> u32 {
    (count * 3 / 2).max(2).next_power_of_two().trailing_zeros()
}

/// The highest bits of a hash, as a place.
#[inline(always)]
pub(crate) fn place(hash: u64, bits: u32) -> usize {
    (hash >> (64 - bits)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_holds_the_bytes_and_their_number_whatever_stands_around_them() {
        for behind in [0, 1, 7, 8, 9, 15, 16, 20] {
            for before in [0, 1, 7, 8, 9] {
                for length in 1..=15 {
                    let text: Vec<u8> = (1..).take(before + length + behind).collect();
                    let mut expected = [0; 16];
                    expected[..length].copy_from_slice(&text[before..before + length]);
                    expected[15] = length as u8;
                    let [low, high] = key16(&text, before, before + length);
                    assert_eq!(
                        [low.to_le_bytes(), high.to_le_bytes()].concat(),
                        expected,
                        "{before} {length} {behind}"
                    );
                    if length <= 7 {
                        assert_eq!(key8(&text, before, before + length), low | (length as u64) << 56);
                    }
                }
            }
        }
    }
}
