//! What must hold after every step and at the end of every run of an agent.

use crate::ledger::Done;
use crate::store::lines_of;
use crate::support::naive::refusal;
use crate::support::saving::assert_loads_the_same;
use crate::support::{entry, id};
use crate::world::{Ran, World};
use threadfold::agent::{Action, AgentOutcome, Command, NavigateOutcome, Next, TurnOutcome};
use threadfold::compaction::{CompactionOutcome, Status};
use threadfold::entry::{Content, EntryKind, Message};
use threadfold::error::{Error, ErrorCode};
use threadfold::event::Event;
use threadfold::session::Session;
use threadfold::step::{HostCommand, Step};

/// The view is legal, and the engine took nothing back but what the store has just refused.
pub(crate) fn hold_after_a_step(world: &World, done: &Done, refused: Option<&str>) {
    let session = &world.session;
    let context = session.build_session_context(session.leaf());
    assert_eq!(refusal(session, &context), None, "{:?}", context.messages);
    assert_eq!(done.taken_back, Vec::from_iter(refused.map(str::to_owned)));
}

/// Before its last step a run tells nothing of its end.
pub(crate) fn events_tell_no_future(before: &[Event], new: &[Event], step: &Step<AgentOutcome>) {
    let tells_the_end = |event: &Event| match event {
        Event::SessionCompact { .. } | Event::AutoCompactionEnd { .. } | Event::SessionTree { .. } => true,
        // Where there was nothing to do, what was pruned may still be enough.
        Event::CompactionEnd { status, .. } => *status != "nothing-to-do",
        _ => false,
    };
    if !matches!(step, Step::Done(_)) {
        let told: Vec<&Event> = before.iter().chain(new).filter(|event| tells_the_end(event)).collect();
        assert!(told.is_empty(), "{told:?} were told before {step:?}");
    }
}

/// What a run added, took back and rewrote, one thing with the other.
fn all_done(ran: &Ran) -> Done {
    let mut all = Done::default();
    for done in std::iter::once(&ran.begun).chain(ran.told.iter().map(|told| &told.done)) {
        all.added.extend(done.added.iter().cloned());
        all.rewritten.extend(done.rewritten.iter().cloned());
        all.added.retain(|id| !done.taken_back.contains(id));
        all.moved |= done.moved;
    }
    all
}

pub(crate) fn hold_at_the_end(world: &World, ran: &Ran) {
    let session = &world.session;
    assert_eq!(world.store.lines(), lines_of(session), "the store holds something else");
    assert_loads_the_same(session, true);
    let mut done = all_done(ran);
    let mut claim = |id: Option<&str>, what: &str| {
        if let Some(id) = id {
            let place = done.added.iter().position(|added| added == id);
            done.added.remove(place.unwrap_or_else(|| panic!("{what} {id} was not added")));
        }
    };
    match &ran.outcome {
        AgentOutcome::Turn(turn) => {
            claim(turn.compaction.as_ref().and_then(|outcome| Some(id(session, outcome.entry?))), "the compaction");
            let overlaid = done.added.iter().position(|added| is_prune(session, added));
            if turn.pruned_count == 0 {
                assert_eq!((overlaid, &*done.rewritten), (None, &[][..]), "a prune that nobody tells of");
            }
            overlaid.map(|place| done.added.remove(place));
            turn_holds(session, ran, turn);
        }
        AgentOutcome::Compaction(outcome) => {
            claim(outcome.entry.map(|entry| id(session, entry)), "the compaction");
            assert_eq!(done.rewritten, [""; 0]);
            compaction_holds(session, ran, Some(outcome));
            assert!(automatic(ran).is_empty(), "{:?}", ran.events);
        }
        AgentOutcome::Navigation(outcome) => {
            claim(outcome.summary_entry.map(|entry| id(session, entry)), "the branch summary");
            assert_eq!(done.rewritten, [""; 0]);
            navigation_holds(session, ran, outcome, &done);
        }
    }
    assert_eq!(done.added, [""; 0], "added, and not told");
    if done.rewritten.is_empty() && !done.moved && !ran.disturbed {
        assert_eq!(ran.sizes.0, ran.sizes.1, "nothing was committed, and the size is another one");
    }
}

fn is_prune(session: &Session, id: &str) -> bool {
    session.index_of(id).is_some_and(|index| matches!(entry(session, index).kind, EntryKind::Prune { .. }))
}

/// How the compaction of a run ended is told once, and what was committed is there.
fn compaction_holds(session: &Session, ran: &Ran, outcome: Option<&CompactionOutcome>) {
    let ends: Vec<&str> = ran
        .events
        .iter()
        .filter_map(|event| if let Event::CompactionEnd { status, .. } = event { Some(*status) } else { None })
        .collect();
    let joined = ran.events.iter().filter(|event| matches!(event, Event::SessionCompact { .. })).count();
    let Some(outcome) = outcome else {
        assert_eq!((ends.len(), joined), (0, 0), "{:?}", ran.events);
        return;
    };
    // What a check decides before there is a plan is no run.
    let decided =
        outcome.status == Status::NothingToDo && ends.is_empty() && !matches!(ran.command, Command::Compact { .. });
    if !decided {
        assert_eq!(ends, [outcome.status.as_str()], "{:?}", ran.events);
    }
    assert_eq!(joined, usize::from(outcome.status == Status::Committed), "{:?}", ran.events);
    assert_eq!(outcome.status == Status::Failed, outcome.error.is_some(), "{outcome:?}");
    assert_eq!(outcome.status == Status::NothingToDo, outcome.nothing_to_do.is_some(), "{outcome:?}");
    let committed = outcome.status == Status::Committed;
    assert_eq!((outcome.entry.is_some(), outcome.progress.is_some()), (committed, committed), "{outcome:?}");
    assert_eq!((outcome.tokens_after.is_some(), outcome.summarizer.is_some()), (committed, committed), "{outcome:?}");
    if let Some(index) = outcome.entry {
        let compaction = entry(session, index).compaction().expect("a compaction");
        assert!(!compaction.summary.trim().is_empty());
    }
}

/// The events of a compaction that nobody asked for, in their order.
fn automatic(ran: &Ran) -> Vec<&Event> {
    let automatic =
        |event: &&Event| matches!(event, Event::AutoCompactionStart { .. } | Event::AutoCompactionEnd { .. });
    ran.events.iter().filter(automatic).collect()
}

fn turn_holds(session: &Session, ran: &Ran, turn: &TurnOutcome) {
    compaction_holds(session, ran, turn.compaction.as_ref());
    let status = turn.compaction.as_ref().map(|outcome| outcome.status);
    let action = match status {
        Some(Status::Committed) => Action::Compacted,
        Some(Status::Failed) => Action::Failed,
        // An overflow that nothing can be done about.
        Some(Status::NothingToDo) if turn.action == Action::Failed => Action::Failed,
        _ if turn.pruned_count > 0 => Action::Pruned,
        _ => Action::None,
    };
    assert_eq!(turn.action, action, "{turn:?}");
    let (started, reason, aborted, will_retry, said) = match automatic(ran)[..] {
        [] => (false, None, false, false, None),
        [Event::AutoCompactionEnd { reason, aborted, will_retry, error_message, entry }] => {
            assert_eq!((error_message.is_some(), entry), (true, &None), "{:?}", ran.events);
            (false, Some(*reason), *aborted, *will_retry, error_message.as_deref())
        }
        [
            Event::AutoCompactionStart { reason: started },
            Event::AutoCompactionEnd { reason, aborted, will_retry, error_message, entry },
        ] => {
            assert_eq!((started, *entry), (reason, turn.compaction.as_ref().and_then(|outcome| outcome.entry)));
            (true, Some(*reason), *aborted, *will_retry, error_message.as_deref())
        }
        ref other => panic!("{other:?}"),
    };
    if reason.is_some() {
        assert!(matches!(ran.events.last(), Some(Event::AutoCompactionEnd { .. })), "{:?}", ran.events);
    }
    let first = |is: fn(&Event) -> bool| ran.events.iter().position(is);
    if let Some(progress) = first(|event| matches!(event, Event::CompactionProgress { .. })) {
        let start = first(|event| matches!(event, Event::AutoCompactionStart { .. }));
        assert!(start.is_some_and(|start| start < progress), "{:?}", ran.events);
    }
    // A start has a plan behind it, so it never ends with nothing to do; what was committed had a start.
    assert!(!started || status.is_some_and(|status| status != Status::NothingToDo), "{:?}", ran.events);
    assert!(started || status != Some(Status::Committed), "{:?}", ran.events);
    assert_eq!(said.is_some(), turn.action == Action::Failed, "{:?}", ran.events);
    assert_eq!(aborted, started && status == Some(Status::Cancelled), "{:?}", ran.events);
    if let Some(said) = said {
        let path =
            if reason == Some("overflow") { "Context overflow recovery failed: " } else { "Auto-compaction failed: " };
        assert!(said.len() > path.len() && said.starts_with(path), "{said}");
    }
    nobody_is_told_to_go_on_unasked(ran, turn, reason, will_retry);
}

fn nobody_is_told_to_go_on_unasked(ran: &Ran, turn: &TurnOutcome, reason: Option<&str>, will_retry: bool) {
    let helped =
        turn.compaction.as_ref().is_some_and(|outcome| outcome.progress.as_ref().is_some_and(|p| p.sufficient));
    let compacted = turn.action == Action::Compacted && helped;
    match turn.next {
        Next::Wait => assert!(!will_retry),
        Next::Continue => {
            assert!(compacted && reason == Some("overflow") || turn.action == Action::Pruned, "{turn:?}");
            assert_eq!(will_retry, compacted);
            assert!(will_retry || turn.pruned_count > 0);
        }
        Next::Prompt => {
            assert!(compacted && reason == Some("threshold") && !will_retry, "{turn:?}");
            assert!(ran.options.settings.compaction.auto_continue);
        }
    }
    if turn.next != Next::Wait {
        assert_eq!(ran.command, Command::TurnEnd);
    }
}

/// Whether the store refused a write.
fn is_refusal(error: &Error) -> bool {
    matches!(error.code, ErrorCode::StorageFailed | ErrorCode::Conflict)
}

fn navigation_holds(session: &Session, ran: &Ran, outcome: &NavigateOutcome, done: &Done) {
    let trees: Vec<&Event> = ran.events.iter().filter(|event| matches!(event, Event::SessionTree { .. })).collect();
    let other = |event: &Event| matches!(event, Event::SessionCompact { .. } | Event::CompactionEnd { .. });
    assert!(!ran.events.iter().any(other) && automatic(ran).is_empty(), "{:?}", ran.events);
    assert!(trees.len() <= 1, "{trees:?}");
    assert!(!outcome.aborted || outcome.cancelled, "{outcome:?}");
    if outcome.cancelled || outcome.error.is_some() {
        let nothing = NavigateOutcome {
            cancelled: outcome.cancelled,
            aborted: outcome.aborted,
            error: outcome.error.clone(),
            ..NavigateOutcome::default()
        };
        // Behind a summary that the store refused the leaf may have gone on meanwhile.
        let may_have_moved = ran.disturbed && outcome.error.as_ref().is_some_and(is_refusal);
        assert!(trees.is_empty() || may_have_moved, "{trees:?}");
        assert_eq!((outcome, &*done.added), (&nothing, &[][..]));
        if !ran.disturbed {
            assert_eq!(
                session.leaf().map(|leaf| id(session, leaf)),
                ran.leaf.as_deref(),
                "it failed, and the leaf moved"
            );
        }
        return;
    }
    let Command::Navigate { target, .. } = ran.command else { panic!("{:?}", ran.command) };
    if ran.disturbed {
        return;
    }
    if ran.leaf.as_deref() == Some(id(session, target)) {
        assert_eq!((outcome, trees.len()), (&NavigateOutcome::default(), 0));
        assert_eq!(session.leaf(), Some(target));
        return;
    }
    let told = match &entry(session, target).kind {
        EntryKind::Message(Message::User { content }) => Some(content),
        EntryKind::CustomMessage(custom) => Some(&custom.content),
        _ => None,
    };
    let place = if told.is_some() { session.parent(target) } else { Some(target) };
    let text = |content: &Content| content.texts().collect::<Vec<_>>().join("\n");
    assert_eq!(outcome.editor_text, told.map(text));
    let Some(summary) = outcome.summary_entry else {
        assert_eq!((session.leaf(), outcome.summarizer), (place, None));
        return;
    };
    let EntryKind::BranchSummary(stored) = &entry(session, summary).kind else { panic!("no branch summary") };
    assert_eq!((session.leaf(), session.parent(summary)), (Some(summary), place));
    assert_eq!(&*stored.from_id, ran.leaf.as_deref().unwrap_or("root"));
    let Event::SessionTree { new_leaf, old_leaf, summary_entry, from_extension } = trees[0] else {
        panic!("{trees:?}")
    };
    assert_eq!((*new_leaf, *summary_entry), (Some(summary), Some(summary)));
    assert_eq!(old_leaf.map(|leaf| id(session, leaf)), ran.leaf.as_deref());
    assert_eq!((stored.from_extension, outcome.summary_skipped), (*from_extension, None));
}

/// Whether a step tells the host to replace its messages.
pub(crate) fn replaces_messages(step: &Step<AgentOutcome>) -> bool {
    matches!(step, Step::HostCommand(HostCommand::ReplaceMessages { .. }))
}
