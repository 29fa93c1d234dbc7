use super::*;
use crate::compaction::find_cut_point;
use crate::session::testing::{add, session, session_with};

fn settings(reserve: u64, keep: u64) -> Settings {
    let mut settings = Settings::default();
    settings.compaction.reserve_tokens = Some(reserve);
    settings.compaction.keep_recent_tokens = Some(keep);
    settings
}

fn prepare(session: &Session, window: Option<u64>, keep: u64) -> Result<Preparation, NothingToDo> {
    let settings = settings(100, keep);
    let options = Prepare {
        settings: &settings,
        context_window: window,
        fixed_tokens: None,
        pending_tokens: 0,
        trigger: Trigger::Manual,
    };
    prepare_compaction(session, session.leaf(), &options).unwrap()
}

/// What is summarised, the turn prefix and what is kept, by number.
fn check(story: &[&str], keep: u64, history: &[Index], prefix: &[Index], kept: &[Index]) {
    let plan = prepare(&session(story), None, keep).unwrap();
    assert_eq!(
        (plan.entries_to_summarize.as_slice(), plan.turn_prefix.as_slice(), plan.kept.as_slice()),
        (history, prefix, kept),
        "{story:?} keeping {keep}"
    );
}

fn check_no(story: &[&str], window: Option<u64>, keep: u64, reason: &str) {
    let found = prepare(&session(story), window, keep).map(|_| ()).map_err(|no| no.as_str());
    assert_eq!(found, Err(reason), "{story:?}");
}

#[test]
fn history_prefix_and_kept_are_the_window() {
    check(&["U@10", "A@10", "U@10", "A@10"], 20, &[0, 1], &[], &[2, 3]);
    check(&["U@10", "A@10", "U@10", "A@10"], 10, &[0, 1], &[2], &[3]);
    check(&["U@10", "A@10", "M", "U@10", "A@10"], 20, &[0, 1], &[], &[3, 4]);
}

#[test]
fn what_an_earlier_compaction_kept_is_summarised_or_kept_again() {
    let story = ["U@10", "A@10", "U@10", "A@10", "K:2", "U@10", "A@10"];
    check(&story, 20, &[2, 3], &[], &[5, 6]);
    check(&story, 30, &[], &[2], &[3, 5, 6]);
    let classic = session_with(Preset::Classic, &["U@10", "A@10", "U@10", "A@10", "K:2", "U@10", "A@10", "U@10"]);
    let plan = prepare(&classic, None, 10).unwrap();
    assert_eq!((plan.dropped, plan.entries_to_summarize, plan.kept), (vec![2, 3], vec![5, 6], vec![7]));
}

#[test]
fn every_typed_no() {
    check_no(&[], None, 10, "session-too-small");
    check_no(&["U@5", "A@5"], None, 100, "session-too-small");
    check_no(&["U@50"], None, 10, "session-too-small");
    check_no(&["U@10", "A@10", "U@10", "A@10", "K:2"], None, 10, "already-compacted");
    check_no(&["U@10", "A@10", "U@10", "A@10", "K:2", "M", "E"], None, 10, "already-compacted");
    check_no(&["U@10", "A:x@10"], None, 10, "open-tool-call");
    check_no(&["U@10", "A:x@10"], None, 20_000, "open-tool-call");
    check_no(&["U@10", "U@1000"], Some(500), 10, "infeasible");
    check_no(&["A:a,b,c", "R:a@200", "R:b@200", "R:c@200"], Some(500), 10, "kept-tail-too-large");
}

#[test]
fn a_session_that_is_too_small_says_how_far_off_its_size_may_be() {
    let small = prepare(&session(&["U@100", "A@100"]), None, 1_000).unwrap_err();
    assert!(small.to_string().ends_with("there are 200 (estimated: 150 to 300) in all"), "{small}");
}

#[test]
fn t13_t19_where_the_newest_message_alone_passes_the_threshold_no_plan_helps() {
    let infeasible = |story: &[&str], fixed, window| {
        let settings = settings(100, 10);
        let options = Prepare {
            settings: &settings,
            context_window: Some(window),
            fixed_tokens: fixed,
            pending_tokens: 0,
            trigger: Trigger::Manual,
        };
        let session = session(story);
        match prepare_compaction(&session, session.leaf(), &options).unwrap() {
            Err(NothingToDo::Infeasible { fixed_tokens, newest_message_tokens, limit, .. }) => {
                Some((fixed_tokens, newest_message_tokens, limit))
            }
            _ => None,
        }
    };
    assert_eq!(infeasible(&["U@50", "A@50"], Some(860), 1_000), Some((860, 50, 900)));
    assert_eq!(infeasible(&["U@50", "A@50"], Some(850), 1_000), None);
    // One giant message, one giant result, with or without history, and what no view holds behind it.
    assert_eq!(infeasible(&["U@1000"], None, 1_000), Some((0, 1_000, 900)));
    assert_eq!(infeasible(&["U@50", "A@50", "U@1000"], None, 1_000), Some((0, 1_000, 900)));
    assert_eq!(infeasible(&["U@50", "A:a@50", "R:a@1000"], None, 1_000), Some((0, 1_000, 900)));
    assert_eq!(infeasible(&["U@50", "A:a@50", "R:a@1000", "E@50", "M"], None, 1_000), Some((0, 1_000, 900)));
    // It is not the newest: it can be summarised.
    assert_eq!(infeasible(&["U@1000", "A@50"], None, 1_000), None);
    // An overhead that a usage taught.
    assert_eq!(infeasible(&["U@10", "A@5$450", "U@500"], None, 1_000), Some((439, 500, 900)));
}

#[test]
fn a_tail_that_no_cut_divides_is_named_with_its_largest_entry() {
    let tail = |story: &[&str], window, keep| match prepare(&session(story), Some(window), keep) {
        Err(NothingToDo::KeptTailTooLarge { entry_tokens, kept_tokens, limit, .. }) => {
            Some((entry_tokens, kept_tokens, limit))
        }
        _ => None,
    };
    assert_eq!(tail(&["A:a,b,c", "R:a@200", "R:b@240", "R:c@200"], 500, 10), Some((240, 644, 400)));
    // Below the threshold there is nothing wrong with it; with something before it, that goes.
    assert_eq!(tail(&["A:a,b", "R:a@200", "R:b@150"], 500, 10), None);
    let plan = prepare(&session(&["U@20", "A:a,b,c", "R:a@200", "R:b@240", "R:c@200"]), Some(500), 10).unwrap();
    assert_eq!((plan.turn_prefix, plan.kept_tokens), (vec![0], 644));
    assert_eq!(plan.entries_in_the_way, [2, 3, 4]);
    // The budget is met by none of many small entries alone: the largest is named.
    let plan = prepare(&session(&["U@20", "A:a,b", "R:a@4", "R:b@5"]), None, 8).unwrap();
    assert_eq!((plan.kept_tokens, plan.entries_in_the_way), (12, vec![3]));
}

#[test]
fn windows_of_any_size_have_an_answer() {
    let reason = |story: &[&str], window| {
        let settings = Settings::default();
        let options = Prepare {
            settings: &settings,
            context_window: Some(window),
            fixed_tokens: None,
            pending_tokens: 0,
            trigger: Trigger::Threshold,
        };
        let session = session(story);
        prepare_compaction(&session, session.leaf(), &options).unwrap().map(|plan| plan.kept).map_err(|no| no.as_str())
    };
    for window in [1, 2, 100, 2_000] {
        assert_eq!(reason(&[], window), Err("session-too-small"), "{window}");
        assert_eq!(reason(&["U@3000"], window), Err("infeasible"), "{window}");
        assert_eq!(reason(&["U@1"], window), Err("session-too-small"), "{window}");
    }
    // The walk back ends at the newest message where the budget is no more than it, else at the giant
    // one, which is kept then.
    assert_eq!(reason(&["U@3000", "A@1"], 1), Ok(vec![1]));
    assert_eq!(reason(&["U@3000", "A@1"], 2), Ok(vec![1]));
    assert_eq!(reason(&["U@3000", "A@1"], 100), Err("kept-tail-too-large"));
    assert_eq!(reason(&["U@3000", "A@1"], 2_000), Err("kept-tail-too-large"));
    assert_eq!(reason(&["U@5", "A@1", "M"], 1), Ok(vec![1]));
    assert_eq!(reason(&["U@30", "A@30", "U@20", "A@20"], 100), Ok(vec![2, 3]));
    assert_eq!(reason(&["U@800", "A@800", "U@400", "A@400"], 2_000), Ok(vec![2, 3]));
}

#[test]
fn a_keep_budget_beyond_the_window_keeps_everything_and_says_so() {
    check_no(&["U@300", "A@300", "U@10"], Some(500), 5_000, "session-too-small");
    check(&["U@300", "A@300", "U@10"], 0, &[0, 1], &[], &[2]);
}

/// An excluded shell command and an empty user message, below the leaf.
fn add_unseen(session: &mut Session) {
    for message in [
        r#"{"role":"bashExecution","command":"ls","output":"a","excludeFromContext":true}"#,
        r#"{"role":"user","content":" "}"#,
    ] {
        session.append(&format!(r#"{{"type":"message","message":{message}}}"#), crate::session::testing::NOW).unwrap();
    }
}

#[test]
fn what_the_model_does_not_see_is_no_reason_to_compact() {
    let reason = |session: &Session, keep| prepare(session, None, keep).map(|_| ()).map_err(|no| no.as_str());
    let mut behind = session(&["U@10", "A@10", "U@10", "A@10", "K:2", "E:e@9", "R:e@9", "R:x@9"]);
    add_unseen(&mut behind);
    assert_eq!(reason(&behind, 10), Err("already-compacted"));
    assert_eq!(behind.estimated_view(behind.leaf()).tokens, 5 + 20);
    let mut before = session(&["E:e@9", "R:e@9", "R:x@9"]);
    add_unseen(&mut before);
    for word in ["U@10", "A@10"] {
        add(&mut before, word);
    }
    assert_eq!(reason(&before, 20), Err("session-too-small"));
    // In a split turn they go with its beginning.
    let plan = prepare(&before, None, 10).unwrap();
    assert_eq!((plan.entries_to_summarize, plan.turn_prefix), (vec![], vec![0, 1, 2, 3, 4, 5]));
    let mut between = session(&["U@10", "A@10"]);
    add_unseen(&mut between);
    add(&mut between, "A@10");
    let plan = prepare(&between, None, 10).unwrap();
    assert_eq!((plan.is_split_turn, plan.entries_to_summarize, plan.kept), (false, vec![0, 1, 2, 3], vec![4]));
    let classic = session_with(Preset::Classic, &["U@10", "A@10", "K:1", "E@5"]);
    assert_ne!(reason(&classic, 5), Err("already-compacted"));
}

#[test]
fn what_no_summary_can_be_smaller_than_is_not_summarised() {
    check_no(&["U@1", "U@10"], None, 10, "session-too-small");
    check(&["U@2", "U@10"], 10, &[0], &[], &[1]);
    check(&["U@1", "U@1", "K:1", "U@10"], 10, &[1], &[], &[3]);
}

#[test]
fn t03_the_turn_of_a_pending_call_is_kept_and_the_call_is_named() {
    let mut story = session(&["U@10", "A@10", "U@10", "A:x@10"]);
    let plan = prepare(&story, None, 5).unwrap();
    assert_eq!((plan.kept, plan.is_split_turn), (vec![2, 3], false));
    assert_eq!(&*plan.pending_tool_calls[0].tool_call_id, "x");
    add(&mut story, "R:x@10");
    let plan = prepare(&story, None, 15).unwrap();
    assert_eq!((plan.kept, plan.turn_prefix, plan.pending_tool_calls), (vec![3, 4], vec![2], vec![]));
}

#[test]
fn t15_automatic_compaction_wants_a_known_window_and_a_setting() {
    let story = session(&["U@10", "A@10", "U@10", "A@10"]);
    let mut settings = settings(100, 10);
    let mut found = |window, trigger, enabled| {
        settings.compaction.enabled = enabled;
        let options =
            Prepare { settings: &settings, context_window: window, fixed_tokens: None, pending_tokens: 0, trigger };
        prepare_compaction(&story, story.leaf(), &options).unwrap().map(|_| ()).map_err(|no| no.as_str())
    };
    assert_eq!(found(None, Trigger::Threshold, true), Err("unknown-window"));
    assert_eq!(found(None, Trigger::Manual, true), Ok(()));
    assert_eq!(found(Some(1_000), Trigger::Overflow, true), Ok(()));
    assert_eq!(found(Some(1_000), Trigger::Overflow, false), Err("disabled"));
    assert_eq!(found(Some(1_000), Trigger::Manual, false), Ok(()));
}

#[test]
fn t62_a_branch_that_was_left_is_not_summarised() {
    let mut story = session(&["U@10", "A@10", "U@10", "A@10"]);
    let id = story.entry(0).unwrap().id.clone();
    story.branch(&id).unwrap();
    add(&mut story, "A@10");
    add(&mut story, "U@10");
    let plan = prepare(&story, None, 10).unwrap();
    assert_eq!((plan.entries_to_summarize, plan.kept), (vec![0, 4], vec![5]));
}

#[test]
fn the_keep_budget_shrinks_where_the_provider_counts_more_and_never_grows() {
    // The estimate up to the last turn is 30; the stated overhead of 0 leaves all 119 to it.
    let keep = |usage: &str| {
        let last = format!("A@10${usage}");
        let story = session(&["U@10", "A@10", "U@10", &last]);
        let settings = settings(100, 20);
        let options = Prepare {
            settings: &settings,
            context_window: None,
            fixed_tokens: Some(0),
            pending_tokens: 0,
            trigger: Trigger::Manual,
        };
        prepare_compaction(&story, story.leaf(), &options).unwrap().unwrap().keep_recent_tokens
    };
    assert_eq!(keep("121"), 5);
    assert_eq!(keep("31"), 20);
    assert_eq!(keep("11"), 20);
    assert_eq!(keep("100000"), 1);
}

#[test]
fn what_is_kept_beyond_the_budget_is_said() {
    let plan = prepare(&session(&["U@10", "A:a,b@10", "R:a@500", "R:b@20"]), None, 50).unwrap();
    assert_eq!((plan.kept_tokens, plan.entries_in_the_way), (532, vec![2]));
}

/// The numbers of the two real sessions, computed with the historical estimate.
#[test]
fn the_numbers_of_two_real_sessions() {
    struct Numbers {
        file: &'static str,
        entries: usize,
        estimates: u64,
        cut: (usize, usize),
        usage: (u64, u64),
        classic: (Index, usize, usize),
        not_adapted: (Index, usize, usize),
        safe_window: (Index, usize, usize),
        context: usize,
        files: (usize, usize),
    }
    let all = [
        Numbers {
            file: "pi-v1-before-compaction.jsonl",
            entries: 1_002,
            estimates: 375_427,
            cut: (946, 939),
            usage: (168_018, 167_988),
            classic: (980, 324, 23),
            not_adapted: (946, 306, 7),
            safe_window: (946, 383, 7),
            context: 446,
            files: (2, 12),
        },
        Numbers {
            file: "pi-v1-large-session.jsonl",
            entries: 1_018,
            estimates: 124_661,
            cut: (837, 834),
            usage: (177_657, 177_604),
            classic: (899, 792, 3),
            not_adapted: (837, 730, 3),
            safe_window: (837, 730, 3),
            context: 914,
            files: (7, 20),
        },
    ];
    for numbers in all {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/sessions/").to_owned() + numbers.file;
        let Ok(bytes) = std::fs::read(path) else {
            eprintln!("skipped: {} is not there", numbers.file);
            continue;
        };
        let session = Session::from_jsonl(bytes, Preset::Classic, 1).unwrap();
        let leaf = session.leaf().unwrap();
        let row = session.path(Some(leaf));
        assert_eq!((row.len(), session.len()), (numbers.entries, numbers.entries));
        let estimates: u64 = row
            .iter()
            .filter_map(|&index| session.node(index))
            .filter(|node| matches!(node.entry.kind, crate::entry::EntryKind::Message(_)))
            .map(|node| node.tokens.tokens)
            .sum();
        assert_eq!(estimates, numbers.estimates);
        let cut = find_cut_point(&session, &row, 0, row.len(), 20_000);
        assert_eq!((cut.first_kept, cut.turn_start), (numbers.cut.0, Some(numbers.cut.1)));
        let usage = newest_usage(&session, leaf).unwrap();
        assert_eq!((calculate_context_tokens(&usage), calculate_prompt_tokens(&usage)), numbers.usage);
        let settings = settings(16_384, 20_000);
        let options = Prepare {
            settings: &settings,
            context_window: None,
            fixed_tokens: None,
            pending_tokens: 0,
            trigger: Trigger::Manual,
        };
        let planned = |rules| {
            let plan = plan(&session, Some(leaf), &options, rules).unwrap().unwrap();
            (plan.first_kept, plan.entries_to_summarize.len(), plan.turn_prefix.len())
        };
        let safe_window = Rules { window_from_view: true, adapt: Adapt::Not };
        assert_eq!(planned(Rules::of(Preset::Classic)), numbers.classic);
        assert_eq!(planned(Rules { window_from_view: false, adapt: Adapt::Not }), numbers.not_adapted);
        assert_eq!(planned(safe_window), numbers.safe_window);
        assert_eq!(session.build_session_context(Some(leaf)).messages.len(), numbers.context);
        let lists = plan(&session, Some(leaf), &options, safe_window).unwrap().unwrap().file_operations.lists();
        assert_eq!((lists.read_files.len(), lists.modified_files.len()), numbers.files, "{}", numbers.file);
    }
}

#[test]
fn sizes_of_a_plan_are_those_of_notices() {
    let story = ["U@10", "A:a@10", "R:a@100", "U@10", "A:b@10", "R:b@100", "A@10"];
    let full = prepare(&session(&story), None, 10).unwrap();
    let mut hidden = session(&story);
    hidden.append_prune(&[2, 5], crate::session::testing::NOW).unwrap();
    let plan = prepare(&hidden, None, 10).unwrap();
    assert_eq!(
        (&plan.entries_to_summarize, &plan.turn_prefix, &plan.kept),
        (&full.entries_to_summarize, &full.turn_prefix, &full.kept)
    );
    assert_eq!(full.tokens_before - plan.tokens_before, 2 * 92);
    // 100 - 8 of each; the newest message alone no longer fills a small window.
    check_no(&["U@10", "A:a@10", "R:a@1000"], Some(500), 10, "infeasible");
    let mut large = session(&["U@10", "A:a@10", "R:a@1000"]);
    large.append_prune(&[2], crate::session::testing::NOW).unwrap();
    assert_ne!(prepare(&large, Some(500), 10).map_err(|no| no.as_str()).err(), Some("infeasible"));
}

#[test]
fn the_keep_budget_is_adapted_by_the_view_that_the_usage_counted() {
    // The provider counts twice what the estimate does, before the prune as behind it.
    let story = ["U@500", "A:a@5", "R:a@1000", "A@5$3012", "U@5", "A@5"];
    let keep = |session: &Session| {
        let settings = settings(100, 100);
        let options = Prepare {
            settings: &settings,
            context_window: None,
            fixed_tokens: Some(0),
            pending_tokens: 0,
            trigger: Trigger::Manual,
        };
        adapted(session, session.leaf().unwrap(), &session.path(session.leaf()), 100, &options, Adapt::ToView)
    };
    let mut story = session(&story);
    let before = keep(&story);
    assert_eq!(before, 50);
    story.rewrite_results(&[2], 0);
    assert_eq!(keep(&story), before);
}
