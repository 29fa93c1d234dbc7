//! Branch summaries: what of an abandoned branch is carried over into the new one.

mod collect;
mod prepare;
mod run;

pub use collect::{Collected, collect_entries};
pub use prepare::{BranchPreparation, prepare_branch_entries};
pub use run::{BranchOptions, BranchOutcome, BranchRun, BranchStatus, BranchText, NO_MESSAGES, NOTHING_FITS};
