use super::*;

/// Records in the order of the file; each is its `uuid`, its parent, its type and the rest of it.
fn file(records: &[(&str, &str, &str, &str)]) -> String {
    let mut file = String::new();
    for (number, (uuid, parent, kind, rest)) in records.iter().enumerate() {
        let parent = if parent.is_empty() { "null".to_owned() } else { format!("{parent:?}") };
        file += &format!(
            r#"{{"parentUuid":{parent},"uuid":"{uuid}","type":"{kind}","sessionId":"s1","cwd":"/work","timestamp":"2026-01-01T00:00:{number:02}.000Z",{rest}}}"#
        );
        file.push('\n');
    }
    file
}

fn said(text: &str) -> String {
    format!(r#""message":{{"role":"user","content":"{text}"}}"#)
}

fn answer(id: &str, block: &str, stop: &str, output: u32) -> String {
    format!(
        r#""requestId":"r","message":{{"id":"{id}","role":"assistant","model":"claude-x","content":[{block}],"stop_reason":{stop},"usage":{{"input_tokens":3,"cache_read_input_tokens":40,"cache_creation_input_tokens":5,"output_tokens":{output}}}}}"#
    )
}

fn text(text: &str) -> String {
    format!(r#"{{"type":"text","text":"{text}"}}"#)
}

fn tool(id: &str) -> String {
    format!(r#"{{"type":"tool_use","id":"{id}","name":"Read","input":{{"p":1}}}}"#)
}

fn result(id: &str) -> String {
    format!(
        r#""toolUseResult":{{"stdout":"out {id}"}},"message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"{id}","content":"out {id}"}}]}}"#
    )
}

#[test]
fn an_answer_over_several_records_is_one_message_and_its_results_stand_in_a_row() {
    let hook = r#""data":{"hook":1}"#;
    let (session, report) = import(
        &file(&[
            ("u1", "", "user", &said("Look")),
            ("a1", "u1", "assistant", &answer("m1", &text("I look"), "null", 1)),
            ("a2", "a1", "assistant", &answer("m1", &tool("t1"), "null", 2)),
            ("p1", "a2", "progress", hook),
            ("a3", "a2", "assistant", &answer("m1", &tool("t2"), "\"tool_use\"", 9)),
            ("r1", "a2", "user", &result("t1")),
            ("r2", "a3", "user", &result("t2")),
            ("p2", "a3", "progress", hook),
            ("a4", "r1", "assistant", &answer("m2", &text("Done"), "\"end_turn\"", 4)),
        ]),
        None,
    );
    assert_eq!(
        view(&session),
        [
            "user: Look",
            r#"assistant: I look | t1 Read{"p":1} | t2 Read{"p":1}"#,
            "result t1 Read: out t1",
            "result t2 Read: out t2",
            "assistant: Done"
        ]
    );
    assert_eq!((report.format, counts(&session)), ("claude-code", [5, 2, 2, 0, 0, 0]));
    assert_eq!((kept(&report), faults(&report)), (vec!["progress 2".to_owned()], vec![]));
    let answer = json(&session, "a1");
    assert_eq!(answer["timestamp"], "2026-01-01T00:00:01.000Z");
    let message = &answer["message"];
    assert_eq!([&message["provider"], &message["model"], &message["stopReason"]], ["anthropic", "claude-x", "toolUse"]);
    assert_eq!(message["usage"], serde_json::json!({"input":3,"output":9,"cacheRead":40,"cacheWrite":5}));
    // The records stand beside, all but what the message says.
    assert_eq!(answer["claude-code"].as_array().unwrap().len(), 3);
    assert_eq!(json(&session, "r1")["claude-code"]["toolUseResult"]["stdout"], "out t1");
    let header: serde_json::Value = serde_json::from_str(&session.header_json().unwrap()).unwrap();
    assert_eq!([&header["id"], &header["cwd"], &header["importedFrom"]], ["s1", "/work", "claude-code"]);
}

#[test]
fn a_call_that_runs_while_the_answer_is_written_stands_in_the_same_message() {
    let (session, _) = import(
        &file(&[
            ("u1", "", "user", &said("Look")),
            ("a1", "u1", "assistant", &answer("m1", &tool("t1"), "null", 1)),
            ("r1", "a1", "user", &result("t1")),
            ("a2", "r1", "assistant", &answer("m1", &tool("t2"), "null", 2)),
            ("r2", "a2", "user", &result("t2")),
            ("u2", "r2", "user", &said("Thanks")),
        ]),
        None,
    );
    assert_eq!(view(&session).len(), 5);
    assert_eq!(view(&session)[1], r#"assistant: t1 Read{"p":1} | t2 Read{"p":1}"#);
    assert_eq!(counts(&session), [5, 2, 2, 0, 0, 0]);
}

#[test]
fn branches_stay_branches_and_the_newest_message_is_the_leaf() {
    let (session, _) = import(
        &file(&[
            ("u1", "", "user", &said("One")),
            ("a1", "u1", "assistant", &answer("m1", &text("Two"), "\"end_turn\"", 1)),
            ("u2", "a1", "user", &said("Left")),
            ("a2", "u2", "assistant", &answer("m2", &text("Left too"), "\"end_turn\"", 1)),
            ("u3", "a1", "user", &said("Right")),
            ("s1", "", "user", &format!("\"isSidechain\":true,{}", said("For the helper"))),
        ]),
        None,
    );
    assert_eq!(view(&session), ["user: One", "assistant: Two", "user: Right"]);
    assert_eq!((counts(&session), roots(&session)), ([6, 0, 0, 1, 0, 0], 2));
    // What a helper says ends the file, so an entry behind the leaf ends it instead.
    let leaf = session.entry(session.leaf().unwrap()).unwrap();
    assert_eq!((&leaf.kind, leaf.parent_id.as_deref()), (&EntryKind::SessionInfo, Some("u3")));
}

#[test]
fn a_call_that_was_tried_again_is_a_branch() {
    let (session, _) = import(
        &file(&[
            ("u1", "", "user", &said("Look")),
            ("a1", "u1", "assistant", &answer("m1", &tool("t1"), "null", 1)),
            ("r1", "a1", "user", &result("t1")),
            ("r2", "a1", "user", &result("t1")),
            ("u2", "r2", "user", &said("So")),
        ]),
        None,
    );
    assert_eq!(view(&session).len(), 4);
    assert_eq!((counts(&session), entry(&session, "r2").parent_id.as_deref()), ([5, 1, 2, 1, 0, 0], Some("a1")));
}

#[test]
fn a_compaction_stands_behind_its_logical_parent_and_keeps_what_it_names() {
    let summary = format!("\"isCompactSummary\":true,{}", said("So far"));
    for (segment, expected) in [
        ("", vec!["summary: So far", "user: Next"]),
        (
            r#","preservedSegment":{"headUuid":"u2"}"#,
            vec!["summary: So far", "user: Two", "assistant: 2", "user: Next"],
        ),
        (r#","preservedSegment":{"headUuid":"elsewhere"}"#, vec!["summary: So far", "user: Next"]),
    ] {
        let boundary = format!(
            r#""subtype":"compact_boundary","logicalParentUuid":"a2","compactMetadata":{{"preTokens":900{segment}}}"#
        );
        let (session, _) = import(
            &file(&[
                ("u1", "", "user", &said("One")),
                ("a1", "u1", "assistant", &answer("m1", &text("1"), "\"end_turn\"", 1)),
                ("u2", "a1", "user", &said("Two")),
                ("a2", "u2", "assistant", &answer("m2", &text("2"), "\"end_turn\"", 1)),
                ("f1", "", "file-history-snapshot", r#""snapshot":{}"#),
                ("c1", "", "system", &boundary),
                ("c2", "c1", "user", &summary),
                ("u3", "c2", "user", &said("Next")),
            ]),
            None,
        );
        assert_eq!(view(&session), expected);
        assert_eq!((counts(&session), roots(&session)), ([5, 0, 0, 0, 1, 0], 1));
        assert_eq!(entry(&session, "c1").compaction().unwrap().tokens_before, 900);
        assert_eq!(json(&session, "c1")["claude-code"].as_array().unwrap().len(), 2);
    }
}

#[test]
fn half_of_a_compaction_is_met() {
    let summary = format!("\"isCompactSummary\":true,{}", said("So far"));
    let (session, _) = import(
        &file(&[("u1", "", "user", &said("One")), ("c2", "", "user", &summary), ("u2", "c2", "user", &said("Two"))]),
        None,
    );
    assert_eq!(
        (view(&session), session.counts().compactions),
        (vec!["summary: So far".to_owned(), "user: Two".into()], 1)
    );
    let boundary = r#""subtype":"compact_boundary","logicalParentUuid":"u1""#;
    let (session, report) = import(
        &file(&[("u1", "", "user", &said("One")), ("c1", "", "system", boundary), ("u2", "c1", "user", &said("Two"))]),
        None,
    );
    assert_eq!((view(&session), session.counts().compactions), (vec!["user: One".to_owned(), "user: Two".into()], 0));
    assert_eq!(kept(&report), ["system/compact_boundary 1"]);
}

#[test]
fn what_the_tool_adds_is_no_turn_and_what_failed_is_left_out_of_the_view() {
    let failed = format!("\"isApiErrorMessage\":true,{}", answer("m1", &text("API Error: 529"), "null", 0));
    let aborted = format!("\"isAbortedMidStream\":true,{}", answer("m2", &text("Half"), "null", 0));
    let (session, _) = import(
        &file(&[
            ("u1", "", "user", &format!("\"isMeta\":true,{}", said("A note"))),
            ("u2", "u1", "user", &said("Go")),
            ("a1", "u2", "assistant", &failed),
            ("a2", "a1", "assistant", &aborted),
            (
                "u3",
                "a2",
                "user",
                r#""message":{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}},{"type":"text","text":"See"}]}"#,
            ),
        ]),
        None,
    );
    assert_eq!(view(&session), ["custom: A note", "user: Go", "user: <image/png 4> | See"]);
    assert_eq!(counts(&session), [5, 0, 0, 0, 0, 1]);
}

#[test]
fn what_cannot_be_read_is_kept_and_reported() {
    let good = file(&[
        ("u1", "", "user", &said("One")),
        ("u2", "gone", "user", &said("\\ud83d half")),
        ("u1", "u1", "user", &said("Again")),
    ]);
    let lines: Vec<&str> = good.lines().collect();
    let torn = &lines[2][..60];
    let file = [
        lines[0],
        "",
        torn,
        "42",
        lines[1],
        r#"{"parentUuid":"u1","silly":1}"#,
        r#"{"type":"user","uuid":"u9","message":"error"}"#,
        lines[2],
    ]
    .join("\n");
    let (session, report) = import(&file, None);
    assert_eq!(
        faults(&report),
        [
            (Some(3), "malformed-line"),
            (Some(4), "wrong-shape"),
            (Some(5), "lone-surrogate"),
            (Some(5), "missing-parent"),
            (Some(8), "duplicate-id")
        ]
    );
    assert_eq!(kept(&report), ["unreadable 1", "no-object 1", "record 1", "user 1"]);
    assert_eq!((session.counts().messages, roots(&session)), (3, 2));
    let text = String::from_utf8(session.to_jsonl()).unwrap();
    assert!(text.contains(&serde_json::to_string(torn).unwrap()) && text.contains(r#""data":42"#));
}
