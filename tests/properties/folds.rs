//! Folding again and again loses nothing.

use crate::check;
use crate::sizes::{Deed, apply, deeds};
use crate::support::naive::{is_message, path, view};
use crate::support::records::{Wildness, records};
use crate::support::tree::{Version, jsonl};
use crate::support::{done, entry, load, options, prepare, run, settings};
use proptest::prelude::*;
use std::collections::BTreeSet;
use threadfold::compaction::{Status, prepare_compaction};
use threadfold::entry::{EntryKind, Message};
use threadfold::session::Index;
use threadfold::summary::Candidate;

/// What a text can be found by: the mark at its start.
fn mark_of(message: &EntryKind) -> Option<String> {
    let EntryKind::Message(Message::User { content }) = message else { return None };
    let text = content.texts().next()?;
    let mark = text.get(..text.find(')')? + 1)?;
    mark.starts_with("(no. ").then(|| mark.to_owned())
}

#[test]
fn whatever_a_fold_drops_from_the_view_was_in_one_of_its_requests() {
    let between = deeds(12).prop_map(|mut deeds| {
        deeds.retain(|deed| matches!(deed, Deed::Append(_)));
        deeds
    });
    let values = (
        records(Wildness { ids_again: true, damage: true }, 40),
        prop::collection::vec((0_u64..80, any::<bool>(), between), 1..6),
    );
    check("folds lose nothing", values, |(records, folds)| {
        let mut session = load(jsonl(Version::Three, &records));
        // What compactions of the file cover was summarised by others.
        let whole = path(&session, session.leaf());
        let seen: BTreeSet<Index> = view(&session, &whole).1.into_iter().collect();
        let mut accounted: BTreeSet<Index> = whole.iter().copied().filter(|index| !seen.contains(index)).collect();
        let mut committed = 0;
        for (keep, short_summary, between) in folds {
            let mut settings = settings(0, keep);
            settings.compaction.short_summary = short_summary;
            let plan = prepare_compaction(&session, session.leaf(), &prepare(&settings)).unwrap();
            let before = session.to_jsonl();
            let ran = run(&mut session, options(&settings, Candidate::CALLBACK), |_| done());
            if ran.outcome.status == Status::Committed {
                committed += 1;
                let plan = plan.unwrap();
                let prompts: Vec<&str> = ran.requests.iter().map(|request| &*request.prompt).collect();
                for &index in plan.entries_to_summarize.iter().chain(&plan.turn_prefix) {
                    let missing = mark_of(&entry(&session, index).kind)
                        .filter(|mark| !prompts.iter().any(|prompt| prompt.contains(mark.as_str())));
                    prop_assert_eq!(missing, None, "a message that no request holds");
                    accounted.insert(index);
                }
            } else {
                prop_assert_eq!(before, session.to_jsonl(), "a fold that did not happen changed the session");
            }
            apply(&mut session, &between);
            let whole = path(&session, session.leaf());
            // An appended compaction of somebody else's covers what it covers.
            let foreign = whole.iter().any(|&index| {
                entry(&session, index).compaction().is_some_and(|compaction| compaction.summary.starts_with("(no. "))
                    && index as usize >= records.len()
            });
            if foreign {
                return Ok(());
            }
            let seen: BTreeSet<Index> = view(&session, &whole).1.into_iter().collect();
            for &index in whole.iter().filter(|&&index| is_message(entry(&session, index))) {
                prop_assert!(
                    seen.contains(&index) || accounted.contains(&index),
                    "entry {index} is in no view and was in no request, after {committed} folds"
                );
            }
        }
        Ok(())
    });
}
