//! The tags that stand around inserted text, and how text is kept from forging them.

use crate::entry::scan::find_either;
use std::borrow::Cow;

/// Every tag that our templates and requests use.
pub const TAG_NAMES: [&str; 7] =
    ["conversation", "previous-summary", "additional-context", "summary", "read-files", "modified-files", "file"];

/// The tags around the file lists at the end of a summary.
pub(crate) const FILE_LIST_TAGS: [&str; 2] = ["read-files", "modified-files"];

/// Text that can stand between our tags: `<` before an optional `/` and one of our tag names, in
/// any case, is written `&lt;`. Everything else stays as it is.
///
/// ```
/// use threadfold::llm::escape_tags;
/// assert_eq!(escape_tags("a < b </Summary> <sum>"), "a < b &lt;/Summary> <sum>");
/// ```
pub fn escape_tags(text: &str) -> Cow<'_, str> {
    escape_named_tags(text, &TAG_NAMES)
}

/// The same for some of the names.
pub(crate) fn escape_named_tags<'a>(text: &'a str, names: &[&str]) -> Cow<'a, str> {
    let mut escaped = String::new();
    let (mut done, mut from) = (0, 0);
    while let Some(place) = find_either(text.as_bytes(), from, b'<', b'<') {
        from = place + 1;
        if opens_tag(text.get(from..).unwrap_or_default(), names) {
            escaped.push_str(text.get(done..place).unwrap_or_default());
            escaped.push_str("&lt;");
            done = from;
        }
    }
    if done == 0 {
        return Cow::Borrowed(text);
    }
    escaped.push_str(text.get(done..).unwrap_or_default());
    Cow::Owned(escaped)
}

/// Whether what stands behind a `<` makes it one of the tags.
pub(super) fn opens_tag(after: &str, names: &[&str]) -> bool {
    // Nearly every `<` of real text is followed by something no tag starts with.
    if after.bytes().next().is_some_and(|byte| byte.is_ascii_digit() || byte == b'=' || byte == b'<' || byte == b'-') {
        return false;
    }
    let name = after.trim_start_matches(is_between_tag_parts);
    names.iter().any(|known| name_at(name, known).is_some())
}

/// What may stand between `<`, `/` and the name for a lenient reader: spaces, characters that
/// leave no trace, the slash itself, and the backslash that JSON may put before it.
pub(crate) fn is_between_tag_parts(character: char) -> bool {
    character.is_whitespace() || leaves_no_trace(character) || matches!(character, '/' | '\\')
}

/// Whether nothing is seen where a character stands: controls that are no spaces, and what Unicode
/// calls default ignorable (joiners, marks of direction, variation selectors, fillers, tags).
pub(super) fn leaves_no_trace(character: char) -> bool {
    (character.is_control() && !character.is_whitespace())
        || matches!(character,
            '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}'..='\u{1160}' | '\u{17B4}'..='\u{17B5}'
            | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}'
            | '\u{FFF0}'..='\u{FFF8}' | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}'
            | '\u{E0000}'..='\u{E0FFF}')
}

/// What follows the name that a text starts with, in any case, and with anything that leaves no
/// trace inside of it.
pub(crate) fn name_at<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = text;
    for expected in name.chars() {
        rest = rest.trim_start_matches(leaves_no_trace);
        let found = rest.chars().next()?;
        // The one letter outside of ASCII that is an `s` to a reader that ignores case.
        let read = if found == 'ſ' { 's' } else { found.to_ascii_lowercase() };
        if read != expected {
            return None;
        }
        rest = rest.get(found.len_utf8()..)?;
    }
    let ends = rest.bytes().next().is_none_or(|next| !(next.is_ascii_alphanumeric() || next == b'_'));
    ends.then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(escape_tags(text), expected, "{text:?}");
        assert_eq!(escape_tags(expected), expected, "escaping twice changes nothing: {text:?}");
    }

    #[test]
    fn every_tag_in_every_form() {
        for name in TAG_NAMES {
            for name in [name.to_owned(), name.to_uppercase(), name[..1].to_uppercase() + &name[1..]] {
                for (open, close) in [
                    ("<", ">"),
                    ("</", ">"),
                    ("< ", ">"),
                    ("</ ", ">"),
                    ("< / ", " >"),
                    ("<\n/\t", ">"),
                    ("<", ""),
                    ("<", "/>"),
                    ("<", " path=\"x\">"),
                    ("<\u{200b}/\u{feff}", ">"),
                    ("<\0", ">"),
                    ("<\u{202e}/\u{2066}", ">"),
                    ("<\u{e002f}\u{fe0f}", ">"),
                    ("<//", ">"),
                    ("<\\/", ">"),
                    ("<\u{a0}", ">"),
                    ("<", "-x>"),
                ] {
                    let tail = &open[1..];
                    check(&format!("é{open}{name}{close}中"), &format!("é&lt;{tail}{name}{close}中"));
                }
            }
        }
    }

    #[test]
    fn what_leaves_no_trace_hides_no_name() {
        for hidden in ["\u{200b}", "\u{ad}", "\0", "\u{202e}\u{202c}", "\u{3164}", "\u{e0061}"] {
            check(
                &format!("<{hidden}conver{hidden}sation{hidden}>"),
                &format!("&lt;{hidden}conver{hidden}sation{hidden}>"),
            );
        }
        // A space inside of a name is seen.
        check("<conver sation> <con\nversation>", "<conver sation> <con\nversation>");
    }

    #[test]
    fn nested_and_glued() {
        check("<<summary>>", "<&lt;summary>>");
        check("<conversation<conversation>", "&lt;conversation&lt;conversation>");
        check("<sum<summary>mary>", "<sum&lt;summary>mary>");
        check("<ſummary>", "&lt;ſummary>");
    }

    #[test]
    fn other_text_is_borrowed() {
        for text in [
            "",
            "a < b",
            "<div>",
            "<files>",
            "<filename>",
            "<summary_2>",
            "<",
            "<<<",
            "</",
            "a<b && c<d",
            "&lt;summary>",
            "<é>",
        ] {
            assert!(matches!(escape_tags(text), Cow::Borrowed(same) if same == text), "{text}");
        }
    }

    #[test]
    fn long_runs_stay_linear() {
        let hidden = "\u{200b}".repeat(400_000);
        let text =
            "< ".repeat(200_000) + &"<".repeat(200_000) + &" ".repeat(400_000) + &format!("<s{hidden}<c{hidden}");
        assert_eq!(escape_tags(&text), text);
        let text = format!("<s{hidden}").repeat(3) + &"<c\u{200b}".repeat(200_000);
        assert_eq!(escape_tags(&text), text);
    }
}
