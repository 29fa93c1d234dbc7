//! The commit with a store and a host: who hears of it in which order, and what a refusal takes back.

use super::*;
use crate::error::Error;
use crate::step::{HostCommand, Reach, Save};

fn saved(options: RunOptions) -> RunOptions {
    RunOptions { reach: Reach { store: true, host: true, hooks: false }, ..options }
}

fn refused() -> Reply {
    Reply::NotSaved(Error::new(ErrorCode::StorageFailed, "the disk is full"))
}

/// A run that waits for the store.
fn at_the_store(story: &[&str]) -> Case {
    let case = start(story, saved(options(20))).replies(&["History"]);
    assert_eq!(case.step, Step::Save(Save::Entry(story.len() as Index)));
    case
}

impl Case {
    fn ends_told(&mut self) -> Vec<&'static str> {
        let name = |event: &Event| match event {
            Event::CompactionProgress { phase, .. } => *phase,
            Event::SessionCompact { .. } => "session_compact",
            Event::CompactionEnd { .. } => "compaction_end",
            other => panic!("{other:?}"),
        };
        self.run.take_events().iter().map(name).collect()
    }
}

#[test]
fn first_the_store_then_the_host_then_the_events() {
    let mut case = at_the_store(&WHOLE_TURNS);
    assert!(case.session.is_locked());
    assert_eq!(case.ends_told(), ["history", "save"]);
    let mut case = case.resume(Reply::Saved);
    assert_eq!(case.step, Step::HostCommand(HostCommand::ReplaceMessages { without_last: false }));
    assert_eq!(case.ends_told(), [""; 0]);
    let mut case = case.resume(Reply::Obeyed);
    case.stored();
    assert_eq!(case.ends_told(), ["session_compact", "compaction_end"]);
    assert!(!case.session.is_locked());
}

#[test]
fn the_entry_is_there_while_the_store_writes() {
    let case = at_the_store(&WHOLE_TURNS);
    assert_eq!((case.session.len(), case.session.leaf()), (5, Some(4)));
    assert!(case.session.entry(4).unwrap().compaction().is_some());
}

#[test]
fn a_refused_entry_is_taken_back() {
    let mut case = at_the_store(&WHOLE_TURNS).resume(refused());
    assert_eq!((case.session.len(), case.session.leaf()), (4, Some(3)));
    assert_eq!(case.outcome().error.as_ref().unwrap().message, "the disk is full");
    case.check_unchanged("failed", Some(ErrorCode::StorageFailed));
}

#[test]
fn entries_that_came_behind_a_refused_one_get_its_parent() {
    let mut case = at_the_store(&WHOLE_TURNS);
    for word in ["U@3", "A@3"] {
        add(&mut case.session, word);
    }
    let ids = [5, 6].map(|index| case.session.entry(index).unwrap().id.clone());
    let case = case.resume(refused());
    assert_eq!(case.outcome().error.as_ref().map(|error| error.code), Some(ErrorCode::StorageFailed));
    let found = ids.map(|id| case.session.index_of(&id).unwrap());
    assert_eq!((found, case.session.len()), ([4, 5], 6));
    assert_eq!((case.session.parent(4), case.session.parent(5), case.session.leaf()), (Some(3), Some(4), Some(5)));
    let again = Session::from_jsonl(case.session.to_jsonl(), Preset::Safe, 9).unwrap();
    assert_eq!((again.path(again.leaf()), again.diagnostics()), (vec![0, 1, 2, 3, 4, 5], &[][..]));
}

#[test]
fn what_the_store_may_have_written_counts_as_written() {
    for reply in [Reply::Aborted, Reply::Slept, text("late")] {
        let mut case = at_the_store(&WHOLE_TURNS).resume(reply.clone()).resume(Reply::Obeyed);
        case.stored();
        case.check_ended("committed");
    }
}

#[test]
fn an_abort_while_the_host_replaces_its_messages_comes_too_late() {
    let mut case = at_the_store(&WHOLE_TURNS).resume(Reply::Saved).resume(Reply::Aborted);
    case.stored();
    case.check_ended("committed");
}

#[test]
fn an_entry_is_found_by_its_id_where_its_number_changed_meanwhile() {
    let mut story = session(&WHOLE_TURNS);
    add(&mut story, "M");
    let mut case = start_on(story, saved(options(20))).replies(&["History"]);
    let id = case.session.entry(5).unwrap().id.clone();
    // The store refuses what was appended before, and that is taken back first.
    case.session.withdraw(4).unwrap();
    let case = case.resume(Reply::Saved).resume(Reply::Obeyed);
    assert_eq!(case.outcome().entry, Some(4));
    assert_eq!(case.session.entry(4).unwrap().id, id);
}

#[test]
fn the_answer_that_is_tried_again_is_left_out_of_the_messages() {
    let overflow = |will_retry| RunOptions {
        trigger: Trigger::Overflow,
        will_retry,
        context_window: Some(5_000),
        ..saved(options(20))
    };
    let told = |story: &[&str], will_retry| {
        let case = start(story, overflow(will_retry)).replies(&["History"]).resume(Reply::Saved);
        match case.step {
            Step::HostCommand(HostCommand::ReplaceMessages { without_last }) => without_last,
            other => panic!("{other:?}"),
        }
    };
    assert!(told(&WHOLE_TURNS, true));
    assert!(!told(&WHOLE_TURNS, false), "it is a finished answer");
    // The view holds no failed turn, and a call is answered, not tried again.
    assert!(!told(&["U@30", "A@30", "U@10", "A:x@10"], true));
    assert!(!told(&["U@30", "A@30", "U@20", "E"], true));
}

#[test]
fn without_a_store_or_a_host_the_run_ends_at_once() {
    for (store, host, steps) in [(false, false, 0), (true, false, 1), (false, true, 1), (true, true, 2)] {
        let options = RunOptions { reach: Reach { hooks: false, store, host }, ..options(20) };
        let mut case = start(&WHOLE_TURNS, options).replies(&["History"]);
        for _ in 0..steps {
            assert!(case.session.is_locked());
            case = case.resume(Reply::Saved);
        }
        case.stored();
        case.check_ended("committed");
    }
}
