use super::*;
use crate::session::testing::{NOW, add, session, session_with, tokenizer};
use crate::session::{ContextUsage, UsageQuery};
use crate::tokens::ONE_TOKEN;

/// A bit of everything: branches, compactions, usages, failed turns, what the model never sees.
const STORY: [&str; 24] = [
    "U@40",
    "A:a,b@9$400",
    "R:a@900",
    "R:b@30",
    "A@5$1500",
    "M",
    "U@10",
    "E:c@7",
    "R:c@3",
    "B@50",
    "X@60",
    "K:6",
    "T@12",
    "A:d@4$1700",
    "R:d@2000",
    "C@8",
    "S@20",
    "A@3$4000",
    "K:13",
    "U@1",
    "A:e",
    "R:e@5000",
    "A@2$9000",
    "U@33",
];

fn with_tokenizer(story: &[&str]) -> Session {
    let mut session = session(&[]);
    session.use_tokenizer(tokenizer()).unwrap();
    for word in story {
        add(&mut session, word);
    }
    session
}

/// Everything that is known of every entry.
fn facts(session: &Session) -> Vec<String> {
    (0..session.len() as Index).map(|index| format!("{:?}", session.node(index))).collect()
}

fn usage(session: &Session) -> ContextUsage {
    session.context_usage(session.leaf(), &UsageQuery::default())
}

#[test]
fn what_is_counted_later_is_what_would_have_been_counted_at_once() {
    let expected = with_tokenizer(&STORY);
    for bytes in [1, 7, 100, 5_000, usize::MAX] {
        let mut counted = session(&STORY);
        assert_ne!(facts(&counted), facts(&expected), "the estimates of this story are not exact");
        counted.use_tokenizer(tokenizer()).unwrap();
        let mut parts = 1;
        while !counted.count_some(bytes) {
            parts += 1;
        }
        assert_eq!(facts(&counted), facts(&expected), "{bytes} bytes at a time");
        assert_eq!(usage(&counted), usage(&expected));
        assert_eq!(parts > 1, bytes < 50_000, "{bytes} bytes at a time took {parts} parts");
    }
}

#[test]
fn the_tokens_of_an_entry_are_those_of_its_texts() {
    let mut loaded = session(&["U@100", "A:a@50", "R:a@7"]);
    loaded.use_tokenizer(tokenizer()).unwrap();
    loaded.count_rest();
    let text = tokenizer().count(&ONE_TOKEN.repeat(100));
    assert_eq!(loaded.node(0).unwrap().tokens, TokenEstimate { tokens: text, reasoning: 0, files: 0 });
    let call = tokenizer().count(&ONE_TOKEN.repeat(50)) + tokenizer().count("read") + tokenizer().count("{}");
    let turn = loaded.node(1).unwrap();
    assert!(turn.entry.message().is_some() && turn.tokens.tokens >= call - 2, "{:?}", turn.tokens);
    assert_eq!(usage(&loaded).tokens, loaded.nodes.iter().map(|node| node.tokens.tokens).sum::<u64>());
}

#[test]
fn entries_that_are_appended_meanwhile_are_counted_in_their_place() {
    let expected = with_tokenizer(&STORY);
    for first in [0, 1, 9, 20] {
        let (loaded, appended) = STORY.split_at(first);
        let mut counted = session(loaded);
        counted.use_tokenizer(tokenizer()).unwrap();
        for word in appended {
            counted.count_some(30);
            add(&mut counted, word);
        }
        counted.count_rest();
        assert_eq!(facts(&counted), facts(&expected), "{first} entries loaded");
    }
}

#[test]
fn prune_entries_and_branches_are_linked_anew() {
    let tell = |session: &mut Session| {
        for word in ["U@10", "A:a@3", "R:a@3000", "A:b@3$900", "R:b@4000"] {
            add(session, word);
        }
        let ids: Vec<String> = [2, 4].map(|index| format!("{:?}", &*session.entry(index).unwrap().id)).into();
        session.append(&format!(r#"{{"type":"prune","entryIds":[{}]}}"#, ids.join(",")), NOW).unwrap();
        add(session, "A@3$950");
        let first = session.entry(1).unwrap().id.to_string();
        session.branch(&first).unwrap();
        add(session, "U@77");
    };
    let mut expected = session(&[]);
    expected.use_tokenizer(tokenizer()).unwrap();
    tell(&mut expected);
    let mut counted = session(&[]);
    tell(&mut counted);
    counted.use_tokenizer(tokenizer()).unwrap();
    while !counted.count_some(40) {}
    assert_eq!(facts(&counted), facts(&expected));
}

#[test]
fn a_prune_entry_that_is_appended_meanwhile_hides_its_results_once() {
    let tell = |session: &mut Session| {
        let ids = [2, 4].map(|index| format!("{:?}", &*session.entry(index).unwrap().id)).join(",");
        session.append(&format!(r#"{{"type":"prune","entryIds":[{ids}]}}"#), NOW).unwrap()
    };
    let story = ["U@10", "A:a@3", "R:a@3000", "A:b@3$900", "R:b@4000"];
    let mut expected = with_tokenizer(&story);
    tell(&mut expected);
    let mut counted = session(&story);
    counted.use_tokenizer(tokenizer()).unwrap();
    counted.count_some(10);
    let prune = tell(&mut counted);
    counted.count_rest();
    assert_eq!(facts(&counted), facts(&expected));
    // Nothing names them any more once the entry is gone.
    counted.withdraw(prune).unwrap();
    assert_eq!(facts(&counted), facts(&with_tokenizer(&story)));
}

#[test]
fn children_that_stand_before_their_parents_in_the_file_are_counted_behind_them() {
    let lines = ["c b 30", "b a 500", "a null 20"].map(|line| {
        let words: Vec<&str> = line.split(' ').collect();
        let parent = if words[1] == "null" { "null".to_owned() } else { format!("\"{}\"", words[1]) };
        let text = "word".repeat(words[2].parse().unwrap());
        format!(
            r#"{{"type":"message","id":"{}","parentId":{parent},"timestamp":"{NOW}","message":{{"role":"user","content":"{text}"}}}}"#,
            words[0]
        )
    });
    let mut loaded = Session::from_jsonl(lines.join("\n").into_bytes(), Preset::Safe, 1).unwrap();
    loaded.use_tokenizer(tokenizer()).unwrap();
    while !loaded.count_some(10) {}
    let sum: u64 = [30, 500, 20].map(|words| tokenizer().count(&"word".repeat(words))).iter().sum();
    let leaf = loaded.index_of("c");
    assert_eq!(loaded.estimated_view(leaf).tokens, sum);
}

#[test]
fn whoever_asks_gets_exact_numbers_and_taking_back_waits_for_them() {
    let expected = with_tokenizer(&STORY[..STORY.len() - 1]);
    let mut counted = session(&STORY);
    counted.use_tokenizer(tokenizer()).unwrap();
    counted.count_some(10);
    counted.withdraw(STORY.len() as Index - 1).unwrap();
    assert_eq!(usage(&counted), usage(&expected));
    let mut locked = session(&STORY[..STORY.len() - 1]);
    locked.use_tokenizer(tokenizer()).unwrap();
    locked.lock().unwrap();
    assert_eq!(usage(&locked), usage(&expected));
}

#[test]
fn the_size_says_that_it_was_counted_and_its_margin_is_that_of_what_frames_messages() {
    let mut counted = session(&["U@100", "A@50"]);
    assert_eq!(usage(&counted).source.as_str(), "estimate");
    counted.use_tokenizer(tokenizer()).unwrap();
    counted.count_rest();
    let ContextUsage { tokens, low, high, source, .. } = usage(&counted);
    assert_eq!((source.as_str(), low, high), ("count", tokens, tokens + tokens.div_ceil(10)));
    add(&mut counted, "A@5$400");
    assert_eq!(usage(&counted).source.as_str(), "usage");
    add(&mut counted, "U@40");
    assert_eq!(usage(&counted).source.as_str(), "usage+count");
}

#[test]
fn files_count_by_their_rule_and_are_no_surer_for_the_tokenizer() {
    let mut counted = session(&["U@100", "A@50"]);
    counted.use_tokenizer(tokenizer()).unwrap();
    let before = usage(&counted).tokens;
    let document = r#"{"type":"document","source":{"type":"url","url":"https://example.org/a.pdf"}}"#;
    let message = format!(r#"{{"type":"message","message":{{"role":"user","content":[{document}]}}}}"#);
    counted.append(&message, "2026-01-01T00:00:00.000Z").unwrap();
    let ContextUsage { tokens, low, high, .. } = usage(&counted);
    let files = tokens - before;
    assert_eq!(files, 5 * (1_500 + 1_496), "five pages stand for a file that lies elsewhere");
    assert_eq!((low, high), (tokens - files / 2, tokens + files / 2 + before.div_ceil(10)));
    // Behind a usage, which holds the file, the size is sure again.
    add(&mut counted, "A@5$20000");
    let ContextUsage { tokens, low, high, .. } = usage(&counted);
    assert_eq!((low, tokens, high), (20_000, 20_000, 20_000));
    counted.append(&message, "2026-01-01T00:00:00.000Z").unwrap();
    let ContextUsage { tokens, low, high, .. } = usage(&counted);
    assert!(tokens - low >= files / 2 && high - tokens >= files / 2, "{low} {tokens} {high}");
}

#[test]
fn classic_counts_as_it_always_did() {
    let mut classic = session_with(Preset::Classic, &STORY);
    let before = usage(&classic);
    let error = classic.use_tokenizer(tokenizer()).unwrap_err();
    assert_eq!(error.code, ErrorCode::InvalidArgument);
    assert_eq!(usage(&classic), before);
}
