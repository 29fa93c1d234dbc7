//! Who makes a summary: candidates in order, and what follows when one fails.

use super::classify::{ErrorClass, classify_error};
use super::remote::{RemoteFailure, RemoteFault};
use crate::error::{Error, ErrorCode};
use crate::settings::RetrySettings;

/// Who made a summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename_all = "kebab-case"))]
pub enum Summarizer {
    /// The host's callback.
    Callback,
    /// The remote endpoint.
    Remote,
    /// The local summariser.
    Local,
    /// A hook.
    Hook,
}

impl Summarizer {
    /// The summariser as it is written in JavaScript.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Callback => "callback",
            Self::Remote => "remote",
            Self::Local => "local",
            Self::Hook => "hook",
        }
    }
}

/// One that may serve a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Candidate {
    /// Who it is.
    pub summarizer: Summarizer,
    /// Which of the host's models the callback is to use, by its number in the host's list.
    pub model: usize,
    /// The window of that model, in tokens, where it is known: a request that does not fit is
    /// folded. The local summariser has none.
    pub context_window: Option<u64>,
}

impl Candidate {
    /// The callback with the first model, whose window is not known.
    pub const CALLBACK: Self = Self { summarizer: Summarizer::Callback, model: 0, context_window: None };
    /// The local summariser.
    pub const LOCAL: Self = Self { summarizer: Summarizer::Local, model: 0, context_window: None };
}

/// How a summariser failed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Failure {
    /// What it said, for people.
    pub message: String,
    /// The HTTP status, where there was one.
    pub status: Option<u16>,
    /// How long the server asks to wait, in milliseconds.
    pub retry_after_ms: Option<u64>,
    /// Whether it is of no use to ask again, whatever the message says: it took too long, say.
    pub lasting: bool,
}

impl From<RemoteFailure> for Failure {
    fn from(failure: RemoteFailure) -> Self {
        Self {
            message: failure.to_string(),
            status: Some(failure.status),
            retry_after_ms: failure.retry_after_ms,
            // An endpoint that sends other things than summaries goes on to do so.
            lasting: failure.fault != RemoteFault::Status,
        }
    }
}

/// What helps where a request was too large for a model whose window is not known.
const STATE_THE_WINDOW: &str =
    "; state the model's contextWindow, and a request that is too large for it is made in parts";

/// What is told of a failure that says nothing.
const NO_REASON: &str = "it failed without a reason";

/// What follows a failure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Next {
    /// The same candidate is asked again, after that many milliseconds.
    Again { wait_ms: u64 },
    /// The next candidate is asked.
    MoveOn,
    /// There is none left.
    GiveUp(Error),
}

/// The candidates of a run. One that has failed is not asked again in the same run.
#[derive(Debug)]
pub(crate) struct Candidates {
    list: Vec<Candidate>,
    current: usize,
    /// The number of this attempt of the current candidate at the request at hand, from 1.
    attempt: u32,
    /// How often it was asked again after a passing failure.
    retries: u64,
    /// Whether a reply of it to the request at hand was refused.
    refused: bool,
    /// Why the earlier ones were given up.
    given_up: Vec<String>,
}

impl Candidates {
    /// The candidates in their order; without any, the local summariser.
    pub(crate) fn new(list: Vec<Candidate>) -> Self {
        Self { list, current: 0, attempt: 1, retries: 0, refused: false, given_up: Vec::new() }
    }

    /// The one whose turn it is.
    pub(crate) fn current(&self) -> Candidate {
        self.list.get(self.current).copied().unwrap_or(Candidate::LOCAL)
    }

    /// Its number, from 1.
    pub(crate) fn number(&self) -> u32 {
        self.current as u32 + 1
    }

    /// The number of this attempt of it at the request at hand, from 1.
    pub(crate) fn attempt(&self) -> u32 {
        self.attempt
    }

    /// Turns to another request.
    pub(crate) fn next_request(&mut self) {
        (self.attempt, self.retries, self.refused) = (1, 0, false);
    }

    /// A reply was refused: it is asked for again once, with the reason.
    pub(crate) fn refused(&mut self, error: Error) -> Next {
        if self.refused {
            return self.give_up(error);
        }
        self.refused = true;
        self.attempt += 1;
        Next::Again { wait_ms: 0 }
    }

    /// The candidate failed: what passes is waited for, with a delay that doubles, or as long as
    /// the server says.
    pub(crate) fn failed(&mut self, failure: &Failure, code: ErrorCode, retry: &RetrySettings) -> Next {
        let error = |message: String| Error::new(code, message);
        let said = if failure.message.trim().is_empty() { NO_REASON } else { &failure.message };
        let found = classify_error(&failure.message, failure.status);
        let passes = !failure.lasting && matches!(found.class, ErrorClass::Transient | ErrorClass::RateLimit);
        if !retry.enabled || self.retries >= retry.max_retries || !passes {
            let mut message = said.to_owned();
            if found.class == ErrorClass::Overflow && self.current().context_window.is_none() {
                message.push_str(STATE_THE_WINDOW);
            }
            return self.give_up(error(message));
        }
        let asked_for = failure.retry_after_ms.or(found.retry_after_ms).unwrap_or(0);
        let doubled = 1_u64.checked_shl(self.retries.min(u64::from(u32::MAX)) as u32).unwrap_or(u64::MAX);
        let wait_ms = retry.base_delay_ms.saturating_mul(doubled).max(asked_for);
        if wait_ms > retry.max_delay_ms {
            return self.give_up(error(format!(
                "{said}; the next attempt would have to wait {wait_ms} ms, and retry.maxDelayMs allows {}",
                retry.max_delay_ms
            )));
        }
        self.retries += 1;
        self.attempt += 1;
        Next::Again { wait_ms }
    }

    /// Leaves the current candidate for the next one.
    pub(crate) fn give_up(&mut self, error: Error) -> Next {
        if self.current + 1 < self.list.len() {
            self.given_up.push(format!("{}: {}", self.name(), error.message));
            self.current += 1;
            self.next_request();
            return Next::MoveOn;
        }
        if self.given_up.is_empty() {
            return Next::GiveUp(error);
        }
        let all = format!("{}; {}: {}", self.given_up.join("; "), self.name(), error.message);
        Next::GiveUp(Error::new(error.code, format!("every summariser failed: {all}")))
    }

    /// The current candidate for people.
    fn name(&self) -> String {
        let Candidate { summarizer, model, .. } = self.current();
        match summarizer {
            Summarizer::Callback if self.list.iter().filter(|other| other.summarizer == summarizer).count() > 1 => {
                format!("callback with model {}", model + 1)
            }
            other => other.as_str().to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RETRY: RetrySettings =
        RetrySettings { enabled: true, max_retries: 3, base_delay_ms: 2_000, max_delay_ms: 30_000 };

    fn two() -> Candidates {
        Candidates::new(vec![Candidate::CALLBACK, Candidate { model: 1, ..Candidate::CALLBACK }])
    }

    fn failure(status: u16) -> Failure {
        Failure { message: format!("status {status}"), status: Some(status), ..Failure::default() }
    }

    /// What follows each of the failures, as milliseconds to wait, `next` or the error.
    fn check(candidates: &mut Candidates, failures: &[Failure], retry: &RetrySettings, expected: &[&str]) {
        let found: Vec<String> = failures
            .iter()
            .map(|failure| match candidates.failed(failure, ErrorCode::SummarizerFailed, retry) {
                Next::Again { wait_ms } => wait_ms.to_string(),
                Next::MoveOn => "next".to_owned(),
                Next::GiveUp(error) => error.message,
            })
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn what_passes_is_retried_with_a_delay_that_doubles() {
        let busy = failure(529);
        check(&mut two(), &vec![busy; 5], &RETRY, &["2000", "4000", "8000", "next", "2000"]);
    }

    #[test]
    fn a_server_may_ask_for_a_longer_wait() {
        let asks = |wait| Failure { retry_after_ms: Some(wait), ..failure(429) };
        check(&mut two(), &[asks(10_000), asks(1)], &RETRY, &["10000", "4000"]);
        check(&mut two(), &[asks(30_000), asks(30_001)], &RETRY, &["30000", "next"]);
        let last = [asks(40_000), asks(u64::MAX)];
        check(
            &mut two(),
            &last,
            &RETRY,
            &[
                "next",
                "every summariser failed: callback with model 1: status 429; the next attempt would have to wait 40000 ms, \
                 and retry.maxDelayMs allows 30000; callback with model 2: status 429; the next attempt would have to wait \
                 18446744073709551615 ms, and retry.maxDelayMs allows 30000",
            ],
        );
    }

    #[test]
    fn what_does_not_pass_moves_on_at_once() {
        for status in [400, 401, 402, 403, 404, 413] {
            check(&mut two(), &[failure(status)], &RETRY, &["next"]);
        }
        let overflow = || Failure { message: "prompt is too long: 9 tokens > 8 maximum".into(), ..failure(400) };
        check(&mut two(), &[overflow()], &RETRY, &["next"]);
        check(&mut two(), &[Failure { lasting: true, ..failure(503) }], &RETRY, &["next"]);
    }

    #[test]
    fn an_overflow_of_an_unknown_window_says_what_helps() {
        let overflow = || Failure { message: "prompt is too long: 9 tokens > 8 maximum".into(), ..failure(400) };
        let told = |context_window| {
            let mut one = Candidates::new(vec![Candidate { context_window, ..Candidate::CALLBACK }]);
            match one.failed(&overflow(), ErrorCode::SummarizerFailed, &RETRY) {
                Next::GiveUp(error) => error.message,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(told(Some(8)), overflow().message);
        assert_eq!(told(None), overflow().message + STATE_THE_WINDOW);
    }

    #[test]
    fn retries_can_be_switched_off() {
        let off = RetrySettings { enabled: false, ..RETRY };
        check(&mut two(), &[failure(503)], &off, &["next"]);
        check(&mut two(), &[failure(503)], &RetrySettings { max_retries: 0, ..RETRY }, &["next"]);
        // Delays never overflow, however many retries are allowed.
        let many = RetrySettings { max_retries: u64::MAX, base_delay_ms: 1, max_delay_ms: u64::MAX, ..RETRY };
        let mut candidates = two();
        let waits: Vec<Next> =
            (0..80).map(|_| candidates.failed(&failure(503), ErrorCode::SummarizerFailed, &many)).collect();
        assert_eq!(waits.last(), Some(&Next::Again { wait_ms: u64::MAX }));
    }

    #[test]
    fn a_refused_reply_is_asked_for_once_more() {
        let refused = || Error::new(ErrorCode::SummaryRefused, "empty");
        let mut candidates = two();
        assert_eq!(candidates.refused(refused()), Next::Again { wait_ms: 0 });
        assert_eq!(candidates.attempt(), 2);
        assert_eq!(candidates.refused(refused()), Next::MoveOn);
        assert_eq!((candidates.number(), candidates.attempt()), (2, 1));
        // Another request begins anew.
        assert_eq!(candidates.refused(refused()), Next::Again { wait_ms: 0 });
        candidates.next_request();
        assert_eq!(candidates.refused(refused()), Next::Again { wait_ms: 0 });
        assert!(
            matches!(candidates.refused(refused()), Next::GiveUp(error) if error.code == ErrorCode::SummaryRefused)
        );
    }
}
