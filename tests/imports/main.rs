//! Real transcripts of other tools, where they are at hand: each becomes a session that loads without a fault, whose
//! views are legal at every leaf, and that folds; what it holds is what another count of the raw JSON finds.
//! Where the folder is absent the test says `skipped:` and passes.

// A test may panic: that is how it fails.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod counts;
#[path = "../support/mod.rs"]
mod support;

use counts::{Counts, anthropic, chatgpt, claude_code, codex, list, of_type, openai_chat, records, tanstack, text};
use proptest::prelude::*;
use support::check::check_some;
use support::damage::{damage, damaged};
use support::naive::refusal;
use support::{done, load, options, run, sessions, settings};
use threadfold::compaction::Status;
use threadfold::error::ErrorCode;
use threadfold::format::import_transcript;
use threadfold::session::Index;
use threadfold::summary::Candidate;

/// How the bytes of each image of a session begin.
fn images(jsonl: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in records(jsonl.as_bytes()) {
        for block in of_type(list(&entry["message"]["content"]), "image") {
            found.extend(text(block, "data").get(..64).map(str::to_owned));
        }
    }
    found
}

/// Imports a file; gives the line of the table.
fn import(name: &str, format: &str, bytes: &[u8], counted: Option<Counts>) -> String {
    let imported = import_transcript(bytes, None).unwrap_or_else(|error| panic!("{name}: {error}"));
    let report = imported.report;
    assert_eq!(report.format, format, "{name}");
    let jsonl = imported.jsonl.unwrap_or_else(|| String::from_utf8(bytes.to_vec()).expect("text"));
    let images = images(&jsonl);
    let mut session = load(jsonl);
    let counts = Counts::of(&session, &report);
    if let Some(counted) = counted {
        assert_eq!(counts, counted, "{name}: in the session, and counted over the JSON");
    }
    if format != "pi" {
        assert_eq!(session.diagnostics(), [], "{name}");
    }
    let leaf = session.leaf();
    for index in (0..session.len() as Index).filter(|index| session.children(*index).next().is_none()) {
        let context = session.build_session_context(Some(index));
        assert_eq!(refusal(&session, &context), None, "{name}: at entry {index}");
    }
    let estimate = session.estimated_view(leaf).tokens;
    let settings = settings(16_384, estimate / 10);
    let ran = run(&mut session, options(&settings, Candidate::CALLBACK), |_| done());
    let status = ran.outcome.status;
    assert!(matches!(status, Status::Committed | Status::NothingToDo), "{name}: {:?}", ran.outcome.error);
    for request in &ran.requests {
        assert!(!images.iter().any(|data| request.prompt.contains(&**data)), "{name}: an image went into a request");
    }
    format!(
        "{name} | {format} | {} | {} | {} | {} | {} | {} | {} | {}",
        counts.messages,
        counts.calls,
        counts.results,
        counts.branches,
        counts.compactions,
        counts.images,
        report.custom.iter().map(|kept| format!("{} {}", kept.kind, kept.count)).collect::<Vec<_>>().join(", "),
        status.as_str()
    )
}

#[test]
fn every_transcript_becomes_a_session_that_loads_is_legal_and_folds() {
    let files = sessions::all();
    if files.is_empty() {
        eprintln!("{}", sessions::SKIPPED);
        return;
    }
    eprintln!("file | format | messages | calls | results | branches | compactions | images | kept as custom | fold");
    for (name, format, bytes) in files {
        let (format, counted) = match format.as_str() {
            "claude-code" => ("claude-code", Some(claude_code(&bytes))),
            "codex-rollout" | "codex-rollout-old" => ("codex", Some(codex(&bytes))),
            "chatgpt-export" => ("chatgpt", Some(chatgpt(&bytes))),
            "anthropic-messages" => ("anthropic", Some(anthropic(&bytes))),
            // Their parts are TanStack's, not those of the AI SDK.
            "uimessage" => ("tanstack-ui", Some(tanstack(&bytes))),
            "openai-chat" if name.starts_with("openhands") => ("openai-chat", Some(openai_chat(&bytes))),
            "pi" | "pi-like" => ("pi", None),
            // Traces with many small arrays inside, crowd-written trees, and a table of cases.
            _ => {
                let error = import_transcript(&bytes, None).expect_err("a file of no known format");
                assert_eq!(error.code, ErrorCode::UnsupportedFormat, "{name}");
                eprintln!("{name} | refused: {error}");
                continue;
            }
        };
        eprintln!("{}", import(&name, format, &bytes, counted));
    }
}

/// Records of each line format, each with a mark of its own outside of what is read.
fn marked() -> Vec<(&'static str, String)> {
    let claude = |number: usize, parent: usize, rest: &str| {
        format!(
            r#"{{"mark":"mark-{number}.","uuid":"u{number}","parentUuid":"u{parent}","sessionId":"s","timestamp":"2026-01-01T00:00:0{number}.000Z",{rest}}}"#
        )
    };
    let said = r#""type":"user","message":{"role":"user","content":"Hello"}"#;
    let call = r#""type":"assistant","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"x","input":{}}],"usage":{"input_tokens":5,"output_tokens":1}}"#;
    let result = r#""type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"ok"}]}"#;
    let claude_code = [
        claude(1, 0, said),
        claude(2, 1, call),
        claude(3, 2, result),
        claude(4, 3, r#""type":"progress","data":{}"#),
        claude(5, 3, r#""type":"system","subtype":"compact_boundary","compactMetadata":{"preTokens":5}"#),
        claude(6, 5, &format!(r#""isCompactSummary":true,{said}"#)),
        claude(7, 6, said),
    ];
    let codex = |number: usize, kind: &str, rest: &str| {
        format!(
            r#"{{"timestamp":"2026-01-01T00:00:0{number}.000Z","type":"{kind}","payload":{{"mark":"mark-{number}.",{rest}}}}}"#
        )
    };
    let codex = [
        codex(1, "session_meta", r#""id":"c","cwd":"/""#),
        codex(2, "response_item", r#""type":"message","role":"user","content":[{"type":"input_text","text":"Hello"}]"#),
        codex(3, "response_item", r#""type":"function_call","call_id":"t1","name":"x","arguments":"{}""#),
        codex(4, "response_item", r#""type":"function_call_output","call_id":"t1","output":"ok""#),
        codex(
            5,
            "event_msg",
            r#""type":"token_count","info":{"last_token_usage":{"input_tokens":5,"total_tokens":6}}"#,
        ),
        codex(
            6,
            "compacted",
            r#""message":"So far","replacement_history":[{"type":"message","role":"user","content":[{"type":"input_text","text":"Hello"}]}]"#,
        ),
        codex(
            7,
            "response_item",
            r#""type":"message","role":"assistant","content":[{"type":"output_text","text":"Yes"}]"#,
        ),
    ];
    let lines = (1..8).map(|number| format!(r#"{{"mark":"mark-{number}.","role":"user","content":"Hello"}}"#));
    vec![
        ("claude-code", claude_code.join("\n")),
        ("codex", codex.join("\n")),
        ("openai-chat", lines.collect::<Vec<_>>().join("\n")),
    ]
}

#[test]
fn damage_never_panics_and_loses_no_line() {
    let whole = marked();
    let cases = (0..whole.len(), prop::collection::vec(damage(), 1..5));
    check_some(1_200, "damage_never_panics_and_loses_no_line", cases, |(which, all)| {
        let (format, file) = &whole[which];
        let bytes = damaged(file.clone().into_bytes(), &all);
        let _ = import_transcript(&bytes, None);
        let Ok(imported) = import_transcript(&bytes, Some(format)) else { return Ok(()) };
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let jsonl = imported.jsonl.unwrap_or_else(|| text.clone());
        for number in 1..8 {
            let mark = format!("mark-{number}.");
            prop_assert!(!text.contains(&mark) || jsonl.contains(&mark), "{mark} of {text}\nin {jsonl}");
        }
        let session = load(jsonl);
        for index in 0..session.len() as Index {
            let context = session.build_session_context(Some(index));
            prop_assert_eq!(refusal(&session, &context), None);
        }
        Ok(())
    });
}
