//! Every path through a run: each command in each situation, with whatever is in reach, and at each step
//! each answer that there is, an abort among them.

use crate::rules::replaces_messages;
use crate::store::lines_of;
use crate::support::NOW;
use crate::support::entries::{TOO_LONG, assistant, refused, result, says, turn, usage, user};
use crate::world::{Outside, Ran, Told, World};
use std::collections::BTreeSet;
use threadfold::agent::{Action, AgentOptions, AgentOutcome, Command, Next, State, TRANSITIONS};
use threadfold::compaction::Status;
use threadfold::error::{Error, ErrorCode};
use threadfold::hook::{Additions, Hook, HookAnswer, HookCompaction};
use threadfold::session::{Index, Preset, Session};
use threadfold::settings::{PruneMode, Settings};
use threadfold::step::{HostCommand, Reach, Reply, Save, Step};
use threadfold::summary::{self, Candidate, Failure};

/// Where a run begins.
struct Scene {
    name: &'static str,
    /// The entries, each below the one before.
    entries: Vec<String>,
    command: Command,
    /// What is special about the settings.
    set: fn(&mut AgentOptions),
    /// What has happened to the agent before.
    before: fn(&mut World),
}

/// Gives each step the answer that a script names, and notes how many there were.
struct Scripted<'a> {
    script: &'a [usize],
    choices: Vec<(usize, usize)>,
}

impl Outside for Scripted<'_> {
    fn answer(&mut self, world: &mut World, step: &Step<AgentOutcome>) -> Reply {
        let mut answers = answers(&world.session, step);
        let taken = self.script.get(self.choices.len()).copied().unwrap_or(0);
        self.choices.push((taken, answers.len()));
        answers.swap_remove(taken)
    }
}

/// The first answer to each step: the one that lets a run go on.
struct Friendly;

impl Outside for Friendly {
    fn answer(&mut self, world: &mut World, step: &Step<AgentOutcome>) -> Reply {
        answers(&world.session, step).swap_remove(0)
    }
}

/// Every answer to a step.
fn answers(session: &Session, step: &Step<AgentOutcome>) -> Vec<Reply> {
    let hook = |answer| Reply::Answered(answer);
    let leaf = session.leaf().map(|leaf| session.entry(leaf).unwrap().id.to_string());
    let compaction = |first_kept_entry_id: String| {
        let summary = "By a hook.".to_owned();
        hook(HookAnswer::Compaction(Box::new(HookCompaction { summary, first_kept_entry_id, ..Default::default() })))
    };
    let nonsense = || hook(HookAnswer::Nonsense("session_x: 7 is no answer".to_owned()));
    match step {
        Step::Summarize(_) => vec![
            Reply::Summary(summary::Reply::text("Done")),
            Reply::Summary(summary::Reply::text("")),
            Reply::Failed(Failure { message: "no key".to_owned(), status: Some(401), ..Failure::default() }),
            Reply::Failed(Failure { message: "overloaded".to_owned(), status: Some(529), ..Failure::default() }),
            Reply::Aborted,
        ],
        Step::Sleep { .. } => vec![Reply::Slept, Reply::Aborted],
        Step::CallHook { hook: Hook::BeforeCompact { .. }, .. } => vec![
            hook(HookAnswer::Nothing),
            hook(HookAnswer::Cancel),
            compaction(leaf.unwrap()),
            compaction("nowhere".to_owned()),
            nonsense(),
            Reply::Aborted,
        ],
        Step::CallHook { hook: Hook::Compacting, .. } => {
            let context = vec!["Mind the café.".to_owned()];
            let additions = Additions { context, ..Additions::default() };
            let additions = hook(HookAnswer::Additions(Box::new(additions)));
            vec![hook(HookAnswer::Nothing), additions, hook(HookAnswer::Cancel), nonsense(), Reply::Aborted]
        }
        Step::CallHook { hook: Hook::BeforeTree, .. } => {
            let summary = hook(HookAnswer::Summary { summary: "By a hook.".to_owned(), details: None });
            vec![hook(HookAnswer::Nothing), summary, hook(HookAnswer::Cancel), nonsense(), Reply::Aborted]
        }
        Step::Save(_) => {
            let full = Error::new(ErrorCode::StorageFailed, "the disk is full");
            vec![Reply::Saved, Reply::NotSaved(full), Reply::Aborted]
        }
        Step::HostCommand(_) => vec![Reply::Obeyed, Reply::Aborted],
        Step::Fetch(_) | Step::Done(_) => panic!("no step of these scenes: {step:?}"),
    }
}

fn nothing_special(_: &mut AgentOptions) {}

fn nothing_before(_: &mut World) {}

fn keeps_more_than_there_is(options: &mut AgentOptions) {
    options.settings.compaction.keep_recent_tokens = Some(2_000);
}

/// The scenes of checks: the window holds 1 000 tokens, the limit is 900.
fn checks() -> Vec<Scene> {
    let before_prompt = |pending_tokens| Command::BeforePrompt { pending_tokens, from_user: true };
    let large = || vec![user(500), assistant(500, &[]), user(10), assistant(10, &[])];
    let overflow = || vec![user(300), assistant(300, &[]), user(10), refused(TOO_LONG)];
    let output = |before: usize, size: usize, after: usize| {
        vec![
            user(before),
            assistant(10, &["a"]),
            result("a", size),
            assistant(after, &[]),
            user(10),
            assistant(10, &[]),
        ]
    };
    let scene = |name, entries, command, set| Scene { name, entries, command, set, before: nothing_before };
    let turn_end = |name, entries| scene(name, entries, Command::TurnEnd, nothing_special);
    vec![
        turn_end("it fits", vec![user(10), assistant(10, &[])]),
        turn_end("it is too large", large()),
        turn_end("it overflowed", overflow()),
        turn_end("what is pruned is enough", output(10, 950, 10)),
        turn_end("what is pruned is not enough", output(500, 300, 500)),
        turn_end("nothing can help", vec![user(10), assistant(950, &[])]),
        turn_end("it overflowed, and nothing can help", vec![user(950), refused(TOO_LONG)]),
        turn_end("the user stopped the turn", vec![user(500), turn(500, &[], "aborted", "")]),
        scene(
            "it overflowed, and there is nothing to compact",
            vec![user(10), refused(TOO_LONG)],
            Command::TurnEnd,
            keeps_more_than_there_is,
        ),
        scene(
            "it overflowed, and a prune is all that can be done",
            [&output(10, 500, 10)[..], &[user(1), refused(TOO_LONG)]].concat(),
            Command::TurnEnd,
            keeps_more_than_there_is,
        ),
        scene(
            "an answer was cut off and overflowed, and a prune is all that can be done",
            [&output(10, 700, 10)[..], &[user(1), turn(10, &[], "length", &usage(1_100))]].concat(),
            Command::TurnEnd,
            keeps_more_than_there_is,
        ),
        scene("it is switched off", large(), Command::TurnEnd, |options| options.settings.compaction.enabled = false),
        scene("the window is not known", large(), Command::TurnEnd, |options| options.context_window = None),
        scene("with the next message it is too large", output(500, 30, 300), before_prompt(100), nothing_special),
        scene("with the next message it fits", output(10, 30, 10), before_prompt(100), nothing_special),
        Scene {
            before: |world| {
                world.carry_out(Command::TurnEnd, &mut Friendly).unwrap();
                world.append(&refused(TOO_LONG));
            },
            ..turn_end("it overflowed again", overflow())
        },
    ]
}

/// The scenes of compactions by hand.
fn by_hand() -> Vec<Scene> {
    let compact = || Command::Compact { custom_instructions: Some("Mind the café.".to_owned()) };
    let scene = |name, entries, set| Scene { name, entries, command: compact(), set, before: nothing_before };
    vec![
        scene("by hand", vec![user(100), assistant(100, &[]), user(30), assistant(10, &[])], nothing_special),
        scene("by hand, with nothing to do", vec![user(10)], nothing_special),
    ]
}

/// The scenes of navigations: `0 1 2 3` and, below 1, `4 5`.
fn navigations() -> Vec<Scene> {
    let entries = || vec![says("Begin"), assistant(10, &[]), user(50), assistant(50, &[])];
    let mut scenes = Vec::new();
    for (name, target) in [
        ("another branch", 5),
        ("a question", 4),
        ("an ancestor", 1),
        ("the root", 0),
        ("the leaf", 3),
        ("its question", 2),
    ] {
        for summarize in [Some(true), Some(false), None] {
            scenes.push(Scene {
                name,
                entries: entries(),
                command: Command::Navigate { target, summarize, custom_instructions: None },
                set: nothing_special,
                before: |world| {
                    let id = |world: &World, index: Index| world.session.entry(index).unwrap().id.clone();
                    let (fork, leaf) = (id(world, 1), id(world, 3));
                    world.session.branch(&fork).unwrap();
                    world.append(&says("Another way"));
                    world.append(&assistant(20, &[]));
                    world.session.branch(&leaf).unwrap();
                    world.store.flush(&world.session);
                },
            });
        }
    }
    scenes
}

impl Scene {
    fn set_up(&self, reach: Reach, candidates: &[Candidate], mode: PruneMode) -> World {
        let mut settings = Settings::default();
        settings.compaction.reserve_tokens = Some(100);
        settings.compaction.keep_recent_tokens = Some(30);
        settings.compaction.short_summary = false;
        settings.branch_summary.reserve_tokens = Some(100);
        settings.retry.max_retries = 1;
        settings.prune.protect_tokens = 0;
        settings.prune.minimum_savings = 100;
        settings.prune.mode = mode;
        let session = Session::create(Preset::Safe, "paths", "/", NOW, 3);
        let candidates = candidates.to_vec();
        let mut options =
            AgentOptions { settings, context_window: Some(1_000), fixed_tokens: None, model: None, candidates, reach };
        (self.set)(&mut options);
        let mut world = World::new(session, options);
        for entry in &self.entries {
            world.append(entry);
        }
        world.store.flush(&world.session);
        (self.before)(&mut world);
        world
    }

    /// Goes every path, and shows each to `visit`.
    fn every_path(&self, set_up: impl Fn() -> World, visit: &mut dyn FnMut(&World, &Ran)) {
        let mut script: Vec<usize> = Vec::new();
        loop {
            let mut outside = Scripted { script: &script, choices: Vec::new() };
            let mut world = set_up();
            let ran = world.carry_out(self.command.clone(), &mut outside).expect("settings that fit");
            let mut choices = outside.choices;
            visit(&world, &ran);
            while let Some((taken, of)) = choices.pop() {
                if taken + 1 < of {
                    choices.push((taken + 1, of));
                    break;
                }
            }
            if choices.is_empty() {
                return;
            }
            script = choices.iter().map(|&(taken, _)| taken).collect();
        }
    }
}

fn reaches() -> impl Iterator<Item = Reach> {
    (0..8).map(|bits| Reach { hooks: bits & 1 > 0, store: bits & 2 > 0, host: bits & 4 > 0 })
}

/// Goes every path of every scene.
fn every_path(mut visit: impl FnMut(&Scene, &World, &Ran)) {
    let mut paths = 0;
    for scene in checks().into_iter().chain(by_hand()).chain(navigations()) {
        for reach in reaches() {
            for candidates in [&[Candidate::CALLBACK][..], &[]] {
                for mode in [PruneMode::Rewrite, PruneMode::Overlay] {
                    scene.every_path(|| scene.set_up(reach, candidates, mode), &mut |world, ran| {
                        paths += 1;
                        visit(&scene, world, ran);
                    });
                }
            }
        }
    }
    eprintln!("{paths} paths");
}

/// Whether a step is taken behind a commit: then the run goes on to its end.
fn is_committed(told: &Told) -> bool {
    matches!(told.step, Step::Save(Save::Entry(_)) | Step::HostCommand(HostCommand::ReplaceMessages { .. }))
}

/// An abort leaves everything as it was, or what is committed is said to be. A prune that was committed
/// before stays, and no compaction starts behind it.
fn an_abort_is_obeyed(scene: &Scene, ran: &Ran, aborted: &Told) {
    let what = format!("{}: aborted at {:?}: {:?}", scene.name, aborted.step, ran.outcome);
    match &ran.outcome {
        AgentOutcome::Turn(turn) => {
            let status = turn.compaction.as_ref().map(|outcome| outcome.status);
            assert_eq!(turn.next, Next::Wait, "{what}");
            match status {
                Some(Status::Committed) => {
                    assert!(is_committed(aborted) && turn.action == Action::Compacted, "{what}");
                }
                // What is pruned may be enough.
                None | Some(Status::Cancelled) => {
                    assert!(status.is_some() || turn.action == Action::Pruned, "{what}");
                }
                Some(Status::NothingToDo | Status::Failed) => assert!(turn.pruned_count > 0, "{what}"),
            }
        }
        AgentOutcome::Compaction(outcome) => {
            let expected = if is_committed(aborted) { Status::Committed } else { Status::Cancelled };
            assert_eq!(outcome.status, expected, "{what}");
        }
        AgentOutcome::Navigation(outcome) => {
            let expected = !is_committed(aborted);
            assert_eq!((outcome.cancelled, outcome.aborted), (expected, expected), "{what}");
            assert_eq!(outcome.error, None, "{what}");
        }
    }
}

#[test]
fn an_abort_at_each_step_of_each_run_is_obeyed() {
    let mut kinds = BTreeSet::new();
    every_path(|scene, world, ran| {
        let Some(aborted) = ran.told.iter().find(|told| told.reply == Reply::Aborted) else { return };
        kinds.insert(kind(&aborted.step));
        an_abort_is_obeyed(scene, ran, aborted);
        assert_eq!(world.store.lines(), lines_of(&world.session));
    });
    let all = ["abort", "hook", "notices", "replace", "save", "sleep", "summarize"];
    assert_eq!(kinds.into_iter().collect::<Vec<_>>(), all, "every kind of step was aborted");
}

fn kind(step: &Step<AgentOutcome>) -> &'static str {
    match step {
        Step::Summarize(_) => "summarize",
        Step::Fetch(_) => "fetch",
        Step::Sleep { .. } => "sleep",
        Step::CallHook { .. } => "hook",
        Step::Save(Save::Entry(_)) => "save",
        Step::Save(Save::Notices { .. }) => "notices",
        Step::HostCommand(_) if replaces_messages(step) => "replace",
        Step::HostCommand(_) => "abort",
        Step::Done(_) => "done",
    }
}

#[test]
fn what_is_seen_is_what_the_table_of_states_says() {
    let mut seen: Vec<(State, State)> = Vec::new();
    every_path(|scene, _, ran| {
        for &step in &ran.states {
            if !seen.contains(&step) {
                let known = TRANSITIONS.iter().any(|&(from, to, _)| (from, to) == step);
                assert!(known, "{}: {step:?} is not in the table", scene.name);
                seen.push(step);
            }
        }
    });
    let unseen: Vec<_> = TRANSITIONS.iter().filter(|&&(from, to, _)| !seen.contains(&(from, to))).collect();
    assert!(unseen.is_empty(), "never seen: {unseen:#?}");
}
