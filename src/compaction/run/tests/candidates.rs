//! Who is asked, how often, and what a run waits for.

use super::*;
use crate::summary::RemoteResponse;

/// Options with that many models of the callback.
fn models(count: usize) -> RunOptions {
    RunOptions {
        candidates: (0..count).map(|model| Candidate { model, ..Candidate::CALLBACK }).collect(),
        ..options(20)
    }
}

/// Options with an endpoint and the callback behind it.
fn with_endpoint() -> RunOptions {
    let mut options = models(1);
    options.settings.compaction.remote_endpoint = Some("https://summaries.example/fold".to_owned());
    options.candidates.insert(0, Candidate { summarizer: Summarizer::Remote, ..Candidate::CALLBACK });
    options
}

fn status(status: u16) -> Reply {
    Reply::Failed(Failure { message: format!("status {status}"), status: Some(status), ..Failure::default() })
}

fn responded(status: u16, body: &str) -> Reply {
    Reply::Responded(RemoteResponse { status, retry_after_ms: None, body: body.to_owned(), truncated: false })
}

/// What a run asks for in turn, told in short, each answered by the next reply.
fn check(options: RunOptions, replies: &[Reply], expected: &[&str]) -> Case {
    let mut case = start(&WHOLE_TURNS, options);
    let mut told = Vec::new();
    let mut replies = replies.iter();
    loop {
        let reply = match &case.step {
            Step::Summarize(asked) => {
                told.push(format!("model {} attempt {}", asked.model, asked.attempt));
                replies.next().cloned()
            }
            Step::Fetch(asked) => {
                told.push(format!("fetch {}", asked.url));
                replies.next().cloned()
            }
            Step::Sleep { wait_ms } => {
                told.push(format!("wait {wait_ms}"));
                Some(Reply::Slept)
            }
            Step::Done(outcome) => {
                told.push(format!("{} {}", outcome.status.as_str(), outcome.summarizer.map_or("", Summarizer::as_str)));
                break;
            }
            other => panic!("the run reaches no further: {other:?}"),
        };
        case = case.resume(reply.expect("a reply for each request"));
    }
    assert_eq!(told, expected);
    case
}

#[test]
fn candidates_are_asked_in_their_order() {
    check(
        models(3),
        &[status(401), text(""), text(""), text("Done")],
        &["model 0 attempt 1", "model 1 attempt 1", "model 1 attempt 2", "model 2 attempt 1", "committed callback"],
    );
}

#[test]
fn what_passes_is_waited_for() {
    check(
        models(1),
        &[status(529), status(503), text("Done")],
        &[
            "model 0 attempt 1",
            "wait 2000",
            "model 0 attempt 2",
            "wait 4000",
            "model 0 attempt 3",
            "committed callback",
        ],
    );
}

#[test]
fn a_wait_of_no_time_is_a_wait_too() {
    let mut options = models(1);
    options.settings.retry.base_delay_ms = 0;
    check(
        options,
        &[status(529), text("Done")],
        &["model 0 attempt 1", "wait 0", "model 0 attempt 2", "committed callback"],
    );
}

#[test]
fn a_candidate_that_failed_is_not_asked_again_in_the_run() {
    let mut case = start(&SPLIT, models(2)).resume(status(401)).replies(&["History"]);
    assert!(matches!(&case.step, Step::Summarize(asked) if asked.model == 1 && asked.attempt == 1));
    case = case.replies(&["Prefix"]);
    case.check_ended("committed");
}

#[test]
fn when_all_have_failed_the_error_names_each() {
    let mut case = start(&WHOLE_TURNS, models(2)).resume(thrown("no key")).resume(thrown("no network"));
    let message = case.outcome().error.as_ref().unwrap().message.clone();
    assert_eq!(message, "every summariser failed: callback with model 1: no key; callback with model 2: no network");
    case.check_unchanged("failed", Some(ErrorCode::SummarizerFailed));
}

#[test]
fn the_endpoint_comes_before_the_callback_and_the_local_summariser_last() {
    let url = "fetch https://summaries.example/fold";
    let ok = r###"{"summary":"## Goal\nDone"}"###;
    check(with_endpoint(), &[responded(200, ok)], &[url, "committed remote"]);
    check(with_endpoint(), &[responded(503, ""), responded(200, ok)], &[url, "wait 2000", url, "committed remote"]);
    check(with_endpoint(), &[responded(404, ""), text("Done")], &[url, "model 0 attempt 1", "committed callback"]);
    check(
        with_fallback(with_endpoint()),
        &[responded(401, ""), status(401)],
        &[url, "model 0 attempt 1", "committed local"],
    );
}

#[test]
fn a_failing_endpoint_is_an_error_of_its_own() {
    let mut options = with_endpoint();
    options.candidates.truncate(1);
    for reply in [responded(500, "<html>"), responded(200, "no JSON"), responded(200, "{}"), thrown("no route")] {
        options.settings.retry.enabled = false;
        let mut case = start(&WHOLE_TURNS, options.clone()).resume(reply);
        case.check_unchanged("failed", Some(ErrorCode::RemoteFailed));
    }
    // What it says is held to the same rules as any reply.
    let empty = || responded(200, r#"{"summary":" "}"#);
    let mut case = start(&WHOLE_TURNS, options).resume(empty()).resume(empty());
    case.check_unchanged("failed", Some(ErrorCode::SummaryRefused));
}

#[test]
fn an_abort_ends_a_wait() {
    let case = start(&WHOLE_TURNS, models(1)).resume(status(529));
    assert!(matches!(case.step, Step::Sleep { wait_ms: 2_000 }));
    let mut case = case.resume(Reply::Aborted);
    case.check_unchanged("cancelled", None);
}

#[test]
fn a_timeout_is_not_retried() {
    let late = Reply::Failed(Failure { message: "too late".into(), lasting: true, ..Failure::default() });
    check(models(2), &[late, text("Done")], &["model 0 attempt 1", "model 1 attempt 1", "committed callback"]);
}

#[test]
fn a_reply_that_nobody_asked_for_ends_the_run() {
    for reply in [Reply::Slept, Reply::Aborted] {
        let case = start(&WHOLE_TURNS, models(1)).resume(reply);
        assert_ne!(case.outcome().status, Status::Committed);
    }
    let mut case = start(&WHOLE_TURNS, models(1)).resume(status(503)).resume(text("too early"));
    case.check_unchanged("failed", Some(ErrorCode::Internal));
}

#[test]
fn events_tell_who_is_asked_and_what_is_waited_for() {
    let mut case = start(&WHOLE_TURNS, models(2)).resume(status(503)).resume(Reply::Slept).resume(status(401));
    case = case.replies(&["Done"]);
    let told: Vec<_> = case
        .run
        .take_events()
        .into_iter()
        .filter_map(|event| match event {
            Event::CompactionProgress { phase, candidate, attempt, wait_ms, .. } => {
                Some((phase, candidate, attempt, wait_ms))
            }
            _ => None,
        })
        .collect();
    assert_eq!(
        told,
        [
            ("history", 1, 1, None),
            ("history", 1, 2, Some(2_000)),
            ("history", 1, 2, None),
            ("history", 2, 1, None),
            ("save", 2, 1, None),
        ]
    );
}

#[test]
fn a_failure_that_says_nothing_is_told_as_one() {
    let mut case = start(&WHOLE_TURNS, options(20)).resume(thrown(" "));
    assert_eq!(case.outcome().error.as_ref().unwrap().message, "it failed without a reason");
    case.check_unchanged("failed", Some(ErrorCode::SummarizerFailed));
}
