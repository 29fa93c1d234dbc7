//! What a text looks like to a lenient reader: told naively, apart from the engine's own escaping.

use crate::corpus::HIDDEN;
use threadfold::llm::TAG_NAMES;

fn is_hidden(character: char) -> bool {
    HIDDEN.iter().any(|hidden| hidden.contains(character))
}

/// The tags of ours that a lenient reader finds in a text, and the marks that begin its lines.
pub(crate) fn skeleton(text: &str) -> Vec<String> {
    let text: String = text.chars().filter(|&character| !is_hidden(character)).collect::<String>().to_lowercase();
    let mut found = Vec::new();
    for (place, _) in text.char_indices() {
        let rest = &text[place..];
        if let Some(inner) = rest.strip_prefix('<') {
            let name =
                inner.trim_start_matches(|character: char| character.is_whitespace() || "/\\".contains(character));
            let closes = inner[..inner.len() - name.len()].contains('/');
            let end = name.find(|character: char| !character.is_alphanumeric() && !"-_".contains(character));
            let name = &name[..end.unwrap_or(name.len())];
            if TAG_NAMES.contains(&name) {
                found.push(format!("{}{name}", if closes { "/" } else { "" }));
            }
        }
        let starts_line = text[..place]
            .chars()
            .next_back()
            .is_none_or(|before| "\n\r\u{b}\u{c}\u{85}\u{2028}\u{2029}".contains(before));
        let mark = rest.strip_prefix('[').map(|mark| mark.trim_start_matches([' ', '\t']));
        let known = ["user", "assistant", "tool result", "image ", "... "];
        if let Some(mark) = mark.filter(|mark| starts_line && known.iter().any(|known| mark.starts_with(known))) {
            // Names of tools and media types are the session's; what stands before them is ours.
            let ours = mark.split([']', ':']).next().unwrap_or_default();
            let words: Vec<&str> =
                ours.split(' ').take(2).filter(|word| word.chars().all(char::is_alphabetic)).collect();
            found.push(format!("[{}]", words.join(" ")));
        }
    }
    found
}
