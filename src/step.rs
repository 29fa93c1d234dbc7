//! The common language of runs: what a run asks of the outside world, and what it is told back.
//!
//! A run is a value that is started and resumed. It gives one [`Step`] at a time; a loop outside
//! carries it out and resumes the run with a [`Reply`]. An abort is a reply like any other.

use crate::summary::SummaryRequest;
use std::sync::Arc;

/// What a run asks for.
#[derive(Debug, Clone, PartialEq)]
pub enum Step<Outcome> {
    /// Hand a request to the summariser.
    Summarize(Summarize),
    /// Nothing: the run has ended.
    Done(Box<Outcome>),
}

/// A request on its way to the summariser.
#[derive(Debug, Clone, PartialEq)]
pub struct Summarize {
    /// The request.
    pub request: Arc<SummaryRequest>,
    /// The number of this attempt at it, from 1.
    pub attempt: u32,
    /// Milliseconds after which the summariser is given up.
    pub timeout_ms: u64,
}

/// What a run is told.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// The summariser answered.
    Summary(crate::summary::Reply),
    /// The summariser threw, rejected, timed out or answered with a value of a wrong type.
    SummarizerFailed {
        /// What it said, for people.
        message: String,
    },
    /// The run is to end.
    Aborted,
}
