//! Branches that are left, as JavaScript asks for them.

use super::data::BranchFigures;
use super::session::SessionHandle;
use super::value::{settings, to_js};
use super::view::ViewHandle;
use crate::branch::{collect_entries, prepare_branch_entries};
use crate::session::Index;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl SessionHandle {
    /// The deepest common ancestor of a leaf and a target, and behind it the entries from there down
    /// to the leaf; -1 is the place before the first entry.
    #[wasm_bindgen(js_name = collectEntries)]
    pub fn collect_entries(&self, old_leaf: i32, target: i32) -> Vec<i32> {
        let entry = |number: i32| Index::try_from(number).ok();
        let collected = collect_entries(&self.session.borrow(), entry(old_leaf), entry(target));
        let mut numbers = vec![collected.common_ancestor.map_or(-1, |ancestor| ancestor as i32)];
        numbers.extend(collected.entries.iter().map(|&index| index as i32));
        numbers
    }

    /// What of a branch, its entries oldest first, fits a budget of tokens: its messages as a view of
    /// their own, with its figures.
    #[wasm_bindgen(js_name = prepareBranchEntries)]
    pub fn prepare_branch_entries(
        &self,
        entries: &[u32],
        token_budget: f64,
        given: Option<String>,
    ) -> Result<ViewHandle, JsValue> {
        let session = self.counted();
        // Below 0 it is 0 as a whole number: nothing fits.
        let prepared = prepare_branch_entries(&session, entries, token_budget as u64, &settings(given)?.file_tools);
        Ok(ViewHandle::new(&prepared.view(&session), to_js(BranchFigures::from(&prepared))?))
    }
}
