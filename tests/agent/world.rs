//! A simulated world: a session, an agent beside it, a store and a clock, and the loop that carries out
//! what a run asks for.

use crate::ledger::{Done, Ledger};
use crate::rules;
use crate::store::Store;
use threadfold::agent::{Agent, AgentOptions, AgentOutcome, Command, State};
use threadfold::error::Error;
use threadfold::event::Event;
use threadfold::session::{ContextUsage, Session, UsageQuery};
use threadfold::step::{Reply, Save, Step};

/// A clock that moves where it is told to.
#[derive(Debug, Default)]
pub(crate) struct Clock {
    milliseconds: u64,
}

impl Clock {
    pub(crate) fn advance(&mut self, milliseconds: u64) {
        self.milliseconds += milliseconds;
    }

    /// The time as ISO 8601, behind that of every record of a file.
    pub(crate) fn now(&self) -> String {
        let (seconds, rest) = (self.milliseconds / 1_000, self.milliseconds % 1_000);
        let (day, hour) = (1 + seconds / 86_400, seconds / 3_600 % 24);
        assert!(day <= 31, "a life of more than a month");
        format!("2026-01-{day:02}T{hour:02}:{:02}:{:02}.{rest:03}Z", seconds / 60 % 60, seconds % 60)
    }
}

pub(crate) struct World {
    pub(crate) session: Session,
    pub(crate) agent: Agent,
    pub(crate) store: Store,
    pub(crate) clock: Clock,
}

/// Who answers the steps of a run. What they do to the world meanwhile is their business.
pub(crate) trait Outside {
    fn answer(&mut self, world: &mut World, step: &Step<AgentOutcome>) -> Reply;
}

/// One step of a run, and what was answered to it.
pub(crate) struct Told {
    pub(crate) step: Step<AgentOutcome>,
    pub(crate) reply: Reply,
    /// What the engine did with the reply.
    pub(crate) done: Done,
}

/// A run that was carried out.
pub(crate) struct Ran {
    pub(crate) command: Command,
    pub(crate) options: AgentOptions,
    /// What the engine did before its first step.
    pub(crate) begun: Done,
    pub(crate) told: Vec<Told>,
    pub(crate) events: Vec<Event>,
    pub(crate) states: Vec<(State, State)>,
    pub(crate) outcome: AgentOutcome,
    /// The leaf before.
    pub(crate) leaf: Option<String>,
    /// The context size before and after.
    pub(crate) sizes: (ContextUsage, ContextUsage),
    /// Whether anybody but the engine changed the session meanwhile.
    pub(crate) disturbed: bool,
}

impl World {
    pub(crate) fn new(session: Session, options: AgentOptions) -> Self {
        let store = Store::of(&session);
        Self { session, agent: Agent::new(options), store, clock: Clock::default() }
    }

    pub(crate) fn append(&mut self, json: &str) {
        self.clock.advance(1);
        self.session.append(json, &self.clock.now()).expect("an entry");
    }

    fn size(&self, options: &AgentOptions) -> ContextUsage {
        let AgentOptions { context_window, fixed_tokens, .. } = *options;
        let query = UsageQuery { context_window, reserve_tokens: 0, pending_tokens: 0, fixed_tokens };
        self.session.context_usage(self.session.leaf(), &query)
    }

    /// Carries a command out to its end, and holds the rules after each step.
    pub(crate) fn carry_out(&mut self, command: Command, outside: &mut dyn Outside) -> Result<Ran, Error> {
        let start = Ledger::of(&self.session);
        let options = self.agent.options.clone();
        let size = self.size(&options);
        let now = self.clock.now();
        let started = match self.agent.start(&mut self.session, command.clone(), &now) {
            Ok(started) => started,
            Err(error) => {
                assert_eq!(start.changed(&self.session), Done::default(), "refused, and changed: {error}");
                assert!(!self.session.is_locked(), "refused, and locked: {error}");
                return Err(error);
            }
        };
        let (mut run, mut step) = (started.run, started.step);
        let mut ran = Ran {
            command,
            options,
            begun: start.changed(&self.session),
            told: Vec::new(),
            events: Vec::new(),
            states: vec![(State::Idle, run.state())],
            outcome: AgentOutcome::Navigation(Default::default()),
            leaf: start.leaf().map(str::to_owned),
            sizes: (size, size),
            disturbed: false,
        };
        rules::hold_after_a_step(self, &ran.begun, None);
        loop {
            let events = run.take_events();
            rules::events_tell_no_future(&ran.events, &events, &step);
            ran.events.extend(events);
            if let Step::Done(outcome) = &step {
                ran.outcome = (**outcome).clone();
                break;
            }
            assert!(self.session.is_locked(), "a run is under way, and the session is free");
            assert!(ran.told.len() < MOST_STEPS, "a run of more than {MOST_STEPS} steps");
            let lines = self.store.asked(&self.session, &step);
            let before = Ledger::of(&self.session);
            let reply = outside.answer(self, &step);
            let meanwhile = Ledger::of(&self.session);
            ran.disturbed |= before != meanwhile;
            // What the store may have written counts as written.
            if !matches!(reply, Reply::NotSaved(_)) {
                self.store.write(lines);
            }
            self.clock.advance(1);
            let from = run.state();
            let refused = match &step {
                Step::Save(Save::Entry(entry)) if matches!(reply, Reply::NotSaved(_)) => {
                    Some(before.id_at(*entry).to_owned())
                }
                _ => None,
            };
            let next = run.resume(&mut self.agent, &mut self.session, reply.clone(), &self.clock.now());
            ran.states.push((from, run.state()));
            let done = meanwhile.changed(&self.session);
            rules::hold_after_a_step(self, &done, refused.as_deref());
            ran.told.push(Told { step: std::mem::replace(&mut step, next), reply, done });
        }
        // Whatever it is told later, it says the same again, and does nothing.
        let end = Ledger::of(&self.session);
        for late in [Reply::Aborted, Reply::Saved] {
            let again = run.resume(&mut self.agent, &mut self.session, late, &self.clock.now());
            assert_eq!(again, Step::Done(Box::new(ran.outcome.clone())));
        }
        assert_eq!((end.changed(&self.session), run.take_events()), (Done::default(), Vec::new()));
        assert!(!self.session.is_locked(), "the run has ended, and holds the session");
        if ran.options.reach.store {
            self.store.flush(&self.session);
        } else {
            self.store = Store::of(&self.session);
        }
        ran.sizes.1 = self.size(&ran.options);
        rules::hold_at_the_end(self, &ran);
        Ok(ran)
    }
}

/// No run takes more: each part of each summary, by each candidate, with its retries.
const MOST_STEPS: usize = 2_000;
