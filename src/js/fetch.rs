//! A request to a remote endpoint.
//!
//! Whatever `fetch` does, this gives a promise that resolves. A panic in what runs later would end
//! a Node process, and so would an exception that crosses Rust code, so every call into JavaScript
//! here is one that catches. gloo-net builds the request, and does no more than that: its way to
//! send one panics where `fetch` is missing, mocked, or rejects with something other than an error.

use super::data::RemoteResponseData;
use super::value::to_js;
use crate::summary::{MAX_RESPONSE_BYTES, RemoteResponse, retry_after_ms};
use gloo_net::http;
use js_sys::{Array, Function, JsString, Object, Promise, Reflect, Uint8Array};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, future_to_promise, spawn_local};
use web_sys::{AbortSignal, Headers, RequestRedirect};

#[wasm_bindgen]
extern "C" {
    /// The platform's own `fetch`. The signal goes along here and not in the request, which would
    /// refuse one that is not of the platform's own class.
    #[wasm_bindgen(js_name = fetch, catch)]
    fn platform_fetch(request: &web_sys::Request, init: &Object) -> Result<JsValue, JsValue>;
}

/// Why there is no answer: what failed, and what was thrown.
struct Failure {
    what: &'static str,
    cause: JsValue,
}

/// For `map_err`: what failed, when something was thrown.
fn failed(what: &'static str) -> impl FnOnce(JsValue) -> Failure {
    move |cause| Failure { what, cause }
}

const NOT_SENT: &str = "the request could not be sent";
const NO_FETCH: &str = "this host has no fetch; hand one in as the option `fetch`";
const BROKEN_OFF: &str = "the answer broke off";
const JUNK: &str = "fetch answered with something that is no response";

/// Sends a summary request and reads the answer, up to the largest body that is allowed.
///
/// `headers` are pairs of name and value that were checked. `fetch` is the host's own; without it
/// the platform's is used. `now` is asked for the time when a `retry-after` names a date.
///
/// The promise resolves to the response, or to `{ failed, cause? }`. It never rejects.
#[wasm_bindgen(js_name = fetchSummary, unchecked_return_type = "Promise<unknown>")]
pub fn fetch_summary(
    url: &str,
    body: &JsString,
    headers: &Array,
    signal: &AbortSignal,
    fetch: Option<Function>,
    now: Function,
) -> Promise {
    let sent = match fetch {
        Some(fetch) => send_by_host(&fetch, url, body, headers, signal),
        None => send_by_platform(url, body, headers, signal),
    };
    future_to_promise(async move {
        let answer = match sent {
            Ok(response) => read(response, &now).await,
            Err(failure) => Err(failure),
        };
        Ok(match answer {
            Ok(response) => to_js(&RemoteResponseData::from(response))?,
            Err(failure) => object(&[("failed", failure.what.into()), ("cause", failure.cause)]).into(),
        })
    })
}

/// Calls the host's function as `fetch(url, init)` with plain values: a request object of ours may
/// be of another class than the one that it knows.
fn send_by_host(
    fetch: &Function,
    url: &str,
    body: &JsString,
    headers: &Array,
    signal: &AbortSignal,
) -> Result<JsValue, Failure> {
    let init = object(&[
        ("method", "POST".into()),
        ("headers", Object::from_entries(headers).map_err(failed(NOT_SENT))?.into()),
        ("body", body.into()),
        ("redirect", "manual".into()),
        ("signal", signal.into()),
    ]);
    fetch.call2(&JsValue::UNDEFINED, &url.into(), &init).map_err(failed(NOT_SENT))
}

fn send_by_platform(url: &str, body: &JsString, headers: &Array, signal: &AbortSignal) -> Result<JsValue, Failure> {
    // Where one of these is missing or throws, gloo-net would panic.
    let global = js_sys::global();
    let has = |name: &&str| get(&global, name).is_ok_and(|value| value.is_function());
    if !["fetch", "Headers", "Request", "URL", "URLSearchParams"].iter().all(has) {
        return Err(Failure { what: NO_FETCH, cause: JsValue::UNDEFINED });
    }
    let request_headers = Headers::new().map_err(failed(NOT_SENT))?;
    for pair in headers.iter() {
        let pair = Array::from(&pair);
        let [name, value] = [0, 1].map(|place| pair.get(place).as_string().unwrap_or_default());
        request_headers.append(&name, &value).map_err(failed(NOT_SENT))?;
    }
    let request = http::Request::post(url)
        .headers(http::Headers::from_raw(request_headers))
        // An address that a redirect names was not checked.
        .redirect(RequestRedirect::Manual)
        .body(body.clone())
        .map_err(|error| Failure { what: NOT_SENT, cause: js_sys::Error::new(&error.to_string()).into() })?;
    platform_fetch(&request.into(), &object(&[("signal", signal.into())])).map_err(failed(NOT_SENT))
}

async fn read(response: JsValue, now: &Function) -> Result<RemoteResponse, Failure> {
    let response = settled(response).await.map_err(failed(NOT_SENT))?;
    let status = status(&response)?;
    let retry_after_ms = header(&response, "retry-after")
        .and_then(|header| retry_after_ms(&header, time_by(now), js_sys::Date::parse));
    let (body, truncated) = body(&response).await?;
    Ok(RemoteResponse { status, retry_after_ms, body, truncated })
}

/// The status; a mock may say no more than `ok`.
fn status(response: &JsValue) -> Result<u16, Failure> {
    let said = get(response, "status").map_err(failed(JUNK))?;
    match said.as_f64() {
        Some(status) if status.fract() == 0.0 && (0.0..1_000.0).contains(&status) => Ok(status as u16),
        _ if get(response, "ok").is_ok_and(|ok| ok.is_truthy()) => Ok(200),
        _ => Err(Failure { what: JUNK, cause: JsValue::UNDEFINED }),
    }
}

/// A header of a response; in a mock the headers may be a plain object.
fn header(response: &JsValue, name: &str) -> Option<String> {
    let headers = get(response, "headers").ok()?;
    match method(&headers, "get") {
        Some(get) => get.call1(&headers, &name.into()),
        None => get(&headers, name),
    }
    .ok()?
    .as_string()
}

/// The body, read piece by piece where it can be, and whether it was longer than allowed.
async fn body(response: &JsValue) -> Result<(String, bool), Failure> {
    let stream = get(response, "body").unwrap_or_default();
    let (mut bytes, truncated) = match method(&stream, "getReader") {
        Some(get_reader) => pieces(&get_reader.call0(&stream).map_err(failed(BROKEN_OFF))?).await?,
        None => whole_text(response).await?,
    };
    if bytes.starts_with(b"\xEF\xBB\xBF") {
        bytes.drain(..3);
    }
    let text = String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
    Ok((text, truncated))
}

async fn pieces(reader: &JsValue) -> Result<(Vec<u8>, bool), Failure> {
    let mut bytes = Vec::new();
    loop {
        let piece = settled(call(reader, "read").map_err(failed(BROKEN_OFF))?).await.map_err(failed(BROKEN_OFF))?;
        if get(&piece, "done").map_err(failed(BROKEN_OFF))?.is_truthy() {
            return Ok((bytes, false));
        }
        let piece = view(&get(&piece, "value").map_err(failed(BROKEN_OFF))?).map_err(failed(JUNK))?;
        let room = MAX_RESPONSE_BYTES.saturating_sub(bytes.len());
        let fits = piece.length() as usize <= room;
        bytes.extend(if fits { piece.to_vec() } else { piece.subarray(0, room as u32).to_vec() });
        if !fits {
            // The rest is not wanted; how that ends does not matter, but somebody must listen.
            let cancelled = call(reader, "cancel").unwrap_or_default();
            spawn_local(async { drop(settled(cancelled).await) });
            return Ok((bytes, true));
        }
    }
}

async fn whole_text(response: &JsValue) -> Result<(Vec<u8>, bool), Failure> {
    let text = settled(call(response, "text").map_err(failed(JUNK))?).await.map_err(failed(BROKEN_OFF))?;
    let text = text.dyn_into::<JsString>().map_err(failed(JUNK))?;
    // Only what may be kept crosses; a character takes a byte or more.
    let most = MAX_RESPONSE_BYTES as u32;
    let mut bytes = String::from(text.slice(0, most)).into_bytes();
    let truncated = text.length() > most || bytes.len() > MAX_RESPONSE_BYTES;
    bytes.truncate(MAX_RESPONSE_BYTES);
    Ok((bytes, truncated))
}

/// The bytes of a piece of a stream. Its class may belong to another realm, so it is not asked for.
fn view(piece: &JsValue) -> Result<Uint8Array, JsValue> {
    let class = get(&js_sys::global(), "Uint8Array")?.dyn_into::<Function>()?;
    if !js_sys::ArrayBuffer::is_view(piece) {
        return Err(JsValue::UNDEFINED);
    }
    Ok(Reflect::construct(&class, &Array::of1(piece))?.unchecked_into())
}

/// A promise of our own that settles as the value does, be it plain, a promise or what looks like
/// one: theirs may throw when it is asked.
fn settled(value: JsValue) -> JsFuture {
    Promise::new(&mut |resolve, _| {
        // The function that resolves a promise does not throw.
        let _ = resolve.call1(&JsValue::UNDEFINED, &value);
    })
    .into()
}

fn time_by(now: &Function) -> f64 {
    now.call0(&JsValue::UNDEFINED).ok().and_then(|time| time.as_f64()).unwrap_or(f64::NAN)
}

fn get(target: &JsValue, name: &str) -> Result<JsValue, JsValue> {
    Reflect::get(target, &name.into())
}

fn method(target: &JsValue, name: &str) -> Option<Function> {
    get(target, name).ok()?.dyn_into().ok()
}

fn call(target: &JsValue, name: &str) -> Result<JsValue, JsValue> {
    get(target, name)?.dyn_into::<Function>()?.call0(target)
}

fn object(fields: &[(&str, JsValue)]) -> Object {
    let object = Object::new();
    for (name, value) in fields {
        // Setting a property of a fresh object cannot fail.
        let _ = Reflect::set(&object, &(*name).into(), value);
    }
    object
}
