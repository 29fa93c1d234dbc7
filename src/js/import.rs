//! Transcripts as JavaScript hands them in: bytes in, a session file and a report out.
#![allow(unreachable_pub, reason = "wasm-bindgen exports these, whatever Rust sees of them")]

use super::errors::to_js_error;
use crate::format::import_transcript;
use wasm_bindgen::prelude::*;

/// The bytes of a session made of a transcript, undefined where it is a session as it stands, and the report as JSON.
#[wasm_bindgen(js_name = importTranscript)]
pub fn import(bytes: &[u8], format: Option<String>) -> Result<js_sys::Array, JsValue> {
    let imported = import_transcript(bytes, format.as_deref()).map_err(to_js_error)?;
    let both = js_sys::Array::new();
    both.push(&imported.jsonl.map_or(JsValue::UNDEFINED, |jsonl| js_sys::Uint8Array::from(jsonl.as_bytes()).into()));
    both.push(&imported.report.to_json().into());
    Ok(both)
}
