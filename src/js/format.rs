//! Arrays of messages as JavaScript asks about them: JSON in, JSON out.
#![allow(unreachable_pub, reason = "wasm-bindgen exports these, whatever Rust sees of them")]

use super::errors::to_js_error;
use crate::error::{Error, ErrorCode};
use crate::format::{FoldLines, Messages, Problem, fold_lines, message_digests, write_messages};
use crate::session::json_string;
use wasm_bindgen::prelude::*;

/// Answers a question about an array of messages, given as JSON; the answer is JSON. What is asked for is
/// `detect`, `validate`, `repair`, `to-core`, `from-core`, or `notices`: other outputs, given by ids as JSON.
#[wasm_bindgen]
pub fn messages(what: &str, json: &[u8], format: Option<String>, given: Option<String>) -> Result<String, JsValue> {
    let answer = text(json).and_then(|json| answer_about(what, json, format.as_deref(), given.as_deref()));
    answer.map_err(to_js_error)
}

fn text(json: &[u8]) -> Result<&str, Error> {
    std::str::from_utf8(json).map_err(|_| Error::new(ErrorCode::Internal, "the JSON of messages is no UTF-8"))
}

fn answer_about(what: &str, json: &str, format: Option<&str>, given: Option<&str>) -> Result<String, Error> {
    if what == "from-core" {
        let format = format.unwrap_or_default();
        let messages = write_messages(json, format)?;
        let digests = message_digests(&messages, format)?;
        return Ok(answer(format, &format!(r#""messages":{messages},"digests":{}"#, strings(&digests))));
    }
    let messages = Messages::read(json, format)?;
    let format = messages.format();
    let body = match what {
        "validate" => format!(r#""problems":{}"#, list(&messages.problems(), |problem| problem_json(problem, ""))),
        "repair" => {
            let repaired = messages.repair();
            let repairs = list(&repaired.repairs, |repair| {
                problem_json(&repair.problem, &format!(r#""action":"{}","#, repair.action.as_str()))
            });
            let problems = list(&repaired.problems, |problem| problem_json(problem, ""));
            format!(r#""outline":{},"repairs":{repairs},"problems":{problems}"#, repaired.outline)
        }
        "notices" => format!(r#""outline":{}"#, messages.with_results(given.unwrap_or("{}"))),
        "to-core" => format!(r#""messages":{}"#, messages.to_core()),
        _ => r#""is":true"#.to_owned(),
    };
    Ok(answer(format, &body))
}

fn answer(format: &str, body: &str) -> String {
    format!(r#"{{"format":{},{body}}}"#, json_string(format))
}

fn list<T>(items: &[T], json: impl Fn(&T) -> String) -> String {
    format!("[{}]", items.iter().map(json).collect::<Vec<_>>().join(","))
}

fn strings(texts: &[String]) -> String {
    list(texts, |text| json_string(text))
}

/// A problem as JSON, with fields in front of its own.
fn problem_json(problem: &Problem, front: &str) -> String {
    let (rule, says) = problem.rule.words();
    let mut json = format!(r#"{{{front}"rule":"{rule}","index":{}"#, problem.index);
    let mut place = format!("messages[{}]", problem.index);
    if let Some(part) = problem.part {
        json.push_str(&format!(r#","part":{part}"#));
        place.push_str(&format!(", part {part}"));
    }
    if let Some(id) = &problem.id {
        json.push_str(&format!(r#","id":{}"#, json_string(id)));
        place.push_str(&format!(", id {}", crate::error::Quoted(id)));
    }
    if problem.pending && front.is_empty() {
        json.push_str(r#","pending":true"#);
    }
    json.push_str(&format!(r#","message":{}}}"#, json_string(&format!("{place}: {says}"))));
    json
}

/// The lines of a session that folds an array of messages, given as JSON, and how both go together, as JSON.
#[wasm_bindgen(js_name = foldLines)]
pub fn fold(json: &[u8], format: Option<String>, state: Option<String>, now: &str) -> Result<js_sys::Array, JsValue> {
    let folding = text(json).and_then(|json| fold_lines(json, format.as_deref(), state.as_deref(), now));
    let FoldLines { lines, format, system_count, system, start, state, digests, joined } =
        folding.map_err(to_js_error)?;
    let body = format!(
        r#""systemCount":{system_count},"system":[{}],"start":{start},"use":"{}","digests":{},"joined":{joined:?}"#,
        system.join(","),
        state.as_str(),
        strings(&digests)
    );
    let both = js_sys::Array::new();
    both.push(&js_sys::Uint8Array::from(lines.as_bytes()).into());
    both.push(&answer(format, &body).into());
    Ok(both)
}
