//! The requests of a run: what is asked for, of whom, and what follows the answer.

use super::{CompactionRun, Stage};
use crate::compaction::outcome::CompactionOutcome;
use crate::compaction::preparation::borrowed;
use crate::error::{Error, ErrorCode};
use crate::session::{Index, Session};
use crate::step::{Fetch, Step, Summarize};
use crate::summary::{
    Failure, Fold, LocalSummary, MAX_SHORT_TOKENS, Next, NoRoom, Reply, RequestKind, RequestOptions, Summarizer,
    SummaryRequest, check_reply, strip_file_lists, summarize_locally, usable,
};
use crate::tokens::estimate_text;
use std::borrow::Cow;
use std::sync::Arc;

/// Twice what a short summary is ever allowed: estimates may be wrong by as much. In tokens.
const LONGEST_SHORT_TOKENS: u64 = 2 * MAX_SHORT_TOKENS;

impl CompactionRun {
    /// The next request of the stage, for the candidate whose turn it is; nothing where the stage
    /// asks for none.
    pub(super) fn next_request(&mut self, session: &Session) -> Option<Result<SummaryRequest, NoRoom>> {
        let plan = self.preparation.clone()?;
        let candidate = self.candidates.current();
        // A model other than the session's has a reserve of its own, if it is smaller.
        let reserve = match candidate.context_window {
            Some(window) if Some(window) != plan.context_window => plan.reserve_tokens.min(window / 4),
            _ => plan.reserve_tokens,
        };
        let options = RequestOptions {
            custom_instructions: self.options.custom_instructions.as_deref(),
            ..RequestOptions::new(reserve, session.preset().estimate_rule())
        };
        let fits = |request: &SummaryRequest| {
            let needed = request.prompt_tokens + request.max_tokens;
            candidate.context_window.is_none_or(|window| needed <= usable(window))
        };
        let (kind, entries, previous) = match self.stage {
            Stage::History => (RequestKind::History, &plan.entries_to_summarize, plan.previous_summary(session)),
            Stage::TurnPrefix => (RequestKind::TurnPrefix, &plan.turn_prefix, None),
            Stage::Short if self.options.settings.compaction.short_summary => {
                return Some(plan.short_request(session, &self.summary(session), &options)).filter(fits).map(Ok);
            }
            Stage::Short | Stage::Save => return None,
        };
        if entries.is_empty() {
            return None;
        }
        if candidate.summarizer == Summarizer::Local {
            // It reads the messages, of any number.
            self.fold = None;
        }
        if self.fold.is_none() {
            let whole = match kind {
                RequestKind::TurnPrefix => plan.turn_prefix_request(session, &options),
                _ => plan.history_request(session, &options),
            };
            if fits(&whole) {
                return Some(Ok(whole));
            }
        }
        let record = || Fold::new(borrowed(&session.repaired_messages(entries, Some(plan.leaf))), previous);
        Some(self.fold.get_or_insert_with(record).request(kind, candidate.context_window, &options))
    }

    /// Hands a request to the candidate whose turn it is.
    pub(super) fn send(&mut self, request: SummaryRequest) -> Step<CompactionOutcome> {
        self.send_again(Arc::new(request))
    }

    /// The same for one that was out before.
    pub(super) fn send_again(&mut self, request: Arc<SummaryRequest>) -> Step<CompactionOutcome> {
        self.note_progress(request.kind.as_str(), None);
        self.request = Some(Arc::clone(&request));
        let settings = &self.options.settings;
        match (self.candidates.current().summarizer, &settings.compaction.remote_endpoint) {
            (Summarizer::Remote, Some(url)) => {
                Step::Fetch(Fetch { url: url.clone(), request, timeout_ms: settings.remote.timeout_ms })
            }
            _ => Step::Summarize(Summarize {
                request,
                model: self.candidates.current().model,
                attempt: self.candidates.attempt(),
                timeout_ms: settings.request_timeout_ms,
            }),
        }
    }

    /// A reply came.
    pub(super) fn replied(
        &mut self,
        session: &mut Session,
        request: &SummaryRequest,
        reply: &Reply,
        now: &str,
    ) -> Step<CompactionOutcome> {
        let rule = session.preset().estimate_rule();
        match check_reply(reply, request, self.replaced_tokens(session), rule) {
            Ok(accepted) => {
                for warning in accepted.warnings.into_iter().map(|warning| warning.as_str()) {
                    if !self.warnings.contains(&warning) {
                        self.warnings.push(warning);
                    }
                }
                self.accept(accepted.text);
                self.advance(session, now)
            }
            // A screen can do without its short summary.
            Err(_) if self.stage == Stage::Short => self.without_short(session, now),
            Err(refusal) => {
                let message = format!("the {} summary was refused: {refusal}", request.kind.as_str());
                match self.candidates.refused(Error::new(ErrorCode::SummaryRefused, message)) {
                    Next::Again { .. } => self.send(request.with_refusal(&refusal, rule)),
                    Next::MoveOn => self.advance(session, now),
                    Next::GiveUp(error) => self.fail(session, error),
                }
            }
        }
    }

    /// No reply came.
    pub(super) fn failed(
        &mut self,
        session: &mut Session,
        request: Arc<SummaryRequest>,
        failure: &Failure,
        code: ErrorCode,
        now: &str,
    ) -> Step<CompactionOutcome> {
        if self.stage == Stage::Short {
            return self.without_short(session, now);
        }
        match self.candidates.failed(failure, code, &self.options.settings.retry) {
            // Also for no time at all: the host's other work, an abort too, gets its turn in between.
            Next::Again { wait_ms } => {
                self.note_progress(request.kind.as_str(), Some(wait_ms));
                self.request = Some(request);
                self.waits = true;
                Step::Sleep { wait_ms }
            }
            Next::MoveOn => self.advance(session, now),
            Next::GiveUp(error) => self.fail(session, error),
        }
    }

    fn without_short(&mut self, session: &mut Session, now: &str) -> Step<CompactionOutcome> {
        self.leave_short_out();
        self.advance(session, now)
    }

    fn leave_short_out(&mut self) {
        self.settled += 1;
        self.next_stage();
    }

    /// Lets the local summariser answer.
    pub(super) fn serve_locally(&mut self, session: &Session, request: &SummaryRequest) -> Next {
        self.note_progress(request.kind.as_str(), None);
        let reply = Reply::text(self.summarize_locally(session, request));
        match check_reply(&reply, request, self.replaced_tokens(session), session.preset().estimate_rule()) {
            Ok(accepted) => self.accept(accepted.text),
            Err(_) if self.stage == Stage::Short => self.leave_short_out(),
            Err(refusal) => {
                let message = format!("the local {} summary was refused: {refusal}", request.kind.as_str());
                return self.candidates.give_up(Error::new(ErrorCode::SummaryRefused, message));
            }
        }
        Next::MoveOn
    }

    fn summarize_locally(&self, session: &Session, request: &SummaryRequest) -> String {
        let Some(plan) = &self.preparation else { return String::new() };
        let summary = self.summary(session);
        let (entries, previous) = match self.stage {
            Stage::History => (&plan.entries_to_summarize, plan.previous_summary(session)),
            Stage::TurnPrefix => (&plan.turn_prefix, None),
            Stage::Short | Stage::Save => (&plan.kept, Some(summary.as_str())),
        };
        summarize_locally(
            borrowed(&session.repaired_messages(entries, Some(plan.leaf))),
            &LocalSummary {
                kind: request.kind,
                previous_summary: previous,
                custom_instructions: self.options.custom_instructions.as_deref(),
                context_lines: &[],
                max_tokens: request.max_tokens,
                replaced_tokens: self.replaced_tokens(session),
                rule: session.preset().estimate_rule(),
                file_tools: &self.options.settings.file_tools,
            },
        )
    }

    /// The size of what the summary at hand replaces, in tokens, below which it has to stay.
    ///
    /// The two parts of a split turn replace together what they stand for. Either may be a few words,
    /// to which no summary could be smaller: the history may take half of what both replace, and the
    /// beginning of the turn has what the history left over.
    fn replaced_tokens(&self, session: &Session) -> Option<u64> {
        let plan = self.preparation.as_ref()?;
        let rule = session.preset().estimate_rule();
        if let Some(part) = self.fold.as_ref().and_then(|fold| fold.replaced_tokens(rule)) {
            return Some(part);
        }
        let sum =
            |entries: &[Index]| entries.iter().map(|&index| session.tokens_at(index, Some(plan.leaf))).sum::<u64>();
        let previous = plan.previous_compaction.and_then(|index| session.node(index));
        let history = sum(&plan.entries_to_summarize) + previous.map_or(0, |node| node.tokens.tokens);
        let both = history + sum(&plan.turn_prefix);
        match self.stage {
            Stage::History if plan.turn_prefix.is_empty() => Some(history),
            Stage::History => Some(history.max(both / 2)),
            Stage::TurnPrefix => {
                let taken = self.history_part(session).map_or(0, |text| estimate_text(&text, rule));
                Some(both.saturating_sub(taken))
            }
            // It replaces nothing, but what fills a screen is none that was made for one.
            Stage::Short | Stage::Save => Some(LONGEST_SHORT_TOKENS),
        }
    }

    /// The history part of the summary. Where no history lies before a split turn, the previous
    /// summary takes its place.
    pub(super) fn history_part<'a>(&'a self, session: &'a Session) -> Option<Cow<'a, str>> {
        let previous = || self.preparation.as_ref()?.previous_summary(session).map(strip_file_lists);
        self.history.as_deref().map(Cow::Borrowed).or_else(previous)
    }
}
