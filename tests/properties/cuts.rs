//! A cut never separates a call from a result, and parts the window without a rest.

use crate::check;
use crate::support::naive::{is_message, pairs, path, result_of, same_ids, view};
use crate::support::records::{Wildness, records};
use crate::support::tree::{Version, jsonl};
use crate::support::{entry, id, load, prepare, settings};
use proptest::prelude::*;
use threadfold::compaction::{find_cut_point, prepare_compaction};
use threadfold::session::{Index, Session};

fn cut_in_any_window(ids_again: bool, belong_together: impl Fn(&Session, &[Index]) -> Vec<(usize, usize)>) {
    let values = (
        records(Wildness { ids_again, damage: true }, 60),
        any::<prop::sample::Index>(),
        (any::<prop::sample::Index>(), any::<prop::sample::Index>()),
        prop_oneof![0_u64..200, Just(0), Just(u64::MAX)],
    );
    check("a cut separates no call from a result", values, |(records, leaf, (start, end), keep)| {
        let session = load(jsonl(Version::Three, &records));
        if session.is_empty() {
            return Ok(());
        }
        let row = path(&session, Some(leaf.index(session.len()) as Index));
        let (start, end) = (start.index(row.len() + 1), end.index(row.len() + 1));
        let (start, end) = (start.min(end), start.max(end));
        let cut = find_cut_point(&session, &row, start, end, keep);
        prop_assert!((start..=end).contains(&cut.first_kept));
        if cut.first_kept > start {
            prop_assert!(cut.first_kept < end, "a cut that keeps nothing");
            prop_assert!(result_of(entry(&session, row[cut.first_kept])).is_none(), "the first kept entry is a result");
        }
        let at = cut.first_kept - start;
        for (call, result) in belong_together(&session, &row[start..end]) {
            prop_assert!(
                at <= call.min(result) || call.max(result) < at,
                "the cut at {at} separates {call} and {result}"
            );
        }
        if let Some(turn_start) = cut.turn_start {
            prop_assert!(start <= turn_start && turn_start < cut.first_kept);
        }
        Ok(())
    });
}

#[test]
fn a_cut_never_separates_a_call_from_any_of_its_results() {
    cut_in_any_window(false, same_ids);
}

#[test]
fn a_cut_never_separates_a_call_from_its_result_where_ids_are_used_again() {
    cut_in_any_window(true, pairs);
}

#[test]
fn kept_history_and_prefix_are_the_messages_of_the_window_each_once_in_order() {
    let values = (
        records(Wildness { ids_again: true, damage: true }, 60),
        any::<prop::sample::Index>(),
        0_u64..200,
        prop::option::of(2_u64..4_000),
        prop::option::of(0_u64..2_000),
    );
    check("the parts are the window", values, |(records, leaf, keep, context_window, fixed_tokens)| {
        let session = load(jsonl(Version::Three, &records));
        let leaf = (!session.is_empty()).then(|| leaf.index(session.len()) as Index);
        let settings = settings(0, keep);
        let mut prepare = prepare(&settings);
        prepare.context_window = context_window;
        prepare.fixed_tokens = fixed_tokens;
        let Ok(plan) = prepare_compaction(&session, leaf, &prepare).unwrap() else { return Ok(()) };
        let path = path(&session, leaf);
        let (previous, window) = view(&session, &path);
        let parts = [plan.entries_to_summarize.clone(), plan.turn_prefix.clone(), plan.kept.clone()].concat();
        prop_assert_eq!(&parts, &window);
        prop_assert_eq!(plan.previous_compaction, previous);
        prop_assert_eq!(plan.dropped, Vec::<Index>::new());
        prop_assert_eq!(plan.is_split_turn, !plan.turn_prefix.is_empty());
        prop_assert!(plan.entries_to_summarize.len() + plan.turn_prefix.len() > 0, "a plan that summarises nothing");
        // What lies between the first kept entry and the first kept message is metadata.
        let first = path.iter().position(|&index| index == plan.first_kept).unwrap();
        let kept: Vec<Index> =
            path[first..].iter().copied().filter(|&index| is_message(entry(&session, index))).collect();
        prop_assert_eq!(kept, plan.kept, "behind {}", id(&session, plan.first_kept));
        Ok(())
    });
}
