//! The mode that records a prune as an entry, and the way back.

use super::*;
use crate::entry::EntryId;

fn overlay(protect: u64) -> Settings {
    settings(PruneMode::Overlay, protect, 1)
}

fn id(session: &Session, index: Index) -> EntryId {
    session.entry(index).unwrap().id.clone()
}

fn restore(session: &mut Session, entries: &[Index]) -> Pruned {
    let ids: Vec<String> = entries.iter().map(|&index| id(session, index).to_string()).collect();
    restore_tool_outputs(session, Some(&ids), NOW).unwrap()
}

/// The entries that the view at a leaf shows as notices.
fn hidden(session: &Session, leaf: Option<Index>) -> Vec<Index> {
    let context = session.build_session_context(leaf);
    let hidden = context.messages.iter().filter_map(|&place| {
        let ContextMessage::Pruned { entry, .. } = place else { return None };
        let message = session.context_message(place).unwrap();
        let Message::ToolResult(result) = &*message else { panic!("no result") };
        let texts: Vec<&str> = result.content.texts().collect();
        assert!(result.pruned && result.content.blocks().len() == 1 && texts.len() == 1, "{result:?}");
        assert!(texts[0].starts_with("[Output truncated - "), "{result:?}");
        Some(entry)
    });
    hidden.collect()
}

/// At every entry the view is as large as its messages, here and in a load of the session.
fn check_sizes(session: &Session) {
    let again = again(session);
    for leaf in (0..session.len() as Index).map(Some) {
        for session in [session, &again] {
            let context = session.build_session_context(leaf);
            let sizes = context.messages.iter().map(|&place| {
                let message = session.context_message(place).unwrap();
                crate::tokens::estimate_message(&message, session.token_rule()).tokens
            });
            assert_eq!(session.estimated_view(leaf).tokens, sizes.sum::<u64>(), "at {leaf:?}");
        }
        assert_eq!(hidden(session, leaf), hidden(&again, leaf), "at {leaf:?}");
        let size = |session: &Session| session.context_usage(leaf, &UsageQuery::default());
        assert_eq!(size(session), size(&again), "at {leaf:?}");
    }
}

#[test]
fn the_originals_stay_byte_for_byte_and_the_path_sees_notices() {
    let mut session = story(&[call("a", 1_000), call("b", 1_000), call("c", 1_000)]);
    let before = session.to_jsonl();
    let found = prune(&mut session, &overlay(1_000), &later(1));
    assert_eq!((found.entries.as_slice(), found.tokens), (&[1, 3][..], 1_984));
    assert!(session.to_jsonl().starts_with(&before));
    assert_eq!((session.len(), session.leaf()), (7, Some(6)));
    assert_eq!(hidden(&session, Some(6)), [1, 3]);
    assert_eq!(hidden(&session, Some(5)), [] as [Index; 0], "above the prune entry nothing is hidden");
    check_sizes(&session);
    // Handed out it is what a rewrite would have stored.
    let mut rewritten = Session::from_jsonl(before, Preset::Safe, 1).unwrap();
    prune(&mut rewritten, &settings(PruneMode::Rewrite, 1_000, 1), &later(1));
    assert_eq!(session.pruned_json(1, 6), rewritten.entry_json(1));
}

#[test]
fn a_branch_without_the_prune_entry_sees_the_originals() {
    let mut session = story(&[call("a", 100), call("b", 100)]);
    prune(&mut session, &overlay(0), NOW);
    let above = id(&session, 3);
    session.branch(&above).unwrap();
    add(&mut session, "U@10");
    assert_eq!((hidden(&session, session.leaf()), hidden(&session, Some(4))), (vec![], vec![1, 3]));
    check_sizes(&session);
}

#[test]
fn a_restore_gives_some_or_all_back_and_for_nothing_appends_nothing() {
    let mut session = story(&[call("a", 100), call("b", 100), call("c", 100)]);
    let view = session.estimated_view(session.leaf());
    prune(&mut session, &overlay(0), NOW);
    let found = restore(&mut session, &[3]);
    assert_eq!((found.entries.as_slice(), found.tokens), (&[3][..], 92));
    assert_eq!(hidden(&session, session.leaf()), [1, 5]);
    // Neither is hidden, so there is nothing to take back.
    let length = session.len();
    assert_eq!((restore(&mut session, &[3, 0]), session.len()), (Pruned::default(), length));
    let rest = restore_tool_outputs(&mut session, None, NOW).unwrap();
    assert_eq!((rest.entries.as_slice(), rest.tokens), (&[1, 5][..], 184));
    assert_eq!((hidden(&session, session.leaf()), session.estimated_view(session.leaf())), (vec![], view));
    let before = session.to_jsonl();
    assert_eq!(restore_tool_outputs(&mut session, None, NOW).unwrap(), Pruned::default());
    let error = restore_tool_outputs(&mut session, Some(&["nobody".to_owned()]), NOW).unwrap_err();
    assert_eq!((error.code, session.to_jsonl()), (ErrorCode::UnknownEntry, before));
    check_sizes(&session);
}

#[test]
fn prunes_and_restores_may_follow_each_other() {
    let mut session = story(&[call("a", 100), call("b", 100)]);
    prune(&mut session, &overlay(100), &later(1));
    let first = session.leaf().unwrap();
    assert_eq!(hidden(&session, Some(first)), [1]);
    for word in call("c", 100) {
        add(&mut session, &word);
    }
    prune(&mut session, &overlay(100), &later(2));
    let second = session.leaf().unwrap();
    assert_eq!(hidden(&session, Some(second)), [1, 3]);
    // A result says since when it is hidden, whatever prune entries came later.
    let since = |session: &Session, index| session.overlaid(index, session.leaf()).map(|overlaid| overlaid.by);
    assert_eq!((since(&session, 1), since(&session, 3)), (Some(first), Some(second)));
    restore_tool_outputs(&mut session, None, NOW).unwrap();
    assert_eq!(hidden(&session, session.leaf()), [] as [Index; 0]);
    prune(&mut session, &overlay(0), &later(3));
    assert_eq!(hidden(&session, session.leaf()), [1, 3, 6]);
    assert_eq!(since(&session, 1), session.leaf());
    check_sizes(&session);
}

#[test]
fn what_a_prune_entry_names_in_vain_is_passed_over() {
    let mut session = story(&[call("a", 100), call("b", 3)]);
    let [call_a, a, call_b, b] = [0, 1, 2, 3].map(|index| id(&session, index));
    // Of another branch, no result, no larger than a notice, twice.
    session.branch(&a).unwrap();
    session
        .append(&format!(r#"{{"type":"prune","entryIds":["{call_b}","{b}","{call_a}","{a}","{a}"]}}"#), NOW)
        .unwrap();
    assert_eq!(hidden(&session, session.leaf()), [1]);
    check_sizes(&session);
    // Not known, of a wrong type: what a file may hold.
    let file = String::from_utf8(session.to_jsonl()).unwrap();
    let odd = file.replace(&format!(r#"["{call_b}","{b}","#), r#"["nobody",7,"#);
    let loaded = Session::from_jsonl(odd.into_bytes(), Preset::Safe, 1).unwrap();
    assert_eq!(hidden(&loaded, loaded.leaf()), [1]);
    assert_eq!(loaded.diagnostics()[0].kind.as_str(), "wrong-shape");
    check_sizes(&loaded);
    // It is refused where it is appended.
    for (entry, code) in [
        (r#"{"type":"prune","entryIds":["nobody"]}"#, ErrorCode::UnknownEntry),
        (r#"{"type":"prune","entryIds":[7]}"#, ErrorCode::InvalidEntry),
        (r#"{"type":"prune"}"#, ErrorCode::InvalidEntry),
    ] {
        assert_eq!(session.append(entry, NOW).unwrap_err().code, code, "{entry}");
    }
}

#[test]
fn a_prune_entry_that_names_itself_or_what_comes_later_hides_nothing() {
    let mut session = story(&[call("a", 100)]);
    prune(&mut session, &overlay(0), NOW);
    let file = String::from_utf8(session.to_jsonl()).unwrap();
    let later = format!(
        r#"{{"type":"message","id":"later","parentId":"{}","message":{{"role":"toolResult","toolCallId":"a","content":"{}"}}}}"#,
        id(&session, 2),
        crate::tokens::ONE_TOKEN.repeat(100)
    );
    for named in [&*id(&session, 2), "later"] {
        let file = file.replace(&format!(r#"["{}"]"#, id(&session, 1)), &format!(r#"["{named}"]"#));
        assert!(file.contains(&format!(r#"["{named}"]"#)));
        let loaded = Session::from_jsonl(format!("{file}{later}\n").into_bytes(), Preset::Safe, 1).unwrap();
        assert_eq!((loaded.len(), hidden(&loaded, loaded.leaf())), (4, vec![]), "{named}");
    }
}

#[test]
fn sizes_stay_right_after_a_later_compaction() {
    let mut session = session(&["U", "A:a", "R:a@1000", "U", "A:b", "R:b@1000", "U@20", "A:c", "R:c@1000"]);
    prune(&mut session, &overlay(1_000), NOW);
    assert_eq!(hidden(&session, session.leaf()), [2, 5]);
    // It covers the first: what that one saved is not of the view any more.
    add(&mut session, "K:3");
    assert_eq!(hidden(&session, session.leaf()), [5]);
    check_sizes(&session);
    add(&mut session, "U@30");
    add(&mut session, "K:6");
    assert_eq!(hidden(&session, session.leaf()), [] as [Index; 0]);
    check_sizes(&session);
    // The next prune names only what the view holds.
    prune(&mut session, &overlay(0), NOW);
    let newest = session.leaf().and_then(|leaf| session.entry(leaf)).map(|entry| entry.kind.clone());
    assert_eq!(newest, Some(EntryKind::Prune { entry_ids: vec![(&*id(&session, 8)).into()] }));
    assert_eq!(hidden(&session, session.leaf()), [8]);
    check_sizes(&session);
}

#[test]
fn the_context_size_is_the_usage_minus_what_was_pruned_behind_it() {
    let mut session = session(&["U", "A:a", "R:a@1000", "A:b$3000", "R:b@1000"]);
    assert_eq!(tokens(&session), 4_000);
    prune(&mut session, &overlay(0), NOW);
    assert_eq!((tokens(&session), tokens(&again(&session))), (2_016, 2_016));
    add(&mut session, "A$2100");
    assert_eq!(tokens(&session), 2_100);
    // What was taken back since that turn comes on top.
    restore(&mut session, &[2]);
    assert_eq!((tokens(&session), tokens(&again(&session))), (3_092, 3_092));
    check_sizes(&session);
}

#[test]
fn a_result_that_can_be_had_back_is_never_rewritten() {
    let mut session = story(&[call("a", 100), call("b", 100)]);
    prune(&mut session, &overlay(100), NOW);
    restore_tool_outputs(&mut session, None, NOW).unwrap();
    assert_eq!(prune(&mut session, &settings(PruneMode::Rewrite, 0, 1), NOW).entries, [3]);
    assert_eq!(prune(&mut session, &overlay(0), NOW).entries, [1]);
    check_sizes(&session);
}
