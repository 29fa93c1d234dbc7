//! What an agent decides, does and says, case by case. A story is told in the words of
//! `session::testing`; `tests/agent` goes every path and lives at random.

use super::*;
use crate::compaction::{CompactionOutcome, Status};
use crate::error::{Error, ErrorCode};
use crate::event::Event;
use crate::hook::HookAnswer;
use crate::session::testing::{NOW, add, session};
use crate::step::{HostCommand, Reply, Save, Step};
use crate::summary::{Failure, Reply as Text, Summarizer};

mod by_hand;
mod checks;
mod endings;
mod navigations;
mod prunes;

/// A run at work.
struct Case {
    agent: Agent,
    session: Session,
    run: AgentRun,
    step: Step<AgentOutcome>,
    before: Vec<u8>,
}

/// A window of 1 000 tokens with a limit of 900, of which 30 are kept; a callback, no short summary.
fn options() -> AgentOptions {
    let mut settings = Settings::default();
    settings.compaction.reserve_tokens = Some(100);
    settings.compaction.keep_recent_tokens = Some(30);
    settings.compaction.short_summary = false;
    settings.branch_summary.reserve_tokens = Some(100);
    AgentOptions {
        settings,
        context_window: Some(1_000),
        fixed_tokens: None,
        model: None,
        candidates: vec![Candidate::CALLBACK],
        reach: Reach::default(),
    }
}

fn reaching(hooks: bool, store: bool, host: bool) -> AgentOptions {
    AgentOptions { reach: Reach { hooks, store, host }, ..options() }
}

/// Over the limit, and easy to compact.
const LARGE: [&str; 4] = ["U@500", "A@500", "U@10", "A@10"];

/// Adds a request that the provider refused as too large.
fn add_overflow(session: &mut Session) {
    add_refused(session, "prompt is too long: 210000 tokens > 200000 maximum", "");
}

fn add_refused(session: &mut Session, said: &str, rest: &str) {
    let message = format!(r#"{{"role":"assistant","content":[],"stopReason":"error","errorMessage":"{said}"{rest}}}"#);
    session.append(&format!(r#"{{"type":"message","message":{message}}}"#), NOW).unwrap();
}

/// A session whose last request overflowed.
fn overflowed(story: &[&str]) -> Session {
    let mut session = session(story);
    add_overflow(&mut session);
    session
}

fn start(session: Session, options: AgentOptions, command: Command) -> Case {
    go(Agent::new(options), session, command)
}

fn go(mut agent: Agent, mut session: Session, command: Command) -> Case {
    let before = session.to_jsonl();
    let Started { run, step } = agent.start(&mut session, command, NOW).unwrap();
    Case { agent, session, run, step, before }
}

fn turn_end(session: Session, options: AgentOptions) -> Case {
    start(session, options, Command::TurnEnd)
}

fn text(reply: &str) -> Reply {
    Reply::Summary(Text::text(reply))
}

fn thrown(message: &str) -> Reply {
    Reply::Failed(Failure { message: message.to_owned(), ..Failure::default() })
}

fn full() -> Reply {
    Reply::NotSaved(Error::new(ErrorCode::StorageFailed, "the disk is full"))
}

impl Case {
    fn resume(mut self, reply: Reply) -> Self {
        self.step = self.run.resume(&mut self.agent, &mut self.session, reply, NOW);
        self
    }

    /// Goes on with each of the replies.
    fn replies(self, replies: &[Reply]) -> Self {
        replies.iter().fold(self, |case, reply| case.resume(reply.clone()))
    }

    /// The same agent, with another command.
    fn again(self, command: Command) -> Self {
        self.outcome();
        go(self.agent, self.session, command)
    }

    fn outcome(&self) -> &AgentOutcome {
        match &self.step {
            Step::Done(outcome) => outcome,
            other => panic!("{other:?}"),
        }
    }

    fn turn(&self) -> &TurnOutcome {
        match self.outcome() {
            AgentOutcome::Turn(turn) => turn,
            other => panic!("{other:?}"),
        }
    }

    fn compaction(&self) -> &CompactionOutcome {
        match self.outcome() {
            AgentOutcome::Compaction(outcome) => outcome,
            AgentOutcome::Turn(TurnOutcome { compaction: Some(outcome), .. }) => outcome,
            other => panic!("{other:?}"),
        }
    }

    fn navigation(&self) -> &NavigateOutcome {
        match self.outcome() {
            AgentOutcome::Navigation(outcome) => outcome,
            other => panic!("{other:?}"),
        }
    }

    fn did(&self) -> (Action, Next) {
        (self.turn().action, self.turn().next)
    }

    /// Why there was nothing to do.
    fn nothing(&self) -> &'static str {
        self.compaction().nothing_to_do.as_ref().unwrap().as_str()
    }

    /// The events in a few words, without those of progress.
    fn events(&mut self) -> Vec<String> {
        let events = self.run.take_events();
        let told = |event: &Event| {
            Some(match event {
                Event::CompactionProgress { .. } => return None,
                Event::SessionCompact { reason, .. } => format!("session_compact {reason}"),
                Event::CompactionEnd { status, reason, .. } => format!("compaction_end {status} {reason}"),
                Event::AutoCompactionStart { reason } => format!("start {reason}"),
                Event::AutoCompactionEnd { reason, aborted, will_retry, error_message, .. } => {
                    let said = error_message.as_deref().unwrap_or("-");
                    format!("end {reason} aborted {aborted} retry {will_retry} {said}")
                }
                Event::Rewritten { results } => format!("rewritten {results:?}"),
                Event::SessionTree { new_leaf, old_leaf, summary_entry, from_extension } => {
                    format!("session_tree {new_leaf:?} from {old_leaf:?} with {summary_entry:?} {from_extension}")
                }
            })
        };
        events.iter().filter_map(told).collect()
    }

    /// Nothing has changed, and the session is free.
    fn check_unchanged(&self) {
        self.outcome();
        assert!(!self.session.is_locked());
        assert_eq!(String::from_utf8_lossy(&self.session.to_jsonl()), String::from_utf8_lossy(&self.before));
    }
}
