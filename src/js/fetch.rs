//! A request to a remote endpoint by the platform's `fetch`.
//!
//! gloo-net builds the request and does no more than that: its way to send one panics where `fetch`
//! is missing, is mocked, or rejects with something other than an error. What comes back is read in
//! the facade, where nothing that a mock does can end the engine.
#![allow(unreachable_pub, reason = "wasm-bindgen exports these, whatever Rust sees of them")]

use crate::summary::{RemoteResponse, read_response};
use gloo_net::http;
use js_sys::{Array, JsString, Object, Reflect};
use wasm_bindgen::prelude::*;
use web_sys::{AbortSignal, Headers, Request, RequestRedirect};

#[wasm_bindgen]
extern "C" {
    /// The signal goes along here and not in the request, whose maker throws at one that is not of
    /// the platform's own class.
    #[wasm_bindgen(js_name = fetch, catch)]
    fn platform_fetch(request: &Request, init: &Object) -> Result<JsValue, JsValue>;
}

/// Sends a request with a JSON body. `headers` are pairs of name and value. The caller has seen that
/// the platform can make a request of this address.
///
/// Gives `[true, what fetch returned]` or `[false, what was thrown]`: an exception of the platform
/// must not pass for one of the engine.
#[wasm_bindgen(js_name = sendByFetch, unchecked_return_type = "[boolean, unknown]")]
pub fn send_by_fetch(url: &str, body: &JsString, headers: &Array, signal: &AbortSignal) -> Array {
    let (sent, value) = match send(url, body, headers, signal) {
        Ok(response) => (true, response),
        Err(thrown) => (false, thrown),
    };
    Array::of2(&sent.into(), &value)
}

fn send(url: &str, body: &JsString, headers: &Array, signal: &AbortSignal) -> Result<JsValue, JsValue> {
    let request = http::Request::post(url)
        .headers(http::Headers::from_raw(Headers::new_with_str_sequence_sequence(headers)?))
        // The address that a redirect names was not checked.
        .redirect(RequestRedirect::Manual)
        .body(body)
        .map_err(|_| js_sys::Error::new("this host cannot make the request"))?;
    let init = Object::new();
    Reflect::set(&init, &"signal".into(), signal)?;
    platform_fetch(&request.into(), &init)
}

/// Whether an answer holds a summary.
#[wasm_bindgen(js_name = holdsSummary)]
pub fn holds_summary(status: u16, body: String, truncated: bool) -> bool {
    read_response(&RemoteResponse { status, retry_after_ms: None, body, truncated }).is_ok()
}

/// The largest body of an answer, in bytes.
#[wasm_bindgen(js_name = maxResponseBytes)]
pub fn max_response_bytes() -> usize {
    crate::summary::MAX_RESPONSE_BYTES
}
