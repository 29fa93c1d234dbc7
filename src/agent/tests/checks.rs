//! When a check starts a compaction, and when it starts none.

use super::*;
use crate::entry::ModelChoice;
use crate::hook::Hook;

fn before_prompt(pending_tokens: u64) -> Command {
    Command::BeforePrompt { pending_tokens, from_user: true }
}

/// Nothing was done and nothing asked for.
fn check_nothing(mut case: Case, reason: Option<&str>) {
    assert_eq!(case.did(), (Action::None, Next::Wait));
    assert_eq!(case.turn().compaction.as_ref().map(|_| case.nothing()), reason);
    assert_eq!(case.events(), [""; 0]);
    case.check_unchanged();
}

#[test]
fn a_context_that_fits_is_left_alone() {
    check_nothing(turn_end(session(&["U@10", "A@10"]), options()), None);
    check_nothing(turn_end(session(&["U@400", "A@500"]), options()), None);
    check_nothing(turn_end(session(&[]), options()), None);
}

#[test]
fn a_context_over_the_limit_is_compacted_and_the_agent_is_asked_to_go_on() {
    let mut case = turn_end(session(&LARGE), options()).resume(text("Done"));
    assert_eq!(case.did(), (Action::Compacted, Next::Prompt));
    assert_eq!(
        case.events(),
        [
            "start threshold",
            "session_compact threshold",
            "compaction_end committed threshold",
            "end threshold aborted false retry false -",
        ]
    );
    assert!(!case.session.is_locked());
}

#[test]
fn t17_a_pending_message_counts_before_it_is_sent() {
    let story = || session(&["U@300", "A@290", "U@5", "A@5"]);
    check_nothing(start(story(), options(), before_prompt(300)), None);
    let case = start(story(), options(), before_prompt(301)).resume(text("Done"));
    assert_eq!(case.did(), (Action::Compacted, Next::Wait));
}

#[test]
fn a_check_before_a_prompt_continues_and_prompts_nothing() {
    for session in [session(&LARGE), overflowed(&LARGE)] {
        let case = start(session, options(), before_prompt(1)).resume(text("Done"));
        assert_eq!(case.did(), (Action::Compacted, Next::Wait));
    }
}

#[test]
fn an_overflow_is_compacted_and_the_request_sent_again() {
    let mut case = turn_end(overflowed(&["U@300", "A@300", "U@10"]), options()).resume(text("Done"));
    assert_eq!(case.did(), (Action::Compacted, Next::Continue));
    assert_eq!(
        case.events(),
        [
            "start overflow",
            "session_compact overflow",
            "compaction_end committed overflow",
            "end overflow aborted false retry true -",
        ]
    );
}

#[test]
fn a_finished_answer_that_overflowed_is_not_asked_for_again() {
    // The provider counted more than the window holds, and the estimate makes that believable.
    let mut case = turn_end(session(&["U@300", "A@300", "U@10", "A@10$1100"]), options()).resume(text("Done"));
    assert_eq!(case.events()[0], "start overflow");
    assert_eq!(case.did(), (Action::Compacted, Next::Wait));
}

#[test]
fn an_aborted_turn_starts_nothing_and_the_next_check_measures_it() {
    let mut story = session(&["U@500", "A@450"]);
    let stopped = r#"{"role":"assistant","content":[{"type":"text","text":"w"}],"stopReason":"aborted"}"#;
    story.append(&format!(r#"{{"type":"message","message":{stopped}}}"#), NOW).unwrap();
    let case = turn_end(story, options());
    assert_eq!(case.did(), (Action::None, Next::Wait));
    let case = case.again(before_prompt(1)).resume(text("Done"));
    assert_eq!(case.did(), (Action::Compacted, Next::Wait));
}

#[test]
fn an_error_turn_is_measured_by_what_was_there_before() {
    let mut story = session(&LARGE);
    add_refused(&mut story, "529 overloaded", "");
    let case = turn_end(story, options()).resume(text("Done"));
    // It is no good turn, from which the agent would go on.
    assert_eq!(case.did(), (Action::Compacted, Next::Wait));
}

#[test]
fn t15_without_a_window_nothing_starts_by_itself() {
    let unknown = || AgentOptions { context_window: None, ..options() };
    check_nothing(turn_end(session(&LARGE), unknown()), Some("unknown-window"));
    check_nothing(turn_end(overflowed(&LARGE), unknown()), Some("unknown-window"));
    let by_hand = start(session(&LARGE), unknown(), Command::Compact { custom_instructions: None });
    assert_eq!(by_hand.resume(text("Done")).compaction().status, Status::Committed);
}

#[test]
fn switched_off_it_starts_neither_and_prunes_nothing() {
    let mut off = options();
    off.settings.compaction.enabled = false;
    (off.settings.prune.protect_tokens, off.settings.prune.minimum_savings) = (0, 0);
    let story = ["U@10", "A:a@10", "R:a@950", "A@10"];
    check_nothing(turn_end(session(&story), off.clone()), Some("disabled"));
    check_nothing(turn_end(overflowed(&story), off), Some("disabled"));
}

#[test]
fn t13_what_no_summary_can_help_is_said_with_the_figures_and_asks_nobody() {
    let fixed = || AgentOptions { fixed_tokens: Some(29_000), ..options() };
    let window = |options: AgentOptions| {
        let mut options = AgentOptions { context_window: Some(32_000), ..options };
        options.settings.compaction.reserve_tokens = Some(6_400);
        options
    };
    let story = ["U@400", "A@400", "U@100", "A@100"];
    let case = turn_end(session(&story), window(fixed()));
    let said = case.compaction().nothing_to_do.as_ref().unwrap().to_string();
    assert!(said.contains("29000") && said.contains("25600"), "{said}");
    let mut case = case;
    assert_eq!((case.did(), case.nothing()), ((Action::None, Next::Wait), "infeasible"));
    assert_eq!(case.events(), ["compaction_end nothing-to-do threshold"]);
    case.check_unchanged();
    // It ends the recovery from an overflow.
    let mut case = turn_end(overflowed(&story), window(fixed()));
    assert_eq!(case.did(), (Action::Failed, Next::Wait));
    assert_eq!(case.compaction().error.as_ref().unwrap().code, ErrorCode::TooLarge);
    let events = case.events();
    assert_eq!(events[0], "compaction_end failed overflow");
    assert!(events[1].contains("Context overflow recovery failed: ") && events[1].contains("29000"), "{events:?}");
    case.check_unchanged();
}

#[test]
fn t19_one_message_larger_than_the_window_is_said_once_and_starts_no_loop() {
    let case = turn_end(overflowed(&["U@2000"]), options());
    let said = case.compaction().error.as_ref().unwrap().message.clone();
    assert!(said.contains("2000") && said.contains("900"), "{said}");
    assert_eq!(case.did(), (Action::Failed, Next::Wait));
    case.check_unchanged();
}

#[test]
fn t14_a_usage_from_before_a_compaction_starts_nothing() {
    check_nothing(turn_end(session(&["U@10", "A@10$950", "K:0", "U@10"]), options()), None);
}

#[test]
fn only_an_error_of_the_current_model_counts() {
    let mut story = session(&["U@300", "A@300", "U@10"]);
    add_refused(&mut story, "prompt is too long", r#","provider":"p","model":"small""#);
    let model = |id: &str| Some(ModelChoice { provider: "p".into(), model_id: id.into() });
    let text_of = story.to_jsonl();
    let with = |id: &str| {
        let story = Session::from_jsonl(text_of.clone(), crate::session::Preset::Safe, 7).unwrap();
        turn_end(story, AgentOptions { model: model(id), ..options() })
    };
    check_nothing(with("large"), None);
    assert!(matches!(with("small").step, Step::Summarize(_)));
}

#[test]
fn only_an_error_behind_the_latest_compaction_counts() {
    let mut story = overflowed(&["U@300", "A@300", "U@10"]);
    add(&mut story, "K:2");
    check_nothing(turn_end(story, options()), None);
}

#[test]
fn settings_hold_from_the_next_run_on() {
    let mut case = turn_end(session(&LARGE), options());
    case.agent.options.settings.compaction.auto_continue = false;
    let case = case.resume(text("Done"));
    assert_eq!(case.did(), (Action::Compacted, Next::Prompt));
    let mut case = case;
    for word in ["U@900", "A@10"] {
        add(&mut case.session, word);
    }
    let case = case.again(Command::TurnEnd).resume(text("Done"));
    assert_eq!(case.did(), (Action::Compacted, Next::Wait));
}

#[test]
fn a_reserve_that_does_not_fit_is_refused_and_leaves_the_session_free() {
    let mut options = options();
    options.settings.compaction.reserve_tokens = Some(850);
    let mut agent = Agent::new(options);
    let mut story = session(&LARGE);
    for command in [Command::TurnEnd, before_prompt(0), Command::Compact { custom_instructions: None }] {
        assert_eq!(agent.start(&mut story, command, NOW).unwrap_err().code, ErrorCode::InvalidSettings);
        assert!(!story.is_locked());
    }
}

#[test]
fn one_run_at_a_time() {
    let mut case = turn_end(session(&LARGE), options());
    for command in [
        Command::Compact { custom_instructions: None },
        Command::Navigate { target: 0, summarize: None, custom_instructions: None },
    ] {
        assert_eq!(case.agent.start(&mut case.session, command, NOW).unwrap_err().code, ErrorCode::Busy);
    }
    for command in [Command::TurnEnd, before_prompt(0)] {
        let mut other = case.agent.start(&mut case.session, command, NOW).unwrap();
        let Step::Done(outcome) = other.step else { panic!("{:?}", other.step) };
        assert!(matches!(&*outcome, AgentOutcome::Turn(TurnOutcome { action: Action::Busy, next: Next::Wait, .. })));
        assert_eq!((other.run.take_events(), case.session.is_locked()), (vec![], true));
    }
    assert_eq!(case.resume(text("Done")).did(), (Action::Compacted, Next::Prompt));
}

#[test]
fn what_is_kept_leaves_room_for_the_pending_message() {
    let mut roomy = options();
    roomy.settings.compaction.keep_recent_tokens = Some(200);
    let kept = |pending| {
        let story = session(&["U@500", "A@100", "U@100", "A@50", "U@50", "A@40"]);
        let mut case = start(story, roomy.clone(), before_prompt(pending));
        let plan = case.run.compaction().unwrap().preparation().unwrap();
        let (keep, kept) = (plan.keep_recent_tokens, plan.kept_tokens);
        while matches!(case.step, Step::Summarize(_)) {
            case = case.resume(text("Done"));
        }
        assert!(case.compaction().progress.as_ref().unwrap().sufficient);
        assert!(case.compaction().tokens_after.unwrap() + pending <= 900, "{:?}", case.compaction());
        (keep, kept)
    };
    assert_eq!(kept(100), (200, 240));
    assert_eq!(kept(700), (100, 140));
}

#[test]
fn a_fold_that_leaves_too_little_room_for_the_pending_message_is_no_progress() {
    // The newest message stays, however little room is left.
    let case = start(session(&["U@300", "A@10", "U@500"]), options(), before_prompt(600)).resume(text("Done"));
    assert_eq!(case.did(), (Action::Compacted, Next::Wait));
    assert!(!case.compaction().progress.as_ref().unwrap().sufficient);
}

#[test]
fn before_a_prompt_no_hook_is_told_that_the_request_is_sent_again() {
    for (command, retry) in [(before_prompt(1), false), (Command::TurnEnd, true)] {
        let case = start(overflowed(&LARGE), reaching(true, false, false), command);
        let Step::CallHook { hook: Hook::BeforeCompact { will_retry, .. }, .. } = case.step else {
            panic!("another step")
        };
        assert_eq!(will_retry, retry);
    }
}
