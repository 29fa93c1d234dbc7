//! How a check ends that started a compaction, and what follows from it for the next one.

use super::*;

const OVERFLOW_FAILED: &str = "end overflow aborted false retry false Context overflow recovery failed: ";

fn overflow() -> Session {
    overflowed(&["U@300", "A@300", "U@10"])
}

#[test]
fn each_path_names_itself_when_it_fails() {
    for (story, words) in [
        (session(&LARGE), "end threshold aborted false retry false Auto-compaction failed: no key"),
        (overflow(), "end overflow aborted false retry false Context overflow recovery failed: no key"),
    ] {
        let mut case = turn_end(story, options()).resume(thrown("no key"));
        assert_eq!(case.did(), (Action::Failed, Next::Wait));
        assert_eq!(case.events().last().map(String::as_str), Some(words));
        case.check_unchanged();
    }
}

#[test]
fn an_abort_and_a_cancel_are_told_as_such() {
    let mut case = turn_end(session(&LARGE), options()).resume(Reply::Aborted);
    assert_eq!((case.did(), case.compaction().status), ((Action::None, Next::Wait), Status::Cancelled));
    let told = ["start threshold", "compaction_end cancelled threshold", "end threshold aborted true retry false -"];
    assert_eq!(case.events(), told);
    case.check_unchanged();
    let cancel = Reply::Answered(HookAnswer::Cancel);
    let mut case = turn_end(session(&LARGE), reaching(true, false, false)).resume(cancel);
    assert_eq!(case.events(), told);
    case.check_unchanged();
}

#[test]
fn t23_what_failed_or_was_cancelled_cools_down_until_something_new_is_said() {
    for ending in [thrown("no key"), Reply::Aborted] {
        for story in [session(&LARGE), overflow()] {
            let case = turn_end(story, options()).resume(ending.clone());
            let mut case = case.again(Command::TurnEnd);
            assert_eq!((case.did(), case.events().len()), ((Action::None, Next::Wait), 0));
            case.check_unchanged();
            let case = case.again(Command::BeforePrompt { pending_tokens: 10, from_user: false });
            assert_eq!(case.did(), (Action::None, Next::Wait));
            let mut case = case;
            add(&mut case.session, "U@500");
            let case = case.again(Command::TurnEnd);
            assert!(matches!(case.step, Step::Summarize(_)), "{:?}", case.step);
        }
    }
}

#[test]
fn by_hand_it_works_while_it_cools_down() {
    let case = turn_end(session(&LARGE), options()).resume(thrown("no key"));
    let case = case.again(Command::Compact { custom_instructions: None }).resume(text("Done"));
    assert_eq!(case.compaction().status, Status::Committed);
}

#[test]
fn one_recovery_until_a_good_turn_or_a_new_message_of_the_user() {
    let recovered = || turn_end(overflow(), options()).resume(text("Done"));
    let mut case = recovered();
    assert_eq!(case.did(), (Action::Compacted, Next::Continue));
    add(&mut case.session, "R:x@100");
    add_overflow(&mut case.session);
    let mut case = case.again(Command::TurnEnd);
    assert_eq!(case.did(), (Action::Failed, Next::Wait));
    let still =
        "still too large after one compaction and retry; shorten the request or choose a model with a larger window";
    assert_eq!(case.events(), ["compaction_end failed overflow".to_owned(), format!("{OVERFLOW_FAILED}{still}")]);
    case.check_unchanged();
    // What makes it a new attempt, and what does not.
    for (between, starts) in [("A@200", true), ("U@200", true), ("E", false), ("C@200", false)] {
        let mut case = recovered();
        add(&mut case.session, between);
        add_overflow(&mut case.session);
        let case = case.again(Command::TurnEnd);
        assert_eq!(matches!(case.step, Step::Summarize(_)), starts, "{between}: {:?}", case.step);
    }
}

#[test]
fn a_new_message_of_the_user_counts_before_it_is_appended() {
    for (from_user, starts) in [(true, true), (false, false)] {
        let mut case = turn_end(overflow(), options()).resume(text("Done"));
        add(&mut case.session, "C@100");
        add_overflow(&mut case.session);
        let case = case.again(Command::BeforePrompt { pending_tokens: 10, from_user });
        assert_eq!(matches!(case.step, Step::Summarize(_)), starts, "{:?}", case.step);
    }
}

#[test]
fn another_branch_has_a_recovery_of_its_own() {
    let mut case = turn_end(overflow(), options()).resume(text("Done"));
    let fork = case.session.entry(1).unwrap().id.clone();
    case.session.branch(&fork).unwrap();
    add(&mut case.session, "C@10");
    add_overflow(&mut case.session);
    assert!(matches!(case.again(Command::TurnEnd).step, Step::Summarize(_)));
}

#[test]
fn an_overflow_with_nothing_to_compact_fails_with_the_reason() {
    let mut large_keep = options();
    large_keep.settings.compaction.keep_recent_tokens = Some(500);
    let mut case = turn_end(overflowed(&["U@10"]), large_keep);
    assert_eq!((case.did(), case.nothing()), ((Action::Failed, Next::Wait), "session-too-small"));
    let events = case.events();
    assert_eq!(events[0], "compaction_end nothing-to-do overflow");
    assert!(events[1].starts_with(OVERFLOW_FAILED) && events[1].len() > OVERFLOW_FAILED.len(), "{events:?}");
}

#[test]
fn a_threshold_with_nothing_to_compact_is_no_failure() {
    let mut large_keep = options();
    large_keep.settings.compaction.keep_recent_tokens = Some(5_000);
    let mut case = turn_end(session(&LARGE), large_keep);
    assert_eq!((case.did(), case.nothing()), ((Action::None, Next::Wait), "session-too-small"));
    assert_eq!(case.events(), ["compaction_end nothing-to-do threshold"]);
}

#[test]
fn nothing_goes_on_by_itself_where_it_did_not_help() {
    let story = ["U@6", "A@6", "U@10", "A:a,b@10", "R:a@500", "R:b@400"];
    for story in [session(&story), overflowed(&story)] {
        let case = turn_end(story, options()).replies(&[text("Done"), text("Done")]);
        let progress = case.compaction().progress.as_ref().unwrap();
        assert!(!progress.sufficient, "{progress:?}");
        assert_eq!(case.did(), (Action::Compacted, Next::Wait));
        assert!(!progress.entries_in_the_way.is_empty());
    }
}

#[test]
fn without_auto_continue_the_agent_waits() {
    let mut options = options();
    options.settings.compaction.auto_continue = false;
    let case = turn_end(session(&LARGE), options.clone()).resume(text("Done"));
    assert_eq!(case.did(), (Action::Compacted, Next::Wait));
    // An overflow is retried whatever it says.
    assert_eq!(turn_end(overflow(), options).resume(text("Done")).did(), (Action::Compacted, Next::Continue));
}

#[test]
fn nobody_is_prompted_while_a_call_awaits_its_result() {
    let mut case = turn_end(session(&["U@500", "A@500", "U@10", "A:x@10"]), options());
    case = case.resume(text("Done"));
    assert_eq!(case.did(), (Action::Compacted, Next::Wait));
    // One that came while the summary was made is answered.
    let mut case = turn_end(session(&["U@500", "A@500", "U@10", "A:x@10"]), options());
    add(&mut case.session, "R:x@5");
    assert_eq!(case.resume(text("Done")).did(), (Action::Compacted, Next::Prompt));
}

#[test]
fn the_host_replaces_its_messages_before_the_agent_goes_on() {
    let mut case = turn_end(overflow(), reaching(false, true, true)).resume(text("Done"));
    assert_eq!(case.step, Step::Save(Save::Entry(4)));
    case = case.resume(Reply::Saved);
    assert_eq!(case.step, Step::HostCommand(HostCommand::ReplaceMessages { without_last: false }));
    assert_eq!(case.events(), ["start overflow"]);
    case = case.resume(Reply::Obeyed);
    assert_eq!((case.did(), case.events().len()), ((Action::Compacted, Next::Continue), 3));
}

#[test]
fn nothing_goes_on_by_itself_after_an_abort_that_came_too_late() {
    for aborts in [[Reply::Aborted, Reply::Obeyed], [Reply::Saved, Reply::Aborted]] {
        let case = turn_end(overflow(), reaching(false, true, true)).resume(text("Done")).replies(&aborts);
        assert_eq!(case.did(), (Action::Compacted, Next::Wait));
    }
}

#[test]
fn a_refused_compaction_is_taken_back_and_cools_down() {
    let mut case = turn_end(session(&LARGE), reaching(false, true, true)).replies(&[text("Done"), full()]);
    assert_eq!(case.did(), (Action::Failed, Next::Wait));
    let told = "end threshold aborted false retry false Auto-compaction failed: the disk is full";
    assert_eq!(case.events().last().map(String::as_str), Some(told));
    case.check_unchanged();
    assert_eq!(case.again(Command::TurnEnd).did(), (Action::None, Next::Wait));
}
