//! The sections of a summary by their headings, as far as a model kept to the layout.

/// A section that summaries have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Section {
    Goal,
    Constraints,
    Progress,
    Done,
    InProgress,
    Blocked,
    Decisions,
    NextSteps,
    Context,
    Request,
    DoneSoFar,
    NeededLater,
    EarlierTurn,
    TurnContext,
}

/// The headings that the summary of history must have.
pub(super) const HISTORY: [Section; 6] =
    [Section::Goal, Section::Constraints, Section::Progress, Section::Decisions, Section::NextSteps, Section::Context];

/// The headings that the beginning of a turn must have.
pub(super) const TURN_PREFIX: [Section; 3] = [Section::Request, Section::DoneSoFar, Section::NeededLater];

const NAMES: [(&str, Section); 14] = [
    ("goal", Section::Goal),
    ("constraints & preferences", Section::Constraints),
    ("progress", Section::Progress),
    ("done", Section::Done),
    ("in progress", Section::InProgress),
    ("blocked", Section::Blocked),
    ("key decisions", Section::Decisions),
    ("next steps", Section::NextSteps),
    ("critical context", Section::Context),
    ("request", Section::Request),
    ("done so far", Section::DoneSoFar),
    ("needed later", Section::NeededLater),
    ("earlier turn context", Section::EarlierTurn),
    ("turn context (split turn)", Section::TurnContext),
];

/// The section that a line opens: a heading of any level, or a line in bold.
pub(super) fn heading(line: &str) -> Option<Section> {
    let line = line.trim();
    if !line.starts_with(['#', '*']) || line.len() > 60 {
        return None;
    }
    let marked = line.starts_with('#') || line.starts_with("**");
    let name = line.trim_matches(|mark: char| matches!(mark, '#' | '*' | ':' | '_') || mark.is_whitespace());
    let name = super::lower::lower(name).replace(" and ", " & ");
    NAMES.iter().find(|(known, _)| marked && *known == name).map(|(_, section)| *section)
}

/// Whether a line is the heading of a section.
pub(super) fn is_known_heading(line: &str) -> bool {
    heading(line).is_some()
}

/// Whether a text has every one of the headings.
pub(super) fn has_all(text: &str, wanted: &[Section]) -> bool {
    wanted.iter().all(|section| text.lines().any(|line| heading(line) == Some(*section)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: Option<Section>) {
        assert_eq!(heading(line), expected, "{line:?}");
    }

    #[test]
    fn headings_in_the_forms_that_models_write() {
        check("## Goal", Some(Section::Goal));
        check(" # GOAL: ", Some(Section::Goal));
        check("**Key Decisions:**", Some(Section::Decisions));
        check("### Constraints and Preferences", Some(Section::Constraints));
        check("**Turn Context (split turn):**", Some(Section::TurnContext));
        check("* Goal", None);
        check("Goal", None);
        check("## Goals of the week", None);
        check("", None);
    }
}
