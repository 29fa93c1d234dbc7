//! What an earlier summary says, section by section.

use super::{Notes, one_item};
use crate::llm::literals::NO_PRIOR_HISTORY;
use crate::summary::lower::lower;
use crate::summary::sections::{Section, heading};
use crate::summary::text::strip_file_lists;

/// The items of a summary. Where a part has no heading that is known, its lines are context.
pub(super) fn notes(summary: &str) -> Notes {
    let mut notes = Notes::default();
    let mut section = Section::Context;
    let mut item = String::new();
    for line in strip_file_lists(summary).lines() {
        let text = line.trim();
        let found = heading(line);
        let fence = text.starts_with("```") || text.starts_with("~~~");
        if found.is_some() || text.is_empty() || fence || is_rule(text) || starts_item(text) {
            finish(&mut notes, section, &mut item);
        }
        if let Some(found) = found {
            section = home(found);
        } else if !fence && !is_rule(text) {
            item.push_str(without_bullet(text));
            item.push(' ');
        }
    }
    finish(&mut notes, section, &mut item);
    notes
}

fn finish(notes: &mut Notes, section: Section, item: &mut String) {
    let text = one_item(&std::mem::take(item));
    let says_nothing = matches!(lower(&text).as_str(), "(none)" | "none" | "n/a" | "-") || text == NO_PRIOR_HISTORY;
    if !says_nothing {
        notes.add(section, [text]);
    }
}

/// Where the items under a heading go: a turn that was split is history by now.
fn home(section: Section) -> Section {
    match section {
        Section::Progress | Section::DoneSoFar => Section::Done,
        Section::Request => Section::Goal,
        Section::NeededLater | Section::EarlierTurn | Section::TurnContext => Section::Context,
        other => other,
    }
}

fn is_rule(text: &str) -> bool {
    text.len() >= 3 && (text.bytes().all(|byte| byte == b'-') || text.bytes().all(|byte| byte == b'*'))
}

fn starts_item(text: &str) -> bool {
    without_bullet(text).len() < text.len()
}

/// A line without its bullet, number or check box.
fn without_bullet(text: &str) -> &str {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = ["- ", "* ", "+ ", "• "].iter().find_map(|bullet| text.strip_prefix(bullet)).or_else(|| {
        let rest = text.get(digits..)?;
        let rest = rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") "))?;
        (1..=3).contains(&digits).then_some(rest)
    });
    let rest = rest.unwrap_or(text).trim_start_matches(['#', ' ']);
    ["[x] ", "[X] ", "[ ] "].iter().find_map(|mark| rest.strip_prefix(mark)).unwrap_or(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(summary: &str, expected: &[(Section, &str)]) {
        let notes = notes(summary);
        let found: Vec<(Section, &str)> = notes.items.iter().map(|(section, item)| (*section, item.as_str())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn items_by_heading() {
        check(
            "Intro\n## Goal\n- a\n  goes on\n2. b\n\n## Constraints & Preferences\n(none)\n### Done\n- [x] c\n## Other\n- d",
            &[
                (Section::Context, "Intro"),
                (Section::Goal, "a goes on"),
                (Section::Goal, "b"),
                (Section::Done, "c"),
                (Section::Done, "Other"),
                (Section::Done, "d"),
            ],
        );
    }

    #[test]
    fn a_split_turn_and_file_lists() {
        check(
            "No prior history.\n\n---\n\n**Turn Context (split turn):**\n\n## Request\nx\n## Done So Far\n- y\n\n\
             <read-files>\na\n</read-files>",
            &[(Section::Goal, "x"), (Section::Done, "y")],
        );
        check("", &[]);
    }
}
