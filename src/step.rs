//! The common language of runs: what a run asks of the outside world, and what it is told back.
//!
//! A run is a value that is started and resumed. It gives one [`Step`] at a time; a loop outside
//! carries it out and resumes the run with a [`Reply`]. An abort is a reply like any other.

use crate::error::Error;
use crate::hook::{Hook, HookAnswer};
use crate::session::Index;
use crate::summary::{Failure, RemoteResponse, SummaryRequest};
use std::sync::Arc;

/// What of the outside world a run reaches beside its summarisers. By default nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reach {
    /// Hooks are called.
    pub hooks: bool,
    /// What is appended or rewritten goes to a store.
    pub store: bool,
    /// A host is told what to do.
    pub host: bool,
}

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
    /// Call the handlers of a hook.
    CallHook {
        /// The hook.
        hook: Hook,
        /// Milliseconds after which a handler is given up.
        timeout_ms: u64,
    },
    /// Write to the store. What is under way is never raced by an abort.
    Save(Save),
    /// Tell the host what to do.
    HostCommand(HostCommand),
    /// Nothing: the run has ended.
    Done(Box<Outcome>),
}

impl<Outcome> Step<Outcome> {
    /// The step as one of a run with another outcome, or how the run ended.
    pub fn undone<Other>(self) -> Result<Step<Other>, Box<Outcome>> {
        Ok(match self {
            Self::Summarize(summarize) => Step::Summarize(summarize),
            Self::Fetch(fetch) => Step::Fetch(fetch),
            Self::Sleep { wait_ms } => Step::Sleep { wait_ms },
            Self::CallHook { hook, timeout_ms } => Step::CallHook { hook, timeout_ms },
            Self::Save(save) => Step::Save(save),
            Self::HostCommand(command) => Step::HostCommand(command),
            Self::Done(outcome) => return Err(outcome),
        })
    }
}

/// How something ends that never ends: a step with it is never the last one.
#[derive(Debug, Clone, PartialEq)]
pub enum Never {}

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

/// What is to be written to the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Save {
    /// An entry that was appended, behind those before it.
    Entry(Index),
    /// The notices of pruned results in place of their content, see
    /// [`Session::line_with_notice`](crate::session::Session::line_with_notice). The session changes once
    /// the store has them.
    Notices {
        /// The results.
        results: Vec<Index>,
        /// When they were pruned, in milliseconds since 1970.
        pruned_at: i64,
    },
}

/// What a host is to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostCommand {
    /// Stop the agent's operation that is under way.
    Abort,
    /// Put the messages of the context in place of its own.
    ReplaceMessages {
        /// Whether the last one is left out: the answer that is to be tried again.
        without_last: bool,
    },
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
    /// The handlers of the hook have answered.
    Answered(HookAnswer),
    /// The store has it.
    Saved,
    /// The store refused it.
    NotSaved(Error),
    /// The host has done it, or failed, which is its own matter.
    Obeyed,
    /// The run is to end.
    Aborted,
}
