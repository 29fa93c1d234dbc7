//! A node of the tree: an entry with what is known of its path, set once when it is linked.

use super::calibration::Calibration;
use super::call_arguments::CallArguments;
use super::context_usage::AnchoredSize;
use super::overlay::Overlay;
use super::repair::is_empty;
use super::{Index, Preset, Session, Stored};
use crate::entry::{Entry, EntryKind, Message, ModelChoice, calculate_prompt_tokens, keeps_nothing};
use crate::tokens::{TextRule, TokenEstimate, estimate_message};
use std::sync::OnceLock;

/// An entry in its place.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) entry: Entry,
    pub(crate) stored: Stored,
    /// Whether the entry was read in another form than it is stored in.
    pub(super) rewritten: bool,
    /// Whether its id stands in the file. One that does not derives from the bytes of the record,
    /// which must stay then.
    pub(super) id_is_stored: bool,
    /// How many prune entries hide its output, each on its paths.
    pub(super) named_by_prunes: u32,
    /// Whether the store is writing its notice: until that is done, no other prune takes it.
    pub(super) being_pruned: bool,
    /// Whether it belongs with the entry before it, so that no cut may lie between.
    pub(crate) joined: bool,
    pub(crate) parent: Option<Index>,
    pub(super) last_child: Option<Index>,
    pub(super) previous_sibling: Option<Index>,
    /// The entry that set or cleared the same label before this one did.
    pub(super) previous_label: Option<Index>,
    /// Whether the model sees it: no metadata and, in the safe preset, nothing that every view leaves
    /// out, as repairs do with failed turns, results that no call awaits and empty messages.
    pub(crate) seen: bool,
    /// What the entry takes in a view. What views leave out counts nothing; the summary of a
    /// compaction stands here but not in the sums, since only the newest one is seen.
    pub(crate) tokens: TokenEstimate,
    /// The ids of its calls, as numbers of the session: comparing the texts again and again would
    /// be most of what a pairing costs.
    pub(super) calls: Box<[CallId]>,
    /// The id of the call that a result answers.
    pub(super) answers: Option<CallId>,
    /// Where a compaction's kept part begins.
    pub(crate) kept_from: KeptFrom,
    /// What a prune entry hides.
    pub(super) overlay: Option<Box<Overlay>>,
    /// For a turn with a usage: what prunes that rewrote results above it have saved since it was
    /// counted, in tokens.
    pub(crate) pruned_since: u64,
    /// What is known of the path down to here.
    pub(crate) path: PathFacts,
    /// The short strings among the arguments of its calls, once they were asked for.
    pub(super) call_arguments: OnceLock<Vec<CallArguments>>,
}

/// An id of calls, by its number in the session.
pub(super) type CallId = u32;

/// What is known of the path from the root down to an entry, that entry included.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct PathFacts {
    /// How many entries lie above.
    pub(super) depth: u32,
    /// An ancestor far above, for searches in logarithmic time; the entry itself at a root.
    pub(super) jump: Index,
    /// The sum of the tokens without compactions, the outputs that prune entries hide in full.
    pub(crate) sum: TokenEstimate,
    /// The nearest compaction.
    pub(crate) compaction: Option<Index>,
    /// The newest assistant turn, a failed one too, that is newer than that compaction.
    pub(crate) turn: Option<Index>,
    /// The newest turn with a usable usage that is newer than that compaction.
    pub(crate) anchor: Option<Index>,
    /// The newest turn with a usable usage, whatever compaction came after it.
    pub(crate) newest_usage: Option<Index>,
    /// The nearest prune entry.
    pub(super) overlay: Option<Index>,
    /// The nearest assistant message with calls.
    pub(super) calls: Option<Index>,
    /// The newest explicit model change.
    pub(super) model_change: Option<Index>,
    /// The newest assistant message that names its model.
    pub(super) assistant_model: Option<Index>,
    /// The newest change of the thinking level.
    pub(super) thinking_change: Option<Index>,
    /// What usages taught of the model that was asked last.
    pub(crate) calibration: Calibration,
}

/// Where the part begins that a compaction keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum KeptFrom {
    /// Not a compaction.
    #[default]
    None,
    /// At this entry.
    Entry(Index),
    /// At the root of the path: no entry is known to be covered.
    Root,
    /// Nothing before the compaction is kept.
    Nothing,
}

impl Node {
    pub(super) fn new(entry: Entry, stored: Stored) -> Self {
        Self {
            entry,
            stored,
            rewritten: false,
            id_is_stored: true,
            named_by_prunes: 0,
            being_pruned: false,
            joined: false,
            parent: None,
            last_child: None,
            previous_sibling: None,
            previous_label: None,
            seen: false,
            tokens: TokenEstimate::default(),
            calls: Box::default(),
            answers: None,
            kept_from: KeptFrom::default(),
            overlay: None,
            pruned_since: 0,
            path: PathFacts::default(),
            call_arguments: OnceLock::new(),
        }
    }

    /// Whether the entry becomes a message of a view, compactions left out.
    pub(crate) fn is_message(&self) -> bool {
        match &self.entry.kind {
            // A role that is not known is kept like a type that is not known, and as little seen.
            EntryKind::Message(Message::Unknown) => false,
            EntryKind::Message(_) | EntryKind::CustomMessage(_) => true,
            EntryKind::BranchSummary(branch) => !branch.summary.is_empty(),
            _ => false,
        }
    }

    /// Whether a view of the safe preset leaves the turn out.
    pub(crate) fn is_failed_turn(&self) -> bool {
        self.entry.assistant().is_some_and(crate::entry::AssistantMessage::is_failed)
    }
}

/// How many turns above a result its call is looked for. A result belongs to the turn right above
/// but for interleaved ones; the bound keeps an append from walking the session.
const CALL_SEARCH: usize = 32;
/// How many entries above a result of a failed turn a good turn is looked for that takes it.
const RESULT_SEARCH: usize = 256;

impl Session {
    /// Links a node to its parent, which must be linked already, and sets what is known of its path.
    /// `pruned_since` is what results above it had more, in tokens, when its usage was counted.
    pub(super) fn link(&mut self, index: Index, parent: Option<Index>, pruned_since: u64) {
        self.number_calls(index);
        let Some(node) = self.nodes.get(index as usize) else { return };
        let seen = self.is_seen(node, parent);
        let tokens = self.estimate(node, seen);
        if let Some(node) = self.nodes.get_mut(index as usize) {
            node.seen = seen;
        }
        self.link_counted(index, parent, pruned_since, tokens);
    }

    /// The same for a node whose tokens are counted, and of which it is known whether the model sees it.
    pub(super) fn link_counted(
        &mut self,
        index: Index,
        parent: Option<Index>,
        pruned_since: u64,
        tokens: TokenEstimate,
    ) {
        let mut path = parent.and_then(|parent| self.node(parent)).map_or_else(PathFacts::default, |above| above.path);
        match parent {
            Some(parent) => {
                path.depth = path.depth.saturating_add(1);
                path.jump = self.jump_for(parent);
            }
            None => path.jump = index,
        }
        let Some(node) = self.node(index) else { return };
        let mut kept_from = KeptFrom::None;
        match &node.entry.kind {
            EntryKind::Compaction(compaction) => {
                kept_from = if keeps_nothing(&compaction.first_kept_entry_id, &node.entry.id) {
                    KeptFrom::Nothing
                } else {
                    self.first_kept_on_path(&compaction.first_kept_entry_id, parent)
                        .map_or_else(|| self.kept_where_unknown(path.compaction), KeptFrom::Entry)
                };
                path.compaction = Some(index);
                path.turn = None;
                path.anchor = None;
            }
            EntryKind::Prune { .. } => path.overlay = Some(index),
            EntryKind::ModelChange(choice) => {
                path.model_change = Some(index);
                // What was learned is another model's.
                if self.model_of(path.newest_usage).is_some_and(|model| model != choice) {
                    path.calibration = Calibration::default();
                }
            }
            EntryKind::ThinkingLevelChange(_) => path.thinking_change = Some(index),
            EntryKind::Message(Message::Assistant(message)) => {
                path.turn = Some(index);
                if let Some(usage) = message.valid_usage() {
                    if self.model_of(path.newest_usage) != message.model.as_ref() {
                        path.calibration = Calibration::default();
                    }
                    let prompt = calculate_prompt_tokens(usage);
                    // Across a prune nobody knows what was sent. The historical rule knows no ratio.
                    if self.preset() == Preset::Safe
                        && let Some(AnchoredSize { counted, after, saved: 0, .. }) =
                            self.anchored_size(parent, pruned_since)
                    {
                        path.calibration.learn_step(counted, after, prompt);
                        // What a tokenizer counted needs no ratio.
                        if self.token_rule().text == TextRule::ByScript {
                            path.calibration.learn_growth(after, prompt.saturating_sub(counted));
                        }
                    }
                    let view = self.estimated_view(parent).tokens.saturating_add(pruned_since);
                    path.calibration.learn_overhead(prompt, view);
                    path.anchor = Some(index);
                    path.newest_usage = Some(index);
                }
                if message.model.is_some() {
                    path.assistant_model = Some(index);
                }
                if !node.calls.is_empty() {
                    path.calls = Some(index);
                }
            }
            _ => {}
        }
        if kept_from == KeptFrom::None {
            path.sum.tokens = path.sum.tokens.saturating_add(tokens.tokens);
            path.sum.reasoning = path.sum.reasoning.saturating_add(tokens.reasoning);
            path.sum.files = path.sum.files.saturating_add(tokens.files);
        }
        // A node that is linked again names what it hides once all the same.
        self.forget_overlay(index);
        let overlay = self.overlay_at(index, parent);
        for hidden in overlay.iter().flat_map(|overlay| overlay.results()) {
            if let Some(node) = self.nodes.get_mut(hidden.index as usize) {
                node.named_by_prunes += 1;
            }
        }
        if let Some(node) = self.nodes.get_mut(index as usize) {
            node.overlay = overlay;
            node.pruned_since = pruned_since;
            node.parent = parent;
            node.tokens = tokens;
            node.kept_from = kept_from;
            node.path = path;
        }
    }

    /// Takes back what a prune entry hides, as if it had never been linked.
    pub(super) fn forget_overlay(&mut self, index: Index) {
        let overlay = self.nodes.get_mut(index as usize).and_then(|node| node.overlay.take());
        for hidden in overlay.iter().flat_map(|overlay| overlay.results()) {
            if let Some(node) = self.nodes.get_mut(hidden.index as usize) {
                node.named_by_prunes -= 1;
            }
        }
    }

    /// Notes a node among the children of its parent, behind those that were noted before.
    pub(super) fn note_child(&mut self, index: Index) {
        let above = self.parent(index).and_then(|parent| self.nodes.get_mut(parent as usize));
        let previous = above.and_then(|above| above.last_child.replace(index));
        if let Some(node) = self.nodes.get_mut(index as usize) {
            node.previous_sibling = previous;
        }
    }

    /// Numbers the ids of a node's calls, or of the call that it answers.
    fn number_calls(&mut self, index: Index) {
        let Some(node) = self.nodes.get_mut(index as usize) else { return };
        let call_ids = &mut self.call_ids;
        let mut number = |id: &str| match call_ids.get(id) {
            Some(&number) => number,
            None => {
                let number = call_ids.len() as CallId;
                call_ids.insert(id.into(), number);
                number
            }
        };
        match &node.entry.kind {
            EntryKind::Message(Message::Assistant(message)) => {
                node.calls = message.tool_calls().map(|call| number(&call.id)).collect();
            }
            EntryKind::Message(Message::ToolResult(result)) => node.answers = Some(number(&result.tool_call_id)),
            _ => {}
        }
    }

    /// The model of a turn, where it is named.
    fn model_of(&self, turn: Option<Index>) -> Option<&ModelChoice> {
        self.entry(turn?)?.assistant()?.model.as_ref()
    }

    /// Whether the model sees an entry below `parent`.
    fn is_seen(&self, node: &Node, parent: Option<Index>) -> bool {
        let left_out = || {
            node.is_failed_turn()
                || is_empty(&node.entry.kind)
                || node.answers.is_some_and(|call_id| self.is_unwanted_result(call_id, parent))
        };
        node.is_message() && (self.preset() == Preset::Classic || !left_out())
    }

    /// What an entry takes in a view.
    fn estimate(&self, node: &Node, seen: bool) -> TokenEstimate {
        if node.is_message() && !seen {
            return TokenEstimate::default();
        }
        node.entry
            .message()
            .map_or_else(TokenEstimate::default, |message| estimate_message(&message, self.token_rule()))
    }

    /// Whether every view leaves out a result below `parent`: no call above waits for it but, at
    /// most, one of a failed turn. What lies further up than the search reaches is taken for good,
    /// and so is a call that a compaction hides, since a later one may show it again.
    fn is_unwanted_result(&self, call_id: CallId, parent: Option<Index>) -> bool {
        let mut answers = 0;
        let mut of_failed_turn = false;
        for (step, node) in self.ancestors(parent).filter_map(|index| self.node(index)).enumerate() {
            if step == RESULT_SEARCH {
                return of_failed_turn;
            }
            if node.answers == Some(call_id) {
                answers += 1;
            } else if node.is_failed_turn() {
                of_failed_turn |= node.calls.contains(&call_id);
            } else {
                for _ in node.calls.iter().filter(|&&id| id == call_id) {
                    if answers == 0 {
                        return false;
                    }
                    answers -= 1;
                }
            }
        }
        true
    }

    /// The nearest assistant message at or above `from` that makes a call, within reach.
    fn call_above(&self, call_id: CallId, from: Option<Index>) -> Option<Index> {
        let mut next = self.node(from?)?.path.calls;
        for _ in 0..CALL_SEARCH {
            let index = next?;
            let node = self.node(index)?;
            if node.calls.contains(&call_id) {
                return Some(index);
            }
            next = self.node(node.parent?)?.path.calls;
        }
        None
    }

    /// The entry where the kept part begins that a compaction below `parent` names; `None` where
    /// the id is not on the path.
    pub(super) fn first_kept_on_path(&self, first_kept_entry_id: &str, parent: Option<Index>) -> Option<Index> {
        let first_kept = self.index_of(first_kept_entry_id)?;
        if !self.is_on_path(first_kept, parent) {
            return None;
        }
        // A result would stand there without its call.
        let call = match (self.preset(), self.node(first_kept)?.answers) {
            (Preset::Safe, Some(call_id)) => self.call_above(call_id, Some(first_kept)),
            _ => None,
        };
        Some(call.unwrap_or(first_kept))
    }

    /// Where the first kept entry is unknown, only what the earlier compaction covers is known to
    /// be covered.
    fn kept_where_unknown(&self, earlier: Option<Index>) -> KeptFrom {
        match earlier.and_then(|earlier| self.node(earlier).map(|node| (earlier, node.kept_from))) {
            None | Some((_, KeptFrom::None)) => KeptFrom::Root,
            Some((earlier, KeptFrom::Nothing)) => KeptFrom::Entry(earlier),
            Some((_, kept)) => kept,
        }
    }
}
