use super::*;

fn item(second: u32, payload: &str) -> String {
    record(second, "response_item", payload)
}

fn record(second: u32, kind: &str, payload: &str) -> String {
    format!(r#"{{"timestamp":"2026-01-01T00:00:{second:02}.000Z","type":"{kind}","payload":{payload}}}"#)
}

fn said(role: &str, text: &str) -> String {
    let kind = if role == "assistant" { "output_text" } else { "input_text" };
    format!(r#"{{"type":"message","role":"{role}","content":[{{"type":"{kind}","text":"{text}"}}]}}"#)
}

const META: &str = r#"{"id":"c1","cwd":"/work","timestamp":"2025-12-31T23:59:59.000Z","model_provider":"openai"}"#;
const USAGE: &str = r#"{"type":"token_count","info":{"last_token_usage":{"input_tokens":100,"cached_input_tokens":40,"output_tokens":7,"total_tokens":107}}}"#;

#[test]
fn items_in_a_row_are_an_answer_with_its_model_and_usage() {
    let file = [
        record(0, "session_meta", META),
        item(1, &said("developer", "Rules")),
        item(2, &said("user", "Look")),
        record(3, "turn_context", r#"{"cwd":"/work","model":"gpt-x"}"#),
        item(
            4,
            r#"{"type":"reasoning","id":"rs","summary":[{"type":"summary_text","text":"hm"}],"encrypted_content":"xx"}"#,
        ),
        record(5, "event_msg", r#"{"type":"agent_reasoning","text":"hm"}"#),
        item(6, r#"{"type":"function_call","call_id":"t1","name":"shell","arguments":"{\"c\":1}"}"#),
        item(7, r#"{"type":"custom_tool_call","call_id":"t2","name":"patch","input":"*** Begin"}"#),
        item(8, r#"{"type":"function_call_output","call_id":"t1","output":"out"}"#),
        item(9, r#"{"type":"custom_tool_call_output","call_id":"t2","output":"ok"}"#),
        record(10, "event_msg", USAGE),
        item(11, r#"{"type":"ghost_snapshot","id":"g"}"#),
        item(12, &said("assistant", "Done")),
    ];
    let (session, report) = import(&file.join("\n"), None);
    assert_eq!(
        view(&session),
        [
            "custom: Rules",
            "user: Look",
            r#"assistant: (hm) | t1 shell{"c":1} | t2 patch{"input":"*** Begin"}"#,
            "result t1 shell: out",
            "result t2 patch: ok",
            "assistant: Done"
        ]
    );
    assert_eq!((report.format, counts(&session)), ("codex", [6, 2, 2, 0, 0, 0]));
    assert_eq!(
        kept(&report),
        [
            "session_meta 1",
            "turn_context 1",
            "event_msg/agent_reasoning 1",
            "event_msg/token_count 1",
            "response_item/ghost_snapshot 1"
        ]
    );
    let place = (0..session.len() as Index).find(|index| session.entry(*index).unwrap().assistant().is_some());
    let answer = session.entry(place.unwrap()).unwrap().assistant().unwrap();
    let usage = answer.usage.unwrap();
    assert_eq!((usage.input, usage.cache_read, usage.output), (60, 40, 7));
    assert_eq!(&*answer.model.as_ref().unwrap().model_id, "gpt-x");
    let header = session.header_json().unwrap();
    assert!(header.contains(r#""id":"c1""#) && header.contains("2025-12-31T23:59:59"), "{header}");
    assert_eq!(roots(&session), 1);
}

#[test]
fn a_compaction_is_one_and_what_it_put_in_place_comes_behind_it() {
    let before = [
        record(0, "session_meta", META),
        item(1, &said("user", "One")),
        item(2, &said("assistant", "1")),
        record(3, "event_msg", USAGE),
    ];
    let after = item(5, &said("assistant", "2"));
    let history =
        format!(r#","replacement_history":[{},{}]"#, said("user", "One"), said("user", "A summary follows: So far"));
    for (history, expected) in [
        ("", vec!["summary: So far", "assistant: 2"]),
        (history.as_str(), vec!["summary: So far", "user: One", "assistant: 2"]),
    ] {
        let compacted = record(4, "compacted", &format!(r#"{{"message":"So far"{history}}}"#));
        let (session, _) = import(&[&before[..], &[compacted, after.clone()]].concat().join("\n"), None);
        assert_eq!(
            (view(&session), session.counts().compactions),
            (expected.iter().map(|line| (*line).to_owned()).collect(), 1)
        );
        let place = (0..session.len() as Index).find_map(|index| session.entry(index).unwrap().compaction());
        assert_eq!(place.unwrap().tokens_before, 107);
    }
    let encrypted = format!(
        r#"{{"message":"","replacement_history":[{},{{"type":"compaction","encrypted_content":"xyz"}}]}}"#,
        said("user", "One")
    );
    let file = [&before[..], &[record(4, "compacted", &encrypted), after]].concat().join("\n");
    let (session, _) = import(&file, None);
    let seen = view(&session);
    assert!(seen[0].contains("encrypted"), "{seen:?}");
    assert_eq!(seen[1..], ["user: One", "assistant: [compaction]", "assistant: 2"]);
}

#[test]
fn the_early_form_has_no_envelope() {
    let file = [
        r#"{"id":"c0","timestamp":"2025-08-06T18:02:11.653Z","instructions":"Rules","git":{}}"#,
        r#"{"record_type":"state"}"#,
        &said("user", "Look"),
        r#"{"type":"function_call","id":"f","name":"shell","arguments":"{}","call_id":"t1"}"#,
        r#"{"type":"function_call_output","call_id":"t1","output":"out"}"#,
        "{\"record_type\":\"sta",
    ];
    let (session, report) = import(&file.join("\n"), None);
    assert_eq!(view(&session), ["user: Look", "assistant: t1 shell{}", "result t1 shell: out"]);
    assert_eq!(
        (session.id(), kept(&report)),
        (Some("c0"), vec!["header 1".into(), "state 1".into(), "unreadable 1".into()])
    );
    assert_eq!(faults(&report), [(Some(6), "malformed-line")]);
}
