//! One compaction, as a value that is started and resumed.

use super::outcome::{CompactionOutcome, Progress, Status, Summarizer};
use super::preparation::{Preparation, borrowed};
use super::prepare::{Prepare, Trigger, prepare_compaction};
use crate::error::{Error, ErrorCode};
use crate::event::Event;
use crate::session::{Index, NewCompaction, Session, UsageQuery};
use crate::settings::{Fallback, Settings};
use crate::step::{Reply, Step, Summarize};
use crate::summary::{
    LocalSummary, RequestKind, RequestOptions, SummaryRequest, check_reply, compose_summary, strip_file_lists,
    summarize_locally,
};
use crate::tokens::estimate_text;
use std::borrow::Cow;
use std::sync::Arc;

/// What a run is started with.
#[derive(Debug, Clone)]
pub struct RunOptions {
    /// The settings.
    pub settings: Settings,
    /// The model's window, in tokens, where it is known.
    pub context_window: Option<u64>,
    /// The system prompt and the tools, in tokens, where the host states them.
    pub fixed_tokens: Option<u64>,
    /// What the summary is to look at above all.
    pub custom_instructions: Option<String>,
    /// Who makes the summary.
    pub summarizer: Summarizer,
    /// Why the run is started.
    pub trigger: Trigger,
}

/// A started run with its first step.
#[derive(Debug)]
pub struct Started {
    /// The run.
    pub run: CompactionRun,
    /// What it asks for.
    pub step: Step<CompactionOutcome>,
}

/// A compaction under way. It holds the session's lock until it is done.
///
/// ```
/// use threadfold::compaction::{CompactionRun, RunOptions, Status, Summarizer, Trigger};
/// use threadfold::session::{Preset, Session};
/// use threadfold::settings::Settings;
/// use threadfold::step::{Reply, Step};
/// let now = "2026-01-01T00:00:00.000Z";
/// let mut session = Session::create(Preset::Safe, "s", "/", now, 1);
/// for content in ["The first of two questions", "The second"] {
///     session.append(&format!(r#"{{"type":"message","message":{{"role":"user","content":"{content}"}}}}"#), now)?;
/// }
/// let mut settings = Settings::default();
/// settings.compaction.keep_recent_tokens = Some(3);
/// let options = RunOptions {
///     settings,
///     context_window: None,
///     fixed_tokens: None,
///     custom_instructions: None,
///     summarizer: Summarizer::Callback,
///     trigger: Trigger::Manual,
/// };
/// let started = CompactionRun::start(&mut session, options, now)?;
/// let (mut run, mut step) = (started.run, started.step);
/// let outcome = loop {
///     step = match step {
///         Step::Done(outcome) => break outcome,
///         Step::Summarize(asked) => {
///             // Here a host would call its model with `asked.request`.
///             assert!(asked.request.prompt.contains("question"));
///             run.resume(&mut session, Reply::Summary(threadfold::summary::Reply::text("A question.")), now)
///         }
///     };
/// };
/// assert_eq!(outcome.status, Status::Committed);
/// # Ok::<(), threadfold::error::Error>(())
/// ```
#[derive(Debug)]
pub struct CompactionRun {
    options: RunOptions,
    preparation: Option<Arc<Preparation>>,
    stage: Stage,
    /// The request that is out, and the number of this attempt at it.
    request: Option<Arc<SummaryRequest>>,
    attempt: u32,
    summarizer: Summarizer,
    history: Option<String>,
    turn_prefix: Option<String>,
    short: Option<String>,
    warnings: Vec<&'static str>,
    events: Vec<Event>,
    /// How it ended, once it has.
    ended: Option<Box<CompactionOutcome>>,
}

/// Which summary a run is at; each follows the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    History,
    TurnPrefix,
    Short,
    Save,
}

/// A refused reply is asked for again once, with the reason.
const ATTEMPTS: u32 = 2;

impl CompactionRun {
    /// Starts a compaction at the leaf. `now` is the time as ISO 8601, for what is saved at once.
    ///
    /// # Errors
    ///
    /// `busy` while another run holds the session, `invalid-settings` for a reserve that does not
    /// fit the window. Anything else ends the run with an outcome.
    pub fn start(session: &mut Session, options: RunOptions, now: &str) -> Result<Started, Error> {
        let prepare = Prepare {
            settings: &options.settings,
            context_window: options.context_window,
            fixed_tokens: options.fixed_tokens,
            trigger: options.trigger,
        };
        session.lock()?;
        let prepared = prepare_compaction(session, session.leaf(), &prepare).inspect_err(|_| session.unlock())?;
        let mut run = Self {
            summarizer: options.summarizer,
            options,
            preparation: None,
            stage: Stage::History,
            request: None,
            attempt: 1,
            history: None,
            turn_prefix: None,
            short: None,
            warnings: Vec::new(),
            events: Vec::new(),
            ended: None,
        };
        let step = match prepared {
            Err(nothing) => {
                let mut outcome = run.outcome(session, Status::NothingToDo);
                outcome.nothing_to_do = Some(nothing);
                run.end(session, outcome)
            }
            Ok(preparation) => {
                run.preparation = Some(Arc::new(preparation));
                run.advance(session, now)
            }
        };
        Ok(Started { run, step })
    }

    /// Goes on with what the outside world says. A run that has ended says again how: an abort that
    /// comes too late changes nothing.
    pub fn resume(&mut self, session: &mut Session, reply: Reply, now: &str) -> Step<CompactionOutcome> {
        if let Some(outcome) = &self.ended {
            return Step::Done(outcome.clone());
        }
        let Some(request) = self.request.take() else {
            return self.fail(session, Error::new(ErrorCode::Internal, "a run was resumed that asked for nothing"));
        };
        match reply {
            Reply::Aborted => {
                let outcome = self.outcome(session, Status::Cancelled);
                self.end(session, outcome)
            }
            Reply::SummarizerFailed { message } => {
                self.without_reply(session, &request, Error::new(ErrorCode::SummarizerFailed, message), now)
            }
            Reply::Summary(reply) => {
                let rule = session.preset().estimate_rule();
                match check_reply(&reply, &request, self.replaced_tokens(session), rule) {
                    Ok(accepted) => {
                        self.warnings.extend(accepted.warnings.into_iter().map(|warning| warning.as_str()));
                        self.accept(accepted.text);
                        self.advance(session, now)
                    }
                    Err(refusal) if self.attempt < ATTEMPTS && self.stage != Stage::Short => {
                        self.attempt += 1;
                        self.ask(request.with_refusal(&refusal, rule))
                    }
                    Err(refusal) => {
                        let message = format!("the {} summary was refused: {refusal}", request.kind.as_str());
                        self.without_reply(session, &request, Error::new(ErrorCode::SummaryRefused, message), now)
                    }
                }
            }
        }
    }

    /// The events since the last call, in their order.
    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    /// Builds the next request, or saves. The local summariser answers on the spot.
    fn advance(&mut self, session: &mut Session, now: &str) -> Step<CompactionOutcome> {
        loop {
            if self.stage == Stage::Save {
                return self.save(session, now);
            }
            let Some(request) = self.build_request(session) else {
                self.next_stage();
                continue;
            };
            if self.summarizer == Summarizer::Callback {
                return self.ask(request);
            }
            self.note_progress(request.kind.as_str());
            let reply = crate::summary::Reply::text(self.summarize_locally(session, &request));
            let rule = session.preset().estimate_rule();
            match check_reply(&reply, &request, self.replaced_tokens(session), rule) {
                Ok(accepted) => self.accept(accepted.text),
                Err(_) if self.stage == Stage::Short => self.next_stage(),
                Err(refusal) => {
                    let message = format!("the local {} summary was refused: {refusal}", request.kind.as_str());
                    return self.fail(session, Error::new(ErrorCode::SummaryRefused, message));
                }
            }
        }
    }

    fn ask(&mut self, request: SummaryRequest) -> Step<CompactionOutcome> {
        self.note_progress(request.kind.as_str());
        let request = Arc::new(request);
        self.request = Some(Arc::clone(&request));
        Step::Summarize(Summarize {
            request,
            attempt: self.attempt,
            timeout_ms: self.options.settings.request_timeout_ms,
        })
    }

    /// Goes on where the summariser gave nothing usable: a screen can do without its short summary,
    /// the local summariser serves where the host allows it, and otherwise the run fails.
    fn without_reply(
        &mut self,
        session: &mut Session,
        request: &SummaryRequest,
        error: Error,
        now: &str,
    ) -> Step<CompactionOutcome> {
        if request.kind == RequestKind::Short {
            self.next_stage();
        } else if self.options.settings.fallback == Fallback::Local {
            self.summarizer = Summarizer::Local;
        } else {
            return self.fail(session, error);
        }
        self.advance(session, now)
    }

    fn next_stage(&mut self) {
        self.attempt = 1;
        self.stage = match self.stage {
            Stage::History => Stage::TurnPrefix,
            Stage::TurnPrefix => Stage::Short,
            Stage::Short | Stage::Save => Stage::Save,
        };
    }

    fn accept(&mut self, text: String) {
        let slot = match self.stage {
            Stage::History => &mut self.history,
            Stage::TurnPrefix => &mut self.turn_prefix,
            Stage::Short | Stage::Save => &mut self.short,
        };
        *slot = Some(text);
        self.next_stage();
    }

    fn build_request(&self, session: &Session) -> Option<SummaryRequest> {
        let plan = self.preparation.as_ref()?;
        let options = RequestOptions {
            custom_instructions: self.options.custom_instructions.as_deref(),
            ..RequestOptions::new(plan.reserve_tokens, session.preset().estimate_rule())
        };
        match self.stage {
            Stage::History if !plan.entries_to_summarize.is_empty() => Some(plan.history_request(session, &options)),
            Stage::TurnPrefix if !plan.turn_prefix.is_empty() => Some(plan.turn_prefix_request(session, &options)),
            Stage::Short if self.options.settings.compaction.short_summary => {
                Some(plan.short_request(session, &self.summary(session), &options))
            }
            _ => None,
        }
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
            borrowed(&session.repaired_messages(entries)),
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

    /// The size of what the summary at hand replaces, in tokens; a short one replaces nothing.
    ///
    /// The two parts of a split turn replace together what they stand for: the beginning of the
    /// turn may be a few words, to which no summary could be smaller, so it has what the history
    /// left over.
    fn replaced_tokens(&self, session: &Session) -> Option<u64> {
        let plan = self.preparation.as_ref()?;
        let sum = |entries: &[Index]| {
            entries.iter().filter_map(|&index| session.node(index)).map(|node| node.tokens.tokens).sum::<u64>()
        };
        let previous = plan.previous_compaction.and_then(|index| session.node(index));
        let history = sum(&plan.entries_to_summarize) + previous.map_or(0, |node| node.tokens.tokens);
        match self.stage {
            Stage::History => Some(history),
            Stage::TurnPrefix => {
                let rule = session.preset().estimate_rule();
                let taken = self.history_part(session).map_or(0, |text| estimate_text(&text, rule));
                Some((history + sum(&plan.turn_prefix)).saturating_sub(taken))
            }
            Stage::Short | Stage::Save => None,
        }
    }

    /// The history part of the summary. Where no history lies before a split turn, the previous
    /// summary takes its place.
    fn history_part<'a>(&'a self, session: &'a Session) -> Option<Cow<'a, str>> {
        let previous = || self.preparation.as_ref()?.previous_summary(session).map(strip_file_lists);
        self.history.as_deref().map(Cow::Borrowed).or_else(previous)
    }

    /// The summary as it is stored.
    fn summary(&self, session: &Session) -> String {
        let Some(plan) = &self.preparation else { return String::new() };
        let files = plan.file_operations.lists();
        compose_summary(self.history_part(session).as_deref(), self.turn_prefix.as_deref(), &files)
    }

    fn save(&mut self, session: &mut Session, now: &str) -> Step<CompactionOutcome> {
        let Some(plan) = self.preparation.clone() else {
            return self.fail(session, Error::new(ErrorCode::Internal, "a run was saved that has no plan"));
        };
        self.note_progress("save");
        let leaf = session.leaf();
        let newest = leaf.and_then(|leaf| session.node(leaf)).and_then(|node| node.path.compaction);
        if !session.is_on_path(plan.leaf, leaf) || newest != plan.previous_compaction {
            return self.fail(
                session,
                Error::new(
                    ErrorCode::Stale,
                    "the session moved to another branch or was compacted while the summary was made; nothing was changed",
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

    fn outcome(&self, session: &Session, status: Status) -> CompactionOutcome {
        let planned = self.preparation.as_ref().map(|plan| plan.tokens_before);
        let summarizer = (status == Status::Committed).then_some(self.summarizer);
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

    fn fail(&mut self, session: &mut Session, error: Error) -> Step<CompactionOutcome> {
        let mut outcome = self.outcome(session, Status::Failed);
        outcome.error = Some(error);
        self.end(session, outcome)
    }

    fn end(&mut self, session: &mut Session, outcome: CompactionOutcome) -> Step<CompactionOutcome> {
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

    fn note_progress(&mut self, phase: &'static str) {
        let Some(plan) = &self.preparation else { return };
        let planned = [
            !plan.entries_to_summarize.is_empty(),
            !plan.turn_prefix.is_empty(),
            self.options.settings.compaction.short_summary,
        ];
        let count = |stages: usize| planned.iter().take(stages).filter(|&&planned| planned).count() as u32;
        self.events.push(Event::CompactionProgress {
            phase,
            request: match self.stage {
                Stage::History => count(1),
                Stage::TurnPrefix => count(2),
                Stage::Short | Stage::Save => count(3),
            },
            requests: count(3),
            attempt: self.attempt,
        });
    }
}

#[cfg(test)]
mod tests;
