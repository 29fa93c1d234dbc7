//! What is pruned before a check decides.

use super::*;
use crate::session::Preset;
use crate::settings::PruneMode;

fn pruning(mode: PruneMode, options: AgentOptions) -> AgentOptions {
    let mut options = options;
    options.settings.prune.protect_tokens = 0;
    options.settings.prune.minimum_savings = 100;
    options.settings.prune.mode = mode;
    options
}

/// 990 tokens, of which a prune leaves few.
const MOSTLY_OUTPUT: [&str; 5] = ["U@10", "A:a@10", "R:a@950", "A@10", "U@10"];
/// 1 340 tokens, of which a prune leaves more than the limit.
const ALSO_OUTPUT: [&str; 5] = ["U@500", "A:a@10", "R:a@300", "A@500", "U@30"];

#[test]
fn a_prune_that_is_enough_is_all_that_is_done() {
    for (mode, told) in [(PruneMode::Rewrite, &["rewritten [2]"][..]), (PruneMode::Overlay, &[])] {
        let mut case = turn_end(session(&MOSTLY_OUTPUT), pruning(mode, options()));
        assert_eq!(case.did(), (Action::Pruned, Next::Wait));
        let turn = case.turn();
        assert_eq!((turn.pruned_count, turn.compaction.is_none()), (1, true));
        assert!((930..950).contains(&turn.tokens_saved), "{turn:?}");
        assert_eq!(case.events(), told);
    }
}

#[test]
fn a_prune_that_is_not_enough_comes_before_the_compaction() {
    for mode in [PruneMode::Rewrite, PruneMode::Overlay] {
        let case = turn_end(session(&ALSO_OUTPUT), pruning(mode, options()));
        let Step::Summarize(asked) = &case.step else { panic!("{:?}", case.step) };
        let prompt = &asked.request.prompt;
        assert!(prompt.contains("[Tool result of t]: [Output truncated - 300 tokens]"), "{prompt}");
        let case = case.resume(text("Done"));
        assert_eq!((case.did().0, case.turn().pruned_count), (Action::Compacted, 1));
    }
}

#[test]
fn the_store_has_a_rewrite_before_the_session() {
    let case = turn_end(session(&MOSTLY_OUTPUT), pruning(PruneMode::Rewrite, reaching(false, true, true)));
    let Step::Save(Save::Notices { results, pruned_at }) = &case.step else { panic!("{:?}", case.step) };
    let (results, pruned_at) = (results.clone(), *pruned_at);
    assert_eq!(results, [2]);
    assert_eq!(case.session.to_jsonl(), case.before);
    let line = case.session.line_with_notice(2, pruned_at).unwrap();
    let case = case.resume(Reply::Saved);
    assert_eq!(case.step, Step::HostCommand(HostCommand::ReplaceMessages { without_last: false }));
    assert_eq!(*case.session.entry_line(2).unwrap(), *line);
    assert_eq!(case.resume(Reply::Obeyed).did(), (Action::Pruned, Next::Wait));
}

#[test]
fn the_session_gets_the_very_lines_that_the_store_has() {
    let mut case = turn_end(session(&MOSTLY_OUTPUT), pruning(PruneMode::Rewrite, reaching(false, true, false)));
    let Step::Save(Save::Notices { pruned_at, .. }) = case.step else { panic!("{:?}", case.step) };
    let line = case.session.line_with_notice(2, pruned_at).unwrap();
    // A turn that is newer than the prune, and somebody else who prunes.
    crate::session::testing::add_at(&mut case.session, "A@10$990", "2026-01-01T00:05:00.000Z");
    let settings = pruning(PruneMode::Rewrite, options()).settings;
    let options = crate::prune::PruneOptions { settings: &settings, context_window: None, fixed_tokens: None };
    assert_eq!(crate::prune::prune_tool_outputs(&mut case.session, &options, NOW).unwrap().entries, [0; 0]);
    let overlay = pruning(PruneMode::Overlay, super::options()).settings;
    let options = crate::prune::PruneOptions { settings: &overlay, ..options };
    assert_eq!(crate::prune::prune_tool_outputs(&mut case.session, &options, NOW).unwrap().entries, [0; 0]);
    let case = case.resume(Reply::Saved);
    assert_eq!(*case.session.entry_line(2).unwrap(), *line);
}

#[test]
fn a_refused_prune_changes_nothing_and_names_the_path_it_was_on() {
    for mode in [PruneMode::Rewrite, PruneMode::Overlay] {
        for (story, path) in [
            (session(&MOSTLY_OUTPUT), "Auto-compaction failed: the disk is full"),
            (overflowed(&MOSTLY_OUTPUT), "Context overflow recovery failed: the disk is full"),
        ] {
            let leaf = story.leaf();
            let mut case = turn_end(story, pruning(mode, reaching(false, true, true))).resume(full());
            assert_eq!((case.did(), case.turn().pruned_count), ((Action::Failed, Next::Wait), 0));
            let events = case.events();
            assert!(events.len() == 2 && events[1].ends_with(path), "{events:?}");
            assert_eq!(case.session.leaf(), leaf);
            case.check_unchanged();
            // It cools down, and prunes later as if nothing had been.
            let mut case = case.again(Command::TurnEnd);
            assert_eq!(case.did(), (Action::None, Next::Wait));
            add(&mut case.session, "C@10");
            assert!(matches!(case.again(Command::TurnEnd).step, Step::Save(_)));
        }
    }
}

#[test]
fn what_came_behind_a_refused_prune_entry_gets_its_parent() {
    let mut case = turn_end(session(&MOSTLY_OUTPUT), pruning(PruneMode::Overlay, reaching(false, true, false)));
    assert_eq!(case.step, Step::Save(Save::Entry(5)));
    add(&mut case.session, "U@3");
    let case = case.resume(full());
    assert_eq!((case.session.len(), case.session.leaf(), case.session.parent(5)), (6, Some(5), Some(4)));
    assert!(!case.session.is_pruned(2, Some(5)));
}

#[test]
fn an_abort_while_the_store_writes_keeps_the_prune_and_starts_no_compaction() {
    for mode in [PruneMode::Rewrite, PruneMode::Overlay] {
        let case = turn_end(session(&ALSO_OUTPUT), pruning(mode, reaching(false, true, true)));
        let mut case = case.replies(&[Reply::Aborted, Reply::Obeyed]);
        assert_eq!((case.did(), case.turn().pruned_count), ((Action::Pruned, Next::Wait), 1));
        assert_eq!(case.compaction().status, Status::Cancelled);
        assert_eq!(case.events().last().map(String::as_str), Some("compaction_end cancelled threshold"));
        assert_eq!(case.again(Command::TurnEnd).did(), (Action::None, Next::Wait));
    }
}

fn keeps_everything(options: AgentOptions) -> AgentOptions {
    let mut options = options;
    options.settings.compaction.keep_recent_tokens = Some(5_000);
    options
}

#[test]
fn a_prune_may_be_all_that_an_overflow_needs() {
    let options = || keeps_everything(pruning(PruneMode::Rewrite, reaching(false, false, true)));
    let mut case = turn_end(overflowed(&MOSTLY_OUTPUT), options()).resume(Reply::Obeyed);
    assert_eq!((case.did(), case.nothing()), ((Action::Pruned, Next::Continue), "session-too-small"));
    assert_eq!(case.events(), ["rewritten [2]", "compaction_end nothing-to-do overflow"]);
    // It is the one recovery that there is.
    add_overflow(&mut case.session);
    let case = case.again(Command::TurnEnd);
    assert_eq!(case.did(), (Action::Failed, Next::Wait));
    // Before a prompt nothing goes on by itself.
    let command = Command::BeforePrompt { pending_tokens: 1, from_user: true };
    let case = start(overflowed(&MOSTLY_OUTPUT), options(), command).resume(Reply::Obeyed);
    assert_eq!(case.did(), (Action::Pruned, Next::Wait));
}

#[test]
fn the_answer_to_be_tried_again_is_left_out_where_a_prune_was_enough() {
    let mut story = session(&["U@10", "A:a@10", "R:a@950", "A@10", "U@1"]);
    let usage = r#""usage":{"input":1099,"output":1,"totalTokens":1100}"#;
    let cut_off =
        format!(r#"{{"role":"assistant","content":[{{"type":"text","text":"but "}}],"stopReason":"length",{usage}}}"#);
    story.append(&format!(r#"{{"type":"message","message":{cut_off}}}"#), NOW).unwrap();
    let leaving_out = Step::HostCommand(HostCommand::ReplaceMessages { without_last: true });
    let case = turn_end(story, keeps_everything(pruning(PruneMode::Rewrite, reaching(false, false, true))));
    let case = case.resume(Reply::Obeyed);
    assert_eq!(case.step, leaving_out);
    assert_eq!(case.resume(Reply::Obeyed).did(), (Action::Pruned, Next::Continue));
}

#[test]
fn below_the_limit_only_the_classic_preset_prunes() {
    let story = ["U@10", "A:a@10", "R:a@300", "A@10"];
    let case = turn_end(session(&story), pruning(PruneMode::Rewrite, options()));
    assert_eq!(case.did(), (Action::None, Next::Wait));
    let classic = crate::session::testing::session_with(Preset::Classic, &story);
    let case = turn_end(classic, pruning(PruneMode::Rewrite, options()));
    assert_eq!(case.did(), (Action::Pruned, Next::Wait));
}
