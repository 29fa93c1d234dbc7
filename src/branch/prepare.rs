//! What of a branch goes into the request for its summary.

use crate::entry::{EntryKind, Message};
use crate::llm::serialize_conversation;
use crate::session::{ContextMessage, Index, Pairing, Preset, Session, borrowed};
use crate::settings::FileTools;
use crate::summary::{FileOperations, RequestOptions, SummaryRequest, branch_request, file_operations};
use crate::tokens::estimate_text;
use std::borrow::Cow;

/// What every branch summary may take, in tokens, however little it stands for. The headings alone
/// are larger than a branch of a few words, which would never get a summary otherwise.
const ALWAYS_ALLOWED_TOKENS: u64 = 512;

/// A branch that is ready to be summarised. Entries are named by number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BranchPreparation {
    /// The leaf that is left: outputs that are pruned there are shown as their notice.
    pub leaf: Option<Index>,
    /// The entries whose messages go into the request, oldest first. Empty where nothing fits.
    pub entries: Vec<Index>,
    /// The files that the branch read and modified, also where it did not fit the budget.
    pub file_operations: FileOperations,
    /// What these messages take, in tokens, by the estimate; tool results as the request shows them,
    /// shortened.
    pub total_tokens: u64,
}

impl BranchPreparation {
    /// The messages as a view of their own, in the safe preset a legal one: a call without a result has
    /// an error result, made up.
    pub fn view(&self, session: &Session) -> Vec<ContextMessage> {
        session.repaired_row(&self.entries, self.leaf)
    }

    /// The messages of that view.
    pub(crate) fn messages<'s>(&self, session: &'s Session) -> Vec<Cow<'s, Message>> {
        session.repaired_messages(&self.entries, self.leaf)
    }

    /// The request for the summary.
    pub fn request(&self, session: &Session, options: &RequestOptions<'_>) -> SummaryRequest {
        branch_request(borrowed(&self.messages(session)), options)
    }

    /// The size below which the summary has to stay, in tokens.
    pub fn replaced_tokens(&self) -> u64 {
        self.total_tokens.max(ALWAYS_ALLOWED_TOKENS)
    }
}

/// Prepares the summary of a branch, whose entries come oldest first.
///
/// File operations are those of all entries. Messages are taken from the newest on until the next
/// one does not fit the budget; a compaction or branch summary that does not fit is the last one
/// taken, while less than 90 % of the budget is used. A tool result is left out without its call,
/// which may lie above the branch or behind the budget, and in the classic preset always. With a
/// budget of 0 nothing fits.
pub fn prepare_branch_entries(
    session: &Session,
    entries: &[Index],
    token_budget: u64,
    file_tools: &FileTools,
) -> BranchPreparation {
    let leaf = entries.last().copied();
    let mut taken = newest_that_fit(session, entries, leaf, token_budget);
    let row: Vec<Index> = taken.iter().map(|&(index, _)| index).collect();
    let pairing = Pairing::of(session, &row);
    let mut position = 0..;
    taken.retain(|&(index, _)| {
        let position = position.next().unwrap_or(usize::MAX);
        let answers = || pairing.owner.get(position).copied().flatten().is_some();
        !is_result(session, index) || answers() && pairing.repeated.get(position) == Some(&false)
    });
    BranchPreparation {
        leaf,
        total_tokens: taken.iter().map(|&(_, tokens)| tokens).sum(),
        entries: taken.into_iter().map(|(index, _)| index).collect(),
        file_operations: file_operations(session, entries.iter().copied(), file_tools),
    }
}

/// The newest messages that the budget holds, oldest first, each with its size in tokens.
fn newest_that_fit(session: &Session, entries: &[Index], leaf: Option<Index>, token_budget: u64) -> Vec<(Index, u64)> {
    let mut taken = Vec::new();
    let mut total: u64 = 0;
    for &index in entries.iter().rev().filter(|_| token_budget > 0).filter(|&&index| is_told(session, index)) {
        let tokens = tokens_in_request(session, index, leaf);
        let fits = total.saturating_add(tokens) <= token_budget;
        let room_for_a_summary = || total.saturating_mul(10) < token_budget.saturating_mul(9);
        if !(fits || is_summary(session, index) && room_for_a_summary()) {
            break;
        }
        taken.push((index, tokens));
        total = total.saturating_add(tokens);
        if !fits {
            break;
        }
    }
    taken.reverse();
    taken
}

/// Whether an entry becomes a message of the request, a result if its call does.
pub(super) fn is_told(session: &Session, index: Index) -> bool {
    let Some(node) = session.node(index) else { return false };
    match &node.entry.kind {
        EntryKind::Compaction(compaction) => !compaction.summary.trim().is_empty(),
        EntryKind::Message(Message::ToolResult(_)) => session.preset() == Preset::Safe,
        _ => node.seen,
    }
}

fn is_result(session: &Session, index: Index) -> bool {
    session.entry(index).is_some_and(|entry| entry.tool_result().is_some())
}

/// Whether an entry stands for others.
fn is_summary(session: &Session, index: Index) -> bool {
    let Some(entry) = session.entry(index) else { return false };
    matches!(
        entry.kind,
        EntryKind::Compaction(_)
            | EntryKind::BranchSummary(_)
            | EntryKind::Message(Message::CompactionSummary { .. } | Message::BranchSummary { .. })
    )
}

/// What the message of an entry takes in the request, in tokens.
fn tokens_in_request(session: &Session, index: Index, leaf: Option<Index>) -> u64 {
    let tokens = session.tokens_at(index, leaf);
    match session.message_at(index, leaf).filter(|_| is_result(session, index)) {
        Some(result) => {
            let shown = serialize_conversation([&*result]);
            tokens.min(estimate_text(&shown, session.token_rule()))
        }
        None => tokens,
    }
}

#[cfg(test)]
mod tests;
