//! How runs end: the lock, staleness, what was appended meanwhile.

use super::*;

#[test]
fn a_second_run_is_busy_until_the_first_has_ended() {
    let endings: [&[Reply]; 4] =
        [&[text("History")], &[Reply::Aborted], &[thrown("no network")], &[text(""), text("")]];
    for ending in endings {
        let mut case = start(&WHOLE_TURNS, options(20));
        let refused = CompactionRun::start(&mut case.session, options(20), NOW).unwrap_err();
        assert_eq!(refused.code, ErrorCode::Busy);
        for reply in ending {
            assert!(case.session.is_locked());
            case = case.resume(reply.clone());
        }
        assert!(CompactionRun::start(&mut case.session, options(1), NOW).is_ok(), "{ending:?}");
    }
}

#[test]
fn settings_that_do_not_fit_leave_the_session_free() {
    let mut story = session(&WHOLE_TURNS);
    let refused = CompactionRun::start(&mut story, RunOptions { context_window: Some(1_000), ..options(20) }, NOW);
    assert_eq!(refused.unwrap_err().code, ErrorCode::InvalidSettings);
    assert!(!story.is_locked());
}

#[test]
fn nothing_to_do_is_an_outcome_and_asks_for_nothing() {
    let mut case = start(&["U@5"], options(20));
    assert_eq!(case.outcome().nothing_to_do.as_ref().unwrap().as_str(), "session-too-small");
    assert_eq!((case.outcome().tokens_before, case.outcome().summarizer), (5, None));
    case.check_unchanged("nothing-to-do", None);
}

#[test]
fn t15_what_starts_by_itself_needs_a_window() {
    for trigger in [Trigger::Threshold, Trigger::Overflow] {
        let mut case = start(&WHOLE_TURNS, RunOptions { trigger, ..options(20) });
        assert_eq!(case.outcome().nothing_to_do.as_ref().unwrap().as_str(), "unknown-window");
        case.check_unchanged("nothing-to-do", None);
    }
}

#[test]
fn a_run_that_is_only_wanted_where_it_is_due_checks_first() {
    let due = |context_window, fixed_tokens| RunOptions {
        context_window: Some(context_window),
        fixed_tokens: Some(fixed_tokens),
        only_when_due: true,
        ..options(20)
    };
    // The story takes 100 tokens, and the reserve 1 000.
    for (fixed, word) in [(900, Some("below-threshold")), (901, None), (1_990, Some("infeasible"))] {
        let mut case = start(&["U@30", "A@30", "U@20", "A@20"], due(2_000, fixed));
        let Some(word) = word else {
            assert!(matches!(case.step, Step::Summarize(_)), "{fixed}: a request");
            continue;
        };
        assert_eq!(case.outcome().nothing_to_do.as_ref().unwrap().as_str(), word);
        case.check_unchanged("nothing-to-do", None);
    }
    let mut below = start(&["U@30", "A@70"], due(2_000, 0));
    let expected =
        NothingToDo::BelowThreshold { tokens: 100, limit: 1_000, margin: crate::tokens::Margin::UNCALIBRATED };
    assert_eq!(below.outcome().nothing_to_do, Some(expected));
    let told = below.run.take_events();
    assert!(matches!(&told[..], [Event::CompactionEnd { reason: "threshold", .. }]), "{told:?}");
    // Without a window nothing is due, and switched off it never is.
    for (enabled, word) in [(true, "unknown-window"), (false, "disabled")] {
        let mut options = RunOptions { context_window: None, ..due(2_000, 0) };
        options.settings.compaction.enabled = enabled;
        assert_eq!(start(&WHOLE_TURNS, options).outcome().nothing_to_do.as_ref().unwrap().as_str(), word);
    }
    // A turn that the provider refused as too large is due, whatever the estimate says.
    let mut refused = session(&["U@30", "A@30", "U@20"]);
    let message = r#"{"role":"assistant","content":[],"stopReason":"error","errorMessage":"prompt is too long: 9999 tokens > 2000 maximum"}"#;
    refused.append(&format!(r#"{{"type":"message","message":{message}}}"#), NOW).unwrap();
    let mut case = start_on(refused, due(2_000, 0)).replies(&["History"]);
    assert!(
        case.run.take_events().iter().any(|event| matches!(event, Event::CompactionEnd { reason: "overflow", .. }))
    );
    case.stored();
}

#[test]
fn t03_the_turn_of_a_pending_call_is_kept() {
    let case = start(&["U@30", "A@30", "U@10", "A:x@10"], options(5)).replies(&["History"]);
    let kept = case.session.entry(2).unwrap().id.clone();
    assert_eq!(*case.stored().first_kept_entry_id, *kept);
    let context = case.session.build_session_context(case.session.leaf());
    let pending: Vec<&str> = context.pending_tool_calls.iter().map(|call| &*call.tool_call_id).collect();
    assert_eq!(pending, ["x"]);
    let only = start(&["U@30", "A:x@30"], options(5));
    assert_eq!(only.outcome().nothing_to_do.as_ref().unwrap().as_str(), "open-tool-call");
}

#[test]
fn what_is_appended_during_a_run_stays_behind_what_is_kept() {
    let mut case = start(&["U@30", "A@30", "U@10", "A:x@10"], with_short(5));
    add(&mut case.session, "R:x@3");
    let mut case = case.replies(&["History"]);
    add(&mut case.session, "A@3");
    let case = case.replies(&["Short"]);
    let entry = case.outcome().entry.unwrap();
    assert_eq!((entry, case.session.parent(entry)), (6, Some(5)));
    case.stored();
    let context = case.session.build_session_context(case.session.leaf());
    let seen: Vec<Index> = context
        .messages
        .iter()
        .filter_map(|place| if let crate::session::ContextMessage::Entry(index) = place { Some(*index) } else { None })
        .collect();
    assert_eq!(seen, [6, 2, 3, 4, 5]);
    assert_eq!((context.repairs.len(), context.pending_tool_calls.len()), (0, 0));
}

/// Does something to the session before the last reply arrives.
fn check_stale(meanwhile: impl Fn(&mut Session)) {
    check_stale_in(&WHOLE_TURNS, meanwhile);
}

fn check_stale_in(story: &[&str], meanwhile: impl Fn(&mut Session)) {
    let mut case = start(story, options(20));
    meanwhile(&mut case.session);
    case.before = case.session.to_jsonl();
    let leaf = case.session.leaf();
    let mut case = case.replies(&["History"]);
    case.check_unchanged("failed", Some(ErrorCode::Stale));
    assert_eq!(case.session.leaf(), leaf);
}

#[test]
fn t54_a_plan_is_stale_once_the_leaf_lies_elsewhere() {
    let to = |session: &mut Session, index: Index| {
        let id = session.entry(index).unwrap().id.clone();
        session.branch(&id).unwrap();
    };
    check_stale(|session| to(session, 1));
    check_stale(|session| {
        to(session, 1);
        add(session, "U@10");
    });
    check_stale(Session::reset_leaf);
    check_stale(|session| {
        session.reset_leaf();
        add(session, "U@10");
    });
}

#[test]
fn a_plan_is_stale_once_another_compaction_came() {
    check_stale(|session| add(session, "K:1"));
}

#[test]
fn a_compaction_of_another_branch_makes_no_plan_stale() {
    let mut case = start(&WHOLE_TURNS, options(20));
    let leaf = case.session.entry(3).unwrap().id.clone();
    let fork = case.session.entry(1).unwrap().id.clone();
    case.session.branch(&fork).unwrap();
    add(&mut case.session, "K:1");
    case.session.branch(&leaf).unwrap();
    let case = case.replies(&["History"]);
    assert_eq!(case.session.parent(case.outcome().entry.unwrap()), Some(3));
}

#[test]
fn progress_is_insufficient_where_the_context_hardly_shrinks() {
    let story = ["U@6", "A@6", "U@10", "A:a,b@10", "R:a@500", "R:b@400"];
    let tell = |window: Option<u64>| {
        let mut case = start(&story, RunOptions { context_window: window, ..options(30) });
        while let Step::Summarize(_) = &case.step {
            case = case.resume(text("Done"));
        }
        let outcome = case.outcome().clone();
        let progress = outcome.progress.unwrap();
        assert_eq!(progress.after_within, crate::tokens::Margin::UNCALIBRATED.range(0, progress.estimate_after));
        (progress.sufficient, progress.estimate_before, progress.entries_in_the_way)
    };
    assert_eq!(tell(None), (false, 934, vec![4, 5]));
    assert_eq!(tell(Some(1_500)), (false, 934, vec![4, 5]));
    // A context that fits the threshold is small enough, however little was saved.
    assert_eq!(tell(Some(5_000)), (true, 934, vec![]));
}

#[test]
fn t54_a_plan_is_stale_once_a_prune_came() {
    let story = ["U@30", "A:x@30", "R:x@100", "A:y@10", "R:y@100", "U@10", "A@10"];
    for result in [2, 4] {
        check_stale_in(&story, |session| assert_eq!(session.rewrite_results(&[result], 0).len(), 1));
        check_stale_in(&story, |session| {
            session.append_prune(&[result], NOW).unwrap();
        });
    }
    // One that was there before is a part of the plan.
    let mut pruned = session(&story);
    pruned.append_prune(&[2, 4], NOW).unwrap();
    let case = start_on(pruned, options(20));
    let prompt = case.request().prompt.clone();
    assert!(
        prompt.contains("[Output truncated - 100 tokens]") && !prompt.contains(&crate::tokens::ONE_TOKEN.repeat(100)),
        "{prompt}"
    );
    case.replies(&["History"]).stored();
}

#[test]
fn an_entry_that_is_taken_back_makes_a_plan_stale_unless_it_came_behind_it() {
    for (taken_back, stale) in [(4, false), (3, true), (1, true)] {
        let mut case = start(&WHOLE_TURNS, options(20));
        add(&mut case.session, "U@5");
        case.session.withdraw(taken_back).unwrap();
        let case = case.replies(&["History"]);
        assert_eq!(case.outcome().error.as_ref().map(|error| error.code), stale.then_some(ErrorCode::Stale));
    }
}
