use super::*;
use crate::session::testing::{add, session, session_keeping, session_with};

/// The view of a story, each message by the number of its entry; `+call` is a made-up result.
fn view(session: &Session) -> Vec<String> {
    let context = session.build_session_context(session.leaf());
    let name = |message: &ContextMessage| match message {
        ContextMessage::Entry(index) => index.to_string(),
        ContextMessage::Pruned { entry, .. } => format!("{entry}-"),
        ContextMessage::SyntheticResult { entry, call } => format!("{entry}+{call}"),
    };
    context.messages.iter().map(name).collect()
}

fn check(story: &[&str], messages: &str, repairs: &str, pending: &str) {
    check_session(&session(story), story, messages, repairs, pending);
}

fn check_session(session: &Session, story: &[&str], messages: &str, repairs: &str, pending: &str) {
    let context = session.build_session_context(session.leaf());
    let kinds: Vec<&str> = context.repairs.iter().map(|repair| repair.kind.as_str()).collect();
    let calls: Vec<&str> = context.pending_tool_calls.iter().map(|call| &*call.tool_call_id).collect();
    assert_eq!(view(session).join(" "), messages, "messages of {story:?}");
    assert_eq!((kinds.join(" ").as_str(), calls.join(" ").as_str()), (repairs, pending), "{story:?}");
}

#[test]
fn the_worked_example_of_the_contract() {
    // Numbered from 0 without the header, so each number is one less than in the contract.
    let story = ["U", "A:a", "R:a", "U", "A:b,c", "R:b", "R:c", "A:d", "R:d"];
    let mut folded = story.to_vec();
    folded.push("K:3");
    check(&folded, "9 3 4 5 6 7 8", "", "");
}

#[test]
fn without_a_compaction_everything_is_seen_but_metadata() {
    check(&["U", "M", "A:a", "R:a", "C", "S", "A"], "0 2 3 4 5 6", "", "");
    check(&[], "", "", "");
}

#[test]
fn a_message_of_an_unknown_role_is_not_seen() {
    let mut session = session(&["U"]);
    session
        .append(r#"{"type":"message","message":{"role":"oracle","content":"x"}}"#, super::super::testing::NOW)
        .unwrap();
    assert_eq!(view(&session).join(" "), "0");
}

#[test]
fn only_the_latest_compaction_counts() {
    check(&["U", "A", "K:1", "U", "A", "K:1", "U"], "5 1 3 4 6", "", "");
}

#[test]
fn failed_turns_go_with_their_results() {
    check(&["U", "E:a", "R:a", "A"], "0 3", "failed-turn result-of-failed-turn", "");
}

#[test]
fn a_call_without_a_result_gets_one() {
    check(&["U", "A:a,b", "R:b", "U"], "0 1 2 1+0 3", "missing-result", "");
    check(&["A:a", "A"], "0 0+0 1", "missing-result", "");
}

#[test]
fn a_call_at_the_leaf_is_pending() {
    check(&["U", "A:a,b", "R:a", "M"], "0 1 2", "", "b");
    check(&["U", "A:a"], "0 1", "", "a");
    check(&["U", "A:a", "E"], "0 1 1+0", "missing-result failed-turn", "");
}

#[test]
fn results_out_of_place() {
    check(&["U", "R:x", "A"], "0 2", "orphan-result", "");
    check(&["A:a,b", "R:b", "U", "R:a"], "0 1 3 2", "moved-result", "");
    check(&["A:a", "R:a", "U", "R:a"], "0 1 2", "repeated-result", "");
    check(&["R:a", "A:a", "U"], "1 0 2", "moved-result", "");
}

#[test]
fn a_first_kept_result_is_moved_back_to_its_call() {
    check(&["U", "A:a", "R:a", "A", "K:2", "U"], "4 1 2 3 5", "", "");
}

#[test]
fn t05_interleaved_results_go_behind_their_calls() {
    check(&["A:a,b", "R:b", "U", "R:a", "A"], "0 1 3 2 4", "moved-result", "");
    check(
        &["A:a,b,c", "U", "R:c", "C", "R:a", "S", "R:b"],
        "0 2 4 6 1 3 5",
        "moved-result moved-result moved-result",
        "",
    );
    check(&["A:a", "A:b", "R:a", "R:b"], "0 2 1 3", "moved-result", "");
    check(&["A:a", "A:b", "R:b", "R:a", "U"], "0 3 1 2 4", "moved-result", "");
    // What no view holds stands between nothing.
    check(&["A:a", "M", "R:a"], "0 2", "", "");
    check(&["A:a", "X", "R:a"], "0 2", "empty-message", "");
    check(&["A:a", "E:e", "R:a"], "0 2", "failed-turn", "");
    check(&["A:a", "E:e", "R:e", "R:a"], "0 3", "failed-turn result-of-failed-turn", "");
}

#[test]
fn t06_a_repeated_result_is_kept_once() {
    check(&["A:a", "R:a", "U", "R:a", "A", "R:a"], "0 1 2 4", "repeated-result repeated-result", "");
    check(&["A:a,b", "R:a", "R:a", "R:b", "U"], "0 1 3 4", "repeated-result", "");
    // The copy stands in the kept part, the other behind the compaction.
    check(&["U", "A:a", "R:a", "K:1", "R:a", "U"], "3 1 2 5", "repeated-result", "");
}

#[test]
fn ids_that_come_again_go_to_the_nearest_call_that_waits() {
    check(&["A:a", "R:a", "A:a", "R:a"], "0 1 2 3", "", "");
    check(&["A:a", "R:a", "U", "A:a"], "0 1 2 3", "", "a");
    check(&["A:a", "A:a", "R:a", "U"], "0 0+0 1 2 3", "missing-result", "");
    check(&["A:a,a", "R:a", "R:a", "U"], "0 1 2 3", "", "");
    check(&["A:a,a", "R:a", "U"], "0 1 0+0 2", "missing-result", "");
    check(&["E:a", "A:a", "R:a"], "1 2", "failed-turn", "");
}

#[test]
fn failed_turns_with_some_of_their_results() {
    check(&["U", "E:a,b", "R:a", "U"], "0 3", "failed-turn result-of-failed-turn", "");
    check(&["U", "E:a,b", "U", "R:b", "A"], "0 2 4", "failed-turn result-of-failed-turn", "");
    check(&["U", "E:a", "E:a", "R:a", "A"], "0 4", "failed-turn failed-turn result-of-failed-turn", "");
    check(&["U", "E:a,b", "R:a", "R:x", "A:b", "R:b"], "0 4 5", "failed-turn result-of-failed-turn orphan-result", "");
    check(&["U", "E"], "0", "failed-turn", "");
}

#[test]
fn a_compaction_between_a_call_and_its_result() {
    // The call lies before the kept part, in it, and behind the compaction.
    check(&["U", "A:a", "U", "K:2", "R:a", "U"], "3 2 5", "orphan-result", "");
    check(&["U", "A:a", "K:1", "R:a", "U"], "2 1 3 4", "", "");
    check(&["U", "A:a,b", "R:a", "K:1", "R:b", "K:1", "U"], "5 1 2 4 6", "", "");
    check(&["U", "K:0", "A:a", "R:a"], "1 0 2 3", "", "");
    check(&["U", "A:a", "K:1"], "2 1", "", "a");
}

#[test]
fn pending_are_the_unanswered_calls_with_nothing_but_results_and_metadata_behind() {
    check(&["A:a,b,c", "R:b"], "0 1", "", "a c");
    check(&["A:a", "M", "M"], "0", "", "a");
    // A command that the model never sees is as good as metadata; a turn of the model is not.
    check(&["A:a", "X"], "0", "empty-message", "a");
    check(&["A:a", "B"], "0 0+0 1", "missing-result", "");
    check(&["A:a", "T"], "0 0+0", "missing-result empty-message", "");
    check(&["A:a", "A:b"], "0 0+0 1", "missing-result", "b");
    check(&["A:a", "C"], "0 0+0 1", "missing-result", "");
    check(&["A:a", "S"], "0 0+0 1", "missing-result", "");
}

#[test]
fn t09_messages_without_content_go_and_so_does_reasoning_alone() {
    check(&["U", "T", "U"], "0 2", "empty-message", "");
    check(&["U", "X", "A"], "0 2", "empty-message", "");
    let mut session = session(&["U"]);
    for message in [
        r#"{"role":"user","content":""}"#,
        r#"{"role":"user","content":[{"type":"text","text":" \n"}]}"#,
        r#"{"role":"user","content":[]}"#,
        r#"{"role":"assistant","content":[]}"#,
        r#"{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":""}]}"#,
        r#"{"role":"custom","content":""}"#,
        r#"{"role":"fileMention","files":[]}"#,
        r#"{"role":"pythonExecution","code":"1","output":"","excludeFromContext":true}"#,
        r#"{"role":"branchSummary","summary":""}"#,
    ] {
        session.append(&format!(r#"{{"type":"message","message":{message}}}"#), super::super::testing::NOW).unwrap();
        let context = session.build_session_context(session.leaf());
        assert_eq!(context.messages.len(), 1, "{message}");
        assert_eq!(session.estimated_view(session.leaf()).tokens, 1, "{message}");
    }
    // These say something without a text.
    for message in [
        r#"{"role":"user","content":[{"type":"image","data":"","mimeType":"image/png"}]}"#,
        r#"{"role":"bashExecution","command":"","output":""}"#,
        r#"{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"toolCall","id":"c","name":"t","arguments":{}}]}"#,
        r#"{"role":"toolResult","toolCallId":"c","toolName":"t","content":[]}"#,
    ] {
        let before = view(&session).len();
        session.append(&format!(r#"{{"type":"message","message":{message}}}"#), super::super::testing::NOW).unwrap();
        assert_eq!(view(&session).len(), before + 1, "{message}");
    }
}

/// The numbers of the diagnostics about a first kept entry, by compaction.
fn unknown_first_kept(session: &Session) -> Vec<Index> {
    let of_kind = |found: &&super::super::Diagnostic| found.kind.as_str() == "unknown-first-kept";
    let entries = session.diagnostics().iter().filter(of_kind).filter_map(|found| found.entry_id.as_deref());
    entries.filter_map(|id| session.index_of(id)).collect()
}

#[test]
fn where_the_first_kept_entry_is_unknown_all_that_nobody_covers_stays() {
    let check = |story: &[&str], compactions: &[(Index, &str)], messages: &str, unknown: &[Index]| {
        let session = session_keeping(story, compactions);
        check_session(&session, story, messages, "", "");
        assert_eq!(unknown_first_kept(&session), unknown, "{story:?}");
    };
    let two = ["U", "A", "K:1", "U", "A", "K:3", "U"];
    check(&["U", "A", "K:1", "U"], &[(2, "nowhere")], "2 0 1 3", &[2]);
    check(&two, &[(5, "nowhere")], "5 1 3 4 6", &[5]);
    check(&two, &[(2, "nowhere")], "5 3 4 6", &[2]);
    check(&two, &[(2, "nowhere"), (5, "nowhere")], "5 0 1 3 4 6", &[2, 5]);
    check(&two, &[(2, "itself"), (5, "nowhere")], "5 3 4 6", &[5]);
    check(&two, &[(5, "itself")], "5 6", &[]);
    check(&["U", "A", "K:1"], &[(2, "itself")], "2", &[]);
    // Three in a row, of which only the first knows what it covers.
    let three = ["U", "A", "K:1", "U", "K:3", "U", "K:5", "U"];
    check(&three, &[(4, "nowhere"), (6, "nowhere")], "6 1 3 5 7", &[4, 6]);
}

#[test]
fn a_first_kept_entry_on_another_branch_or_behind_is_unknown() {
    let mut elsewhere = session(&["U", "A", "U"]);
    let (root, other) = (elsewhere.entry(0).unwrap().id.clone(), elsewhere.entry(2).unwrap().id.clone());
    elsewhere.branch(&root).unwrap();
    for word in ["A", "K:3", "U"] {
        add(&mut elsewhere, word);
    }
    let named = elsewhere.entry(3).unwrap().id.clone();
    let file = String::from_utf8(elsewhere.to_jsonl()).unwrap();
    let key = |id: &str| format!(r#""firstKeptEntryId":"{id}""#);
    for unknown in [other, elsewhere.entry(5).unwrap().id.clone()] {
        let file = file.replace(&key(&named), &key(&unknown));
        let loaded = Session::from_jsonl(file.into_bytes(), Preset::Safe, 7).unwrap();
        assert_eq!((view(&loaded).join(" ").as_str(), unknown_first_kept(&loaded)), ("4 0 3 5", vec![4]));
    }
}

#[test]
fn a_first_kept_result_brings_its_turn_with_it() {
    check(&["U", "A:a,b", "R:a", "R:b", "A", "K:3", "U"], "5 1 2 3 4 6", "", "");
    check(&["U", "A:a", "U", "R:a", "A", "K:3", "U"], "5 1 3 2 4 6", "moved-result", "");
    check(&["A:a", "R:a", "A:a", "R:a", "K:3", "U"], "4 2 3 5", "", "");
    check(&["U", "E:a", "R:a", "A", "K:2", "U"], "4 3 5", "failed-turn result-of-failed-turn", "");
    // The call lies nowhere, or behind an earlier compaction.
    check(&["U", "R:x", "A", "K:1", "U"], "3 2 4", "orphan-result", "");
    check(&["U", "A:a", "K:1", "R:a", "A", "K:3", "U"], "5 1 3 4 6", "", "");
}

#[test]
fn some_of_many_calls_lack_their_result() {
    check(
        &["A:a,b,c,d", "R:b", "A:e,f,g", "R:f"],
        "0 1 0+0 0+2 0+3 2 3",
        "missing-result missing-result missing-result",
        "e g",
    );
    let session = session(&["A:a,b,c,d", "R:b", "U"]);
    let ids = |message: &Message| match message {
        Message::ToolResult(result) => result.tool_call_id.to_string(),
        _ => "-".to_owned(),
    };
    let stated: Vec<String> =
        session.repaired_messages(&[0, 1, 2], session.leaf()).iter().map(|message| ids(message)).collect();
    assert_eq!(stated, ["-", "b", "a", "c", "d", "-"]);
    let repairs = session.build_session_context(session.leaf()).repairs;
    let named: Vec<&str> = repairs.iter().filter_map(|repair| repair.tool_call_id.as_deref()).collect();
    assert_eq!(named, ["a", "c", "d"]);
}

/// Quadratic work on these takes minutes.
#[test]
fn many_calls_of_one_message_stay_linear() {
    const CALLS: usize = 50_000;
    let names: Vec<String> = (0..CALLS).map(|call| call.to_string()).collect();
    let mut session = session(&["U", &format!("A:{}", names.join(","))]);
    assert_eq!(session.build_session_context(session.leaf()).pending_tool_calls.len(), CALLS);
    for call in 0..CALLS / 2 {
        add(&mut session, &format!("R:{call}"));
    }
    add(&mut session, "U");
    let context = session.build_session_context(session.leaf());
    assert_eq!((context.messages.len(), context.repairs.len()), (CALLS + 3, CALLS / 2));
    let row: Vec<Index> = (0..).take(session.len()).collect();
    assert_eq!(session.repaired_messages(&row, session.leaf()).len(), CALLS + 3);
}

#[test]
fn classic_views_are_not_repaired() {
    let session = session_with(Preset::Classic, &["U", "E:a", "R:a", "R:x", "A:b", "U"]);
    assert_eq!(view(&session).join(" "), "0 1 2 3 4 5");
}

#[test]
fn an_explicit_model_change_goes_before_what_messages_name() {
    let session = session(&["U", "M", "A"]);
    let context = session.build_session_context(session.leaf());
    assert_eq!(context.model.map(|model| &*model.model_id), Some("m"));
}

#[test]
fn the_branch_that_was_left_is_not_seen() {
    let mut session = session(&["U", "A", "U", "A"]);
    let id = session.entry(1).unwrap().id.clone();
    session.branch(&id).unwrap();
    add(&mut session, "U");
    assert_eq!(view(&session).join(" "), "0 1 4");
}

#[test]
fn a_result_that_a_good_turn_takes_counts_also_behind_a_failed_one() {
    let counted = |story: &[&str]| {
        let session = session(story);
        session.estimated_view(session.leaf()).tokens
    };
    assert_eq!(counted(&["A:a@5", "E:a@50", "R:a@7"]), 13);
    assert_eq!(counted(&["A:a@5", "R:a@7", "E:a@50", "R:a@70"]), 13);
    assert_eq!(counted(&["E:a@50", "R:a@7", "A@5"]), 5);
}
