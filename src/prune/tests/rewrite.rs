//! The mode that rewrites stored entries.

use super::*;

fn rewrite(protect: u64) -> Settings {
    settings(PruneMode::Rewrite, protect, 1)
}

/// A version 3 file of entries in a chain with the ids `e0`, `e1` and so on.
fn file(entries: &[&str]) -> Vec<u8> {
    let mut file = "{\"type\":\"session\",\"version\":3,\"id\":\"s\",\"timestamp\":\"t\",\"cwd\":\"/\"}\n".to_owned();
    for (number, entry) in entries.iter().enumerate() {
        let parent = number.checked_sub(1).map_or_else(|| "null".to_owned(), |parent| format!("\"e{parent}\""));
        let ids = format!(r#""id":"e{number}","parentId":{parent},"timestamp":"{NOW}""#);
        file += &entry.replace("IDS", &ids);
        file.push('\n');
    }
    file.into_bytes()
}

const CALL: &str = r#"{"type":"message",IDS,"message":{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"t","arguments":{}}]}}"#;

fn load(bytes: Vec<u8>) -> Session {
    Session::from_jsonl(bytes, Preset::Safe, 1).unwrap()
}

fn text_of(session: &Session, index: Index) -> String {
    session.entry(index).unwrap().tool_result().unwrap().content.texts().collect()
}

/// A load of what was saved is the same session.
fn same(session: &Session) -> Session {
    let again = again(session);
    assert_eq!((again.to_jsonl(), again.len()), (session.to_jsonl(), session.len()));
    for index in 0..session.len() as Index {
        assert_eq!(again.entry(index), session.entry(index));
        assert_eq!(again.estimated_view(Some(index)), session.estimated_view(Some(index)));
    }
    again
}

/// The line of a result of 100 tokens before a prune and after it.
fn check_line(result: &str, expected: &str) {
    let mut session = load(file(&[CALL, result]));
    let first = String::from_utf8(session.to_jsonl()).unwrap();
    assert_eq!(prune(&mut session, &rewrite(0), &later(1)).entries, [1], "{result}");
    let ids = format!(r#""id":"e1","parentId":"e0","timestamp":"{NOW}""#);
    let notice = r#"[{"type":"text","text":"[Output truncated - 100 tokens]"}]"#;
    let expected = expected.replace("IDS", &ids).replace("NOTICE", notice).replace("TIME", "1767225601000");
    let saved = String::from_utf8(session.to_jsonl()).unwrap();
    assert_eq!(saved.lines().last(), Some(&*expected));
    assert_eq!(saved.lines().take(2).collect::<Vec<_>>(), first.lines().take(2).collect::<Vec<_>>());
    let again = same(&session);
    assert_eq!(text_of(&again, 1), "[Output truncated - 100 tokens]");
    assert!(again.is_pruned(1, again.leaf()));
}

#[test]
fn the_notice_and_the_time_are_spliced_in_and_every_other_byte_stays() {
    let long = crate::tokens::ONE_TOKEN.repeat(100);
    let content = format!(r#"[{{"type":"text","text":"{long}"}}]"#);
    for (result, expected) in [
        (
            r#"{"type":"message",IDS,"message":{"role":"toolResult","toolCallId":"c","content":CONTENT,"isError":false},"x":1e2}"#,
            r#"{"type":"message",IDS,"message":{"role":"toolResult","toolCallId":"c","content":NOTICE,"prunedAt":TIME,"isError":false},"x":1e2}"#,
        ),
        // Spaces, odd spellings, an order of its own, a string for content.
        (
            r#"{ "message" : { "content" :  "LONG" , "toolName":"\u0074", "toolCallId":"c", "role":"toolResult", "n":[1.0] } , "type":"message",IDS}"#,
            r#"{ "message" : { "content" :  NOTICE,"prunedAt":TIME , "toolName":"\u0074", "toolCallId":"c", "role":"toolResult", "n":[1.0] } , "type":"message",IDS}"#,
        ),
        // A time that is null is none, and a key may be written with escapes.
        (
            r#"{"type":"message",IDS,"message":{"role":"toolResult","prunedAt": null,"toolCallId":"c","c\u006fntent":"LONG"}}"#,
            r#"{"type":"message",IDS,"message":{"role":"toolResult","prunedAt": TIME,"toolCallId":"c","c\u006fntent":NOTICE}}"#,
        ),
        // Of a duplicate key the last one counts, at each level.
        (
            r#"{"type":"message",IDS,"message":{"role":"toolResult","toolCallId":"c","content":"old","prunedAt":5,"content":"LONG","prunedAt":null}}"#,
            r#"{"type":"message",IDS,"message":{"role":"toolResult","toolCallId":"c","content":"old","prunedAt":5,"content":NOTICE,"prunedAt":TIME}}"#,
        ),
        (
            r#"{"type":"message",IDS,"message":{"toolCallId":"x","content":"old"},"message":{"role":"toolResult","toolCallId":"c","content":"LONG"}}"#,
            r#"{"type":"message",IDS,"message":{"toolCallId":"x","content":"old"},"message":{"role":"toolResult","toolCallId":"c","content":NOTICE,"prunedAt":TIME}}"#,
        ),
    ] {
        check_line(&result.replace("CONTENT", &content).replace("LONG", &long), expected);
    }
}

#[test]
fn an_appended_line_is_rewritten_like_a_loaded_one() {
    let mut session = story(&[call("a", 100), call("b", 10)]);
    let line = session.entry_json(1).unwrap();
    prune(&mut session, &rewrite(10), &later(1));
    let content = format!(r#"[{{"type":"text","text":"{}"}}]"#, crate::tokens::ONE_TOKEN.repeat(100));
    let notice = r#"[{"type":"text","text":"[Output truncated - 100 tokens]"}],"prunedAt":1767225601000"#;
    assert_eq!(session.entry_json(1).unwrap(), line.replace(&content, notice));
    same(&session);
}

#[test]
fn an_appended_line_that_is_read_otherwise_keeps_its_places() {
    let mut session = story(&[call("a", 10)]);
    let result = r#"{"type":"message","message":{"role":"toolResult","a":"\ud800","n":1e999,"toolCallId":"b","content":"\udc00LONG","z":1}}"#;
    add(&mut session, "A:b");
    let index = session.append(&result.replace("LONG", &crate::tokens::ONE_TOKEN.repeat(100)), NOW).unwrap();
    prune(&mut session, &rewrite(0), NOW);
    let line = String::from_utf8(session.entry_line(index).unwrap().into_owned()).unwrap();
    let notice = format!(
        r#""content":[{{"type":"text","text":"{}"}}],"prunedAt":1767225600000,"z":1}}}}"#,
        text_of(&session, index)
    );
    assert!(line.contains(r#""a":"\ud800","n":1e999,"#) && line.ends_with(&notice), "{line}");
    same(&session);
}

/// The place behind the last `"content":` of some bytes.
fn content_at(bytes: &[u8]) -> usize {
    let key = b"\"content\":";
    bytes.windows(key.len()).rposition(|window| window == key).unwrap() + key.len()
}

#[test]
fn bytes_that_are_no_utf8_and_forms_that_are_read_otherwise_keep_their_places() {
    let long = crate::tokens::ONE_TOKEN.repeat(100);
    for (field, raw) in [
        // What stands for `#` lies before the content, behind it and in it.
        (r##""a":"#","content":"LONG""##, &b"\xff\xfe"[..]),
        (r##""content":"#LONG#","b":"#""##, b"\xe2\x82"),
        (r##""content":"LONG","b":"#\ud800","n":1e999"##, b"\xff"),
        (r##""a":"\ud800#","content":"\udc00LONG","n":-1e999"##, "é".as_bytes()),
    ] {
        let field = field.replace("LONG", &long);
        let result = format!(r#"{{"type":"message",IDS,"message":{{"role":"toolResult","toolCallId":"c",{field}}}}}"#);
        let text = file(&[CALL, &result, r#"{"type":"custom",IDS,"customType":"x"}"#]);
        let bytes = text.split(|&byte| byte == b'#').collect::<Vec<_>>().join(raw);
        let mut session = load(bytes.clone());
        assert_eq!(prune(&mut session, &rewrite(0), NOW).entries, [1], "{field}");
        let saved = session.to_jsonl();
        let notice = text_of(&session, 1);
        // What was replaced is the value, from quote to quote.
        let (old, new) = (content_at(&bytes), content_at(&saved));
        let old_end = old + 1 + bytes[old + 1..].iter().position(|&byte| byte == b'"').unwrap() + 1;
        let put_in = format!(r#"[{{"type":"text","text":"{notice}"}}],"prunedAt":1767225600000"#);
        assert_eq!(&bytes[..old], &saved[..new], "{field}");
        assert!(saved[new..].starts_with(put_in.as_bytes()), "{field}");
        assert_eq!(&bytes[old_end..], &saved[new + put_in.len()..], "{field}");
        same(&session);
    }
}

#[test]
fn a_migrated_file_is_pruned_with_what_its_migration_splices_in() {
    let long = crate::tokens::ONE_TOKEN.repeat(100);
    let call = CALL.replace("IDS", r#""timestamp":"t""#);
    let result =
        format!(r#"{{"type":"message","message":{{"role":"toolResult","toolCallId":"c","content":"{long}"}}}}"#);
    let header = r#"{"type":"session","id":"s","timestamp":"t","cwd":"/"}"#;
    let mut session = load(format!("{header}\n{call}\n{result}\nnot json\n").into_bytes());
    let ids = |session: &Session| [0, 1].map(|index| session.entry(index).unwrap().id.clone());
    let kinds = |session: &Session| session.diagnostics().iter().map(|found| found.kind.as_str()).collect::<Vec<_>>();
    assert_eq!(prune(&mut session, &rewrite(0), NOW).entries, [1]);
    let again = same(&session);
    assert_eq!((ids(&again), kinds(&again)), (ids(&session), vec!["malformed-line"]));
    assert_eq!((again.parent(1), &*text_of(&again, 1)), (Some(0), "[Output truncated - 100 tokens]"));
    assert!(again.to_jsonl().ends_with(b"\nnot json\n"));
}

#[test]
fn a_record_whose_id_derives_from_its_bytes_keeps_them() {
    let long = crate::tokens::ONE_TOKEN.repeat(100);
    for (ids, kind) in [("", "missing-id"), (r#""id":"e0","parentId":"e0","#, "duplicate-id")] {
        let result = format!(
            r#"{{"type":"message",{ids}"message":{{"role":"toolResult","toolCallId":"c","content":"{long}"}}}}"#
        );
        let mut session = load(file(&[CALL, &result]));
        assert_eq!(session.diagnostics()[0].kind.as_str(), kind);
        assert_eq!(prune(&mut session, &rewrite(0), NOW), Pruned::default());
        // It can still be hidden.
        assert_eq!(prune(&mut session, &settings(PruneMode::Overlay, 0, 1), NOW).entries, [1]);
        same(&session);
    }
}

#[test]
fn the_context_size_is_the_usage_minus_what_a_newer_prune_saved_also_after_a_load() {
    let mut session = session(&[]);
    for (second, word) in (0..).zip(["U@50", "A:a@5", "R:a@1000", "A:b@5$3000", "R:b@1000"]) {
        add_at(&mut session, word, &later(second));
    }
    assert_eq!(tokens(&session), 4_000);
    // Both are pruned: the usage had counted the first, the second lies behind it.
    let saved = prune(&mut session, &rewrite(0), &later(60)).tokens;
    assert_eq!((saved, tokens(&session), tokens(&same(&session))), (1_984, 2_016, 2_016));
    // A turn that comes later was counted with the notices.
    add_at(&mut session, "A@5$2500", &later(61));
    assert_eq!((tokens(&session), tokens(&same(&session))), (2_500, 2_500));
    // What the usages teach of the overhead is the same as without the prune.
    for session in [&session, &again(&session)] {
        let before = session.node(3).unwrap().path.calibration.overhead;
        assert_eq!(before, Some(2_999 - 1_056));
    }
}

#[test]
fn each_of_several_prunes_counts_for_the_turns_before_it() {
    let mut session = session(&[]);
    let words = ["A:a", "R:a@1000", "A:b$3000", "R:b=read@1000", "A:c$4000", "R:c@1000", "A$5000"];
    for (second, word) in (0..).zip(words) {
        add_at(&mut session, word, &later(second));
    }
    assert_eq!(prune(&mut session, &rewrite(0), &later(20)).entries, [1, 5]);
    // By the provider's count the results take 999 of 1 000 tokens.
    assert_eq!((tokens(&session), tokens(&same(&session))), (3_017, 3_017));
    add_at(&mut session, "A:d$3500", &later(30));
    // The one between them goes last: for the newest turn only this one was counted in full.
    let mut all = rewrite(0);
    all.prune.protected_tools = Vec::new();
    assert_eq!(prune(&mut session, &all, &later(40)).entries, [3]);
    assert_eq!((tokens(&session), tokens(&same(&session))), (2_508, 2_508));
    for leaf in [2, 4, 6, 7] {
        let size = |session: &Session| session.context_usage(Some(leaf), &UsageQuery::default());
        assert_eq!(size(&session), size(&again(&session)), "at {leaf}");
    }
}

#[test]
fn where_the_clock_stands_still_a_prune_comes_after_the_newest_turn() {
    let mut session = session(&["A:a", "R:a@1000", "A$3000"]);
    prune(&mut session, &rewrite(0), NOW);
    assert_eq!((tokens(&session), tokens(&same(&session))), (2_008, 2_008));
    // In memory the order is known, whatever the clock says.
    add(&mut session, "A$2500");
    assert_eq!(tokens(&session), 2_500);
}

#[test]
fn without_times_a_loaded_usage_is_taken_as_it_is() {
    let mut session = session(&[]);
    for word in ["A:a", "R:a@1000", "A$3000"] {
        add_at(&mut session, word, "t");
    }
    prune(&mut session, &rewrite(0), NOW);
    assert_eq!((tokens(&session), tokens(&again(&session))), (2_008, 3_000));
}

#[test]
fn what_a_compaction_covers_is_not_subtracted() {
    let mut session = session(&[]);
    for (second, word) in (0..).zip(["U", "A:a", "R:a@1000", "U", "A:b", "R:b@1000", "A$3000"]) {
        add_at(&mut session, word, &later(second));
    }
    add_at(&mut session, "K:3", &later(10));
    add_at(&mut session, "A:c$1500", &later(11));
    let compacted = session.leaf();
    // The branch without the compaction prunes both; the other view holds the second alone.
    let fork = session.entry(6).unwrap().id.clone();
    session.branch(&fork).unwrap();
    assert_eq!(prune(&mut session, &rewrite(0), &later(20)).entries, [2, 5]);
    for session in [&session, &again(&session)] {
        let size = |leaf| session.context_usage(leaf, &UsageQuery::default()).tokens;
        assert_eq!((size(Some(6)), size(compacted)), (3_000 - 1_984, 1_500 - 992));
    }
}

#[test]
fn sums_are_corrected_below_a_result_wherever_its_children_stand_in_the_file() {
    // The children of each entry stand before it.
    let long = crate::tokens::ONE_TOKEN.repeat(100);
    let message =
        |ids: &str, message: &str| format!(r#"{{"type":"message",{ids},"timestamp":"t","message":{message}}}"#);
    let entries = [
        message(r#""id":"u","parentId":"r""#, &format!(r#"{{"role":"user","content":"{long}"}}"#)),
        message(
            r#""id":"r","parentId":"a""#,
            &format!(r#"{{"role":"toolResult","toolCallId":"c","content":"{long}"}}"#),
        ),
        CALL.replace("IDS", r#""id":"a","parentId":null"#),
        r#"{"type":"custom","id":"x","parentId":"u","customType":"x"}"#.to_owned(),
    ];
    let header = r#"{"type":"session","version":3,"id":"s","timestamp":"t","cwd":"/"}"#;
    let mut session = load(format!("{header}\n{}\n", entries.join("\n")).into_bytes());
    let before = session.estimated_view(session.leaf()).tokens;
    assert_eq!(prune(&mut session, &rewrite(0), NOW).tokens, 92);
    assert_eq!(session.estimated_view(session.leaf()).tokens, before - 92);
    same(&session);
}

#[test]
fn a_usage_larger_than_the_window_is_believed_as_it_was_before_the_prune() {
    let mut session = session(&["U@10", "A:a", "R:a@900", "A$1100"]);
    prune(&mut session, &rewrite(0), NOW);
    let query = UsageQuery { context_window: Some(1_000), ..UsageQuery::default() };
    let usage = session.context_usage(session.leaf(), &query);
    assert_eq!((usage.tokens, usage.reason, usage.source.as_str()), (1_100 - 892, None, "usage+estimate"));
    assert!(usage.low < usage.tokens && usage.tokens < usage.high, "{usage:?}");
}

#[test]
fn many_results_pruned_at_many_times_load_in_linear_time() {
    const TURNS: usize = 20_000;
    let long = crate::tokens::ONE_TOKEN.repeat(20);
    let mut text = String::from_utf8(file(&[])).unwrap();
    for turn in 0..TURNS {
        let message = |id: &str, parent: &str, message: &str| {
            format!(
                "{{\"type\":\"message\",\"id\":\"{id}\",\"parentId\":{parent},\"timestamp\":\"{NOW}\",\"message\":{message}}}\n"
            )
        };
        let parent = turn.checked_sub(1).map_or_else(|| "null".to_owned(), |before| format!("\"r{before}\""));
        let usage = r#""usage":{"input":900000,"output":1,"cacheRead":0,"cacheWrite":0}"#;
        let call = format!(r#"{{"type":"toolCall","id":"c{turn}","name":"t","arguments":{{}}}}"#);
        text +=
            &message(&format!("a{turn}"), &parent, &format!(r#"{{"role":"assistant","content":[{call}],{usage}}}"#));
        // Every second one was pruned, each at a time of its own, all behind every turn.
        let (content, pruned) = match turn % 2 {
            0 => ("[Output truncated - 1000 tokens]", format!(r#","prunedAt":{}"#, 1_800_000_000_000 + turn as u64)),
            _ => (&*long, String::new()),
        };
        let result = format!(r#"{{"role":"toolResult","toolCallId":"c{turn}","content":"{content}"{pruned}}}"#);
        text += &message(&format!("r{turn}"), &format!("\"a{turn}\""), &result);
    }
    let mut session = load(text.into_bytes());
    let newest = session.node(2 * TURNS as Index - 2).unwrap();
    // As many groups as are looked at, each of one result.
    assert_eq!(newest.pruned_since, 64 * 992);
    assert_eq!(prune(&mut session, &rewrite(0), NOW).entries.len(), TURNS / 2);
    assert_eq!(prune(&mut session, &rewrite(0), NOW), Pruned::default());
}
