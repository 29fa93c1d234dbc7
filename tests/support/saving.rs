//! What must be true of every session once it was saved: the file loads the same.

use super::naive::path;
use super::{entry, load};
use threadfold::session::{Diagnostic, DiagnosticKind, Index, Session};

/// What was reported, as a later load says it: a torn last line is no longer last once something
/// was appended to it.
fn reports(session: &Session, appended: bool) -> Vec<(Option<u32>, DiagnosticKind, Option<String>)> {
    let report = |found: &Diagnostic| {
        let kind = match found.kind {
            DiagnosticKind::TornLine if appended => DiagnosticKind::MalformedLine,
            kind => kind,
        };
        (found.line, kind, found.entry_id.as_ref().map(ToString::to_string))
    };
    // A migration writes these fields anew, behind the value that was of no use.
    let anew = ["id,", "parentId,", "firstKeptEntryId,", "version "];
    let lasts = |found: &&Diagnostic| {
        found.kind != DiagnosticKind::WrongShape || !anew.iter().any(|field| found.message.starts_with(field))
    };
    // So does one of version 1 with an id that is taken.
    let lasts = |found: &&Diagnostic| {
        lasts(found) && !(found.kind == DiagnosticKind::DuplicateId && found.message.contains("from now on"))
    };
    // What was wrong inside of an output is gone once that was pruned.
    let is_pruned = |found: &&Diagnostic| {
        let entry = found.entry_id.as_ref().and_then(|id| session.entry(session.index_of(id)?));
        entry.and_then(|entry| entry.tool_result()).is_some_and(|result| result.pruned)
            && matches!(found.kind, DiagnosticKind::LoneSurrogate | DiagnosticKind::WrongShape)
    };
    session.diagnostics().iter().filter(lasts).filter(|found| !is_pruned(found)).map(report).collect()
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The view at a leaf, as a text that can be compared.
fn seen(session: &Session, leaf: Option<Index>) -> String {
    format!("{:?}", session.build_session_context(leaf))
}

/// Holds that a load of what was saved finds the same entries, tree, labels, faults and view, and
/// saves the same bytes. `appended` says whether anything was appended since the session was loaded.
pub(crate) fn assert_loads_the_same(session: &Session, appended: bool) {
    let saved = session.to_jsonl();
    let again = load(saved.clone());
    assert!(again.to_jsonl() == saved, "saved otherwise once it was loaded: {}", lossy(&saved));
    assert_eq!((again.len(), again.id()), (session.len(), session.id()), "{}", lossy(&saved));
    let mut newest = None;
    for index in 0..session.len() as Index {
        assert_eq!(entry(&again, index), entry(session, index));
        assert_eq!(again.parent(index), session.parent(index), "the parent of {index} in {}", lossy(&saved));
        let children = |session: &Session| session.children(index).collect::<Vec<_>>();
        assert_eq!(children(&again), children(session), "the children of {index} in {}", lossy(&saved));
        // Of an unreadable entry there is nothing to hand out.
        if again.entry_json(index).is_some() {
            newest = Some(index);
        }
    }
    assert_eq!(again.leaf(), newest, "the leaf is the last readable entry of {}", lossy(&saved));
    assert_eq!(path(&again, newest), path(session, newest));
    assert_eq!(seen(&again, newest), seen(session, newest), "the view of {}", lossy(&saved));
    assert_eq!(again.labels().collect::<Vec<_>>(), session.labels().collect::<Vec<_>>());
    assert_eq!(reports(&again, appended), reports(session, appended), "{}", lossy(&saved));
}
