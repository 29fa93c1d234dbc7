//! How a run ends: what is committed, who hears of it, and what it tells.

use super::{Awaits, CompactionRun};
use crate::compaction::outcome::{CompactionOutcome, Progress, Status};
use crate::error::{Error, ErrorCode};
use crate::event::Event;
use crate::session::{NewCompaction, Session, UsageQuery};
use crate::step::{HostCommand, Save, Step};
use crate::summary::Summarizer;

impl CompactionRun {
    /// Commits: the compaction joins the session at the leaf of this moment.
    pub(super) fn save(
        &mut self,
        session: &mut Session,
        compaction: &NewCompaction,
        now: &str,
    ) -> Step<CompactionOutcome> {
        let Some(plan) = self.work.plan.clone() else {
            return self.fail(session, Error::new(ErrorCode::Internal, "a run was saved that has no plan"));
        };
        let leaf = session.leaf();
        let newest = leaf.and_then(|leaf| session.node(leaf)).and_then(|node| node.path.compaction);
        let pruned = session.rewrites() != plan.rewrites || !session.same_prune(Some(plan.leaf), leaf);
        let taken_back = session.index_of(&plan.leaf_id) != Some(plan.leaf);
        if taken_back || !session.is_on_path(plan.leaf, leaf) || newest != plan.previous_compaction || pruned {
            return self.fail(
                session,
                Error::new(
                    ErrorCode::Stale,
                    "while the summary was made the session moved to another branch, was compacted or pruned, or an \
                     entry that it covers was taken back; nothing was changed",
                ),
            );
        }
        self.asking.note_save(self.work.served_by);
        let estimate_before = session.estimated_view(leaf).tokens;
        let entry = match session.append_compaction(compaction, now) {
            Ok(entry) => entry,
            Err(error) => return self.fail(session, error),
        };
        let mut outcome = self.outcome(session, Status::Committed);
        let after = session.estimated_view(Some(entry));
        let (estimate_after, margin) = (after.tokens, session.estimate_margin(Some(entry)));
        let limit = plan.context_window.map(|window| window.saturating_sub(plan.reserve_tokens));
        let beside = plan.fixed_tokens.saturating_add(plan.pending_tokens);
        let fits = limit.is_some_and(|limit| estimate_after.saturating_add(beside) <= limit);
        // What is to be sent with it has to fit; where nothing is, a tenth is progress too.
        let smaller =
            plan.pending_tokens == 0 && estimate_after.saturating_mul(10) <= estimate_before.saturating_mul(9);
        let sufficient = fits || smaller;
        outcome.progress = Some(Progress {
            sufficient,
            estimate_before,
            estimate_after,
            after_within: margin.range(after.files, estimate_after),
            entries_in_the_way: if sufficient { Vec::new() } else { plan.entries_in_the_way.clone() },
        });
        outcome.tokens_after = Some(self.context_tokens(session));
        let id = session.entry(entry).map(|entry| entry.id.clone()).unwrap_or_default();
        self.committed = Some((id, Box::new(outcome)));
        if self.work.options.reach.store {
            self.awaits = Awaits::Store;
            return Step::Save(Save::Entry(entry));
        }
        self.stored(session)
    }

    /// The store has the compaction: the host's messages are next.
    pub(super) fn stored(&mut self, session: &mut Session) -> Step<CompactionOutcome> {
        if self.committed.as_ref().is_some_and(|(id, _)| session.index_of(id).is_none()) {
            let message = "the store refused the compaction, and it was taken back";
            return self.fail(session, Error::new(ErrorCode::StorageFailed, message));
        }
        if self.work.options.reach.host {
            self.awaits = Awaits::Host;
            let without_last = self.work.options.will_retry && session.ends_with_unfinished_answer(session.leaf());
            return Step::HostCommand(HostCommand::ReplaceMessages { without_last });
        }
        self.replaced(session)
    }

    /// Everybody has what was committed.
    pub(super) fn replaced(&mut self, session: &mut Session) -> Step<CompactionOutcome> {
        let Some((id, mut outcome)) = self.committed.take() else {
            return self.fail(session, Error::new(ErrorCode::Internal, "a run ended that had committed nothing"));
        };
        outcome.entry = session.index_of(&id);
        if let Some(entry) = outcome.entry {
            self.asking.note(Event::SessionCompact {
                entry,
                from_extension: outcome.summarizer == Some(Summarizer::Hook),
                reason: self.work.options.trigger.as_str(),
            });
        }
        self.end(session, *outcome)
    }

    fn context_tokens(&self, session: &Session) -> u64 {
        let query = UsageQuery {
            context_window: self.work.options.context_window,
            reserve_tokens: 0,
            pending_tokens: 0,
            fixed_tokens: self.work.options.fixed_tokens,
        };
        session.context_usage(session.leaf(), &query).tokens
    }

    pub(super) fn outcome(&self, session: &Session, status: Status) -> CompactionOutcome {
        let planned = self.work.plan.as_ref().map(|plan| plan.tokens_before);
        let summarizer = self.work.served_by.filter(|_| status == Status::Committed);
        CompactionOutcome {
            status,
            nothing_to_do: None,
            error: None,
            entry: None,
            tokens_before: planned.unwrap_or_else(|| self.context_tokens(session)),
            tokens_after: None,
            progress: None,
            summarizer,
            warnings: self.asking.warnings().to_vec(),
        }
    }

    pub(super) fn end(&mut self, session: &mut Session, outcome: CompactionOutcome) -> Step<CompactionOutcome> {
        if self.holds_lock {
            session.unlock();
        }
        self.asking.note(Event::CompactionEnd {
            status: outcome.status.as_str(),
            reason: self.work.options.trigger.as_str(),
            summarizer: outcome.summarizer.map(Summarizer::as_str),
            tokens_before: outcome.tokens_before,
            tokens_after: outcome.tokens_after,
        });
        let outcome = Box::new(outcome);
        self.ended = Some(outcome.clone());
        Step::Done(outcome)
    }
}
