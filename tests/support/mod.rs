//! What the integration tests share: sessions, runs that are carried out, and rules told naively.

// Each test binary uses its own part of this module.
#![allow(dead_code)]

pub(crate) mod check;
pub(crate) mod damage;
pub(crate) mod entries;
pub(crate) mod naive;
pub(crate) mod records;
pub(crate) mod saving;
pub(crate) mod sessions;
pub(crate) mod tree;

use threadfold::compaction::{CompactionOutcome, CompactionRun, Prepare, RunOptions, Trigger};
use threadfold::entry::Entry;
use threadfold::event::Event;
use threadfold::session::{Index, Preset, Session};
use threadfold::settings::Settings;
use threadfold::step::{Reply, Step};
use threadfold::summary::Candidate;
use threadfold::summary::SummaryRequest;

/// The time of everything that tests append.
pub(crate) const NOW: &str = "2026-01-01T00:00:00.000Z";

/// A time behind [`NOW`], so many seconds.
pub(crate) fn later(seconds: usize) -> String {
    format!("2026-01-01T{:02}:{:02}:{:02}.000Z", seconds / 3_600, seconds / 60 % 60, seconds % 60)
}

pub(crate) fn load(bytes: impl Into<Vec<u8>>) -> Session {
    Session::from_jsonl(bytes.into(), Preset::Safe, 7).expect("a session")
}

pub(crate) fn entry(session: &Session, index: Index) -> &Entry {
    session.entry(index).expect("an entry")
}

pub(crate) fn id(session: &Session, index: Index) -> &str {
    &entry(session, index).id
}

/// Settings with both budgets set.
pub(crate) fn settings(reserve: u64, keep: u64) -> Settings {
    let mut settings = Settings::default();
    settings.compaction.reserve_tokens = Some(reserve);
    settings.compaction.keep_recent_tokens = Some(keep);
    settings
}

pub(crate) fn prepare(settings: &Settings) -> Prepare<'_> {
    Prepare { settings, context_window: None, fixed_tokens: None, pending_tokens: 0, trigger: Trigger::Manual }
}

pub(crate) fn options(settings: &Settings, candidate: Candidate) -> RunOptions {
    RunOptions::new(settings.clone(), vec![candidate])
}

/// A reply that may be stored, as short as one can be.
pub(crate) fn done() -> Reply {
    Reply::Summary(threadfold::summary::Reply::text("Done"))
}

/// A run that was carried out.
pub(crate) struct Ran {
    pub(crate) outcome: CompactionOutcome,
    pub(crate) requests: Vec<SummaryRequest>,
    pub(crate) events: Vec<Event>,
}

/// Carries a run out, each request answered by `reply`.
pub(crate) fn run(session: &mut Session, options: RunOptions, mut reply: impl FnMut(&SummaryRequest) -> Reply) -> Ran {
    let started = CompactionRun::start(session, options, NOW).expect("a run");
    let (mut run, mut step) = (started.run, started.step);
    let mut requests = Vec::new();
    loop {
        match step {
            Step::Done(outcome) => return Ran { outcome: *outcome, requests, events: run.take_events() },
            Step::Summarize(asked) => {
                let answer = reply(&asked.request);
                requests.push((*asked.request).clone());
                step = run.resume(session, answer, NOW);
            }
            Step::Sleep { .. } => step = run.resume(session, Reply::Slept, NOW),
            other => unreachable!("the run reaches no further: {other:?}"),
        }
    }
}
