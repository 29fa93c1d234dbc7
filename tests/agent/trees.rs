//! Random trees, moved through with and without summaries, against the rules told once more: what is
//! left, where the leaf comes to lie, what of the branch that is left goes into the request, and which
//! model and thinking level are in force then.

use crate::support::check::check;
use crate::support::naive::{path, refusal};
use crate::support::records::{Wildness, records};
use crate::support::tree::{Version, jsonl, mark};
use crate::support::{entry, id, load};
use crate::world::{Outside, World};
use proptest::prelude::*;
use threadfold::agent::{AgentOptions, AgentOutcome, Command};
use threadfold::entry::{Content, EntryKind, Message, ModelChoice};
use threadfold::session::{Index, Session};
use threadfold::settings::Settings;
use threadfold::step::{Reach, Reply, Step};
use threadfold::summary::{Candidate, Reply as Text};

/// Answers each request with its notes, and keeps what was asked.
#[derive(Default)]
struct Notes {
    prompts: Vec<String>,
}

impl Outside for Notes {
    fn answer(&mut self, _: &mut World, step: &Step<AgentOutcome>) -> Reply {
        match step {
            Step::Summarize(asked) => {
                self.prompts.push(asked.request.prompt.clone());
                Reply::Summary(Text::text("Notes of the branch."))
            }
            other => panic!("nothing else is in reach: {other:?}"),
        }
    }
}

/// Below the deepest common ancestor, by walking both paths from the root.
fn left_behind(session: &Session, old_leaf: Option<Index>, target: Index) -> Vec<Index> {
    let (old, new) = (path(session, old_leaf), path(session, Some(target)));
    let shared = old.iter().zip(&new).take_while(|(one, other)| one == other).count();
    old[shared..].to_vec()
}

/// The model in force, by walking up: the newest change, else what the newest answer names.
fn model(session: &Session, leaf: Option<Index>) -> Option<ModelChoice> {
    let path = path(session, leaf);
    let change = path.iter().rev().find_map(|&index| match &entry(session, index).kind {
        EntryKind::ModelChange(choice) => Some(choice.clone()),
        _ => None,
    });
    let answered = || path.iter().rev().find_map(|&index| entry(session, index).assistant()?.model.clone());
    change.or_else(answered)
}

fn thinking(session: &Session, leaf: Option<Index>) -> Option<String> {
    path(session, leaf).iter().rev().find_map(|&index| match &entry(session, index).kind {
        EntryKind::ThinkingLevelChange(level) => Some(level.to_string()),
        _ => None,
    })
}

/// Where the leaf comes to lie, and the text that is to be written anew.
fn place(session: &Session, target: Index) -> (Option<Index>, Option<String>) {
    let text = |content: &Content| Some(content.texts().collect::<Vec<_>>().join("\n"));
    match &entry(session, target).kind {
        EntryKind::Message(Message::User { content }) => (session.parent(target), text(content)),
        EntryKind::CustomMessage(custom) => (session.parent(target), text(&custom.content)),
        _ => (Some(target), None),
    }
}

fn options() -> AgentOptions {
    AgentOptions {
        settings: Settings::default(),
        context_window: None,
        fixed_tokens: None,
        model: None,
        candidates: vec![Candidate::CALLBACK],
        reach: Reach::default(),
    }
}

/// What users said in these entries can be found by its mark.
fn marks(session: &Session, entries: &[Index]) -> Vec<String> {
    let said = |&index: &Index| match &entry(session, index).kind {
        EntryKind::Message(Message::User { content }) => {
            let text = content.texts().next()?.to_owned();
            let end = text.find(") ")? + 2;
            text.starts_with("(no. ").then(|| text[..end].to_owned())
        }
        _ => None,
    };
    entries.iter().filter_map(said).collect()
}

#[test]
fn moving_through_random_trees_goes_by_the_rules() {
    let wildness = Wildness { ids_again: true, damage: false };
    let moves = prop::collection::vec((any::<prop::sample::Index>(), any::<bool>()), 1..8);
    check("navigation of trees", (records(wildness, 40), moves), |(records, moves)| {
        let mut world = World::new(load(jsonl(Version::Three, &records)), options());
        for (pick, summarize) in moves {
            let session = &world.session;
            if session.is_empty() {
                break;
            }
            let target = pick.index(session.len()) as Index;
            let old_leaf = session.leaf();
            let left = left_behind(session, old_leaf, target);
            let (new_leaf, editor_text) = place(session, target);
            let expected = (model(session, new_leaf), thinking(session, new_leaf));
            let said = marks(session, &left);
            let kept = marks(session, &path(session, Some(target)));
            let mut outside = Notes::default();
            let command = Command::Navigate { target, summarize: Some(summarize), custom_instructions: None };
            let ran = world.carry_out(command, &mut outside).unwrap();
            let AgentOutcome::Navigation(outcome) = &ran.outcome else { panic!("{:?}", ran.outcome) };
            let session = &world.session;
            prop_assert_eq!(&outcome.error, &None);
            if Some(target) == old_leaf {
                prop_assert_eq!(session.leaf(), old_leaf);
                continue;
            }
            prop_assert_eq!(&outcome.editor_text, &editor_text);
            let below = outcome.summary_entry.map_or(session.leaf(), |summary| session.parent(summary));
            prop_assert_eq!(below, new_leaf);
            let context = session.build_session_context(session.leaf());
            prop_assert_eq!(refusal(session, &context), None);
            prop_assert_eq!(context.model.cloned(), expected.0);
            prop_assert_eq!(context.thinking_level.map(str::to_owned), expected.1);
            // Every word of the branch that is left is told, and none of the one that goes on.
            prop_assert!(outside.prompts.len() <= usize::from(summarize));
            if let Some(prompt) = outside.prompts.first() {
                for mark in &said {
                    prop_assert!(prompt.contains(mark.as_str()), "{} is not told: {}", mark, prompt);
                }
                for mark in kept.iter().filter(|mark| !said.contains(mark)) {
                    prop_assert!(!prompt.contains(mark.as_str()), "{} is told: {}", mark, prompt);
                }
            } else {
                prop_assert!(said.is_empty() || !summarize, "{:?} is told to nobody", said);
            }
            if let Some(summary) = outcome.summary_entry {
                let EntryKind::BranchSummary(branch) = &entry(session, summary).kind else { panic!("another kind") };
                prop_assert_eq!(&*branch.from_id, old_leaf.map_or("root", |leaf| id(session, leaf)));
            }
        }
        Ok(())
    });
    assert_eq!(mark(7), "(no. 7) ");
}
