//! Lines of a file: only LF and CRLF end one, and a byte order mark in front is no part of the first.

/// A line that is not blank, without its end.
pub(crate) struct Line {
    /// Its number, from 1.
    pub(crate) number: u32,
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Whether nothing but white space follows.
    pub(crate) is_last: bool,
}

/// The lines of a file, blank ones left out.
pub(crate) fn lines(bytes: &[u8]) -> impl Iterator<Item = Line> {
    const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
    let content_end = bytes.len() - bytes.iter().rev().take_while(|byte| byte.is_ascii_whitespace()).count();
    let mut start = if bytes.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    let mut number = 0;
    std::iter::from_fn(move || {
        while start < content_end {
            let rest = bytes.get(start..)?;
            let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            let line = rest.get(..length)?;
            let (from, end) = (start, start + line.trim_ascii_end().len());
            start += length + 1;
            number += 1;
            if end > from && !line.trim_ascii().is_empty() {
                return Some(Line { number, start: from, end, is_last: start >= content_end });
            }
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(u32, &str)]) {
        let found: Vec<_> = lines(text.as_bytes()).map(|line| (line.number, &text[line.start..line.end])).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn only_lf_and_crlf_end_a_line() {
        check("a\r\nb\u{2028}c\n\n  \nd", &[(1, "a"), (2, "b\u{2028}c"), (5, "d")]);
        check("\u{feff}a\n", &[(1, "a")]);
        check("", &[]);
        check("\n\n", &[]);
    }

    #[test]
    fn the_last_line_is_the_last_with_content() {
        let last: Vec<bool> = lines(b"a\nb\n \n").map(|line| line.is_last).collect();
        assert_eq!(last, [false, true]);
    }
}
