//! The local summariser: no model, no network, the same result each time.
//!
//! It fills the headings that a model is asked for from what stands in the messages: what the user
//! asked and demanded, what tools changed, ran and failed at, what the model said last. It reads
//! cues in several languages and falls back to the first sentences where it knows none.

mod carried;
mod facts;
mod sentences;

use super::lower::lower;
use super::request::RequestKind;
use super::sections::Section;
use crate::entry::Message;
use crate::numbers::Numbers;
use crate::settings::FileTools;
use crate::tokens::{TokenRule, estimate_text};
use facts::Facts;
use sentences::{clip, sentences, words};

/// The most that a summary of each kind takes, in tokens, however much a request allows: beyond
/// it the rules find nothing that helps.
const ENOUGH_FOR_HISTORY: u64 = 1_600;
const ENOUGH_FOR_TURN_PREFIX: u64 = 600;
const ENOUGH_FOR_SHORT: u64 = 160;
/// A summary of little aims at this many tokens before it aims at half of what it replaces.
const LITTLE: u64 = 300;

/// How many errors that were overcome are named.
const OVERCOME: usize = 4;

/// What the local summariser is asked for, besides the messages.
#[derive(Debug, Clone, Copy)]
pub struct LocalSummary<'a> {
    /// The kind of the request that it serves.
    pub kind: RequestKind,
    /// The previous summary; for a short one, the new summary.
    pub previous_summary: Option<&'a str>,
    /// What the user wants in focus: what speaks of it is kept first.
    pub custom_instructions: Option<&'a str>,
    /// Lines of context that hooks gave.
    pub context_lines: &'a [String],
    /// The output limit of the request, in tokens.
    pub max_tokens: u64,
    /// The size of what the summary replaces, in tokens: it stays below.
    pub replaced_tokens: Option<u64>,
    /// How tokens are estimated.
    pub rule: TokenRule,
    /// Which tools read and modify files.
    pub file_tools: &'a FileTools,
}

/// Summarises messages by rules alone.
///
/// ```
/// use threadfold::entry::{Content, Message};
/// use threadfold::summary::{LocalSummary, RequestKind, summarize_locally};
/// use threadfold::{settings::Settings, tokens::TokenRule};
/// let message = Message::User { content: Content::Text("Fix the parser. Never touch the lexer.".into()) };
/// let summary = summarize_locally([&message], &LocalSummary {
///     kind: RequestKind::History,
///     previous_summary: None,
///     custom_instructions: None,
///     context_lines: &[],
///     max_tokens: 1_000,
///     replaced_tokens: None,
///     rule: TokenRule::BY_SCRIPT,
///     file_tools: &Settings::default().file_tools,
/// });
/// assert!(summary.starts_with("## Goal\n- Fix the parser.\n\n## Constraints & Preferences\n- Never touch the lexer.\n"));
/// ```
pub fn summarize_locally<'m>(messages: impl IntoIterator<Item = &'m Message>, asked: &LocalSummary<'_>) -> String {
    let facts = Facts::gather(messages, asked.file_tools);
    let limit = |enough: u64| {
        let replaced = asked.replaced_tokens.unwrap_or(u64::MAX);
        let share = (replaced / 2).max(LITTLE.min(replaced.saturating_sub(1)));
        enough.min(asked.max_tokens).min(share)
    };
    match asked.kind {
        RequestKind::History | RequestKind::Update | RequestKind::Branch | RequestKind::Fold => {
            let mut notes = carried::notes(asked.previous_summary.unwrap_or_default());
            add_history(&mut notes, facts, asked);
            notes.write(&HISTORY, limit(ENOUGH_FOR_HISTORY), asked)
        }
        RequestKind::TurnPrefix => {
            let mut notes = Notes::default();
            add_turn_prefix(&mut notes, facts, asked);
            notes.write(&TURN_PREFIX, limit(ENOUGH_FOR_TURN_PREFIX), asked)
        }
        RequestKind::Short => short(facts, asked, limit(ENOUGH_FOR_SHORT)),
    }
}

/// The items of each section, in the order in which they were said.
#[derive(Debug, Default)]
struct Notes {
    items: Vec<(Section, String)>,
}

impl Notes {
    fn add(&mut self, section: Section, items: impl IntoIterator<Item = String>) {
        // One by one: to extend the list would cost the engine 200 bytes for each kind of iterator.
        for item in items {
            if !item.trim().is_empty() {
                self.items.push((section, item));
            }
        }
    }

    fn has(&self, section: Section) -> bool {
        self.items.iter().any(|(other, _)| *other == section)
    }

    fn first(&self, section: Section) -> Option<&str> {
        self.items.iter().find(|(other, _)| *other == section).map(|(_, item)| item.as_str())
    }

    fn remove(&mut self, section: Section) {
        self.items.retain(|(other, _)| *other != section);
    }
}

fn add_history(notes: &mut Notes, facts: Facts, asked: &LocalSummary<'_>) {
    // What was under way, stood in the way or came next is told anew from where the record ends.
    if facts.says_something() {
        for section in [Section::InProgress, Section::Blocked, Section::NextSteps] {
            notes.remove(section);
        }
    }
    notes.add(Section::Goal, facts.requests);
    notes.add(Section::Constraints, facts.constraints);
    // Of a section the newest are kept first: files weigh more than commands.
    notes.add(Section::Done, newest(facts.commands, 8));
    notes.add(Section::Done, facts.changed.iter().map(|path| format!("Changed `{path}`")));
    notes.add(Section::InProgress, facts.last_answer.map(|text| format!("Last answer: {text}")));
    notes.add(Section::InProgress, facts.open_calls.map(|calls| format!("Called without a result so far: {calls}")));
    notes.add(Section::Blocked, facts.open_errors);
    notes.add(Section::Decisions, facts.decisions);
    notes.add(Section::NextSteps, facts.next_steps);
    notes.add(Section::NextSteps, facts.open_question.map(|text| format!("Open question to the user: {text}")));
    notes.add(Section::NextSteps, facts.unanswered.map(|text| format!("Not answered yet: {text}")));
    notes.add(Section::Context, asked.context_lines.iter().map(|line| one_item(line)));
    notes.add(Section::Context, facts.context);
    // What was overcome matters little; the newest show what to expect.
    let older = facts.solved_errors.len().saturating_sub(OVERCOME);
    notes.add(Section::Context, facts.solved_errors.into_iter().skip(older));
    if !notes.has(Section::Goal) {
        notes.add(Section::Goal, facts.fallback);
    }
}

fn add_turn_prefix(notes: &mut Notes, facts: Facts, asked: &LocalSummary<'_>) {
    notes.add(Section::Request, facts.requests);
    notes.add(Section::Request, facts.constraints);
    notes.add(Section::DoneSoFar, newest(facts.read, 5).map(|path| format!("Read `{path}`")));
    notes.add(Section::DoneSoFar, newest(facts.commands, 6));
    notes.add(Section::DoneSoFar, facts.changed.iter().map(|path| format!("Changed `{path}`")));
    notes.add(Section::DoneSoFar, newest(facts.decisions, 4));
    notes.add(Section::DoneSoFar, facts.last_answer.map(|text| format!("Last answer: {text}")));
    notes.add(Section::NeededLater, facts.open_errors);
    notes.add(Section::NeededLater, facts.open_question.map(|text| format!("Open question to the user: {text}")));
    notes.add(Section::NeededLater, asked.context_lines.iter().map(|line| one_item(line)));
    notes.add(Section::NeededLater, facts.context);
    if !notes.has(Section::Request) {
        notes.add(Section::Request, facts.fallback);
    }
}

fn newest(items: Vec<String>, count: usize) -> impl Iterator<Item = String> {
    let older = items.len().saturating_sub(count);
    items.into_iter().skip(older)
}

/// Two or three sentences for a screen.
fn short(facts: Facts, asked: &LocalSummary<'_>, limit: u64) -> String {
    const SHOWN: usize = 140;
    let notes = carried::notes(asked.previous_summary.unwrap_or_default());
    let goal =
        notes.first(Section::Goal).or_else(|| notes.first(Section::Request)).or_else(|| notes.first(Section::Context));
    let goal = goal.map(str::to_owned).or_else(|| facts.requests.first().cloned());
    let latest = facts.requests.last().or(facts.unanswered.as_ref()).filter(|latest| Some(*latest) != goal.as_ref());
    let parts = [
        ("Goal: ", goal.as_deref()),
        ("Latest request: ", latest.map(String::as_str)),
        ("Last answer: ", facts.last_answer.as_deref()),
    ];
    let mut text = String::new();
    for (label, part) in parts {
        let Some(part) = part.and_then(opening) else { continue };
        let part = clip(part.trim_end_matches([':', '：']), SHOWN);
        let separator = if text.is_empty() { "" } else { " " };
        let end = if part.ends_with(['.', '!', '?', '…', '。', '？', '！', '؟', '।']) { "" } else { "." };
        let longer = format!("{text}{separator}{label}{part}{end}");
        if estimate_text(&longer, asked.rule) > limit && !text.is_empty() {
            break;
        }
        text = longer;
    }
    within(if text.is_empty() { "The session holds no text so far." } else { &text }, limit, asked.rule)
}

/// The first sentence of a text, and the second where the first is no more than a word or two.
fn opening(text: &str) -> Option<String> {
    let mut said = sentences(text);
    let first = said.next()?;
    let little = first.chars().map(|character| if character.is_ascii() { 1 } else { 3 }).sum::<usize>() < 16;
    match said.next().filter(|_| little) {
        Some(second) => Some(format!("{first} {second}")),
        None => Some(first),
    }
}

/// How a section is written.
struct Layout {
    section: Section,
    heading: &'static str,
    /// Its share of the room, in hundredths; what it does not use goes to those behind it in order.
    share: u64,
    /// Items at most.
    items: usize,
    /// Of these, how many of the oldest stay whatever comes.
    oldest: usize,
}

const fn layout(section: Section, heading: &'static str, share: u64, items: usize, oldest: usize) -> Layout {
    Layout { section, heading, share, items, oldest }
}

const HISTORY: [Layout; 8] = [
    layout(Section::Goal, "## Goal\n", 22, 10, 3),
    layout(Section::Constraints, "\n## Constraints & Preferences\n", 22, 16, 10),
    layout(Section::Done, "\n## Progress\n\n### Done\n", 16, 24, 2),
    layout(Section::InProgress, "\n### In Progress\n", 8, 3, 0),
    layout(Section::Blocked, "\n### Blocked\n", 8, 4, 0),
    layout(Section::Decisions, "\n## Key Decisions\n", 8, 10, 3),
    layout(Section::NextSteps, "\n## Next Steps\n", 8, 5, 0),
    layout(Section::Context, "\n## Critical Context\n", 8, 14, 6),
];

const TURN_PREFIX: [Layout; 3] = [
    layout(Section::Request, "## Request\n", 40, 6, 3),
    layout(Section::DoneSoFar, "\n## Done So Far\n", 35, 14, 1),
    layout(Section::NeededLater, "\n## Needed Later\n", 25, 8, 2),
];

const NONE: &str = "(none)\n";

impl Notes {
    /// Writes the sections with as many of their items as the room allows.
    fn write(&self, sections: &[Layout], limit: u64, asked: &LocalSummary<'_>) -> String {
        let skeleton: u64 =
            sections.iter().map(|layout| self.size(layout.heading, asked) + self.size(NONE, asked)).sum();
        let Some(room) = limit.checked_sub(skeleton).filter(|room| *room >= skeleton / 2) else {
            return self.in_a_line(sections, limit, asked);
        };
        let focus: Vec<String> = asked.custom_instructions.map(words).unwrap_or_default();
        let mut seen = Numbers::new();
        let mut left_over = 0;
        let mut out = String::new();
        for layout in sections {
            let share = room * layout.share / 100 + left_over;
            let chosen = self.choose(layout, share, &focus, &mut seen, asked);
            out.push_str(layout.heading);
            let mut used = 0;
            for item in &chosen {
                used += self.size(item, asked);
                out.push_str(item);
            }
            if chosen.is_empty() {
                out.push_str(NONE);
            }
            left_over = share.saturating_sub(used);
        }
        out.truncate(out.trim_end().len());
        // Shares keep to the limit but for what sizes of parts and of the whole differ by.
        within(&out, limit, asked.rule)
    }

    /// The lines of a section: of equal items the newest, in the order in which they were said.
    fn choose(
        &self,
        layout: &Layout,
        share: u64,
        focus: &[String],
        seen: &mut Numbers,
        asked: &LocalSummary<'_>,
    ) -> Vec<String> {
        const SHOWN: usize = 320;
        let all = self.items.iter().filter(|(section, _)| *section == layout.section).map(|(_, item)| item.as_str());
        let mut items: Vec<&str> = all.collect();
        // What is done may be done again: its newest state counts. Elsewhere the first wording does.
        let newest_counts = layout.section == Section::Done;
        if newest_counts {
            items.reverse();
        }
        items.retain(|item| seen.insert(key(item).into(), 0).is_none());
        if newest_counts {
            items.reverse();
        }
        let newest_first = (layout.oldest..items.len()).rev();
        let oldest = 0..layout.oldest.min(items.len());
        let in_focus = |index: &usize| {
            let item = items.get(*index).filter(|_| !focus.is_empty());
            item.is_some_and(|item| words(item).iter().any(|word| focus.contains(word)))
        };
        let (mut matching, mut other): (Vec<usize>, Vec<usize>) = newest_first.partition(in_focus);
        let mut order: Vec<usize> = oldest.collect();
        order.append(&mut matching);
        order.append(&mut other);
        let mut room = share;
        // In the order of the items.
        let mut chosen: Vec<(usize, String)> = Vec::new();
        for index in order {
            let Some(item) = items.get(index) else { continue };
            let place = chosen.partition_point(|(other, _)| *other < index);
            let line = format!("- {}\n", clip(item, SHOWN));
            let size = self.size(&line, asked);
            if size <= room {
                room -= size;
                chosen.insert(place, (index, line));
                if chosen.len() == layout.items {
                    break;
                }
            } else if chosen.is_empty() {
                // Better the start of the first item than nothing.
                let start = within(&line, room, asked.rule);
                if start.chars().count() > 8 {
                    chosen.push((index, format!("{}\n", start.trim_end())));
                }
                break;
            }
        }
        chosen.into_iter().map(|(_, line)| line).collect()
    }

    fn size(&self, text: &str, asked: &LocalSummary<'_>) -> u64 {
        estimate_text(text, asked.rule)
    }

    /// Where there is no room for headings: what matters most, in one line.
    fn in_a_line(&self, sections: &[Layout], limit: u64, asked: &LocalSummary<'_>) -> String {
        let mut line = String::from("Summary:");
        for layout in sections {
            for (_, item) in self.items.iter().filter(|(section, _)| *section == layout.section) {
                line.push(' ');
                line.push_str(&clip(item, 120));
                if line.len() > 4_000 {
                    break;
                }
            }
        }
        within(&line, limit, asked.rule)
    }
}

/// The longest start of a text that takes at most that many tokens, with `…` where it was cut.
fn within(text: &str, tokens: u64, rule: TokenRule) -> String {
    if estimate_text(text, rule) <= tokens {
        return text.to_owned();
    }
    let mut units = usize::try_from(tokens.saturating_mul(4)).unwrap_or(usize::MAX).min(text.len());
    while units > 1 {
        let cut = clip(text, units);
        if estimate_text(&cut, rule) <= tokens {
            return cut;
        }
        units = units * 3 / 4;
    }
    // Never nothing: an empty summary could not be stored.
    "…".to_owned()
}

/// What makes two items the same: their letters, or for a command all but its result.
fn key(item: &str) -> String {
    let command = item.strip_prefix("Ran `").and_then(|rest| rest.rsplit_once('`'));
    let text = command.map_or(item, |(command, _)| command);
    lower(&text.chars().filter(|character| character.is_alphanumeric()).collect::<String>())
        + if text.chars().any(char::is_alphanumeric) { "" } else { text }
}

/// A text on one line.
fn one_item(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
#[path = "local_tests.rs"]
mod tests;
