//! How a run ends, and what it tells on the way.

use super::{CompactionRun, Stage};
use crate::compaction::outcome::{CompactionOutcome, Progress, Status};
use crate::error::{Error, ErrorCode};
use crate::event::Event;
use crate::session::{NewCompaction, Session, UsageQuery};
use crate::step::Step;
use crate::summary::{Fold, Summarizer, compose_summary};

impl CompactionRun {
    /// The summary as it is stored.
    pub(super) fn summary(&self, session: &Session) -> String {
        let Some(plan) = &self.preparation else { return String::new() };
        let files = plan.file_operations.lists();
        compose_summary(self.history_part(session).as_deref(), self.turn_prefix.as_deref(), &files)
    }

    pub(super) fn save(&mut self, session: &mut Session, now: &str) -> Step<CompactionOutcome> {
        let Some(plan) = self.preparation.clone() else {
            return self.fail(session, Error::new(ErrorCode::Internal, "a run was saved that has no plan"));
        };
        self.note_progress("save", None);
        let leaf = session.leaf();
        let newest = leaf.and_then(|leaf| session.node(leaf)).and_then(|node| node.path.compaction);
        let pruned = session.rewrites() != plan.rewrites || !session.same_prune(Some(plan.leaf), leaf);
        if !session.is_on_path(plan.leaf, leaf) || newest != plan.previous_compaction || pruned {
            return self.fail(
                session,
                Error::new(
                    ErrorCode::Stale,
                    "the session moved to another branch, was compacted or pruned while the summary was made; nothing was changed",
                ),
            );
        }
        let first_kept_entry_id = session.entry(plan.first_kept).map_or_else(String::new, |entry| entry.id.to_string());
        let compaction = NewCompaction {
            summary: self.summary(session),
            short_summary: self.short.clone(),
            first_kept_entry_id,
            tokens_before: plan.tokens_before,
            files: plan.file_operations.lists(),
        };
        let estimate_before = session.estimated_view(leaf).tokens;
        let entry = match session.append_compaction(&compaction, now) {
            Ok(entry) => entry,
            Err(error) => return self.fail(session, error),
        };
        let mut outcome = self.outcome(session, Status::Committed);
        let estimate_after = session.estimated_view(Some(entry)).tokens;
        let limit = plan.context_window.map(|window| window.saturating_sub(plan.reserve_tokens));
        let fits = limit.is_some_and(|limit| estimate_after.saturating_add(plan.fixed_tokens) <= limit);
        let sufficient = fits || estimate_after.saturating_mul(10) <= estimate_before.saturating_mul(9);
        outcome.progress = Some(Progress {
            sufficient,
            estimate_before,
            estimate_after,
            entries_in_the_way: if sufficient { Vec::new() } else { plan.entries_in_the_way.clone() },
        });
        outcome.entry = Some(entry);
        outcome.tokens_after = Some(self.context_tokens(session));
        self.events.push(Event::SessionCompact { entry, from_extension: false, reason: self.options.trigger.as_str() });
        self.end(session, outcome)
    }

    fn context_tokens(&self, session: &Session) -> u64 {
        let query = UsageQuery {
            context_window: self.options.context_window,
            reserve_tokens: 0,
            pending_tokens: 0,
            fixed_tokens: self.options.fixed_tokens,
        };
        session.context_usage(session.leaf(), &query).tokens
    }

    pub(super) fn outcome(&self, session: &Session, status: Status) -> CompactionOutcome {
        let planned = self.preparation.as_ref().map(|plan| plan.tokens_before);
        let summarizer = self.served_by.filter(|_| status == Status::Committed);
        CompactionOutcome {
            status,
            nothing_to_do: None,
            error: None,
            entry: None,
            tokens_before: planned.unwrap_or_else(|| self.context_tokens(session)),
            tokens_after: None,
            progress: None,
            summarizer,
            warnings: self.warnings.clone(),
        }
    }

    pub(super) fn fail(&mut self, session: &mut Session, error: Error) -> Step<CompactionOutcome> {
        let mut outcome = self.outcome(session, Status::Failed);
        outcome.error = Some(error);
        self.end(session, outcome)
    }

    pub(super) fn end(&mut self, session: &mut Session, outcome: CompactionOutcome) -> Step<CompactionOutcome> {
        session.unlock();
        self.events.push(Event::CompactionEnd {
            status: outcome.status.as_str(),
            reason: self.options.trigger.as_str(),
            summarizer: outcome.summarizer.map(Summarizer::as_str),
            tokens_before: outcome.tokens_before,
            tokens_after: outcome.tokens_after,
        });
        let outcome = Box::new(outcome);
        self.ended = Some(outcome.clone());
        Step::Done(outcome)
    }

    /// Tells that a request is about to be sent, or waits to be sent again, or that the result is saved.
    pub(super) fn note_progress(&mut self, phase: &'static str, wait_ms: Option<u64>) {
        let Some(plan) = &self.preparation else { return };
        let later = [
            self.stage < Stage::TurnPrefix && !plan.turn_prefix.is_empty(),
            self.stage < Stage::Short && self.options.settings.compaction.short_summary,
        ];
        let later = later.iter().filter(|&&planned| planned).count() as u32;
        let request = if self.stage == Stage::Save { self.settled } else { self.settled + 1 };
        self.events.push(Event::CompactionProgress {
            phase,
            request,
            requests: request + later + self.fold.as_ref().map_or(0, Fold::parts_left),
            summarizer: self.candidates.current().summarizer.as_str(),
            candidate: self.candidates.number(),
            attempt: self.candidates.attempt(),
            wait_ms,
        });
    }
}
