//! Which JSON text a host would write again just so.

/// Whether JSON text is just what `JSON.stringify` makes of the value. It may say no too often.
pub(super) fn is_plain_json(text: &str) -> bool {
    let mut in_string = false;
    let mut before = b' ';
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        match (in_string, byte) {
            (true, b'\\') if bytes.next().is_some_and(|escaped| b"\"\\bfnrt".contains(&escaped)) => {}
            (true, b'\\') => return false,
            // A key that begins with a digit may change its place.
            (true, b'0'..=b'9') if before == b'"' => return false,
            // The words true and false hold an e.
            (false, b'e') if matches!(before, b'u' | b's') => {}
            (false, b' ' | b'\n' | b'\t' | b'\r' | b'.' | b'e' | b'E' | b'-') => return false,
            (_, b'"') => in_string = !in_string,
            _ => {}
        }
        before = byte;
    }
    // Digits beyond the fifteenth may change.
    !text.split(|sign: char| !sign.is_ascii_digit()).any(|digits| digits.len() > 15)
}
