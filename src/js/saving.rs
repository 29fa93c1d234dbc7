//! What a store is given of a session, and taking back what it refused.

use super::errors::to_js_error;
use super::session::SessionHandle;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl SessionHandle {
    /// Where each entry ends in the session as JSONL, in bytes.
    #[wasm_bindgen(js_name = entryEnds)]
    pub fn entry_ends(&self) -> Vec<u32> {
        self.session.borrow().entry_ends()
    }

    /// The lines of entries that were appended, from `start` up to `end`, as the file has them.
    #[wasm_bindgen(js_name = appendedLines)]
    pub fn appended_lines(&self, start: u32, end: u32) -> Vec<u8> {
        self.session.borrow().appended_lines(start, end)
    }

    /// The line of an entry as it is stored, without its end.
    #[wasm_bindgen(js_name = entryLine)]
    pub fn entry_line(&self, index: u32) -> Option<Vec<u8>> {
        self.session.borrow().entry_line(index).map(|line| line.into_owned())
    }

    /// Takes an entry back that was appended; those behind it move up by one number.
    pub fn withdraw(&self, index: u32) -> Result<(), JsValue> {
        self.session.borrow_mut().withdraw(index).map_err(to_js_error)
    }
}
