//! JSON text with characters written as themselves.

use crate::entry::scan::find_either;
use std::borrow::Cow;

/// JSON text in which each `\uXXXX` that stands for a character outside of ASCII is that
/// character: some writers escape every letter that is not Latin, which a model reads badly and
/// which takes many tokens. A lone surrogate is U+FFFD. The value stays the same.
pub(crate) fn plain_characters(json: &str) -> Cow<'_, str> {
    let bytes = json.as_bytes();
    let mut backslashes = std::iter::successors(find_either(bytes, 0, b'\\', b'\\'), |&place| {
        find_either(bytes, place + 1, b'\\', b'\\')
    });
    if !backslashes.any(|place| bytes.get(place + 1) == Some(&b'u')) {
        return Cow::Borrowed(json);
    }
    let mut plain = String::with_capacity(json.len());
    let mut rest = json;
    while let Some((before, after)) = rest.split_once('\\') {
        plain.push_str(before);
        let unit = unit(after);
        rest = match unit {
            Some((unit, behind)) if unit >= 0x80 => {
                let low = behind.strip_prefix('\\').and_then(self::unit);
                match (char::from_u32(unit), low) {
                    (Some(character), _) => {
                        plain.push(character);
                        behind
                    }
                    (None, Some((low @ 0xDC00..=0xDFFF, behind))) if unit < 0xDC00 => {
                        let joined = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
                        plain.push(char::from_u32(joined).unwrap_or(char::REPLACEMENT_CHARACTER));
                        behind
                    }
                    (None, _) => {
                        plain.push(char::REPLACEMENT_CHARACTER);
                        behind
                    }
                }
            }
            // Any other escape stays; an escaped backslash is passed over as a pair.
            _ => {
                plain.push('\\');
                match after.strip_prefix('\\') {
                    Some(behind) => {
                        plain.push('\\');
                        behind
                    }
                    None => after,
                }
            }
        };
    }
    plain.push_str(rest);
    Cow::Owned(plain)
}

/// The unit that `uXXXX` names, and what follows it.
fn unit(text: &str) -> Option<(u32, &str)> {
    let (digits, behind) = text.strip_prefix('u')?.split_at_checked(4)?;
    digits.bytes().all(|digit| digit.is_ascii_hexdigit()).then_some(())?;
    Some((u32::from_str_radix(digits, 16).ok()?, behind))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(json: &str, expected: &str) {
        assert_eq!(plain_characters(json), expected, "{json}");
    }

    #[test]
    fn letters_are_written_as_themselves() {
        check(r#"{"a":"\u4e2d\u6587 \ud83d\ude00"}"#, r#"{"a":"中文 😀"}"#);
        check(r#""\ud83d x \ude00 \ud83d\u4e2d""#, "\"\u{fffd} x \u{fffd} \u{fffd}中\"");
    }

    #[test]
    fn what_must_stay_escaped_stays() {
        for json in [r#""\u0022 \u003c \n \\u4e2d \\\\u4e2d""#, r#""\u12"#, r"\", r#""C:\\users""#] {
            check(json, json);
        }
        check(r#""\\\u4e2d""#, r#""\\中""#);
    }
}
