//! Every view is legal for a provider.

use crate::check;
use crate::support::naive::{failed, is_message, path, refusal, view};
use crate::support::records::{Wildness, records};
use crate::support::tree::{Version, jsonl};
use crate::support::{done, entry, load, options, run, settings};
use proptest::prelude::*;
use threadfold::session::{ContextMessage, Index, RepairKind, Session};
use threadfold::summary::Candidate;

/// Every view of a session is legal, and holds each message of the row once, or says why not.
pub(crate) fn all_views_are_legal(session: &Session) -> Result<(), TestCaseError> {
    for leaf in (0..session.len() as Index).map(Some).chain([None]) {
        let context = session.build_session_context(leaf);
        let refusal = refusal(session, &context);
        prop_assert!(refusal.is_none(), "at {leaf:?}: {refusal:?}\n{:?}", context.messages);
        let (summary, row) = view(session, &path(session, leaf));
        let mut stored: Vec<Index> = context
            .messages
            .iter()
            .filter_map(|place| match *place {
                ContextMessage::Entry(index) | ContextMessage::Pruned { entry: index, .. } => Some(index),
                ContextMessage::SyntheticResult { .. } => None,
            })
            .collect();
        if let Some(summary) = summary {
            prop_assert_eq!(stored.first(), Some(&summary), "the summary comes first");
            stored.remove(0);
        }
        stored.sort_by_key(|index| row.iter().position(|other| other == index));
        let left_out: Vec<Index> = row.iter().copied().filter(|index| !stored.contains(index)).collect();
        let repaired: Vec<&str> = context
            .repairs
            .iter()
            .filter(|repair| !matches!(repair.kind, RepairKind::MissingResult | RepairKind::MovedResult))
            .map(|repair| &*repair.entry_id)
            .collect();
        let named: Vec<&str> = left_out.iter().map(|&index| &*entry(session, index).id).collect();
        prop_assert_eq!(named, repaired, "what is left out at {:?} is what the repairs name", leaf);
        prop_assert!(row.iter().all(|&index| !failed(entry(session, index)) || left_out.contains(&index)));
        prop_assert!(row.iter().all(|&index| is_message(entry(session, index))));
        stored.extend(&left_out);
        stored.sort_unstable();
        let mut all = row;
        all.sort_unstable();
        prop_assert_eq!(stored, all, "each message stands in the view or among the repairs, once");
    }
    Ok(())
}

#[test]
fn every_view_is_legal_at_every_entry() {
    let values = records(Wildness { ids_again: true, damage: true }, 40);
    check("views are legal", values, |records| all_views_are_legal(&load(jsonl(Version::Three, &records))));
}

#[test]
fn every_view_is_legal_after_a_fold() {
    let values = (records(Wildness { ids_again: true, damage: false }, 50), 0_u64..100);
    check("views are legal after a fold", values, |(records, keep)| {
        let mut session = load(jsonl(Version::Three, &records));
        let settings = settings(0, keep);
        run(&mut session, options(&settings, Candidate::CALLBACK), |_| done());
        let leaf = session.leaf();
        let context = session.build_session_context(leaf);
        let refusal = refusal(&session, &context);
        prop_assert!(refusal.is_none(), "{refusal:?}");
        Ok(())
    });
}
