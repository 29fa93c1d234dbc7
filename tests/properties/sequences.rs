//! Whatever is done to a session, in whatever order: after each deed nothing stored has changed, every
//! view is legal, the parts of a plan are the window, and the file loads the same.

use crate::check;
use crate::prunes::unpruned_part;
use crate::sizes::{Deed, apply, deeds};
use crate::support::naive::{pairs, path, refusal, result_of, view};
use crate::support::records::{Wildness, records};
use crate::support::saving::assert_loads_the_same;
use crate::support::tree::{Version, jsonl};
use crate::support::{entry, id, load, prepare, settings};
use crate::views::all_views_are_legal;
use proptest::prelude::*;
use threadfold::compaction::{find_cut_point, prepare_compaction};
use threadfold::session::{Index, Preset, Session};

/// A deed, and whether the session is saved and loaded again behind it.
fn steps() -> impl Strategy<Value = Vec<(Deed, bool)>> {
    let loads = prop::collection::vec(prop::bool::weighted(0.2), 12);
    (deeds(12), loads).prop_map(|(deeds, loads)| deeds.into_iter().zip(loads).collect())
}

/// Invariant 2. A prune that rewrites is the one deed that may change what is stored: the content and
/// the mark of results.
fn nothing_stored_has_changed(before: Vec<u8>, deed: &Deed, session: &Session) -> Result<(), TestCaseError> {
    if !matches!(deed, Deed::Prune(_)) {
        prop_assert!(session.to_jsonl().starts_with(&before), "what was stored was changed");
        return Ok(());
    }
    let before = load(before);
    prop_assert_eq!(before.len(), session.len());
    for index in 0..session.len() as Index {
        if session.entry_line(index) != before.entry_line(index) {
            prop_assert!(result_of(entry(session, index)).is_some(), "the line of {} was changed", index);
            prop_assert_eq!(unpruned_part(entry(session, index)), unpruned_part(entry(&before, index)));
        }
    }
    Ok(())
}

/// Invariant 4 at one leaf. At every leaf it is held once all is done.
fn the_view_is_legal(session: &Session, leaf: Option<Index>) -> Result<(), TestCaseError> {
    let context = session.build_session_context(leaf);
    let refusal = refusal(session, &context);
    prop_assert!(refusal.is_none(), "at {leaf:?}: {refusal:?}\n{:?}", context.messages);
    Ok(())
}

/// Invariant 5: what a plan summarises and keeps is the window, each message once and in order, and
/// the cut separates no call from its result.
fn the_parts_are_the_window(session: &Session, keep: u64) -> Result<(), TestCaseError> {
    let row = path(session, session.leaf());
    let (previous, window) = view(session, &row);
    let settings = settings(0, keep);
    if let Ok(plan) = prepare_compaction(session, session.leaf(), &prepare(&settings)).unwrap() {
        let parts = [&plan.entries_to_summarize[..], &plan.turn_prefix, &plan.kept].concat();
        prop_assert_eq!(parts, window);
        prop_assert_eq!(plan.previous_compaction, previous);
        prop_assert!(result_of(entry(session, plan.first_kept)).is_none(), "the first kept entry is a result");
    }
    let cut = find_cut_point(session, &row, 0, row.len(), keep).first_kept;
    for (call, result) in pairs(session, &row) {
        prop_assert!(
            cut <= call.min(result) || call.max(result) < cut,
            "the cut at {cut} separates {call} and {result}"
        );
    }
    Ok(())
}

/// The session as its file tells it, its leaf where it was.
fn loaded_again(session: &Session) -> Session {
    let mut again = load(session.to_jsonl());
    match session.leaf() {
        Some(leaf) => again.branch(id(session, leaf)).expect("an entry that was saved"),
        None => again.reset_leaf(),
    }
    again
}

#[test]
fn the_invariants_hold_after_every_deed() {
    let version = prop::sample::select(vec![Version::One, Version::Two, Version::Three, Version::Headless]);
    let values = (version, records(Wildness { ids_again: true, damage: true }, 20), steps(), 0_u64..80);
    check("invariants after every deed", values, |(version, records, steps, keep)| {
        let text = jsonl(version, &records);
        let Ok(mut session) = Session::from_jsonl(text.into_bytes(), Preset::Safe, 1) else { return Ok(()) };
        let mut loaded = session.len();
        for (deed, loads_again) in &steps {
            let before = session.to_jsonl();
            apply(&mut session, std::slice::from_ref(deed));
            nothing_stored_has_changed(before, deed, &session)?;
            the_view_is_legal(&session, session.leaf())?;
            the_parts_are_the_window(&session, keep)?;
            if *loads_again {
                assert_loads_the_same(&session, session.len() > loaded);
                session = loaded_again(&session);
                loaded = session.len();
            }
        }
        assert_loads_the_same(&session, session.len() > loaded);
        all_views_are_legal(&session)
    });
}
