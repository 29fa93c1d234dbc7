//! What can still be read of a record that was torn: its ids.

use std::borrow::Cow;

/// The ids of a torn record, where both could be written before it was torn.
pub(super) fn ids(text: &str) -> Option<(String, Option<String>)> {
    let mut rest = text.trim_start().strip_prefix('{')?;
    let (mut id, mut parent_id) = (None, None);
    while let Some((key, behind)) = string(rest) {
        let Some(value) = behind.trim_start().strip_prefix(':').map(str::trim_start) else { break };
        let Some(behind) = skip(value) else { break };
        let found = || string(value).map(|(text, _)| text.into_owned());
        match &*key {
            "id" => id = found(),
            "parentId" => parent_id = found().map(Some).or_else(|| value.starts_with("null").then_some(None)),
            _ => {}
        }
        let Some(next) = behind.trim_start().strip_prefix(',') else { break };
        rest = next;
    }
    Some((id.filter(|id| !id.is_empty())?, parent_id?))
}

/// The string at the start of a text, and what follows it.
pub(super) fn string(text: &str) -> Option<(Cow<'_, str>, &str)> {
    let text = text.trim_start();
    let end = string_end(text)?;
    let (string, rest) = text.split_at_checked(end)?;
    let plain = string.get(1..end - 1)?;
    if !plain.contains('\\') {
        return Some((Cow::Borrowed(plain), rest));
    }
    Some((Cow::Owned(crate::entry::object::text(string)?), rest))
}

fn string_end(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    if bytes.first() != Some(&b'"') {
        return None;
    }
    let mut at = 1;
    loop {
        match bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

/// What follows the value at the start of a text; nothing where the value is torn itself.
fn skip(text: &str) -> Option<&str> {
    let mut depth = 0_usize;
    let mut at = 0;
    loop {
        let rest = text.get(at..)?;
        match rest.as_bytes().first()? {
            b'"' => at += string_end(rest)?,
            b'{' | b'[' => {
                depth += 1;
                at += 1;
            }
            b'}' | b']' if depth > 0 => {
                depth -= 1;
                at += 1;
            }
            b',' | b'}' | b']' if depth == 0 => return text.get(at..),
            _ => at += rest.chars().next()?.len_utf8(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<(&str, Option<&str>)>) {
        let found = ids(text);
        let found = found.as_ref().map(|(id, parent_id)| (&**id, parent_id.as_deref()));
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn ids_are_found_in_any_order_and_spelling() {
        check(r#"{"type":"message","id":"a","parentId":"b","message":{"ro"#, Some(("a", Some("b"))));
        check(r#"{"type": "message", "parentId" : null , "id": "a", "message": {"#, Some(("a", None)));
        check(r#"{"message":{"id":"x","parentId":"y"},"id":"\u0061","parentId":"b","time"#, Some(("a", Some("b"))));
    }

    #[test]
    fn ids_that_are_torn_or_not_there_are_none() {
        check(r#"{"type":"message","message":{"id":"x","parentId":"y","te"#, None);
        check(r#"{"type":"message","id":"a","parentId":"b"#, None);
        check(r#"{"type":"message","id":"a"#, None);
        check("hello", None);
        check(r#"{"id":1,"parentId":null,"a"#, None);
    }
}
