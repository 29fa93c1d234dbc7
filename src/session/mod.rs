//! The session: a tree of entries, its leaf, its labels, and the file it is stored in.
//!
//! Entries are numbered in the order of the file ([`Index`]); every node keeps what the rules ask
//! for again and again (the sum of the tokens on its path, the nearest compaction, the newest
//! usable usage), set once when it is linked, so that no question walks the whole session.

mod append;
mod calibration;
mod call_arguments;
mod context;
mod context_usage;
mod counting;
mod counts;
mod diagnostic;
mod jsonl;
mod load;
mod migrate;
mod node;
mod notice;
mod overlay;
mod pairing;
mod path;
mod repair;
mod rewrite;
mod save;
mod sorted;
#[cfg(test)]
pub(crate) mod testing;
mod withdraw;

pub use append::NewCompaction;
pub(crate) use append::file_details;
pub(crate) use context::borrowed;
pub use context::{Context, ContextMessage, PendingToolCall, SYNTHETIC_RESULT_TEXT};
pub(crate) use context_usage::plausible;
pub use context_usage::{ContextUsage, UsageQuery, UsageSource};
pub use counts::SessionCounts;
pub use diagnostic::{Diagnostic, DiagnosticKind};
pub(crate) use jsonl::{Stored, json_string};
pub use load::MAX_SESSION_BYTES;
pub(crate) use load::{Line, escapes_surrogates, lines, rewrite as rewrite_leniently};
pub(crate) use node::{KeptFrom, Node};
pub(crate) use pairing::{Answer, Call, Pairing, pair};
pub use repair::{Repair, RepairKind};

use crate::entry::{AssistantMessage, Entry, ModelChoice};
use crate::error::Error;
use crate::numbers::Numbers;
use crate::tokens::TokenRule;

/// The number of an entry in its session, in the order of the file.
pub type Index = u32;

/// Which rules a session follows; chosen when it is made, since its tokens are counted on entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Preset {
    /// The rules as the behaviour contract states them.
    #[default]
    Safe,
    /// The historical results, for parity.
    Classic,
}

impl Preset {
    /// The preset of a name.
    ///
    /// # Errors
    ///
    /// `invalid-argument` for any other name.
    pub fn parse(name: &str) -> Result<Self, Error> {
        match name {
            "safe" => Ok(Self::Safe),
            "classic" => Ok(Self::Classic),
            other => Err(Error::new(
                crate::error::ErrorCode::InvalidArgument,
                format!("preset: {} is no preset; allowed is \"safe\" or \"classic\"", crate::error::Quoted(other)),
            )),
        }
    }

    /// How this preset counts tokens.
    pub fn token_rule(self) -> TokenRule {
        match self {
            Self::Safe => TokenRule::BY_SCRIPT,
            Self::Classic => TokenRule::CLASSIC,
        }
    }
}

/// The rules of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionRules {
    /// Which rules it follows.
    pub preset: Preset,
    /// How its tokens are counted.
    pub tokens: TokenRule,
}

/// A preset with its own way to count tokens.
impl From<Preset> for SessionRules {
    fn from(preset: Preset) -> Self {
        Self { preset, tokens: preset.token_rule() }
    }
}

/// A session.
#[derive(Debug)]
pub struct Session {
    rules: SessionRules,
    /// How far it is counted, where a tokenizer has not counted all of it.
    counting: Option<counting::Counting>,
    /// The bytes the session was loaded from; nodes point into them.
    bytes: Vec<u8>,
    header: Option<Header>,
    nodes: Vec<Node>,
    /// The number of each id; [`GONE`] where the entry was taken back.
    by_id: Numbers,
    /// The number of each id that a call or a result names.
    call_ids: Numbers,
    leaf: Option<Index>,
    /// The newest entry that set or cleared the label of an id; [`GONE`] where none is left.
    labels: Numbers,
    diagnostics: Vec<Diagnostic>,
    ids: fastrand::Rng,
    /// Whether a run holds the session; a second one is refused.
    busy: bool,
    /// How often a prune rewrote stored entries, or one was taken back.
    rewrites: u32,
}

/// The number of an id whose entry was taken back; the id is not given again.
const GONE: Index = Index::MAX;

/// The header record.
#[derive(Debug)]
struct Header {
    id: Box<str>,
    stored: Stored,
}

impl Session {
    /// How many entries the session has, on all branches.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the session has no entries.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The preset it was made with.
    pub fn preset(&self) -> Preset {
        self.rules.preset
    }

    /// How its tokens are counted.
    pub fn token_rule(&self) -> TokenRule {
        self.rules.tokens
    }

    /// The entry that the next one will follow; `None` before the first and after a reset.
    pub fn leaf(&self) -> Option<Index> {
        self.leaf
    }

    /// The id of the session, where its header names one.
    pub fn id(&self) -> Option<&str> {
        self.header.as_ref().map(|header| &*header.id)
    }

    /// What was found damaged, in the order of the file.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// An entry by its number.
    pub fn entry(&self, index: Index) -> Option<&Entry> {
        self.node(index).map(|node| &node.entry)
    }

    /// The number of an id.
    pub fn index_of(&self, id: &str) -> Option<Index> {
        self.by_id.get(id).copied().filter(|&index| index != GONE)
    }

    /// The number of an id that a caller names.
    ///
    /// # Errors
    ///
    /// `unknown-entry` where no entry has it.
    pub fn require(&self, what: &str, id: &str) -> Result<Index, Error> {
        self.index_of(id).ok_or_else(|| Error::unknown_entry(what, id))
    }

    /// The number of an entry's parent.
    pub fn parent(&self, index: Index) -> Option<Index> {
        self.node(index).and_then(|node| node.parent)
    }

    /// The entries that follow one, in the order of the file.
    pub fn children(&self, index: Index) -> impl Iterator<Item = Index> {
        let last = self.node(index).and_then(|node| node.last_child);
        let backwards = std::iter::successors(last, |&child| self.node(child).and_then(|node| node.previous_sibling));
        backwards.collect::<Vec<_>>().into_iter().rev()
    }

    /// The label of an entry.
    pub fn label(&self, id: &str) -> Option<&str> {
        self.label_set_by(*self.labels.get(id)?)
    }

    /// Every labelled id with its label.
    pub fn labels(&self) -> impl Iterator<Item = (&str, &str)> {
        self.labels.iter().filter_map(|(id, &change)| Some((&**id, self.label_set_by(change)?)))
    }

    fn label_set_by(&self, change: Index) -> Option<&str> {
        match &self.entry(change)?.kind {
            crate::entry::EntryKind::Label { label, .. } => label.as_deref(),
            _ => None,
        }
    }

    /// Moves the leaf to an entry; the next one becomes its child.
    ///
    /// # Errors
    ///
    /// `unknown-entry` where no entry has the id.
    pub fn branch(&mut self, id: &str) -> Result<(), Error> {
        self.leaf = Some(self.require("branch", id)?);
        Ok(())
    }

    /// Moves the leaf before the first entry; the next one becomes a new root.
    pub fn reset_leaf(&mut self) {
        self.leaf = None;
    }

    /// Forbids a cut between an entry and the one before it, as where both are one message of the host.
    pub fn join(&mut self, index: Index) {
        if let Some(node) = self.nodes.get_mut(index as usize) {
            node.joined = true;
        }
    }

    /// Takes the session for a run.
    ///
    /// # Errors
    ///
    /// `busy` while another run holds it.
    pub fn lock(&mut self) -> Result<(), Error> {
        if self.busy {
            return Err(Error::new(
                crate::error::ErrorCode::Busy,
                "another run is under way on this session; wait for it to end or abort it",
            ));
        }
        self.busy = true;
        // A run plans by what there is.
        self.count_rest();
        Ok(())
    }

    /// Gives the session free again.
    pub fn unlock(&mut self) {
        self.busy = false;
    }

    /// Whether a run holds the session.
    pub fn is_locked(&self) -> bool {
        self.busy
    }

    /// The model in force at an entry: the newest explicit change, else what the newest assistant
    /// message names.
    pub fn model_at(&self, leaf: Option<Index>) -> Option<&ModelChoice> {
        let node = self.node(leaf?)?;
        let named_by = node.path.model_change.or(node.path.assistant_model)?;
        match &self.node(named_by)?.entry.kind {
            crate::entry::EntryKind::ModelChange(choice) => Some(choice),
            _ => self.node(named_by)?.entry.assistant()?.model.as_ref(),
        }
    }

    /// The thinking level in force at an entry.
    pub fn thinking_level_at(&self, leaf: Option<Index>) -> Option<&str> {
        let node = self.node(leaf?)?;
        match &self.node(node.path.thinking_change?)?.entry.kind {
            crate::entry::EntryKind::ThinkingLevelChange(level) => Some(level),
            _ => None,
        }
    }

    /// The newest assistant turn at an entry, a failed one too, that no compaction came after.
    pub(crate) fn newest_turn(&self, leaf: Option<Index>) -> Option<&AssistantMessage> {
        self.entry(self.newest_turn_entry(leaf)?)?.assistant()
    }

    /// The entry of that turn.
    pub(crate) fn newest_turn_entry(&self, leaf: Option<Index>) -> Option<Index> {
        self.node(leaf?)?.path.turn
    }

    pub(crate) fn node(&self, index: Index) -> Option<&Node> {
        self.nodes.get(index as usize)
    }
}
