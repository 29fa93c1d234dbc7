//! The agent's companion: it watches the context of a session beside an agent loop or a chat, and does
//! what is due: prunes, compacts, rescues a run after an overflow, moves through the tree.
//!
//! An [`Agent`] is what is remembered between the checks; each check, compaction or navigation is an
//! [`AgentRun`], a value that is started and resumed like every run. [`TRANSITIONS`] lists its states.

mod navigate;
mod outcome;
mod pruning;
mod run;
mod state;
mod turn;

pub use outcome::{Action, AgentOutcome, NavigateOutcome, Next, TurnOutcome};
pub use run::{AgentRun, Command, Started};
pub use state::{State, TRANSITIONS};

use crate::compaction::is_good_turn;
use crate::entry::{EntryId, EntryKind, Message, ModelChoice};
use crate::session::{Index, Session};
use crate::settings::Settings;
use crate::step::Reach;
use crate::summary::Candidate;

/// What an agent works with; it may be changed at any time and holds from the next run on.
#[derive(Debug, Clone)]
pub struct AgentOptions {
    /// The settings.
    pub settings: Settings,
    /// The window of the current model, in tokens, where it is known.
    pub context_window: Option<u64>,
    /// The system prompt and the tools, in tokens, where the host states them.
    pub fixed_tokens: Option<u64>,
    /// The current model, whose errors alone count; where it is not stated, the one in force on the
    /// path.
    pub model: Option<ModelChoice>,
    /// Who may make the summaries, in order; nobody is the local summariser.
    pub candidates: Vec<Candidate>,
    /// What its runs reach beside the summarisers.
    pub reach: Reach,
}

/// What is remembered between the runs of an agent.
///
/// ```
/// use threadfold::agent::{Action, Agent, AgentOptions, AgentOutcome, Command};
/// use threadfold::session::{Preset, Session};
/// use threadfold::settings::Settings;
/// use threadfold::step::{Reach, Step};
/// let now = "2026-01-01T00:00:00.000Z";
/// let mut session = Session::create(Preset::Safe, "s", "/", now, 1);
/// session.append(r#"{"type":"message","message":{"role":"user","content":"Hello"}}"#, now)?;
/// let mut agent = Agent::new(AgentOptions {
///     settings: Settings::default(),
///     context_window: Some(32_000),
///     fixed_tokens: None,
///     model: None,
///     candidates: Vec::new(),
///     reach: Reach::default(),
/// });
/// let started = agent.start(&mut session, Command::TurnEnd, now)?;
/// let Step::Done(outcome) = started.step else { panic!("a step too many") };
/// let AgentOutcome::Turn(turn) = *outcome else { panic!("another outcome") };
/// assert_eq!(turn.action, Action::None);
/// # Ok::<(), threadfold::error::Error>(())
/// ```
#[derive(Debug)]
pub struct Agent {
    /// What it works with.
    pub options: AgentOptions,
    /// The entry behind which the overflow that was recovered from lies.
    recovered_at: Option<EntryId>,
    /// How many entries there were when an automatic compaction failed or was cancelled.
    failed_at: Option<usize>,
}

impl Agent {
    /// One that has seen nothing yet.
    pub fn new(options: AgentOptions) -> Self {
        Self { options, recovered_at: None, failed_at: None }
    }

    /// Whether an automatic compaction has failed and nothing has been appended since.
    fn is_cooling_down(&self, session: &Session) -> bool {
        self.failed_at.is_some_and(|entries| session.len() <= entries)
    }

    /// Whether the one recovery is spent that there is until a good turn or a new message of the user.
    /// `turn` is the turn that has overflowed now.
    fn is_recovery_spent(&self, session: &Session, leaf: Option<Index>, turn: Option<Index>) -> bool {
        let Some(recovered) = self.recovered_at.as_ref().and_then(|id| session.index_of(id)) else { return false };
        if !session.is_on_path(recovered, leaf) {
            return false;
        }
        let mut since = session.ancestors(leaf).take_while(|&index| index != recovered);
        !since.any(|index| Some(index) != turn && self.is_new_start(session, index))
    }

    /// Whether an entry ends the time in which an overflow is recovered from only once.
    fn is_new_start(&self, session: &Session, index: Index) -> bool {
        match session.entry(index).map(|entry| &entry.kind) {
            Some(EntryKind::Message(Message::User { .. })) => true,
            Some(EntryKind::Message(Message::Assistant(turn))) => {
                let window = self.options.context_window;
                let fixed_tokens = session.fixed_overhead(Some(index), self.options.fixed_tokens, window);
                is_good_turn(turn, session.estimated_view(Some(index)).tokens.saturating_add(fixed_tokens), window)
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests;
