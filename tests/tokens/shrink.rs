//! What of a text makes a difference.

/// The shortest text that is found by leaving parts of a text out, of which the difference still holds.
pub(crate) fn shrunk(text: &str, differs: impl Fn(&str) -> bool) -> String {
    let mut kept: Vec<char> = text.chars().collect();
    let mut part = kept.len().div_ceil(2);
    while part > 0 {
        let mut at = 0;
        while at < kept.len() {
            let end = (at + part).min(kept.len());
            let without: Vec<char> = [&kept[..at], &kept[end..]].concat();
            if differs(&without.iter().collect::<String>()) {
                kept = without;
            } else {
                at = end;
            }
        }
        part /= 2;
    }
    kept.into_iter().collect()
}

/// A text so that every character of it can be told.
pub(crate) fn escaped(text: &str) -> String {
    format!("\"{}\"", text.escape_default())
}

#[test]
fn what_makes_the_difference_is_found() {
    let text = format!("{}é{}ß{}", "x".repeat(1_000), "y".repeat(77), "z".repeat(333));
    let found = shrunk(&text, |text| text.contains('é') && text.contains('ß'));
    assert_eq!(found, "éß");
    assert_eq!(escaped(&found), r#""\u{e9}\u{df}""#);
}
