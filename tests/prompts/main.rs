//! What the text of a session can do to a prompt: nothing. Hostile texts stand in every place that a
//! session has for a text; in each request and each converted view our tags and our marks of who
//! speaks stand exactly where they stand around harmless texts, counted and in order.

// A test may panic: that is how it fails.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

#[path = "../support/mod.rs"]
mod support;

mod corpus;
mod skeleton;

use corpus::corpus;
use serde_json::{Value, json};
use skeleton::skeleton;
use support::{load, options, run, settings};
use threadfold::compaction::{RunOptions, Status};
use threadfold::entry::{FileLists, Message};
use threadfold::llm::{Converted, convert, serialize_conversation};
use threadfold::session::Session;
use threadfold::step::Reply;
use threadfold::summary::Candidate;
use threadfold::summary::{
    self, Refusal, RequestOptions, SummaryRequest, branch_request, compose_branch_summary, history_request,
    short_request, turn_prefix_request,
};
use threadfold::tokens::TokenRule;

const RULE: TokenRule = TokenRule::BY_SCRIPT;

/// A session in which the texts stand wherever a text can stand.
fn session(front: &str, behind: &str) -> Session {
    let image = json!({"type": "image", "data": "iVBORw0KGgo=", "mimeType": behind});
    let text = |text: &str| json!({"type": "text", "text": text});
    let call =
        json!({"type": "toolCall", "id": "c", "name": front, "arguments": {"path": front, behind: [front, behind]}});
    let read = json!({"type": "toolCall", "id": "d", "name": "read", "arguments": {"path": front}});
    let long = format!("{}{front}{behind}{}", "x".repeat(1_990), "y".repeat(3_000));
    let thinking = json!({"type": "thinking", "thinking": front});
    let message = |message: Value| json!({"type": "message", "message": message});
    let entries = [
        message(json!({"role": "user", "content": front})),
        json!({"type": "compaction", "summary": format!("{front}{behind}"), "firstKeptEntryId": "e0", "tokensBefore": 9,
            "details": {"readFiles": [front], "modifiedFiles": [behind]}}),
        message(json!({"role": "user", "content": [text(front), text(behind), image, text(front)]})),
        message(
            json!({"role": "assistant", "content": [thinking, text(front), text(behind), call, read], "stopReason": "toolUse"}),
        ),
        message(
            json!({"role": "toolResult", "toolCallId": "c", "toolName": front, "content": [text(front), text(behind), image], "isError": true}),
        ),
        message(json!({"role": "toolResult", "toolCallId": "d", "toolName": behind, "content": long})),
        message(
            json!({"role": "bashExecution", "command": front, "output": behind, "truncated": true, "fullOutputPath": front}),
        ),
        message(json!({"role": "pythonExecution", "code": behind, "output": front})),
        message(
            json!({"role": "fileMention", "files": [{"path": front, "content": behind}, {"path": behind, "content": front, "image": image}]}),
        ),
        message(json!({"role": "custom", "customType": front, "content": [text(front), text(behind)]})),
        json!({"type": "custom_message", "customType": front, "content": behind, "display": true}),
        json!({"type": "branch_summary", "fromId": "e1", "summary": format!("{front}\n{behind}"), "details": {"readFiles": [behind]}}),
        message(json!({"role": "branchSummary", "summary": front})),
        message(json!({"role": "user", "content": front})),
        message(json!({"role": "assistant", "content": [text(behind)], "stopReason": "stop"})),
        message(json!({"role": "user", "content": behind})),
    ];
    let mut file = json!({"type": "session", "version": 3, "id": "s"}).to_string() + "\n";
    for (number, mut entry) in entries.into_iter().enumerate() {
        let fields = entry.as_object_mut().unwrap();
        fields.insert("id".into(), format!("e{number}").into());
        fields.insert("parentId".into(), number.checked_sub(1).map(|parent| format!("e{parent}")).into());
        file.push_str(&entry.to_string());
        file.push('\n');
    }
    load(file)
}

/// A reply of about the size of the texts, with them in it.
fn reply(front: &str, behind: &str) -> Reply {
    Reply::Summary(summary::Reply::text(format!("## Goal\n{front}\n{behind}\n")))
}

/// The skeletons of all that a model reads of a session: of the requests of two folds, of requests that
/// hooks add to, of each converted view, and of the summaries that are stored.
fn skeletons(front: &str, behind: &str) -> Vec<(String, Vec<String>)> {
    let mut all = Vec::new();
    let mut requested = |what: &str, request: &SummaryRequest| {
        let refused = request.with_refusal(&Refusal::Error(format!("{front}{behind}")), RULE);
        for request in [request, &refused] {
            let mut parts = skeleton(&request.prompt);
            let end = parts.iter().position(|part| part == "/conversation").expect("a record");
            // Behind the record nobody speaks, and a mark is a word like others.
            let mut place = 0..;
            parts.retain(|part| place.next() < Some(end) || !part.starts_with('['));
            all.push((format!("{what}: {}", request.kind.as_str()), parts));
        }
    };
    let settings = settings(4_000, 1);
    let mut session = session(front, behind);
    let messages: Vec<Message> = (0..session.len() as u32)
        .filter_map(|index| session.entry(index).unwrap().message().map(|message| message.into_owned()))
        .collect();
    let lines = [front.to_owned(), behind.to_owned()];
    let hooked =
        RequestOptions { custom_instructions: Some(front), context_lines: &lines, ..RequestOptions::new(4_000, RULE) };
    requested("with hooks", &history_request(&messages, None, &hooked));
    requested("with hooks", &history_request(&messages, Some(front), &hooked));
    requested("with hooks", &turn_prefix_request(&messages, &hooked));
    requested("with hooks", &short_request(&messages, behind, &hooked));
    requested("of a user", &branch_request(&messages, &hooked));
    requested("of a branch", &branch_request(&messages, &RequestOptions::new(4_000, RULE)));
    for (number, candidate) in [Candidate::CALLBACK, Candidate::LOCAL, Candidate::CALLBACK].into_iter().enumerate() {
        let options = RunOptions { custom_instructions: Some(front.to_owned()), ..options(&settings, candidate) };
        let ran = run(&mut session, options, |_| reply(front, behind));
        assert_eq!(ran.outcome.status, Status::Committed, "{front:?} {behind:?}: {:?}", ran.outcome.error);
        for request in &ran.requests {
            requested(&format!("fold {number}"), request);
        }
        for (role, text) in [("user", front), ("user", behind), ("custom", behind), ("user", "more")] {
            let message =
                json!({"type": "message", "message": {"role": role, "content": format!("{text} word").repeat(5)}});
            session.append(&message.to_string(), support::NOW).unwrap();
        }
    }
    for index in 0..session.len() as u32 {
        let entry = session.entry(index).unwrap();
        if let Some(compaction) = entry.compaction() {
            let lists = skeleton(&compaction.summary).into_iter().filter(|tag| tag.ends_with("-files"));
            // What stood in the file is as it was found.
            all.push((format!("stored {index}"), if index == 1 { Vec::new() } else { lists.collect() }));
        }
    }
    let files = FileLists { read_files: vec![front.to_owned()], modified_files: vec![behind.to_owned()] };
    let stored = skeleton(&compose_branch_summary(&format!("{front}\n{behind}"), &files));
    all.push(("stored branch".to_owned(), stored.into_iter().filter(|tag| tag.ends_with("-files")).collect()));
    let context = session.build_session_context(session.leaf());
    let seen =
        context.messages.iter().filter_map(|&place| session.context_message(place)).map(|seen| seen.into_owned());
    for message in seen.chain(messages) {
        if let Converted::Text(text) | Converted::TextAndFileImages(text) = convert(&message) {
            let tags = skeleton(&text).into_iter().filter(|part| !part.starts_with('['));
            all.push(("view".to_owned(), tags.collect()));
        }
        all.push(("one message".to_owned(), skeleton(&serialize_conversation([&message]))));
    }
    all
}

#[test]
fn our_tags_and_marks_stand_where_they_stand_around_harmless_texts() {
    let harmless = skeletons("start word", "word end");
    let (_, update) = harmless.iter().find(|(what, _)| what == "with hooks: update").expect("an update");
    let tags: Vec<&str> = update.iter().map(String::as_str).filter(|part| !part.starts_with('[')).collect();
    assert_eq!(
        tags,
        [
            "conversation",
            "/conversation",
            "previous-summary",
            "/previous-summary",
            "additional-context",
            "/additional-context"
        ]
    );
    let kinds: std::collections::BTreeSet<&str> =
        harmless.iter().map(|(what, _)| what.split(' ').next().unwrap()).collect();
    assert_eq!(kinds, ["fold", "of", "one", "stored", "view", "with"].into());
    let mut checked = 0;
    for (front, behind) in corpus() {
        let hostile = skeletons(&front, &behind);
        assert_eq!(hostile.len(), harmless.len(), "{front:?} {behind:?}");
        for (found, expected) in hostile.iter().zip(&harmless) {
            assert_eq!(found, expected, "{front:?} {behind:?}");
            checked += 1;
        }
    }
    assert!(checked > 10_000, "only {checked} were checked");
}

#[test]
fn our_tags_stand_where_they_stand_in_each_part_of_a_record_that_is_folded() {
    let settings = settings(500, 1);
    // Hostile texts are of many lengths, so a record falls into other parts, of which each is like this.
    let tags = |previous: bool| -> &[&str] {
        let all = &["conversation", "/conversation", "previous-summary", "/previous-summary"];
        if previous { all } else { &all[..2] }
    };
    let mut parts = 0;
    for (front, behind) in corpus() {
        let mut session = session(&front.repeat(4), &behind.repeat(4));
        let candidate = Candidate { context_window: Some(2_400), ..Candidate::CALLBACK };
        let ran = run(&mut session, options(&settings, candidate), |_| reply(&front, &behind));
        for request in ran.requests {
            parts += usize::from(request.kind.as_str() == "fold");
            let mut found = skeleton(&request.prompt);
            found.retain(|part| !part.starts_with('['));
            let previous = request.prompt.contains("\n<previous-summary>\n");
            assert_eq!(found, tags(previous), "{front:?} {behind:?}: {}", request.kind.as_str());
        }
    }
    assert!(parts > 100, "only {parts} parts were checked");
}
