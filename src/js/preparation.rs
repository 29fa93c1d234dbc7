//! A preparation as JavaScript holds it.

use super::data::PreparationFigures;
use super::value::{long_text, to_js};
use crate::compaction::Preparation;
use crate::session::Session;
use crate::summary::RequestOptions;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use wasm_bindgen::prelude::*;

/// A compaction that can be made. Entries go by their numbers.
#[wasm_bindgen]
pub struct PreparationHandle {
    plan: Arc<Preparation>,
    session: Rc<RefCell<Session>>,
}

impl PreparationHandle {
    pub(super) fn new(session: Rc<RefCell<Session>>, plan: Arc<Preparation>) -> Self {
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

    /// Lists of entries, each behind its length, in one array, since each array that crosses takes
    /// as long as a hundred entries in it: what the history summary replaces, the beginning of a split
    /// turn, what stays, what falls out unsummarised in the classic preset, and the kept entries that
    /// exceed the budget.
    pub fn lists(&self) -> Vec<u32> {
        let Preparation { entries_to_summarize, turn_prefix, kept, dropped, entries_in_the_way, .. } = &*self.plan;
        let mut numbers = Vec::new();
        for list in [entries_to_summarize, turn_prefix, kept, dropped, entries_in_the_way] {
            numbers.push(list.len() as u32);
            numbers.extend_from_slice(list);
        }
        numbers
    }

    /// The figures.
    pub fn figures(&self) -> Result<JsValue, JsValue> {
        to_js(PreparationFigures::of(&self.plan, &self.session.borrow()))
    }

    /// The size of the summary requests, in tokens, each as a whole.
    #[wasm_bindgen(js_name = requestTokens)]
    pub fn request_tokens(&self) -> f64 {
        let session = self.session.borrow();
        let options = RequestOptions::new(self.plan.reserve_tokens, session.token_rule());
        self.plan.request_tokens(&session, &options) as f64
    }

    /// The prompts of the summary requests.
    #[wasm_bindgen(unchecked_return_type = "string[]")]
    pub fn prompts(&self) -> Vec<JsValue> {
        let session = self.session.borrow();
        let options = RequestOptions::new(self.plan.reserve_tokens, session.token_rule());
        self.plan.requests(&session, &options).into_iter().map(|request| long_text(&request.prompt)).collect()
    }
}
