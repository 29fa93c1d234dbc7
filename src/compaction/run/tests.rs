//! Every path of the state machine. A story is told in the words of `session::testing`.

use super::*;
use crate::event::Event;
use crate::session::testing::{NOW, add, session};
use crate::session::{Index, Preset};
use crate::settings::Fallback;
use crate::summary::{Failure, Reply as Text, SummaryRequest};

mod aborts;
mod candidates;
mod endings;
mod folding;
mod folds;
mod hooks;
mod requests;
mod saving;

/// A run at work on its session.
struct Case {
    session: Session,
    run: CompactionRun,
    step: Step<CompactionOutcome>,
    before: Vec<u8>,
}

/// Options with both budgets set, a callback and no short summary.
fn options(keep: u64) -> RunOptions {
    let mut settings = Settings::default();
    settings.compaction.reserve_tokens = Some(1_000);
    settings.compaction.keep_recent_tokens = Some(keep);
    settings.compaction.short_summary = false;
    RunOptions::new(settings, vec![Candidate::CALLBACK])
}

/// The same with a short summary.
fn with_short(keep: u64) -> RunOptions {
    let mut options = options(keep);
    options.settings.compaction.short_summary = true;
    options
}

/// The same with the local summariser behind the callback.
fn with_fallback(mut options: RunOptions) -> RunOptions {
    options.settings.fallback = Fallback::Local;
    options
}

fn start(story: &[&str], options: RunOptions) -> Case {
    start_on(session(story), options)
}

fn start_on(mut session: Session, options: RunOptions) -> Case {
    let before = session.to_jsonl();
    let Started { run, step } = CompactionRun::start(&mut session, options, NOW).unwrap();
    Case { session, run, step, before }
}

fn text(reply: &str) -> Reply {
    Reply::Summary(Text::text(reply))
}

fn thrown(message: &str) -> Reply {
    Reply::Failed(Failure { message: message.to_owned(), ..Failure::default() })
}

impl Case {
    fn resume(mut self, reply: Reply) -> Self {
        self.step = self.run.resume(&mut self.session, reply, NOW);
        self
    }

    /// Goes on with each of the replies.
    fn replies(self, replies: &[&str]) -> Self {
        replies.iter().fold(self, |case, reply| case.resume(text(reply)))
    }

    fn request(&self) -> &SummaryRequest {
        match &self.step {
            Step::Summarize(asked) => &asked.request,
            other => panic!("{other:?}"),
        }
    }

    fn attempt(&self) -> u32 {
        match &self.step {
            Step::Summarize(asked) => asked.attempt,
            other => panic!("{other:?}"),
        }
    }

    fn asked_for(&self) -> &'static str {
        self.request().kind.as_str()
    }

    fn outcome(&self) -> &CompactionOutcome {
        match &self.step {
            Step::Done(outcome) => outcome,
            other => panic!("{other:?}"),
        }
    }

    /// The compaction that a committed run stored.
    fn stored(&self) -> &crate::entry::Compaction {
        assert_eq!(self.outcome().status, Status::Committed, "{:?}", self.outcome());
        self.session.entry(self.outcome().entry.unwrap()).unwrap().compaction().unwrap()
    }

    /// Nothing has changed, the lock is free, and the run said once how it ended.
    fn check_unchanged(&mut self, status: &str, code: Option<ErrorCode>) {
        assert_eq!(self.outcome().status.as_str(), status);
        assert_eq!(self.outcome().error.as_ref().map(|error| error.code), code, "{:?}", self.outcome().error);
        assert_eq!((self.outcome().entry, self.outcome().tokens_after), (None, None));
        assert_eq!(String::from_utf8_lossy(&self.session.to_jsonl()), String::from_utf8_lossy(&self.before));
        self.check_ended(status);
    }

    /// The lock is free and there was one terminal event, the last.
    fn check_ended(&mut self, status: &str) {
        assert!(!self.session.is_locked());
        let events = self.run.take_events();
        let ends: Vec<&str> = events
            .iter()
            .filter_map(|event| if let Event::CompactionEnd { status, .. } = event { Some(*status) } else { None })
            .collect();
        assert_eq!(ends, [status], "{events:?}");
        assert!(matches!(events.last(), Some(Event::CompactionEnd { .. })));
    }
}

/// A history of two turns, of which the second is kept.
const WHOLE_TURNS: [&str; 4] = ["U@30", "A@30", "U@10", "A@10"];
/// The cut falls into the second turn.
const SPLIT: [&str; 5] = ["U@30", "A@30", "U@30", "A@30", "A@10"];
/// One turn and nothing before it.
const ONE_TURN: [&str; 3] = ["U@30", "A@30", "A@10"];

/// The requests that a run makes until it ends, each answered with a short text.
fn kinds(story: &[&str], options: RunOptions) -> Vec<&'static str> {
    let mut case = start(story, options);
    let mut kinds = Vec::new();
    while let Step::Summarize(asked) = &case.step {
        kinds.push(asked.request.kind.as_str());
        case = case.resume(text("Done"));
    }
    case.stored();
    kinds
}

#[test]
fn requests_come_in_their_order() {
    let folded = |story: &[&'static str]| [&["U@30", "A@30", "U@10", "A@10", "K:2"][..], story].concat();
    assert_eq!(kinds(&WHOLE_TURNS, options(20)), ["history"]);
    assert_eq!(kinds(&SPLIT, options(10)), ["history", "turn-prefix"]);
    assert_eq!(kinds(&ONE_TURN, options(10)), ["turn-prefix"]);
    assert_eq!(kinds(&WHOLE_TURNS, with_short(20)), ["history", "short"]);
    assert_eq!(kinds(&SPLIT, with_short(10)), ["history", "turn-prefix", "short"]);
    assert_eq!(kinds(&folded(&["U@30", "A@10"]), options(40)), ["update"]);
    assert_eq!(kinds(&folded(&["U@30", "A@10", "A@10"]), options(10)), ["update", "turn-prefix"]);
}

#[test]
fn a_committed_run_says_what_it_did() {
    let mut case = start(&SPLIT, with_short(10)).replies(&["History", "Prefix", "Short"]);
    let kept = case.session.entry(4).unwrap().id.clone();
    let stored = case.stored().clone();
    assert_eq!(stored.summary, "History\n\n---\n\n**Turn Context (split turn):**\n\nPrefix",);
    assert_eq!(stored.short_summary.as_deref(), Some("Short"));
    assert_eq!((&*stored.first_kept_entry_id, stored.tokens_before, stored.from_extension), (&*kept, 130, false));
    let outcome = case.outcome().clone();
    assert_eq!((outcome.entry, outcome.tokens_before, outcome.summarizer), (Some(5), 130, Some(Summarizer::Callback)));
    // The summary takes 14 tokens, what is kept 10.
    let summary = crate::tokens::estimate_text(&stored.summary, case.session.token_rule());
    assert_eq!(outcome.tokens_after, Some(summary + 10));
    let progress = outcome.progress.unwrap();
    assert_eq!((progress.sufficient, progress.estimate_before, progress.estimate_after), (true, 130, summary + 10));
    assert_eq!(outcome.warnings, ["unstructured"]);
    assert_eq!(case.session.leaf(), Some(5));
    case.check_ended("committed");
}

#[test]
fn events_number_the_requests() {
    let mut case = start(&SPLIT, with_short(10)).replies(&["", "History", "Prefix", "Short"]);
    let told: Vec<String> = case
        .run
        .take_events()
        .iter()
        .map(|event| match event {
            Event::CompactionProgress { phase, request, requests, summarizer, candidate, attempt, wait_ms } => {
                assert_eq!((*summarizer, *candidate, *wait_ms), ("callback", 1, None));
                format!("{phase} {request}/{requests} attempt {attempt}")
            }
            Event::SessionCompact { entry, from_extension, reason } => {
                format!("compact {entry} {from_extension} {reason}")
            }
            Event::CompactionEnd { status, reason, summarizer, tokens_before, .. } => {
                format!("{status} {reason} {summarizer:?} {tokens_before}")
            }
            other => panic!("no event of a run by hand: {other:?}"),
        })
        .collect();
    assert_eq!(
        told,
        [
            "history 1/3 attempt 1",
            "history 1/3 attempt 2",
            "turn-prefix 2/3 attempt 1",
            "short 3/3 attempt 1",
            "save 3/3 attempt 1",
            "compact 5 false manual",
            "committed manual Some(\"callback\") 130",
        ]
    );
    assert_eq!(case.run.take_events(), []);
}
