//! The boundary to JavaScript.
use wasm_bindgen::prelude::*;

/// The version of the engine.
#[wasm_bindgen(js_name = engineVersion)]
pub fn engine_version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
