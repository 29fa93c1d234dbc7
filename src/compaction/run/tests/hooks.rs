//! What the handlers of the two hooks of a compaction may say, and what becomes of it.

use super::*;
use crate::hook::{Additions, Hook, HookAnswer, HookCompaction};
use crate::step::Reach;

fn hooked(options: RunOptions) -> RunOptions {
    RunOptions { reach: Reach { hooks: true, ..Reach::default() }, ..options }
}

fn answered(answer: HookAnswer) -> Reply {
    Reply::Answered(answer)
}

impl Case {
    /// The hook that is to be called.
    fn hook(&self) -> &Hook {
        match &self.step {
            Step::CallHook { hook, timeout_ms } => {
                assert_eq!(*timeout_ms, 300_000);
                hook
            }
            other => panic!("{other:?}"),
        }
    }

    fn answers(self, answers: &[HookAnswer]) -> Self {
        answers.iter().fold(self, |case, answer| case.resume(answered(answer.clone())))
    }
}

/// A compaction of a hook that keeps from that entry on.
fn given(session: &Session, first_kept: Index) -> HookCompaction {
    HookCompaction {
        summary: "By a hook.".to_owned(),
        first_kept_entry_id: session.entry(first_kept).unwrap().id.to_string(),
        ..HookCompaction::default()
    }
}

fn additions(additions: Additions) -> HookAnswer {
    HookAnswer::Additions(Box::new(additions))
}

#[test]
fn hooks_are_called_in_their_order_and_each_once() {
    let options =
        RunOptions { trigger: Trigger::Overflow, will_retry: true, context_window: Some(5_000), ..with_short(10) };
    let case = start(&SPLIT, hooked(options));
    assert_eq!(*case.hook(), Hook::BeforeCompact { reason: "overflow", will_retry: true });
    assert!(case.run.preparation().is_some(), "the hook is handed the plan");
    let case = case.answers(&[HookAnswer::Nothing]);
    assert_eq!(*case.hook(), Hook::Compacting);
    let mut case = case.answers(&[HookAnswer::Nothing]).replies(&["History", "Prefix", "Short"]);
    case.stored();
    case.check_ended("committed");
}

#[test]
fn nothing_is_asked_where_there_is_nothing_to_do() {
    let mut case = start(&["U@5"], hooked(options(20)));
    case.check_unchanged("nothing-to-do", None);
}

#[test]
fn a_cancel_ends_the_run_at_either_hook() {
    for before in [&[][..], &[HookAnswer::Nothing]] {
        let mut case = start(&WHOLE_TURNS, hooked(options(20))).answers(before).answers(&[HookAnswer::Cancel]);
        case.check_unchanged("cancelled", None);
    }
}

#[test]
fn an_abort_ends_the_run_at_either_hook() {
    for before in [&[][..], &[HookAnswer::Nothing]] {
        let mut case = start(&WHOLE_TURNS, hooked(options(20))).answers(before).resume(Reply::Aborted);
        case.check_unchanged("cancelled", None);
    }
}

#[test]
fn nonsense_fails_the_run_and_says_what_is_wrong() {
    for before in [&[][..], &[HookAnswer::Nothing]] {
        let nonsense = HookAnswer::Nonsense("compaction.summary: 7 is no text".to_owned());
        let mut case = start(&WHOLE_TURNS, hooked(options(20))).answers(before).answers(&[nonsense]);
        assert_eq!(case.outcome().error.as_ref().unwrap().message, "compaction.summary: 7 is no text");
        case.check_unchanged("failed", Some(ErrorCode::InvalidArgument));
    }
}

#[test]
fn a_reply_that_is_none_to_a_hook_is_a_fault_of_the_engine() {
    for reply in [text("Done"), Reply::Slept, Reply::Saved] {
        let mut case = start(&WHOLE_TURNS, hooked(options(20))).resume(reply);
        case.check_unchanged("failed", Some(ErrorCode::Internal));
    }
}

#[test]
fn a_compaction_of_a_hook_is_stored_as_it_was_given_and_nobody_else_is_asked() {
    let story = session(&SPLIT);
    let compaction = HookCompaction {
        short_summary: Some("Short.".to_owned()),
        tokens_before: Some(77),
        details: Some(r#"{"z":1.0,"a":[1e2]}"#.to_owned()),
        preserve_data: Some(r#"{"b":12345678901234567890,"a":"é"}"#.to_owned()),
        ..given(&story, 1)
    };
    let first_kept = compaction.first_kept_entry_id.clone();
    let mut case = start_on(story, hooked(with_short(10))).answers(&[HookAnswer::Compaction(Box::new(compaction))]);
    let stored = case.stored().clone();
    assert_eq!((&*stored.summary, stored.short_summary.as_deref()), ("By a hook.", Some("Short.")));
    assert_eq!((&*stored.first_kept_entry_id, stored.tokens_before, stored.from_extension), (&*first_kept, 77, true));
    let json = case.session.entry_json(case.outcome().entry.unwrap()).unwrap();
    for as_given in [
        r#""details":{"z":1.0,"a":[1e2]}"#,
        r#""preserveData":{"b":12345678901234567890,"a":"é"}"#,
        r#""fromExtension":true"#,
    ] {
        assert!(json.contains(as_given), "{json}");
    }
    assert_eq!(case.outcome().summarizer, Some(Summarizer::Hook));
    let events = case.run.take_events();
    let told: Vec<String> = events
        .iter()
        .map(|event| match event {
            Event::CompactionProgress { phase, request, requests, .. } => format!("{phase} {request}/{requests}"),
            Event::SessionCompact { from_extension, .. } => format!("joined, of a hook: {from_extension}"),
            Event::CompactionEnd { summarizer, .. } => format!("end {summarizer:?}"),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(told, ["save 0/0", "joined, of a hook: true", "end Some(\"hook\")"]);
}

#[test]
fn a_compaction_of_a_hook_without_figures_takes_those_of_the_plan() {
    let story = session(&SPLIT);
    let compaction = given(&story, 4);
    let case = start_on(story, hooked(options(10))).answers(&[HookAnswer::Compaction(Box::new(compaction))]);
    assert_eq!((case.stored().tokens_before, case.outcome().tokens_before), (130, 130));
    let json = case.session.entry_json(case.outcome().entry.unwrap()).unwrap();
    assert!(!json.contains("details") && !json.contains("preserveData") && !json.contains("shortSummary"), "{json}");
}

#[test]
fn a_compaction_of_a_hook_that_cannot_be_stored_changes_nothing() {
    let elsewhere = |session: &mut Session| {
        let leaf = session.entry(session.leaf().unwrap()).unwrap().id.clone();
        session.reset_leaf();
        add(session, "U");
        let id = session.entry(session.leaf().unwrap()).unwrap().id.to_string();
        session.branch(&leaf).unwrap();
        id
    };
    let mut story = session(&SPLIT);
    let off_the_path = elsewhere(&mut story);
    let good = given(&story, 4);
    let before = story.to_jsonl();
    for (compaction, code) in [
        (HookCompaction { first_kept_entry_id: "nowhere".to_owned(), ..good.clone() }, ErrorCode::UnknownEntry),
        (HookCompaction { first_kept_entry_id: off_the_path, ..good.clone() }, ErrorCode::UnknownEntry),
        (HookCompaction { summary: " \n".to_owned(), ..good.clone() }, ErrorCode::InvalidEntry),
        (HookCompaction { details: Some("{".to_owned()), ..good.clone() }, ErrorCode::InvalidEntry),
        (HookCompaction { preserve_data: Some("1 2".to_owned()), ..good.clone() }, ErrorCode::InvalidEntry),
    ] {
        let mut story = Session::from_jsonl(before.clone(), Preset::Safe, 7).unwrap();
        let leaf = story.entry(4).unwrap().id.clone();
        story.branch(&leaf).unwrap();
        let mut case = start_on(story, hooked(options(10))).answers(&[HookAnswer::Compaction(Box::new(compaction))]);
        case.check_unchanged("failed", Some(code));
        assert_eq!(case.session.leaf(), Some(4));
    }
}

#[test]
fn a_compaction_of_a_hook_is_stale_where_the_session_moved_meanwhile() {
    let story = session(&WHOLE_TURNS);
    let compaction = given(&story, 2);
    let mut case = start_on(story, hooked(options(20)));
    case.session.reset_leaf();
    add(&mut case.session, "U@10");
    case.before = case.session.to_jsonl();
    let mut case = case.answers(&[HookAnswer::Compaction(Box::new(compaction))]);
    case.check_unchanged("failed", Some(ErrorCode::Stale));
}

#[test]
fn additions_stand_in_every_request_and_their_data_in_the_entry() {
    let lines = vec!["Mind the café.".to_owned(), "The build is red.".to_owned()];
    let added = Additions {
        prompt: Some("Sum it up in verse.".to_owned()),
        context: lines,
        preserve_data: Some(r#"{"kept":[1.0]}"#.to_owned()),
    };
    let case = start(&SPLIT, hooked(with_short(10)));
    let mut case = case.answers(&[HookAnswer::Nothing, additions(added)]);
    for (reply, kind) in [("", "history"), ("History", "history"), ("Prefix", "turn-prefix"), ("Short", "short")] {
        assert_eq!(case.asked_for(), kind);
        let prompt = &case.request().prompt;
        let context = "<additional-context>\n- Mind the café.\n- The build is red.\n</additional-context>";
        assert!(prompt.contains(context), "{kind}: {prompt}");
        // In the place of the first or the update text, and of no other.
        assert_eq!(prompt.contains("Sum it up in verse."), kind == "history", "{kind}: {prompt}");
        case = case.replies(&[reply]);
    }
    let json = case.session.entry_json(case.outcome().entry.unwrap()).unwrap();
    assert!(json.contains(r#""preserveData":{"kept":[1.0]}"#) && !json.contains("fromExtension"), "{json}");
    assert_eq!(case.outcome().summarizer, Some(Summarizer::Callback));
}

#[test]
fn data_to_be_preserved_that_is_no_json_changes_nothing() {
    let added = Additions { preserve_data: Some("}".to_owned()), ..Additions::default() };
    let case = start(&WHOLE_TURNS, hooked(options(20))).answers(&[HookAnswer::Nothing, additions(added)]);
    let mut case = case.replies(&["History"]);
    case.check_unchanged("failed", Some(ErrorCode::InvalidEntry));
}

#[test]
fn additions_reach_the_local_summariser() {
    let local = RunOptions { candidates: Vec::new(), ..options(20) };
    let added = Additions { context: vec!["The release waits for Zoë.".to_owned()], ..Additions::default() };
    let case = start(&["U@300", "A@300", "U@10", "A@10"], hooked(local));
    let case = case.answers(&[HookAnswer::Nothing, additions(added)]);
    assert!(case.stored().summary.contains("The release waits for Zoë."), "{}", case.stored().summary);
}
