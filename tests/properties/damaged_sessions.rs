//! Whole sessions, damaged at random: the sample session and, where they are at hand, real ones. They
//! load within bounded time or are no session, and are the same again once they were saved.

use crate::check_some;
use crate::support::damage::{Damage, damage, damaged};
use crate::support::naive::refusal;
use crate::support::saving::assert_loads_the_same;
use crate::support::sessions;
use proptest::prelude::*;
use std::time::{Duration, Instant};
use threadfold::error::ErrorCode;
use threadfold::session::{Preset, Session};

/// A session loads in a few milliseconds; a load that is quadratic in it takes minutes.
const LONGEST: Duration = Duration::from_secs(20);

fn loads_or_is_no_session(name: &str, bytes: Vec<u8>, all: &[Damage]) -> Result<(), TestCaseError> {
    let bytes = damaged(bytes, all);
    let started = Instant::now();
    let loaded = Session::from_jsonl(bytes, Preset::Safe, 7);
    prop_assert!(started.elapsed() < LONGEST, "{name} took {:?} to load", started.elapsed());
    match loaded {
        Err(error) => prop_assert_eq!(error.code, ErrorCode::NotASession, "{}", name),
        Ok(session) => {
            let refusal = refusal(&session, &session.build_session_context(session.leaf()));
            prop_assert!(refusal.is_none(), "{name}: {refusal:?}");
            assert_loads_the_same(&session, false);
        }
    }
    Ok(())
}

#[test]
fn a_damaged_sample_session_is_the_same_once_it_was_saved() {
    let sample = sample_session::generate().into_bytes();
    check_some(20, "the sample session, damaged", prop::collection::vec(damage(), 1..10), |all| {
        loads_or_is_no_session("the sample session", sample.clone(), &all)
    });
}

#[test]
fn damaged_real_sessions_are_the_same_once_they_were_saved() {
    let files = sessions::real();
    if files.is_empty() {
        eprintln!("{}", sessions::SKIPPED);
        return;
    }
    let values = (0..files.len(), prop::collection::vec(damage(), 1..10));
    check_some(10, "real sessions, damaged", values, |(file, all)| {
        loads_or_is_no_session(&files[file].0, files[file].1.clone(), &all)
    });
}
