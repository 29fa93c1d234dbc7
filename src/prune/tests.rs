//! The rule of a prune, and what it does to sizes and lines in both modes.

use super::*;
use crate::entry::{EntryKind, Message};
use crate::session::ContextMessage;
use crate::session::testing::{NOW, add, add_at, session, session_with};

mod overlay;
mod rewrite;

/// A time behind [`NOW`], in seconds.
fn later(seconds: u32) -> String {
    format!("2026-01-01T00:{:02}:{:02}.000Z", seconds / 60, seconds % 60)
}

fn settings(mode: PruneMode, protect_tokens: u64, minimum_savings: u64) -> Settings {
    let protected_tools = vec!["read".to_owned()];
    let prune = PruneSettings { protect_tokens, minimum_savings, protected_tools, mode };
    Settings { prune, ..Settings::default() }
}

/// Prunes at the leaf, whatever the context size, and holds that against what was prepared.
fn prune(session: &mut Session, settings: &Settings, now: &str) -> Pruned {
    let options = PruneOptions { settings, context_window: None, fixed_tokens: None };
    let prepared = prepare_prune(session, &options).unwrap();
    let pruned = prune_tool_outputs(session, &options, now).unwrap();
    assert_eq!(prepared, pruned, "what was prepared is what is done");
    pruned
}

fn tokens(session: &Session) -> u64 {
    session.context_usage(session.leaf(), &UsageQuery::default()).tokens
}

fn again(session: &Session) -> Session {
    Session::from_jsonl(session.to_jsonl(), session.preset(), 1).unwrap()
}

/// A call with its result, `size` tokens large.
fn call(id: &str, size: u64) -> [String; 2] {
    [format!("A:{id}"), format!("R:{id}@{size}")]
}

fn story(words: &[[String; 2]]) -> Session {
    let words: Vec<&str> = words.iter().flatten().map(String::as_str).collect();
    session(&words)
}

/// Which results a prune takes that protects so many tokens, and what that saves.
fn check(story: &[&str], protect: u64, minimum: u64, pruned: &[Index], saved: u64) {
    for mode in [PruneMode::Rewrite, PruneMode::Overlay] {
        let mut session = session(story);
        let (before, length) = (session.to_jsonl(), session.len());
        let found = prune(&mut session, &settings(mode, protect, minimum), NOW);
        assert_eq!((found.entries.as_slice(), found.tokens), (pruned, saved), "{story:?} {mode:?}");
        let appended = usize::from(mode == PruneMode::Overlay && !pruned.is_empty());
        assert_eq!(session.len() - length, appended, "{story:?} {mode:?}");
        if pruned.is_empty() {
            assert_eq!(session.to_jsonl(), before, "{story:?} {mode:?}: what was not pruned was changed");
        }
    }
}

#[test]
fn the_newest_results_stay_with_the_one_that_crosses_the_line() {
    // A notice of up to three digits takes 8 tokens.
    let story = ["A:a", "R:a@100", "A:b", "R:b@100", "A:c", "R:c@100", "A:d", "R:d@100"];
    check(&story, 0, 1, &[1, 3, 5, 7], 368);
    check(&story, 1, 1, &[1, 3, 5], 276);
    check(&story, 100, 1, &[1, 3, 5], 276);
    check(&story, 101, 1, &[1, 3], 184);
    check(&story, 200, 1, &[1, 3], 184);
    check(&story, 400, 1, &[], 0);
}

#[test]
fn below_the_least_savings_nothing_changes() {
    let story = ["A:a", "R:a@100", "A:b", "R:b@100"];
    check(&story, 0, 184, &[1, 3], 184);
    check(&story, 0, 185, &[], 0);
    check(&["U", "A"], 0, 0, &[], 0);
    check(&[], 0, 0, &[], 0);
}

#[test]
fn results_of_protected_tools_count_and_stay() {
    check(&["A:a", "R:a@100", "A:b", "R:b=read@100", "A:c", "R:c@100"], 0, 1, &[1, 5], 184);
    check(&["A:a", "R:a@100", "A:b", "R:b=read@100", "A:c", "R:c@100"], 200, 1, &[1], 92);
    // The fault that the case stands for: a prune that can take nothing must say so, each time.
    check(&["A:a", "R:a=read@9000", "A:b", "R:b=read@9000"], 10, 0, &[], 0);
}

#[test]
fn t26_a_result_no_larger_than_its_notice_stays() {
    // `[Output truncated - 5 tokens]` takes 7 tokens, with two digits 8.
    for size in 1..=7 {
        check(&["A:a", &format!("R:a@{size}")], 0, 0, &[], 0);
    }
    check(&["A:a", "R:a@8"], 0, 0, &[1], 1);
    check(&["A:a", "R:a@5", "A:b", "R:b@50"], 0, 0, &[3], 42);
}

#[test]
fn a_pruned_result_counts_and_is_passed_over() {
    for mode in [PruneMode::Rewrite, PruneMode::Overlay] {
        let mut session = story(&[call("a", 100), call("b", 100), call("c", 100)]);
        // The middle one alone: what is newer stays, and what is older is of a protected tool.
        let mut first = settings(mode, 100, 1);
        prune(&mut session, &first, NOW);
        assert!(session.is_pruned(1, session.leaf()) && session.is_pruned(3, session.leaf()));
        add(&mut session, "A:d");
        add(&mut session, "R:d@100");
        first.prune.protect_tokens = 100;
        let leaf = session.leaf();
        let found = prune(&mut session, &first, NOW);
        assert_eq!((found.entries.as_slice(), found.tokens), (&[5][..], 92), "{mode:?} at {leaf:?}");
        assert_eq!(prune(&mut session, &first, NOW), Pruned::default(), "a second prune changes nothing");
    }
}

#[test]
fn the_walk_goes_on_behind_a_pruned_result() {
    let mut session = session(&["A:a", "R:a@9000", "A:p", "R:p@9000", "A:n", "R:n@9000"]);
    let mut only_p = settings(PruneMode::Rewrite, 9_000, 1);
    only_p.prune.protected_tools = Vec::new();
    let file = String::from_utf8(session.to_jsonl()).unwrap();
    // As another program left it.
    let word = crate::tokens::ONE_TOKEN.repeat(9_000);
    let at = file.match_indices(&word).nth(1).unwrap().0;
    let file = format!("{}[Output truncated - 9000 tokens]{}", &file[..at], &file[at + word.len()..]);
    let file = file.replacen(r#""toolCallId":"p""#, r#""prunedAt":1,"toolCallId":"p""#, 1);
    session = Session::from_jsonl(file.into_bytes(), Preset::Safe, 1).unwrap();
    assert!(session.is_pruned(3, session.leaf()));
    // Pruned, it counts its notice: 9 000 + 8 of the newest are older than the first.
    only_p.prune.protect_tokens = 9_009;
    assert_eq!(prune(&mut session, &only_p, NOW), Pruned::default());
    only_p.prune.protect_tokens = 9_008;
    assert_eq!(prune(&mut session, &only_p, NOW).entries, [1]);
}

#[test]
fn with_a_window_it_runs_only_over_the_threshold_and_while_compaction_is_enabled() {
    let words = ["U", "A:a", "R:a@10000", "A:b", "R:b@10000", "A$21000"];
    let run = |preset: Preset, window: u64, enabled: bool| {
        let mut session = session_with(preset, &words);
        let mut settings = settings(PruneMode::Rewrite, 0, 1);
        settings.compaction.reserve_tokens = Some(1_000);
        settings.compaction.enabled = enabled;
        let options = PruneOptions { settings: &settings, context_window: Some(window), fixed_tokens: None };
        let before = session.to_jsonl();
        let pruned = prune_tool_outputs(&mut session, &options, NOW).unwrap().entries.len();
        assert_eq!(pruned == 0, session.to_jsonl() == before);
        // Once it was pruned the context is no longer over the threshold.
        assert_eq!(prune_tool_outputs(&mut session, &options, NOW).unwrap(), Pruned::default());
        pruned
    };
    assert_eq!(run(Preset::Safe, 21_999, true), 2);
    assert_eq!(run(Preset::Safe, 22_000, true), 0, "the threshold is passed strictly");
    assert_eq!(run(Preset::Safe, 21_999, false), 0);
    assert_eq!(run(Preset::Classic, 1_000_000, true), 2, "whenever it can");
    assert_eq!(run(Preset::Classic, 1_000_000, false), 0);
}

#[test]
fn what_a_host_states_as_fixed_counts_for_the_threshold() {
    let mut session = story(&[call("a", 1_000), call("b", 1_000)]);
    let settings = settings(PruneMode::Rewrite, 0, 1);
    let mut options = PruneOptions { settings: &settings, context_window: Some(4_000), fixed_tokens: None };
    assert_eq!(prune_tool_outputs(&mut session, &options, NOW).unwrap().entries.len(), 0);
    options.fixed_tokens = Some(1_500);
    assert_eq!(prune_tool_outputs(&mut session, &options, NOW).unwrap().entries.len(), 2);
}

#[test]
fn what_the_view_does_not_hold_is_never_pruned_in_safe() {
    // Covered by a compaction; of a failed turn; without a call; repeated.
    check(&["U", "A:a", "R:a@100", "U", "A:b", "R:b@100", "K:3"], 0, 1, &[5], 92);
    check(&["E:a", "R:a@100", "R:x@100", "A:b", "R:b@100", "R:b@100"], 0, 1, &[4], 92);
    // Its call is covered, so the view leaves it out.
    let mut session = session(&["U", "A:a", "U", "R:a@100", "A:b", "R:b@100", "K:2"]);
    assert_eq!(prune(&mut session, &settings(PruneMode::Rewrite, 0, 1), NOW).entries, [5]);
    // The other branch is not the view.
    let mut session = story(&[call("a", 100), call("b", 100)]);
    let root = session.entry(1).unwrap().id.clone();
    session.branch(&root).unwrap();
    assert_eq!(prune(&mut session, &settings(PruneMode::Rewrite, 0, 1), NOW).entries, [1]);
    assert!(!session.is_pruned(3, Some(3)));
}

#[test]
fn results_away_from_their_call_are_taken_by_their_age() {
    // R(a) came last, however the view moves it.
    check(&["A:a,b", "R:b@100", "U", "R:a@100"], 100, 1, &[1], 92);
}

#[test]
fn classic_also_takes_what_the_model_no_longer_sees() {
    for mode in [PruneMode::Rewrite, PruneMode::Overlay] {
        let mut session = session_with(Preset::Classic, &["U", "A:a", "R:a@100", "U", "A:b", "R:b@100", "K:3"]);
        let settings = settings(mode, 0, 1);
        assert_eq!(prune(&mut session, &settings, NOW).entries, [2, 5], "{mode:?}");
        assert_eq!(prune(&mut session, &settings, NOW), Pruned::default(), "{mode:?}");
    }
}

#[test]
fn a_time_that_is_none_is_refused_and_nothing_changes() {
    let mut session = story(&[call("a", 100)]);
    let settings = settings(PruneMode::Rewrite, 0, 1);
    let options = PruneOptions { settings: &settings, context_window: None, fixed_tokens: None };
    let before = session.to_jsonl();
    let error = prune_tool_outputs(&mut session, &options, "today").unwrap_err();
    assert_eq!((error.code, session.to_jsonl()), (ErrorCode::InvalidArgument, before));
    assert!(error.message.contains("\"today\""), "{error}");
}

#[test]
fn the_numbers_of_the_historical_rule_on_two_real_sessions() {
    for (file, pruned, saved) in [("pi-v1-before-compaction", 254, 45_947), ("pi-v1-large-session", 0, 0)] {
        let path = format!("{}/../shared/sessions/{file}.jsonl", env!("CARGO_MANIFEST_DIR"));
        let Ok(bytes) = std::fs::read(path) else {
            eprintln!("skipped: {file} is not there");
            continue;
        };
        let mut session = Session::from_jsonl(bytes, Preset::Classic, 1).unwrap();
        let found = prune(&mut session, &Settings::default(), NOW);
        assert_eq!((found.entries.len(), found.tokens), (pruned, saved), "{file}");
        let again = again(&session);
        assert_eq!((again.len(), again.to_jsonl()), (session.len(), session.to_jsonl()), "{file}");
    }
}

#[test]
fn classic_rewrites_results_of_any_size_and_its_sums_stay_right() {
    let mut session = session_with(Preset::Classic, &["A:a", "R:a@2", "A:b", "R:b@100", "A:c", "R:c@8"]);
    let before = session.estimated_view(session.leaf()).tokens;
    let found = prune(&mut session, &settings(PruneMode::Rewrite, 0, 1), NOW);
    assert_eq!((found.entries.as_slice(), found.tokens), (&[1, 3, 5][..], 92));
    assert_eq!(session.estimated_view(session.leaf()).tokens, before - 92 + 6);
    assert_eq!(again(&session).estimated_view(Some(5)), session.estimated_view(Some(5)));
    // An entry of its own hides only what its notice makes smaller.
    let mut session = session_with(Preset::Classic, &["A:a", "R:a@2", "A:b", "R:b@100"]);
    assert_eq!(prune(&mut session, &settings(PruneMode::Overlay, 0, 1), NOW).entries, [3]);
}

/// What a request with too many bytes prunes; `i` in a story is a call with a screenshot as its result.
fn check_images(story: &[&str], minimum: u64, pruned: &[Index]) {
    let mut told = session(&[]);
    for (number, word) in story.iter().enumerate() {
        if *word != "i" {
            add(&mut told, word);
            continue;
        }
        add(&mut told, &format!("A:i{number}"));
        let data = "iVBORw0KGgo".repeat(20);
        let image = format!(r#"[{{"type":"image","mimeType":"image/png","data":"{data}"}}]"#);
        let result = format!(r#"{{"role":"toolResult","toolCallId":"i{number}","toolName":"read","content":{image}}}"#);
        told.append(&format!(r#"{{"type":"message","message":{result}}}"#), NOW).unwrap();
    }
    let prune = settings(PruneMode::Rewrite, 40_000, minimum).prune;
    assert_eq!(plan_prune(&told, &prune, Scope::OldAndImages).unwrap_or_default(), pruned, "{story:?}");
    assert_eq!(plan_prune(&told, &prune, Scope::Old), None, "{story:?}: all of it is recent");
}

#[test]
fn of_a_request_with_too_many_bytes_the_images_go_first() {
    // Recent and of a protected tool, and yet: tokens are not what there is too much of.
    check_images(&["i", "i", "i"], 1, &[1, 3]);
    check_images(&["i", "i", "A:a", "R:a@100"], 20_000, &[1]);
    check_images(&["i", "A:a", "R:a@100"], 1, &[]);
    check_images(&["A:a", "R:a@100"], 1, &[]);
}
