//! Pruning as JavaScript asks for it.

use super::data::{PruneResultData, RestoreResultData};
use super::errors::to_js_error;
use super::session::SessionHandle;
use super::value::{count, settings, settings_over, to_js, window};
use crate::prune::{PruneOptions, Pruned, prepare_prune, prune_tool_outputs, restore_tool_outputs};
use crate::session::Session;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl SessionHandle {
    /// Prunes tool outputs at the leaf. `given` are settings, over which those of `own` stand. Without a
    /// `now` nothing changes: it says what a prune would do.
    #[wasm_bindgen(js_name = pruneToolOutputs)]
    pub fn prune_tool_outputs(
        &self,
        context_window: Option<f64>,
        fixed_tokens: Option<f64>,
        given: Option<String>,
        own: Option<String>,
        now: Option<String>,
    ) -> Result<JsValue, JsValue> {
        let options = PruneOptions {
            settings: &settings_over(own, &settings(given)?)?,
            context_window: window(context_window)?,
            fixed_tokens: count("fixedTokens", fixed_tokens)?,
        };
        let mut session = self.session.borrow_mut();
        let pruned = match now {
            Some(now) => prune_tool_outputs(&mut session, &options, &now),
            None => {
                session.count_rest();
                prepare_prune(&session, &options)
            }
        };
        let pruned = pruned.map_err(to_js_error)?;
        to_js(PruneResultData {
            pruned_count: pruned.entries.len() as u32,
            tokens_saved: pruned.tokens as f64,
            pruned_ids: ids(&session, &pruned),
        })
    }

    /// Takes back what prune entries hide at the leaf; all of it where no ids are given.
    #[wasm_bindgen(js_name = restoreToolOutputs)]
    pub fn restore_tool_outputs(&self, wanted: Option<Vec<String>>, now: &str) -> Result<JsValue, JsValue> {
        let mut session = self.session.borrow_mut();
        let restored = restore_tool_outputs(&mut session, wanted.as_deref(), now).map_err(to_js_error)?;
        to_js(RestoreResultData {
            restored_count: restored.entries.len() as u32,
            tokens_restored: restored.tokens as f64,
            restored_ids: ids(&session, &restored),
        })
    }

    /// The JSON of a tool result as a prune entry shows it.
    #[wasm_bindgen(js_name = prunedJson)]
    pub fn pruned_json(&self, index: u32, by: u32) -> Option<String> {
        self.session.borrow().pruned_json(index, by)
    }
}

fn ids(session: &Session, pruned: &Pruned) -> Vec<String> {
    let mut ids = Vec::with_capacity(pruned.entries.len());
    for entry in pruned.entries.iter().filter_map(|&index| session.entry(index)) {
        ids.push(entry.id.to_string());
    }
    ids
}
