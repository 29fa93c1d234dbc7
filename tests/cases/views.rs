//! Views that a provider refused for ever.

use crate::Fault;
use crate::case::Case;
use crate::story::{Story, marks_in, requests, text, view};
use crate::support::settings;
use threadfold::session::RepairKind;

pub(crate) const FAULTS: &[Fault] = &[
    Fault {
        case: "07",
        kind: "compactions that overlap tear calls and results apart",
        case_holds: two_compactions,
        another_holds: three_compactions,
    },
    Fault {
        case: "18",
        kind: "what was taken over from elsewhere brings results without their calls",
        case_holds: handoff,
        another_holds: branch_that_begins_with_results,
    },
];

fn two_compactions(case: Case) {
    // The write call and its result, the edit call that has none, then what came behind.
    assert_eq!(view(&case.session), ["summary OUTER-SUMMARY", "", "", "", "made-up", "a3", "", "a4", "u9"]);
    let context = case.session.build_session_context(case.session.leaf());
    let repairs: Vec<(RepairKind, &str)> = context
        .repairs
        .iter()
        .map(|repair| (repair.kind, repair.tool_call_id.as_deref().unwrap_or_default()))
        .collect();
    assert_eq!(repairs, [(RepairKind::MissingResult, "e2"), (RepairKind::OrphanResult, "GONE")]);
}

fn three_compactions() {
    let session = Story::new()
        .user("MARK-u0")
        .calls(&["a", "b"])
        .result("b", "MARK-b")
        .fold("ONE", 1)
        .result("a", "MARK-late-a")
        .user("MARK-u1")
        .calls(&["c"])
        .fold("TWO", 5)
        .result("b", "MARK-orphan")
        .result("c", "MARK-c")
        .fold("THREE", 4)
        .user("MARK-u2")
        .told();
    // The late result brings the turn of its call with it, which brings the other result.
    assert_eq!(view(&session), ["summary THREE", "", "b", "late-a", "u1", "", "c", "u2"]);
}

fn handoff(case: Case) {
    assert_eq!(view(&case.session), ["handoff", "u1", "", "ok", "end"]);
    // To the summariser the stray result may go as text at most, and its call is not made up.
    let plan = crate::case::plan(&case.session, &settings(100, 1), None).unwrap();
    for request in requests(&case.session, &plan) {
        assert!(!request.prompt.contains("LOST"), "{}", request.prompt);
    }
}

fn branch_that_begins_with_results() {
    let session = Story::new()
        .branch_summary("MARK-branch")
        .result("x", "MARK-orphan-x")
        .result("y", "MARK-orphan-y")
        .user(&text("MARK-u1", 40))
        .result("x", "MARK-orphan-again")
        .calls(&["k"])
        .result("y", "MARK-between")
        .result("k", "MARK-k")
        .assistant(&text("MARK-end", 40))
        .told();
    assert_eq!(view(&session), ["branch", "u1", "", "k", "end"]);
    let plan = crate::case::plan(&session, &settings(100, 10), None).unwrap();
    let shown: Vec<String> = requests(&session, &plan).iter().flat_map(|request| marks_in(&request.prompt)).collect();
    assert_eq!(shown, ["branch", "u1", "k"]);
}
