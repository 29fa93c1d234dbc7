//! Moving to another place of the tree, with a summary of the branch that is left.

use super::outcome::{AgentOutcome, NavigateOutcome};
use super::run::{AgentRun, Task};
use super::state::State;
use crate::branch::{BranchOptions, BranchOutcome, BranchRun, BranchStatus, BranchText};
use crate::entry::{Content, EntryId, EntryKind, Message};
use crate::error::{Error, ErrorCode};
use crate::event::Event;
use crate::hook::{Hook, HookAnswer};
use crate::session::{Index, Session};
use crate::step::{HostCommand, Reply, Save, Step};
use crate::summary::Summarizer;

/// What a navigation is about; entries by id, since numbers may change while the store writes.
#[derive(Debug)]
pub(super) struct Navigation {
    target: Option<EntryId>,
    summarize: bool,
    custom_instructions: Option<String>,
    /// The leaf that is left.
    old_leaf: Option<EntryId>,
    /// The entry that the summary hangs below.
    new_leaf: Option<EntryId>,
    summary: Option<BranchText>,
    summary_entry: Option<EntryId>,
    outcome: NavigateOutcome,
}

impl Navigation {
    pub(super) fn new(
        session: &Session,
        target: Index,
        summarize: bool,
        custom_instructions: Option<String>,
    ) -> Result<Self, Error> {
        let id = id_of(session, Some(target));
        Ok(Self {
            target: Some(id.ok_or_else(|| Error::unknown_entry("navigateTree", &target.to_string()))?),
            summarize,
            custom_instructions,
            old_leaf: id_of(session, session.leaf()),
            new_leaf: None,
            summary: None,
            summary_entry: None,
            outcome: NavigateOutcome::default(),
        })
    }
}

fn id_of(session: &Session, index: Option<Index>) -> Option<EntryId> {
    Some(session.entry(index?)?.id.clone())
}

fn index_of(session: &Session, id: &Option<EntryId>) -> Option<Index> {
    session.index_of(id.as_deref()?)
}

/// Moves the leaf to an entry that is there, or before the first.
fn move_to(session: &mut Session, id: &Option<EntryId>) {
    if id.as_ref().is_none_or(|id| session.branch(id).is_err()) {
        session.reset_leaf();
    }
}

impl AgentRun {
    fn navigation(&mut self) -> Option<&mut Navigation> {
        match &mut self.task {
            Task::Navigate(navigation) => Some(navigation),
            _ => None,
        }
    }

    /// Begins: the hooks hear of it, whether or not a summary was asked for.
    pub(super) fn ask_tree_hooks(&mut self, session: &mut Session, now: &str) -> Step<AgentOutcome> {
        let hooks = self.options.reach.hooks;
        let Some(navigation) = self.navigation() else { return self.end_navigation(session) };
        if navigation.target == navigation.old_leaf {
            return self.end_navigation(session);
        }
        if hooks {
            self.state = State::AskingHooks;
            return Step::CallHook { hook: Hook::BeforeTree, timeout_ms: self.options.settings.request_timeout_ms };
        }
        self.summarize_branch(session, now)
    }

    /// The handlers of `session_before_tree` have answered.
    pub(super) fn tree_hooks_answered(&mut self, session: &mut Session, reply: Reply, now: &str) -> Step<AgentOutcome> {
        match reply {
            Reply::Answered(HookAnswer::Cancel) => self.cancel_navigation(session, false),
            Reply::Answered(HookAnswer::Nonsense(message)) => {
                self.fail_navigation(session, Error::new(ErrorCode::InvalidArgument, message))
            }
            Reply::Answered(HookAnswer::Summary { summary, details }) => {
                if let Some(navigation) = self.navigation()
                    && navigation.summarize
                {
                    navigation.summary = Some(BranchText { summary, details });
                    navigation.outcome.summarizer = Some(Summarizer::Hook);
                    return self.move_leaf(session, now);
                }
                self.summarize_branch(session, now)
            }
            Reply::Answered(_) => self.summarize_branch(session, now),
            _ => self.cancel_navigation(session, true),
        }
    }

    /// Asks for a summary of the branch, where one is wanted.
    fn summarize_branch(&mut self, session: &mut Session, now: &str) -> Step<AgentOutcome> {
        let Task::Navigate(navigation) = &self.task else { return self.end_navigation(session) };
        if !navigation.summarize {
            return self.move_leaf(session, now);
        }
        let options = BranchOptions {
            settings: self.options.settings.clone(),
            context_window: self.options.context_window,
            custom_instructions: navigation.custom_instructions.clone(),
            candidates: self.options.candidates.clone(),
        };
        let old_leaf = index_of(session, &navigation.old_leaf);
        let target = index_of(session, &navigation.target);
        match BranchRun::start_within(session, options, old_leaf, target) {
            Ok((run, step)) => {
                self.branch = Some(Box::new(run));
                self.branch_step(session, step, now)
            }
            Err(error) => self.fail_navigation(session, error),
        }
    }

    /// Hands a step of the summary on, or goes on with it.
    pub(super) fn branch_step(
        &mut self,
        session: &mut Session,
        step: Step<BranchOutcome>,
        now: &str,
    ) -> Step<AgentOutcome> {
        if let Some(run) = &mut self.branch {
            self.events.extend(run.take_events());
        }
        let outcome = match step.undone() {
            Ok(step) => {
                self.state = State::Summarizing;
                return step;
            }
            Err(outcome) => *outcome,
        };
        match outcome.status {
            BranchStatus::Cancelled => return self.cancel_navigation(session, true),
            BranchStatus::Failed => {
                let unnamed = || Error::new(ErrorCode::Internal, "a branch summary failed without a reason");
                return self.fail_navigation(session, outcome.error.unwrap_or_else(unnamed));
            }
            BranchStatus::Summarized | BranchStatus::NothingToDo => {}
        }
        if let Some(navigation) = self.navigation() {
            navigation.summary = outcome.text;
            navigation.outcome.summary_skipped = outcome.nothing_to_do;
            navigation.outcome.summarizer = outcome.summarizer;
            navigation.outcome.warnings = outcome.warnings;
        }
        self.move_leaf(session, now)
    }

    /// Commits: the leaf moves, and the summary follows it.
    fn move_leaf(&mut self, session: &mut Session, now: &str) -> Step<AgentOutcome> {
        let Task::Navigate(navigation) = &mut self.task else { return self.end_navigation(session) };
        let (old_leaf, target) = (index_of(session, &navigation.old_leaf), index_of(session, &navigation.target));
        if let Err(error) = check_unmoved(session, old_leaf, navigation.summary.is_some()) {
            return self.fail_navigation(session, error);
        }
        let (new_leaf, editor_text) = match target.and_then(|target| session.entry(target)) {
            Some(entry) => match editor_text(&entry.kind) {
                Some(text) => (target.and_then(|target| session.parent(target)), Some(text)),
                None => (target, None),
            },
            None => return self.fail_navigation(session, Error::new(ErrorCode::Stale, "the target was taken back")),
        };
        let new_id = id_of(session, new_leaf);
        navigation.old_leaf = id_of(session, session.leaf());
        navigation.new_leaf = new_id.clone();
        navigation.outcome.editor_text = editor_text;
        let Some(text) = &navigation.summary else {
            move_to(session, &new_id);
            return self.tell_host(session);
        };
        let from_extension = navigation.outcome.summarizer == Some(Summarizer::Hook);
        let appended =
            session.branch_with_summary(new_id.as_deref(), &text.summary, text.details.as_deref(), from_extension, now);
        match appended {
            Ok(entry) => {
                navigation.summary_entry = id_of(session, Some(entry));
                if self.options.reach.store {
                    self.state = State::Saving;
                    return Step::Save(Save::Entry(entry));
                }
                self.tell_host(session)
            }
            Err(error) => self.fail_navigation(session, error),
        }
    }

    /// The store has the branch summary, or refused it: then it is taken back, and the leaf goes back.
    pub(super) fn branch_summary_stored(&mut self, session: &mut Session, reply: Reply) -> Step<AgentOutcome> {
        let Reply::NotSaved(error) = reply else { return self.tell_host(session) };
        if let Some(navigation) = self.navigation() {
            let (old_leaf, new_leaf) = (navigation.old_leaf.clone(), navigation.new_leaf.clone());
            // Whoever asks the store may have taken it back already.
            if let Some(summary) = index_of(session, &navigation.summary_entry) {
                drop(session.withdraw(summary));
            }
            // What came behind the summary meanwhile stays where it is, and so does the leaf.
            if session.leaf() == index_of(session, &new_leaf) {
                move_to(session, &old_leaf);
            } else if session.leaf() != index_of(session, &old_leaf) {
                let old_leaf = index_of(session, &old_leaf);
                self.events.push(Event::SessionTree {
                    new_leaf: session.leaf(),
                    old_leaf,
                    summary_entry: None,
                    from_extension: false,
                });
            }
        }
        self.fail_navigation(session, error)
    }

    fn tell_host(&mut self, session: &mut Session) -> Step<AgentOutcome> {
        if self.options.reach.host {
            self.state = State::Moving;
            return Step::HostCommand(HostCommand::ReplaceMessages { without_last: false });
        }
        self.end_navigation(session)
    }

    /// Ends a navigation that got where it should, or was there.
    pub(super) fn end_navigation(&mut self, session: &mut Session) -> Step<AgentOutcome> {
        let Some(navigation) = self.navigation() else {
            return self.end(session, AgentOutcome::Navigation(NavigateOutcome::default()));
        };
        let mut outcome = std::mem::take(&mut navigation.outcome);
        let old_leaf = index_of(session, &navigation.old_leaf);
        let summary_entry = index_of(session, &navigation.summary_entry);
        let moved = navigation.target != navigation.old_leaf;
        outcome.summary_entry = summary_entry;
        if moved {
            self.events.push(Event::SessionTree {
                new_leaf: session.leaf(),
                old_leaf,
                summary_entry,
                from_extension: outcome.summarizer == Some(Summarizer::Hook),
            });
        }
        self.end(session, AgentOutcome::Navigation(outcome))
    }

    fn cancel_navigation(&mut self, session: &mut Session, aborted: bool) -> Step<AgentOutcome> {
        let outcome = NavigateOutcome { cancelled: true, aborted, ..NavigateOutcome::default() };
        self.end(session, AgentOutcome::Navigation(outcome))
    }

    fn fail_navigation(&mut self, session: &mut Session, error: Error) -> Step<AgentOutcome> {
        let outcome = NavigateOutcome { error: Some(error), ..NavigateOutcome::default() };
        self.end(session, AgentOutcome::Navigation(outcome))
    }
}

/// What was appended while the summary was made would be in neither branch: it must be nothing that the
/// model sees.
fn check_unmoved(session: &Session, old_leaf: Option<Index>, with_summary: bool) -> Result<(), Error> {
    let leaf = session.leaf();
    let is_behind = old_leaf.is_none_or(|old_leaf| session.is_on_path(old_leaf, leaf));
    let new = session.ancestors(leaf).take_while(|&index| Some(index) != old_leaf);
    if is_behind && !(with_summary && new.into_iter().any(|index| session.node(index).is_some_and(|node| node.seen))) {
        return Ok(());
    }
    Err(Error::new(
        ErrorCode::Stale,
        "the session went on or moved while the branch was left; nothing was changed, navigate again",
    ))
}

/// The text of a message that is to be written anew; nothing for entries of other kinds.
fn editor_text(kind: &EntryKind) -> Option<String> {
    let content: &Content = match kind {
        EntryKind::Message(Message::User { content }) => content,
        EntryKind::CustomMessage(custom) => &custom.content,
        _ => return None,
    };
    Some(content.texts().collect::<Vec<_>>().join("\n"))
}
