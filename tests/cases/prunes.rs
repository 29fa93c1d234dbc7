//! Tool outputs that were pruned when they should not, or stayed when they should not.

use crate::Fault;
use crate::case::{Case, decide};
use crate::story::{Story, marks, text};
use crate::support::{later, load, settings};
use threadfold::prune::{PruneOptions, Pruned, prune_tool_outputs};
use threadfold::session::{Index, Session, UsageQuery};
use threadfold::settings::{PruneMode, Settings};

pub(crate) const FAULTS: &[Fault] = &[
    Fault {
        case: "15",
        kind: "a reduction that can free nothing says so, changes nothing, and the next step is another one",
        case_holds: all_results_of_a_protected_tool,
        another_holds: all_results_among_the_newest,
    },
    Fault {
        case: "20",
        kind: "what was sent before changes only where the context is too large, and then in what is stored",
        case_holds: below_the_threshold_and_over_it,
        another_holds: over_the_threshold_but_switched_off,
    },
    Fault {
        case: "21",
        kind: "an old result is judged by its age, not by what became of its neighbours",
        case_holds: one_was_pruned_before,
        another_holds: one_is_hidden_and_one_protected,
    },
];

/// Prunes, with a window only where the context is over the threshold.
fn prune(session: &mut Session, settings: &Settings, context_window: Option<u64>) -> Pruned {
    let options = PruneOptions { settings, context_window, fixed_tokens: None };
    prune_tool_outputs(session, &options, &later(60)).expect("settings that fit")
}

/// Holds that a prune does nothing, however often it is tried, and that a compaction is due.
fn check_in_vain(mut session: Session, settings: &Settings, window: u64) {
    let before = session.to_jsonl();
    for _ in 0..2 {
        assert_eq!(prune(&mut session, settings, Some(window)), Pruned::default());
        assert!(session.to_jsonl() == before, "a prune in vain changed the session");
        assert_eq!(decide(&session, settings, window).as_str(), "threshold");
    }
}

fn all_results_of_a_protected_tool(case: Case) {
    check_in_vain(case.session, &case.settings, case.window);
}

fn all_results_among_the_newest() {
    let mut story = Story::new().user("MARK-u1");
    for call in ["a", "b", "c", "d"] {
        story = story.calls(&[call]).result(call, &text("MARK-r", 9_000));
    }
    let session = story.counted("MARK-end", 60_000, 61_000).told();
    check_in_vain(session, &settings(16_384, 20_000), 70_000);
}

fn below_the_threshold_and_over_it(case: Case) {
    let (mut session, settings) = (case.session, case.settings);
    let before = session.to_jsonl();
    assert_eq!(prune(&mut session, &settings, Some(case.window)), Pruned::default());
    assert!(session.to_jsonl() == before, "below the threshold something was changed");
    // By the estimate four results take a little less than what is protected: the fifth crosses the line.
    let results: Vec<Index> = vec![2, 4, 6];
    assert_eq!(marks(&session, &results), ["r0", "r1", "r2"]);
    let pruned = prune(&mut session, &settings, Some(100_000));
    assert_eq!(pruned.entries, results);
    assert!((28_000..=30_000).contains(&pruned.tokens), "{}", pruned.tokens);
    assert_eq!(marks(&session, &results), Vec::<String>::new(), "in what is stored");
    let bytes = session.to_jsonl();
    assert_eq!(prune(&mut session, &settings, Some(100_000)), Pruned::default());
    assert!(session.to_jsonl() == bytes, "a second run changed something");
    let again = load(bytes);
    for session in [&session, &again] {
        let size = session.context_usage(session.leaf(), &UsageQuery::default()).tokens;
        // The provider counted the results for somewhat more than the estimate.
        assert!((1..pruned.tokens / 8).contains(&(90_000 - pruned.tokens - size)), "{size} and {pruned:?}");
    }
}

fn over_the_threshold_but_switched_off() {
    let mut story = Story::new().user("MARK-u1");
    for call in ["a", "b", "c"] {
        story = story.calls(&[call]).result(call, &text("MARK-r", 41_000));
    }
    let mut session = story.counted("MARK-end", 123_000, 124_000).told();
    let mut settings = settings(16_384, 20_000);
    settings.compaction.enabled = false;
    let before = session.to_jsonl();
    assert_eq!(prune(&mut session, &settings, Some(128_000)), Pruned::default());
    assert!(session.to_jsonl() == before, "what starts by itself was switched off");
    // Asked for it works all the same.
    assert_eq!(prune(&mut session, &settings, None).entries, [2, 4]);
}

fn one_was_pruned_before(case: Case) {
    let (mut session, settings) = (case.session, case.settings);
    // The earlier prune is newer than the usage, which brings the context below the threshold: this
    // one is asked for.
    let size = session.context_usage(session.leaf(), &UsageQuery::default()).tokens;
    assert!((80_500..81_500).contains(&size), "{size}");
    let pruned = prune(&mut session, &settings, None);
    // old0 to old3; new0 is the one that crosses the line, and stays.
    assert_eq!(pruned.entries, [2, 4, 6, 8]);
    assert!((34_000..=38_000).contains(&pruned.tokens), "{}", pruned.tokens);
    let before = case.input["entries"][11]["message"].clone();
    let line: serde_json::Value = serde_json::from_str(&session.entry_json(10).expect("an entry")).expect("JSON");
    assert_eq!(line["message"], before, "what was pruned before stays as it is");
}

fn one_is_hidden_and_one_protected() {
    let mut story = Story::new().user("MARK-u1");
    for call in ["a", "b", "c", "d"] {
        story = story.calls(&[call]).result(call, &text("MARK-r", 1_000));
    }
    let mut session = story.told();
    let mut settings = settings(0, 0);
    (settings.prune.protect_tokens, settings.prune.minimum_savings) = (1_000, 0);
    settings.prune.mode = PruneMode::Overlay;
    let hidden = session.entry(6).expect("an entry").id.clone();
    session.append(&format!(r#"{{"type":"prune","entryIds":["{hidden}"]}}"#), &later(1)).expect("an entry");
    assert_eq!(prune(&mut session, &settings, None).entries, [2, 4]);
    assert_eq!(prune(&mut session, &settings, None), Pruned::default());
}
