//! A compaction run as JavaScript drives it: synchronous steps, the loop is the facade's.

use super::data::{EventData, OutcomeData, StepData};
use super::session::SessionHandle;
use super::value::{count, long_text, settings, to_js, to_js_error, window};
use crate::compaction::{CompactionOutcome, CompactionRun, RunOptions, Trigger};
use crate::session::Session;
use crate::settings::Settings;
use crate::step::{Reply, Step};
use crate::summary::{Candidate, Failure, RemoteResponse, ReplyEnd, Summarizer, request_body};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// A compaction under way.
#[wasm_bindgen]
pub struct RunHandle {
    run: RefCell<CompactionRun>,
    step: RefCell<Step<CompactionOutcome>>,
    session: Rc<RefCell<Session>>,
}

#[wasm_bindgen]
impl SessionHandle {
    /// Starts a compaction at the leaf. `callback_windows` holds the window of each model that the
    /// callback may use, in tokens, NaN where it is unknown; without a callback there is none.
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
        now: &str,
    ) -> Result<RunHandle, JsValue> {
        let settings = settings(given)?;
        let context_window = window(context_window)?;
        let options = RunOptions {
            candidates: candidates(&settings, context_window, &callback_windows.unwrap_or_default(), local),
            settings,
            context_window,
            fixed_tokens: count("fixedTokens", fixed_tokens)?,
            custom_instructions,
            trigger: Trigger::Manual,
        };
        let started = CompactionRun::start(&mut self.session.borrow_mut(), options, now).map_err(to_js_error)?;
        Ok(RunHandle {
            run: RefCell::new(started.run),
            step: RefCell::new(started.step),
            session: Rc::clone(&self.session),
        })
    }
}

/// Who may make the summary: the endpoint, the callback with each of its models, the local summariser.
fn candidates(
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
        let data = to_js(&StepData::new(&*step))?;
        match &*step {
            Step::Summarize(step) => {
                let request = js_sys::Reflect::get(&data, &"request".into())?;
                js_sys::Reflect::set(&request, &"prompt".into(), &long_text(&step.request.prompt))?;
            }
            Step::Fetch(step) => {
                js_sys::Reflect::set(&data, &"body".into(), &long_text(&request_body(&step.request)))?;
            }
            Step::Sleep { .. } | Step::Done(_) => {}
        }
        Ok(data)
    }

    /// How the run ended, or nothing where it has not.
    pub fn outcome(&self) -> Result<JsValue, JsValue> {
        match &*self.step.borrow() {
            Step::Done(outcome) => to_js(&OutcomeData::from(&**outcome)),
            _ => Ok(JsValue::UNDEFINED),
        }
    }

    /// The events since the last call.
    pub fn events(&self) -> Result<JsValue, JsValue> {
        let events = self.run.borrow_mut().take_events();
        to_js(&events.iter().map(EventData::from).collect::<Vec<_>>())
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

    /// The run is to end.
    pub fn abort(&self, now: &str) {
        self.resume(Reply::Aborted, now);
    }

    fn resume(&self, reply: Reply, now: &str) {
        let step = self.run.borrow_mut().resume(&mut self.session.borrow_mut(), reply, now);
        *self.step.borrow_mut() = step;
    }
}
