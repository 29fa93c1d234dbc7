//! What a run asks for, tells and comes to, as plain data; entries by number.

use super::{ErrorData, NothingToDoData};
use crate::compaction::CompactionOutcome;
use crate::event::Event;
use crate::hook::Hook;
use crate::step::{HostCommand, Save, Step};
#[cfg(test)]
use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

/// A request to a summariser.
#[derive(Debug, Clone)]
#[cfg_attr(test, derive(Serialize, TS), ts(rename = "SummaryRequest"))]
#[cfg_attr(test, serde(rename_all = "camelCase"))]
pub struct SummaryRequestData {
    /// What is asked for.
    #[cfg_attr(test, ts(as = "crate::summary::RequestKind"))]
    pub kind: &'static str,
    /// The system prompt.
    pub system_prompt: String,
    /// The user prompt; all text of the session in it is data.
    pub prompt: String,
    /// The output limit, in tokens.
    pub max_tokens: f64,
    /// The estimated size of system prompt and prompt, in tokens.
    pub prompt_tokens: f64,
}

/// A step of a run, as the loop carries it out.
#[derive(Debug, Clone)]
#[cfg_attr(test, derive(Serialize, TS), ts(rename = "Step", optional_fields))]
#[cfg_attr(test, serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase"))]
pub enum StepData {
    /// The callback is to answer a request.
    Summarize {
        /// The request.
        request: SummaryRequestData,
        /// The number of the model in the list of the host, from 0.
        model: u32,
        /// The number of this attempt at it, from 1.
        attempt: u32,
        /// Milliseconds after which the callback is given up.
        timeout_ms: f64,
    },
    /// The remote endpoint is to answer a request.
    Fetch {
        /// The endpoint.
        url: String,
        /// What is sent: JSON.
        body: String,
        /// Milliseconds after which the endpoint is given up.
        timeout_ms: f64,
    },
    /// A wait before the same request is sent again.
    Sleep {
        /// How long, in milliseconds.
        wait_ms: f64,
    },
    /// The handlers of a hook are to be called.
    Hook {
        /// The hook.
        #[cfg_attr(test, ts(type = "\"session_before_compact\" | \"session.compacting\" | \"session_before_tree\""))]
        hook: &'static str,
        /// Why the compaction started, and whether the request that was too large is to be sent again afterwards.
        #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
        #[cfg_attr(test, ts(as = "Option<crate::compaction::Trigger>"))]
        reason: Option<&'static str>,
        /// The same.
        #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
        will_retry: Option<bool>,
        /// Milliseconds after which a handler is given up.
        timeout_ms: f64,
    },
    /// An entry is to be stored that was appended.
    Save {
        /// Its number.
        entry: u32,
    },
    /// Stored results are to get their notice.
    SaveNotices {
        /// Their numbers.
        results: Vec<u32>,
        /// When they were pruned, in milliseconds since 1970.
        pruned_at: f64,
    },
    /// The host is to stop what its agent does.
    Abort,
    /// The host is to take the messages of the context in place of its own.
    ReplaceMessages {
        /// Whether the last one is left out.
        without_last: bool,
    },
}

impl StepData {
    /// The step as data; nothing where the run has ended. Texts that may be long are left empty:
    /// they cross by themselves, see `long_text`.
    pub fn new<Outcome>(step: &Step<Outcome>) -> Option<Self> {
        Some(match step {
            Step::Summarize(step) => Self::Summarize {
                request: SummaryRequestData {
                    kind: step.request.kind.as_str(),
                    system_prompt: step.request.system_prompt.to_owned(),
                    prompt: String::new(),
                    max_tokens: step.request.max_tokens as f64,
                    prompt_tokens: step.request.prompt_tokens as f64,
                },
                model: step.model as u32,
                attempt: step.attempt,
                timeout_ms: step.timeout_ms as f64,
            },
            Step::Fetch(step) => {
                Self::Fetch { url: step.url.clone(), body: String::new(), timeout_ms: step.timeout_ms as f64 }
            }
            Step::Sleep { wait_ms } => Self::Sleep { wait_ms: *wait_ms as f64 },
            Step::CallHook { hook, timeout_ms } => {
                let (reason, will_retry) = match hook {
                    Hook::BeforeCompact { reason, will_retry } => (Some(*reason), Some(*will_retry)),
                    Hook::Compacting | Hook::BeforeTree => (None, None),
                };
                Self::Hook { hook: hook.as_str(), reason, will_retry, timeout_ms: *timeout_ms as f64 }
            }
            Step::Save(Save::Entry(entry)) => Self::Save { entry: *entry },
            Step::Save(Save::Notices { results, pruned_at }) => {
                Self::SaveNotices { results: results.clone(), pruned_at: *pruned_at as f64 }
            }
            Step::HostCommand(HostCommand::Abort) => Self::Abort,
            Step::HostCommand(HostCommand::ReplaceMessages { without_last }) => {
                Self::ReplaceMessages { without_last: *without_last }
            }
            Step::Done(_) => return None,
        })
    }
}

/// How a run ended; entries by number.
#[derive(Debug, Clone)]
#[cfg_attr(test, derive(Serialize, TS), ts(rename = "OutcomeFigures", optional_fields))]
#[cfg_attr(test, serde(rename_all = "camelCase"))]
pub struct OutcomeData {
    /// How it ended.
    #[cfg_attr(test, ts(as = "crate::compaction::Status"))]
    pub status: &'static str,
    /// Why there was nothing to do.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub nothing_to_do: Option<NothingToDoData>,
    /// Why it failed.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub error: Option<ErrorData>,
    /// The number of the compaction entry.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub entry: Option<u32>,
    /// The context size before, in tokens.
    pub tokens_before: f64,
    /// The context size after, in tokens.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub tokens_after: Option<f64>,
    /// Whether it helped.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub progress: Option<ProgressData>,
    /// Who made the summary.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(test, ts(as = "Option<crate::summary::Summarizer>"))]
    pub summarizer: Option<&'static str>,
    /// What was odd about an accepted reply.
    #[cfg_attr(test, ts(type = "Array<\"unstructured\">"))]
    pub warnings: Vec<&'static str>,
}

/// Whether a compaction helped, by the estimate on both sides; entries by number.
#[derive(Debug, Clone)]
#[cfg_attr(test, derive(Serialize, TS), ts(rename = "ProgressFigures"))]
#[cfg_attr(test, serde(rename_all = "camelCase"))]
pub struct ProgressData {
    /// Whether the context is smaller by a tenth, or fits the threshold.
    pub sufficient: bool,
    /// The estimate before, in tokens.
    pub estimate_before: f64,
    /// The estimate after, in tokens.
    pub estimate_after: f64,
    /// The size after lies between this and `estimateAfterHigh` in nine of ten cases, in tokens.
    pub estimate_after_low: f64,
    /// See `estimateAfterLow`.
    pub estimate_after_high: f64,
    /// The entries in the way, where it did not help.
    pub entries_in_the_way: Vec<u32>,
}

impl From<&CompactionOutcome> for OutcomeData {
    fn from(outcome: &CompactionOutcome) -> Self {
        Self {
            status: outcome.status.as_str(),
            nothing_to_do: outcome.nothing_to_do.as_ref().map(Into::into),
            error: outcome
                .error
                .as_ref()
                .map(|error| ErrorData { code: error.code.as_str(), message: error.message.clone() }),
            entry: outcome.entry,
            tokens_before: outcome.tokens_before as f64,
            tokens_after: outcome.tokens_after.map(|tokens| tokens as f64),
            progress: outcome.progress.as_ref().map(|progress| ProgressData {
                sufficient: progress.sufficient,
                estimate_before: progress.estimate_before as f64,
                estimate_after: progress.estimate_after as f64,
                estimate_after_low: progress.after_within.0 as f64,
                estimate_after_high: progress.after_within.1 as f64,
                entries_in_the_way: progress.entries_in_the_way.clone(),
            }),
            summarizer: outcome.summarizer.map(|summarizer| summarizer.as_str()),
            warnings: outcome.warnings.clone(),
        }
    }
}

/// An event; entries by number.
#[derive(Debug, Clone)]
#[cfg_attr(test, derive(Serialize, TS), ts(rename = "EventFigures", optional_fields))]
#[cfg_attr(test, serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase"))]
pub enum EventData {
    /// A request is about to be sent, or the result to be saved.
    CompactionProgress {
        /// The kind of the request, or `save`.
        phase: &'static str,
        /// The number of the request, from 1.
        request: u32,
        /// How many requests the run makes.
        requests: u32,
        /// Who is asked.
        #[cfg_attr(test, ts(as = "crate::summary::Summarizer"))]
        summarizer: &'static str,
        /// The number of that candidate, from 1.
        candidate: u32,
        /// The number of its attempt at the request, from 1.
        attempt: u32,
        /// How long it is waited before the request is sent, in milliseconds.
        #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
        wait_ms: Option<f64>,
    },
    /// A compaction has joined the session.
    SessionCompact {
        /// The number of its entry.
        entry: u32,
        /// Whether a hook made it.
        from_extension: bool,
        /// Why the run started.
        #[cfg_attr(test, ts(as = "crate::compaction::Trigger"))]
        reason: &'static str,
    },
    /// A run has ended.
    CompactionEnd {
        /// How it ended.
        #[cfg_attr(test, ts(as = "crate::compaction::Status"))]
        status: &'static str,
        /// Why the run started.
        #[cfg_attr(test, ts(as = "crate::compaction::Trigger"))]
        reason: &'static str,
        /// Who made the summary.
        #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
        #[cfg_attr(test, ts(as = "Option<crate::summary::Summarizer>"))]
        summarizer: Option<&'static str>,
        /// The context size before, in tokens.
        tokens_before: f64,
        /// The context size after, in tokens.
        #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
        tokens_after: Option<f64>,
    },
    /// A compaction that nobody asked for has a plan and starts.
    AutoCompactionStart {
        /// Why.
        #[cfg_attr(test, ts(as = "crate::compaction::Trigger"))]
        reason: &'static str,
    },
    /// It has ended.
    AutoCompactionEnd {
        /// Why it started.
        #[cfg_attr(test, ts(as = "crate::compaction::Trigger"))]
        reason: &'static str,
        /// The number of the compaction entry, where it is committed.
        #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
        entry: Option<u32>,
        /// Whether it was aborted, or cancelled by a hook.
        aborted: bool,
        /// Whether the request that was too large is sent again now.
        will_retry: bool,
        /// Why it failed.
        #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
        error_message: Option<String>,
    },
    /// Stored results have got their notice: what was handed out of them is out of date.
    Rewritten {
        /// The numbers of the results.
        results: Vec<u32>,
    },
    /// The leaf has moved to another place of the tree.
    SessionTree {
        /// The number of the leaf now; none before the first entry.
        #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
        new_leaf: Option<u32>,
        /// The number of the leaf before.
        #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
        old_leaf: Option<u32>,
        /// The number of the summary of the branch that was left.
        #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
        summary_entry: Option<u32>,
        /// Whether a hook made the summary.
        from_extension: bool,
    },
}

impl From<&Event> for EventData {
    fn from(event: &Event) -> Self {
        match *event {
            Event::CompactionProgress { phase, request, requests, summarizer, candidate, attempt, wait_ms } => {
                let wait_ms = wait_ms.map(|wait| wait as f64);
                Self::CompactionProgress { phase, request, requests, summarizer, candidate, attempt, wait_ms }
            }
            Event::SessionCompact { entry, from_extension, reason } => {
                Self::SessionCompact { entry, from_extension, reason }
            }
            Event::CompactionEnd { status, reason, summarizer, tokens_before, tokens_after } => Self::CompactionEnd {
                status,
                reason,
                summarizer,
                tokens_before: tokens_before as f64,
                tokens_after: tokens_after.map(|tokens| tokens as f64),
            },
            Event::AutoCompactionStart { reason } => Self::AutoCompactionStart { reason },
            Event::AutoCompactionEnd { reason, entry, aborted, will_retry, ref error_message } => {
                Self::AutoCompactionEnd { reason, entry, aborted, will_retry, error_message: error_message.clone() }
            }
            Event::Rewritten { ref results } => Self::Rewritten { results: results.clone() },
            Event::SessionTree { new_leaf, old_leaf, summary_entry, from_extension } => {
                Self::SessionTree { new_leaf, old_leaf, summary_entry, from_extension }
            }
        }
    }
}
