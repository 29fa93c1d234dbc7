//! What `JSON.parse` takes and serde_json refuses, rewritten to the same length, so that offsets
//! stay: half a surrogate pair becomes U+FFFD, a number beyond a double loses its exponent.

use super::super::DiagnosticKind;
use crate::entry::object;
use crate::entry::scan::find_pair;

/// A text that was rewritten.
pub(crate) struct Lenient {
    pub(crate) text: String,
    surrogates: bool,
    numbers: bool,
}

impl Lenient {
    pub(in crate::session) fn reports(&self) -> impl Iterator<Item = (DiagnosticKind, &'static str)> {
        let surrogates =
            (DiagnosticKind::LoneSurrogate, "half of a surrogate pair is read as U+FFFD; the line keeps its bytes");
        let numbers =
            (DiagnosticKind::NumberOutOfRange, "a number beyond a double is not used; the line keeps its bytes");
        self.surrogates.then_some(surrogates).into_iter().chain(self.numbers.then_some(numbers))
    }
}

/// Whether a rewriting may help against a fault: what was read up to it ends in a number or holds an
/// escape of a surrogate. To see that costs what was read, where a rewriting costs the whole text.
pub(super) fn may_help(text: &str, error: &serde_json::Error) -> bool {
    let read = text.as_bytes().get(..error.column()).unwrap_or(text.as_bytes());
    read.last().is_some_and(u8::is_ascii_digit) || escapes_surrogates(read)
}

/// Whether a text holds an escape of a surrogate, of a whole pair or of half of one.
pub(crate) fn escapes_surrogates(text: &[u8]) -> bool {
    let mut from = 0;
    while let Some(place) = find_pair(text, from, b'\\', b'u') {
        from = place + 2;
        if matches!(text.get(from), Some(b'd' | b'D')) {
            return true;
        }
    }
    false
}

/// The text in a form that both take; `None` where there is nothing to rewrite.
pub(crate) fn rewrite(text: &str) -> Option<Lenient> {
    let mut bytes = text.as_bytes().to_vec();
    let (mut surrogates, mut numbers) = (false, false);
    let mut in_string = false;
    let mut position = 0;
    while let Some(&byte) = bytes.get(position) {
        if !in_string {
            in_string = byte == b'"';
            if byte.is_ascii_digit() {
                let length = number_length(&bytes, position);
                numbers |= tame(bytes.get_mut(position..position + length).unwrap_or_default());
                position += length;
            } else {
                position += 1;
            }
            continue;
        }
        match (byte, bytes.get(position + 1)) {
            (b'"', _) => {
                in_string = false;
                position += 1;
            }
            (b'\\', Some(b'u')) => {
                match unit(&bytes, position) {
                    Some(0xd800..0xdc00) if matches!(unit(&bytes, position + 6), Some(0xdc00..0xe000)) => position += 6,
                    Some(0xd800..0xe000) => {
                        if let Some(escape) = bytes.get_mut(position..position + 6) {
                            escape.copy_from_slice(b"\\ufffd");
                        }
                        surrogates = true;
                    }
                    _ => {}
                }
                position += 6;
            }
            (b'\\', _) => position += 2,
            _ => position += 1,
        }
    }
    if !surrogates && !numbers {
        return None;
    }
    // Only ASCII was replaced by ASCII, so this is valid.
    String::from_utf8(bytes).ok().map(|text| Lenient { text, surrogates, numbers })
}

/// The UTF-16 unit of a `\u` escape.
fn unit(bytes: &[u8], position: usize) -> Option<u16> {
    let digits = bytes.get(position..position + 6)?.strip_prefix(b"\\u")?;
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

fn number_length(bytes: &[u8], position: usize) -> usize {
    let rest = bytes.get(position..).unwrap_or_default();
    rest.iter().take_while(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'+' | b'-')).count()
}

/// Makes a number that is beyond a double one that is not; says whether it had to.
fn tame(number: &mut [u8]) -> bool {
    // JSON knows no other fault of a number than its size.
    let infinite = std::str::from_utf8(number).is_ok_and(|number| object::number(number).is_none());
    if !infinite {
        return false;
    }
    if let Some(exponent) = number.iter().position(|byte| matches!(byte, b'e' | b'E')) {
        for digit in number.iter_mut().skip(exponent + 1).filter(|byte| byte.is_ascii_digit()) {
            *digit = b'0';
        }
    }
    // Hundreds of digits before the point: a point behind the first makes them decimals.
    let digits = number.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits > 300 {
        if let Some(point) = number.get_mut(digits).filter(|point| **point == b'.') {
            *point = b'0';
        }
        if let Some(second) = number.get_mut(1) {
            *second = b'.';
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<&str>) {
        let lenient = rewrite(text);
        assert_eq!(lenient.as_ref().map(|lenient| &*lenient.text), expected, "{text}");
        if let Some(expected) = expected {
            assert_eq!(expected.len(), text.len());
            serde_json::from_str::<serde_json::Value>(expected).unwrap();
        }
    }

    #[test]
    fn half_pairs_become_the_replacement_character() {
        check(r#"["\ud800"]"#, Some(r#"["\ufffd"]"#));
        check(r#"["\udc00x\ud83d\ude00"]"#, Some(r#"["\ufffdx\ud83d\ude00"]"#));
        check(r#"["\ud83d\ud83d\ude00"]"#, Some(r#"["\ufffd\ud83d\ude00"]"#));
        check(r#"["\\ud800"]"#, None);
        check(r#"["\ud83d\ude00"]"#, None);
    }

    #[test]
    fn numbers_beyond_a_double_are_tamed() {
        check("[1e999]", Some("[1e000]"));
        check("[-1.5E+999,\"1e999\"]", Some("[-1.5E+000,\"1e999\"]"));
        check("[1e10]", None);
        let long = format!("[{}]", "9".repeat(400));
        check(&long, Some(&format!("[9.{}]", "9".repeat(398))));
        let fraction = format!("[{}.5]", "9".repeat(400));
        assert!(serde_json::from_str::<serde_json::Value>(&rewrite(&fraction).unwrap().text).is_ok());
    }
}
