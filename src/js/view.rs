//! A view on its way to JavaScript.

use crate::session::ContextMessage;
use wasm_bindgen::prelude::*;

/// A view on its way out, with what belongs to it.
#[wasm_bindgen]
pub struct ViewHandle {
    messages: Vec<i32>,
    plain: bool,
    notes: JsValue,
}

impl ViewHandle {
    pub(super) fn new(messages: &[ContextMessage], notes: JsValue) -> Self {
        let pair = |message: &ContextMessage| match *message {
            ContextMessage::Entry(index) => [index as i32, 0],
            ContextMessage::Pruned { entry, by } => [entry as i32, -1 - by as i32],
            ContextMessage::SyntheticResult { entry, call } => [entry as i32, call as i32 + 1],
        };
        let plain = messages.iter().all(|message| matches!(message, ContextMessage::Entry(_)));
        let messages = if plain {
            messages.iter().map(|message| pair(message)[0]).collect()
        } else {
            messages.iter().flat_map(pair).collect()
        };
        Self { messages, plain, notes }
    }
}

#[wasm_bindgen]
impl ViewHandle {
    /// The messages: numbers of entries where all are plain, else pairs of an entry and how it is seen.
    /// That is 0 for what it stores; the number of a call from 1 for a result made up for it; below 0
    /// for a result that a prune entry hides, counted down from -1 for the entry of number 0.
    pub fn messages(&mut self) -> Vec<i32> {
        std::mem::take(&mut self.messages)
    }

    /// Whether no result was made up or hidden.
    #[wasm_bindgen(getter)]
    pub fn plain(&self) -> bool {
        self.plain
    }

    /// What belongs to the view, as plain data.
    pub fn notes(&self) -> JsValue {
        self.notes.clone()
    }
}
