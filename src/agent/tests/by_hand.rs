//! Compactions that somebody asks for.

use super::*;

const COMPACT: Command = Command::Compact { custom_instructions: None };

#[test]
fn the_agent_is_stopped_first_and_the_plan_made_then() {
    let mut case = start(session(&LARGE), reaching(false, false, true), COMPACT);
    assert_eq!(case.step, Step::HostCommand(HostCommand::Abort));
    // What the host appends while it stops is a part of the plan.
    add(&mut case.session, "U@700");
    let case = case.resume(Reply::Obeyed);
    assert_eq!(case.run.compaction().unwrap().preparation().unwrap().kept, [4]);
}

#[test]
fn an_abort_while_the_agent_stops_cancels_it() {
    let mut case = start(session(&LARGE), reaching(true, true, true), COMPACT).resume(Reply::Aborted);
    assert_eq!((case.compaction().status, case.compaction().tokens_before), (Status::Cancelled, 1_020));
    assert_eq!(case.events(), ["compaction_end cancelled manual"]);
    case.check_unchanged();
}

#[test]
fn it_tells_of_itself_alone() {
    let mut case = start(session(&LARGE), options(), COMPACT).resume(text("Done"));
    assert_eq!(case.events(), ["session_compact manual", "compaction_end committed manual"]);
    let mut case = start(session(&LARGE), options(), COMPACT).resume(thrown("no key"));
    assert_eq!(case.events(), ["compaction_end failed manual"]);
    case.check_unchanged();
}

#[test]
fn instructions_reach_the_request() {
    let command = Command::Compact { custom_instructions: Some("Mind the café.".to_owned()) };
    let case = start(session(&LARGE), options(), command);
    let Step::Summarize(asked) = &case.step else { panic!("{:?}", case.step) };
    assert!(asked.request.prompt.contains("Additional focus: Mind the café."));
}

#[test]
fn t21_twice_in_a_row_the_second_finds_nothing_to_do() {
    let case = start(session(&LARGE), options(), COMPACT).resume(text("Done"));
    let after = case.session.to_jsonl();
    let mut case = case.again(COMPACT);
    assert_eq!((case.compaction().status, case.nothing()), (Status::NothingToDo, "already-compacted"));
    assert_eq!(case.session.to_jsonl(), after);
    assert_eq!(case.events(), ["compaction_end nothing-to-do manual"]);
}

#[test]
fn t16_a_summary_as_long_as_its_input_is_given_up_or_made_here() {
    for fallback in [crate::settings::Fallback::None, crate::settings::Fallback::Local] {
        let mut options = options();
        options.settings.fallback = fallback;
        let long = text(&crate::tokens::ONE_TOKEN.repeat(3_000));
        let case = turn_end(session(&LARGE), options).replies(&[long.clone(), long]);
        match fallback {
            crate::settings::Fallback::None => {
                let error = case.compaction().error.as_ref().unwrap();
                assert!(
                    error.message.contains("3000 (estimated: 2250 to 4500) tokens")
                        && error.message.contains("500 (estimated: 375 to 750) tokens it replaces"),
                    "{error}"
                );
                assert_eq!(case.did(), (Action::Failed, Next::Wait));
                case.check_unchanged();
            }
            crate::settings::Fallback::Local => {
                assert_eq!(case.compaction().summarizer, Some(Summarizer::Local));
                assert_eq!(case.did(), (Action::Compacted, Next::Prompt));
            }
        }
    }
}
