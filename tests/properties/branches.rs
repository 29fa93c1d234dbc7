//! The branch that a move of the leaf leaves, and what of it a summary is told, against the rule told
//! naively: on trees with compactions, nested branch summaries, several roots and broken parents.

use crate::check;
use crate::prunes::is_counted;
use crate::support::naive::{failed, is_blank, is_message, pairs, path, refusal, result_of};
use crate::support::records::{Wildness, records};
use crate::support::tree::{Version, jsonl, mark};
use crate::support::{NOW, entry, id, load};
use proptest::prelude::*;
use proptest::sample;
use serde_json::Value;
use std::collections::BTreeSet;
use threadfold::branch::{BranchPreparation, Collected, collect_entries, prepare_branch_entries};
use threadfold::entry::{EntryKind, FileLists, Message};
use threadfold::llm::serialize_conversation;
use threadfold::session::{Context, ContextMessage, Index, Session};
use threadfold::settings::Settings;
use threadfold::summary::{RequestOptions, compose_branch_summary};
use threadfold::tokens::{TokenRule, estimate_message, estimate_text};

const RULE: TokenRule = TokenRule::BY_SCRIPT;

/// The rule told once more: two whole paths, compared from their roots.
fn collected(session: &Session, old_leaf: Option<Index>, target: Option<Index>) -> Collected {
    let (left, kept) = (path(session, old_leaf), path(session, target));
    let shared = left.iter().zip(&kept).take_while(|(one, other)| one == other).count();
    Collected { entries: left[shared..].to_vec(), common_ancestor: left[..shared].last().copied() }
}

#[test]
fn what_is_left_is_what_the_two_paths_do_not_share() {
    let values = records(Wildness { ids_again: true, damage: true }, 30);
    check("branches that are left", values, |records| {
        let session = load(jsonl(Version::Three, &records));
        let everywhere: Vec<Option<Index>> = (0..session.len() as Index).map(Some).chain([None]).collect();
        for &old_leaf in &everywhere {
            for &target in &everywhere {
                let expected = collected(&session, old_leaf, target);
                prop_assert_eq!(
                    collect_entries(&session, old_leaf, target),
                    expected,
                    "{:?} to {:?}",
                    old_leaf,
                    target
                );
            }
        }
        Ok(())
    });
}

/// The message that an entry of a branch is told as, if it is.
fn told(session: &Session, index: Index) -> Option<Message> {
    let entry = entry(session, index);
    let message = entry.message()?.into_owned();
    let says_something = match &entry.kind {
        EntryKind::Compaction(compaction) => !compaction.summary.trim().is_empty(),
        _ => is_message(entry) && !failed(entry) && !is_blank(&message),
    };
    says_something.then_some(message)
}

/// What a message of the branch counts.
fn size(session: &Session, index: Index, message: &Message) -> u64 {
    let whole = estimate_message(message, RULE).tokens;
    match message {
        Message::ToolResult(_) if !is_counted(session, index) => 0,
        Message::ToolResult(_) => whole.min(estimate_text(&serialize_conversation([message]), RULE)),
        _ => whole,
    }
}

/// The rule told once more: which entries fit, and what they take.
fn fitting(session: &Session, branch: &[Index], budget: u64) -> (Vec<Index>, u64) {
    let mut taken: Vec<(Index, u64)> = Vec::new();
    for &index in branch.iter().rev() {
        let Some(message) = told(session, index) else { continue };
        let (used, size) = (taken.iter().map(|(_, size)| size).sum::<u64>(), size(session, index, &message));
        let stands_for_others = matches!(message, Message::BranchSummary { .. } | Message::CompactionSummary { .. });
        let fits = used + size <= budget;
        if budget > 0 && (fits || stands_for_others && (used as f64) < budget as f64 * 0.9) {
            taken.insert(0, (index, size));
        }
        if !fits {
            break;
        }
    }
    let row: Vec<Index> = taken.iter().map(|(index, _)| *index).collect();
    let answered: BTreeSet<usize> = pairs(session, &row).into_iter().map(|(_, result)| result).collect();
    let mut position = 0..;
    taken.retain(|&(index, _)| {
        let position = position.next().expect("it has no end");
        result_of(entry(session, index)).is_none() || answered.contains(&position)
    });
    (taken.iter().map(|(index, _)| *index).collect(), taken.iter().map(|(_, size)| size).sum())
}

/// The files of a branch, from its lines.
fn files(session: &Session, branch: &[Index]) -> FileLists {
    let mut read: BTreeSet<String> = BTreeSet::new();
    for line in branch.iter().filter_map(|&index| session.entry_json(index)) {
        let line: Value = serde_json::from_str(&line).expect("JSON");
        let calls = line["message"]["content"].as_array().into_iter().flatten();
        read.extend(calls.filter_map(|block| block["arguments"]["path"].as_str()).map(str::to_owned));
        if line["fromHook"] == false {
            read.extend(
                line["details"]["readFiles"]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .map(|file| file.as_str().expect("a path").to_owned()),
            );
        }
    }
    FileLists { read_files: read.into_iter().collect(), modified_files: Vec::new() }
}

/// A move of the leaf in a random tree, with a budget for the branch that it leaves.
fn moves() -> impl Strategy<Value = (Session, Option<Index>, Option<Index>, u64)> {
    let budget = prop_oneof![1 => Just(0), 6 => 1_u64..400, 2 => 400_u64..5_000, 1 => Just(u64::MAX)];
    let values =
        (records(Wildness { ids_again: true, damage: false }, 50), any::<sample::Index>(), any::<sample::Index>());
    (values, budget).prop_map(|((records, left, target), budget)| {
        let session = load(jsonl(Version::Three, &records));
        // The place before the first entry, too.
        let place = |chosen: sample::Index| (chosen.index(session.len() + 1) as Index).checked_sub(1);
        let (left, target) = (place(left), place(target));
        (session, left, target, budget)
    })
}

fn prepared(
    session: &Session,
    left: Option<Index>,
    target: Option<Index>,
    budget: u64,
) -> (Vec<Index>, BranchPreparation) {
    let branch = collect_entries(session, left, target).entries;
    let preparation = prepare_branch_entries(session, &branch, budget, &Settings::default().file_tools);
    (branch, preparation)
}

#[test]
fn the_newest_messages_that_fit_are_told_each_once_and_nothing_else_is() {
    check("branches that are told", moves(), |(session, left, target, budget)| {
        let (branch, preparation) = prepared(&session, left, target, budget);
        let (entries, total) = fitting(&session, &branch, budget);
        prop_assert_eq!((&preparation.entries, preparation.total_tokens), (&entries, total), "of {:?}", branch);
        prop_assert_eq!(preparation.file_operations.lists(), files(&session, &branch));
        let view = Context {
            messages: preparation.view(&session),
            model: None,
            thinking_level: None,
            repairs: Vec::new(),
            pending_tool_calls: Vec::new(),
        };
        let refusal = refusal(&session, &view);
        prop_assert!(refusal.is_none(), "{:?}", refusal);
        let prompt = preparation.request(&session, &RequestOptions::new(1_000, RULE)).prompt;
        for index in 0..session.len() as Index {
            let line = session.entry_json(index).unwrap_or_default();
            let mark = mark(index as usize);
            // One file mention has the mark in each of its files.
            let stands = line.matches(mark.as_str()).count();
            let expected = if entries.contains(&index) { stands } else { 0 };
            prop_assert_eq!(prompt.matches(mark.as_str()).count(), expected, "{}", line);
        }
        let (record, _) = prompt.split_once("</conversation>").expect("a record");
        for setting in ["label ", "level "] {
            prop_assert!(!record.contains(setting), "{:?} in {}", setting, record);
        }
        Ok(())
    });
}

#[test]
fn nothing_of_the_branch_but_its_summary_reaches_the_new_one() {
    check("branches that are carried over", moves(), |(session, left, target, budget)| {
        let mut session = session;
        let (_, preparation) = prepared(&session, left, target, budget);
        let before = session.to_jsonl();
        let text = compose_branch_summary("Notes.", &preparation.file_operations.lists());
        let target_id = target.map(|target| id(&session, target).to_owned());
        let left_id = left.map_or("root", |left| id(&session, left)).to_owned();
        let stays = |session: &Session, leaf: Option<Index>| {
            let messages = session.build_session_context(leaf).messages;
            let model = session.model_at(leaf).map(|model| model.model_id.to_string());
            (messages, model, session.thinking_level_at(leaf).map(str::to_owned))
        };
        let (messages, model, thinking_level) = stays(&session, target);
        match &left_id[..] {
            "root" => session.reset_leaf(),
            left => session.branch(left).expect("the leaf"),
        }
        let summary = session.branch_with_summary(target_id.as_deref(), &text, None, false, NOW).expect("a summary");
        let EntryKind::BranchSummary(branch) = &entry(&session, summary).kind else { panic!("another kind") };
        prop_assert_eq!((session.parent(summary), &*branch.from_id), (target, &*left_id));
        let context = session.build_session_context(session.leaf());
        prop_assert_eq!(refusal(&session, &context), None);
        let mut now = context.messages;
        prop_assert_eq!(now.pop(), Some(ContextMessage::Entry(summary)));
        // A call that was pending at the target is one without a result now.
        now.retain(|place| messages.contains(place) || !matches!(place, ContextMessage::SyntheticResult { .. }));
        prop_assert_eq!(now, messages);
        let (_, model_now, level_now) = stays(&session, session.leaf());
        prop_assert_eq!((model_now, level_now), (model, thinking_level));
        prop_assert!(session.to_jsonl().starts_with(&before), "what was there stays as it was");
        Ok(())
    });
}
