//! The exchange with a remote endpoint: what is sent to it, and what its answer may be.

use super::reply::{Reply, start_of};
use super::request::SummaryRequest;
use crate::entry::object;
use crate::error::{Error, ErrorCode};
use crate::llm::plain_characters;
use crate::session::json_string;
use std::fmt;

/// The largest body of an answer, in bytes: 4 MB, counted as the network does.
pub const MAX_RESPONSE_BYTES: usize = 4_000_000;

/// The body of a request: JSON `{systemPrompt, prompt}`.
pub fn request_body(request: &SummaryRequest) -> String {
    let [system, prompt] = [request.system_prompt, &request.prompt].map(json_string);
    format!("{{\"systemPrompt\":{system},\"prompt\":{prompt}}}")
}

/// What an endpoint answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteResponse {
    /// The HTTP status; 0 for a redirect that a browser hides.
    pub status: u16,
    /// How long the endpoint asks to wait, in milliseconds.
    pub retry_after_ms: Option<u64>,
    /// The body as text, up to [`MAX_RESPONSE_BYTES`].
    pub body: String,
    /// Whether the body was longer than that.
    pub truncated: bool,
}

/// What is wrong with an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RemoteFault {
    /// It sends the request elsewhere, which is not followed: the address was not checked.
    Redirect,
    /// Its status is none of 2xx.
    Status,
    /// Its body is over [`MAX_RESPONSE_BYTES`].
    TooLarge,
    /// Its body is no JSON.
    NotJson,
    /// Its body is JSON that is no object with a string `summary`.
    NoSummary,
}

/// An answer that holds no summary. As text, a sentence with the status and the start of the body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteFailure {
    /// What is wrong.
    pub fault: RemoteFault,
    /// The HTTP status; 0 for a redirect that a browser hides.
    pub status: u16,
    /// How long the endpoint asks to wait, in milliseconds.
    pub retry_after_ms: Option<u64>,
    /// The start of the body, on one line.
    pub body_start: String,
}

impl fmt::Display for RemoteFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the remote endpoint answered with ")?;
        match (self.fault, self.status) {
            (RemoteFault::Redirect, 0) => f.write_str("a redirect")?,
            (RemoteFault::Redirect, status) => write!(f, "status {status}, a redirect")?,
            (_, status) => write!(f, "status {status}")?,
        }
        f.write_str(match self.fault {
            RemoteFault::Redirect => {
                ", which is not followed; compaction.remoteEndpoint is to hold the address where it leads"
            }
            RemoteFault::Status => "; allowed is 200 to 299",
            RemoteFault::TooLarge => " and a body of more than 4 MB; allowed is less",
            RemoteFault::NotJson => " and a body that is no JSON; allowed is JSON with a string `summary`",
            RemoteFault::NoSummary => " and JSON without a string `summary`, which it must hold",
        })?;
        match self.body_start.as_str() {
            "" => f.write_str("; the body is empty"),
            start => write!(f, "; the body begins: {start}"),
        }
    }
}

impl std::error::Error for RemoteFailure {}

impl From<&RemoteFailure> for Error {
    fn from(failure: &RemoteFailure) -> Self {
        Self::new(ErrorCode::RemoteFailed, failure.to_string())
    }
}

/// Reads the summary from an answer.
///
/// # Errors
///
/// What is wrong with the answer. Its code as an error is `remote-failed`.
///
/// ```
/// use threadfold::summary::{RemoteFault, RemoteResponse, read_response};
/// let answer = |status, body: &str| RemoteResponse { status, retry_after_ms: None, body: body.into(), truncated: false };
/// assert_eq!(read_response(&answer(200, r#"{"summary":"All is well."}"#)).unwrap().text, "All is well.");
/// assert_eq!(read_response(&answer(500, "oops")).unwrap_err().fault, RemoteFault::Status);
/// ```
pub fn read_response(response: &RemoteResponse) -> Result<Reply, RemoteFailure> {
    let fault = match response.status {
        0 | 300..=399 => RemoteFault::Redirect,
        200..=299 if response.truncated => RemoteFault::TooLarge,
        200..=299 => match object::raw_field(&response.body, "summary") {
            Some(summary) => match object::text(&plain_characters(summary)) {
                Some(text) => return Ok(Reply::text(text)),
                None => RemoteFault::NoSummary,
            },
            None if object::is_json(&response.body) => RemoteFault::NoSummary,
            None => RemoteFault::NotJson,
        },
        _ => RemoteFault::Status,
    };
    Err(RemoteFailure {
        fault,
        status: response.status,
        retry_after_ms: response.retry_after_ms,
        body_start: start_of(&response.body),
    })
}

#[cfg(test)]
#[path = "remote_tests.rs"]
mod tests;
