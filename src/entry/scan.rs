//! Finding rare bytes quickly, eight at a time, also where there is no SIMD.

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// The place of the first byte at or after `from` that is `a` or `b`.
pub(crate) fn find_either(bytes: &[u8], from: usize, a: u8, b: u8) -> Option<usize> {
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

/// The place of the first `a` at or after `from` that a `b` follows at once.
pub(crate) fn find_pair(bytes: &[u8], from: usize, a: u8, b: u8) -> Option<usize> {
    let rest = bytes.get(from..)?;
    let (wide_a, wide_b) = (LOW * u64::from(a), LOW * u64::from(b));
    let (firsts, _) = rest.as_chunks::<8>();
    let (seconds, _) = rest.get(1..)?.as_chunks::<8>();
    let is_pair = |place: &usize| rest.get(*place) == Some(&a) && rest.get(place + 1) == Some(&b);
    for (index, (first, second)) in firsts.iter().zip(seconds).enumerate() {
        let (first, second) = (u64::from_le_bytes(*first), u64::from_le_bytes(*second));
        // A borrow may raise false bits, so what looks like a pair is looked at again.
        if zeros(first ^ wide_a) & zeros(second ^ wide_b) & HIGH != 0
            && let Some(place) = (index * 8..index * 8 + 8).find(is_pair)
        {
            return Some(from + place);
        }
    }
    (seconds.len() * 8..rest.len()).find(is_pair).map(|place| from + place)
}

fn zeros(word: u64) -> u64 {
    word.wrapping_sub(LOW) & !word
}

/// The length of a text in UTF-16 code units.
pub(crate) fn utf16_length(text: &str) -> usize {
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
        fn finds_the_pair_that_a_plain_search_finds(text in "[\\\\u\\]v;é中t]{0,80}", from in 0usize..90) {
            let bytes = text.as_bytes();
            let plain = (from..bytes.len()).find(|&place| bytes[place..].starts_with(b"\\u"));
            prop_assert_eq!(find_pair(bytes, from, b'\\', b'u'), plain);
        }

        #[test]
        fn counts_what_utf16_counts(text in "\\PC{0,60}|[a-z]{0,40}|[😀क्षिé中\n]{0,40}") {
            prop_assert_eq!(utf16_length(&text), text.encode_utf16().count());
        }
    }
}
