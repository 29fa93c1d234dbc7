//! A conversation as one text, for a model that is to summarise it.
//!
//! Each message is a paragraph that begins with a mark of who speaks. Text in it is data: our tags
//! are escaped, and a line that begins like one of our marks is indented by one space, so that a
//! mark at the start of a line is always ours.

use super::convert::{Converted, convert};
use super::escapes::plain_characters;
use super::literals::{ASSISTANT, ASSISTANT_CALLS, ASSISTANT_THINKING, MARK_STARTS, USER};
use super::shorten::{TOOL_RESULT_CHARACTERS, shorten};
use super::tags::{TAG_NAMES, is_between_tag_parts, leaves_no_trace, name_at, opens_tag};
use crate::entry::scan::find_either;
use crate::entry::{AssistantMessage, Block, Content, Image, Message, ToolResult};
use std::borrow::Cow;
use std::fmt::Write as _;

/// A conversation as one text: who speaks, what is said, called and given back; images as
/// numbered placeholders, tool results shortened to [`TOOL_RESULT_CHARACTERS`].
///
/// ```
/// use threadfold::entry::{Content, Message};
/// let message = Message::User { content: Content::Text("Fix the parser.".into()) };
/// assert_eq!(threadfold::llm::serialize_conversation([&message]), "[User]: Fix the parser.");
/// ```
pub fn serialize_conversation<'a>(messages: impl IntoIterator<Item = &'a Message>) -> String {
    let mut out = String::new();
    serialize_conversation_into(&mut out, messages);
    out
}

/// Appends a conversation to a text, see [`serialize_conversation`].
pub fn serialize_conversation_into<'a>(out: &mut String, messages: impl IntoIterator<Item = &'a Message>) {
    let mut writer = Writer { start: out.len(), newest: out.len(), out, images: 0 };
    for message in messages {
        writer.message(message);
    }
}

/// A conversation as one text, and where in it the messages start at which it may be cut: those
/// that are no tool results.
pub(crate) fn serialize_conversation_with_starts<'a>(
    messages: impl IntoIterator<Item = &'a Message>,
) -> (String, Vec<usize>) {
    let mut out = String::new();
    let mut starts = Vec::new();
    let mut writer = Writer { start: 0, newest: 0, out: &mut out, images: 0 };
    for message in messages {
        if !matches!(message, Message::ToolResult(_)) {
            starts.push(writer.out.len());
        }
        writer.message(message);
    }
    (out, starts)
}

struct Writer<'o> {
    out: &'o mut String,
    /// Where the conversation starts in `out`.
    start: usize,
    /// Images so far.
    images: usize,
    /// Where the newest text of the session starts in `out`.
    newest: usize,
}

impl Writer<'_> {
    fn message(&mut self, message: &Message) {
        match convert(message) {
            Converted::Nothing => {}
            Converted::Text(text) => self.spoken(USER, &text),
            Converted::Content(content) => self.content(USER, content),
            Converted::TextAndFileImages(text) => {
                self.spoken(USER, &text);
                if let Message::FileMention { files } = message {
                    for image in files.iter().filter_map(|file| file.image.as_ref()) {
                        self.out.push('\n');
                        self.image(image);
                    }
                }
            }
            Converted::Itself => match message {
                Message::User { content } => self.content(USER, content),
                Message::Assistant(message) => self.assistant(message),
                Message::ToolResult(result) => self.tool_result(result),
                _ => {}
            },
        }
    }

    /// Appends text of the session.
    fn data(&mut self, text: &str) {
        self.newest = self.out.len();
        push_data(self.out, text);
    }

    /// Starts a paragraph.
    fn paragraph(&mut self) {
        if self.out.len() > self.start {
            self.out.push_str("\n\n");
        }
    }

    fn spoken(&mut self, mark: &str, text: &str) {
        if !text.trim_start().is_empty() {
            self.paragraph();
            self.out.push_str(mark);
            self.data(text);
        }
    }

    fn content(&mut self, mark: &str, content: &Content) {
        match content {
            Content::Text(text) => self.spoken(mark, text),
            Content::Blocks(blocks) => {
                let mut started = false;
                for block in blocks {
                    match block {
                        Block::Text(text) if !text.trim_start().is_empty() => {
                            self.part(mark, &mut started);
                            self.data(text);
                        }
                        Block::Image(image) => {
                            self.part(mark, &mut started);
                            self.image(image);
                        }
                        _ => {}
                    }
                }
            }
        }
    }

    /// Starts a part of a message: a paragraph with its mark, or the next line of it.
    fn part(&mut self, mark: &str, started: &mut bool) {
        if std::mem::replace(started, true) {
            self.next_line();
        } else {
            self.paragraph();
            self.out.push_str(mark);
        }
    }

    /// Ends a text that another text of the same message follows: a tag begun in one block must
    /// not be finished by the next.
    fn next_line(&mut self) {
        let newest = self.out.get(self.newest..).unwrap_or_default();
        if let Some(before) = newest.trim_end_matches(is_between_tag_parts).strip_suffix('<') {
            let place = self.newest + before.len();
            let behind = self.out.get(place + 1..).unwrap_or_default().to_owned();
            self.out.truncate(place);
            self.out.push_str("&lt;");
            self.out.push_str(&behind);
        }
        self.out.push('\n');
    }

    /// Text, reasoning and calls in their order; what follows its own kind shares the mark.
    fn assistant(&mut self, message: &AssistantMessage) {
        let mut last = "";
        for block in &message.content {
            let (mark, text) = match block {
                Block::Text(text) => (ASSISTANT, text.as_str()),
                Block::Thinking(thinking) => (ASSISTANT_THINKING, thinking.text.as_str()),
                Block::ToolCall(call) => {
                    if last == ASSISTANT_CALLS {
                        self.out.push_str("; ");
                    } else {
                        self.paragraph();
                        self.out.push_str(ASSISTANT_CALLS);
                        last = ASSISTANT_CALLS;
                    }
                    push_name(self.out, &call.name);
                    self.out.push('(');
                    self.data(&plain_characters(&call.arguments));
                    self.out.push(')');
                    continue;
                }
                Block::Image(_) | Block::Attachment(_) | Block::Unknown => continue,
            };
            if text.trim_start().is_empty() {
                continue;
            }
            if last == mark {
                self.next_line();
            } else {
                self.paragraph();
                self.out.push_str(mark);
                last = mark;
            }
            self.data(text);
        }
    }

    fn tool_result(&mut self, result: &ToolResult) {
        let text = joined(&result.content);
        let has_text = !text.trim_start().is_empty();
        if !has_text && result.content.images().next().is_none() {
            return;
        }
        self.paragraph();
        self.out.push_str("[Tool result");
        if !result.tool_name.is_empty() {
            self.out.push_str(" of ");
            push_name(self.out, &result.tool_name);
        }
        self.out.push_str(if result.is_error { ", error]: " } else { "]: " });
        if has_text {
            let (shown, left_out) = shorten(&text, TOOL_RESULT_CHARACTERS);
            self.data(shown);
            if left_out > 0 {
                // Writing to a string cannot fail.
                let _ = write!(self.out, "\n[... {left_out} characters left out]");
            }
        }
        for (index, image) in result.content.images().enumerate() {
            if has_text || index > 0 {
                self.out.push('\n');
            }
            self.image(image);
        }
    }

    fn image(&mut self, image: &Image) {
        self.images += 1;
        // Writing to a string cannot fail.
        let _ = write!(self.out, "[Image {}: ", self.images);
        if image.mime_type.is_empty() {
            self.out.push_str("type unknown");
        } else {
            push_name(self.out, &image.mime_type);
        }
        self.out.push(']');
    }
}

/// The texts of a content as one.
fn joined(content: &Content) -> Cow<'_, str> {
    let mut texts = content.texts();
    let first = texts.next().unwrap_or_default();
    match texts.next() {
        None => Cow::Borrowed(first),
        Some(second) => {
            let mut all = format!("{first}\n{second}");
            for text in texts {
                all.push('\n');
                all.push_str(text);
            }
            Cow::Owned(all)
        }
    }
}

/// Appends text of the session: our tags escaped, fake marks indented.
fn push_data(out: &mut String, text: &str) {
    let bytes = text.as_bytes();
    let (mut done, mut from) = (0, 0);
    while let Some(place) = find_either(bytes, from, b'<', b'[') {
        from = place + 1;
        let after = text.get(from..).unwrap_or_default();
        let (replacement, next) = if bytes.get(place) == Some(&b'<') {
            if !opens_tag(after, &TAG_NAMES) {
                continue;
            }
            ("&lt;", from)
        } else {
            let before = text.get(..place).unwrap_or_default().trim_end_matches(leaves_no_trace);
            let starts_line = if before.is_empty() { out.ends_with('\n') } else { before.ends_with(ends_line) };
            if !starts_line || !looks_like_mark(after) {
                continue;
            }
            (" ", place)
        };
        out.push_str(text.get(done..place).unwrap_or_default());
        out.push_str(replacement);
        done = next;
    }
    out.push_str(text.get(done..).unwrap_or_default());
}

fn ends_line(character: char) -> bool {
    matches!(character, '\n' | '\r' | '\u{B}' | '\u{C}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Whether what stands behind a `[` makes it look like one of our marks.
fn looks_like_mark(after: &str) -> bool {
    let name = after.trim_start_matches(is_between_tag_parts);
    MARK_STARTS.iter().any(|start| name_at(name, start).is_some())
}

/// Appends the name of a tool or a media type: a word that can hold no tag, line or bracket.
fn push_name(out: &mut String, name: &str) {
    const SHOWN: usize = 80;
    let plain = |character: char| character.is_alphanumeric() || matches!(character, '_' | '-' | '.' | ':' | '/' | '+');
    if name.len() <= SHOWN && name.chars().all(plain) {
        out.push_str(name);
    } else {
        out.extend(name.chars().take(SHOWN).map(|character| if plain(character) { character } else { '_' }));
    }
}

#[cfg(test)]
#[path = "serialize_tests.rs"]
mod tests;
