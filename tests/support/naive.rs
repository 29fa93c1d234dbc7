//! The rules told once more, naively and through public calls alone: what is on a path, what a view
//! keeps, which result answers which call, what a provider refuses.

use super::entry;
use std::collections::BTreeMap;
use threadfold::entry::{Block, Content, Entry, EntryKind, Message};
use threadfold::session::{Context, ContextMessage, Index, Session};
use threadfold::tokens::{TokenRule, estimate_message};

/// The path to a leaf, by walking up.
pub(crate) fn path(session: &Session, leaf: Option<Index>) -> Vec<Index> {
    let mut path = Vec::new();
    let mut next = leaf;
    while let Some(index) = next {
        path.push(index);
        assert!(path.len() <= session.len(), "the parents form a cycle");
        next = session.parent(index);
    }
    path.reverse();
    path
}

/// Whether an entry is a message of a view, compactions left out.
pub(crate) fn is_message(entry: &Entry) -> bool {
    match &entry.kind {
        EntryKind::Message(Message::Unknown) => false,
        EntryKind::Message(_) | EntryKind::CustomMessage(_) => true,
        EntryKind::BranchSummary(branch) => !branch.summary.is_empty(),
        _ => false,
    }
}

/// The calls of an entry.
pub(crate) fn calls(entry: &Entry) -> Vec<&str> {
    match &entry.kind {
        EntryKind::Message(Message::Assistant(message)) => {
            let call = |block: &'_ Block| matches!(block, Block::ToolCall(_));
            let calls = message.content.iter().filter(|block| call(block));
            calls.filter_map(|block| if let Block::ToolCall(call) = block { Some(&*call.id) } else { None }).collect()
        }
        _ => Vec::new(),
    }
}

pub(crate) fn result_of(entry: &Entry) -> Option<&str> {
    match &entry.kind {
        EntryKind::Message(Message::ToolResult(result)) => Some(&result.tool_call_id),
        _ => None,
    }
}

pub(crate) fn failed(entry: &Entry) -> bool {
    matches!(&entry.kind, EntryKind::Message(Message::Assistant(message)) if message.is_failed())
}

/// The latest compaction on a path and the message entries that a view keeps behind its summary.
pub(crate) fn view(session: &Session, path: &[Index]) -> (Option<Index>, Vec<Index>) {
    let compaction = path.iter().rposition(|&index| entry(session, index).compaction().is_some());
    let start = compaction.map_or(0, |compaction| kept_start(session, path, compaction));
    let kept = path[start..].iter().copied().filter(|&index| is_message(entry(session, index))).collect();
    (compaction.map(|compaction| path[compaction]), kept)
}

/// Where on a path the kept part of a compaction begins.
fn kept_start(session: &Session, path: &[Index], compaction: usize) -> usize {
    let own = entry(session, path[compaction]);
    let first = &*own.compaction().expect("a compaction").first_kept_entry_id;
    if *first == *own.id {
        return compaction;
    }
    let found = path[..compaction].iter().position(|&index| *entry(session, index).id == *first);
    let Some(found) = found else {
        let earlier = path[..compaction].iter().rposition(|&index| entry(session, index).compaction().is_some());
        return earlier.map_or(0, |earlier| kept_start(session, path, earlier));
    };
    let call = result_of(entry(session, path[found]));
    let owner =
        call.and_then(|call| path[..found].iter().rposition(|&index| calls(entry(session, index)).contains(&call)));
    owner.unwrap_or(found)
}

/// Pairs of a call and its result that no cut may separate, as positions in a row.
///
/// Results are dealt with in order; each takes the nearest call of its id that still waits, before
/// it if there is any, else behind it. What answers no waiting call of a good turn is left alone.
pub(crate) fn pairs(session: &Session, row: &[Index]) -> Vec<(usize, usize)> {
    let mut open: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut all: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (position, &index) in row.iter().enumerate() {
        for call in calls(entry(session, index)) {
            all.entry(call).or_default().push(position);
            if !failed(entry(session, index)) {
                open.entry(call).or_default().push(position);
            }
        }
    }
    let mut pairs = Vec::new();
    for (position, &index) in row.iter().enumerate() {
        let Some(call) = result_of(entry(session, index)) else { continue };
        let Some(open) = open.get_mut(call) else { continue };
        let any_before = all[call].iter().any(|&owner| owner < position);
        let taken = match open.iter().rposition(|&owner| owner < position) {
            None if !any_before => open.iter().position(|&owner| owner > position),
            found => found,
        };
        if let Some(taken) = taken {
            pairs.push((open.remove(taken), position));
        }
    }
    pairs
}

/// Every call and every result of its id, as positions in a row: what belongs together where each id
/// is used for one call.
pub(crate) fn same_ids(session: &Session, row: &[Index]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for (result, &index) in row.iter().enumerate() {
        let Some(id) = result_of(entry(session, index)) else { continue };
        let owner = row.iter().position(|&index| calls(entry(session, index)).contains(&id));
        pairs.extend(owner.map(|owner| (owner, result)));
    }
    pairs
}

/// What a provider would refuse in a view; nothing where it is legal.
pub(crate) fn refusal(session: &Session, context: &Context<'_>) -> Option<String> {
    let mut pending: Vec<(&str, &str)> =
        context.pending_tool_calls.iter().map(|call| (&*call.entry_id, &*call.tool_call_id)).collect();
    let mut open: Vec<String> = Vec::new();
    let mut owner = String::new();
    for &place in &context.messages {
        let Some(message) = session.context_message(place) else { return Some(format!("{place:?} is no message")) };
        if let Message::ToolResult(result) = &*message {
            let Some(call) = open.iter().position(|call| **call == *result.tool_call_id) else {
                return Some(format!(
                    "{place:?}: the result of {:?} stands where nothing awaits it",
                    result.tool_call_id
                ));
            };
            open.remove(call);
            continue;
        }
        if !open.is_empty() {
            return Some(format!("{place:?} stands before the results of {open:?}"));
        }
        if is_blank(&message) {
            return Some(format!("{place:?} is empty"));
        }
        if let Message::Assistant(assistant) = &*message {
            if assistant.is_failed() {
                return Some(format!("{place:?} is a failed turn"));
            }
            open = assistant.tool_calls().map(|call| call.id.to_string()).collect();
            if let ContextMessage::Entry(index) = place {
                owner = entry(session, index).id.to_string();
            }
        }
    }
    let mut left: Vec<(&str, &str)> = open.iter().map(|call| (&*owner, &**call)).collect();
    left.sort_unstable();
    pending.sort_unstable();
    (left != pending).then(|| format!("{left:?} are without results, and {pending:?} were named as pending"))
}

pub(crate) fn is_blank(message: &Message) -> bool {
    let says = |content: &Content| {
        content.texts().any(|text| !text.trim().is_empty())
            || content.blocks().iter().any(|block| !matches!(block, Block::Text(_)))
    };
    match message {
        Message::User { content } | Message::Custom { content } => !says(content),
        Message::Assistant(message) => message.content.iter().all(|block| match block {
            Block::Text(text) => text.trim().is_empty(),
            Block::Thinking(_) => true,
            _ => false,
        }),
        Message::FileMention { files } => files.is_empty(),
        Message::BashExecution(run) | Message::PythonExecution(run) => run.exclude_from_context,
        // The template around a summary is never empty.
        Message::BranchSummary { .. }
        | Message::CompactionSummary { .. }
        | Message::ToolResult(_)
        | Message::Unknown => false,
    }
}

/// The estimates of the stored messages of a view, as it shows them, added up.
pub(crate) fn view_tokens(session: &Session, context: &Context<'_>) -> u64 {
    let stored = context.messages.iter().filter(|place| !matches!(place, ContextMessage::SyntheticResult { .. }));
    stored
        .filter_map(|&place| session.context_message(place))
        .map(|message| estimate_message(&message, TokenRule::BY_SCRIPT).tokens)
        .sum()
}
