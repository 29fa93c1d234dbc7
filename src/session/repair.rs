//! Making a view legal for a provider. Repairs touch the view only, never the stored entries.

use super::pairing::Pairing;
use super::sorted::sorted;
use super::{Index, Session};
use crate::entry::{AssistantMessage, Block, Content, EntryId, EntryKind, Message, ToolCall};

/// A repair of a view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repair {
    /// What was done.
    pub kind: RepairKind,
    /// The entry concerned.
    pub entry_id: EntryId,
    /// The call concerned, where there is one.
    pub tool_call_id: Option<Box<str>>,
}

/// Kinds of repairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename_all = "kebab-case"))]
pub enum RepairKind {
    /// A turn that ended with an error or was aborted is left out.
    FailedTurn,
    /// A result that answers only a call of a failed turn is left out.
    ResultOfFailedTurn,
    /// A call without a result gets an error result.
    MissingResult,
    /// A result without its call is left out.
    OrphanResult,
    /// A result away from its call is moved behind it.
    MovedResult,
    /// A repeated result is left out.
    RepeatedResult,
    /// A message without content, or with nothing but reasoning, is left out.
    EmptyMessage,
}

impl RepairKind {
    /// The kind as it is written in JavaScript.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::FailedTurn => "failed-turn",
            Self::ResultOfFailedTurn => "result-of-failed-turn",
            Self::MissingResult => "missing-result",
            Self::OrphanResult => "orphan-result",
            Self::MovedResult => "moved-result",
            Self::RepeatedResult => "repeated-result",
            Self::EmptyMessage => "empty-message",
        }
    }
}

/// A message of a legal view: a stored entry, or a result made up for a call of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Legal {
    Stored(Index),
    MadeUp { entry: Index, call: usize },
}

/// The calls of a message that have the given numbers, which must ascend: one walk for all of them.
pub(super) fn numbered_calls(
    message: &AssistantMessage,
    numbers: impl Iterator<Item = usize>,
) -> impl Iterator<Item = &ToolCall> {
    let mut calls = message.tool_calls().enumerate();
    numbers.filter_map(move |wanted| calls.find(|&(number, _)| number == wanted).map(|(_, call)| call))
}

/// A row of entries made legal, with what was done. `pending` are calls that still await their
/// result: position in the row and number of the call, in their order.
pub(super) fn repair(
    session: &Session,
    row: &[Index],
    pairing: &Pairing,
    pending: &[(usize, usize)],
) -> (Vec<Legal>, Vec<Repair>) {
    let mut legal = Vec::with_capacity(row.len());
    let mut repairs = Vec::new();
    // The results of each message, in their order. The row is walked once to sort them in.
    let mut results: Vec<(usize, usize)> = Vec::new();
    for (position, owner) in pairing.owner.iter().enumerate() {
        if let (Some(owner), Some(false)) = (owner, pairing.repeated.get(position)) {
            results.push((*owner, position));
        }
    }
    let results = sorted(results);
    let mut results = results.as_slice();
    let mut unanswered = pairing.unanswered.as_slice();
    // The newest message so far that stays in the view: the results of another one are out of place
    // here.
    let mut newest_owner = None;
    for (position, &index) in row.iter().enumerate() {
        let Some(node) = session.node(index) else { continue };
        let mut note = |kind, call: Option<&str>| {
            repairs.push(Repair { kind, entry_id: node.entry.id.clone(), tool_call_id: call.map(Into::into) });
        };
        if let Some(result) = node.entry.tool_result() {
            let call = Some(&*result.tool_call_id);
            match pairing.owner.get(position).copied().flatten() {
                None => note(RepairKind::OrphanResult, call),
                Some(_) if pairing.repeated.get(position) == Some(&true) => note(RepairKind::RepeatedResult, call),
                Some(owner) => {
                    if row.get(owner).and_then(|&owner| session.node(owner)).is_some_and(super::Node::is_failed_turn) {
                        note(RepairKind::ResultOfFailedTurn, call);
                    } else if newest_owner != Some(owner) {
                        note(RepairKind::MovedResult, call);
                    }
                }
            }
            continue;
        }
        let failed = node.is_failed_turn();
        if failed {
            note(RepairKind::FailedTurn, None);
        } else if is_empty(&node.entry.kind) {
            note(RepairKind::EmptyMessage, None);
        } else {
            legal.push(Legal::Stored(index));
            newest_owner = Some(position);
        }
        while let Some((&(owner, result), rest)) = results.split_first().filter(|((owner, _), _)| *owner <= position) {
            results = rest;
            if owner == position && !failed {
                legal.extend(row.get(result).map(|&result| Legal::Stored(result)));
            }
        }
        let (of_message, rest) = unanswered.split_at(unanswered.partition_point(|&(owner, _)| owner <= position));
        unanswered = rest;
        let Some(message) = node.entry.assistant().filter(|_| !failed) else { continue };
        let missing = of_message.iter().filter(|call| pending.binary_search(call).is_err()).map(|&(_, call)| call);
        legal.extend(missing.clone().map(|call| Legal::MadeUp { entry: index, call }));
        for call in numbered_calls(message, missing) {
            note(RepairKind::MissingResult, Some(&call.id));
        }
    }
    (legal, repairs)
}

/// Whether a provider would refuse the message for want of content.
pub(super) fn is_empty(kind: &EntryKind) -> bool {
    let block_is_empty = |block: &Block| match block {
        Block::Text(text) => text.trim().is_empty(),
        Block::Thinking(_) | Block::ToolCall(_) | Block::Image(_) | Block::Attachment(_) | Block::Unknown => false,
    };
    let content_is_empty = |content: &Content| match content {
        Content::Text(text) => text.trim().is_empty(),
        Content::Blocks(blocks) => blocks.iter().all(block_is_empty),
    };
    match kind {
        EntryKind::Message(Message::User { content } | Message::Custom { content }) => content_is_empty(content),
        // Reasoning alone is no answer: providers refuse it without what it led to.
        EntryKind::Message(Message::Assistant(message)) => {
            message.content.iter().all(|block| matches!(block, Block::Thinking(_)) || block_is_empty(block))
        }
        EntryKind::CustomMessage(custom) => content_is_empty(&custom.content),
        EntryKind::Message(Message::FileMention { files }) => files.is_empty(),
        EntryKind::Message(Message::BashExecution(run) | Message::PythonExecution(run)) => run.exclude_from_context,
        EntryKind::Message(Message::BranchSummary { summary } | Message::CompactionSummary { summary }) => {
            summary.trim().is_empty()
        }
        _ => false,
    }
}
