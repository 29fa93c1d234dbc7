//! Real sessions, where they are at hand: each is folded, saved and loaded again, and nothing is
//! missing. Where the folder is absent the test says `skipped:` and passes.

// A test may panic: that is how it fails.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::collections::BTreeSet;
use support::naive::{is_message, path, refusal, view};
use support::{entry, load, options, prepare, run, sessions, settings};
use threadfold::compaction::{Status, prepare_compaction};
use threadfold::session::Index;
use threadfold::summary::Candidate;

/// Folds a session with a keep budget of a tenth of its size; gives what became of it.
fn fold(name: &str, bytes: Vec<u8>) -> String {
    let mut session = load(bytes.clone());
    if bytes
        .split(|&byte| byte == b'\n')
        .next()
        .is_some_and(|header| String::from_utf8_lossy(header).contains("\"version\":3"))
    {
        assert!(session.to_jsonl() == bytes, "{name}: a file nothing was done to was changed");
    }
    let estimate = session.estimated_view(session.leaf()).tokens;
    let settings = settings(16_384, estimate / 10);
    let plan = prepare_compaction(&session, session.leaf(), &prepare(&settings)).expect("settings that fit");
    let (count, saved) = (session.len(), session.to_jsonl());
    let whole = path(&session, session.leaf());
    let (_, seen_before) = view(&session, &whole);
    let ran = run(&mut session, options(&settings, Candidate::LOCAL), |_| unreachable!("a local run asks for nothing"));
    let outcome = ran.outcome;
    let again = load(session.to_jsonl());
    assert!(again.to_jsonl() == session.to_jsonl(), "{name}: it saves otherwise once it was loaded");
    assert!(session.to_jsonl().starts_with(&saved), "{name}: what was stored was changed");
    assert_eq!(again.len(), session.len(), "{name}");
    for index in 0..session.len() as Index {
        assert_eq!(entry(&again, index), entry(&session, index), "{name}: entry {index}");
        assert_eq!(again.parent(index), session.parent(index), "{name}: entry {index}");
    }
    let context = again.build_session_context(again.leaf());
    assert_eq!(refusal(&again, &context), None, "{name}");
    match plan {
        Err(nothing) => {
            assert_eq!((outcome.nothing_to_do.as_ref(), session.len()), (Some(&nothing), count), "{name}");
            format!("nothing to do: {nothing}")
        }
        Ok(plan) => {
            assert_eq!((outcome.status, session.len()), (Status::Committed, count + 1), "{name}: {:?}", outcome.error);
            let whole = path(&again, again.leaf());
            let seen: BTreeSet<Index> = view(&again, &whole).1.into_iter().collect();
            let summarised: BTreeSet<Index> =
                plan.entries_to_summarize.iter().chain(&plan.turn_prefix).copied().collect();
            for index in seen_before {
                assert!(is_message(entry(&again, index)));
                assert!(
                    seen.contains(&index) != summarised.contains(&index),
                    "{name}: entry {index} is in two parts or none"
                );
            }
            let after = again.estimated_view(again.leaf()).tokens;
            // What frames a summary may outweigh a session of a few words, and then the run says so.
            let progress = outcome.progress.expect("figures");
            assert!(after < estimate || !progress.sufficient, "{name}: {estimate} tokens became {after}");
            assert!(estimate < 1_000 || progress.sufficient, "{name}: {estimate} tokens became {after}");
            format!(
                "{estimate} tokens became {after}, {} messages summarised, {} kept",
                summarised.len(),
                plan.kept.len()
            )
        }
    }
}

#[test]
fn every_session_folds_saves_and_loads_with_nothing_missing() {
    let files = sessions::real();
    if files.is_empty() {
        eprintln!("{}", sessions::SKIPPED);
        return;
    }
    let mut folded = 0;
    for (name, bytes) in files {
        let told = fold(&name, bytes);
        folded += usize::from(told.contains("became"));
        eprintln!("{name}: {told}");
    }
    assert!(folded >= 6, "only {folded} sessions could be folded");
}
