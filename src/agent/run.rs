//! One check, compaction or navigation of an agent, as a value that is started and resumed.

use super::navigate::Navigation;
use super::outcome::{AgentOutcome, NavigateOutcome};
use super::state::State;
use super::turn::Turn;
use super::{Agent, AgentOptions};
use crate::branch::BranchRun;
use crate::compaction::{CompactionOutcome, CompactionRun, RunOptions, Trigger};
use crate::error::{Error, ErrorCode};
use crate::event::Event;
use crate::session::{Index, Session};
use crate::step::{HostCommand, Reply, Step};

/// What an agent is asked to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// A turn has ended: do what is due.
    TurnEnd,
    /// A request is about to be sent: make room for it.
    BeforePrompt {
        /// The estimate of messages that will be sent but are not in the session yet, in tokens.
        pending_tokens: u64,
        /// Whether a message of the user is among them.
        from_user: bool,
    },
    /// Compact by hand.
    Compact {
        /// What the summary is to look at above all.
        custom_instructions: Option<String>,
    },
    /// Move the leaf to another entry.
    Navigate {
        /// The entry.
        target: Index,
        /// Whether the branch that is left is summarised; `None` leaves it to `branchSummary.enabled`.
        summarize: Option<bool>,
        /// What stands in the place of our instructions for the summary.
        custom_instructions: Option<String>,
    },
}

/// A started run with its first step.
#[derive(Debug)]
pub struct Started {
    /// The run.
    pub run: AgentRun,
    /// What it asks for.
    pub step: Step<AgentOutcome>,
}

/// A run of an agent. It holds the session's lock until it is done.
#[derive(Debug)]
pub struct AgentRun {
    /// The options of the agent when it was started.
    pub(super) options: AgentOptions,
    pub(super) state: State,
    pub(super) task: Task,
    pub(super) compaction: Option<Box<CompactionRun>>,
    pub(super) branch: Option<Box<BranchRun>>,
    pub(super) events: Vec<Event>,
    /// Whether it is to end: what is committed is seen to its end, and nothing new begins.
    pub(super) aborted: bool,
    /// How it ended, once it has.
    ended: Option<Box<AgentOutcome>>,
}

/// What a run is about.
#[derive(Debug)]
pub(super) enum Task {
    Turn(Turn),
    Compact { custom_instructions: Option<String> },
    Navigate(Navigation),
}

impl Agent {
    /// Starts what is asked for. `now` is the time as ISO 8601, for what is saved at once.
    ///
    /// # Errors
    ///
    /// `busy` for a compaction or a navigation while another run holds the session; a check ends with
    /// [`Action::Busy`](super::Action::Busy) then. `invalid-settings` for a reserve that does not fit the
    /// window, `unknown-entry` for a target that is not there. Anything else ends the run with an outcome.
    pub fn start(&mut self, session: &mut Session, command: Command, now: &str) -> Result<Started, Error> {
        let options = self.options.clone();
        if !matches!(command, Command::Navigate { .. }) {
            options.settings.budgets(options.context_window)?;
        }
        let is_check = matches!(command, Command::TurnEnd | Command::BeforePrompt { .. });
        let task = match command {
            Command::TurnEnd => Task::Turn(Turn::at_its_end(session)),
            Command::BeforePrompt { pending_tokens, from_user } => {
                Task::Turn(Turn::before_a_prompt(pending_tokens, from_user))
            }
            Command::Compact { custom_instructions } => Task::Compact { custom_instructions },
            Command::Navigate { target, summarize, custom_instructions } => {
                options.settings.branch_reserve(options.context_window)?;
                let summarize = summarize.unwrap_or(options.settings.branch_summary.enabled);
                Task::Navigate(Navigation::new(session, target, summarize, custom_instructions)?)
            }
        };
        let mut run = AgentRun {
            options,
            state: State::Idle,
            task,
            compaction: None,
            branch: None,
            events: Vec::new(),
            aborted: false,
            ended: None,
        };
        let step = match session.lock() {
            Ok(()) => run.begin(self, session, now),
            Err(_) if is_check => run.end_busy(),
            Err(error) => return Err(error),
        };
        Ok(Started { run, step })
    }
}

impl AgentRun {
    /// What it waits for.
    pub fn state(&self) -> State {
        self.state
    }

    /// The compaction that is under way, or was.
    pub fn compaction(&self) -> Option<&CompactionRun> {
        self.compaction.as_deref()
    }

    /// The events since the last call, in their order.
    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    /// Goes on with what the outside world says. A run that has ended says again how: an abort that
    /// comes too late changes nothing.
    pub fn resume(&mut self, agent: &mut Agent, session: &mut Session, reply: Reply, now: &str) -> Step<AgentOutcome> {
        if let Some(outcome) = &self.ended {
            return Step::Done(outcome.clone());
        }
        self.aborted |= reply == Reply::Aborted;
        match self.state {
            State::Stopping if self.aborted => self.end_compaction(session, None),
            State::Stopping => self.compact_by_hand(agent, session, now),
            State::Pruning => self.prune_stored(agent, session, reply, now),
            State::Replacing => self.decide_again(agent, session, now),
            State::Compacting => {
                let Some(run) = &mut self.compaction else { return self.end_lost(session) };
                let step = run.resume(session, reply, now);
                self.compaction_step(agent, session, step)
            }
            State::AskingHooks => self.tree_hooks_answered(session, reply, now),
            State::Summarizing => {
                let Some(run) = &mut self.branch else { return self.end_lost(session) };
                let step = run.resume(session, reply);
                self.branch_step(session, step, now)
            }
            State::Saving => self.branch_summary_stored(session, reply),
            State::Moving => self.end_navigation(session),
            State::Idle | State::Ended => self.end_lost(session),
        }
    }

    fn begin(&mut self, agent: &mut Agent, session: &mut Session, now: &str) -> Step<AgentOutcome> {
        match &self.task {
            Task::Turn(_) => self.decide(agent, session, now),
            Task::Compact { .. } if self.options.reach.host => {
                self.state = State::Stopping;
                Step::HostCommand(HostCommand::Abort)
            }
            Task::Compact { .. } => self.compact_by_hand(agent, session, now),
            Task::Navigate(_) => self.ask_tree_hooks(session, now),
        }
    }

    fn compact_by_hand(&mut self, agent: &mut Agent, session: &mut Session, now: &str) -> Step<AgentOutcome> {
        let custom_instructions = match &self.task {
            Task::Compact { custom_instructions } => custom_instructions.clone(),
            _ => None,
        };
        self.compact(agent, session, Trigger::Manual, false, custom_instructions, now)
    }

    /// Starts a compaction.
    pub(super) fn compact(
        &mut self,
        agent: &mut Agent,
        session: &mut Session,
        trigger: Trigger,
        will_retry: bool,
        custom_instructions: Option<String>,
        now: &str,
    ) -> Step<AgentOutcome> {
        let options = RunOptions {
            settings: self.options.settings.clone(),
            context_window: self.options.context_window,
            fixed_tokens: self.options.fixed_tokens,
            pending_tokens: self.pending_tokens(),
            custom_instructions,
            candidates: self.options.candidates.clone(),
            trigger,
            only_when_due: false,
            will_retry,
            reach: self.options.reach,
        };
        let started = match CompactionRun::start_within(session, options, now) {
            Ok(started) => started,
            Err(error) => return self.end_unstarted(agent, session, error),
        };
        if trigger != Trigger::Manual && started.run.preparation().is_some() {
            self.events.push(Event::AutoCompactionStart { reason: trigger.as_str() });
        }
        self.compaction = Some(Box::new(started.run));
        self.compaction_step(agent, session, started.step)
    }

    /// Hands a step of the compaction on, or ends with it.
    fn compaction_step(
        &mut self,
        agent: &mut Agent,
        session: &mut Session,
        step: Step<CompactionOutcome>,
    ) -> Step<AgentOutcome> {
        if let Some(run) = &mut self.compaction {
            self.events.extend(run.take_events());
        }
        match step.undone() {
            Ok(step) => {
                self.state = State::Compacting;
                step
            }
            Err(outcome) => match &self.task {
                Task::Turn(_) => self.compaction_ended(agent, session, *outcome),
                _ => self.end_compaction(session, Some(*outcome)),
            },
        }
    }

    /// Ends a compaction by hand; without an outcome it was aborted before it started.
    fn end_compaction(&mut self, session: &mut Session, outcome: Option<CompactionOutcome>) -> Step<AgentOutcome> {
        let outcome = outcome.unwrap_or_else(|| self.unstarted(session, None, Trigger::Manual));
        self.end(session, AgentOutcome::Compaction(outcome))
    }

    /// Ends with a compaction that could not start.
    fn end_unstarted(&mut self, agent: &mut Agent, session: &mut Session, error: Error) -> Step<AgentOutcome> {
        match &self.task {
            Task::Turn(_) => self.fail_turn(agent, session, error),
            _ => {
                let outcome = self.unstarted(session, Some(error), Trigger::Manual);
                self.end(session, AgentOutcome::Compaction(outcome))
            }
        }
    }

    /// The outcome of a compaction that never started, with its terminal event: failed, or cancelled
    /// where there is no error.
    pub(super) fn unstarted(&mut self, session: &Session, error: Option<Error>, trigger: Trigger) -> CompactionOutcome {
        let tokens = self.context_tokens(session);
        let outcome = CompactionOutcome::unstarted(error, tokens);
        self.note_unstarted(&outcome, trigger);
        outcome
    }

    /// The terminal event of a compaction that never started.
    pub(super) fn note_unstarted(&mut self, outcome: &CompactionOutcome, trigger: Trigger) {
        self.events.push(Event::CompactionEnd {
            status: outcome.status.as_str(),
            reason: trigger.as_str(),
            summarizer: None,
            tokens_before: outcome.tokens_before,
            tokens_after: None,
        });
    }

    /// Ends a run that was told something in a state in which it waits for nothing.
    fn end_lost(&mut self, session: &mut Session) -> Step<AgentOutcome> {
        let error = Error::new(ErrorCode::Internal, "a run was told what it did not ask for");
        let outcome = NavigateOutcome { error: Some(error), ..NavigateOutcome::default() };
        self.end(session, AgentOutcome::Navigation(outcome))
    }

    pub(super) fn end(&mut self, session: &mut Session, outcome: AgentOutcome) -> Step<AgentOutcome> {
        session.unlock();
        self.end_with(outcome)
    }

    pub(super) fn end_with(&mut self, outcome: AgentOutcome) -> Step<AgentOutcome> {
        self.state = State::Ended;
        let outcome = Box::new(outcome);
        self.ended = Some(outcome.clone());
        Step::Done(outcome)
    }
}
