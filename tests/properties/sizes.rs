//! Sizes kept up to date by each append are those that a load computes.

use crate::check;
use crate::prunes::prune;
use crate::support::naive::view_tokens;
use crate::support::records::{Record, Wildness, records};
use crate::support::tree::{Version, Writer, jsonl};
use crate::support::{done, entry, id, later, load, options, run, settings};
use proptest::prelude::*;
use threadfold::prune::restore_tool_outputs;
use threadfold::session::{Index, RepairKind, Session, UsageQuery};
use threadfold::settings::PruneMode;
use threadfold::summary::Candidate;
use threadfold::tokens::{TokenRule, estimate_message};

/// Something done to a session.
#[derive(Debug, Clone)]
pub(crate) enum Deed {
    Append(Record),
    Branch(prop::sample::Index),
    Reset,
    Fold(u64),
    Summarised(prop::sample::Index),
    /// A prune that rewrites.
    Prune(u64),
    /// A prune as an entry, and taking back what such entries hide: all, or one result.
    Hide(u64),
    Restore(Option<prop::sample::Index>),
}

pub(crate) fn deeds(most: usize) -> impl Strategy<Value = Vec<Deed>> {
    let record = records(Wildness { ids_again: true, damage: false }, 2).prop_map(|records| records[0].clone());
    let deed = prop_oneof![
        12 => record.prop_map(Deed::Append),
        2 => any::<prop::sample::Index>().prop_map(Deed::Branch),
        1 => Just(Deed::Reset),
        3 => (0_u64..60).prop_map(Deed::Fold),
        1 => any::<prop::sample::Index>().prop_map(Deed::Summarised),
        1 => (0_u64..80).prop_map(Deed::Prune),
        2 => (0_u64..80).prop_map(Deed::Hide),
        1 => prop::option::of(any::<prop::sample::Index>()).prop_map(Deed::Restore),
    ];
    prop::collection::vec(deed, 0..most)
}

/// Does all that to a session; what is refused changes nothing.
pub(crate) fn apply(session: &mut Session, deeds: &[Deed]) {
    let mut writer = Writer::new(Version::Three);
    for deed in deeds {
        match deed {
            Deed::Append(record) => {
                for what in writer.spelled_out(&record.what) {
                    let (kind, rest) = writer.fields(&what);
                    let before = session.len();
                    if session.append(&format!(r#"{{"type":"{kind}"{rest}}}"#), &later(before)).is_err() {
                        assert_eq!(session.len(), before);
                    }
                }
            }
            Deed::Branch(pick) if !session.is_empty() => {
                let target = id(session, pick.index(session.len()) as Index).to_owned();
                session.branch(&target).expect("a known id");
            }
            Deed::Reset => session.reset_leaf(),
            Deed::Fold(keep) => {
                let settings = settings(0, *keep);
                run(session, options(&settings, Candidate::CALLBACK), |_| done());
            }
            Deed::Summarised(pick) if !session.is_empty() => {
                let target = id(session, pick.index(session.len()) as Index).to_owned();
                session
                    .branch_with_summary(Some(&target), "Left.", None, false, &later(session.len()))
                    .expect("a known id");
            }
            Deed::Prune(protect) => {
                prune(session, PruneMode::Rewrite, *protect, 0);
            }
            Deed::Hide(protect) => {
                prune(session, PruneMode::Overlay, *protect, 0);
            }
            Deed::Restore(pick) => {
                let picked = pick.filter(|_| !session.is_empty());
                let ids = picked.map(|pick| vec![id(session, pick.index(session.len()) as Index).to_owned()]);
                let now = later(session.len());
                restore_tool_outputs(session, ids.as_deref(), &now).expect("known ids");
            }
            Deed::Branch(_) | Deed::Summarised(_) => {}
        }
    }
}

#[test]
fn what_appends_count_is_what_a_load_counts() {
    let values = (records(Wildness { ids_again: true, damage: true }, 30), deeds(30), any::<u64>());
    check("incremental is recomputed", values, |(records, deeds, figure)| {
        let mut session = load(jsonl(Version::Three, &records));
        apply(&mut session, &deeds);
        let again = load(session.to_jsonl());
        prop_assert_eq!(again.len(), session.len());
        let queries = [
            UsageQuery::default(),
            UsageQuery {
                context_window: Some(1 + figure % 5_000),
                reserve_tokens: figure % 70,
                ..UsageQuery::default()
            },
            UsageQuery { pending_tokens: figure % 300, fixed_tokens: Some(figure % 900), ..UsageQuery::default() },
        ];
        for index in 0..session.len() as Index {
            let there = again.index_of(id(&session, index));
            prop_assert!(there.is_some(), "{} is not there after a load", id(&session, index));
            for query in &queries {
                prop_assert_eq!(session.context_usage(Some(index), query), again.context_usage(there, query));
            }
            prop_assert_eq!(session.estimated_view(Some(index)), again.estimated_view(there));
            prop_assert_eq!(session.model_at(Some(index)), again.model_at(there));
            prop_assert_eq!(session.thinking_level_at(Some(index)), again.thinking_level_at(there));
        }
        Ok(())
    });
}

#[test]
fn the_size_of_a_view_is_the_sum_of_its_parts() {
    let values = (records(Wildness { ids_again: true, damage: true }, 40), deeds(20));
    check("a view is the sum of its parts", values, |(records, deeds)| {
        let mut session = load(jsonl(Version::Three, &records));
        apply(&mut session, &deeds);
        for leaf in 0..session.len() as Index {
            let context = session.build_session_context(Some(leaf));
            let seen = view_tokens(&session, &context);
            let estimate = session.estimated_view(Some(leaf)).tokens;
            // Each entry is counted once, when it is appended. A view may pair a result otherwise once
            // a compaction hides its call; those are the ones that it moves or leaves out.
            let sum = |moved: bool| -> u64 {
                let concerned = context.repairs.iter().filter(|repair| match repair.kind {
                    RepairKind::FailedTurn | RepairKind::MissingResult => false,
                    kind => (kind == RepairKind::MovedResult) == moved,
                });
                concerned
                    .filter_map(|repair| entry(&session, session.index_of(&repair.entry_id)?).message())
                    .map(|message| estimate_message(&message, TokenRule::BY_SCRIPT).tokens)
                    .sum()
            };
            prop_assert!(seen <= estimate + sum(true), "{seen} are seen at {leaf}, {estimate} were counted");
            prop_assert!(estimate <= seen + sum(false), "{seen} are seen at {leaf}, {estimate} were counted");
        }
        Ok(())
    });
}
