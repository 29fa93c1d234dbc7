//! An abort is a reply like any other, handled the same wherever it comes.

use super::*;

#[test]
fn an_abort_at_any_request_leaves_everything_as_it_was() {
    let replies = ["", "History", "", "Prefix"];
    for answered in 0..=replies.len() {
        let mut case = start(&SPLIT, with_short(10)).replies(&replies[..answered]).resume(Reply::Aborted);
        case.check_unchanged("cancelled", None);
    }
}

#[test]
fn an_abort_is_no_reason_to_fall_back() {
    let mut case = start(&SPLIT, with_fallback(options(10))).resume(Reply::Aborted);
    case.check_unchanged("cancelled", None);
}

#[test]
fn an_abort_after_the_commit_is_reported_as_committed() {
    let mut case = start(&WHOLE_TURNS, options(20)).replies(&["History"]);
    let (outcome, saved) = (case.outcome().clone(), case.session.to_jsonl());
    for reply in [Reply::Aborted, text("late"), thrown("late")] {
        case = case.resume(reply);
        assert_eq!(*case.outcome(), outcome);
        assert_eq!(case.session.to_jsonl(), saved);
    }
    case.check_ended("committed");
}

#[test]
fn a_run_that_has_ended_says_so_again_and_touches_no_later_run() {
    let case = start(&WHOLE_TURNS, options(20)).resume(Reply::Aborted);
    let Case { mut session, mut run, step, .. } = case;
    let other = CompactionRun::start(&mut session, options(20), NOW).unwrap();
    assert!(matches!(other.step, Step::Summarize(_)));
    assert_eq!(run.resume(&mut session, text("late"), NOW), step);
    assert!(session.is_locked(), "the lock is the other run's");
}

#[test]
fn a_run_that_had_nothing_to_do_says_so_again() {
    let case = start(&["U@5"], options(20));
    let step = case.step.clone();
    let mut case = case.resume(Reply::Aborted);
    assert_eq!(case.step, step);
    case.check_unchanged("nothing-to-do", None);
}
