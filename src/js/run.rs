//! A run as JavaScript drives it: synchronous steps, the loop is the facade's.

use super::data::{EventData, OutcomeData, StepData};
use super::errors::to_js_error;
use super::outcomes::{BranchData, NavigationData, TurnData};
use super::preparation::PreparationHandle;
use super::session::SessionHandle;
use super::value::{count, long_text, settings, to_js, window};
use crate::agent::{Agent, AgentOutcome, AgentRun};
use crate::branch::{BranchOptions, BranchOutcome, BranchRun};
use crate::compaction::{CompactionOutcome, CompactionRun, RunOptions, Trigger};
use crate::error::{Error, ErrorCode};
use crate::hook::{Additions, HookAnswer, HookCompaction};
use crate::session::{Index, Session};
use crate::settings::Settings;
use crate::step::{Reach, Reply, Step};
use crate::summary::{Candidate, Failure, RemoteResponse, ReplyEnd, Summarizer, request_body};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// A run of any kind.
pub(super) enum Run {
    Compaction(CompactionRun),
    Branch(BranchRun),
    Agent(AgentRun, Rc<RefCell<Agent>>),
}

/// How a run of any kind ended.
pub(super) enum Outcome {
    Compaction(CompactionOutcome),
    Branch(BranchOutcome),
    Agent(AgentOutcome),
}

/// A step of a run of any kind.
pub(super) fn any<Own>(step: Step<Own>, outcome: fn(Own) -> Outcome) -> Step<Outcome> {
    step.undone().unwrap_or_else(|own| Step::Done(Box::new(outcome(*own))))
}

/// A run under way.
#[wasm_bindgen]
pub struct RunHandle {
    run: RefCell<Run>,
    step: RefCell<Step<Outcome>>,
    session: Rc<RefCell<Session>>,
}

impl RunHandle {
    pub(super) fn new(run: Run, step: Step<Outcome>, session: &Rc<RefCell<Session>>) -> Self {
        Self { run: RefCell::new(run), step: RefCell::new(step), session: Rc::clone(session) }
    }

    fn resume(&self, reply: Reply, now: &str) {
        let session = &mut self.session.borrow_mut();
        let step = match &mut *self.run.borrow_mut() {
            Run::Compaction(run) => any(run.resume(session, reply, now), Outcome::Compaction),
            Run::Branch(run) => any(run.resume(session, reply), Outcome::Branch),
            Run::Agent(run, agent) => any(run.resume(&mut agent.borrow_mut(), session, reply, now), Outcome::Agent),
        };
        *self.step.borrow_mut() = step;
    }

    fn answer(&self, answer: HookAnswer, now: &str) {
        self.resume(Reply::Answered(answer), now);
    }
}

#[wasm_bindgen]
impl SessionHandle {
    /// Starts a compaction at the leaf. `callback_windows` holds the window of each model that the
    /// callback may use, in tokens, NaN where it is unknown; without a callback there is none.
    /// `only_when_due`: nothing is done unless the context has passed the threshold.
    #[wasm_bindgen(js_name = startCompaction)]
    #[allow(clippy::too_many_arguments, reason = "an object would be read through a type of its own")]
    pub fn start_compaction(
        &self,
        context_window: Option<f64>,
        fixed_tokens: Option<f64>,
        given: Option<String>,
        custom_instructions: Option<String>,
        callback_windows: Option<Vec<f64>>,
        local: bool,
        hooks: bool,
        only_when_due: bool,
        now: &str,
    ) -> Result<RunHandle, JsValue> {
        let settings = settings(given)?;
        let context_window = window(context_window)?;
        let options = RunOptions {
            candidates: candidates(&settings, context_window, &callback_windows.unwrap_or_default(), local),
            settings,
            context_window,
            fixed_tokens: count("fixedTokens", fixed_tokens)?,
            pending_tokens: 0,
            custom_instructions,
            trigger: Trigger::Manual,
            only_when_due,
            will_retry: false,
            reach: Reach { hooks, ..Reach::default() },
        };
        let started = CompactionRun::start(&mut self.session.borrow_mut(), options, now).map_err(to_js_error)?;
        let step = any(started.step, Outcome::Compaction);
        Ok(RunHandle::new(Run::Compaction(started.run), step, &self.session))
    }

    /// Starts the summary of the branch that a move from a leaf to a target would leave.
    #[wasm_bindgen(js_name = startBranchSummary)]
    #[allow(clippy::too_many_arguments, reason = "an object would be read through a type of its own")]
    pub fn start_branch_summary(
        &self,
        old_leaf: i32,
        target: i32,
        context_window: Option<f64>,
        given: Option<String>,
        custom_instructions: Option<String>,
        callback_windows: Option<Vec<f64>>,
        local: bool,
    ) -> Result<RunHandle, JsValue> {
        let settings = settings(given)?;
        let context_window = window(context_window)?;
        let options = BranchOptions {
            candidates: candidates(&settings, context_window, &callback_windows.unwrap_or_default(), local),
            settings,
            context_window,
            custom_instructions,
        };
        let (old_leaf, target) = (self.leaf(old_leaf), self.leaf(target));
        let started = BranchRun::start(&mut self.session.borrow_mut(), options, old_leaf, target);
        let (run, step) = started.map_err(to_js_error)?;
        Ok(RunHandle::new(Run::Branch(run), any(step, Outcome::Branch), &self.session))
    }

    /// The bytes of the line that a result would have with its notice.
    #[wasm_bindgen(js_name = lineWithNotice)]
    pub fn line_with_notice(&self, index: Index, pruned_at: f64) -> Option<Vec<u8>> {
        self.session.borrow().line_with_notice(index, pruned_at as i64)
    }
}

/// Who may make the summary: the endpoint, the callback with each of its models, the local summariser.
pub(super) fn candidates(
    settings: &Settings,
    context_window: Option<u64>,
    callback_windows: &[f64],
    local: bool,
) -> Vec<Candidate> {
    // What is behind an endpoint is not known; what fits the session's model will fit it.
    let remote = Candidate { summarizer: Summarizer::Remote, model: 0, context_window };
    let endpoint = settings.compaction.remote_endpoint.as_ref().map(|_| remote);
    let callbacks = callback_windows.iter().enumerate().map(|(model, &window)| Candidate {
        summarizer: Summarizer::Callback,
        model,
        // The facade hands in windows that were checked; NaN becomes 0.
        context_window: Some(window as u64).filter(|&window| window > 0),
    });
    endpoint.into_iter().chain(callbacks).chain(local.then_some(Candidate::LOCAL)).collect()
}

#[wasm_bindgen]
impl RunHandle {
    /// What is to be done next, or nothing where the run has ended.
    pub fn step(&self) -> Result<JsValue, JsValue> {
        let step = self.step.borrow();
        let data = to_js(StepData::new(&*step))?;
        match &*step {
            Step::Summarize(step) => {
                let request = js_sys::Reflect::get(&data, &"request".into())?;
                js_sys::Reflect::set(&request, &"prompt".into(), &long_text(&step.request.prompt))?;
            }
            Step::Fetch(step) => {
                js_sys::Reflect::set(&data, &"body".into(), &long_text(&request_body(&step.request)))?;
            }
            _ => {}
        }
        Ok(data)
    }

    /// How the run ended, or nothing where it has not.
    pub fn outcome(&self) -> Result<JsValue, JsValue> {
        let step = self.step.borrow();
        let Step::Done(outcome) = &*step else { return Ok(JsValue::UNDEFINED) };
        match &**outcome {
            Outcome::Compaction(outcome) | Outcome::Agent(AgentOutcome::Compaction(outcome)) => {
                to_js(OutcomeData::from(outcome))
            }
            Outcome::Branch(outcome) => to_js(BranchData::from(outcome)),
            Outcome::Agent(AgentOutcome::Turn(outcome)) => to_js(TurnData::from(outcome)),
            Outcome::Agent(AgentOutcome::Navigation(outcome)) => to_js(NavigationData::from(outcome)),
        }
    }

    /// The plan of the compaction, where there is one.
    pub fn preparation(&self) -> Option<PreparationHandle> {
        let run = self.run.borrow();
        let plan = match &*run {
            Run::Compaction(run) => run.preparation(),
            Run::Agent(run, _) => run.compaction().and_then(CompactionRun::preparation),
            Run::Branch(_) => None,
        };
        Some(PreparationHandle::new(Rc::clone(&self.session), plan?.clone()))
    }

    /// The events since the last call.
    pub fn events(&self) -> Result<JsValue, JsValue> {
        let events = match &mut *self.run.borrow_mut() {
            Run::Compaction(run) => run.take_events(),
            Run::Branch(run) => run.take_events(),
            Run::Agent(run, _) => run.take_events(),
        };
        to_js(events.iter().map(EventData::from).collect::<Vec<_>>())
    }

    /// The callback answered.
    pub fn replied(&self, text: String, stop_reason: Option<String>, error_message: Option<String>, now: &str) {
        let end = stop_reason.as_deref().map_or(ReplyEnd::default(), ReplyEnd::from_stop_reason);
        self.resume(Reply::Summary(crate::summary::Reply { text, end, error_message }), now);
    }

    /// The endpoint answered.
    pub fn responded(&self, status: u16, retry_after_ms: Option<f64>, body: String, truncated: bool, now: &str) {
        let retry_after_ms = retry_after_ms.map(|wait| wait as u64);
        self.resume(Reply::Responded(RemoteResponse { status, retry_after_ms, body, truncated }), now);
    }

    /// The callback or the endpoint failed; `lasting` where it is of no use to ask again.
    pub fn failed(&self, message: String, status: Option<u16>, retry_after_ms: Option<f64>, lasting: bool, now: &str) {
        let retry_after_ms = retry_after_ms.map(|wait| wait as u64);
        self.resume(Reply::Failed(Failure { message, status, retry_after_ms, lasting }), now);
    }

    /// The wait is over.
    pub fn slept(&self, now: &str) {
        self.resume(Reply::Slept, now);
    }

    /// The handlers of the hook had nothing to say.
    #[wasm_bindgen(js_name = hookPassed)]
    pub fn hook_passed(&self, now: &str) {
        self.answer(HookAnswer::Nothing, now);
    }

    /// A handler cancelled the run.
    #[wasm_bindgen(js_name = hookCancelled)]
    pub fn hook_cancelled(&self, now: &str) {
        self.answer(HookAnswer::Cancel, now);
    }

    /// A handler answered nonsense.
    #[wasm_bindgen(js_name = hookRefused)]
    pub fn hook_refused(&self, message: String, now: &str) {
        self.answer(HookAnswer::Nonsense(message), now);
    }

    /// A handler gave the compaction. `details` and `preserve_data` are JSON.
    #[wasm_bindgen(js_name = hookCompaction)]
    #[allow(clippy::too_many_arguments, reason = "an object would be read through a type of its own")]
    pub fn hook_compaction(
        &self,
        summary: String,
        short_summary: Option<String>,
        first_kept_entry_id: String,
        tokens_before: Option<f64>,
        details: Option<String>,
        preserve_data: Option<String>,
        now: &str,
    ) {
        let tokens_before = tokens_before.map(|tokens| tokens as u64);
        let compaction =
            HookCompaction { summary, short_summary, first_kept_entry_id, tokens_before, details, preserve_data };
        self.answer(HookAnswer::Compaction(Box::new(compaction)), now);
    }

    /// Handlers added to the requests. `preserve_data` is JSON.
    #[wasm_bindgen(js_name = hookAdditions)]
    pub fn hook_additions(
        &self,
        prompt: Option<String>,
        context: Vec<String>,
        preserve_data: Option<String>,
        now: &str,
    ) {
        self.answer(HookAnswer::Additions(Box::new(Additions { prompt, context, preserve_data })), now);
    }

    /// A handler gave the branch summary. `details` is JSON.
    #[wasm_bindgen(js_name = hookSummary)]
    pub fn hook_summary(&self, summary: String, details: Option<String>, now: &str) {
        self.answer(HookAnswer::Summary { summary, details }, now);
    }

    /// The store has what it was to write.
    pub fn saved(&self, now: &str) {
        self.resume(Reply::Saved, now);
    }

    /// The store refused it: because of a conflict, or for another reason.
    #[wasm_bindgen(js_name = notSaved)]
    pub fn not_saved(&self, is_conflict: bool, message: String, now: &str) {
        let code = if is_conflict { ErrorCode::Conflict } else { ErrorCode::StorageFailed };
        self.resume(Reply::NotSaved(Error::new(code, message)), now);
    }

    /// The host has done what it was told.
    pub fn obeyed(&self, now: &str) {
        self.resume(Reply::Obeyed, now);
    }

    /// The run is to end.
    pub fn abort(&self, now: &str) {
        self.resume(Reply::Aborted, now);
    }
}
