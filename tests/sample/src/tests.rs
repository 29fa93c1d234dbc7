//! What the sample promises to those who fold it.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use serde_json::Value;

use crate::generate;

fn entries() -> Vec<Value> {
    generate().lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

fn role(entry: &Value) -> &str {
    entry["message"]["role"].as_str().unwrap_or("")
}

/// The entries from the root to the last one.
fn path(all: &[Value]) -> Vec<&Value> {
    let by_id: HashMap<&str, &Value> = all.iter().skip(1).map(|e| (e["id"].as_str().unwrap(), e)).collect();
    let mut path = vec![all.last().unwrap()];
    while let Some(parent) = path.last().and_then(|e| e["parentId"].as_str()) {
        path.push(by_id[parent]);
    }
    path.reverse();
    path
}

#[test]
fn the_same_text_every_time() {
    assert_eq!(generate(), generate());
}

#[test]
fn the_size_makes_folding_worthwhile() {
    let text = generate();
    let entries = text.lines().count() - 1;
    let tokens = text.encode_utf16().count() / 4;
    assert!((450..=700).contains(&entries), "{entries} entries");
    assert!((150_000..=250_000).contains(&tokens), "{tokens} tokens");
}

#[test]
fn ids_are_new_and_parents_come_first() {
    let all = entries();
    let mut seen = HashSet::new();
    for (number, entry) in all.iter().enumerate().skip(1) {
        let id = entry["id"].as_str().unwrap();
        assert!(id.len() == 8 && id.bytes().all(|b| b.is_ascii_hexdigit()), "{id}");
        match entry["parentId"].as_str() {
            Some(parent) => assert!(seen.contains(parent), "line {number}: {parent}"),
            None => assert_eq!(number, 1, "one root"),
        }
        assert!(seen.insert(id.to_owned()), "{id} twice");
    }
}

#[test]
fn time_moves_forward_within_the_day() {
    let all = entries();
    let times: Vec<&str> = all.iter().map(|e| e["timestamp"].as_str().unwrap()).collect();
    assert!(times.is_sorted());
    assert!(times.iter().all(|t| t.starts_with("2026-03-17T")), "{:?}", times.last());
    let millis: Vec<u64> = all.iter().filter_map(|e| e["message"]["timestamp"].as_u64()).collect();
    assert!(millis.is_sorted());
}

#[test]
fn every_call_has_its_result_before_the_next_turn() {
    let mut open: BTreeSet<String> = BTreeSet::new();
    let mut out_of_order = 0;
    let mut asked: Vec<String> = vec![];
    for entry in entries() {
        match role(&entry) {
            "toolResult" => {
                let id = entry["message"]["toolCallId"].as_str().unwrap().to_owned();
                out_of_order += usize::from(asked.first() != Some(&id) && asked.len() > 1);
                asked.retain(|a| *a != id);
                assert!(open.remove(&id), "{id}");
            }
            "assistant" => {
                assert!(open.is_empty(), "{open:?}");
                asked = entry["message"]["content"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .filter(|b| b["type"] == "toolCall")
                    .map(|b| b["id"].as_str().unwrap().into())
                    .collect();
                let stop = entry["message"]["stopReason"].as_str().unwrap();
                if !["error", "aborted"].contains(&stop) {
                    assert_eq!(stop == "toolUse", !asked.is_empty());
                    open.extend(asked.iter().cloned());
                }
            }
            _ => assert!(open.is_empty()),
        }
    }
    assert!(open.is_empty());
    assert!(out_of_order > 20, "{out_of_order}");
}

#[test]
fn failures_are_those_the_story_tells() {
    let failed: Vec<String> = entries()
        .iter()
        .filter(|e| e["message"]["isError"] == true)
        .map(|e| {
            format!(
                "{}: {}",
                e["message"]["toolName"].as_str().unwrap(),
                e["message"]["content"][0]["text"].as_str().unwrap().chars().take(160).collect::<String>()
            )
        })
        .collect();
    // Edits and reads that fail by accident would be holes in the story.
    assert!(failed.iter().all(|text| text.starts_with("bash: ")), "{failed:#?}");
    assert!(failed.len() >= 15, "{}", failed.len());
}

#[test]
fn every_kind_of_entry_and_role_is_there() {
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for entry in entries() {
        *kinds.entry(format!("{}/{}", entry["type"].as_str().unwrap(), role(&entry))).or_default() += 1;
        if let Some(stop) = entry["message"]["stopReason"].as_str() {
            *kinds.entry(format!("stop:{stop}")).or_default() += 1;
        }
    }
    for kind in [
        "session/",
        "message/user",
        "message/assistant",
        "message/toolResult",
        "message/bashExecution",
        "message/fileMention",
        "model_change/",
        "thinking_level_change/",
        "label/",
        "session_info/",
        "custom/",
        "custom_message/",
        "branch_summary/",
        "compaction/",
        "stop:stop",
        "stop:toolUse",
        "stop:error",
        "stop:aborted",
    ] {
        assert!(kinds.contains_key(kind), "{kind} is missing: {kinds:#?}");
    }
}

/// The entries of each branch that was left, by the one that it begins behind.
fn left(all: &[Value]) -> Vec<(Value, Vec<&Value>)> {
    let on_path: HashSet<&str> = path(all).iter().map(|e| e["id"].as_str().unwrap()).collect();
    let mut branches: Vec<(Value, Vec<&Value>)> = vec![];
    for entry in all.iter().skip(1).filter(|e| !on_path.contains(e["id"].as_str().unwrap())) {
        match branches.last_mut().filter(|(_, branch)| branch.last().unwrap()["id"] == entry["parentId"]) {
            Some((_, branch)) => branch.push(entry),
            None => branches.push((entry["parentId"].clone(), vec![entry])),
        }
    }
    branches
}

#[test]
fn the_abandoned_branch_is_folded_and_summarised_where_the_new_one_begins() {
    let all = entries();
    let (fork, branch) = &left(&all)[0];
    assert!((24..=40).contains(&branch.len()), "{}", branch.len());
    let summary = all.iter().find(|e| e["type"] == "branch_summary").unwrap();
    assert_eq!(summary["fromId"], branch.last().unwrap()["id"]);
    assert_eq!(&summary["parentId"], fork);
    let compaction = branch.iter().find(|e| e["type"] == "compaction").unwrap();
    let kept = branch.iter().position(|e| e["id"] == compaction["firstKeptEntryId"]).unwrap();
    assert_eq!(role(branch[kept]), "user");
    assert!(branch.iter().position(|e| e["type"] == "compaction").unwrap() > kept);
    // Behind a compaction a provider counts less.
    let total = |entry: &&&Value| entry["message"]["usage"]["totalTokens"].as_u64().filter(|total| *total > 0);
    let totals: Vec<u64> = branch.iter().filter_map(|entry| total(&entry)).collect();
    assert!(totals.last() < totals.first() && compaction["tokensBefore"].as_u64().unwrap() > totals[0], "{totals:?}");
}

#[test]
fn a_question_that_came_too_soon_is_asked_anew_from_the_same_place() {
    let all = entries();
    let branches = left(&all);
    assert_eq!(branches.len(), 2);
    let (fork, branch) = &branches[1];
    assert_eq!(role(branch[0]), "user");
    let again = path(&all).into_iter().find(|e| &e["parentId"] == fork).unwrap();
    assert_eq!(role(again), "user");
}

#[test]
fn usage_grows_to_nearly_the_window() {
    let all = entries();
    let totals: Vec<u64> = path(&all)
        .into_iter()
        .filter_map(|e| e["message"]["usage"]["totalTokens"].as_u64())
        .filter(|total| *total > 0)
        .collect();
    assert!(totals.is_sorted());
    assert!(totals[0] > 9_000 && totals[0] < 12_000, "{}", totals[0]);
    let last = *totals.last().unwrap();
    assert!((183_700..198_000).contains(&last), "{last}");
    for entry in &all {
        let usage = &entry["message"]["usage"];
        let sum: u64 = ["input", "output", "cacheRead", "cacheWrite"].iter().filter_map(|k| usage[*k].as_u64()).sum();
        assert_eq!(usage["totalTokens"].as_u64().unwrap_or(0), sum);
    }
}

#[test]
fn text_of_many_scripts_and_a_picture() {
    let text = generate();
    for sample in ["さくら丸", "الحاوية", "Чайка", "⚠️", "📦", "横浜"] {
        assert!(text.contains(sample), "{sample}");
    }
    assert_eq!(text.matches("\"mimeType\":\"image/png\"").count(), 1);
    assert!(text.contains("\"build\":1.40e2"), "a number in a spelling of its own");
}
