//! Errors on their way out.

use crate::error::Error;
use wasm_bindgen::prelude::*;

/// An error as JavaScript gets it: an `Error` with a `code`.
pub(super) fn to_js_error(error: Error) -> JsValue {
    let value = js_sys::Error::new(&error.message);
    // Setting a property of a fresh error cannot fail.
    let _ = js_sys::Reflect::set(&value, &"code".into(), &error.code.as_str().into());
    // Only the file of the formats tells them apart.
    #[cfg(feature = "formats")]
    if !error.formats.is_empty() {
        let formats: js_sys::Array = error.formats.iter().map(|&name| JsValue::from(name)).collect();
        let _ = js_sys::Reflect::set(&value, &"formats".into(), &formats);
    }
    value.into()
}
