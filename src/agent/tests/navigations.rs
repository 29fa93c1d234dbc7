//! Moving through the tree: where the leaf comes to lie, who makes the summary, what is told.

use super::*;
use crate::entry::EntryKind;
use crate::session::Index;

/// `0 1 2 3` and, below 1, `4 5`; another root `6 7`; the leaf is 3. A custom message is 8, below 3.
fn tree() -> Session {
    let mut session = session(&["U@5", "A@5", "U@50", "A@50"]);
    let id = |session: &Session, index: Index| session.entry(index).unwrap().id.clone();
    let (fork, leaf) = (id(&session, 1), id(&session, 3));
    session.branch(&fork).unwrap();
    for word in ["U@6", "A@6"] {
        add(&mut session, word);
    }
    session.reset_leaf();
    for word in ["U@7", "A@7"] {
        add(&mut session, word);
    }
    session.branch(&leaf).unwrap();
    add(&mut session, "C@8");
    session.branch(&leaf).unwrap();
    session
}

fn navigate(target: Index, summarize: Option<bool>) -> Command {
    Command::Navigate { target, summarize, custom_instructions: None }
}

fn go_to(target: Index, summarize: bool, options: AgentOptions) -> Case {
    start(tree(), options, navigate(target, Some(summarize)))
}

#[test]
fn t35_each_place_that_the_leaf_may_move_to() {
    for (what, target, leaf, text) in [
        ("another branch", 5, Some(5), None),
        ("an ancestor", 1, Some(1), None),
        ("a question", 4, Some(1), Some(6)),
        ("the first question", 0, None, Some(5)),
        ("the question of the leaf", 2, Some(1), Some(50)),
        ("another root's answer", 7, Some(7), None),
        ("another root", 6, None, Some(7)),
        ("a custom message below", 8, Some(3), Some(8)),
    ] {
        let mut case = go_to(target, false, options());
        let editor_text = text.map(|words| crate::tokens::ONE_TOKEN.repeat(words));
        let expected = NavigateOutcome { editor_text, ..NavigateOutcome::default() };
        assert_eq!((case.navigation(), case.session.leaf()), (&expected, leaf), "{what}");
        assert_eq!(case.events(), [format!("session_tree {leaf:?} from Some(3) with None false")], "{what}");
        case.check_unchanged();
    }
    let mut descendant = tree();
    let first = descendant.entry(1).unwrap().id.clone();
    descendant.branch(&first).unwrap();
    let case = start(descendant, options(), navigate(3, Some(false)));
    assert_eq!(case.session.leaf(), Some(3));
}

#[test]
fn to_the_leaf_itself_nothing_happens() {
    for summarize in [true, false] {
        let mut case = go_to(3, summarize, reaching(true, true, true));
        assert_eq!((case.events().len(), case.navigation()), (0, &NavigateOutcome::default()));
        assert_eq!(case.session.leaf(), Some(3));
        case.check_unchanged();
    }
}

#[test]
fn to_nowhere_it_is_refused() {
    let mut agent = Agent::new(options());
    for mut story in [tree(), session(&[])] {
        let refused = agent.start(&mut story, navigate(99, None), NOW).unwrap_err();
        assert_eq!((refused.code, story.is_locked()), (ErrorCode::UnknownEntry, false));
    }
}

#[test]
fn t34_a_summary_hangs_below_the_new_leaf_and_names_the_old_one() {
    for (target, below) in [(5, Some(1 + 4)), (4, Some(1)), (0, None), (1, Some(1))] {
        let left = tree().entry(3).unwrap().id.clone();
        let case = go_to(target, true, options());
        let Step::Summarize(asked) = &case.step else { panic!("{:?}", case.step) };
        assert_eq!((asked.request.kind.as_str(), asked.request.max_tokens), ("branch", 2_048));
        assert_eq!(case.session.leaf(), Some(3), "the leaf moves once there is a summary");
        let mut case = case.resume(text("It failed."));
        assert_eq!((case.navigation().summary_entry, case.session.leaf()), (Some(9), Some(9)));
        assert_eq!((case.session.parent(9), case.navigation().summarizer), (below, Some(Summarizer::Callback)));
        let EntryKind::BranchSummary(branch) = &case.session.entry(9).unwrap().kind else { panic!("another kind") };
        assert_eq!((&*branch.from_id, branch.from_extension), (&*left, false));
        assert!(branch.summary.ends_with("It failed.") && branch.summary.len() > "It failed.".len());
        assert_eq!(case.events(), ["session_tree Some(9) from Some(3) with Some(9) false"]);
    }
}

#[test]
fn where_nobody_says_so_the_setting_decides() {
    for (enabled, asks) in [(true, true), (false, false)] {
        let mut options = options();
        options.settings.branch_summary.enabled = enabled;
        let case = start(tree(), options.clone(), navigate(5, None));
        assert_eq!(matches!(case.step, Step::Summarize(_)), asks);
        let case = start(tree(), options, navigate(5, Some(!enabled)));
        assert_eq!(matches!(case.step, Step::Summarize(_)), !asks);
    }
}

#[test]
fn instructions_take_the_place_of_ours() {
    let command =
        Command::Navigate { target: 5, summarize: Some(true), custom_instructions: Some("In verse.".to_owned()) };
    let case = start(tree(), options(), command);
    let Step::Summarize(asked) = &case.step else { panic!("{:?}", case.step) };
    assert!(asked.request.prompt.trim_end().ends_with("In verse."), "{}", asked.request.prompt);
}

#[test]
fn the_local_summariser_answers_on_the_spot() {
    let case = go_to(5, true, AgentOptions { candidates: Vec::new(), ..options() });
    assert_eq!((case.navigation().summarizer, case.session.leaf()), (Some(Summarizer::Local), Some(9)));
}

#[test]
fn without_anything_to_summarise_it_moves_and_says_so() {
    let mut tiny = AgentOptions { context_window: Some(130), ..options() };
    tiny.settings.compaction.reserve_tokens = Some(10);
    for (target, options, skipped) in [(8, options(), "no-messages"), (5, tiny, "nothing-fits")] {
        let case = go_to(target, true, options);
        assert_eq!((case.navigation().summary_skipped, case.navigation().summary_entry), (Some(skipped), None));
        assert_eq!(case.navigation().error, None);
        case.check_unchanged();
    }
}

#[test]
fn a_summary_that_fails_or_is_aborted_leaves_the_leaf() {
    for (reply, aborted) in [(thrown("no key"), false), (Reply::Aborted, true)] {
        let mut case = go_to(5, true, options()).resume(reply);
        let outcome = case.navigation();
        assert_eq!((outcome.cancelled, outcome.aborted), (aborted, aborted));
        assert_eq!(outcome.error.as_ref().map(|error| &*error.message), (!aborted).then_some("no key"));
        assert_eq!((case.session.leaf(), case.events().len()), (Some(3), 0));
        case.check_unchanged();
    }
    let case = go_to(5, true, options()).replies(&[text(""), text("")]);
    assert_eq!(case.navigation().error.as_ref().unwrap().code, ErrorCode::SummaryRefused);
    case.check_unchanged();
}

#[test]
fn the_hooks_are_asked_whether_or_not_a_summary_is_wanted() {
    let summary = |details: Option<&str>| {
        let details = details.map(str::to_owned);
        Reply::Answered(HookAnswer::Summary { summary: "By a hook.".to_owned(), details })
    };
    for summarize in [true, false] {
        let asked = || {
            let case = go_to(5, summarize, reaching(true, false, false));
            assert!(matches!(&case.step, Step::CallHook { hook, .. } if hook.as_str() == "session_before_tree"));
            case
        };
        let case = asked().resume(Reply::Answered(HookAnswer::Cancel));
        assert_eq!((case.navigation().cancelled, case.navigation().aborted), (true, false));
        case.check_unchanged();
        let case = asked().resume(Reply::Aborted);
        assert_eq!((case.navigation().cancelled, case.navigation().aborted), (true, true));
        let case = asked().resume(Reply::Answered(HookAnswer::Nonsense("7".to_owned())));
        assert_eq!(case.navigation().error.as_ref().unwrap().code, ErrorCode::InvalidArgument);
        case.check_unchanged();
        let case = asked().resume(Reply::Answered(HookAnswer::Nothing));
        assert_eq!(matches!(case.step, Step::Summarize(_)), summarize);
        // One that was not asked for is not used.
        let mut case = asked().resume(summary(Some(r#"{"a":1.0}"#)));
        assert_eq!(case.navigation().summary_entry, summarize.then_some(9));
        if summarize {
            let json = case.session.entry_json(9).unwrap();
            assert!(json.contains(r#""summary":"By a hook.","details":{"a":1.0},"fromExtension":true"#), "{json}");
            assert_eq!(case.navigation().summarizer, Some(Summarizer::Hook));
            assert_eq!(case.events(), ["session_tree Some(9) from Some(3) with Some(9) true"]);
        }
    }
    let case = go_to(5, true, reaching(true, false, false)).resume(summary(Some("{")));
    assert_eq!(
        (case.navigation().error.as_ref().unwrap().code, case.session.leaf()),
        (ErrorCode::InvalidEntry, Some(3))
    );
    case.check_unchanged();
}

#[test]
fn the_store_and_the_host_hear_of_it_in_turn() {
    let mut case = go_to(5, true, reaching(false, true, true)).resume(text("It failed."));
    assert_eq!(case.step, Step::Save(Save::Entry(9)));
    case = case.resume(Reply::Saved);
    assert_eq!(case.step, Step::HostCommand(HostCommand::ReplaceMessages { without_last: false }));
    assert_eq!(case.events(), [""; 0]);
    case = case.resume(Reply::Obeyed);
    assert_eq!((case.navigation().summary_entry, case.events().len()), (Some(9), 1));
    // A move of the leaf alone is nothing for the store.
    let case = go_to(5, false, reaching(false, true, true));
    assert!(matches!(case.step, Step::HostCommand(_)), "{:?}", case.step);
}

#[test]
fn a_refused_summary_is_taken_back_and_the_leaf_goes_back() {
    let mut case = go_to(5, true, reaching(false, true, true)).replies(&[text("It failed."), full()]);
    assert_eq!(case.navigation().error.as_ref().unwrap().code, ErrorCode::StorageFailed);
    assert_eq!((case.session.leaf(), case.session.len(), case.events().len()), (Some(3), 9, 0));
    case.check_unchanged();
    // What came behind it stays, below its parent.
    let mut case = go_to(5, true, reaching(false, true, true)).resume(text("It failed."));
    add(&mut case.session, "U@3");
    let case = case.resume(full());
    assert_eq!((case.session.leaf(), case.session.parent(9)), (Some(9), Some(5)));
}

#[test]
fn an_abort_while_the_store_writes_comes_too_late() {
    let case = go_to(5, true, reaching(false, true, true));
    let case = case.replies(&[text("It failed."), Reply::Aborted, Reply::Obeyed]);
    assert_eq!((case.navigation().cancelled, case.navigation().summary_entry), (false, Some(9)));
}

#[test]
fn what_is_said_while_the_summary_is_made_makes_it_stale() {
    for (word, stale) in [("U@3", true), ("C@3", true), ("M", false), ("X@3", false)] {
        let mut case = go_to(5, true, options());
        add(&mut case.session, word);
        let case = case.resume(text("It failed."));
        let code = case.navigation().error.as_ref().map(|error| error.code);
        assert_eq!(code, stale.then_some(ErrorCode::Stale), "{word}");
        assert_eq!(case.session.leaf(), Some(if stale { 9 } else { 10 }), "{word}");
    }
    // Without a summary nothing of it is lost: it is in the branch that is left.
    let mut case = go_to(5, false, reaching(true, false, false));
    add(&mut case.session, "U@3");
    let mut case = case.resume(Reply::Answered(HookAnswer::Nothing));
    assert_eq!(case.events(), ["session_tree Some(5) from Some(9) with None false"]);
}

#[test]
fn a_leaf_that_moves_meanwhile_makes_it_stale() {
    for to in [None, Some(1), Some(7)] {
        for summarize in [true, false] {
            let mut case = go_to(5, summarize, reaching(true, false, false));
            match to.map(|to: Index| case.session.entry(to).unwrap().id.clone()) {
                Some(id) => case.session.branch(&id).unwrap(),
                None => case.session.reset_leaf(),
            }
            let mut case = case.resume(Reply::Answered(HookAnswer::Nothing));
            if summarize {
                case = case.resume(text("It failed."));
            }
            assert_eq!(case.navigation().error.as_ref().unwrap().code, ErrorCode::Stale, "{to:?}");
            assert_eq!(case.session.leaf(), to);
        }
    }
}

#[test]
fn a_prune_and_an_entry_that_is_taken_back_make_a_summary_stale() {
    let story = || {
        let mut story = session(&["U@5", "A:x@50", "R:x@90", "A@5", "M"]);
        let leaf = story.entry(4).unwrap().id.clone();
        story.reset_leaf();
        add(&mut story, "A@5");
        story.branch(&leaf).unwrap();
        story
    };
    let meanwhile: [fn(&mut Session); 2] =
        [|session| drop(session.rewrite_results(&[2], 0)), |session| session.withdraw(4).unwrap()];
    for meanwhile in meanwhile {
        let mut case = start(story(), options(), navigate(5, Some(true)));
        meanwhile(&mut case.session);
        let (length, leaf) = (case.session.len(), case.session.leaf());
        let case = case.resume(text("It failed."));
        assert_eq!(case.navigation().error.as_ref().unwrap().code, ErrorCode::Stale);
        assert_eq!((case.session.len(), case.session.leaf()), (length, leaf));
    }
}

#[test]
fn an_entry_that_is_taken_back_behind_the_leaf_changes_no_summary() {
    let mut case = start(session(&["U@5", "U@50", "A@90"]), options(), navigate(0, Some(true)));
    add(&mut case.session, "M");
    case.session.withdraw(3).unwrap();
    let case = case.resume(text("It failed."));
    assert_eq!(case.navigation().error, None);
    assert!(case.navigation().summary_entry.is_some());
}

#[test]
fn a_target_that_is_taken_back_meanwhile_makes_it_stale() {
    let mut case = go_to(8, false, reaching(true, false, false));
    case.session.withdraw(8).unwrap();
    let case = case.resume(Reply::Answered(HookAnswer::Nothing));
    assert_eq!((case.navigation().error.as_ref().unwrap().code, case.session.leaf()), (ErrorCode::Stale, Some(3)));
}

#[test]
fn t37_model_and_thinking_of_the_branch_that_is_left_do_not_follow() {
    let mut story = session(&["U@5"]);
    let changes = |session: &mut Session, model: &str, level: &str| {
        let model = format!(r#"{{"type":"model_change","provider":"p","modelId":"{model}"}}"#);
        session.append(&model, NOW).unwrap();
        session.append(&format!(r#"{{"type":"thinking_level_change","thinkingLevel":"{level}"}}"#), NOW).unwrap();
    };
    changes(&mut story, "first", "low");
    add(&mut story, "A@5");
    let fork = story.entry(3).unwrap().id.clone();
    for word in ["U@40", "A:x,y@40", "R:y@5"] {
        add(&mut story, word);
    }
    changes(&mut story, "second", "high");
    let left = story.entry(story.leaf().unwrap()).unwrap().id.clone();
    story.branch(&fork).unwrap();
    for word in ["U@5", "A@5"] {
        add(&mut story, word);
    }
    let target = story.leaf().unwrap();
    story.branch(&left).unwrap();
    for summarize in [true, false] {
        let file = story.to_jsonl();
        let mut copy = Session::from_jsonl(file, crate::session::Preset::Safe, 5).unwrap();
        copy.branch(&left).unwrap();
        let mut case = start(copy, options(), navigate(target, Some(summarize)));
        if summarize {
            let Step::Summarize(asked) = &case.step else { panic!("{:?}", case.step) };
            // The call that nothing answered has a result that was made up.
            assert_eq!(asked.request.prompt.matches("[Tool result").count(), 2);
            case = case.resume(text("It failed."));
        }
        let context = case.session.build_session_context(case.session.leaf());
        assert_eq!(context.model.map(|model| &*model.model_id), Some("first"));
        assert_eq!(context.thinking_level, Some("low"));
        assert_eq!((context.repairs.len(), context.pending_tool_calls.len()), (0, 0));
    }
}
