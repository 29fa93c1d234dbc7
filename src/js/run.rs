//! A compaction run as JavaScript drives it: synchronous steps, the loop is the facade's.

use super::data::{EventData, OutcomeData, SummarizeData};
use super::session::SessionHandle;
use super::value::{count, long_text, settings, to_js, to_js_error, window};
use crate::compaction::{CompactionOutcome, CompactionRun, RunOptions, Summarizer, Trigger};
use crate::session::Session;
use crate::step::{Reply, Step};
use crate::summary::ReplyEnd;
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
    /// Starts a compaction at the leaf.
    #[wasm_bindgen(js_name = startCompaction)]
    pub fn start_compaction(
        &self,
        context_window: Option<f64>,
        fixed_tokens: Option<f64>,
        given: Option<String>,
        custom_instructions: Option<String>,
        local: bool,
        now: &str,
    ) -> Result<RunHandle, JsValue> {
        let options = RunOptions {
            settings: settings(given)?,
            context_window: window(context_window)?,
            fixed_tokens: count("fixedTokens", fixed_tokens)?,
            custom_instructions,
            summarizer: if local { Summarizer::Local } else { Summarizer::Callback },
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

#[wasm_bindgen]
impl RunHandle {
    /// The request to hand to the summariser, or nothing where the run has ended.
    pub fn request(&self) -> Result<JsValue, JsValue> {
        match &*self.step.borrow() {
            Step::Summarize(step) => {
                let data = to_js(&SummarizeData::from(step))?;
                let request = js_sys::Reflect::get(&data, &"request".into())?;
                js_sys::Reflect::set(&request, &"prompt".into(), &long_text(&step.request.prompt))?;
                Ok(data)
            }
            Step::Done(_) => Ok(JsValue::UNDEFINED),
        }
    }

    /// How the run ended, or nothing where it has not.
    pub fn outcome(&self) -> Result<JsValue, JsValue> {
        match &*self.step.borrow() {
            Step::Summarize(_) => Ok(JsValue::UNDEFINED),
            Step::Done(outcome) => to_js(&OutcomeData::from(&**outcome)),
        }
    }

    /// The events since the last call.
    pub fn events(&self) -> Result<JsValue, JsValue> {
        let events = self.run.borrow_mut().take_events();
        to_js(&events.iter().map(EventData::from).collect::<Vec<_>>())
    }

    /// The summariser answered.
    pub fn replied(&self, text: String, stop_reason: Option<String>, error_message: Option<String>, now: &str) {
        let end = stop_reason.as_deref().map_or(ReplyEnd::default(), ReplyEnd::from_stop_reason);
        self.resume(Reply::Summary(crate::summary::Reply { text, end, error_message }), now);
    }

    /// The summariser failed.
    pub fn failed(&self, message: String, now: &str) {
        self.resume(Reply::SummarizerFailed { message }, now);
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
