//! Whatever summarisers answer, a run ends within its bounds, and has stored one good summary or
//! changed nothing.

use crate::check;
use crate::support::naive::{path, refusal, view};
use crate::support::records::{Wildness, records};
use crate::support::tree::{Version, jsonl};
use crate::support::{NOW, load, settings};
use proptest::prelude::*;
use threadfold::compaction::{CompactionRun, RunOptions, Status};
use threadfold::event::Event;
use threadfold::settings::Fallback;
use threadfold::step::{Reply, Step};
use threadfold::summary::{Candidate, Failure, RemoteResponse, ReplyEnd, Summarizer};
use threadfold::{session::Session, summary};

/// An answer of a summariser. Each is given once, the last again and again.
#[derive(Debug, Clone)]
enum Answer {
    Text(String, ReplyEnd, Option<String>),
    Prompt,
    Failure(Failure),
    Response(u16, Option<u64>, String, bool),
    Abort,
}

fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => Just("## Goal\nShip it.".to_owned()),
        1 => Just(String::new()),
        1 => Just(" \u{200b}\n".to_owned()),
        1 => Just("```markdown\n## Goal\nShip it.\n```".to_owned()),
        1 => Just("<think>Hm.".to_owned()),
        1 => Just("{\"error\":{\"message\":\"overloaded\"}}".to_owned()),
        1 => Just("<tool_call>{\"name\":\"read\"}</tool_call>".to_owned()),
        1 => Just("long ".repeat(2_000)),
        1 => any::<String>(),
    ]
}

fn answers() -> impl Strategy<Value = Answer> {
    let end = prop_oneof![
        8 => Just(ReplyEnd::Finished), 1 => Just(ReplyEnd::Length), 1 => Just(ReplyEnd::ToolCall),
        1 => Just(ReplyEnd::Error), 1 => Just(ReplyEnd::Aborted)];
    let said = prop_oneof![Just("overloaded, 529"), Just("429: try again in 20 s"), Just("no key"), Just("")];
    let status = prop_oneof![Just(200), Just(0), Just(301), Just(401), Just(413), Just(429), Just(500), Just(529)];
    let wait = prop::option::of(prop_oneof![0_u64..40_000, Just(u64::MAX)]);
    let body = prop_oneof![Just("{\"summary\":\"## Goal\\nShip it.\"}".to_owned()), Just("{}".to_owned()), texts()];
    prop_oneof![
        6 => (texts(), end, prop::option::weighted(0.1, any::<String>())).prop_map(|(t, e, m)| Answer::Text(t, e, m)),
        1 => Just(Answer::Prompt),
        4 => (said, prop::option::of(400_u16..600), wait.clone(), any::<bool>()).prop_map(|(said, status, wait, lasting)| {
            Answer::Failure(Failure { message: said.to_owned(), status, retry_after_ms: wait, lasting })
        }),
        4 => (status, wait, body, prop::bool::weighted(0.1)).prop_map(|(s, w, b, t)| Answer::Response(s, w, b, t)),
        1 => Just(Answer::Abort),
    ]
}

/// What a run is told, where `answer` fits what it asks for.
fn reply(answer: &Answer, asked: &Step<threadfold::compaction::CompactionOutcome>) -> Reply {
    match (asked, answer) {
        (_, Answer::Abort) => Reply::Aborted,
        (_, Answer::Failure(failure)) => Reply::Failed(failure.clone()),
        (Step::Fetch(_), Answer::Response(status, retry_after_ms, body, truncated)) => {
            let (status, retry_after_ms, body, truncated) = (*status, *retry_after_ms, body.clone(), *truncated);
            Reply::Responded(RemoteResponse { status, retry_after_ms, body, truncated })
        }
        (Step::Fetch(asked), _) => {
            let body = summary::request_body(&asked.request);
            Reply::Responded(RemoteResponse { status: 200, retry_after_ms: None, body, truncated: false })
        }
        (Step::Summarize(asked), Answer::Prompt) => Reply::Summary(summary::Reply::text(asked.request.prompt.clone())),
        (_, Answer::Text(text, end, error)) => {
            Reply::Summary(summary::Reply { text: text.clone(), end: *end, error_message: error.clone() })
        }
        (_, Answer::Response(_, _, body, _)) => Reply::Summary(summary::Reply::text(body.clone())),
        (_, Answer::Prompt) => Reply::Summary(summary::Reply::text("prompt")),
    }
}

/// The entries of the view, and what stands in the file.
fn seen(session: &Session) -> (Vec<u32>, Vec<u8>) {
    (view(session, &path(session, session.leaf())).1, session.to_jsonl())
}

#[test]
fn every_run_ends_within_its_bounds_and_stores_a_good_summary_or_nothing() {
    let windows = prop::collection::vec(prop::option::of(prop_oneof![Just(900_u64), 1_500..4_000_u64]), 0..3);
    let values = (
        records(Wildness { ids_again: true, damage: true }, 30),
        (0_u64..60, any::<bool>(), any::<bool>(), any::<bool>()),
        windows,
        prop::collection::vec(answers(), 1..12),
        0_u64..5,
    );
    check("answers at random", values, |(records, (keep, short, local, endpoint), windows, answers, retries)| {
        let mut session = load(jsonl(Version::Three, &records));
        let (before, file) = seen(&session);
        let leaf = session.leaf();
        let mut settings = settings(200, keep);
        settings.compaction.short_summary = short;
        settings.retry.max_retries = retries;
        settings.fallback = if local { Fallback::Local } else { Fallback::None };
        settings.compaction.remote_endpoint = endpoint.then(|| "https://summaries.example".to_owned());
        let remote = endpoint.then_some(Candidate { summarizer: Summarizer::Remote, ..Candidate::CALLBACK });
        let callbacks = windows.iter().enumerate().map(|(model, &context_window)| Candidate {
            model,
            context_window,
            ..Candidate::CALLBACK
        });
        let candidates: Vec<Candidate> = remote.into_iter().chain(callbacks).collect();
        // Each part of each summary, by each candidate: the first attempt, the one with the reason why
        // the reply was refused, and the retries. A record of this size has less than 40 parts.
        let most = (candidates.len() as u64 + 2) * (2 + retries) * 40;
        let options = RunOptions::new(settings, candidates);
        let started = CompactionRun::start(&mut session, options, NOW).unwrap();
        let (mut run, mut step) = (started.run, started.step);
        let (mut asked, mut waited) = (0, 0);
        let mut answers = answers.iter().peekable();
        let outcome = loop {
            if let Step::Done(outcome) = step {
                break outcome;
            }
            if let Step::Summarize(asked) = &step
                && let Some(window) = windows.get(asked.model).copied().flatten()
            {
                // The reason in a second attempt may be as long as a tiny window leaves free.
                let taken = asked.request.prompt_tokens + asked.request.max_tokens;
                prop_assert!(taken <= window || asked.attempt > 1, "{taken} tokens for a window of {window}");
            }
            let told = match &step {
                Step::Sleep { wait_ms } => {
                    prop_assert!(*wait_ms > 0 && *wait_ms <= 30_000, "a wait of {wait_ms} ms");
                    waited += 1;
                    Reply::Slept
                }
                _ => {
                    let answer = answers.peek().copied().unwrap();
                    if answers.len() > 1 {
                        answers.next();
                    }
                    asked += 1;
                    reply(answer, &step)
                }
            };
            prop_assert!(asked <= most && waited <= asked, "{asked} requests, {waited} waits");
            step = run.resume(&mut session, told, NOW);
        };
        prop_assert!(!session.is_locked());
        let events = run.take_events();
        let ends = events.iter().filter(|event| matches!(event, Event::CompactionEnd { .. })).count();
        prop_assert_eq!(ends, 1, "{:?}", events);
        if outcome.status == Status::Committed {
            let entry = session.entry(outcome.entry.unwrap()).unwrap();
            let summary = &entry.compaction().unwrap().summary;
            prop_assert!(!summary.trim().is_empty() && !summary.starts_with("<think>"), "{}", summary);
            prop_assert!(session.to_jsonl().starts_with(&file));
        } else {
            prop_assert_eq!((seen(&session), session.leaf()), ((before, file), leaf));
        }
        let context = session.build_session_context(session.leaf());
        prop_assert_eq!(refusal(&session, &context), None);
        Ok(())
    });
}
