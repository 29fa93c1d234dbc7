//! Finding rare bytes quickly, eight at a time, also where there is no SIMD.

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// The place of the first byte at or after `from` that is `a` or `b`.
pub(super) fn find_either(bytes: &[u8], from: usize, a: u8, b: u8) -> Option<usize> {
    let rest = bytes.get(from..)?;
    let (wide_a, wide_b) = (LOW * u64::from(a), LOW * u64::from(b));
    let (words, tail) = rest.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        // The lowest bit set is exact: a borrow can only raise false bits above a true one.
        let hits = (zeros(word ^ wide_a) | zeros(word ^ wide_b)) & HIGH;
        if hits != 0 {
            return Some(from + index * 8 + hits.trailing_zeros() as usize / 8);
        }
    }
    let tail_start = bytes.len() - tail.len();
    tail.iter().position(|&byte| byte == a || byte == b).map(|place| tail_start + place)
}

fn zeros(word: u64) -> u64 {
    word.wrapping_sub(LOW) & !word
}

/// The length of a text in UTF-16 code units.
pub(super) fn utf16_length(text: &str) -> usize {
    let (words, tail) = text.as_bytes().as_chunks::<8>();
    let mut units = 0;
    for word in words {
        let word = u64::from_le_bytes(*word);
        if word & HIGH == 0 {
            units += 8;
            continue;
        }
        // Every byte that does not go on with a character starts one; four-byte ones take two units.
        let starts = (!word >> 7 | word >> 6) & LOW;
        let long = word & (word << 1) & (word << 2) & (word << 3) & HIGH;
        units += (starts.count_ones() + long.count_ones()) as usize;
    }
    units + tail.iter().map(|&byte| usize::from(byte & 0xC0 != 0x80) + usize::from(byte >= 0xF0)).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn finds_what_a_plain_search_finds(text in "[a<\\[é中😀\u{80}\u{7f};=Z\\\\]{0,80}", from in 0usize..90) {
            let bytes = text.as_bytes();
            let plain = bytes.iter().enumerate().skip(from).find(|(_, b)| **b == b'<' || **b == b'[').map(|(i, _)| i);
            prop_assert_eq!(find_either(bytes, from, b'<', b'['), plain);
        }

        #[test]
        fn counts_what_utf16_counts(text in "\\PC{0,60}|[a-z]{0,40}|[😀क्षिé中\n]{0,40}") {
            prop_assert_eq!(utf16_length(&text), text.encode_utf16().count());
        }
    }
}
