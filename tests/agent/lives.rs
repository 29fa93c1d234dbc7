//! Lives of agents at random: a host that appends, checks, compacts, navigates, changes models and
//! settings, and acts on what it is told like a real loop.

use crate::chance::Chance;
use crate::deeds::{Deed, Kind, Usage, deeds, options, wildness};
use crate::outside::{Random, Wildness};
use crate::support::check::check_all;
use crate::support::entries::{TOO_LONG, refused, result, says, turn, usage};
use crate::support::records::{Record, Wildness as Records, records};
use crate::support::tree::{Version, jsonl};
use crate::support::{entry, load};
use crate::world::{Ran, World};
use proptest::prelude::*;
use std::cell::RefCell;
use std::collections::BTreeMap;
use threadfold::agent::{Action, AgentOptions, AgentOutcome, Command, NavigateOutcome, Next};
use threadfold::compaction::{CompactionOutcome, Status};
use threadfold::entry::StopReason;
use threadfold::event::Event;
use threadfold::session::Session;
use threadfold::step::Step;
use threadfold::summary::Summarizer;

/// A life under way.
struct Life<'a> {
    world: World,
    outside: Random<'a>,
    /// How many calls were made, for their ids.
    calls: usize,
    /// Whether the request was sent again, and no good turn and nothing that the user said came since.
    sent_again: bool,
    /// What happened, and how often.
    seen: &'a mut BTreeMap<String, usize>,
}

/// How often a host goes on by itself before it waits for the user.
const MOST_TURNS: usize = 4;

impl Life<'_> {
    fn run(&mut self, command: Command) -> Option<Ran> {
        let ran = self.world.carry_out(command, &mut self.outside).ok()?;
        for word in words(&ran) {
            *self.seen.entry(word).or_default() += 1;
        }
        if ran.disturbed || matches!(ran.outcome, AgentOutcome::Navigation(_)) {
            // The path may be another one.
            self.sent_again = false;
        }
        Some(ran)
    }

    fn open_calls(session: &Session) -> Vec<String> {
        let context = session.build_session_context(session.leaf());
        context.pending_tool_calls.iter().map(|call| call.tool_call_id.to_string()).collect()
    }

    fn answer_calls(&mut self, words: usize) {
        for call in Self::open_calls(&self.world.session) {
            self.world.append(&result(&call, words));
        }
    }

    /// The model answers.
    fn turn(&mut self, kind: Kind) {
        let model = r#","provider":"p","model":"m""#;
        let counted = |world: &World, counted: Usage, words: usize| {
            let AgentOptions { fixed_tokens, .. } = world.agent.options;
            let view = world.session.estimated_view(world.session.leaf()).tokens;
            let honest = view + fixed_tokens.unwrap_or(20) + words as u64;
            match counted {
                Usage::Nothing => String::new(),
                Usage::Zero => usage(0),
                Usage::Honest => usage(honest),
                Usage::Wrong(times) => usage(honest * times),
            }
        };
        let json = match kind {
            Kind::Good { words, calls, usage } => {
                self.sent_again = false;
                let names: Vec<String> = (0..calls).map(|call| format!("life-{}", self.calls + call)).collect();
                self.calls += calls;
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                let stop = if calls > 0 { "toolUse" } else { "stop" };
                turn(words, &names, stop, &(counted(&self.world, usage, words) + model))
            }
            Kind::CutOff { words, usage } => {
                self.sent_again = false;
                turn(words, &[], "length", &(counted(&self.world, usage, words) + model))
            }
            Kind::TooLong { other_model: false } => refused(TOO_LONG),
            Kind::TooLong { other_model: true } => {
                turn(1, &[], "error", &format!(r#","errorMessage":"{TOO_LONG}","provider":"p","model":"another""#))
            }
            Kind::Overloaded => refused("overloaded, 529"),
            Kind::Stopped => turn(3, &[], "aborted", model),
        };
        self.world.append(&json);
    }

    /// A turn has ended: the agent is asked, and the host goes on as it is told.
    fn turn_end(&mut self, kinds: &mut Chance) {
        let mut was_cut_off = false;
        for _ in 0..MOST_TURNS {
            let Some(ran) = self.run(Command::TurnEnd) else { return };
            let AgentOutcome::Turn(outcome) = &ran.outcome else { panic!("{:?}", ran.outcome) };
            let status = outcome.compaction.as_ref().map(|compaction| compaction.status);
            if matches!(status, Some(Status::Failed | Status::Cancelled)) && !ran.disturbed {
                self.it_cools_down(&ran);
            }
            match outcome.next {
                Next::Wait => {
                    self.sent_again &= !was_cut_off;
                    return;
                }
                Next::Continue => {
                    assert!(!self.sent_again, "sent again twice, and nothing good between: {:?}", ran.events);
                    self.sent_again = !ran.disturbed;
                }
                Next::Prompt => {
                    let open = Self::open_calls(&self.world.session);
                    assert!(open.is_empty() || ran.disturbed, "prompted while {open:?} await their result");
                    self.world.append(&says("Continue if you have next steps."));
                    self.sent_again = false;
                }
            }
            let kind = [
                Kind::Good { words: 20, calls: 0, usage: Usage::Honest },
                Kind::TooLong { other_model: false },
                Kind::CutOff { words: 9, usage: Usage::Wrong(9) },
                Kind::Overloaded,
            ];
            let sent_again = self.sent_again;
            self.turn(*kinds.pick(&kind));
            // One that is no good turn, or may overflow again by its size alone.
            was_cut_off = !self.sent_again && sent_again && !Self::ends_well(&self.world.session);
            self.sent_again |= was_cut_off;
        }
    }

    fn ends_well(session: &Session) -> bool {
        let newest = session.leaf().and_then(|leaf| entry(session, leaf).assistant());
        newest.is_some_and(|turn| turn.stop_reason == StopReason::Stop)
    }

    /// What has failed or was cancelled is not started again before something new was said.
    fn it_cools_down(&mut self, failed: &Ran) {
        let Some(again) = self.run(Command::TurnEnd) else { return };
        let started = |ran: &Ran| ran.events.iter().any(|event| matches!(event, Event::AutoCompactionStart { .. }));
        let asked = |ran: &Ran| ran.told.iter().any(|told| matches!(told.step, Step::Summarize(_) | Step::Fetch(_)));
        if again.disturbed || again.options.settings != failed.options.settings {
            return;
        }
        assert!(!started(&again) && !asked(&again), "{:?} after {:?}", again.events, failed.events);
        let AgentOutcome::Turn(outcome) = &again.outcome else { panic!("{:?}", again.outcome) };
        assert_ne!(outcome.action, Action::Compacted);
    }

    fn live(&mut self, deed: &Deed, options: &[AgentOptions], kinds: &mut Chance) {
        let instructions = |wanted: bool| wanted.then(|| "Mind the café.".to_owned());
        match deed {
            Deed::User(words) => {
                self.sent_again = false;
                self.world.append(&crate::support::entries::user(*words));
            }
            Deed::Turn(kind) => {
                self.turn(*kind);
                self.turn_end(kinds);
            }
            Deed::Results(words) => self.answer_calls(*words),
            Deed::Append => {
                self.sent_again = false;
                self.outside.append(&mut self.world);
            }
            Deed::TurnEnd => self.turn_end(kinds),
            Deed::BeforePrompt { pending_tokens, from_user } => {
                self.run(Command::BeforePrompt { pending_tokens: *pending_tokens, from_user: *from_user });
            }
            Deed::Compact { instructions: wanted } => {
                self.run(Command::Compact { custom_instructions: instructions(*wanted) });
            }
            Deed::Navigate { pick, summarize, instructions: wanted } if !self.world.session.is_empty() => {
                let target = pick.index(self.world.session.len()) as u32;
                let custom_instructions = instructions(*wanted);
                self.run(Command::Navigate { target, summarize: *summarize, custom_instructions });
            }
            Deed::Navigate { .. } => {}
            Deed::Options(pick) => self.world.agent.options = options[pick.index(options.len())].clone(),
        }
    }
}

/// What a run came to, in words.
fn words(ran: &Ran) -> Vec<String> {
    let mut words = vec!["run".to_owned()];
    let mut compaction = |outcome: &CompactionOutcome| {
        let reason = outcome.nothing_to_do.as_ref().map(|nothing| nothing.as_str());
        let error = outcome.error.as_ref().map(|error| error.code.as_str());
        let summarizer = outcome.summarizer.map(Summarizer::as_str);
        let word = reason.or(error).or(summarizer).unwrap_or("-");
        words.push(format!("{} {word}", outcome.status.as_str()));
    };
    match &ran.outcome {
        AgentOutcome::Compaction(outcome) => compaction(outcome),
        AgentOutcome::Turn(turn) => {
            turn.compaction.iter().for_each(compaction);
            words.push(format!("{} {}", turn.action.as_str(), turn.next.as_str()));
        }
        AgentOutcome::Navigation(outcome) => words.push(match outcome {
            NavigateOutcome { aborted: true, .. } => "navigation aborted".to_owned(),
            NavigateOutcome { cancelled: true, .. } => "navigation cancelled".to_owned(),
            NavigateOutcome { error: Some(error), .. } => format!("navigation {}", error.code.as_str()),
            NavigateOutcome { summarizer: Some(summarizer), .. } => format!("navigation {}", summarizer.as_str()),
            NavigateOutcome { summary_skipped: Some(reason), .. } => format!("navigation {reason}"),
            _ => "navigation moved".to_owned(),
        }),
    }
    words
}

/// What must have happened in a few thousand lives: a rule that nothing comes near holds nothing.
const MUST_HAPPEN: [&str; 39] = [
    "cancelled -",
    "committed callback",
    "committed hook",
    "committed local",
    "committed remote",
    "compacted continue",
    "compacted prompt",
    "compacted wait",
    "failed conflict",
    "failed invalid-argument",
    "failed invalid-entry",
    "failed remote-failed",
    "failed stale",
    "failed storage-failed",
    "failed summarizer-failed",
    "failed summary-refused",
    "failed too-large",
    "failed unknown-entry",
    "failed wait",
    "navigation aborted",
    "navigation callback",
    "navigation cancelled",
    "navigation hook",
    "navigation invalid-argument",
    "navigation local",
    "navigation moved",
    "navigation no-messages",
    "navigation nothing-fits",
    "navigation remote",
    "navigation stale",
    "navigation storage-failed",
    "none wait",
    "nothing-to-do already-compacted",
    "nothing-to-do disabled",
    "nothing-to-do infeasible",
    "nothing-to-do session-too-small",
    "nothing-to-do unknown-window",
    "pruned continue",
    "pruned wait",
];

fn live(
    (records, options, deeds, wildness, seed): &(Vec<Record>, Vec<AgentOptions>, Vec<Deed>, Wildness, u64),
    seen: &mut BTreeMap<String, usize>,
) {
    let session = load(jsonl(Version::Three, records));
    let outside = Random { chance: Chance::of(*seed), wildness: *wildness, records, options };
    let world = World::new(session, options[0].clone());
    let mut life = Life { world, outside, calls: 0, sent_again: false, seen };
    let mut kinds = Chance::of(seed ^ 1);
    for deed in deeds {
        life.live(deed, options, &mut kinds);
    }
}

#[test]
fn whatever_happens_to_an_agent_the_rules_hold() {
    let records = records(Records { ids_again: true, damage: false }, 14);
    let values = (records, prop::collection::vec(options(), 1..4), deeds(), wildness(), any::<u64>());
    let seen = RefCell::new(BTreeMap::new());
    check_all(3_000, "lives of agents", values, |life| {
        live(&life, &mut seen.borrow_mut());
        Ok(())
    });
    let seen = seen.into_inner();
    eprintln!("{seen:#?}");
    let missing: Vec<&str> = MUST_HAPPEN.into_iter().filter(|&word| !seen.contains_key(word)).collect();
    assert!(seen["run"] < 3_000 || missing.is_empty(), "in none of {} runs: {missing:?}", seen["run"]);
}
