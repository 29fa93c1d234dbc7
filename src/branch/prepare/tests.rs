use super::*;
use crate::session::testing::{NOW, add, session, session_with};
use crate::settings::Settings;
use crate::summary::RequestKind;

fn prepare(session: &Session, budget: u64) -> BranchPreparation {
    let entries = session.path(session.leaf());
    prepare_branch_entries(session, &entries, budget, &Settings::default().file_tools)
}

/// What fits of a story, and its size.
fn check(story: &[&str], budget: u64, entries: &[Index], total_tokens: u64) {
    let preparation = prepare(&session(story), budget);
    let found = (&*preparation.entries, preparation.total_tokens);
    assert_eq!(found, (entries, total_tokens), "{story:?} in {budget}");
}

#[test]
fn messages_are_taken_from_the_newest_on_until_the_budget() {
    let story = ["U@10", "A@20", "M", "U@30", "A@40"];
    check(&story, 100, &[0, 1, 3, 4], 100);
    check(&story, 99, &[1, 3, 4], 90);
    check(&story, 70, &[3, 4], 70);
    check(&story, 69, &[4], 40);
    check(&story, 39, &[], 0);
    check(&story, u64::MAX, &[0, 1, 3, 4], 100);
    // The first that does not fit ends it, whatever lies behind.
    check(&["U@1", "A@50", "U@5"], 20, &[2], 5);
}

#[test]
fn in_a_budget_of_nothing_nothing_fits() {
    check(&["U@10", "S@5"], 0, &[], 0);
    // Of the classic rule this counts nothing.
    let mut classic = session_with(Preset::Classic, &[]);
    classic.append(r#"{"type":"custom_message","customType":"t","content":"x","display":true}"#, NOW).unwrap();
    assert_eq!((prepare(&classic, 0).entries, prepare(&classic, 1).entries), (vec![], vec![0]));
}

#[test]
fn a_summary_that_does_not_fit_is_taken_below_nine_tenths() {
    for summary in ["S@50", "K:0"] {
        let story = |newest: &str| session(&["U@1", summary, newest]);
        let size = prepare(&story("U@1"), 1_000).total_tokens - 2;
        for (newest, taken) in [("U@8", true), ("U@9", false), ("U@10", false)] {
            let preparation = prepare(&story(newest), 10);
            let newest: u64 = newest[2..].parse().unwrap();
            let expected = if taken { (vec![1, 2], newest + size) } else { (vec![2], newest) };
            assert_eq!((preparation.entries, preparation.total_tokens), expected, "{summary} before {newest}");
        }
        assert_eq!(prepare(&session(&["U@1", summary]), 1).entries, [1], "{summary} alone");
    }
    let message = |role: &str| {
        let mut session = session(&[]);
        let text = crate::tokens::ONE_TOKEN.repeat(50);
        let json =
            format!(r#"{{"type":"message","message":{{"role":"{role}","summary":"{text}","content":"{text}"}}}}"#);
        session.append(&json, NOW).unwrap();
        add(&mut session, "U@5");
        prepare(&session, 10).entries
    };
    assert_eq!(message("branchSummary"), [0, 1]);
    assert_eq!(message("compactionSummary"), [0, 1]);
    assert_eq!(message("user"), [1]);
}

#[test]
fn what_no_model_sees_is_not_taken() {
    check(&["U@5", "E@5", "X@5", "T@5", "M", "R:nobody@5", "A@5"], 100, &[0, 6], 10);
    check(&["M", "M"], 100, &[], 0);
}

#[test]
fn a_result_counts_as_the_request_shows_it() {
    let long = prepare(&session(&["U@10", "A:a@10", "R:a@90000"]), 1_000);
    assert_eq!(long.entries, [0, 1, 2]);
    // 2 000 characters, and what is said around them.
    assert!((500..560).contains(&(long.total_tokens - 20 - 10)), "{}", long.total_tokens);
    let short = session(&["A:a@10", "R:a@20"]);
    let sum: u64 = short.path(short.leaf()).iter().map(|&index| short.tokens_at(index, short.leaf())).sum();
    assert_eq!(prepare(&short, 1_000).total_tokens, sum);
}

#[test]
fn a_result_without_its_call_is_not_taken() {
    let story = ["U@5", "A:a,b@90", "R:a@7", "R:b@7", "A@5"];
    check(&story, 30, &[4], 5);
    let tree = session(&story);
    let branch = |first: usize| {
        let entries = &tree.path(tree.leaf())[first..];
        prepare_branch_entries(&tree, entries, 1_000, &Settings::default().file_tools).entries
    };
    assert_eq!(branch(2), [4], "the call lies above the branch");
    assert_eq!(branch(1), [1, 2, 3, 4]);
    check(&["A:a@5", "R:a@5", "R:a@5", "U@5"], 100, &[0, 1, 3], 16);
    // One that came before its call belongs to it all the same, as in every view.
    assert_eq!(prepare(&session(&["U@5", "R:a@5", "A:a@5", "U@5"]), 100).entries, [0, 1, 2, 3]);
}

#[test]
fn t37_a_call_without_a_result_is_answered_in_the_request() {
    let session = session(&["U@5", "A:x,y@5", "R:x@5"]);
    let request = prepare(&session, 1_000).request(&session, &options(&session));
    assert_eq!(request.kind, RequestKind::Branch);
    let made_up = format!("error]: {}", crate::session::SYNTHETIC_RESULT_TEXT);
    assert_eq!(request.prompt.matches("[Tool result").count(), 2, "{}", request.prompt);
    assert_eq!(request.prompt.matches(&made_up).count(), 1, "{}", request.prompt);
}

fn options(session: &Session) -> RequestOptions<'static> {
    RequestOptions::new(1_000, session.token_rule())
}

#[test]
fn in_the_classic_preset_there_are_no_results() {
    let story = ["U@5", "A:x@5", "R:x@500", "A@5"];
    let classic = session_with(Preset::Classic, &story);
    let preparation = prepare(&classic, 1_000);
    assert_eq!(preparation.entries, [0, 1, 3]);
    assert!(!preparation.request(&classic, &options(&classic)).prompt.contains("[Tool result"));
    assert_eq!(prepare(&session(&story), 1_000).entries, [0, 1, 2, 3]);
}

#[test]
fn an_output_that_is_pruned_where_the_branch_ends_is_shown_as_its_notice() {
    let mut session = session(&["U@5", "A:a@5", "R:a@400"]);
    let full = prepare(&session, 1_000).total_tokens;
    session.append_prune(&[2], NOW).unwrap();
    add(&mut session, "U@5");
    let pruned = prepare(&session, 1_000);
    assert_eq!((pruned.leaf, &*pruned.entries), (Some(4), &[0, 1, 2, 4][..]));
    assert!(pruned.total_tokens < full - 300, "{} after {full}", pruned.total_tokens);
    let prompt = pruned.request(&session, &options(&session)).prompt;
    assert!(
        prompt.contains("[Output truncated - ") && !prompt.contains(&crate::tokens::ONE_TOKEN.repeat(100)),
        "{prompt}"
    );
}

#[test]
fn file_operations_are_those_of_all_entries() {
    let mut session = session(&[]);
    for (tool, path) in [("read", "old.rs"), ("edit", "both.rs"), ("read", "both.rs"), ("read", "new.rs")] {
        let json = format!(
            r#"{{"type":"message","message":{{"role":"assistant","content":[{{"type":"toolCall","id":"c","name":"{tool}","arguments":{{"path":"{path}"}}}}]}}}}"#
        );
        session.append(&json, NOW).unwrap();
    }
    for budget in [0, 20, 1_000] {
        let lists = prepare(&session, budget).file_operations.lists();
        assert_eq!(lists.read_files, ["new.rs", "old.rs"], "{budget}");
        assert_eq!(lists.modified_files, ["both.rs"], "{budget}");
    }
    assert!(prepare(&session, 0).entries.is_empty());
}

#[test]
fn a_branch_of_a_few_words_may_have_a_summary() {
    let replaced = |story: &[&str]| prepare(&session(story), 10_000).replaced_tokens();
    assert_eq!(replaced(&["U@1", "A@2"]), ALWAYS_ALLOWED_TOKENS);
    assert_eq!(replaced(&["U@600", "A@200"]), 800);
}

#[test]
fn entries_that_are_not_there_are_passed_over() {
    let session = session(&["U@5"]);
    let tools = &Settings::default().file_tools;
    assert_eq!(prepare_branch_entries(&session, &[0, 7], 100, tools).entries, [0]);
    let nothing = prepare_branch_entries(&session, &[], 100, tools);
    assert_eq!((nothing.leaf, nothing.entries, nothing.total_tokens), (None, vec![], 0));
}
