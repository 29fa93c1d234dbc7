//! A record that is too long for its summariser, summarised in parts: each with the summary so far.

use super::request::{Conversation, RequestKind, RequestOptions, SummaryRequest, build};
use crate::entry::Message;
use crate::error::{Error, ErrorCode};
use crate::llm::literals::CONTINUED;
use crate::llm::{escape_tags, serialize_conversation_with_starts, shorten, utf16_length};
use crate::tokens::{Margin, TokenRule, estimate_text};

/// The part of a summariser's window that a request and its answer leave free: one in so many. It is
/// for what the estimate misses, and for the reason that stands in a second attempt.
const LEFT_FREE: u64 = 10;
/// A window that leaves less than this for the record, in tokens, serves no part of it.
const SMALLEST_PART: u64 = 100;
/// No record is summarised in more parts than this.
const MOST_PARTS: u64 = 200;

/// The tokens that a request and its answer may take together in a window.
pub(crate) fn usable(context_window: u64) -> u64 {
    context_window - context_window.div_ceil(LEFT_FREE)
}

/// Why a summariser cannot serve a request at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NoRoom {
    /// What the whole request takes, its answer included, in tokens.
    pub(crate) needed: u64,
    /// The window, in tokens.
    pub(crate) context_window: u64,
    /// How far off `needed` may be.
    pub(crate) margin: Margin,
}

impl From<NoRoom> for Error {
    fn from(NoRoom { needed, context_window, margin }: NoRoom) -> Self {
        Self::new(
            ErrorCode::SummarizerFailed,
            format!(
                "the request takes {} tokens with its answer, and the model's window of {context_window} tokens \
                 is too small even for a part of it; hand in a model with a larger window",
                margin.of(needed)
            ),
        )
    }
}

/// A record on its way into a summary.
#[derive(Debug)]
pub(crate) struct Fold {
    /// The record as one text.
    text: String,
    /// Where it may be cut: at the start of each message that is no tool result.
    starts: Vec<usize>,
    /// How far it is summarised.
    done: usize,
    /// Where the part that is asked for ends.
    end: usize,
    /// The summary so far.
    so_far: Option<String>,
    /// How many parts are summarised.
    parts: u64,
}

impl Fold {
    /// A record of which nothing is summarised yet but what the previous summary covers.
    pub(crate) fn new<'m>(messages: impl IntoIterator<Item = &'m Message>, previous_summary: Option<&str>) -> Self {
        let (text, starts) = serialize_conversation_with_starts(messages);
        Self { text, starts, done: 0, end: 0, so_far: previous_summary.map(str::to_owned), parts: 0 }
    }

    /// The request for the next part: as much of the record as fits.
    pub(crate) fn request(
        &mut self,
        kind: RequestKind,
        context_window: Option<u64>,
        options: &RequestOptions<'_>,
    ) -> Result<SummaryRequest, NoRoom> {
        let build = |text| build(kind, Conversation::Text(text), self.so_far.as_deref(), options);
        let empty = build("");
        let taken = empty.prompt_tokens + empty.max_tokens;
        let rest = self.text.get(self.done..).unwrap_or_default();
        let capacity = match context_window {
            None => u64::MAX,
            Some(context_window) => {
                let size = estimate_text(rest, options.rule);
                let room = usable(context_window).saturating_sub(taken);
                if room < SMALLEST_PART || self.parts + size / room >= MOST_PARTS {
                    return Err(NoRoom { needed: taken + size, context_window, margin: options.rule.margin() });
                }
                room
            }
        };
        let end = self.part_end(capacity, options.rule);
        // A cut inside of a longer word may leave what looks like a tag.
        let part = escape_tags(self.text.get(self.done..end).unwrap_or_default().trim_start_matches('\n'));
        let begins_a_message = self.starts.binary_search(&self.done).is_ok();
        let mut request = if begins_a_message { build(&part) } else { build(&format!("{CONTINUED}{part}")) };
        if end < self.text.len() {
            request.kind = RequestKind::Fold;
            request.headings = &[];
        }
        self.end = end;
        Ok(request)
    }

    /// The size of what the summary of a part replaces, in tokens: that part and the summary so far. The
    /// last part has none: its summary stands for all of the record.
    pub(crate) fn replaced_tokens(&self, rule: TokenRule) -> Option<u64> {
        let size = |text: &str| estimate_text(text, rule);
        let part = self.text.get(self.done..self.end).filter(|_| self.end < self.text.len())?;
        Some(size(part) + self.so_far.as_deref().map_or(0, size))
    }

    /// Takes the summary of the part that was asked for. Gives it back where nothing is left.
    pub(crate) fn accept(&mut self, summary: String) -> Option<String> {
        self.done = self.end;
        self.parts += 1;
        if self.done >= self.text.len() {
            return Some(summary);
        }
        self.so_far = Some(summary);
        None
    }

    /// How many parts of about that size are left behind the one that is asked for.
    pub(crate) fn parts_left(&self) -> u32 {
        let part = self.end - self.done;
        let rest = self.text.len() - self.end;
        rest.div_ceil(part.max(1)) as u32
    }

    /// Where a part of at most `capacity` tokens ends: behind a whole message, else behind a line
    /// of one that alone is too long, else inside of a line.
    fn part_end(&self, capacity: u64, rule: TokenRule) -> usize {
        let ends = self.starts.iter().copied().filter(|&start| start > self.done).chain([self.text.len()]);
        let whole = self.last_that_fits(ends, capacity, rule);
        if whole > self.done {
            return whole;
        }
        let rest = self.text.get(self.done..).unwrap_or_default();
        let lines = rest.match_indices('\n').map(|(place, _)| self.done + place + 1).chain([self.text.len()]);
        // The blank line that a part may begin with is no line of it.
        let line = self.last_that_fits(lines, capacity, rule);
        if self.text.get(self.done..line).is_some_and(|part| !part.trim().is_empty()) {
            return line;
        }
        let line = rest.trim_start().lines().next().unwrap_or_default();
        let line = rest.get(..rest.len() - rest.trim_start().len() + line.len()).unwrap_or(rest);
        // What fits if the line is the same everywhere, and what fits in any case: no character
        // takes more than two tokens.
        let even = (utf16_length(line) as u64).saturating_mul(capacity) / estimate_text(line, rule).max(1);
        let kept = [even, capacity / 2].map(|length| shorten(line, length as usize).0);
        let fits = kept.iter().find(|kept| !kept.is_empty() && estimate_text(kept, rule) <= capacity);
        let first = || line.char_indices().nth(1).map_or(line.len(), |(place, _)| place);
        self.done + fits.map_or_else(first, |kept| kept.len())
    }

    /// The last of the ends, which ascend, up to which the text takes at most `capacity` tokens;
    /// where it begins if none does.
    fn last_that_fits(&self, ends: impl Iterator<Item = usize>, capacity: u64, rule: TokenRule) -> usize {
        let (mut fits, mut sum) = (self.done, 0);
        for end in ends {
            sum += estimate_text(self.text.get(fits..end).unwrap_or_default(), rule);
            if sum > capacity {
                break;
            }
            fits = end;
        }
        fits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::Content;

    const RULE: TokenRule = TokenRule::BY_SCRIPT;

    #[test]
    fn a_branch_in_parts_ends_with_the_request_for_it() {
        let messages: Vec<Message> =
            (0..40).map(|_| Message::User { content: Content::Text(crate::tokens::ONE_TOKEN.repeat(100)) }).collect();
        let options = RequestOptions { custom_instructions: Some("Mine."), ..RequestOptions::new(500, RULE) };
        let window = 4_000;
        let mut fold = Fold::new(&messages, None);
        let mut kinds = Vec::new();
        loop {
            let request = fold.request(RequestKind::Branch, Some(window), &options).unwrap();
            assert_eq!(request.max_tokens, RequestKind::Branch.max_tokens(500));
            assert!(request.prompt_tokens + request.max_tokens <= usable(window));
            assert!(request.prompt.contains("\n\nMine."), "{}", request.prompt);
            kinds.push(request.kind);
            if fold.accept("Notes".to_owned()).is_some() {
                break;
            }
        }
        let (last, parts) = kinds.split_last().unwrap();
        assert!(*last == RequestKind::Branch && parts.len() > 1, "{kinds:?}");
        assert!(parts.iter().all(|kind| *kind == RequestKind::Fold), "{kinds:?}");
    }

    #[test]
    fn there_are_never_more_parts_than_allowed_however_the_notes_grow() {
        let message = Message::User { content: Content::Text(crate::tokens::ONE_TOKEN.repeat(75_000)) };
        let options = RequestOptions::new(500, RULE);
        let window = 3_000;
        let mut fold = Fold::new([&message], Some("Notes"));
        let mut parts = 0;
        while let Ok(request) = fold.request(RequestKind::History, Some(window), &options) {
            parts += 1;
            // Notes that leave hardly enough for the next part.
            let rest = estimate_text(&fold.text[fold.end..], RULE);
            let free = usable(window) - (request.prompt_tokens + request.max_tokens).min(usable(window));
            let part = estimate_text(&fold.text[fold.done..fold.end], RULE);
            let so_far = fold.so_far.as_deref().map_or(0, |notes| estimate_text(notes, RULE));
            let notes = (so_far + part + free).saturating_sub(rest / 198 + 20);
            assert_eq!(fold.accept(crate::tokens::ONE_TOKEN.repeat(notes as usize)), None, "after {parts} parts");
        }
        assert!((2..=MOST_PARTS).contains(&parts), "{parts} parts");
    }
}
