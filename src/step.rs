//! The common language of runs: what a run asks of the outside world, and what it is told back.
//!
//! A run is a value that is started and resumed. It gives one [`Step`] at a time; a loop outside
//! carries it out and resumes the run with a [`Reply`]. An abort is a reply like any other.

use crate::summary::{Failure, RemoteResponse, SummaryRequest};
use std::sync::Arc;

/// What a run asks for.
#[derive(Debug, Clone, PartialEq)]
pub enum Step<Outcome> {
    /// Hand a request to the host's callback.
    Summarize(Summarize),
    /// Send a request to the remote endpoint.
    Fetch(Fetch),
    /// Wait.
    Sleep {
        /// How long, in milliseconds.
        wait_ms: u64,
    },
    /// Nothing: the run has ended.
    Done(Box<Outcome>),
}

/// A request on its way to the host's callback.
#[derive(Debug, Clone, PartialEq)]
pub struct Summarize {
    /// The request.
    pub request: Arc<SummaryRequest>,
    /// The model to use, by its number in the host's list.
    pub model: usize,
    /// The number of this attempt at it, from 1.
    pub attempt: u32,
    /// Milliseconds after which the callback is given up.
    pub timeout_ms: u64,
}

/// A request on its way to the remote endpoint.
#[derive(Debug, Clone, PartialEq)]
pub struct Fetch {
    /// The endpoint.
    pub url: String,
    /// The request.
    pub request: Arc<SummaryRequest>,
    /// Milliseconds after which the endpoint is given up.
    pub timeout_ms: u64,
}

/// What a run is told.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// The callback answered.
    Summary(crate::summary::Reply),
    /// The endpoint answered.
    Responded(RemoteResponse),
    /// The callback or the endpoint failed: it threw, was out of reach, took too long, or answered
    /// with a value of a wrong type.
    Failed(Failure),
    /// The wait is over.
    Slept,
    /// The run is to end.
    Aborted,
}
