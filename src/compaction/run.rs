//! One compaction, as a value that is started and resumed.

use super::nothing_to_do::NothingToDo;
use super::outcome::{CompactionOutcome, Status};
use super::preparation::Preparation;
use super::prepare::{Prepare, prepare_compaction};
use super::trigger::{Check, Decision, Moment, Trigger, should_compact};
use crate::asking::{Asked, Asking};
use crate::entry::EntryId;
use crate::error::{Error, ErrorCode};
use crate::event::Event;
use crate::hook::{Hook, HookAnswer};
use crate::session::{NewCompaction, Session};
use crate::settings::Settings;
use crate::step::{Reach, Reply, Step};
use crate::summary::{Candidate, Summarizer};
use std::sync::Arc;

mod ending;
mod inquiry;

use inquiry::Work;

/// What a run is started with.
#[derive(Debug, Clone)]
pub struct RunOptions {
    /// The settings.
    pub settings: Settings,
    /// The model's window, in tokens, where it is known.
    pub context_window: Option<u64>,
    /// The system prompt and the tools, in tokens, where the host states them.
    pub fixed_tokens: Option<u64>,
    /// The estimate of messages that will be sent with the context but are not in the session yet, in
    /// tokens.
    pub pending_tokens: u64,
    /// What the summary is to look at above all.
    pub custom_instructions: Option<String>,
    /// Who may make the summary, in order; nobody is the local summariser. `fallback` adds it behind
    /// the others.
    pub candidates: Vec<Candidate>,
    /// Why the run is started.
    pub trigger: Trigger,
    /// Whether it ends with nothing to do unless a compaction is due, by the check that is made before a
    /// request; that check says why the run is started then.
    pub only_when_due: bool,
    /// Whether the request that was too large is to be sent again afterwards.
    pub will_retry: bool,
    /// What it reaches beside the summarisers.
    pub reach: Reach,
}

impl RunOptions {
    /// A run by hand that reaches nothing but its summarisers, of a model whose window is not known.
    pub fn new(settings: Settings, candidates: Vec<Candidate>) -> Self {
        Self {
            settings,
            context_window: None,
            fixed_tokens: None,
            pending_tokens: 0,
            custom_instructions: None,
            candidates,
            trigger: Trigger::Manual,
            only_when_due: false,
            will_retry: false,
            reach: Reach::default(),
        }
    }
}

/// Checks whether a compaction is due, and notes why in the options; otherwise says why it is not.
fn check(session: &Session, options: &mut RunOptions) -> Result<Option<NothingToDo>, Error> {
    let check = Check {
        settings: &options.settings,
        context_window: options.context_window,
        fixed_tokens: options.fixed_tokens,
        pending_tokens: options.pending_tokens,
        model: None,
        moment: Moment::BeforeRequest,
    };
    options.trigger = Trigger::Threshold;
    Ok(match should_compact(session, session.leaf(), &check)? {
        Decision::Compact { trigger, .. } => {
            options.trigger = trigger;
            None
        }
        Decision::BelowLimit { tokens, limit } => {
            let margin = session.estimate_margin(session.leaf());
            Some(NothingToDo::BelowThreshold { tokens, limit, margin })
        }
        Decision::NothingToDo(nothing) => Some(nothing),
        // Only a check at the end of a turn passes it over.
        Decision::AbortedTurn => None,
    })
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
/// use threadfold::compaction::{CompactionRun, RunOptions, Status};
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
/// settings.compaction.keep_recent_tokens = Some(2);
/// let options = RunOptions::new(settings, vec![Candidate::CALLBACK]);
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
///         // With a remote endpoint, behind failures that pass, and with more in reach.
///         _ => run.resume(&mut session, Reply::Aborted, now),
///     };
/// };
/// assert_eq!(outcome.status, Status::Committed);
/// # Ok::<(), threadfold::error::Error>(())
/// ```
#[derive(Debug)]
pub struct CompactionRun {
    work: Work,
    asking: Asking,
    awaits: Awaits,
    /// How it ended once it is committed, while the store and the host are still to hear of it.
    committed: Option<(EntryId, Box<CompactionOutcome>)>,
    /// How it ended, once it has.
    ended: Option<Box<CompactionOutcome>>,
    /// Whether it holds the session's lock itself, or a run around it does.
    holds_lock: bool,
}

/// What a run waits for outside of its requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Awaits {
    /// Nothing, or the answer to a request.
    Request,
    /// What the handlers of `session_before_compact` say.
    BeforeCompact,
    /// What the handlers of `session.compacting` say.
    Compacting,
    /// That the store has the compaction.
    Store,
    /// That the host has replaced its messages.
    Host,
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
        session.lock()?;
        let mut started = Self::start_within(session, options, now).inspect_err(|_| session.unlock())?;
        match started.step {
            Step::Done(_) => session.unlock(),
            _ => started.run.holds_lock = true,
        }
        Ok(started)
    }

    /// The same as a part of a run that holds the session's lock.
    pub(crate) fn start_within(session: &mut Session, mut options: RunOptions, now: &str) -> Result<Started, Error> {
        let not_due = if options.only_when_due { check(session, &mut options)? } else { None };
        let prepare = Prepare {
            settings: &options.settings,
            context_window: options.context_window,
            fixed_tokens: options.fixed_tokens,
            pending_tokens: options.pending_tokens,
            trigger: options.trigger,
        };
        let prepared = match not_due {
            Some(nothing) => Err(nothing),
            None => prepare_compaction(session, session.leaf(), &prepare)?,
        };
        let asking = Asking::new(options.candidates.clone(), options.settings.fallback);
        let mut run = Self {
            work: Work::new(options),
            asking,
            awaits: Awaits::Request,
            committed: None,
            ended: None,
            holds_lock: false,
        };
        let step = match prepared {
            Err(nothing) => {
                let mut outcome = run.outcome(session, Status::NothingToDo);
                outcome.nothing_to_do = Some(nothing);
                run.end(session, outcome)
            }
            Ok(preparation) => {
                run.work.plan = Some(Arc::new(preparation));
                if run.work.options.reach.hooks {
                    let hook = Hook::BeforeCompact {
                        reason: run.work.options.trigger.as_str(),
                        will_retry: run.work.options.will_retry,
                    };
                    run.call(hook, Awaits::BeforeCompact)
                } else {
                    run.advance(session, now)
                }
            }
        };
        Ok(Started { run, step })
    }

    /// The plan; nothing where there was none to make.
    pub fn preparation(&self) -> Option<&Arc<Preparation>> {
        self.work.plan.as_ref()
    }

    /// Goes on with what the outside world says. A run that has ended says again how: an abort that
    /// comes too late changes nothing.
    pub fn resume(&mut self, session: &mut Session, reply: Reply, now: &str) -> Step<CompactionOutcome> {
        if let Some(outcome) = &self.ended {
            return Step::Done(outcome.clone());
        }
        match (std::mem::replace(&mut self.awaits, Awaits::Request), reply) {
            (Awaits::Request, reply) => {
                let asked = self.asking.resume(&self.work, session, reply);
                self.go_on(session, asked, now)
            }
            (Awaits::Store, Reply::NotSaved(error)) => {
                // By its id: its number may have changed while the store was writing.
                if let Some(entry) = self.committed.take().and_then(|(id, _)| session.index_of(&id)) {
                    drop(session.withdraw(entry));
                }
                self.fail(session, error)
            }
            // What the store may have written counts as written, whatever else is said.
            (Awaits::Store, _) => self.stored(session),
            (Awaits::Host, _) => self.replaced(session),
            (_, Reply::Aborted) => self.cancel(session),
            (Awaits::BeforeCompact | Awaits::Compacting, Reply::Answered(answer)) => {
                self.answered(session, answer, now)
            }
            (Awaits::BeforeCompact | Awaits::Compacting, _) => {
                self.fail(session, Error::new(ErrorCode::Internal, "a run was told what it did not ask for"))
            }
        }
    }

    /// The events since the last call, in their order.
    pub fn take_events(&mut self) -> Vec<Event> {
        self.asking.take_events()
    }

    fn call(&mut self, hook: Hook, awaits: Awaits) -> Step<CompactionOutcome> {
        self.awaits = awaits;
        Step::CallHook { hook, timeout_ms: self.work.options.settings.request_timeout_ms }
    }

    /// The handlers of a hook have answered.
    fn answered(&mut self, session: &mut Session, answer: HookAnswer, now: &str) -> Step<CompactionOutcome> {
        match answer {
            HookAnswer::Cancel => self.cancel(session),
            HookAnswer::Nonsense(message) => self.fail(session, Error::new(ErrorCode::InvalidArgument, message)),
            HookAnswer::Compaction(given) => {
                let planned = self.work.plan.as_ref().map_or(0, |plan| plan.tokens_before);
                let compaction = NewCompaction {
                    summary: given.summary,
                    short_summary: given.short_summary,
                    first_kept_entry_id: given.first_kept_entry_id,
                    tokens_before: given.tokens_before.unwrap_or(planned),
                    details: given.details,
                    preserve_data: given.preserve_data,
                    from_extension: true,
                };
                self.work.served_by = Some(Summarizer::Hook);
                self.save(session, &compaction, now)
            }
            HookAnswer::Additions(additions) => {
                self.work.additions = *additions;
                self.advance(session, now)
            }
            HookAnswer::Nothing | HookAnswer::Summary { .. } => self.advance(session, now),
        }
    }

    /// Takes on the next request, or saves.
    fn advance(&mut self, session: &mut Session, now: &str) -> Step<CompactionOutcome> {
        if self.work.options.reach.hooks && !std::mem::replace(&mut self.work.told_hooks, true) {
            return self.call(Hook::Compacting, Awaits::Compacting);
        }
        let asked = self.asking.ask(&self.work, session);
        self.go_on(session, asked, now)
    }

    /// Goes from answer to answer until something is to be done outside, or all are there.
    fn go_on(&mut self, session: &mut Session, mut asked: Asked, now: &str) -> Step<CompactionOutcome> {
        loop {
            match asked {
                Asked::Out(step) => match step.undone() {
                    Ok(step) => return step,
                    Err(never) => match *never {},
                },
                Asked::Aborted => return self.cancel(session),
                Asked::GaveUp(error) => return self.fail(session, error),
                Asked::Answered(text, summarizer) => self.work.accept(text, summarizer),
                Asked::LeftOut => self.work.next_stage(),
            }
            if self.work.stage == Stage::Save {
                let compaction = self.work.compaction(session);
                return self.save(session, &compaction, now);
            }
            asked = self.asking.ask(&self.work, session);
        }
    }

    fn cancel(&mut self, session: &mut Session) -> Step<CompactionOutcome> {
        let outcome = self.outcome(session, Status::Cancelled);
        self.end(session, outcome)
    }

    fn fail(&mut self, session: &mut Session, error: Error) -> Step<CompactionOutcome> {
        let mut outcome = self.outcome(session, Status::Failed);
        outcome.error = Some(error);
        self.end(session, outcome)
    }
}

#[cfg(test)]
mod tests;
