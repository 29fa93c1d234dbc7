//! The summary of one branch, as a value that is started and resumed. It changes nothing in the session:
//! what becomes of the text is the matter of who started it.

use super::collect::collect_entries;
use super::prepare::{BranchPreparation, is_told, prepare_branch_entries};
use crate::asking::{Asked, Asking, Inquiry};
use crate::entry::EntryId;
use crate::error::{Error, ErrorCode};
use crate::event::Event;
use crate::session::{Index, Session, borrowed, file_details};
use crate::settings::Settings;
use crate::step::{Reply, Step};
use crate::summary::{
    Candidate, Fold, LocalSummary, RequestKind, RequestOptions, Summarizer, SummaryRequest, compose_branch_summary,
    summarize_locally,
};

/// What a branch summary is made with.
#[derive(Debug, Clone)]
pub struct BranchOptions {
    /// The settings.
    pub settings: Settings,
    /// The model's window, in tokens, where it is known; unknown, it holds the whole branch.
    pub context_window: Option<u64>,
    /// What stands in the place of our instructions.
    pub custom_instructions: Option<String>,
    /// Who may make the summary, in order; nobody is the local summariser. `fallback` adds it behind the
    /// others.
    pub candidates: Vec<Candidate>,
}

/// How a branch summary ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "BranchSummaryStatus", rename_all = "kebab-case"))]
pub enum BranchStatus {
    /// There is a summary.
    Summarized,
    /// There was nothing to summarise, or nothing that fits.
    NothingToDo,
    /// It was aborted.
    Cancelled,
    /// It failed.
    Failed,
}

impl BranchStatus {
    /// The status as it is written in JavaScript.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Summarized => "summarized",
            Self::NothingToDo => "nothing-to-do",
            Self::Cancelled => "cancelled",
            Self::Failed => "failed",
        }
    }
}

/// The branch holds no message.
pub const NO_MESSAGES: &str = "no-messages";
/// Not even the newest message of the branch fits the window beside the reserve.
pub const NOTHING_FITS: &str = "nothing-fits";

/// A summary to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BranchText {
    /// The text as it is stored.
    pub summary: String,
    /// JSON that is stored with it.
    pub details: Option<String>,
}

/// How a branch summary ended.
#[derive(Debug, Clone, PartialEq)]
pub struct BranchOutcome {
    /// How it ended.
    pub status: BranchStatus,
    /// Why there was nothing to do: [`NO_MESSAGES`] or [`NOTHING_FITS`].
    pub nothing_to_do: Option<&'static str>,
    /// Why it failed.
    pub error: Option<Error>,
    /// The summary.
    pub text: Option<BranchText>,
    /// Who made it.
    pub summarizer: Option<Summarizer>,
    /// What was odd about an accepted reply, as stable words.
    pub warnings: Vec<&'static str>,
}

/// The summary of a branch, being made.
#[derive(Debug)]
pub struct BranchRun {
    work: Work,
    asking: Asking,
    /// How it ended, once it has.
    ended: Option<Box<BranchOutcome>>,
    /// Whether it holds the session's lock itself, or a run around it does.
    holds_lock: bool,
}

impl BranchRun {
    /// Starts on the branch that a move of the leaf from `old_leaf` to `target` would leave.
    ///
    /// # Errors
    ///
    /// `busy` while another run holds the session, `invalid-settings` for a reserve that does not fit
    /// the window. Anything else ends the run with an outcome.
    pub fn start(
        session: &mut Session,
        options: BranchOptions,
        old_leaf: Option<Index>,
        target: Option<Index>,
    ) -> Result<(Self, Step<BranchOutcome>), Error> {
        session.lock()?;
        let started = Self::start_within(session, options, old_leaf, target);
        let (mut run, step) = started.inspect_err(|_| session.unlock())?;
        match step {
            Step::Done(_) => session.unlock(),
            _ => run.holds_lock = true,
        }
        Ok((run, step))
    }

    /// The same as a part of a run that holds the session's lock.
    pub(crate) fn start_within(
        session: &mut Session,
        options: BranchOptions,
        old_leaf: Option<Index>,
        target: Option<Index>,
    ) -> Result<(Self, Step<BranchOutcome>), Error> {
        let reserve_tokens = options.settings.branch_reserve(options.context_window)?;
        let budget = options.context_window.map_or(u64::MAX, |window| window.saturating_sub(reserve_tokens));
        let entries = collect_entries(session, old_leaf, target).entries;
        let plan = prepare_branch_entries(session, &entries, budget, &options.settings.file_tools);
        let holds_messages = entries.iter().any(|&index| is_told(session, index));
        let asking = Asking::new(options.candidates.clone(), options.settings.fallback);
        let leaf_id = plan.leaf.and_then(|leaf| session.entry(leaf)).map(|entry| entry.id.clone());
        let work = Work { options, plan, leaf_id, reserve_tokens, rewrites: session.rewrites() };
        let mut run = Self { work, asking, ended: None, holds_lock: false };
        let step = if run.work.plan.entries.is_empty() {
            let mut outcome = run.outcome(BranchStatus::NothingToDo);
            outcome.nothing_to_do = Some(if holds_messages { NOTHING_FITS } else { NO_MESSAGES });
            run.end(session, outcome)
        } else {
            let asked = run.asking.ask(&run.work, session);
            run.asked(session, asked)
        };
        Ok((run, step))
    }

    /// Goes on with what the outside world says. A run that has ended says again how.
    pub fn resume(&mut self, session: &mut Session, reply: Reply) -> Step<BranchOutcome> {
        if let Some(outcome) = &self.ended {
            return Step::Done(outcome.clone());
        }
        let asked = match reply {
            Reply::Aborted => Asked::Aborted,
            // The numbers of the entries may be others, and so may be what they hold.
            _ if self.work.is_stale(session) => Asked::GaveUp(Error::new(
                ErrorCode::Stale,
                "the session was pruned, or an entry of the branch was taken back, while it was summarised; nothing was changed",
            )),
            reply => self.asking.resume(&self.work, session, reply),
        };
        self.asked(session, asked)
    }

    /// The events since the last call, in their order.
    pub fn take_events(&mut self) -> Vec<Event> {
        self.asking.take_events()
    }

    fn asked(&mut self, session: &mut Session, asked: Asked) -> Step<BranchOutcome> {
        let outcome = match asked {
            Asked::Out(step) => match step.undone() {
                Ok(step) => return step,
                Err(never) => match *never {},
            },
            Asked::Answered(notes, summarizer) => {
                let files = self.work.plan.file_operations.lists();
                let mut outcome = self.outcome(BranchStatus::Summarized);
                let summary = compose_branch_summary(&notes, &files);
                outcome.text = Some(BranchText { summary, details: Some(file_details(&files)) });
                outcome.summarizer = Some(summarizer);
                outcome
            }
            Asked::LeftOut | Asked::Aborted => self.outcome(BranchStatus::Cancelled),
            Asked::GaveUp(error) => {
                let mut outcome = self.outcome(BranchStatus::Failed);
                outcome.error = Some(error);
                outcome
            }
        };
        self.end(session, outcome)
    }

    fn outcome(&self, status: BranchStatus) -> BranchOutcome {
        BranchOutcome {
            status,
            nothing_to_do: None,
            error: None,
            text: None,
            summarizer: None,
            warnings: self.asking.warnings().to_vec(),
        }
    }

    fn end(&mut self, session: &mut Session, outcome: BranchOutcome) -> Step<BranchOutcome> {
        if self.holds_lock {
            session.unlock();
        }
        let outcome = Box::new(outcome);
        self.ended = Some(outcome.clone());
        Step::Done(outcome)
    }
}

/// What a run works on.
#[derive(Debug)]
struct Work {
    options: BranchOptions,
    plan: BranchPreparation,
    reserve_tokens: u64,
    /// The id of the leaf that is left: as long as it has its number, no entry of the plan was taken back.
    leaf_id: Option<EntryId>,
    /// What [`Session::rewrites`] was when the plan was made.
    rewrites: u32,
}

impl Work {
    fn is_stale(&self, session: &Session) -> bool {
        let leaf = self.leaf_id.as_ref().and_then(|id| session.index_of(id));
        leaf != self.plan.leaf || session.rewrites() != self.rewrites
    }
}

impl Inquiry for Work {
    fn settings(&self) -> &Settings {
        &self.options.settings
    }

    fn reserve_tokens(&self) -> u64 {
        self.reserve_tokens
    }

    fn context_window(&self) -> Option<u64> {
        self.options.context_window
    }

    fn options<'a>(&'a self, options: RequestOptions<'a>) -> RequestOptions<'a> {
        RequestOptions { custom_instructions: self.options.custom_instructions.as_deref(), ..options }
    }

    fn whole(&self, session: &Session, options: &RequestOptions<'_>) -> Option<SummaryRequest> {
        Some(self.plan.request(session, options))
    }

    fn record(&self, session: &Session) -> Option<(RequestKind, Fold)> {
        Some((RequestKind::Branch, Fold::new(borrowed(&self.plan.messages(session)), None)))
    }

    fn replaced_tokens(&self, _: &Session) -> Option<u64> {
        Some(self.plan.replaced_tokens())
    }

    fn answer_locally(&self, session: &Session, request: &SummaryRequest, replaced_tokens: Option<u64>) -> String {
        summarize_locally(
            borrowed(&self.plan.messages(session)),
            &LocalSummary {
                kind: request.kind,
                previous_summary: None,
                custom_instructions: self.options.custom_instructions.as_deref(),
                context_lines: &[],
                max_tokens: request.max_tokens,
                replaced_tokens,
                rule: session.token_rule(),
                file_tools: &self.options.settings.file_tools,
            },
        )
    }

    fn is_optional(&self) -> bool {
        false
    }

    fn requests_behind(&self) -> u32 {
        0
    }
}
