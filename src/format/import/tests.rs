//! Small transcripts of each format, and what becomes of them.

use super::*;
use crate::entry::{Block, Content, Entry, EntryKind, Message};
use crate::session::{Index, Preset, Session, SessionCounts};

mod arrays;
mod chatgpt;
mod claude_code;
mod codex;

/// What an import gives, loaded; it loads without a fault, and gives the same a second time.
fn import(file: &str, format: Option<&str>) -> (Session, ImportReport) {
    let imported = import_transcript(file.as_bytes(), format).unwrap();
    assert_eq!(import_transcript(file.as_bytes(), format).unwrap(), imported);
    let session = Session::from_jsonl(imported.jsonl.unwrap().into_bytes(), Preset::Safe, 1).unwrap();
    assert_eq!(session.diagnostics(), []);
    (session, imported.report)
}

/// Every message of a view in a line: who speaks, and what.
fn view(session: &Session) -> Vec<String> {
    let context = session.build_session_context(session.leaf());
    context.messages.iter().map(|message| told(&session.context_message(*message).unwrap())).collect()
}

fn told(message: &Message) -> String {
    match message {
        Message::User { content } => format!("user: {}", content_told(content)),
        Message::Custom { content } => format!("custom: {}", content_told(content)),
        Message::ToolResult(result) => {
            let mark = if result.is_error { "error" } else { "result" };
            format!("{mark} {} {}: {}", result.tool_call_id, result.tool_name, content_told(&result.content))
        }
        Message::Assistant(answer) => format!("assistant: {}", blocks_told(&answer.content)),
        Message::CompactionSummary { summary } => format!("summary: {summary}"),
        other => format!("{other:?}"),
    }
}

fn content_told(content: &Content) -> String {
    match content {
        Content::Text(text) => text.clone(),
        Content::Blocks(blocks) => blocks_told(blocks),
    }
}

fn blocks_told(blocks: &[Block]) -> String {
    let told = |block: &Block| match block {
        Block::Text(text) => text.clone(),
        Block::Thinking(thinking) => format!("({})", thinking.text),
        Block::ToolCall(call) => format!("{} {}{}", call.id, call.name, call.arguments),
        Block::Image(image) => format!("<{} {}>", image.mime_type, image.data_length),
        Block::Attachment(attachment) => format!("<{:?} {}>", attachment.kind, attachment.data_length),
        Block::Unknown => "?".to_owned(),
    };
    blocks.iter().map(told).collect::<Vec<_>>().join(" | ")
}

fn entry<'s>(session: &'s Session, id: &str) -> &'s Entry {
    session.entry(session.index_of(id).unwrap()).unwrap()
}

/// The JSON of an entry.
fn json(session: &Session, id: &str) -> serde_json::Value {
    serde_json::from_str(&session.entry_json(session.index_of(id).unwrap()).unwrap()).unwrap()
}

/// What was kept as custom entries, as `type count`.
fn kept(report: &ImportReport) -> Vec<String> {
    report.custom.iter().map(|kept| format!("{} {}", kept.kind, kept.count)).collect()
}

fn faults(report: &ImportReport) -> Vec<(Option<u32>, &'static str)> {
    report.diagnostics.iter().map(|fault| (fault.line, fault.kind.as_str())).collect()
}

fn counts(session: &Session) -> [u32; 6] {
    let SessionCounts { messages, calls, results, branches, compactions, images } = session.counts();
    [messages, calls, results, branches, compactions, images]
}

fn roots(session: &Session) -> usize {
    (0..session.len() as Index).filter(|index| session.parent(*index).is_none()).count()
}

#[test]
fn a_report_is_told_in_json() {
    let (_, report) = import("{\"uuid\":\"a\",\"parentUuid\":\"b\",\"type\":\"mode\"}\n{", None);
    let json: serde_json::Value = serde_json::from_str(&report.to_json()).unwrap();
    assert_eq!(json["format"], "claude-code");
    assert_eq!(json["custom"], serde_json::json!({"mode": 1, "unreadable": 1}));
    assert_eq!(
        (&json["diagnostics"][1]["line"], &json["diagnostics"][1]["kind"]),
        (&2.into(), &"malformed-line".into())
    );
}

#[test]
fn what_is_of_no_format_says_what_was_seen_and_what_is_known() {
    let refuse = |file: &str, format| import_transcript(file.as_bytes(), format).unwrap_err();
    for (file, seen) in [
        ("", "nothing"),
        ("no json", "no JSON object"),
        ("{\"tree\":1,\"state\":2}\n{\"tree\":2}", "lines of objects, the first with the keys tree, state"),
        ("{\n  \"span\": {\n  }\n}", "the first with the keys span"),
        ("[1,2]", "no JSON object"),
    ] {
        let error = refuse(file, None);
        assert_eq!(error.code, ErrorCode::UnsupportedFormat, "{file}");
        assert!(error.message.contains(seen) && error.message.contains("claude-code, codex, chatgpt"), "{error}");
    }
    assert_eq!(refuse("{}", Some("word")).code, ErrorCode::UnsupportedFormat);
    assert_eq!(refuse("[{\"mapping\":{}}]", Some("codex")).code, ErrorCode::UnsupportedFormat);
    assert_eq!(refuse(r#"[{"role":"user","content":"Hi"}]"#, None).code, ErrorCode::AmbiguousFormat);
}
