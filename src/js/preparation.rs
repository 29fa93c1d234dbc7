//! A preparation as JavaScript holds it.

use super::data::PreparationFigures;
use super::value::{long_text, to_js};
use crate::compaction::Preparation;
use crate::session::Session;
use crate::summary::RequestOptions;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// A compaction that can be made. Entries go by their numbers.
#[wasm_bindgen]
pub struct PreparationHandle {
    plan: Preparation,
    session: Rc<RefCell<Session>>,
}

impl PreparationHandle {
    pub(super) fn new(plan: Preparation, session: Rc<RefCell<Session>>) -> Self {
        Self { plan, session }
    }
}

#[wasm_bindgen]
impl PreparationHandle {
    /// The first kept entry.
    #[wasm_bindgen(getter = firstKept)]
    pub fn first_kept(&self) -> u32 {
        self.plan.first_kept
    }

    /// The entries that the history summary replaces.
    #[wasm_bindgen(js_name = entriesToSummarize)]
    pub fn entries_to_summarize(&self) -> Vec<u32> {
        self.plan.entries_to_summarize.clone()
    }

    /// The beginning of a split turn.
    #[wasm_bindgen(js_name = turnPrefix)]
    pub fn turn_prefix(&self) -> Vec<u32> {
        self.plan.turn_prefix.clone()
    }

    /// The entries that stay.
    pub fn kept(&self) -> Vec<u32> {
        self.plan.kept.clone()
    }

    /// The entries that fall out unsummarised, in the classic preset.
    pub fn dropped(&self) -> Vec<u32> {
        self.plan.dropped.clone()
    }

    /// The kept entries that exceed the budget.
    #[wasm_bindgen(js_name = entriesInTheWay)]
    pub fn entries_in_the_way(&self) -> Vec<u32> {
        self.plan.entries_in_the_way.clone()
    }

    /// The figures.
    pub fn figures(&self) -> Result<JsValue, JsValue> {
        to_js(&PreparationFigures::of(&self.plan, &self.session.borrow()))
    }

    /// The size of the summary requests, in tokens, each as a whole.
    #[wasm_bindgen(js_name = requestTokens)]
    pub fn request_tokens(&self) -> f64 {
        let session = self.session.borrow();
        let options = RequestOptions::new(self.plan.reserve_tokens, session.preset().estimate_rule());
        self.plan.request_tokens(&session, &options) as f64
    }

    /// The prompts of the summary requests.
    #[wasm_bindgen(unchecked_return_type = "string[]")]
    pub fn prompts(&self) -> Vec<JsValue> {
        let session = self.session.borrow();
        let options = RequestOptions::new(self.plan.reserve_tokens, session.preset().estimate_rule());
        self.plan.requests(&session, &options).into_iter().map(|request| long_text(&request.prompt)).collect()
    }
}
