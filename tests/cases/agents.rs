//! The cases of decisions once more, with an agent that is asked again and again: what no compaction can
//! help ends at once, and nothing is tried twice.

use crate::case::{self, Case};
use crate::support::NOW;
use threadfold::agent::{Action, Agent, AgentOptions, AgentOutcome, Command, Next, TurnOutcome};
use threadfold::event::Event;
use threadfold::session::Session;
use threadfold::step::{Reach, Reply, Step};
use threadfold::summary::{self, Candidate};

/// Asks an agent at the end of a turn. Gives how it ended, how many requests it made, and its events.
fn turn_end(agent: &mut Agent, session: &mut Session) -> (TurnOutcome, usize, Vec<Event>) {
    let started = agent.start(session, Command::TurnEnd, NOW).expect("settings that fit");
    let (mut run, mut step, mut requests) = (started.run, started.step, 0);
    loop {
        match step {
            Step::Done(outcome) => match *outcome {
                AgentOutcome::Turn(turn) => return (turn, requests, run.take_events()),
                other => panic!("{other:?}"),
            },
            Step::Summarize(_) => {
                requests += 1;
                step = run.resume(agent, session, Reply::Summary(summary::Reply::text("Done")), NOW);
            }
            other => panic!("nothing else is in reach: {other:?}"),
        }
    }
}

fn agent_of(case: &Case) -> Agent {
    Agent::new(AgentOptions {
        settings: case.settings.clone(),
        context_window: Some(case.window),
        fixed_tokens: None,
        model: None,
        candidates: vec![Candidate::CALLBACK],
        reach: Reach::default(),
    })
}

#[test]
fn an_agent_that_is_asked_again_and_again_comes_to_rest() {
    if !case::folder().is_dir() {
        eprintln!("skipped: the folder of cases is not there");
        return;
    }
    let mut held = 0;
    for name in case::names() {
        let case = Case::read(&name);
        let decides = matches!(
            case.input["operation"].as_str(),
            Some("decideAutoCompaction" | "pruneThenDecide" | "shouldCompact")
        );
        if !decides {
            continue;
        }
        held += 1;
        let mut agent = agent_of(&case);
        let mut session = case.session;
        let first = turn_end(&mut agent, &mut session);
        assert!(first.1 <= 3, "{name}: {} requests", first.1);
        let rest = session.to_jsonl();
        for again in 0..5 {
            let (turn, requests, events) = turn_end(&mut agent, &mut session);
            let started = events.iter().any(|event| matches!(event, Event::AutoCompactionStart { .. }));
            assert!(requests == 0 && !started, "{name}, again {again}: {events:?}");
            assert_eq!(turn.next, Next::Wait, "{name}");
            assert!(matches!(turn.action, Action::None | Action::Failed), "{name}: {turn:?}");
        }
        assert!(session.to_jsonl() == rest, "{name}: an agent at rest changed the session");
    }
    assert!(held > 0, "no case of a decision");
}
