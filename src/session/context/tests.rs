use super::*;
use crate::session::testing::{add, session, session_with};

/// The view of a story, each message by the number of its entry; `+call` is a made-up result.
fn view(session: &Session) -> Vec<String> {
    let context = session.build_session_context(session.leaf());
    let name = |message: &ContextMessage| match message {
        ContextMessage::Entry(index) => index.to_string(),
        ContextMessage::SyntheticResult { entry, call } => format!("{entry}+{call}"),
    };
    context.messages.iter().map(name).collect()
}

fn check(story: &[&str], messages: &str, repairs: &str, pending: &str) {
    let session = session(story);
    let context = session.build_session_context(session.leaf());
    let kinds: Vec<&str> = context.repairs.iter().map(|repair| repair.kind.as_str()).collect();
    let calls: Vec<&str> = context.pending_tool_calls.iter().map(|call| &*call.tool_call_id).collect();
    assert_eq!(view(&session).join(" "), messages, "messages of {story:?}");
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
    let stated: Vec<String> = session.repaired_messages(&[0, 1, 2]).iter().map(|message| ids(message)).collect();
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
    assert_eq!(session.repaired_messages(&row).len(), CALLS + 3);
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
