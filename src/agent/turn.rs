//! The check at the end of a turn and before a prompt: prune, decide, compact, and say how to go on.

use super::Agent;
use super::outcome::{Action, AgentOutcome, Next, TurnOutcome};
use super::pruning::PlannedPrune;
use super::run::{AgentRun, Task};
use crate::compaction::{
    Check, CompactionOutcome, Decision, Moment, NothingToDo, Status, Trigger, overflowed_turn, should_compact,
};
use crate::error::{Error, ErrorCode};
use crate::event::Event;
use crate::prune::{Pruned, Scope, plan_prune};
use crate::session::{Preset, Session, UsageQuery};
use crate::step::Step;
use crate::summary::{ErrorClass, class_of};

/// Why a second overflow ends the recovery.
const STILL_TOO_LARGE: &str =
    "still too large after one compaction and retry; shorten the request or choose a model with a larger window";

/// What a check is about.
#[derive(Debug)]
pub(super) struct Turn {
    pub(super) moment: Moment,
    pending_tokens: u64,
    /// Whether the user says something new with the request.
    from_user: bool,
    /// Whether the turn that has ended is a good one, which the agent may go on from.
    is_good: bool,
    pub(super) trigger: Option<Trigger>,
    pub(super) will_retry: bool,
    pub(super) pruned: Pruned,
    /// The prune that the store is writing.
    pub(super) planned: Option<PlannedPrune>,
    /// How it ends once the host has left out the answer that is tried again: what was pruned is enough.
    pub(super) recovered: Option<TurnOutcome>,
}

impl Turn {
    fn new(moment: Moment, pending_tokens: u64, from_user: bool, is_good: bool) -> Self {
        Self {
            moment,
            pending_tokens,
            from_user,
            is_good,
            trigger: None,
            will_retry: false,
            pruned: Pruned::default(),
            planned: None,
            recovered: None,
        }
    }

    pub(super) fn at_its_end(session: &Session) -> Self {
        let is_good = session.newest_turn(session.leaf()).is_some_and(|turn| !turn.is_failed());
        Self::new(Moment::TurnEnd, 0, false, is_good)
    }

    pub(super) fn before_a_prompt(pending_tokens: u64, from_user: bool) -> Self {
        Self::new(Moment::BeforeRequest, pending_tokens, from_user, false)
    }
}

impl AgentRun {
    /// Decides at the start of the check, and prunes first where the context has to shrink.
    pub(super) fn decide(&mut self, agent: &mut Agent, session: &mut Session, now: &str) -> Step<AgentOutcome> {
        let decision = match self.decision(session) {
            Ok(decision) => decision,
            Err(error) => return self.fail_turn(agent, session, error),
        };
        let is_due = match &decision {
            // What has failed is left alone with all that belongs to it.
            Decision::Compact { .. } => !agent.is_cooling_down(session),
            // The historical rule prunes whenever it can.
            Decision::BelowLimit { .. } => session.preset() == Preset::Classic,
            Decision::AbortedTurn | Decision::NothingToDo(_) => false,
        };
        self.note_trigger(&decision);
        let settings = &self.options.settings.prune;
        let scope = match (&decision, session.newest_turn(session.leaf()).and_then(class_of)) {
            (Decision::Compact { trigger: Trigger::Overflow, .. }, Some(ErrorClass::PayloadTooLarge)) => {
                Scope::OldAndImages
            }
            _ => Scope::Old,
        };
        match is_due.then(|| plan_prune(session, settings, scope)).flatten() {
            Some(results) => self.prune(agent, session, results, now),
            None => self.decided(agent, session, decision, now),
        }
    }

    /// Notes what the check is about to do, and why.
    fn note_trigger(&mut self, decision: &Decision) {
        if let (Task::Turn(turn), &Decision::Compact { trigger, will_retry }) = (&mut self.task, decision) {
            (turn.trigger, turn.will_retry) = (Some(trigger), will_retry);
        }
    }

    /// Decides on what a prune left.
    pub(super) fn decide_again(&mut self, agent: &mut Agent, session: &mut Session, now: &str) -> Step<AgentOutcome> {
        if let Task::Turn(turn) = &mut self.task
            && let Some(mut outcome) = turn.recovered.take()
        {
            if self.aborted {
                outcome.next = Next::Wait;
            }
            return self.end(session, AgentOutcome::Turn(outcome));
        }
        match self.decision(session) {
            Ok(decision) => self.decided(agent, session, decision, now),
            Err(error) => self.fail_turn(agent, session, error),
        }
    }

    fn decision(&self, session: &Session) -> Result<Decision, Error> {
        let Task::Turn(turn) = &self.task else { return Ok(Decision::AbortedTurn) };
        should_compact(session, session.leaf(), &self.check(turn))
    }

    fn check(&self, turn: &Turn) -> Check<'_> {
        Check {
            settings: &self.options.settings,
            context_window: self.options.context_window,
            fixed_tokens: self.options.fixed_tokens,
            pending_tokens: turn.pending_tokens,
            model: self.options.model.as_ref(),
            moment: turn.moment,
        }
    }

    /// Does what was decided.
    fn decided(
        &mut self,
        agent: &mut Agent,
        session: &mut Session,
        decision: Decision,
        now: &str,
    ) -> Step<AgentOutcome> {
        self.note_trigger(&decision);
        match decision {
            Decision::Compact { trigger, will_retry } => {
                if agent.is_cooling_down(session) {
                    return self.end_turn(session, Action::None, None, Next::Wait);
                }
                if self.aborted {
                    agent.failed_at = Some(session.len());
                    let outcome = self.unstarted(session, None, trigger);
                    return self.end_turn(session, Action::None, Some(outcome), Next::Wait);
                }
                if trigger == Trigger::Overflow && self.is_recovery_spent(agent, session) {
                    let error = Error::new(ErrorCode::TooLarge, STILL_TOO_LARGE);
                    return self.fail_turn(agent, session, error);
                }
                self.compact(agent, session, trigger, will_retry, None, now)
            }
            Decision::NothingToDo(nothing) => self.cannot_help(agent, session, nothing),
            Decision::BelowLimit { .. }
                if self.has_pruned_after_overflow() && !self.is_recovery_spent(agent, session) =>
            {
                self.recover_by_prune(agent, session, None)
            }
            Decision::BelowLimit { .. } | Decision::AbortedTurn => {
                self.end_turn(session, Action::None, None, Next::Wait)
            }
        }
    }

    fn is_recovery_spent(&self, agent: &Agent, session: &Session) -> bool {
        let leaf = session.leaf();
        let from_user = matches!(&self.task, Task::Turn(turn) if turn.from_user);
        !from_user && agent.is_recovery_spent(session, leaf, session.newest_turn_entry(leaf))
    }

    /// Nothing may start, or nothing can help; the latter ends the recovery from an overflow.
    fn cannot_help(&mut self, agent: &mut Agent, session: &mut Session, nothing: NothingToDo) -> Step<AgentOutcome> {
        if let (Task::Turn(turn), NothingToDo::Infeasible { .. }, Some(window)) =
            (&self.task, &nothing, self.options.context_window)
            && overflowed_turn(session, session.leaf(), &self.check(turn), window).is_some()
        {
            let error = Error::new(ErrorCode::TooLarge, nothing.to_string());
            if let Task::Turn(turn) = &mut self.task {
                turn.trigger = Some(Trigger::Overflow);
            }
            return self.fail_turn(agent, session, error);
        }
        let mut outcome = CompactionOutcome::unstarted(None, self.context_tokens(session));
        outcome.status = Status::NothingToDo;
        if matches!(nothing, NothingToDo::Infeasible { .. }) {
            // It was due: who watches the runs hears of it as of any that finds nothing to do.
            self.note_unstarted(&outcome, Trigger::Threshold);
        }
        outcome.nothing_to_do = Some(nothing);
        self.end_turn(session, Action::None, Some(outcome), Next::Wait)
    }

    /// The compaction has ended.
    pub(super) fn compaction_ended(
        &mut self,
        agent: &mut Agent,
        session: &mut Session,
        outcome: CompactionOutcome,
    ) -> Step<AgentOutcome> {
        let Task::Turn(turn) = &self.task else { return self.end(session, AgentOutcome::Compaction(outcome)) };
        let trigger = turn.trigger.unwrap_or_default();
        let (moment, will_retry, is_good) = (turn.moment, turn.will_retry, turn.is_good);
        match outcome.status {
            Status::Committed => {
                agent.failed_at = None;
                if trigger == Trigger::Overflow {
                    agent.recovered_at = outcome.entry.and_then(|entry| session.entry(entry)).map(|e| e.id.clone());
                }
                let helped = outcome.progress.as_ref().is_some_and(|progress| progress.sufficient);
                let next = match trigger {
                    _ if !helped || self.aborted || moment == Moment::BeforeRequest => Next::Wait,
                    Trigger::Overflow if will_retry => Next::Continue,
                    Trigger::Threshold if is_good && self.may_prompt(session) => Next::Prompt,
                    _ => Next::Wait,
                };
                self.note_auto_end(trigger, &outcome, next == Next::Continue, None);
                self.end_turn(session, Action::Compacted, Some(outcome), next)
            }
            Status::NothingToDo if trigger == Trigger::Overflow => {
                if self.has_pruned_after_overflow() && self.fits(session) {
                    return self.recover_by_prune(agent, session, Some(outcome));
                }
                let cause = outcome.nothing_to_do.as_ref().map(ToString::to_string).unwrap_or_default();
                agent.failed_at = Some(session.len());
                self.note_auto_end(trigger, &outcome, false, Some(&cause));
                self.end_turn(session, Action::Failed, Some(outcome), Next::Wait)
            }
            Status::NothingToDo => self.end_turn(session, Action::None, Some(outcome), Next::Wait),
            Status::Cancelled => {
                agent.failed_at = Some(session.len());
                self.note_auto_end(trigger, &outcome, false, None);
                self.end_turn(session, Action::None, Some(outcome), Next::Wait)
            }
            Status::Failed => {
                agent.failed_at = Some(session.len());
                let cause = outcome.error.as_ref().map(|error| error.message.clone()).unwrap_or_default();
                self.note_auto_end(trigger, &outcome, false, Some(&cause));
                self.end_turn(session, Action::Failed, Some(outcome), Next::Wait)
            }
        }
    }

    /// Whether the agent may be asked to go on: not while a call awaits its result or a message of the user
    /// its answer, which come first.
    fn may_prompt(&self, session: &Session) -> bool {
        let is_open = || {
            session.asks_for_an_answer(session.leaf())
                || !session.build_session_context(session.leaf()).pending_tool_calls.is_empty()
        };
        self.options.settings.compaction.auto_continue && !is_open()
    }

    /// Ends a check that failed before a compaction started.
    pub(super) fn fail_turn(&mut self, agent: &mut Agent, session: &mut Session, error: Error) -> Step<AgentOutcome> {
        agent.failed_at = Some(session.len());
        let trigger = match &self.task {
            Task::Turn(Turn { trigger: Some(trigger), .. }) => *trigger,
            _ => Trigger::Threshold,
        };
        let cause = error.message.clone();
        let outcome = self.unstarted(session, Some(error), trigger);
        self.note_auto_end(trigger, &outcome, false, Some(&cause));
        self.end_turn(session, Action::Failed, Some(outcome), Next::Wait)
    }

    fn note_auto_end(&mut self, trigger: Trigger, outcome: &CompactionOutcome, will_retry: bool, cause: Option<&str>) {
        let path = match trigger {
            Trigger::Overflow => "Context overflow recovery failed",
            Trigger::Threshold | Trigger::Manual => "Auto-compaction failed",
        };
        self.events.push(Event::AutoCompactionEnd {
            reason: trigger.as_str(),
            entry: outcome.entry,
            aborted: outcome.status == Status::Cancelled,
            will_retry,
            error_message: cause.map(|cause| format!("{path}: {cause}")),
        });
    }

    /// What will be sent with the context but is not in the session yet, in tokens.
    pub(super) fn pending_tokens(&self) -> u64 {
        if let Task::Turn(turn) = &self.task { turn.pending_tokens } else { 0 }
    }

    fn usage_query(&self) -> UsageQuery {
        UsageQuery {
            context_window: self.options.context_window,
            reserve_tokens: 0,
            pending_tokens: self.pending_tokens(),
            fixed_tokens: self.options.fixed_tokens,
        }
    }

    /// The context size, in tokens.
    pub(super) fn context_tokens(&self, session: &Session) -> u64 {
        session.context_usage(session.leaf(), &self.usage_query()).tokens
    }

    /// Whether the context is below the threshold, by the estimate.
    pub(super) fn fits(&self, session: &Session) -> bool {
        let Some(window) = self.options.context_window else { return false };
        let reserve_tokens = self.options.settings.budgets(Some(window)).map_or(0, |budgets| budgets.reserve_tokens);
        let query = UsageQuery { reserve_tokens, ..self.usage_query() };
        let usage = session.context_usage(session.leaf(), &query);
        usage.limit.is_some_and(|limit| usage.tokens <= limit)
    }

    pub(super) fn end_turn(
        &mut self,
        session: &mut Session,
        action: Action,
        compaction: Option<CompactionOutcome>,
        next: Next,
    ) -> Step<AgentOutcome> {
        let outcome = self.turn_outcome(action, compaction, next);
        self.end(session, AgentOutcome::Turn(outcome))
    }

    pub(super) fn turn_outcome(
        &mut self,
        action: Action,
        compaction: Option<CompactionOutcome>,
        next: Next,
    ) -> TurnOutcome {
        let pruned = match &mut self.task {
            Task::Turn(turn) => std::mem::take(&mut turn.pruned),
            _ => Pruned::default(),
        };
        let action = if action == Action::None && !pruned.entries.is_empty() { Action::Pruned } else { action };
        let (pruned_count, tokens_saved) = (pruned.entries.len(), pruned.tokens);
        TurnOutcome { action, compaction, pruned_count, tokens_saved, next }
    }

    pub(super) fn end_busy(&mut self) -> Step<AgentOutcome> {
        let outcome =
            TurnOutcome { action: Action::Busy, compaction: None, pruned_count: 0, tokens_saved: 0, next: Next::Wait };
        self.end_with(AgentOutcome::Turn(outcome))
    }
}
