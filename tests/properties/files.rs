//! Load and save are inverse, and any bytes load or are no session.

use crate::check;
use crate::sizes::{apply, deeds};
use crate::support::naive::path;
use crate::support::records::{Wildness, records};
use crate::support::tree::{Version, jsonl};
use crate::support::{entry, load};
use proptest::prelude::*;
use threadfold::error::ErrorCode;
use threadfold::session::{Diagnostic, DiagnosticKind, Index, Preset, Session};

fn version() -> impl Strategy<Value = Version> {
    prop::sample::select(vec![Version::One, Version::Two, Version::Three, Version::Headless])
}

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
    // A version of a wrong type in a header is written anew by a migration.
    let lasts = |found: &&Diagnostic| found.kind != DiagnosticKind::WrongShape || found.entry_id.is_some();
    session.diagnostics().iter().filter(lasts).map(report).collect()
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What was saved is what a load of it finds.
fn loads_the_same(session: &Session, appended: bool) -> Result<(), TestCaseError> {
    let saved = session.to_jsonl();
    let again = load(saved.clone());
    prop_assert_eq!(lossy(&again.to_jsonl()), lossy(&saved));
    prop_assert_eq!(again.len(), session.len());
    prop_assert_eq!(again.id(), session.id());
    for index in 0..session.len() as Index {
        prop_assert_eq!(entry(&again, index), entry(session, index));
        prop_assert_eq!(again.parent(index), session.parent(index), "the parent of {} in {}", index, lossy(&saved));
        let children = |session: &Session| session.children(index).collect::<Vec<_>>();
        prop_assert_eq!(children(&again), children(session), "the children of {} in {}", index, lossy(&saved));
    }
    let newest = again.leaf();
    prop_assert_eq!(path(&again, newest), path(session, newest));
    prop_assert_eq!(again.labels().collect::<Vec<_>>(), session.labels().collect::<Vec<_>>());
    prop_assert_eq!(reports(&again, appended), reports(session, appended));
    Ok(())
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
        loads_the_same(&session, false)
    });
}

#[test]
fn what_is_appended_and_folded_loads_the_same() {
    let values = (version(), records(Wildness { ids_again: true, damage: true }, 20), deeds(20));
    check("appends and folds are saved", values, |(version, records, deeds)| {
        let text = jsonl(version, &records);
        let Ok(mut session) = Session::from_jsonl(text.into_bytes(), Preset::Safe, 1) else { return Ok(()) };
        let (before, length) = (session.to_jsonl(), session.len());
        apply(&mut session, &deeds);
        prop_assert!(session.to_jsonl().starts_with(&before), "what was stored was changed");
        loads_the_same(&session, session.len() > length)?;
        if session.len() > length {
            prop_assert_eq!(load(session.to_jsonl()).leaf(), Some(session.len() as Index - 1));
        }
        Ok(())
    });
}

/// A way to damage a file.
#[derive(Debug, Clone)]
enum Damage {
    Flip(prop::sample::Index, u8),
    Insert(prop::sample::Index, Vec<u8>),
    Cut(prop::sample::Index, u8),
    End(prop::sample::Index),
    Glue(prop::sample::Index),
    Double(prop::sample::Index),
    Swap(prop::sample::Index, prop::sample::Index),
}

fn damage() -> impl Strategy<Value = Damage> {
    let place = any::<prop::sample::Index>;
    prop_oneof![
        4 => (place(), any::<u8>()).prop_map(|(at, byte)| Damage::Flip(at, byte)),
        2 => (place(), prop::collection::vec(any::<u8>(), 1..6)).prop_map(|(at, bytes)| Damage::Insert(at, bytes)),
        2 => (place(), any::<u8>()).prop_map(|(at, length)| Damage::Cut(at, length)),
        1 => place().prop_map(Damage::End),
        2 => place().prop_map(Damage::Glue),
        2 => place().prop_map(Damage::Double),
        2 => (place(), place()).prop_map(|(one, other)| Damage::Swap(one, other)),
    ]
}

fn damaged(bytes: Vec<u8>, all: &[Damage]) -> Vec<u8> {
    let mut bytes = bytes;
    for damage in all {
        if bytes.is_empty() {
            break;
        }
        let mut lines: Vec<Vec<u8>> = bytes.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
        match damage {
            Damage::Flip(at, byte) => {
                let at = at.index(bytes.len());
                bytes[at] = *byte;
                continue;
            }
            Damage::Insert(at, new) => {
                let at = at.index(bytes.len());
                bytes.splice(at..at, new.iter().copied());
                continue;
            }
            Damage::Cut(at, length) => {
                let at = at.index(bytes.len());
                let end = bytes.len().min(at + usize::from(*length));
                bytes.drain(at..end);
                continue;
            }
            Damage::End(at) => {
                bytes.truncate(at.index(bytes.len()));
                continue;
            }
            Damage::Glue(at) => {
                let at = at.index(lines.len());
                lines[at].retain(|&byte| byte != b'\n');
            }
            Damage::Double(at) => {
                let at = at.index(lines.len());
                lines.insert(at, lines[at].clone());
            }
            Damage::Swap(one, other) => {
                let (one, other) = (one.index(lines.len()), other.index(lines.len()));
                lines.swap(one, other);
            }
        }
        bytes = lines.concat();
    }
    bytes
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
            prop_assert_eq!(lossy(&session.to_jsonl()), lossy(&bytes));
        }
        session.build_session_context(session.leaf());
        loads_the_same(&session, false)
    });
}
