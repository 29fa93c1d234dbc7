//! What a check prunes before it decides, and what follows where that is enough.

use super::Agent;
use super::outcome::{Action, AgentOutcome, Next};
use super::run::{AgentRun, Task};
use super::state::State;
use crate::compaction::{CompactionOutcome, Moment, Trigger};
use crate::entry::{EntryId, milliseconds};
use crate::event::Event;
use crate::prune::{self, Pruned};
use crate::session::{Index, Session};
use crate::settings::PruneMode;
use crate::step::{HostCommand, Reply, Save, Step};

/// A prune by ids: numbers may change while the store writes.
#[derive(Debug)]
pub(super) enum PlannedPrune {
    /// The results that get their notice then, and the time it tells, in milliseconds since 1970.
    Rewrite(Vec<EntryId>, i64),
    /// The prune entry that was appended.
    Overlay(EntryId),
}

impl AgentRun {
    /// Prunes: the store first, so that nothing has changed where it refuses.
    pub(super) fn prune(
        &mut self,
        agent: &mut Agent,
        session: &mut Session,
        results: Vec<Index>,
        now: &str,
    ) -> Step<AgentOutcome> {
        let Task::Turn(turn) = &mut self.task else { return self.decide_again(agent, session, now) };
        let id_of = |index: Index| session.entry(index).map(|entry| entry.id.clone());
        let save = match self.options.settings.prune.mode {
            PruneMode::Rewrite => {
                let pruned_at = session.prune_time(milliseconds(now).unwrap_or_default());
                let ids = results.iter().filter_map(|&index| id_of(index)).collect();
                session.note_being_pruned(&results, true);
                turn.planned = Some(PlannedPrune::Rewrite(ids, pruned_at));
                Save::Notices { results, pruned_at }
            }
            PruneMode::Overlay => match prune::overlay(session, &results, now) {
                Ok((pruned, entry)) => {
                    turn.pruned = pruned;
                    turn.planned = session.entry(entry).map(|entry| PlannedPrune::Overlay(entry.id.clone()));
                    Save::Entry(entry)
                }
                Err(error) => return self.fail_turn(agent, session, error),
            },
        };
        if self.options.reach.store {
            self.state = State::Pruning;
            return Step::Save(save);
        }
        self.prune_stored(agent, session, Reply::Saved, now)
    }

    /// The store has the prune, or refused it.
    pub(super) fn prune_stored(
        &mut self,
        agent: &mut Agent,
        session: &mut Session,
        reply: Reply,
        now: &str,
    ) -> Step<AgentOutcome> {
        let Task::Turn(turn) = &mut self.task else { return self.decide_again(agent, session, now) };
        let planned = turn.planned.take();
        let results: Vec<Index> = match &planned {
            Some(PlannedPrune::Rewrite(ids, _)) => ids.iter().filter_map(|id| session.index_of(id)).collect(),
            _ => Vec::new(),
        };
        session.note_being_pruned(&results, false);
        match (planned, reply) {
            (planned, Reply::NotSaved(error)) => {
                turn.pruned = Pruned::default();
                if let Some(PlannedPrune::Overlay(id)) = planned
                    && let Some(entry) = session.index_of(&id)
                {
                    drop(session.withdraw(entry));
                }
                return self.fail_turn(agent, session, error);
            }
            // What the store may have written counts as written, whatever else is said.
            (Some(PlannedPrune::Rewrite(_, pruned_at)), _) => {
                turn.pruned = prune::rewrite(session, &results, pruned_at);
                self.events.push(Event::Rewritten { results: turn.pruned.entries.clone() });
            }
            (Some(PlannedPrune::Overlay(_)) | None, _) => {}
        }
        if self.options.reach.host {
            self.state = State::Replacing;
            return Step::HostCommand(HostCommand::ReplaceMessages { without_last: false });
        }
        self.decide_again(agent, session, now)
    }

    pub(super) fn has_pruned_after_overflow(&self) -> bool {
        let Task::Turn(turn) = &self.task else { return false };
        turn.trigger == Some(Trigger::Overflow) && !turn.pruned.entries.is_empty()
    }

    /// What was pruned is enough: the request that was too large is sent again without a compaction.
    pub(super) fn recover_by_prune(
        &mut self,
        agent: &mut Agent,
        session: &mut Session,
        outcome: Option<CompactionOutcome>,
    ) -> Step<AgentOutcome> {
        let leaf = session.leaf();
        agent.recovered_at = leaf.and_then(|leaf| session.entry(leaf)).map(|entry| entry.id.clone());
        let retries = !self.aborted
            && matches!(&self.task, Task::Turn(turn) if turn.will_retry && turn.moment == Moment::TurnEnd);
        if !retries {
            return self.end_turn(session, Action::None, outcome, Next::Wait);
        }
        let outcome = self.turn_outcome(Action::None, outcome, Next::Continue);
        if let Task::Turn(turn) = &mut self.task
            && self.options.reach.host
            && session.ends_with_unfinished_answer(leaf)
        {
            turn.recovered = Some(outcome);
            self.state = State::Replacing;
            return Step::HostCommand(HostCommand::ReplaceMessages { without_last: true });
        }
        self.end(session, AgentOutcome::Turn(outcome))
    }
}
