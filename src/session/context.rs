//! The view of a session that a model gets.

use super::pairing::Pairing;
use super::repair::{Legal, numbered_calls, repair};
use super::sorted::sorted;
use super::{Index, KeptFrom, Preset, Repair, Session};
use crate::entry::{Content, EntryId, Message, ModelChoice, ToolCall, ToolResult};
use std::borrow::Cow;

/// What the model reads in place of a result that was never stored.
pub const SYNTHETIC_RESULT_TEXT: &str = "No result was recorded for this call: it was interrupted or lost.";

/// A view.
#[derive(Debug)]
pub struct Context<'a> {
    /// The messages, first to last.
    pub messages: Vec<ContextMessage>,
    /// The model in force.
    pub model: Option<&'a ModelChoice>,
    /// The thinking level in force.
    pub thinking_level: Option<&'a str>,
    /// What was done to make the view legal.
    pub repairs: Vec<Repair>,
    /// Calls at the leaf that still await their result.
    pub pending_tool_calls: Vec<PendingToolCall>,
}

/// A message of a view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContextMessage {
    /// The message of an entry.
    Entry(Index),
    /// A tool result whose output a prune entry hides.
    Pruned {
        /// The entry of the result.
        entry: Index,
        /// The prune entry.
        by: Index,
    },
    /// An error result made up for a call that has none.
    SyntheticResult {
        /// The assistant message.
        entry: Index,
        /// The number of the call in it, from 0.
        call: usize,
    },
}

impl ContextMessage {
    /// The entry whose call a made-up result answers.
    fn made_up_for(self) -> Option<Index> {
        match self {
            Self::Entry(_) | Self::Pruned { .. } => None,
            Self::SyntheticResult { entry, .. } => Some(entry),
        }
    }
}

/// A call that still awaits its result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingToolCall {
    /// The entry of the assistant message.
    pub entry_id: EntryId,
    /// The id of the call.
    pub tool_call_id: Box<str>,
    /// The tool.
    pub tool_name: Box<str>,
}

impl Session {
    /// The view that a model gets at `leaf`: the latest summary, what it keeps, what came after.
    ///
    /// ```
    /// use threadfold::session::{Preset, Session};
    /// let now = "2026-01-01T00:00:00.000Z";
    /// let mut session = Session::create(Preset::Safe, "s", "/", now, 1);
    /// session.append(r#"{"type":"message","message":{"role":"user","content":"Read a.rs"}}"#, now)?;
    /// session.append(
    ///     r#"{"type":"message","message":{"role":"assistant","content":[
    ///         {"type":"toolCall","id":"call-1","name":"read","arguments":{"path":"a.rs"}}]}}"#,
    ///     now,
    /// )?;
    /// let context = session.build_session_context(session.leaf());
    /// assert_eq!((context.messages.len(), context.repairs.len()), (2, 0));
    /// assert_eq!(&*context.pending_tool_calls[0].tool_call_id, "call-1");
    /// # Ok::<(), threadfold::error::Error>(())
    /// ```
    pub fn build_session_context(&self, leaf: Option<Index>) -> Context<'_> {
        let (summary, row) = self.view_row(leaf);
        let pairing = Pairing::of(self, &row);
        let pending = self.pending_calls(&row, &pairing);
        let mut messages: Vec<ContextMessage> = summary.map(ContextMessage::Entry).into_iter().collect();
        let mut repairs = Vec::new();
        match self.preset() {
            Preset::Classic => messages.extend(row.iter().map(|&index| self.seen_as(index, leaf))),
            Preset::Safe => {
                let (legal, done) = repair(self, &row, &pairing, &pending);
                messages.extend(legal.into_iter().map(|legal| self.legal_as(legal, leaf)));
                repairs = done;
            }
        }
        Context {
            messages,
            model: self.model_at(leaf),
            thinking_level: self.thinking_level_at(leaf),
            repairs,
            pending_tool_calls: self.name_calls(&row, &pending),
        }
    }

    /// How the view at `leaf` holds an entry.
    fn seen_as(&self, index: Index, leaf: Option<Index>) -> ContextMessage {
        match self.overlaid(index, leaf) {
            Some(overlaid) => ContextMessage::Pruned { entry: index, by: overlaid.by },
            None => ContextMessage::Entry(index),
        }
    }

    /// The same for a message of a legal view.
    fn legal_as(&self, legal: Legal, leaf: Option<Index>) -> ContextMessage {
        match legal {
            Legal::Stored(index) => self.seen_as(index, leaf),
            Legal::MadeUp { entry, call } => ContextMessage::SyntheticResult { entry, call },
        }
    }

    /// The tool results in the view at `leaf`, in the order of the path.
    pub(crate) fn results_in_view(&self, leaf: Option<Index>) -> Vec<Index> {
        let mut results = Vec::new();
        for place in &self.build_session_context(leaf).messages {
            let (ContextMessage::Entry(entry) | ContextMessage::Pruned { entry, .. }) = *place else { continue };
            let Some(node) = self.node(entry).filter(|node| node.entry.tool_result().is_some()) else { continue };
            results.push((node.path.depth as usize, entry as usize));
        }
        let mut in_order = Vec::with_capacity(results.len());
        for &(_, index) in &sorted(results) {
            in_order.push(index as Index);
        }
        in_order
    }

    /// The latest compaction and the entries that become messages behind its summary, before any
    /// repair.
    pub(crate) fn view_row(&self, leaf: Option<Index>) -> (Option<Index>, Vec<Index>) {
        let compaction = leaf.and_then(|leaf| self.node(leaf)).and_then(|node| node.path.compaction);
        let mut row = self.path_below(self.view_start(compaction), leaf);
        row.retain(|&index| self.node(index).is_some_and(super::Node::is_message));
        (compaction, row)
    }

    /// The first entry behind the summary of a compaction that a view may hold; `None` for the root.
    pub(crate) fn view_start(&self, compaction: Option<Index>) -> Option<Index> {
        let compaction = compaction?;
        match self.node(compaction)?.kept_from {
            KeptFrom::Entry(index) => Some(index),
            KeptFrom::Nothing => Some(compaction),
            KeptFrom::None | KeptFrom::Root => None,
        }
    }

    /// The calls of a row that still await their result: the unanswered ones of the newest
    /// assistant message, with nothing but results and metadata after it.
    pub(crate) fn pending_calls(&self, row: &[Index], pairing: &Pairing) -> Vec<(usize, usize)> {
        let newest = row.iter().rposition(|&index| {
            self.node(index).is_some_and(|node| {
                let is_assistant = node.entry.assistant().is_some();
                is_assistant || node.seen && node.is_message() && node.entry.tool_result().is_none()
            })
        });
        let Some(newest) = newest else { return Vec::new() };
        let good = row
            .get(newest)
            .and_then(|&index| self.entry(index)?.assistant())
            .is_some_and(|message| !message.is_failed());
        if !good {
            return Vec::new();
        }
        pairing.unanswered.iter().copied().filter(|&(position, _)| position == newest).collect()
    }

    /// Names calls of a row: position and number of each, in their order.
    pub(crate) fn name_calls(&self, row: &[Index], calls: &[(usize, usize)]) -> Vec<PendingToolCall> {
        let mut named = Vec::with_capacity(calls.len());
        for of_message in calls.chunk_by(|(one, _), (other, _)| one == other) {
            let entry = of_message.first().and_then(|&(position, _)| self.entry(*row.get(position)?));
            let Some((entry, message)) = entry.and_then(|entry| Some((entry, entry.assistant()?))) else { continue };
            let calls = numbered_calls(message, of_message.iter().map(|&(_, number)| number));
            named.extend(calls.map(|call| PendingToolCall {
                entry_id: entry.id.clone(),
                tool_call_id: call.id.clone(),
                tool_name: call.name.clone(),
            }));
        }
        named
    }

    /// The message that a place of a view holds.
    pub fn context_message(&self, message: ContextMessage) -> Option<Cow<'_, Message>> {
        match message {
            ContextMessage::Entry(index) => self.entry(index)?.message(),
            ContextMessage::Pruned { entry, by } => self.pruned_message(entry, by).map(Cow::Owned),
            ContextMessage::SyntheticResult { entry, call } => {
                let call = self.entry(entry)?.assistant()?.tool_calls().nth(call)?;
                Some(Cow::Owned(made_up_result(call)))
            }
        }
    }

    /// Some entries on the path to `leaf` as a view of their own, in which no call is pending: repaired
    /// in the safe preset, as stored in the classic one, pruned outputs as their notice.
    pub(crate) fn repaired_row(&self, row: &[Index], leaf: Option<Index>) -> Vec<ContextMessage> {
        match self.preset() {
            Preset::Classic => row.iter().map(|&index| self.seen_as(index, leaf)).collect(),
            Preset::Safe => {
                let (legal, _) = repair(self, row, &Pairing::of(self, row), &[]);
                legal.into_iter().map(|legal| self.legal_as(legal, leaf)).collect()
            }
        }
    }

    /// The messages of such a view, as a request holds them.
    pub(crate) fn repaired_messages(&self, row: &[Index], leaf: Option<Index>) -> Vec<Cow<'_, Message>> {
        let view = self.repaired_row(row, leaf);
        let mut messages = Vec::with_capacity(view.len());
        // The results made up for the calls of one message stand next to each other.
        for run in view.chunk_by(|one, other| one.made_up_for().is_some() && one.made_up_for() == other.made_up_for()) {
            let Some(&first) = run.first() else { continue };
            let Some(entry) = first.made_up_for() else {
                messages.extend(self.context_message(first));
                continue;
            };
            let Some(message) = self.entry(entry).and_then(|entry| entry.assistant()) else { continue };
            let numbers = run.iter().filter_map(|place| match *place {
                ContextMessage::SyntheticResult { call, .. } => Some(call),
                ContextMessage::Entry(_) | ContextMessage::Pruned { .. } => None,
            });
            messages.extend(numbered_calls(message, numbers).map(|call| Cow::Owned(made_up_result(call))));
        }
        messages
    }
}

/// The messages as the requests of summaries take them.
pub(crate) fn borrowed<'m>(messages: &'m [Cow<'_, Message>]) -> impl Iterator<Item = &'m Message> {
    messages.iter().map(AsRef::as_ref)
}

/// The error result that stands for one that was never stored.
fn made_up_result(call: &ToolCall) -> Message {
    Message::ToolResult(ToolResult {
        tool_call_id: call.id.clone(),
        tool_name: call.name.clone(),
        content: Content::Text(SYNTHETIC_RESULT_TEXT.to_owned()),
        is_error: true,
        pruned: false,
        pruned_at: None,
    })
}

#[cfg(test)]
mod tests;
