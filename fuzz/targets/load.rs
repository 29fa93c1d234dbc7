//! Any bytes load or are no session; what was loaded comes back, is seen, is cut and loads the same.
//!
//! From the folder `fuzz`, for ten minutes:
//!
//! ```text
//! cargo run --release --bin load -- -max_total_time=600 -timeout=10 -dict=session.dict corpus/load seeds/load
//! ```
//!
//! The first folder, which must be there, takes what is found on the way. A finding is a file
//! `crash-...`, `timeout-...` or `oom-...`; `cargo run --release --bin load -- <file>` repeats it.

#![no_main]

#[path = "../../tests/support/mod.rs"]
mod support;

use libfuzzer_sys::fuzz_target;
use support::naive::refusal;
use support::saving::assert_loads_the_same;
use threadfold::error::ErrorCode;
use threadfold::llm::{convert, serialize_conversation};
use threadfold::session::{Index, Preset, Session, UsageQuery};

fuzz_target!(|bytes: &[u8]| {
    for preset in [Preset::Safe, Preset::Classic] {
        match Session::from_jsonl(bytes.to_vec(), preset, 7) {
            Ok(session) => look_at(&session, bytes, preset),
            Err(error) => assert_eq!(error.code, ErrorCode::NotASession),
        }
    }
});

/// Calls whatever reads a session.
fn look_at(session: &Session, bytes: &[u8], preset: Preset) {
    for leaf in (0..session.len() as Index).map(Some).chain([None]) {
        let context = session.build_session_context(leaf);
        if preset == Preset::Safe {
            assert_eq!(refusal(session, &context), None, "at {leaf:?}");
        }
        let messages: Vec<_> =
            context.messages.iter().filter_map(|&place| session.context_message(place)).collect();
        messages.iter().for_each(|message| drop(convert(message)));
        serialize_conversation(messages.iter().map(|message| &**message));
        session.context_usage(leaf, &UsageQuery::default());
        if let Some(json) = leaf.and_then(|leaf| session.entry_json(leaf)) {
            let value: Result<&serde_json::value::RawValue, _> = serde_json::from_str(&json);
            assert!(value.is_ok(), "handed out what is no JSON: {json}");
        }
    }
    if preset == Preset::Safe {
        assert_loads_the_same(session, false);
        if is_current(session, bytes) {
            assert!(session.to_jsonl() == bytes, "a file nothing was done to was changed");
        }
    }
}

/// Whether the file begins with a header of the current version, which no migration touches.
fn is_current(session: &Session, bytes: &[u8]) -> bool {
    session.header_json().is_some_and(|header| {
        bytes.starts_with(header.as_bytes())
            && header.starts_with(r#"{"type":"session","version":3,"#)
            && header.matches("version").count() == 1
            && !header.contains('\\')
    })
}
