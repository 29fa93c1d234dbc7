//! The text of a summary as it is stored.

use super::sections::is_known_heading;
use crate::entry::FileLists;
use crate::llm::literals::{EARLIER_TURN_HEADING, NO_PRIOR_HISTORY, TURN_CONTEXT_HEADING};
use crate::llm::prompts::{BRANCH_SUMMARY_PREAMBLE, FILE_OPERATIONS};
use crate::llm::{FILE_LIST_TAGS, escape_named_tags, escape_tags, fill, is_between_tag_parts, name_at, one_line};
use std::borrow::Cow;

/// The summary to store: history, the beginning of a split turn, and the file lists.
///
/// ```
/// use threadfold::{entry::FileLists, summary::compose_summary};
/// let files = FileLists { read_files: vec!["a.ts".into()], modified_files: vec![] };
/// assert_eq!(
///     compose_summary(None, Some("Half a turn."), &files),
///     "No prior history.\n\n---\n\n**Turn Context (split turn):**\n\nHalf a turn.\n\n\
///      <read-files>\na.ts\n</read-files>"
/// );
/// ```
pub fn compose_summary(history: Option<&str>, turn_prefix: Option<&str>, files: &FileLists) -> String {
    let history = history.map(part).filter(|text| !text.is_empty());
    let prefix = turn_prefix.map(part).filter(|text| !text.is_empty());
    let mut summary = history.unwrap_or_else(|| NO_PRIOR_HISTORY.to_owned());
    if let Some(prefix) = prefix {
        summary.push_str("\n\n---\n\n");
        summary.push_str(TURN_CONTEXT_HEADING);
        summary.push_str("\n\n");
        summary.push_str(&prefix);
    }
    push_file_lists(&mut summary, files);
    summary
}

/// The summary of a branch to store: what it is a summary of, the notes themselves, and the file lists.
///
/// ```
/// use threadfold::{entry::FileLists, summary::compose_branch_summary};
/// let files = FileLists { read_files: vec![], modified_files: vec!["a.ts".into()] };
/// let summary = compose_branch_summary("## Goal\n- Faster.", &files);
/// assert!(summary.ends_with("\n\n## Goal\n- Faster.\n\n<modified-files>\na.ts\n</modified-files>"));
/// ```
pub fn compose_branch_summary(notes: &str, files: &FileLists) -> String {
    let mut summary = BRANCH_SUMMARY_PREAMBLE.trim_end().to_owned();
    summary.push_str("\n\n");
    summary.push_str(&part(notes));
    push_file_lists(&mut summary, files);
    summary
}

/// The notes of a stored branch summary, without what was added to them.
pub(super) fn branch_notes(summary: &str) -> Cow<'_, str> {
    let notes = summary.strip_prefix(BRANCH_SUMMARY_PREAMBLE.trim_end());
    strip_file_lists(notes.unwrap_or(summary).trim_start())
}

/// One part: no file lists, no tags that look like theirs, no heading of a split turn.
fn part(text: &str) -> String {
    let text = strip_file_lists(text);
    fold_turn_headings(&escape_named_tags(text.trim(), &FILE_LIST_TAGS))
}

/// Appends the file lists, after one blank line; an empty one is left out.
fn push_file_lists(out: &mut String, files: &FileLists) {
    let read = file_lines(&files.read_files);
    let modified = file_lines(&files.modified_files);
    let values = [("read-files", read.as_str()), ("modified-files", modified.as_str())];
    let mut separator = "\n\n";
    // One paragraph of the template for each list.
    for (paragraph, (_, lines)) in FILE_OPERATIONS.trim_end().split("\n\n").zip(values) {
        if !lines.is_empty() {
            out.push_str(separator);
            fill(out, paragraph, &values);
            separator = "\n";
        }
    }
}

fn file_lines(files: &[String]) -> String {
    let mut lines = String::new();
    for file in files.iter().filter(|file| !file.trim().is_empty()) {
        if !lines.is_empty() {
            lines.push('\n');
        }
        lines.push_str(&escape_tags(&one_line(file)));
    }
    lines
}

/// Folds every heading of a split turn into a plain one, together with the rule above it: its turn
/// is history by now.
fn fold_turn_headings(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = split_at_turn_heading(rest) {
        folded.push_str(before);
        let trimmed = folded.trim_end();
        let above = trimmed.strip_suffix("---").filter(|above| above.is_empty() || above.ends_with('\n'));
        let end = above.unwrap_or(trimmed).trim_end().len();
        folded.truncate(end);
        if !folded.is_empty() {
            folded.push_str("\n\n");
        }
        folded.push_str(EARLIER_TURN_HEADING);
        folded.push_str("\n\n");
        rest = after.trim_start();
    }
    folded.push_str(rest);
    folded
}

fn split_at_turn_heading(text: &str) -> Option<(&str, &str)> {
    let mut from = 0;
    loop {
        let place = from + text.get(from..)?.find("**")?;
        let end = place + TURN_CONTEXT_HEADING.len();
        if text.get(place..end).is_some_and(|found| found.eq_ignore_ascii_case(TURN_CONTEXT_HEADING)) {
            return Some((text.get(..place)?, text.get(end..)?));
        }
        from = place + 1;
    }
}

/// A summary without the file lists in it, wherever they stand: a model copies them, and they are
/// written anew. A tag that does not belong to a whole list is left alone.
pub fn strip_file_lists(text: &str) -> Cow<'_, str> {
    let mut kept = String::new();
    let mut rest = text;
    let mut from = 0;
    while let Some(place) = find_opening(rest, from) {
        match list_end(rest.get(place..).unwrap_or_default()) {
            ListEnd::After(length) => {
                let before = rest.get(..place).unwrap_or_default().trim_end();
                push_paragraphs(&mut kept, before);
                rest = rest.get(place + length..).unwrap_or_default().trim_start_matches(['\n', '\r']);
                from = 0;
            }
            ListEnd::Missing(length) => from = place + length.max(1),
        }
    }
    if rest.len() == text.len() {
        return Cow::Borrowed(text);
    }
    push_paragraphs(&mut kept, rest);
    Cow::Owned(kept)
}

fn push_paragraphs(out: &mut String, text: &str) {
    if !out.is_empty() && !text.is_empty() {
        out.push_str("\n\n");
    }
    out.push_str(text);
}

/// The place of the next opening tag of a file list.
fn find_opening(text: &str, from: usize) -> Option<usize> {
    let mut from = from;
    loop {
        let place = from + text.get(from..)?.find(['<', '&'])?;
        if file_tag(text.get(place..)?).is_some_and(|tag| !tag.closes) {
            return Some(place);
        }
        from = place + 1;
    }
}

struct FileTag<'a> {
    closes: bool,
    name: &'static str,
    behind: &'a str,
}

/// The tag of a file list that a text starts with, also in its escaped form.
fn file_tag(text: &str) -> Option<FileTag<'_>> {
    let inner = text.strip_prefix('<').or_else(|| text.strip_prefix("&lt;"))?;
    let name_on = inner.trim_start_matches(is_between_tag_parts);
    let closes = inner.get(..inner.len() - name_on.len()).is_some_and(|between| between.contains('/'));
    FILE_LIST_TAGS.into_iter().find_map(|name| {
        let behind = name_at(name_on, name)?.trim_start_matches([' ', '\t']);
        Some(FileTag { closes, name, behind: behind.strip_prefix('>').or_else(|| behind.strip_prefix("&gt;"))? })
    })
}

enum ListEnd {
    /// The list is that long, its closing tag included.
    After(usize),
    /// There is no end; that many bytes need not be looked at again.
    Missing(usize),
}

/// Where the file list that a text starts with ends: at its closing tag, with only lines of files
/// before it.
fn list_end(text: &str) -> ListEnd {
    let Some(open) = file_tag(text) else { return ListEnd::Missing(1) };
    let opening = text.len() - open.behind.len();
    let mut rest = open.behind;
    loop {
        let Some(place) = rest.find(['<', '&', '#']) else { return ListEnd::Missing(text.len()) };
        let found = rest.get(place..).unwrap_or_default();
        let looked_at = text.len() - found.len();
        match file_tag(found) {
            Some(tag) if tag.closes && tag.name == open.name => return ListEnd::After(text.len() - tag.behind.len()),
            Some(_) => return ListEnd::Missing(looked_at),
            // A section of the summary between the two tags: they are no list.
            None if found.starts_with('#')
                && starts_line(open.behind, looked_at - opening)
                && is_known_heading(found.lines().next().unwrap_or_default()) =>
            {
                return ListEnd::Missing(looked_at);
            }
            None => rest = found.get(1..).unwrap_or_default(),
        }
    }
}

/// Whether nothing but blanks stands before a place in its line.
fn starts_line(text: &str, place: usize) -> bool {
    let before = text.get(..place).unwrap_or_default().trim_end_matches([' ', '\t']);
    before.is_empty() || before.ends_with(['\n', '\r'])
}

#[cfg(test)]
#[path = "text_tests.rs"]
mod tests;
