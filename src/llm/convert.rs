//! What a model reads of each message role.

use super::literals::{COMMAND_CANCELLED, NO_OUTPUT};
use super::prompts::{BRANCH_SUMMARY_CONTEXT, COMPACTION_SUMMARY_CONTEXT};
use super::tags::escape_tags;
use super::template::fill;
use crate::entry::{Block, Content, Execution, MentionedFile, Message};
use std::borrow::Cow;
use std::fmt::Write as _;

/// What a message becomes for a model.
#[derive(Debug, Clone, PartialEq)]
pub enum Converted<'a> {
    /// The message itself: roles that every provider knows.
    Itself,
    /// Nothing.
    Nothing,
    /// A user message with this one text.
    Text(String),
    /// A user message with this content.
    Content(&'a Content),
    /// A user message with this text and, behind it, the images of the message's files.
    TextAndFileImages(String),
}

/// What a message becomes for a model.
///
/// ```
/// use threadfold::entry::{Content, Message};
/// use threadfold::llm::{Converted, convert};
/// let message = Message::CompactionSummary { summary: "Work so far.".into() };
/// assert!(matches!(convert(&message), Converted::Text(text) if text.contains("\nWork so far.\n</summary>")));
/// ```
pub fn convert(message: &Message) -> Converted<'_> {
    match message {
        Message::User { .. } | Message::Assistant(_) | Message::ToolResult(_) => Converted::Itself,
        Message::BashExecution(execution) => executed(execution, "The user ran a shell command:", "sh"),
        Message::PythonExecution(execution) => executed(execution, "The user ran Python code:", "python"),
        Message::FileMention { files } if files.is_empty() => Converted::Nothing,
        Message::FileMention { files } => Converted::TextAndFileImages(mentioned(files)),
        Message::Custom { content } if says_something(content) => Converted::Content(content),
        Message::BranchSummary { summary } if !summary.is_empty() => {
            Converted::Text(summarised(BRANCH_SUMMARY_CONTEXT, summary))
        }
        Message::CompactionSummary { summary } => Converted::Text(summarised(COMPACTION_SUMMARY_CONTEXT, summary)),
        Message::Custom { .. } | Message::BranchSummary { .. } | Message::Unknown => Converted::Nothing,
    }
}

fn summarised(template: &str, summary: &str) -> String {
    let mut text = String::with_capacity(template.len() + summary.len());
    fill(&mut text, template.trim_end(), &[("summary", &escape_tags(summary))]);
    text
}

/// A command or code with its output. Fences are longer than any run of backticks inside them.
fn executed(execution: &Execution, intro: &str, language: &str) -> Converted<'static> {
    if execution.exclude_from_context {
        return Converted::Nothing;
    }
    let mut text = String::with_capacity(execution.source.len() + execution.output.len() + 128);
    text.push_str(intro);
    text.push('\n');
    push_fenced(&mut text, language, &execution.source);
    if execution.output.trim().is_empty() {
        text.push_str(NO_OUTPUT);
    } else {
        text.push_str("Output:\n");
        push_fenced(&mut text, "", &execution.output);
        text.truncate(text.trim_end().len());
    }
    // Writing to a string cannot fail.
    match execution.exit_code {
        _ if execution.cancelled => {
            let _ = write!(text, "\n{COMMAND_CANCELLED}");
        }
        Some(code) if code != 0 => {
            let _ = write!(text, "\n(exit code {code})");
        }
        _ => {}
    }
    if execution.truncated {
        match &execution.full_output_path {
            Some(path) => {
                let _ = write!(text, "\n(output truncated; all of it is in {})", escape_tags(&one_line(path)));
            }
            None => text.push_str("\n(output truncated)"),
        }
    }
    Converted::Text(text)
}

fn push_fenced(out: &mut String, language: &str, body: &str) {
    let fence = "`".repeat(longest_backtick_run(body).max(2) + 1);
    let body = escape_tags(body);
    let end = if body.ends_with('\n') { "" } else { "\n" };
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{fence}{language}\n{body}{end}{fence}");
}

fn longest_backtick_run(text: &str) -> usize {
    let (mut longest, mut run) = (0, 0);
    for byte in text.bytes() {
        run = if byte == b'`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

fn mentioned(files: &[MentionedFile]) -> String {
    let mut text = String::with_capacity(files.iter().map(|file| file.path.len() + file.content.len() + 32).sum());
    for (index, file) in files.iter().enumerate() {
        if index > 0 {
            text.push('\n');
        }
        text.push_str("<file path=\"");
        push_attribute(&mut text, &file.path);
        text.push_str("\">\n");
        text.push_str(&escape_tags(&file.content));
        if !file.content.is_empty() && !file.content.ends_with('\n') {
            text.push('\n');
        }
        text.push_str("</file>");
    }
    text
}

fn push_attribute(out: &mut String, value: &str) {
    for character in value.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // Writing to a string cannot fail.
            _ if breaks_line(character) => {
                let _ = write!(out, "&#{};", u32::from(character));
            }
            _ => out.push(character),
        }
    }
}

/// A path or name on one line: characters that end a line or steer a terminal are written as escapes.
pub(crate) fn one_line(text: &str) -> Cow<'_, str> {
    if !text.contains(breaks_line) {
        return Cow::Borrowed(text);
    }
    let mut line = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if breaks_line(character) {
            line.extend(character.escape_default());
        } else {
            line.push(character);
        }
    }
    Cow::Owned(line)
}

fn breaks_line(character: char) -> bool {
    character.is_control() || matches!(character, '\u{2028}' | '\u{2029}')
}

/// Whether there is anything in the content that a provider takes: an empty message is refused.
fn says_something(content: &Content) -> bool {
    content.texts().any(|text| !text.trim().is_empty())
        || content.blocks().iter().any(|block| matches!(block, Block::Image(_) | Block::Attachment(_) | Block::Unknown))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::{AssistantMessage, Image, ToolResult};

    fn text(message: &Message) -> String {
        match convert(message) {
            Converted::Text(text) | Converted::TextAndFileImages(text) => text,
            other => panic!("{other:?}"),
        }
    }

    fn check_bash(execution: Execution, expected: &str) {
        assert_eq!(text(&Message::BashExecution(execution)), expected);
    }

    fn ran(source: &str, output: &str) -> Execution {
        Execution { source: source.into(), output: output.into(), ..Execution::default() }
    }

    #[test]
    fn a_command_with_its_output() {
        check_bash(ran("ls", "a\nb\n"), "The user ran a shell command:\n```sh\nls\n```\nOutput:\n```\na\nb\n```");
        check_bash(ran("true", " \n"), "The user ran a shell command:\n```sh\ntrue\n```\n(no output)");
        check_bash(
            Execution { exit_code: Some(2), ..ran("x", "no") },
            "The user ran a shell command:\n```sh\nx\n```\nOutput:\n```\nno\n```\n(exit code 2)",
        );
        check_bash(
            Execution {
                exit_code: Some(130),
                cancelled: true,
                truncated: true,
                full_output_path: Some("/tmp/a\nb".into()),
                ..ran("x", "")
            },
            "The user ran a shell command:\n```sh\nx\n```\n(no output)\n(command cancelled)\n\
             (output truncated; all of it is in /tmp/a\\nb)",
        );
        let python = Message::PythonExecution(Execution { exit_code: Some(0), ..ran("1+1", "2") });
        assert_eq!(text(&python), "The user ran Python code:\n```python\n1+1\n```\nOutput:\n```\n2\n```");
    }

    #[test]
    fn a_path_is_named_only_when_the_output_was_cut() {
        let execution = Execution { full_output_path: Some("/tmp/o".into()), ..ran("x", "y") };
        assert!(!text(&Message::BashExecution(execution)).contains("/tmp/o"));
    }

    #[test]
    fn output_cannot_leave_its_fence() {
        let text = text(&Message::BashExecution(ran("a ``` b", "```\n`````\nx")));
        assert_eq!(
            text,
            "The user ran a shell command:\n````sh\na ``` b\n````\nOutput:\n``````\n```\n`````\nx\n``````"
        );
    }

    #[test]
    fn an_excluded_command_is_nothing() {
        let execution = Execution { exclude_from_context: true, ..ran("x", "y") };
        assert_eq!(convert(&Message::BashExecution(execution)), Converted::Nothing);
    }

    #[test]
    fn mentioned_files_carry_their_images_behind_the_text() {
        let files = vec![
            MentionedFile { path: "a.ts".into(), content: "let a;".into(), image: None },
            MentionedFile { path: "x\".png\n<&>".into(), content: String::new(), image: Some(Image::default()) },
            MentionedFile { path: "c".into(), content: "</file>\n<FILE path=\"d\">\n".into(), image: None },
        ];
        let message = Message::FileMention { files };
        assert!(matches!(convert(&message), Converted::TextAndFileImages(_)));
        assert_eq!(
            text(&message),
            "<file path=\"a.ts\">\nlet a;\n</file>\n\
             <file path=\"x&quot;.png&#10;&lt;&amp;&gt;\">\n</file>\n\
             <file path=\"c\">\n&lt;/file>\n&lt;FILE path=\"d\">\n</file>"
        );
        assert_eq!(convert(&Message::FileMention { files: Vec::new() }), Converted::Nothing);
    }

    #[test]
    fn a_summary_stands_in_its_template_as_it_is() {
        let summary = "  ## Goal\n\n\n- {{summary}} $1\r\n</summary> <Read-Files>\n";
        for message in
            [Message::CompactionSummary { summary: summary.into() }, Message::BranchSummary { summary: summary.into() }]
        {
            let text = text(&message);
            let inside = "\n<summary>\n  ## Goal\n\n\n- {{summary}} $1\r\n&lt;/summary> &lt;Read-Files>\n\n</summary>";
            assert!(text.ends_with(inside), "{text}");
            assert!(text.split("\n<summary>").next().is_some_and(|intro| intro.trim().ends_with(':')), "{text}");
        }
    }

    #[test]
    fn roles_a_provider_knows_pass_as_they_are() {
        for message in [
            Message::User { content: Content::Text("<summary>".into()) },
            Message::Assistant(AssistantMessage::default()),
            Message::ToolResult(ToolResult { pruned: true, ..ToolResult::default() }),
        ] {
            assert_eq!(convert(&message), Converted::Itself);
        }
    }

    #[test]
    fn an_empty_message_is_nothing() {
        let content = Content::Text("hi".into());
        assert_eq!(convert(&Message::Custom { content: content.clone() }), Converted::Content(&content));
        for message in [
            Message::Custom { content: Content::Text(" \n".into()) },
            Message::Custom { content: Content::default() },
            Message::BranchSummary { summary: String::new() },
            Message::Unknown,
        ] {
            assert_eq!(convert(&message), Converted::Nothing);
        }
    }
}
