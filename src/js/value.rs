//! Values on their way in and out.

use super::errors::to_js_error;
use super::plain::Value;
use crate::error::{Error, ErrorCode};
use crate::settings::{Given, Settings, check_context_window};
use serde::Serialize;
use wasm_bindgen::prelude::*;

/// Plain data as a JavaScript value.
pub(super) fn to_js(data: impl Into<Value>) -> Result<JsValue, JsValue> {
    hand_out(&data.into())
}

fn hand_out(value: &Value) -> Result<JsValue, JsValue> {
    let serializer = serde_wasm_bindgen::Serializer::new().serialize_missing_as_null(true);
    value.serialize(&serializer).map_err(|error| {
        to_js_error(Error::new(ErrorCode::Internal, format!("a result could not be handed out: {error}")))
    })
}

/// The bytes of a piece of a long text.
const PIECE: usize = 1_024;

/// A long text as a JavaScript string. It crosses in pieces: an engine reads what is all ASCII
/// several times as fast as what holds a single other character, and most pieces of a prompt are.
pub(super) fn long_text(text: &str) -> JsValue {
    let pieces = js_sys::Array::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = (0..=PIECE.min(rest.len())).rev().find(|&end| rest.is_char_boundary(end)).unwrap_or(rest.len());
        let (piece, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
        pieces.push(&piece.into());
        rest = behind;
    }
    pieces.join("").into()
}

/// Settings as the host gave them, as JSON, checked.
pub(super) fn settings(json: Option<String>) -> Result<Settings, JsValue> {
    settings_over(json, &Settings::default())
}

/// The same over settings that stand where nothing is said.
pub(super) fn settings_over(json: Option<String>, base: &Settings) -> Result<Settings, JsValue> {
    let Some(json) = json else { return Ok(base.clone()) };
    let given: Given = serde_json::from_str(&json).map_err(|error| {
        to_js_error(Error::new(ErrorCode::InvalidSettings, format!("settings: {error}; allowed is a plain object")))
    })?;
    Settings::read(&given, base).map_err(to_js_error)
}

/// A context window that a call names, checked.
pub(super) fn window(given: Option<f64>) -> Result<Option<u64>, JsValue> {
    given.map(check_context_window).transpose().map_err(to_js_error)
}

/// A count of tokens that a call names, checked.
pub(super) fn count(name: &str, given: Option<f64>) -> Result<Option<u64>, JsValue> {
    match given {
        None => Ok(None),
        Some(count) if count.is_finite() && count >= 0.0 && count.fract() == 0.0 => Ok(Some(count as u64)),
        Some(count) => Err(to_js_error(Error::new(
            ErrorCode::InvalidArgument,
            format!("{name}: {} is not allowed; allowed is a whole number of tokens from 0", Given::Number(count)),
        ))),
    }
}
