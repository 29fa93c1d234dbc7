//! A table of fault cases: sessions that once broke some agent.
//!
//! Each row names a case of `../shared/cases`, says which kind of fault it stands for, holds the case
//! against what it expects, and brings a second member of the kind, a story of our own. Where the
//! folder is absent the test says `skipped:`; the second members run everywhere.

// A test may panic: that is how it fails.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

#[path = "../support/mod.rs"]
mod support;

mod agents;
mod branches;
mod case;
mod files;
mod plans;
mod prunes;
mod sizes;
mod story;
mod summaries;
mod triggers;
mod views;

use case::Case;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A row of the table.
struct Fault {
    /// The case, by the start of its file's name.
    case: &'static str,
    /// The kind of fault that it is a member of.
    kind: &'static str,
    /// Holds the case against what it expects.
    case_holds: fn(Case),
    /// Holds another member of the kind.
    another_holds: fn(),
}

fn table() -> impl Iterator<Item = &'static Fault> {
    [
        files::FAULTS,
        views::FAULTS,
        sizes::FAULTS,
        triggers::FAULTS,
        plans::FAULTS,
        prunes::FAULTS,
        summaries::FAULTS,
        branches::FAULTS,
    ]
    .into_iter()
    .flatten()
}

/// Holds one side of every row, and names all that fail.
fn hold_all(side: impl Fn(&Fault)) {
    let failed: Vec<String> = table()
        .filter(|fault| {
            eprintln!("{}: {}", fault.case, fault.kind);
            catch_unwind(AssertUnwindSafe(|| side(fault))).is_err()
        })
        .map(|fault| format!("{}: {}", fault.case, fault.kind))
        .collect();
    assert!(failed.is_empty(), "these failed, see above:\n{}", failed.join("\n"));
}

#[test]
fn every_case_ends_as_it_should() {
    if !case::folder().is_dir() {
        eprintln!("skipped: the folder of cases is not there");
        return;
    }
    hold_all(|fault| (fault.case_holds)(Case::read(fault.case)));
}

#[test]
fn another_of_each_kind_ends_as_it_should() {
    hold_all(|fault| (fault.another_holds)());
}

#[test]
fn no_case_is_forgotten() {
    let there: BTreeSet<String> = case::names().into_iter().collect();
    if there.is_empty() {
        eprintln!("skipped: the folder of cases is not there");
        return;
    }
    let held: BTreeSet<String> = table().map(|fault| case::file_name(fault.case)).collect();
    assert_eq!(held, there);
}
