//! Small letters, for comparing with cues.

/// The text in small letters, for the scripts that cues are written in: Latin, Greek and Cyrillic.
///
/// The standard library's way knows every script of Unicode; its tables would take a twentieth of
/// the engine for the few words that are looked for here.
pub(super) fn lower(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{de}' | '\u{391}'..='\u{3a9}' | '\u{410}'..='\u{42f}' => shifted(c, 32),
            '\u{400}'..='\u{40f}' => shifted(c, 80),
            _ => c.to_ascii_lowercase(),
        })
        .collect()
}

fn shifted(c: char, by: u32) -> char {
    char::from_u32(c as u32 + by).unwrap_or(c)
}

#[cfg(test)]
mod tests {
    use super::lower;

    #[test]
    fn small_letters_are_those_of_the_standard_library() {
        for text in ["MUST Never", "ÀÉÎÖØÞ×÷ß", "ΑΒΓΩ", "НИКОГДА Ёлка Ђ", "须 クラス", ""]
        {
            assert_eq!(lower(text), text.to_lowercase());
        }
    }
}
