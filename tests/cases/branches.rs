//! Branches that were left, and nobody could tell which.

use crate::Fault;
use crate::case::Case;
use crate::story::{Story, marks};
use crate::support::{NOW, id};
use threadfold::branch::{Collected, collect_entries, prepare_branch_entries};
use threadfold::entry::EntryKind;
use threadfold::session::{Index, Session};
use threadfold::settings::Settings;
use threadfold::summary::compose_branch_summary;

pub(crate) const FAULTS: &[Fault] = &[Fault {
    case: "12",
    kind: "what was left is named by its leaf, not by where its summary hangs",
    case_holds: branch_below_an_ancestor,
    another_holds: branches_below_no_common_ancestor,
}];

/// Moves the leaf, with a summary of what is left; gives that and the entry of the summary.
fn leave(session: &mut Session, target: Option<Index>) -> (Collected, Index) {
    let collected = collect_entries(session, session.leaf(), target);
    let tools = &Settings::default().file_tools;
    let preparation = prepare_branch_entries(session, &collected.entries, 10_000, tools);
    let text = compose_branch_summary("Notes.", &preparation.file_operations.lists());
    let target = target.map(|target| id(session, target).to_owned());
    let summary = session.branch_with_summary(target.as_deref(), &text, None, false, NOW).unwrap();
    (collected, summary)
}

fn from_id(session: &Session, summary: Index) -> &str {
    let EntryKind::BranchSummary(branch) = &session.entry(summary).unwrap().kind else { panic!("another kind") };
    &branch.from_id
}

fn branch_below_an_ancestor(mut case: Case) {
    let old_leaf = case.input["oldLeafId"].as_str().unwrap().to_owned();
    let target = case.session.index_of(case.input["targetId"].as_str().unwrap()).unwrap();
    case.session.branch(&old_leaf).unwrap();
    let (collected, summary) = leave(&mut case.session, Some(target));
    assert_eq!(marks(&case.session, &collected.entries), ["B", "C", "D"]);
    assert_eq!((from_id(&case.session, summary), case.session.parent(summary)), (&*old_leaf, Some(target)));
}

fn branches_below_no_common_ancestor() {
    let mut session = Story::new().user("MARK-a").assistant("MARK-b").told();
    // Before the first entry: the summary is a root, and names the leaf all the same.
    let (collected, root) = leave(&mut session, None);
    assert_eq!((marks(&session, &collected.entries), collected.common_ancestor), (vec!["a".into(), "b".into()], None));
    assert_eq!((from_id(&session, root), session.parent(root)), (id(&session, 1), None));
    // From one root to another: the first summary is a part of the branch that is left.
    let (collected, summary) = leave(&mut session, Some(0));
    assert_eq!((collected.entries, collected.common_ancestor), (vec![root], None));
    assert_eq!((from_id(&session, summary), session.parent(summary)), (id(&session, root), Some(0)));
    // From before the first entry there is nothing to leave.
    session.reset_leaf();
    let (collected, summary) = leave(&mut session, Some(1));
    assert_eq!((collected.entries, from_id(&session, summary)), (vec![], "root"));
}
