//! A prune takes what the rule says and nothing else, in both modes, and nothing is lost by it.

use crate::check;
use crate::sizes::{apply, deeds};
use crate::support::naive::{path, refusal, result_of, view, view_tokens};
use crate::support::records::{Wildness, records};
use crate::support::tree::{Version, jsonl};
use crate::support::{entry, id, later, load, prepare, settings};
use proptest::prelude::*;
use std::collections::BTreeSet;
use threadfold::compaction::prepare_compaction;
use threadfold::entry::{Entry, EntryKind, Message};
use threadfold::prune::{PruneOptions, Pruned, prune_tool_outputs, restore_tool_outputs};
use threadfold::session::{ContextMessage, Index, RepairKind, Session, UsageQuery};
use threadfold::settings::{PruneMode, Settings};
use threadfold::tokens::{TokenRule, estimate_message};

/// The settings of a prune of any tool.
fn any_tool(mode: PruneMode, protect: u64, minimum: u64) -> Settings {
    let mut settings = Settings::default();
    settings.prune.mode = mode;
    settings.prune.protect_tokens = protect;
    settings.prune.minimum_savings = minimum;
    settings.prune.protected_tools = Vec::new();
    settings
}

/// Prunes at the leaf, whatever the context size.
pub(crate) fn prune(session: &mut Session, mode: PruneMode, protect: u64, minimum: u64) -> Pruned {
    let settings = any_tool(mode, protect, minimum);
    let options = PruneOptions { settings: &settings, context_window: None, fixed_tokens: None };
    prune_tool_outputs(session, &options, &later(session.len())).expect("a prune")
}

fn modes() -> impl Strategy<Value = PruneMode> {
    prop::sample::select(vec![PruneMode::Rewrite, PruneMode::Overlay])
}

fn tokens(message: &Message) -> u64 {
    estimate_message(message, TokenRule::BY_SCRIPT).tokens
}

/// The rule told once more: what a prune at the leaf takes, and what that saves.
fn expected(session: &Session, mode: PruneMode, protect: u64, minimum: u64) -> (Vec<Index>, u64) {
    let context = session.build_session_context(session.leaf());
    let path = path(session, session.leaf());
    let mut results: Vec<(usize, Index, u64, bool)> = Vec::new();
    for &place in &context.messages {
        let (ContextMessage::Entry(index) | ContextMessage::Pruned { entry: index, .. }) = place else { continue };
        let message = session.context_message(place).expect("a message");
        let Message::ToolResult(result) = &*message else { continue };
        let position = path.iter().position(|&other| other == index).expect("it lies on the path");
        let size = if is_counted(session, index) { tokens(&message) } else { 0 };
        results.push((position, index, size, result.pruned));
    }
    results.sort_unstable_by_key(|&(position, ..)| std::cmp::Reverse(position));
    let (mut newer, mut savings, mut taken) = (0, 0, Vec::new());
    for (_, index, size, pruned) in results {
        let notice = format!(r#"{{"role":"toolResult","content":"[Output truncated - {size} tokens]"}}"#);
        let saving = size.saturating_sub(tokens(&Message::from_json(&notice).expect("a message")));
        if newer >= protect && !pruned && saving > 0 && (mode == PruneMode::Overlay || may_change(session, index)) {
            savings += saving;
            taken.push(index);
        }
        newer += size;
    }
    taken.reverse();
    if savings < minimum || taken.is_empty() { (Vec::new(), 0) } else { (taken, savings) }
}

/// Whether an entry counted for something when it was appended: a result that came before its call
/// did not, and is as little pruned, though a view may show it.
pub(crate) fn is_counted(session: &Session, index: Index) -> bool {
    let size = |leaf| session.estimated_view(leaf).tokens;
    size(Some(index)) > size(session.parent(index))
}

/// Whether the id stands in the stored line, and no prune entry of any branch hides the result.
fn may_change(session: &Session, index: Index) -> bool {
    let line = String::from_utf8_lossy(&session.entry_line(index).expect("a line")).into_owned();
    let hidden = (0..session.len() as Index).any(|leaf| {
        let is_hidden =
            |place: &ContextMessage| matches!(place, ContextMessage::Pruned { entry, .. } if *entry == index);
        session.build_session_context(Some(leaf)).messages.iter().any(is_hidden)
    });
    line.contains(&format!(r#""id":"{}""#, id(session, index))) && !hidden
}

/// An entry without what a prune changes.
pub(crate) fn unpruned_part(entry: &Entry) -> Entry {
    let mut entry = entry.clone();
    if let EntryKind::Message(Message::ToolResult(result)) = &mut entry.kind {
        result.content = Default::default();
        (result.pruned, result.pruned_at) = (false, None);
    }
    entry
}

/// What a model reads at a leaf.
fn messages(session: &Session, leaf: Option<Index>) -> Vec<Message> {
    let context = session.build_session_context(leaf);
    context.messages.iter().map(|&place| session.context_message(place).expect("a message").into_owned()).collect()
}

/// A load of what was saved counts and shows the same at every entry.
fn loads_the_same(session: &Session) -> Result<(), TestCaseError> {
    let again = load(session.to_jsonl());
    prop_assert_eq!(again.to_jsonl(), session.to_jsonl());
    prop_assert_eq!(again.len(), session.len());
    for leaf in 0..session.len() as Index {
        prop_assert_eq!(entry(&again, leaf), entry(session, leaf));
        prop_assert_eq!(again.estimated_view(Some(leaf)), session.estimated_view(Some(leaf)), "at {}", leaf);
        prop_assert_eq!(messages(&again, Some(leaf)), messages(session, Some(leaf)), "at {}", leaf);
        for fixed_tokens in [None, Some(7)] {
            let query = UsageQuery { context_window: Some(3_000), fixed_tokens, ..UsageQuery::default() };
            let size = |session: &Session| session.context_usage(Some(leaf), &query);
            prop_assert_eq!(size(&again), size(session), "at {}", leaf);
        }
    }
    Ok(())
}

#[test]
fn a_prune_takes_what_the_rule_says_and_nothing_is_lost() {
    let values = (
        records(Wildness { ids_again: true, damage: true }, 40),
        deeds(20),
        prop::collection::vec((modes(), 0_u64..150, 0_u64..100, deeds(6)), 1..4),
    );
    check("prunes", values, |(records, before, prunes)| {
        let mut session = load(jsonl(Version::Three, &records));
        apply(&mut session, &before);
        for (mode, protect, minimum, between) in prunes {
            let (taken, saved) = expected(&session, mode, protect, minimum);
            let leaf = session.leaf();
            let entries: Vec<Entry> = (0..session.len() as Index).map(|index| entry(&session, index).clone()).collect();
            let lines: Vec<String> = entries.iter().filter_map(|entry| line(&session, entry)).collect();
            let (size, bytes) = (session.estimated_view(leaf).tokens, session.to_jsonl());
            let (_, row) = view(&session, &path(&session, leaf));
            let pruned = prune(&mut session, mode, protect, minimum);
            prop_assert_eq!((&pruned.entries, pruned.tokens), (&taken, saved));
            prop_assert_eq!(size - session.estimated_view(session.leaf()).tokens, saved);
            prop_assert_eq!(&view(&session, &path(&session, session.leaf())).1, &row, "the same entries are seen");
            if taken.is_empty() || mode == PruneMode::Overlay {
                prop_assert!(session.to_jsonl().starts_with(&bytes), "what was stored was changed");
                prop_assert_eq!(session.len() - entries.len(), usize::from(!taken.is_empty()));
            }
            for (index, (before, line_before)) in (0..).zip(entries.iter().zip(&lines)) {
                let now = entry(&session, index);
                if taken.contains(&index) && mode == PruneMode::Rewrite {
                    prop_assert_eq!(unpruned_part(now), unpruned_part(before));
                } else {
                    prop_assert_eq!((now, line(&session, now)), (before, Some(line_before.clone())));
                }
            }
            // What is kept and what is summarised is still the view, each entry once.
            let settings = settings(0, protect);
            if let Ok(plan) = prepare_compaction(&session, session.leaf(), &prepare(&settings)).expect("settings") {
                let parts = [plan.entries_to_summarize, plan.turn_prefix, plan.kept].concat();
                prop_assert_eq!(parts, row);
            }
            let context = session.build_session_context(session.leaf());
            prop_assert_eq!(refusal(&session, &context), None);
            prop_assert_eq!(prune(&mut session, mode, protect, minimum.max(1)).entries, Vec::<Index>::new());
            apply(&mut session, &between);
        }
        loads_the_same(&session)
    });
}

fn line(session: &Session, entry: &Entry) -> Option<String> {
    let line = session.entry_line(session.index_of(&entry.id)?)?;
    Some(String::from_utf8_lossy(&line).into_owned())
}

#[test]
fn the_size_of_a_pruned_view_is_the_sum_of_its_parts() {
    let values = (records(Wildness { ids_again: false, damage: true }, 40), deeds(20), 0_u64..100);
    check("a pruned view is the sum of its parts", values, |(records, deeds, protect)| {
        let mut session = load(jsonl(Version::Three, &records));
        apply(&mut session, &deeds);
        prune(&mut session, PruneMode::Rewrite, protect, 0);
        for leaf in 0..session.len() as Index {
            let context = session.build_session_context(Some(leaf));
            // What a view pairs otherwise than an append did is held in `sizes`.
            let paired_otherwise = |kind| !matches!(kind, RepairKind::FailedTurn | RepairKind::MissingResult);
            if !context.repairs.iter().any(|repair| paired_otherwise(repair.kind)) {
                prop_assert_eq!(view_tokens(&session, &context), session.estimated_view(Some(leaf)).tokens);
            }
        }
        Ok(())
    });
}

#[test]
fn a_prune_that_is_taken_back_gives_the_view_back() {
    let values = (
        records(Wildness { ids_again: true, damage: true }, 40),
        0_u64..150,
        any::<bool>(),
        prop::collection::vec(any::<bool>(), 0..20),
    );
    check("a restore gives the view back", values, |(records, protect, at_once, order)| {
        let mut session = load(jsonl(Version::Three, &records));
        let leaf = session.leaf();
        let (view, query) = (messages(&session, leaf), UsageQuery::default());
        let (size, usage) = (session.estimated_view(leaf), session.context_usage(leaf, &query));
        let pruned = prune(&mut session, PruneMode::Overlay, protect, 0);
        let mut left: Vec<Index> = pruned.entries.clone();
        let mut restored = 0;
        let mut picks = order.into_iter();
        while let Some(next) = if picks.next().unwrap_or(true) { left.pop() } else { left.first().copied() } {
            left.retain(|&index| index != next);
            let ids = (!at_once).then(|| vec![id(&session, next).to_owned()]);
            let now = later(session.len());
            let found = restore_tool_outputs(&mut session, ids.as_deref(), &now).expect("known ids");
            restored += found.tokens;
            if at_once {
                prop_assert_eq!(&found.entries, &pruned.entries);
                break;
            }
            prop_assert_eq!(found.entries, vec![next]);
            let still: BTreeSet<Index> = left.iter().copied().collect();
            let hidden =
                session.build_session_context(session.leaf()).messages.into_iter().filter_map(|place| match place {
                    ContextMessage::Pruned { entry, .. } => Some(entry),
                    _ => None,
                });
            prop_assert_eq!(hidden.collect::<BTreeSet<_>>(), still);
        }
        prop_assert_eq!(restored, pruned.tokens);
        for session in [&session, &load(session.to_jsonl())] {
            let leaf = session.leaf();
            prop_assert_eq!(&messages(session, leaf), &view);
            prop_assert_eq!((session.estimated_view(leaf), session.context_usage(leaf, &query)), (size, usage));
        }
        prop_assert!(
            view.iter().filter(|message| matches!(message, Message::ToolResult(_))).count() >= pruned.entries.len()
        );
        prop_assert!(pruned.entries.iter().all(|&index| result_of(entry(&session, index)).is_some()));
        Ok(())
    });
}
