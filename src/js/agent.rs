//! An agent as JavaScript holds it: what it works with, and the runs that it starts.

use super::errors::to_js_error;
use super::run::{Outcome, Run, RunHandle, any, candidates};
use super::session::{SessionHandle, pending};
use super::value::{count, settings, window};
use crate::agent::{Agent, AgentOptions, Command};
use crate::entry::ModelChoice;
use crate::session::{Index, Session};
use crate::settings::Settings;
use crate::step::Reach;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// An agent's companion.
#[wasm_bindgen]
pub struct AgentHandle {
    agent: Rc<RefCell<Agent>>,
    session: Rc<RefCell<Session>>,
}

#[wasm_bindgen]
impl SessionHandle {
    /// A companion of an agent that works on this session.
    pub fn agent(&self, store: bool) -> AgentHandle {
        let options = AgentOptions {
            settings: Settings::default(),
            context_window: None,
            fixed_tokens: None,
            model: None,
            candidates: Vec::new(),
            reach: Reach { hooks: true, store, host: true },
        };
        AgentHandle { agent: Rc::new(RefCell::new(Agent::new(options))), session: Rc::clone(&self.session) }
    }

    /// The number of the newest assistant message at the leaf, -1 without one.
    #[wasm_bindgen(js_name = newestAssistant)]
    pub fn newest_assistant(&self) -> i32 {
        let session = self.session.borrow();
        let is_turn = |&index: &Index| session.entry(index).is_some_and(|entry| entry.assistant().is_some());
        session.ancestors(session.leaf()).find(is_turn).map_or(-1, |turn| turn as i32)
    }
}

#[wasm_bindgen]
impl AgentHandle {
    /// Sets what the next runs work with; nothing has changed where it throws.
    #[allow(clippy::too_many_arguments, reason = "an object would be read through a type of its own")]
    pub fn configure(
        &self,
        context_window: Option<f64>,
        fixed_tokens: Option<f64>,
        given: Option<String>,
        provider: Option<String>,
        model_id: Option<String>,
        callback_windows: Option<Vec<f64>>,
        local: bool,
    ) -> Result<(), JsValue> {
        let settings = settings(given)?;
        let context_window = window(context_window)?;
        let fixed_tokens = count("fixedTokens", fixed_tokens)?;
        let options = &mut self.agent.borrow_mut().options;
        options.candidates = candidates(&settings, context_window, &callback_windows.unwrap_or_default(), local);
        options.model = model_id
            .map(|model_id| ModelChoice { provider: provider.unwrap_or_default().into(), model_id: model_id.into() });
        (options.settings, options.context_window, options.fixed_tokens) = (settings, context_window, fixed_tokens);
        Ok(())
    }

    /// Starts the check at the end of a turn.
    #[wasm_bindgen(js_name = turnEnd)]
    pub fn turn_end(&self, now: &str) -> Result<RunHandle, JsValue> {
        self.start(Command::TurnEnd, now)
    }

    /// Starts the check before a prompt, with the JSON of the messages that will be sent with it.
    #[wasm_bindgen(js_name = beforePrompt)]
    pub fn before_prompt(&self, messages: Vec<String>, now: &str) -> Result<RunHandle, JsValue> {
        let rule = self.session.borrow().token_rule();
        let (pending_tokens, from_user) = pending(&messages, rule)?;
        self.start(Command::BeforePrompt { pending_tokens, from_user }, now)
    }

    /// Starts a compaction by hand.
    pub fn compact(&self, custom_instructions: Option<String>, now: &str) -> Result<RunHandle, JsValue> {
        self.start(Command::Compact { custom_instructions }, now)
    }

    /// Starts to move to an entry.
    pub fn navigate(
        &self,
        target: Index,
        summarize: Option<bool>,
        custom_instructions: Option<String>,
        now: &str,
    ) -> Result<RunHandle, JsValue> {
        self.start(Command::Navigate { target, summarize, custom_instructions }, now)
    }

    fn start(&self, command: Command, now: &str) -> Result<RunHandle, JsValue> {
        let started = self.agent.borrow_mut().start(&mut self.session.borrow_mut(), command, now);
        let started = started.map_err(to_js_error)?;
        let run = Run::Agent(started.run, Rc::clone(&self.agent));
        Ok(RunHandle::new(run, any(started.step, Outcome::Agent), &self.session))
    }
}
