use super::*;

#[test]
fn arrays_of_every_format_become_a_row_of_messages() {
    let seen = ["user: Look", r#"assistant: t1 read{"p":1}"#, "result t1 read: out"];
    let call = r#""function":{"name":"read","arguments":"{\"p\":1}"}"#;
    for (format, array) in [
        ("openai-chat", format!(r#"[{{"role":"user","content":"Look"}},{{"role":"assistant","content":null,"tool_calls":[{{"id":"t1","type":"function",{call}}}]}},{{"role":"tool","tool_call_id":"t1","content":"out"}}]"#)),
        ("openai-responses", r#"[{"role":"user","content":[{"type":"input_text","text":"Look"}]},{"type":"function_call","call_id":"t1","name":"read","arguments":"{\"p\":1}"},{"type":"function_call_output","call_id":"t1","output":"out"}]"#.to_owned()),
        ("anthropic", r#"[{"role":"user","content":"Look"},{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"read","input":{"p":1}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"out"}]}]"#.to_owned()),
        ("gemini", r#"[{"role":"user","parts":[{"text":"Look"}]},{"role":"model","parts":[{"functionCall":{"id":"t1","name":"read","args":{"p":1}}}]},{"role":"user","parts":[{"functionResponse":{"id":"t1","name":"read","response":"out"}}]}]"#.to_owned()),
        ("ai-sdk-model", r#"[{"role":"user","content":[{"type":"text","text":"Look"}]},{"role":"assistant","content":[{"type":"tool-call","toolCallId":"t1","toolName":"read","input":{"p":1}}]},{"role":"tool","content":[{"type":"tool-result","toolCallId":"t1","toolName":"read","output":{"type":"text","value":"out"}}]}]"#.to_owned()),
        ("ai-sdk-ui", r#"[{"id":"1","role":"user","parts":[{"type":"text","text":"Look"}]},{"id":"2","role":"assistant","parts":[{"type":"tool-read","toolCallId":"t1","state":"output-available","input":{"p":1},"output":"out"}]}]"#.to_owned()),
        ("tanstack-ui", r#"[{"id":"1","role":"user","parts":[{"type":"text","content":"Look"}]},{"id":"2","role":"assistant","parts":[{"type":"tool-call","id":"t1","name":"read","arguments":"{\"p\":1}"},{"type":"tool-result","toolCallId":"t1","content":"out"}]}]"#.to_owned()),
        ("pi", r#"[{"role":"user","content":"Look"},{"role":"assistant","content":[{"type":"toolCall","id":"t1","name":"read","arguments":{"p":1}}]},{"role":"toolResult","toolCallId":"t1","toolName":"read","content":[{"type":"text","text":"out"}]}]"#.to_owned()),
    ] {
        let items: Vec<serde_json::Value> = serde_json::from_str(&array).unwrap();
        let lines: Vec<String> = items.iter().map(ToString::to_string).collect();
        let indented = serde_json::to_string_pretty(&serde_json::json!({"title": "T", "messages": items})).unwrap();
        for (file, around) in [(array, 0), (lines.join("\n"), 0), (indented, 1)] {
            let (session, report) = import(&file, None);
            let told = view(&session).into_iter().map(|line| line.replace("\": ", "\":")).collect::<Vec<_>>();
            assert_eq!((report.format, told), (format, seen.map(str::to_owned).to_vec()), "{file}");
            assert_eq!((counts(&session), report.custom.len()), ([3, 1, 1, 0, 0, 0], around));
            assert_eq!(import(&file, Some(format)).1, report);
        }
    }
}

#[test]
fn what_stands_around_and_beside_the_messages_is_taken_over() {
    let file = r#"{"sessionId":"s7","cwd":"/w","version":1,"system":[{"type":"text","text":"Be brief."}],"messages":[
        {"id":"m1","role":"user","ts":1767225600000,"content":[{"type":"text","text":"Hi"},{"type":"file","path":"a"}]},
        {"id":"m2","role":"assistant","content":[{"type":"tool_use","id":"t","name":"x","input":{}}],"modelInfo":{"id":"claude-x"},"metrics":{"inputTokens":5,"outputTokens":2},"stop_reason":"tool_use"},
        {"role":"usr","content":"Odd"},
        {"id":"m3","role":"user","content":[]}]}"#;
    let (session, report) = import(file, Some("anthropic"));
    assert_eq!(view(&session)[..2], ["custom: Be brief.", "user: Hi | [file] | <Document 0>"]);
    assert_eq!(kept(&report), ["around 1", "no-message 1", "empty 1"]);
    assert_eq!(faults(&report), [(Some(3), "wrong-shape")]);
    assert_eq!((session.id(), &*entry(&session, "m1").timestamp), (Some("s7"), "2026-01-01T00:00:00.000Z"));
    let message = &json(&session, "m2")["message"];
    assert_eq!([&message["model"], &message["provider"], &message["stopReason"]], ["claude-x", "anthropic", "toolUse"]);
    assert_eq!(message["usage"]["input"], 5);
}

#[test]
fn items_of_responses_in_a_row_are_one_message() {
    let file = r#"[{"type":"message","role":"user","content":[{"type":"input_text","text":"Look"}]},
        {"type":"reasoning","id":"r","summary":[]},{"type":"function_call","call_id":"a","name":"x","arguments":"{}"},
        {"type":"function_call","call_id":"b","name":"x","arguments":"{}"},{"type":"function_call_output","call_id":"b","output":"B"},
        {"type":"function_call_output","call_id":"a","output":"A"},{"role":"assistant","content":[{"type":"output_text","text":"Done"}]}]"#;
    let (session, _) = import(file, None);
    assert_eq!(
        view(&session),
        ["user: Look", "assistant: () | a x{} | b x{}", "result b x: B", "result a x: A", "assistant: Done"]
    );
    assert_eq!(counts(&session), [5, 2, 2, 0, 0, 0]);
}

#[test]
fn what_follows_an_empty_item_is_not_lost() {
    let file = r#"[{"type":"message","role":"assistant","content":[]},{"type":"function_call","call_id":"a","name":"x","arguments":"{}"}]"#;
    let (session, report) = import(file, None);
    assert_eq!((view(&session), kept(&report)), (vec!["assistant: a x{}".to_owned()], vec!["empty 1".to_owned()]));
}

#[test]
fn a_session_goes_through_as_it_is() {
    let file = concat!(
        r#"{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/"}"#,
        "\r\n",
        r#"{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"Hello"}}"#,
        "\n",
        r#"{"type":"message","id":"b","par"#,
    );
    let damaged = format!("{{\"type\":\"sess\n{file}");
    let header = file.lines().next().unwrap();
    // A first line that is an object, one that is none, one that is all there is, and bytes that are no text.
    for bytes in [file.as_bytes(), damaged.as_bytes(), header.as_bytes(), &[file.as_bytes(), b"\n\xff"].concat()] {
        for format in [None, Some("pi")] {
            let imported = import_transcript(bytes, format).unwrap();
            assert_eq!((imported.jsonl, imported.report.format), (None, "pi"), "{}", bytes.len());
        }
    }
}

#[test]
fn lines_inside_an_array_make_no_session_of_it() {
    let message = r#"{"type":"message","role":"user","content":"Hello"}"#;
    let imported = import_transcript(format!("[\n{message}\n]").as_bytes(), None).unwrap();
    assert_eq!((imported.jsonl.is_some(), imported.report.format), (true, "openai-responses"));
}

#[test]
fn where_no_message_is_of_the_format_that_was_named_it_is_refused() {
    let error = import_transcript(br#"[{"role":"model","parts":[]}]"#, Some("anthropic")).unwrap_err();
    assert_eq!(error.code, ErrorCode::UnsupportedFormat);
    assert!(error.message.contains("messages[0]") && error.message.contains("anthropic"), "{error}");
}
