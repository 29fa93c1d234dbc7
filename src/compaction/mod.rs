//! Compaction: what to summarise, where to cut, and the run that carries it out.

mod cut_point;
mod nothing_to_do;
mod outcome;
mod preparation;
mod prepare;
mod run;
mod trigger;

pub use cut_point::{CutPoint, find_cut_point};
pub use nothing_to_do::NothingToDo;
pub use outcome::{CompactionOutcome, Progress, Status};
pub use preparation::Preparation;
pub use prepare::{Prepare, prepare_compaction};
pub use run::{CompactionRun, RunOptions, Started};
pub use trigger::{Check, Decision, Moment, Trigger, should_compact};

pub(crate) use trigger::{is_good_turn, overflowed_turn};
