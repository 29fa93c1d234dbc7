//! One compaction, as a value that is started and resumed.

use super::outcome::{CompactionOutcome, Status};
use super::preparation::Preparation;
use super::prepare::{Prepare, prepare_compaction};
use super::trigger::Trigger;
use crate::error::{Error, ErrorCode};
use crate::event::Event;
use crate::session::Session;
use crate::settings::{Fallback, Settings};
use crate::step::{Reply, Step};
use crate::summary::{Candidate, Candidates, Fold, Next, Summarizer, SummaryRequest, read_response};
use std::sync::Arc;

mod ending;
mod requests;

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
    /// Who may make the summary, in order; nobody is the local summariser. `fallback` adds it behind
    /// the others.
    pub candidates: Vec<Candidate>,
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
/// use threadfold::compaction::{CompactionRun, RunOptions, Status, Trigger};
/// use threadfold::session::{Preset, Session};
/// use threadfold::settings::Settings;
/// use threadfold::step::{Reply, Step};
/// use threadfold::summary::Candidate;
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
///     candidates: vec![Candidate::CALLBACK],
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
///         // With a remote endpoint, and behind failures that pass.
///         Step::Fetch(_) | Step::Sleep { .. } => run.resume(&mut session, Reply::Aborted, now),
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
    candidates: Candidates,
    /// The request that is out, or that waits to be sent again.
    request: Option<Arc<SummaryRequest>>,
    /// Whether it waits.
    waits: bool,
    /// The record of this stage, where it is too long for one request.
    fold: Option<Fold>,
    /// How many requests are settled.
    settled: u32,
    /// Who made the summary.
    served_by: Option<Summarizer>,
    history: Option<String>,
    turn_prefix: Option<String>,
    short: Option<String>,
    warnings: Vec<&'static str>,
    events: Vec<Event>,
    /// How it ended, once it has.
    ended: Option<Box<CompactionOutcome>>,
}

/// Which summary a run is at; each follows the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd)]
enum Stage {
    History,
    TurnPrefix,
    Short,
    Save,
}

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
        let mut candidates = options.candidates.clone();
        if options.settings.fallback == Fallback::Local {
            candidates.push(Candidate::LOCAL);
        }
        let mut run = Self {
            options,
            preparation: None,
            stage: Stage::History,
            candidates: Candidates::new(candidates),
            request: None,
            waits: false,
            fold: None,
            settled: 0,
            served_by: None,
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
            Reply::Slept if std::mem::take(&mut self.waits) => self.send_again(request),
            Reply::Summary(reply) if !self.waits => self.replied(session, &request, &reply, now),
            Reply::Responded(response) if !self.waits => match read_response(&response) {
                Ok(reply) => self.replied(session, &request, &reply, now),
                Err(failure) => self.failed(session, request, &failure.into(), ErrorCode::RemoteFailed, now),
            },
            Reply::Failed(failure) if !self.waits => {
                let code = match self.candidates.current().summarizer {
                    Summarizer::Remote => ErrorCode::RemoteFailed,
                    Summarizer::Callback | Summarizer::Local => ErrorCode::SummarizerFailed,
                };
                self.failed(session, request, &failure, code, now)
            }
            _ => self.fail(session, Error::new(ErrorCode::Internal, "a run was told what it did not ask for")),
        }
    }

    /// The events since the last call, in their order.
    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    /// Takes on the next request, or saves. The local summariser answers on the spot.
    fn advance(&mut self, session: &mut Session, now: &str) -> Step<CompactionOutcome> {
        while self.stage != Stage::Save {
            let Some(request) = self.next_request(session) else {
                self.next_stage();
                continue;
            };
            let next = match request {
                Ok(request) if self.candidates.current().summarizer == Summarizer::Local => {
                    self.serve_locally(session, &request)
                }
                Ok(request) => return self.send(request),
                Err(no_room) => self.candidates.give_up(no_room.into()),
            };
            if let Next::GiveUp(error) = next {
                return self.fail(session, error);
            }
        }
        self.save(session, now)
    }

    fn next_stage(&mut self) {
        self.fold = None;
        self.candidates.next_request();
        self.stage = match self.stage {
            Stage::History => Stage::TurnPrefix,
            Stage::TurnPrefix => Stage::Short,
            Stage::Short | Stage::Save => Stage::Save,
        };
    }

    /// Takes an accepted text: of a part, or of all that the stage covers.
    fn accept(&mut self, text: String) {
        self.settled += 1;
        let summary = match &mut self.fold {
            Some(fold) => fold.accept(text),
            None => Some(text),
        };
        if summary.is_none() {
            return self.candidates.next_request();
        }
        match self.stage {
            Stage::History => self.history = summary,
            Stage::TurnPrefix => self.turn_prefix = summary,
            Stage::Short | Stage::Save => self.short = summary,
        }
        if self.stage != Stage::Short {
            self.served_by = Some(self.candidates.current().summarizer);
        }
        self.next_stage();
    }
}

#[cfg(test)]
mod tests;
