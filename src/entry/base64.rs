//! Files as base64: what they begin and end with, and how long they are, without decoding all of them.

use super::scan::find_either;

/// How far the comma of a data URL is searched, in bytes: media types are short.
const DATA_URL_SEARCH: usize = 256;
/// How far the mark is searched behind which the facade goes on with the end of a long file, in characters.
const MARK_SEARCH: usize = 66_000;
/// The most digits that it has: nothing of a gigabyte crosses.
const MOST_DIGITS: usize = 9;
/// How much of the end is looked at, in characters.
const END: usize = 32_768;

/// The base64 of a file, which may be a data URL. Of a long one the facade hands in the beginning and the end
/// alone, and between them how many characters are left out: `…#70000#…`.
pub(super) struct Base64<'a> {
    beginning: &'a [u8],
    end: &'a [u8],
    /// All its characters, also those that are left out.
    length: usize,
}

impl<'a> Base64<'a> {
    pub(super) fn of(data: &'a str) -> Self {
        let data = data.trim_ascii_start().as_bytes();
        let url = data.strip_prefix(b"data:").unwrap_or_default();
        let comma = url.iter().take(DATA_URL_SEARCH).position(|&byte| byte == b',');
        let base64 = match comma {
            Some(comma) => url.get(comma + 1..).unwrap_or_default(),
            None if url.is_empty() => data,
            None => &[],
        };
        let whole = || Self {
            beginning: base64,
            end: end_of(base64, base64.len().saturating_sub(END), base64.len().saturating_sub(END)),
            length: base64.len(),
        };
        Self::in_parts(base64).unwrap_or_else(whole)
    }

    /// The parts of a long file, where there is a mark.
    fn in_parts(base64: &'a [u8]) -> Option<Self> {
        let mark = find_either(base64.get(..MARK_SEARCH).unwrap_or(base64), 0, b'#', b'#')?;
        let beginning = base64.get(..mark)?;
        let (number, digits) = number_at_start(base64.get(mark + 1..)?)?;
        if digits > MOST_DIGITS || base64.get(mark + 1 + digits) != Some(&b'#') {
            return None;
        }
        let end = mark + digits + 2;
        let skipped = mark + number as usize;
        let length = skipped + base64.len().checked_sub(end)?;
        Some(Self { beginning, end: end_of(base64, end, skipped), length })
    }

    /// How long it is, in characters.
    pub(super) fn length(&self) -> usize {
        self.length
    }

    /// How many bytes it stands for; white space counts as if it were some.
    pub(super) fn bytes(&self) -> u64 {
        let padding = self.end.iter().rev().take_while(|&&byte| byte == b'=').take(2).count();
        (self.length as u64 * 3 / 4).saturating_sub(padding as u64)
    }

    /// The bytes that it begins with, at most so many.
    pub(super) fn first_bytes(&self, most: usize) -> Vec<u8> {
        decoded(self.beginning, most)
    }

    /// The bytes that it ends with, some 24 kB.
    pub(super) fn last_bytes(&self) -> Vec<u8> {
        decoded(self.end, END)
    }
}

/// What stands from a place on, from where four characters begin that belong together; `number` is how many
/// characters of the file come before that place.
fn end_of(base64: &[u8], from: usize, number: usize) -> &[u8] {
    base64.get(from + number.wrapping_neg() % 4..).unwrap_or_default()
}

/// The bytes that base64 stands for, at most so many. White space is passed over; at anything else that is no
/// base64, as its padding, they end.
fn decoded(base64: &[u8], most: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    // The last bits read, of which `count` are no byte yet.
    let (mut bits, mut count) = (0_u32, 0);
    for &character in base64 {
        let value = match character {
            b'A'..=b'Z' => character - b'A',
            b'a'..=b'z' => character - b'a' + 26,
            b'0'..=b'9' => character - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            space if space.is_ascii_whitespace() => continue,
            _ => break,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
            if bytes.len() == most {
                break;
            }
        }
    }
    bytes
}

/// The number that a text begins with, and how many digits it has; one beyond belief is the largest.
pub(super) fn number_at_start(text: &[u8]) -> Option<(u32, usize)> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit());
    let (number, count) = digits.fold((0_u32, 0), |(number, count), digit| {
        (number.saturating_mul(10).saturating_add(u32::from(digit - b'0')), count + 1)
    });
    (count > 0).then_some((number, count))
}

/// Base64 of some bytes, padded.
#[cfg(test)]
pub(super) fn encoded(bytes: &[u8]) -> String {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for three in bytes.chunks(3) {
        let byte = |at: usize| u32::from(three.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            let character = char::from(ALPHABET[(bits >> (18 - 6 * place) & 63) as usize]);
            out.push(if place > three.len() { '=' } else { character });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file as the facade hands it in: the beginning and the end, and between them how much is left out.
    fn cut(base64: &str, beginning: usize, end: usize) -> String {
        let (first, last) = (&base64[..beginning], &base64[base64.len() - end..]);
        format!("{first}#{}#{last}", base64.len() - beginning - end)
    }

    #[test]
    fn a_long_file_is_told_by_its_beginning_and_its_end() {
        let bytes: Vec<u8> = (0..300_000_u32).map(|byte| (byte % 251) as u8).collect();
        let whole = encoded(&bytes);
        for data in [whole.clone(), cut(&whole, 65_536, 32_768), cut(&whole, 65_514, 32_767), cut(&whole, 10, 0)] {
            for data in [format!("data:application/pdf;base64,{data}"), data] {
                let base64 = Base64::of(&data);
                assert_eq!((base64.length(), base64.bytes()), (400_000, 300_000));
                assert_eq!(base64.first_bytes(7), bytes[..7]);
                let end = base64.last_bytes();
                assert!(bytes.ends_with(&end) && end.len() <= 24_576, "{}", end.len());
            }
        }
        let short = encoded(&bytes[..100]);
        assert_eq!(Base64::of(&short).last_bytes(), bytes[..100]);
    }

    #[test]
    fn what_only_looks_like_a_mark_is_none() {
        for data in
            ["", "#", "##", "AAAA#", "AAAA##BBBB", "AAAA#x#BBBB", "AAAA#9999999999#BBBB", "AAAA#-1#BBBB", "é#4#"]
        {
            let base64 = Base64::of(data);
            let plain = !data.starts_with('é');
            assert_eq!(base64.length(), if plain { data.len() } else { 6 }, "{data}");
            assert!(base64.first_bytes(9).len() <= 3 && base64.last_bytes().len() <= 6, "{data}");
        }
        assert_eq!(Base64::of("AAAA#999999999#BBBB").length(), 1_000_000_007);
    }
}
