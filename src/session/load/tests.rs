use super::*;
use crate::session::testing::NOW;
use crate::session::{Index, Preset};

mod damage;

fn load(text: &str) -> Session {
    Session::from_jsonl(text.as_bytes().to_vec(), Preset::Safe, 1).unwrap()
}

fn user(id: &str, parent: Option<&str>) -> String {
    let parent = parent.map_or_else(|| "null".to_owned(), |parent| format!("{parent:?}"));
    format!(
        r#"{{"type":"message","id":"{id}","parentId":{parent},"timestamp":"{NOW}","message":{{"role":"user","content":"{id}"}}}}"#
    )
}

const HEADER: &str = r#"{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/"}"#;

/// Loads, and says what is on the path and what was reported as `line:kind`. What was loaded is
/// saved the same, and loads the same again.
fn check(text: &str, path: &[&str], reports: &[&str]) {
    let session = load(text);
    let ids = |session: &Session| -> Vec<String> {
        session.path(session.leaf()).iter().map(|&index| session.entry(index).unwrap().id.to_string()).collect()
    };
    let found: Vec<String> = session
        .diagnostics()
        .iter()
        .map(|diagnostic| format!("{}:{}", diagnostic.line.unwrap(), diagnostic.kind.as_str()))
        .collect();
    assert_eq!(
        (ids(&session), found),
        (path.iter().map(ToString::to_string).collect(), reports.iter().map(ToString::to_string).collect()),
        "{text}"
    );
    let saved = session.to_jsonl();
    assert_eq!(String::from_utf8_lossy(&saved), text);
    let again = Session::from_jsonl(saved, Preset::Safe, 2).unwrap();
    assert_eq!(ids(&again), ids(&session));
    assert_eq!(again.diagnostics(), session.diagnostics());
}

#[test]
fn a_good_file_comes_back_byte_for_byte() {
    let text = format!("{HEADER}\n{}\n{}\n", user("a", None), user("b", Some("a")));
    check(&text, &["a", "b"], &[]);
    check(text.trim_end(), &["a", "b"], &[]);
    check(&format!("\u{feff}{}", text.replace('\n', "\r\n\r\n")), &["a", "b"], &[]);
}

#[test]
fn unknown_fields_and_odd_spellings_stay() {
    let odd = r#" {"future":{"b":1e5,"a":[12345678901234567890,"\u00e9"]},"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"x"}} "#;
    check(&format!("{HEADER}\n{odd}\n"), &["a"], &[]);
}

#[test]
fn a_malformed_line_is_reported_and_kept() {
    let text = format!("{HEADER}\n{}\nnot json\n{}\n", user("a", None), user("b", Some("a")));
    check(&text, &["a", "b"], &["3:malformed-line"]);
}

#[test]
fn glued_records_are_both_read() {
    let text = format!("{HEADER}\n{}{}\n", user("a", None), user("b", Some("a")));
    check(&text, &["a", "b"], &["2:glued-record"]);
}

#[test]
fn a_torn_record_in_front_of_another_keeps_its_place() {
    let torn = &user("b", Some("a"))[..90];
    let text = format!("{HEADER}\n{}\n{torn}{}\n", user("a", None), user("c", Some("b")));
    check(&text, &["a", "b", "c"], &["3:malformed-line", "3:glued-record"]);
    assert_eq!(load(&text).entry_json(1), None);
}

#[test]
fn a_missing_header_is_damage() {
    check(&format!("{}\n", user("a", None)), &["a"], &["1:missing-header"]);
    check(&format!("{{\"type\":\"sess\n{}\n", user("a", None)), &["a"], &["1:malformed-line", "1:missing-header"]);
}

#[test]
fn what_is_no_session_is_refused() {
    for text in ["", "\n\n", "hello", "[1,2]\n{\"type\":\"user\"}\n", "null", "{}"] {
        let error = Session::from_jsonl(text.as_bytes().to_vec(), Preset::Safe, 1).unwrap_err();
        assert_eq!(error.code, ErrorCode::NotASession, "{text}");
    }
}

#[test]
fn of_two_entries_with_one_id_the_first_keeps_it() {
    let text = format!("{HEADER}\n{}\n{}\n{}\n", user("a", None), user("a", Some("a")), user("b", Some("a")));
    let session = load(&text);
    assert_eq!(session.path(session.leaf()), [0, 2]);
    assert_eq!(session.diagnostics()[0].kind, DiagnosticKind::DuplicateId);
    assert_eq!(session.to_jsonl(), text.as_bytes());
}

#[test]
fn an_entry_behind_a_missing_parent_is_a_second_root() {
    let text = format!("{HEADER}\n{}\n{}\n", user("a", None), user("b", Some("gone")));
    check(&text, &["b"], &["3:missing-parent"]);
    assert_eq!(load(&text).parent(1), None);
}

#[test]
fn the_earliest_entry_of_a_cycle_becomes_a_root() {
    let text = format!("{HEADER}\n{}\n{}\n{}\n", user("a", Some("c")), user("b", Some("a")), user("c", Some("b")));
    check(&text, &["a", "b", "c"], &["2:parent-cycle"]);
    let text = format!("{HEADER}\n{}\n{}\n", user("x", Some("a")), user("a", Some("a")));
    check(&text, &["a"], &["3:parent-cycle"]);
}

#[test]
fn a_parent_may_come_later() {
    let text = format!("{HEADER}\n{}\n{}\n", user("b", Some("a")), user("a", None));
    let session = load(&text);
    assert_eq!(session.parent(0), Some(1));
    assert_eq!(session.diagnostics(), []);
}

#[test]
fn half_pairs_and_bad_bytes_are_read_as_the_replacement_character() {
    let text = format!("{HEADER}\n{}\n", user("a", None).replace(r#""content":"a""#, r#""content":"\ud83d!""#));
    check(&text, &["a"], &["2:lone-surrogate"]);
    assert!(load(&text).entry_json(0).unwrap().contains(r"\ufffd!"));
    let mut bytes = format!("{HEADER}\n{}\n", user("a", None)).into_bytes();
    let at = bytes.len() - 5;
    bytes[at] = 0xff;
    let session = Session::from_jsonl(bytes.clone(), Preset::Safe, 1).unwrap();
    assert_eq!(session.diagnostics()[0].kind, DiagnosticKind::InvalidUtf8);
    assert_eq!(session.to_jsonl(), bytes);
}

#[test]
fn every_record_of_a_line_with_bad_bytes_is_read_and_migrated_in_place() {
    let hook = r#"{"type":"message","id":"a","parentId":null,"message":{"content":"?","role":"hookMessage"}}"#;
    let text =
        format!("{{\"type\":\"session\",\"version\":2,\"id\":\"s\"}}\n{hook}{}\n", hook.replace("\"a\"", "\"b\""));
    let bytes: Vec<u8> = text.bytes().map(|byte| if byte == b'?' { 0xff } else { byte }).collect();
    let session = Session::from_jsonl(bytes.clone(), Preset::Safe, 1).unwrap();
    assert_eq!(session.len(), 2);
    let saved: Vec<u8> = session.to_jsonl().into_iter().map(|byte| if byte == 0xff { b'?' } else { byte }).collect();
    assert_eq!(String::from_utf8(saved).unwrap(), text.replace("hookMessage", "custom").replace(":2", ":3"));
}

#[test]
fn ids_given_in_memory_are_the_same_once_a_migrated_file_was_saved() {
    let hook = r#"{"type":"message","parentId":null,"message":{"role":"hookMessage","content":"a"}}"#;
    let mut session = load(&format!("{{\"type\":\"session\",\"version\":2,\"id\":\"s\"}}\n{hook}\n"));
    session.append(r#"{"type":"message","message":{"role":"user","content":"below"}}"#, NOW).unwrap();
    let again = Session::from_jsonl(session.to_jsonl(), Preset::Safe, 1).unwrap();
    assert_eq!((again.entry(0), again.parent(1)), (session.entry(0), Some(0)));
}

#[test]
fn a_report_names_the_entry_by_the_id_that_it_has_in_memory() {
    let text =
        format!("{HEADER}\n{}\n{}\n", user("a", None), user("a", None).replace(r#""content":"a""#, r#""content":3"#));
    let session = load(&text);
    let named: Vec<_> = session.diagnostics().iter().map(|found| found.entry_id.clone()).collect();
    let second = Some(session.entry(1).unwrap().id.clone());
    assert_eq!(named, [second.clone(), second]);
}

#[test]
fn version_1_gets_ids_a_chain_and_first_kept_ids() {
    let header = r#"{"type":"session","id":"s","timestamp":"t","cwd":"/","future":1}"#;
    let message =
        |text: &str| format!(r#"{{"type":"message","timestamp":"t","message":{{"role":"user","content":"{text}"}}}}"#);
    let compaction = |first: u32| {
        format!(
            r#"{{"type":"compaction","timestamp":"t","summary":"s firstKeptEntryIndex","firstKeptEntryIndex":{first},"tokensBefore":5}}"#
        )
    };
    let text = format!(
        "{header}\n{}\n\n{}{}\nlost\n{}\n{}\n",
        message("a"),
        message("b"),
        message("c"),
        message("d"),
        compaction(5)
    );
    let session = load(&text);
    assert_eq!(session.path(session.leaf()), [0, 1, 2, 3, 4]);
    let first_kept = &session.entry(4).unwrap().compaction().unwrap().first_kept_entry_id;
    assert_eq!(
        &**first_kept,
        &*session.entry(3).unwrap().id,
        "glued records and the lost line count, the blank one does not"
    );
    let saved = session.to_jsonl();
    let text = String::from_utf8(saved.clone()).unwrap();
    assert!(text.starts_with(r#"{"type":"session","version":3,"id":"s""#), "{text}");
    assert!(text.contains("\nlost\n") && !text.contains("EntryIndex\":"), "{text}");
    let again = Session::from_jsonl(saved.clone(), Preset::Safe, 9).unwrap();
    assert_eq!(again.to_jsonl(), saved);
    for index in 0..5 {
        assert_eq!(again.entry(index).unwrap().id, session.entry(index).unwrap().id);
        assert_eq!(again.entry(index).unwrap().parent_id, session.entry(index).unwrap().parent_id);
    }
    assert_eq!(again.entry(4).unwrap().kind, session.entry(4).unwrap().kind);
}

#[test]
fn an_index_that_names_the_compaction_itself_keeps_nothing() {
    let text = concat!(
        r#"{"type":"session","id":"s"}"#,
        "\n",
        r#"{"type":"message","message":{"role":"user","content":"a"}}"#,
        "\n",
        r#"{"type":"compaction","summary":"s","firstKeptEntryIndex":2}"#,
        "\n",
        r#"{"type":"message","message":{"role":"user","content":"b"}}"#,
        "\n",
    );
    let session = load(text);
    assert_eq!(session.diagnostics(), []);
    assert_eq!(session.build_session_context(session.leaf()).messages.len(), 2);
}

#[test]
fn version_2_renames_the_hook_role() {
    let text = concat!(
        r#"{"type":"session","version":2,"id":"s"}"#,
        "\n",
        r#"{"type":"message","id":"a","parentId":null,"message":{"role":"hookMessage","content":"a"}}"#,
        "\n",
    );
    let saved = String::from_utf8(load(text).to_jsonl()).unwrap();
    assert_eq!(saved, text.replace("hookMessage", "custom").replace(":2", ":3"));
}

#[test]
fn an_unknown_first_kept_entry_is_reported_and_nothing_is_lost() {
    let compaction =
        r#"{"type":"compaction","id":"k","parentId":"b","summary":"s","firstKeptEntryId":"gone","tokensBefore":1}"#;
    let text = format!("{HEADER}\n{}\n{}\n{compaction}\n", user("a", None), user("b", Some("a")));
    check(&text, &["a", "b", "k"], &["4:unknown-first-kept"]);
    assert_eq!(load(&text).build_session_context(Some(2)).messages.len(), 3);
}

#[test]
fn a_deep_and_a_long_session_load_without_recursion() {
    let mut text = String::from(HEADER);
    let mut parent = None;
    for number in 0..20_000 {
        let id = format!("e{number}");
        text.push('\n');
        text.push_str(&user(&id, parent.as_deref()));
        parent = Some(id);
    }
    let session = load(&text);
    assert_eq!(session.path(session.leaf()).len(), 20_000);
}

#[test]
fn fields_that_are_null_are_not_given_twice() {
    let text = concat!(
        r#"{"type":"session","id":"s"}"#,
        "\n",
        r#"{"type":"message","id":null,"parentId":null,"message":{"role":"user","content":"a"}}"#,
        "\n",
        r#"{"id":null,"type":"message","message":{"role":"user","content":"b"},"parentId":null}"#,
        "\n",
        r#"{"type":"compaction","summary":"s","firstKeptEntryIndex":2,"firstKeptEntryId":null}"#,
        "\n",
    );
    let session = load(text);
    let saved = session.to_jsonl();
    let again = Session::from_jsonl(saved.clone(), Preset::Safe, 9).unwrap();
    assert_eq!(again.diagnostics(), [], "{}", String::from_utf8_lossy(&saved));
    for index in 0..3 {
        assert_eq!(again.entry(index), session.entry(index));
    }
    let seen = |session: &Session| session.build_session_context(session.leaf()).messages;
    assert_eq!((seen(&again), seen(&again).len()), (seen(&session), 2));
}

#[test]
fn a_new_entry_may_not_bring_the_fields_of_the_session() {
    let mut session = load(&format!("{HEADER}\n{}\n", user("a", None)));
    for field in [r#""id":null"#, r#""parentId":null"#, r#""timestamp":"""#, r#""id":"x""#, r#""timestamp":5"#] {
        let json = format!(r#"{{"type":"custom","customType":"t",{field}}}"#);
        assert_eq!(session.append(&json, NOW).unwrap_err().code, ErrorCode::InvalidEntry, "{field}");
    }
    assert_eq!(session.len(), 1);
}

#[test]
fn a_torn_record_in_any_spelling_keeps_its_place() {
    let spaced = r#"{"type": "message", "parentId": "a", "id": "b", "timestamp": "t", "message": {"role": "assi"#;
    let whole = user("c", Some("b")).replace("\":", "\": ").replace(",\"", ", \"");
    let text = format!("{HEADER}\n{}\n{spaced}{whole}\n", user("a", None));
    check(&text, &["a", "b", "c"], &["3:malformed-line", "3:glued-record"]);
    let last = user("c", Some("b"));
    let reordered = format!(r#"{{"id":"c","parentId":"b",{}"#, &last[1..].replace(r#""id":"c","parentId":"b","#, ""));
    check(
        &format!("{HEADER}\n{}\n{spaced}{reordered}\n", user("a", None)),
        &["a", "b", "c"],
        &["3:malformed-line", "3:glued-record"],
    );
}

#[test]
fn many_glued_records_with_half_pairs_are_read_in_linear_time() {
    let record = |n: usize| user(&format!("e{n}"), None).replace("\"content\":\"", "\"content\":\"\\ud83d");
    let text: String = (0..20_000).map(record).collect();
    let session = load(&format!("{HEADER}\n{text}\n"));
    assert_eq!(session.len(), 20_000);
    assert!(session.entry_json(19_999).unwrap().contains("\\ufffde19999"));
}

#[test]
fn many_equal_records_get_their_ids_in_linear_time() {
    let record = r#"{"type":"custom","customType":"t"}"#;
    let session = load(&format!("{}\n{}\n", HEADER.replace(r#""version":3,"#, ""), record.repeat(20_000)));
    assert_eq!((session.len(), session.path(session.leaf()).len()), (20_000, 20_000));
}

#[test]
fn wrong_types_in_a_header_and_a_usage_are_reported() {
    let usage = r#"{"type":"message","id":"a","parentId":null,"message":{"role":"assistant","content":[],"usage":{"input":"5"}}}"#;
    check(&format!("{}\n{usage}\n", HEADER.replace(":3", ":\"3\"")), &["a"], &["1:wrong-shape", "2:wrong-shape"]);
}

#[test]
fn children_stand_in_the_order_of_the_file() {
    let text = format!(
        "{HEADER}\n{}\n{}\n{}\n{}\n",
        user("g", Some("y")),
        user("x", Some("p")),
        user("y", Some("p")),
        user("p", None)
    );
    let session = load(&text);
    let parent = session.index_of("p").unwrap();
    assert_eq!(session.children(parent).collect::<Vec<_>>(), [1, 2]);
}
