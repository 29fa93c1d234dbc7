//! An outside world that answers at random, and does something else meanwhile.

use crate::chance::Chance;
use crate::support::records::Record;
use crate::support::tree::{Version, Writer};
use crate::support::{done, entry, id};
use crate::world::{Outside, World};
use threadfold::agent::{Action, AgentOptions, AgentOutcome, Command};
use threadfold::entry::EntryKind;
use threadfold::error::{Error, ErrorCode};
use threadfold::hook::{Additions, Hook, HookAnswer, HookCompaction};
use threadfold::prune::{PruneOptions, prune_tool_outputs, restore_tool_outputs};
use threadfold::session::{Index, Session};
use threadfold::settings::PruneMode;
use threadfold::step::{Reply, Step};
use threadfold::summary::{Failure, RemoteResponse, Reply as Text, ReplyEnd};

/// How wild it is: what happens once in so many steps, 0 for never.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wildness {
    pub(crate) aborts: usize,
    pub(crate) meanwhile: usize,
    pub(crate) store_fails: usize,
    pub(crate) summariser_fails: usize,
}

pub(crate) struct Random<'a> {
    pub(crate) chance: Chance,
    pub(crate) wildness: Wildness,
    /// What may be appended meanwhile.
    pub(crate) records: &'a [Record],
    /// What may be set meanwhile.
    pub(crate) options: &'a [AgentOptions],
}

/// A timeout, as the loop outside tells of it.
const TIMED_OUT: &str = "the summariser has not answered in time";

impl Random<'_> {
    pub(crate) fn happens(&mut self, once_in: usize) -> bool {
        once_in > 0 && self.chance.one_in(once_in)
    }

    fn index(&mut self, session: &Session) -> Option<Index> {
        (!session.is_empty()).then(|| self.chance.below(session.len()) as Index)
    }

    fn some_id(&mut self, session: &Session) -> Option<String> {
        self.index(session).map(|index| id(session, index).to_owned())
    }

    /// Appends what one of the records holds.
    pub(crate) fn append(&mut self, world: &mut World) {
        if self.records.is_empty() {
            return;
        }
        let mut writer = Writer::new(Version::Three);
        let what = self.chance.pick(self.records).what.clone();
        for what in writer.spelled_out(&what) {
            let (kind, rest) = writer.fields(&what);
            // A compaction may name an entry that is not there.
            let _ = world.session.append(&format!(r#"{{"type":"{kind}"{rest}}}"#), &world.clock.now());
        }
    }

    /// Something else happens to the session or to the agent while a run is under way.
    fn meanwhile(&mut self, world: &mut World) {
        world.clock.advance(1);
        let now = world.clock.now();
        match self.chance.below(13) {
            0..=3 => self.append(world),
            4 => {
                if let Some(target) = self.some_id(&world.session) {
                    world.session.branch(&target).expect("a known id");
                }
            }
            5 => world.session.reset_leaf(),
            6 => {
                if let Some(target) = self.some_id(&world.session) {
                    world.session.set_label(&target, Some("here"), &now).expect("a known id");
                }
            }
            mode @ (7 | 8) => {
                let mut settings = world.agent.options.settings.clone();
                settings.prune.mode = if mode == 7 { PruneMode::Rewrite } else { PruneMode::Overlay };
                (settings.prune.protect_tokens, settings.prune.minimum_savings) = (0, 0);
                settings.prune.protected_tools.clear();
                let options = PruneOptions { settings: &settings, context_window: None, fixed_tokens: None };
                let pruned = prune_tool_outputs(&mut world.session, &options, &now).expect("a prune");
                if mode == 7 {
                    world.store.note_rewritten(&world.session, &pruned.entries);
                }
            }
            9 => drop(restore_tool_outputs(&mut world.session, None, &now).expect("all of them")),
            11 => self.take_back(world),
            10 => world.agent.options = self.chance.pick(self.options).clone(),
            _ => self.a_second_command(world),
        }
    }

    /// The store refuses what somebody else appended, and that is taken back.
    fn take_back(&mut self, world: &mut World) {
        let newest = (world.session.len() as Index).checked_sub(1);
        let Some(newest) = newest.filter(|&newest| newest as usize >= world.store.lines().len()) else { return };
        let is_ours = matches!(
            entry(&world.session, newest).kind,
            EntryKind::Compaction(_) | EntryKind::BranchSummary(_) | EntryKind::Prune { .. }
        );
        if !is_ours {
            world.session.withdraw(newest).expect("one that was appended");
        }
    }

    /// A second command while a run is under way is refused, and touches nothing.
    fn a_second_command(&mut self, world: &mut World) {
        let before = world.session.to_jsonl();
        let options = std::mem::replace(&mut world.agent.options, self.options[0].clone());
        let now = world.clock.now();
        let target = self.index(&world.session).unwrap_or(0);
        for command in [
            Command::Compact { custom_instructions: None },
            Command::Navigate { target, summarize: None, custom_instructions: None },
        ] {
            let refused = world.agent.start(&mut world.session, command, &now).expect_err("one at a time");
            let expected = [ErrorCode::Busy, ErrorCode::InvalidSettings, ErrorCode::UnknownEntry];
            assert!(expected.contains(&refused.code), "{refused:?}");
        }
        let command = Command::BeforePrompt { pending_tokens: 1, from_user: true };
        for command in [Command::TurnEnd, command] {
            let Ok(mut started) = world.agent.start(&mut world.session, command, &now) else { continue };
            let Step::Done(outcome) = &started.step else { panic!("{:?}", started.step) };
            assert!(matches!(&**outcome, AgentOutcome::Turn(turn) if turn.action == Action::Busy), "{outcome:?}");
            assert_eq!(started.run.take_events(), []);
        }
        assert!(world.session.is_locked() && before == world.session.to_jsonl());
        world.agent.options = options;
    }

    fn failure(&mut self) -> Failure {
        let (message, status, lasting) = *self.chance.pick(&[
            ("overloaded", Some(529), false),
            ("too many requests", Some(429), false),
            ("HTTP 500", Some(500), false),
            ("no key", Some(401), false),
            ("prompt is too long: 9 tokens > 8 maximum", Some(400), false),
            ("", None, false),
            (TIMED_OUT, None, true),
        ]);
        let retry_after_ms = *self.chance.pick(&[None, None, Some(0), Some(7_000), Some(u64::MAX)]);
        Failure { message: message.to_owned(), status, retry_after_ms, lasting }
    }

    fn summary(&mut self, prompt: &str) -> Reply {
        if !self.happens(self.wildness.summariser_fails) {
            return done();
        }
        let text = match self.chance.below(9) {
            0 => return Reply::Failed(self.failure()),
            1 => Text::text(""),
            2 => Text::text(prompt),
            3 => Text::text("long ".repeat(3_000)),
            4 => Text::text("<think>hm</think>"),
            5 => Text::text(r#"{"error":{"message":"overloaded"}}"#),
            6 => Text { end: ReplyEnd::Length, ..Text::text("cut") },
            7 => Text { end: ReplyEnd::Error, error_message: Some("429".to_owned()), ..Text::default() },
            _ => Text::text("```\n## Goal\nShip it.\n```"),
        };
        Reply::Summary(text)
    }

    fn response(&mut self) -> Reply {
        let good = r#"{"summary":"Done"}"#;
        let (status, body) = if self.happens(self.wildness.summariser_fails) {
            *self.chance.pick(&[(200, "{}"), (200, "no"), (500, ""), (429, "wait"), (301, ""), (0, ""), (200, good)])
        } else {
            (200, good)
        };
        if status == 0 {
            return Reply::Failed(self.failure());
        }
        let truncated = self.happens(self.wildness.summariser_fails * 4);
        Reply::Responded(RemoteResponse { status, retry_after_ms: None, body: body.to_owned(), truncated })
    }

    fn hook(&mut self, session: &Session, hook: &Hook) -> HookAnswer {
        // One that throws is passed over, like one that says nothing.
        match (self.chance.below(8), hook) {
            (0, _) => HookAnswer::Cancel,
            (1, _) => HookAnswer::Nonsense("the hook answered 7".to_owned()),
            (2 | 3, Hook::BeforeCompact { .. }) => {
                let first_kept_entry_id = match self.some_id(session) {
                    Some(id) if !self.chance.one_in(4) => id,
                    _ => "nowhere".to_owned(),
                };
                HookAnswer::Compaction(Box::new(HookCompaction {
                    summary: if self.chance.one_in(8) { String::new() } else { "By a hook.".to_owned() },
                    first_kept_entry_id,
                    tokens_before: self.chance.pick(&[None, Some(7)]).to_owned(),
                    details: self.chance.pick(&[None, Some("{\"a\":[1.0]}".to_owned()), Some("{".to_owned())]).clone(),
                    preserve_data: self.chance.pick(&[None, Some("[\"kept\"]".to_owned())]).clone(),
                    short_summary: None,
                }))
            }
            (2 | 3, Hook::Compacting) => HookAnswer::Additions(Box::new(Additions {
                prompt: self.chance.pick(&[None, Some("Sum it up.".to_owned())]).clone(),
                context: vec!["Mind the café.".to_owned()],
                preserve_data: self.chance.pick(&[None, Some("7".to_owned()), Some("}".to_owned())]).clone(),
            })),
            (2 | 3, Hook::BeforeTree) => HookAnswer::Summary {
                summary: "By a hook.".to_owned(),
                details: self.chance.pick(&[None, Some("{}".to_owned()), Some("{".to_owned())]).clone(),
            },
            _ => HookAnswer::Nothing,
        }
    }
}

impl Outside for Random<'_> {
    fn answer(&mut self, world: &mut World, step: &Step<AgentOutcome>) -> Reply {
        world.clock.advance(self.chance.below(50) as u64);
        while self.happens(self.wildness.meanwhile) {
            self.meanwhile(world);
        }
        if self.happens(self.wildness.aborts) {
            return Reply::Aborted;
        }
        match step {
            Step::Summarize(asked) => self.summary(&asked.request.prompt),
            Step::Fetch(_) => self.response(),
            Step::Sleep { wait_ms } => {
                world.clock.advance(*wait_ms);
                Reply::Slept
            }
            Step::CallHook { hook, .. } => Reply::Answered(self.hook(&world.session, hook)),
            Step::Save(_) if self.happens(self.wildness.store_fails) => {
                let code = *self.chance.pick(&[ErrorCode::StorageFailed, ErrorCode::Conflict]);
                Reply::NotSaved(Error::new(code, "the disk is full"))
            }
            Step::Save(_) => Reply::Saved,
            Step::HostCommand(_) => Reply::Obeyed,
            Step::Done(_) => panic!("nothing to answer"),
        }
    }
}
