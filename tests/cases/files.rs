//! Files that are damaged, and files that only look so.

use crate::Fault;
use crate::case::Case;
use crate::story::marks;
use crate::support::{id, load};
use threadfold::entry::{Content, EntryKind, Message};
use threadfold::session::{DiagnosticKind, Session};

pub(crate) const FAULTS: &[Fault] = &[
    Fault {
        case: "17",
        kind: "damage at the very start of a file, which hides what kind of file it is, must cost that line alone",
        case_holds: broken_header,
        another_holds: no_header_at_all,
    },
    Fault {
        case: "37",
        kind: "a write that was cut short takes no other record with it",
        case_holds: torn_record_before_a_whole_one,
        another_holds: two_torn_records_before_a_whole_one,
    },
    Fault {
        case: "38",
        kind: "what some language takes for a line end is text inside a string",
        case_holds: line_separators,
        another_holds: every_other_separator,
    },
    Fault {
        case: "39",
        kind: "what cannot be read ends nothing that comes behind it",
        case_holds: malformed_line,
        another_holds: many_malformed_lines,
    },
];

/// What was reported: kind and line.
fn reported(session: &Session) -> Vec<(DiagnosticKind, Option<u32>)> {
    session.diagnostics().iter().map(|found| (found.kind, found.line)).collect()
}

/// The marks on the path to the leaf.
fn path(session: &Session) -> Vec<String> {
    marks(session, &session.path(session.leaf()))
}

fn user(id: &str, parent: &str, text: &str) -> String {
    format!(
        r#"{{"type":"message","id":"{id}","parentId":{parent},"timestamp":"t","message":{{"role":"user","content":"{text}"}}}}"#
    )
}

const HEADER: &str = r#"{"type":"session","version":3,"id":"s","timestamp":"t","cwd":"/"}"#;

fn broken_header(case: Case) {
    let kinds: Vec<DiagnosticKind> = case.session.diagnostics().iter().map(|found| found.kind).collect();
    assert_eq!(kinds, [DiagnosticKind::MalformedLine, DiagnosticKind::MissingHeader]);
    assert_eq!(path(&case.session), ["recover-me", "a1"]);
    let raw = case.input["rawText"].as_str().unwrap();
    assert!(
        case.session.to_jsonl().starts_with(raw.lines().next().unwrap().as_bytes()),
        "the bytes of the header stay"
    );
}

fn no_header_at_all() {
    for lost in ["", "\0\0\0\0\n", "\u{feff}not a session\n", "{\"type\":\"session\",\"version\":3\n"] {
        let file = format!("{lost}{}\n{}\n", user("a", "null", "MARK-one"), user("b", "\"a\"", "MARK-two"));
        let session = load(file.clone());
        assert_eq!(path(&session), ["one", "two"], "{lost:?}");
        assert!(reported(&session).iter().any(|&(kind, _)| kind == DiagnosticKind::MissingHeader), "{lost:?}");
        assert_eq!(String::from_utf8(session.to_jsonl()).unwrap(), file);
    }
}

fn torn_record_before_a_whole_one(case: Case) {
    let path = path(&case.session);
    assert!(path.ends_with(&["u2".to_owned(), "a2".to_owned()]), "{path:?}");
    // The lost record can still be named, so the path goes on through it to what lies before.
    assert_eq!(path.first().map(String::as_str), Some("u1"));
    let lost = reported(&case.session);
    assert!(lost.iter().any(|&(_, line)| line == Some(3)), "{lost:?}");
}

fn two_torn_records_before_a_whole_one() {
    let torn = user("b", "\"a\"", "MARK-lost");
    let again = user("c", "\"b\"", "MARK-lost");
    let file = format!(
        "{HEADER}\n{}\n{}{}{}\n{}\n",
        user("a", "null", "MARK-one"),
        &torn[..torn.len() - 9],
        &again[..60],
        user("d", "\"b\"", "MARK-three"),
        user("e", "\"d\"", "MARK-four"),
    );
    let session = load(file.clone());
    let found = path(&session);
    assert!(found.ends_with(&["three".to_owned(), "four".to_owned()]), "{found:?}");
    assert!(reported(&session).iter().any(|&(_, line)| line == Some(3)));
    assert_eq!(String::from_utf8(session.to_jsonl()).unwrap(), file);
}

/// The text of a user's message.
fn text(session: &Session, index: u32) -> String {
    match &session.entry(index).unwrap().kind {
        EntryKind::Message(Message::User { content }) => match content {
            Content::Text(text) => text.clone(),
            blocks @ Content::Blocks(_) => blocks.texts().collect(),
        },
        other => panic!("{other:?}"),
    }
}

fn line_separators(case: Case) {
    assert_eq!((case.session.len(), reported(&case.session)), (2, vec![]));
    let read = text(&case.session, 0);
    assert!(read.contains('\u{2028}') && read.contains('\u{2029}'), "{read:?}");
    let again = load(case.session.to_jsonl());
    assert_eq!((again.len(), text(&again, 0)), (2, read));
}

fn every_other_separator() {
    // Vertical tab and form feed may stand in a string only as escapes.
    let odd = "next\u{85}line\u{2028}\u{2029}nul\\u0000 \\u000b\\u000c\u{7f}\u{200b}end";
    let file = format!("{HEADER}\r\n{}\r\n{}\n", user("a", "null", odd), user("b", "\"a\"", "MARK-two"));
    let session = load(file.clone());
    assert_eq!((session.len(), reported(&session)), (2, vec![]));
    assert_eq!(text(&session, 0), "next\u{85}line\u{2028}\u{2029}nul\0 \u{b}\u{c}\u{7f}\u{200b}end");
    assert_eq!(String::from_utf8(session.to_jsonl()).unwrap(), file);
}

fn malformed_line(case: Case) {
    assert_eq!(path(&case.session), ["u0", "a0", "u1", "a1", "u2", "a2"]);
    let raw = case.input["rawText"].as_str().unwrap();
    let is_record = |line: &str| serde_json::from_str::<serde_json::Value>(line).is_ok();
    let bad = raw.lines().position(|line| !is_record(line)).unwrap() as u32 + 1;
    assert_eq!(reported(&case.session), [(DiagnosticKind::MalformedLine, Some(bad))]);
}

fn many_malformed_lines() {
    let mut file = format!("{HEADER}\n");
    let mut parent = "null".to_owned();
    let mut bad = Vec::new();
    for (number, junk) in ["[]", "42", "<<<<<<< HEAD", "{\"a\":", "null", "\"text\""].iter().enumerate() {
        file.push_str(&format!("{junk}\n{}\n", user(&format!("e{number}"), &parent, &format!("MARK-{number}"))));
        parent = format!("\"e{number}\"");
        bad.push(2 + 2 * number as u32);
    }
    let session = load(file.clone());
    assert_eq!(path(&session), ["0", "1", "2", "3", "4", "5"]);
    let lines: Vec<u32> = reported(&session).into_iter().filter_map(|(_, line)| line).collect();
    assert_eq!(lines, bad);
    assert_eq!(session.leaf().map(|leaf| id(&session, leaf)), Some("e5"));
    assert_eq!(String::from_utf8(session.to_jsonl()).unwrap(), file);
}
