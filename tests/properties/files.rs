//! Load and save are inverse, and any bytes load or are no session.

use crate::check;
use crate::sizes::{Deed, apply, deeds};
use crate::support::damage::{damage, damaged};
use crate::support::load;
use crate::support::records::{Wildness, records};
use crate::support::saving::assert_loads_the_same;
use crate::support::tree::{Version, jsonl};
use proptest::prelude::*;
use threadfold::error::ErrorCode;
use threadfold::session::{Index, Preset, Session};

fn version() -> impl Strategy<Value = Version> {
    prop::sample::select(vec![Version::One, Version::Two, Version::Three, Version::Headless])
}

#[test]
fn what_is_loaded_is_saved_and_loads_the_same() {
    let values = (version(), records(Wildness { ids_again: true, damage: true }, 40));
    check("load and save are inverse", values, |(version, records)| {
        let text = jsonl(version, &records);
        let Ok(session) = Session::from_jsonl(text.clone().into_bytes(), Preset::Safe, 1) else {
            prop_assert_eq!(version, Version::Headless);
            return Ok(());
        };
        let has_ids = text.contains(r#""id":"e"#);
        if version == Version::Three || (version == Version::Headless && has_ids) {
            prop_assert_eq!(String::from_utf8(session.to_jsonl()).unwrap(), text.clone());
        }
        let same = load(text.into_bytes());
        prop_assert_eq!(same.leaf(), session.leaf());
        assert_loads_the_same(&session, false);
        Ok(())
    });
}

#[test]
fn what_is_appended_and_folded_loads_the_same() {
    let deeds = deeds(20).prop_map(|mut deeds| {
        deeds.retain(|deed| !matches!(deed, Deed::Prune(_)));
        deeds
    });
    let values = (version(), records(Wildness { ids_again: true, damage: true }, 20), deeds);
    check("appends and folds are saved", values, |(version, records, deeds)| {
        let text = jsonl(version, &records);
        let Ok(mut session) = Session::from_jsonl(text.into_bytes(), Preset::Safe, 1) else { return Ok(()) };
        let (before, length) = (session.to_jsonl(), session.len());
        apply(&mut session, &deeds);
        prop_assert!(session.to_jsonl().starts_with(&before), "what was stored was changed");
        assert_loads_the_same(&session, session.len() > length);
        if session.len() > length {
            prop_assert_eq!(load(session.to_jsonl()).leaf(), Some(session.len() as Index - 1));
        }
        Ok(())
    });
}

#[test]
fn any_bytes_load_or_are_no_session_and_come_back() {
    let values = (
        version(),
        records(Wildness { ids_again: true, damage: true }, 15),
        prop::collection::vec(damage(), 1..8),
        any::<bool>(),
    );
    check("any bytes", values, |(version, records, damage, header_too)| {
        let text = jsonl(version, &records).into_bytes();
        let spared = if header_too { 0 } else { text.iter().position(|&byte| byte == b'\n').map_or(0, |end| end + 1) };
        let (header, body) = text.split_at(spared);
        let body = damaged(body.to_vec(), &damage);
        let bytes = [header, &body].concat();
        let session = match Session::from_jsonl(bytes.clone(), Preset::Safe, 1) {
            Ok(session) => session,
            Err(error) => {
                prop_assert_eq!(error.code, ErrorCode::NotASession);
                return Ok(());
            }
        };
        if version == Version::Three && !header_too {
            prop_assert!(session.to_jsonl() == bytes, "a file nothing was done to was changed");
        }
        session.build_session_context(session.leaf());
        assert_loads_the_same(&session, false);
        Ok(())
    });
}

/// What a fuzzer found is kept among its seeds, under a name that says what it was.
#[test]
fn what_the_fuzzer_starts_from_is_the_same_once_it_was_saved() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/seeds/load");
    let mut checked = 0;
    for file in std::fs::read_dir(folder).expect("the seeds") {
        let path = file.expect("a seed").path();
        eprintln!("{}", path.display());
        let session = load(std::fs::read(path).expect("a seed"));
        session.build_session_context(session.leaf());
        assert_loads_the_same(&session, false);
        checked += 1;
    }
    assert!(checked >= 6, "only {checked} seeds");
}
