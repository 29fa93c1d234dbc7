//! Each kind of damage: what is reported, what is read all the same, and that nothing is lost.

use super::*;
use crate::entry::Message;

/// A record of a user message with more fields of its own.
fn with(id: &str, parent: Option<&str>, more: &str) -> String {
    let record = user(id, parent);
    format!("{},{more}}}", &record[..record.len() - 1])
}

/// What a report says of an entry: the line, the kind, the entry.
fn reports(session: &Session) -> Vec<(Option<u32>, &'static str, Option<&str>)> {
    session.diagnostics().iter().map(|found| (found.line, found.kind.as_str(), found.entry_id.as_deref())).collect()
}

#[test]
fn t55_a_file_cut_at_any_byte_takes_the_next_entry_on_a_line_of_its_own() {
    let last = with("b", Some("a"), r#""future":"中 \ud83d\ude00 é""#);
    for end in ["\n", "\r\n"] {
        let whole = [HEADER, &user("a", None), &last, ""].join(end);
        let from = whole.len() - last.len() - end.len();
        for cut in from..=whole.len() {
            let mut session = Session::from_jsonl(whole.as_bytes()[..cut].to_vec(), Preset::Safe, 1).unwrap();
            let found: Vec<_> = reports(&session).into_iter().map(|(line, kind, _)| (line, kind)).collect();
            let torn = (Some(3), "torn-line");
            let (whole_records, half_character) =
                (cut == from || cut >= from + last.len(), std::str::from_utf8(&whole.as_bytes()[..cut]).is_err());
            match (whole_records, half_character) {
                (true, _) => assert_eq!(found, [], "{cut}"),
                (false, true) => assert_eq!(found, [(Some(3), "invalid-utf8"), torn], "{cut}"),
                (false, false) => assert_eq!(found, [torn], "{cut}"),
            }
            let before = session.to_jsonl();
            assert_eq!(before, &whole.as_bytes()[..cut], "{cut}");
            let index = session.append(r#"{"type":"message","message":{"role":"user","content":"new"}}"#, NOW).unwrap();
            let again = Session::from_jsonl(session.to_jsonl(), Preset::Safe, 3).unwrap();
            assert!(again.to_jsonl().starts_with(&before), "{cut}");
            assert_eq!((again.leaf(), again.len()), (Some(index), session.len()), "{cut}");
            assert_eq!(again.entry(index), session.entry(index), "{cut}");
            assert_eq!(again.path(again.leaf()), session.path(session.leaf()), "{cut}");
            // The torn line is no longer the last.
            let kinds = |session: &Session| session.diagnostics().len();
            assert_eq!(kinds(&again), kinds(&session), "{cut}");
            assert!(!again.diagnostics().iter().any(|found| found.kind == DiagnosticKind::TornLine), "{cut}");
        }
    }
}

#[test]
fn a_file_of_which_only_part_of_the_header_is_left_is_no_session() {
    for cut in 0..HEADER.len() {
        let error = Session::from_jsonl(HEADER.as_bytes()[..cut].to_vec(), Preset::Safe, 1).unwrap_err();
        assert_eq!(error.code, ErrorCode::NotASession, "{cut}");
    }
    assert!(load(HEADER).is_empty());
}

#[test]
fn what_stands_between_records_is_reported_and_kept() {
    for junk in ["\0\0\0\0", "\u{feff}", "<<<<<<< HEAD", "}", "null", "[1]", "\"text\"", "{\"type\":\"mess"] {
        let text = format!("{HEADER}\n{}\n{junk}\n{}\n", user("a", None), user("b", Some("a")));
        check(&text, &["a", "b"], &["3:malformed-line"]);
        let glued = format!("{HEADER}\n{}\n{junk}{}\n", user("a", None), user("b", Some("a")));
        check(&glued, &["a", "b"], &["3:malformed-line", "3:glued-record"]);
        let behind = format!("{HEADER}\n{}\n{}{junk}\n", user("a", None), user("b", Some("a")));
        // What ends inside a record on the last line was torn.
        let kind = if junk.starts_with('{') { "3:torn-line" } else { "3:malformed-line" };
        check(&behind, &["a", "b"], &[kind]);
    }
}

#[test]
fn the_path_goes_on_through_a_line_of_which_only_the_ids_can_be_read() {
    for damaged in [
        r#"{"type":"message","id":"b","parentId":"a","message":{"role":"user","content":"x}}"#,
        r#"{"type":"message","id":"b","parentId":"a","message":{"role":"user" "content":"x"}}"#,
        r#"{"type":"message","id":"b","parentId":"a",,"message":{}}"#,
        "{\"type\":\"message\",\"id\":\"b\",\"parentId\":\"a\",\"message\":{\"role\":\"us\0er\"}}",
    ] {
        let text = format!("{HEADER}\n{}\n{damaged}\n{}\n", user("a", None), user("c", Some("b")));
        check(&text, &["a", "b", "c"], &["3:malformed-line"]);
        let session = load(&text);
        assert_eq!(reports(&session), [(Some(3), "malformed-line", Some("b"))]);
        assert_eq!(session.build_session_context(session.leaf()).messages.len(), 2, "{damaged}");
        // As the last line it is not the leaf: no more can be read of it than its place.
        let last = format!("{HEADER}\n{}\n{damaged}\n", user("a", None));
        assert_eq!(load(&last).leaf(), Some(0));
    }
}

#[test]
fn any_number_of_torn_records_on_a_line_are_passed_over() {
    // A file whose line ends were lost, each second record torn.
    let torn = r#"{"type":"message","timestamp":"t","message":{"role":"user","content":"it was "#;
    let text: String = (0..200).map(|number| user(&format!("e{number}"), None) + torn).collect();
    let session = load(&format!("{HEADER}\n{text}\n"));
    assert_eq!(session.len(), 200);
    let count = |kind| session.diagnostics().iter().filter(|found| found.kind == kind).count();
    assert_eq!((count(DiagnosticKind::MalformedLine), count(DiagnosticKind::TornLine)), (199, 1));
}

#[test]
fn what_only_looks_like_many_torn_records_is_given_up_in_linear_time() {
    for piece in [r#"{"id":["#, r#"{"type":"message","x":["#, r#"{"id":"\ud83d","x":["#, r#"{"timestamp":{"a":1e999,"#]
    {
        let text = format!("{HEADER}\n{}\n", piece.repeat(50_000));
        let session = load(&text);
        assert_eq!((session.len(), session.to_jsonl() == text.as_bytes()), (0, true), "{piece}");
    }
}

#[test]
fn a_record_may_stand_in_front_of_the_header_and_a_second_header_is_not_used() {
    let text =
        format!("{}\n{HEADER}\n{}\n{}\n", user("a", None), user("b", Some("a")), HEADER.replace("\"s\"", "\"t\""));
    check(&text, &["a", "b"], &["4:extra-header"]);
    assert_eq!(load(&text).id(), Some("s"));
}

#[test]
fn entries_that_share_ids_stay_apart_and_keep_their_bytes() {
    let text = format!(
        "{HEADER}\n{}\n{}\n{}\n{}\n",
        user("a", None),
        user("b", Some("a")),
        user("b", Some("a")),
        user("b", Some("b"))
    );
    let session = load(&text);
    let ids: Vec<&str> = (0..4).map(|index| &*session.entry(index).unwrap().id).collect();
    assert_eq!(&ids[..2], ["a", "b"]);
    assert!(ids[2] != "b" && ids[3] != "b" && ids[2] != ids[3]);
    assert_eq!((0..4).map(|index| session.parent(index)).collect::<Vec<_>>(), [None, Some(0), Some(0), Some(1)]);
    let twice = [(Some(4), "duplicate-id", Some(ids[2])), (Some(5), "duplicate-id", Some(ids[3]))];
    assert_eq!(reports(&session), twice);
    let again = Session::from_jsonl(session.to_jsonl(), Preset::Safe, 9).unwrap();
    assert_eq!((again.to_jsonl(), again.diagnostics()), (text.into_bytes(), session.diagnostics()));
}

#[test]
fn a_known_field_of_a_wrong_type_is_reported_wherever_it_stands() {
    let record = |message: &str| format!(r#"{{"type":"message","id":"a","parentId":null,"message":{message}}}"#);
    for (message, field) in [
        ("7", "message"),
        (r#"{"role":3}"#, "message.role"),
        (r#"{"role":"user","content":true}"#, "message.content"),
        (r#"{"role":"user","content":[{"type":"text","text":5}]}"#, "message.content"),
        (r#"{"role":"user","content":["a"]}"#, "message.content"),
        (r#"{"role":"assistant","content":[],"usage":[]}"#, "message.usage"),
        (r#"{"role":"toolResult","content":[],"toolCallId":1}"#, "message.toolCallId"),
        (r#"{"role":"bashExecution","command":{}}"#, "message.command"),
        (r#"{"role":"fileMention","files":{}}"#, "message.files"),
        (r#"{"role":"fileMention","files":["a"]}"#, "message.files"),
        (r#"{"role":"fileMention","files":[{"path":1}]}"#, "message.files"),
        (r#"{"role":"fileMention","files":[{"path":"p","image":"data"}]}"#, "message.files"),
        (r#"{"role":"fileMention","files":[{"path":"p","image":{"data":7}}]}"#, "message.files"),
    ] {
        let text = format!("{HEADER}\n{}\n", record(message));
        check(&text, &["a"], &["2:wrong-shape"]);
        assert_eq!(
            load(&text).diagnostics()[0].message,
            format!("{field}, or a part of it, has a wrong type and counts as absent")
        );
    }
}

#[test]
fn of_a_duplicate_key_the_last_wins_and_both_stay() {
    let text = format!("{HEADER}\n{}\n", with("a", None, r#""id":"b","message":{"role":"user","content":"new"}"#));
    check(&text, &["b"], &[]);
    let session = load(&text);
    assert!(
        matches!(session.entry(0).unwrap().message().as_deref(), Some(Message::User { content }) if content.texts().eq(["new"]))
    );
}

#[test]
fn half_a_pair_in_the_ids_of_an_entry_leaves_it_in_the_tree() {
    for (id, parent) in [(r#""\ud800""#, r#""a""#), (r#""b""#, r#""\udc00""#), (r#""\ud800""#, r#""\ud801""#)] {
        let entry = |id: &str, parent: &str| {
            format!(r#"{{"type":"message","id":{id},"parentId":{parent},"message":{{"role":"user","content":"x"}}}}"#)
        };
        let file = [entry(r#""a""#, "null"), entry(id, parent), entry(r#""c""#, r#""a""#)].join("\n");
        let session = load(&file);
        assert_eq!(session.len(), 3, "{file}: {:?}", session.diagnostics());
        assert!(session.diagnostics().iter().any(|found| found.kind.as_str() == "lone-surrogate"), "{file}");
        assert_eq!(session.to_jsonl(), file.as_bytes());
    }
}

#[test]
fn half_a_pair_is_reported_wherever_it_stands_and_never_handed_out() {
    let call = r#"{"type":"message","id":"a","parentId":null,"message":{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"t","arguments":{"a":"\ud83d"}}]}}"#;
    for record in [
        with("a", None, r#""future":"\uDC00""#),
        with("a", None, r#""\ud83d":1"#),
        with("a", None, r#""details":{"deep":["\ud83d"]}"#),
        user("a", None).replace("\"content\":\"a\"", "\"content\":\"\\ud83da long text behind it\""),
        call.to_owned(),
    ] {
        let text = format!("{HEADER}\n{record}\n");
        check(&text, &["a"], &["2:lone-surrogate"]);
        let json = load(&text).entry_json(0).unwrap();
        assert!(json.contains("\\ufffd") && !json.to_lowercase().contains("\\ud"), "{json}");
    }
    let whole = format!("{HEADER}\n{}\n", with("a", None, r#""future":"\ud83d\ude00""#));
    check(&whole, &["a"], &[]);
    assert!(load(&whole).entry_json(0).unwrap().contains(r"\ud83d\ude00"));
    let header = HEADER.replace("\"cwd\":\"/\"", r#""cwd":"\ud83d""#);
    let text = format!("{header}\n{}\n", user("a", None));
    check(&text, &["a"], &["1:lone-surrogate"]);
    assert_eq!(load(&text).header_json().unwrap(), header.replace("\\ud83d", "\\ufffd"));
}

#[test]
fn half_a_pair_that_is_appended_is_reported_and_keeps_its_bytes() {
    let mut session = load(&format!("{HEADER}\n"));
    let json = r#"{"type":"message","message":{"role":"user","content":"a \ud83d b"}}"#;
    let index = session.append(json, NOW).unwrap();
    let id = session.entry(index).unwrap().id.clone();
    assert_eq!(reports(&session), [(None, "lone-surrogate", Some(&*id))]);
    assert!(session.entry_json(index).unwrap().contains(r"a \ufffd b"));
    assert!(String::from_utf8(session.to_jsonl()).unwrap().contains(r"a \ud83d b"));
    let again = Session::from_jsonl(session.to_jsonl(), Preset::Safe, 2).unwrap();
    assert_eq!(
        (reports(&again), again.entry(index)),
        (vec![(Some(2), "lone-surrogate", Some(&*id))], session.entry(index))
    );
}

/// Loads a file of an older version, saves it, and loads what was saved: the same entries and, but
/// for the fields that the migration wrote anew, the same reports.
fn check_migrated(text: &str, reports: &[&str], lasting: &[&str]) -> String {
    let session = load(text);
    let found = |session: &Session| -> Vec<String> {
        session.diagnostics().iter().map(|found| format!("{}:{}", found.line.unwrap(), found.kind.as_str())).collect()
    };
    assert_eq!(found(&session), reports, "{text}");
    let saved = String::from_utf8(session.to_jsonl()).unwrap();
    let again = load(&saved);
    assert_eq!(found(&again), lasting, "{saved}");
    assert_eq!(String::from_utf8(again.to_jsonl()).unwrap(), saved);
    for index in 0..session.len() as Index {
        assert_eq!((again.entry(index), again.parent(index)), (session.entry(index), session.parent(index)), "{saved}");
    }
    saved
}

#[test]
fn a_migration_keeps_the_values_that_it_cannot_use() {
    let saved = check_migrated(
        concat!(
            r#"{"type":"session","version":"one","id":"s"}"#,
            "\n",
            r#"{"type":"message","id":["a.ts"],"parentId":7,"message":{"role":"user","content":"a"}}"#,
            "\n",
            r#"{"type":"compaction","summary":"s","firstKeptEntryIndex":1,"firstKeptEntryId":{"x":1}}"#,
            "\n",
        ),
        &["1:wrong-shape", "2:wrong-shape", "2:wrong-shape", "3:wrong-shape"],
        &[],
    );
    for kept in [
        r#""version":"one","version":3"#,
        r#""id":["a.ts"],"id":""#,
        r#""parentId":7,"parentId":null"#,
        r#"{"x":1},"firstKept"#,
    ] {
        assert!(saved.contains(kept), "{kept} in {saved}");
    }
}

#[test]
fn an_id_that_is_taken_in_version_1_is_given_anew_for_good() {
    // What the migration makes of the index changes the record that a new id would derive from.
    let saved = check_migrated(
        concat!(
            r#"{"type":"session","id":"s"}"#,
            "\n",
            r#"{"type":"message","id":"a","message":{"role":"user","content":"a"}}"#,
            "\n",
            r#"{"type":"compaction","id":"a","parentId":"a","summary":"s","firstKeptEntryIndex":1}"#,
            "\n",
            r#"{"type":"message","id":"a","message":{"role":"user","content":"b"}}"#,
            "\n",
        ),
        &["3:duplicate-id", "4:duplicate-id"],
        &[],
    );
    assert_eq!(saved.matches(r#""id":"a","id":""#).count(), 2, "{saved}");
    assert!(saved.contains(r#""firstKeptEntryId":"a""#), "{saved}");
}

#[test]
fn a_record_behind_a_torn_one_is_found_again_once_it_was_migrated() {
    // The type does not come first, so what the migration adds does.
    for record in [
        r#"{ "type":"session","id":"s"}"#,
        r#"{ "type":"compaction","summary":"s","firstKeptEntryIndex":1}"#,
        r#"{ "id":"k","type":"compaction","summary":"s","firstKeptEntryIndex":1}"#,
    ] {
        let message = r#"{"type":"message","message":{"role":"user","content":"a"}}"#;
        let file = format!("{message}\n{{\"type\":\"mess{record}\n");
        let session = load(&file);
        let again = load(std::str::from_utf8(&session.to_jsonl()).unwrap());
        assert_eq!((again.len(), again.id()), (session.len(), session.id()), "{file}");
        let kinds = |session: &Session| {
            session.diagnostics().iter().filter(|found| found.kind.as_str() == "glued-record").count()
        };
        assert_eq!((kinds(&session), kinds(&again)), (1, 1), "{file}");
    }
}

#[test]
fn an_index_that_names_no_record_stays_in_the_file() {
    for (index, kind) in [("99", None), ("-1", None), ("1.5", None), ("1e300", None), ("\"1\"", Some("3:wrong-shape"))]
    {
        let field = format!(r#""firstKeptEntryIndex":{index}"#);
        let reports: Vec<&str> = kind.into_iter().chain(["3:unknown-first-kept"]).collect();
        let saved = check_migrated(
            &format!(
                "{}\n{}\n{{\"type\":\"compaction\",\"summary\":\"s\",{field}}}\n",
                r#"{"type":"session","id":"s"}"#, r#"{"type":"message","message":{"role":"user","content":"a"}}"#,
            ),
            &reports,
            &reports,
        );
        assert!(saved.contains(&field), "{saved}");
        let session = load(&saved);
        assert_eq!(session.build_session_context(session.leaf()).messages.len(), 2, "nothing is known to be covered");
    }
}
