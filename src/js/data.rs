//! The plain data that goes out to JavaScript. The TypeScript types are made from these.

use crate::branch::BranchPreparation;
use crate::compaction::{CompactionOutcome, NothingToDo, Preparation};
use crate::entry::FileLists;
use crate::event::Event;
use crate::hook::Hook;
use crate::session::{Context, ContextUsage, Diagnostic, PendingToolCall, Repair, Session};
use crate::settings::{DEFAULT_KEEP_RECENT_TOKENS, DEFAULT_RESERVE_TOKENS, Settings};
use crate::step::{HostCommand, Save, Step};
use crate::summary::Classified;
#[cfg(test)]
use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

/// An error as plain data: a stable code and a message for people.
#[derive(Debug, Clone)]
#[cfg_attr(test, derive(Serialize, TS))]
pub struct ErrorData {
    /// The stable code.
    #[cfg_attr(test, ts(type = "ErrorCode"))]
    pub code: &'static str,
    /// What was tried, what was found and what is allowed.
    pub message: String,
}

/// A fault that was found when a session was loaded.
#[derive(Debug, Clone)]
#[cfg_attr(test, derive(Serialize, TS), ts(rename = "Diagnostic", optional_fields))]
#[cfg_attr(test, serde(rename_all = "camelCase"))]
pub struct DiagnosticData {
    /// The line in the file, from 1.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub line: Option<u32>,
    /// The kind of fault.
    #[cfg_attr(test, ts(as = "crate::session::DiagnosticKind"))]
    pub kind: &'static str,
    /// The entry concerned.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub entry_id: Option<String>,
    /// What was found and what was done.
    pub message: String,
}

impl From<&Diagnostic> for DiagnosticData {
    fn from(diagnostic: &Diagnostic) -> Self {
        Self {
            line: diagnostic.line,
            kind: diagnostic.kind.as_str(),
            entry_id: diagnostic.entry_id.as_deref().map(str::to_owned),
            message: diagnostic.message.clone(),
        }
    }
}

/// A repair of a view.
#[derive(Debug, Clone)]
#[cfg_attr(test, derive(Serialize, TS), ts(rename = "Repair", optional_fields))]
#[cfg_attr(test, serde(rename_all = "camelCase"))]
pub struct RepairData {
    /// What was done.
    #[cfg_attr(test, ts(as = "crate::session::RepairKind"))]
    pub kind: &'static str,
    /// The entry concerned.
    pub entry_id: String,
    /// The call concerned.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub tool_call_id: Option<String>,
}

impl From<&Repair> for RepairData {
    fn from(repair: &Repair) -> Self {
        Self {
            kind: repair.kind.as_str(),
            entry_id: repair.entry_id.to_string(),
            tool_call_id: repair.tool_call_id.as_deref().map(str::to_owned),
        }
    }
}

/// A call at the leaf that still awaits its result.
#[derive(Debug, Clone)]
#[cfg_attr(test, derive(Serialize, TS), ts(rename = "PendingToolCall"))]
#[cfg_attr(test, serde(rename_all = "camelCase"))]
pub struct PendingToolCallData {
    /// The entry of the assistant message.
    pub entry_id: String,
    /// The id of the call.
    pub tool_call_id: String,
    /// The tool.
    pub tool_name: String,
}

impl From<&PendingToolCall> for PendingToolCallData {
    fn from(call: &PendingToolCall) -> Self {
        Self {
            entry_id: call.entry_id.to_string(),
            tool_call_id: call.tool_call_id.to_string(),
            tool_name: call.tool_name.to_string(),
        }
    }
}

/// A model.
#[derive(Debug, Clone)]
#[cfg_attr(test, derive(Serialize, TS), ts(rename = "ModelChoice"))]
#[cfg_attr(test, serde(rename_all = "camelCase"))]
pub struct ModelData {
    /// The provider.
    pub provider: String,
    /// The provider's id of the model.
    pub model_id: String,
}

/// What a view says beside its messages.
#[derive(Debug, Clone)]
#[cfg_attr(test, derive(Serialize, TS), ts(rename = "ContextNotes"))]
#[cfg_attr(test, serde(rename_all = "camelCase"))]
pub struct ContextNotes {
    /// The model in force, null where none was named.
    pub model: Option<ModelData>,
    /// The thinking level in force, null where none was set.
    pub thinking_level: Option<String>,
    /// What was done to make the view legal for a provider. The stored entries are untouched.
    pub repairs: Vec<RepairData>,
    /// Calls at the leaf that still await their result.
    pub pending_tool_calls: Vec<PendingToolCallData>,
}

impl From<&Context<'_>> for ContextNotes {
    fn from(context: &Context<'_>) -> Self {
        Self {
            model: context
                .model
                .map(|model| ModelData { provider: model.provider.to_string(), model_id: model.model_id.to_string() }),
            thinking_level: context.thinking_level.map(str::to_owned),
            repairs: context.repairs.iter().map(Into::into).collect(),
            pending_tool_calls: context.pending_tool_calls.iter().map(Into::into).collect(),
        }
    }
}

/// How large the context is.
#[derive(Debug, Clone)]
#[cfg_attr(test, derive(Serialize, TS), ts(rename = "ContextUsage", optional_fields))]
#[cfg_attr(test, serde(rename_all = "camelCase"))]
pub struct ContextUsageData {
    /// The context size, in tokens.
    pub tokens: f64,
    /// The least it may be, in tokens, by the margin of the estimate.
    pub low: f64,
    /// The most it may be, in tokens, by the margin of the estimate.
    pub high: f64,
    /// How much of the window that is, in percent; left out where the window is not known.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub percent: Option<f64>,
    /// Where the number comes from.
    #[cfg_attr(test, ts(as = "crate::session::UsageSource"))]
    pub source: &'static str,
    /// The size above which a threshold compaction is due, in tokens; left out where the window is not known.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub limit: Option<f64>,
    /// Why there is no limit, or why the provider's figure was not believed.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(test, ts(optional, type = "\"unknown-window\" | \"usage-implausible\" | \"usage-deflated\""))]
    pub reason: Option<&'static str>,
}

impl From<&ContextUsage> for ContextUsageData {
    fn from(usage: &ContextUsage) -> Self {
        Self {
            tokens: usage.tokens as f64,
            low: usage.low as f64,
            high: usage.high as f64,
            percent: usage.percent,
            source: usage.source.as_str(),
            limit: usage.limit.map(|limit| limit as f64),
            reason: usage.reason,
        }
    }
}

/// Why there is nothing to do, with the figures that belong to the reason; all sizes in tokens.
#[derive(Debug, Clone)]
#[cfg_attr(test, derive(Serialize, TS), ts(rename = "NothingToDo", optional_fields))]
#[cfg_attr(test, serde(rename_all = "camelCase"))]
pub struct NothingToDoData {
    /// Why.
    #[cfg_attr(test, ts(type = "NothingToDoReason"))]
    pub reason: &'static str,
    /// The same as a sentence with its figures.
    pub message: String,
    /// `session-too-small`: what could be summarised or kept.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub window_tokens: Option<f64>,
    /// `session-too-small`: the keep budget.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub keep_recent_tokens: Option<f64>,
    /// `infeasible`: system prompt and tools.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub fixed_tokens: Option<f64>,
    /// `infeasible`: the newest message.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub newest_message_tokens: Option<f64>,
    /// `infeasible`, `kept-tail-too-large`: the threshold.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub limit: Option<f64>,
    /// `kept-tail-too-large`: the largest entry in the way.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub entry_id: Option<String>,
    /// `kept-tail-too-large`: its size.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub entry_tokens: Option<f64>,
    /// `kept-tail-too-large`: all that has to be kept.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub kept_tokens: Option<f64>,
    /// `open-tool-call`: the calls that still await their result.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub pending_tool_calls: Option<Vec<PendingToolCallData>>,
}

impl From<&NothingToDo> for NothingToDoData {
    fn from(nothing: &NothingToDo) -> Self {
        let mut data = Self {
            reason: nothing.as_str(),
            message: nothing.to_string(),
            window_tokens: None,
            keep_recent_tokens: None,
            fixed_tokens: None,
            newest_message_tokens: None,
            limit: None,
            entry_id: None,
            entry_tokens: None,
            kept_tokens: None,
            pending_tool_calls: None,
        };
        match nothing {
            NothingToDo::SessionTooSmall { window_tokens, keep_recent_tokens } => {
                data.window_tokens = Some(*window_tokens as f64);
                data.keep_recent_tokens = Some(*keep_recent_tokens as f64);
            }
            NothingToDo::Infeasible { fixed_tokens, newest_message_tokens, limit } => {
                data.fixed_tokens = Some(*fixed_tokens as f64);
                data.newest_message_tokens = Some(*newest_message_tokens as f64);
                data.limit = Some(*limit as f64);
            }
            NothingToDo::KeptTailTooLarge { entry_id, entry_tokens, kept_tokens, limit } => {
                data.entry_id = Some(entry_id.to_string());
                data.entry_tokens = Some(*entry_tokens as f64);
                data.kept_tokens = Some(*kept_tokens as f64);
                data.limit = Some(*limit as f64);
            }
            NothingToDo::OpenToolCall { calls } => {
                data.pending_tool_calls = Some(calls.iter().map(Into::into).collect());
            }
            NothingToDo::AlreadyCompacted | NothingToDo::Disabled | NothingToDo::UnknownWindow => {}
        }
        data
    }
}

/// Files read and files modified, each sorted; what was also modified is not among the read.
#[derive(Debug, Clone)]
#[cfg_attr(test, derive(Serialize, TS), ts(rename = "FileLists"))]
#[cfg_attr(test, serde(rename_all = "camelCase"))]
pub struct FileListsData {
    /// Files that were only read.
    pub read_files: Vec<String>,
    /// Files that were modified.
    pub modified_files: Vec<String>,
}

impl From<FileLists> for FileListsData {
    fn from(files: FileLists) -> Self {
        Self { read_files: files.read_files, modified_files: files.modified_files }
    }
}

/// The figures of a preparation; all sizes in tokens.
#[derive(Debug, Clone)]
#[cfg_attr(test, derive(Serialize, TS), ts(rename = "PreparationFigures", optional_fields))]
#[cfg_attr(test, serde(rename_all = "camelCase"))]
pub struct PreparationFigures {
    /// Whether the cut splits a turn.
    pub is_split_turn: bool,
    /// The summary of the previous compaction.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub previous_summary: Option<String>,
    /// The files that the summarised part read and modified, with those of earlier summaries.
    pub file_ops: FileListsData,
    /// The context size before.
    pub tokens_before: f64,
    /// The keep budget as adapted to what the provider counts.
    pub keep_recent_tokens: f64,
    /// What is kept, by the estimate; it may exceed the budget.
    pub kept_tokens: f64,
    /// The reserve in force.
    pub reserve_tokens: f64,
    /// Calls at the leaf that still await their result.
    pub pending_tool_calls: Vec<PendingToolCallData>,
}

impl PreparationFigures {
    /// The figures of a preparation.
    pub fn of(plan: &Preparation, session: &Session) -> Self {
        Self {
            is_split_turn: plan.is_split_turn,
            previous_summary: plan.previous_summary(session).map(str::to_owned),
            file_ops: plan.file_operations.lists().into(),
            tokens_before: plan.tokens_before as f64,
            keep_recent_tokens: plan.keep_recent_tokens as f64,
            kept_tokens: plan.kept_tokens as f64,
            reserve_tokens: plan.reserve_tokens as f64,
            pending_tool_calls: plan.pending_tool_calls.iter().map(Into::into).collect(),
        }
    }
}

/// The figures of a branch that is ready to be summarised.
#[derive(Debug, Clone)]
#[cfg_attr(test, derive(Serialize, TS), ts(rename = "BranchFigures"))]
#[cfg_attr(test, serde(rename_all = "camelCase"))]
pub struct BranchFigures {
    /// The files that the branch read and modified, with those of earlier summaries, also where they did not fit the budget.
    pub file_ops: FileListsData,
    /// What the messages take, in tokens, tool results shortened as a request shows them.
    pub total_tokens: f64,
}

impl From<&BranchPreparation> for BranchFigures {
    fn from(prepared: &BranchPreparation) -> Self {
        Self { file_ops: prepared.file_operations.lists().into(), total_tokens: prepared.total_tokens as f64 }
    }
}

/// What a prune came to.
#[derive(Debug, Clone)]
#[cfg_attr(test, derive(Serialize, TS), ts(rename = "PruneResult"))]
#[cfg_attr(test, serde(rename_all = "camelCase"))]
pub struct PruneResultData {
    /// How many tool outputs were pruned.
    pub pruned_count: u32,
    /// By how much that made the context smaller, in tokens.
    pub tokens_saved: f64,
    /// The entries of their results, oldest first.
    pub pruned_ids: Vec<String>,
}

/// What taking prunes back came to.
#[derive(Debug, Clone)]
#[cfg_attr(test, derive(Serialize, TS), ts(rename = "RestoreResult"))]
#[cfg_attr(test, serde(rename_all = "camelCase"))]
pub struct RestoreResultData {
    /// How many tool outputs are seen in full again.
    pub restored_count: u32,
    /// By how much that made the context larger, in tokens.
    pub tokens_restored: f64,
    /// The entries of their results, oldest first.
    pub restored_ids: Vec<String>,
}

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

/// What an error means.
#[derive(Debug, Clone)]
#[cfg_attr(test, derive(Serialize, TS), ts(rename = "ClassifiedError", optional_fields))]
#[cfg_attr(test, serde(rename_all = "camelCase"))]
pub struct ClassifiedData {
    /// The kind of failure.
    #[cfg_attr(test, ts(as = "crate::summary::ErrorClass"))]
    pub class: &'static str,
    /// The window or limit that the text names, in tokens; for `payload_too_large` in bytes.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub limit: Option<f64>,
    /// How much was asked for, in the unit of the limit, where the text names it.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub requested: Option<f64>,
    /// How long the text asks to wait, in milliseconds.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub retry_after_ms: Option<f64>,
}

impl From<&Classified> for ClassifiedData {
    fn from(error: &Classified) -> Self {
        Self {
            class: error.class.as_str(),
            limit: error.limit.map(|limit| limit as f64),
            requested: error.requested.map(|requested| requested as f64),
            retry_after_ms: error.retry_after_ms.map(|ms| ms as f64),
        }
    }
}

/// Every setting. What is left out keeps its default.
#[derive(Debug, Clone)]
#[cfg_attr(test, derive(Serialize, TS), ts(rename = "Settings"))]
#[cfg_attr(test, serde(rename_all = "camelCase"))]
pub struct SettingsData {
    /// Settings of compaction.
    pub compaction: CompactionSettingsData,
    /// Settings of branch summaries.
    pub branch_summary: BranchSummarySettingsData,
    /// Settings of pruning.
    pub prune: PruneSettingsData,
    /// Settings of retries.
    pub retry: RetrySettingsData,
    /// Milliseconds until a callback that has not settled is given up.
    pub request_timeout_ms: f64,
    /// Settings of the remote endpoint.
    pub remote: RemoteSettingsData,
    /// Which tools read and modify files, for the file lists of a summary.
    pub file_tools: FileToolsData,
    /// What serves a summary when everything else failed.
    #[cfg_attr(test, ts(as = "crate::settings::Fallback"))]
    pub fallback: &'static str,
}

/// Settings of compaction.
#[derive(Debug, Clone)]
#[cfg_attr(test, derive(Serialize, TS), ts(rename = "CompactionSettings", optional_fields))]
#[cfg_attr(test, serde(rename_all = "camelCase"))]
pub struct CompactionSettingsData {
    /// Whether compaction may start by itself.
    pub enabled: bool,
    /// Tokens left free for the model's answer. Left at its default it shrinks with the window: min(16384, a quarter of it).
    pub reserve_tokens: f64,
    /// Tokens of recent history that stay verbatim. Left at its default it shrinks with the window: min(20000, half of what the reserve leaves).
    pub keep_recent_tokens: f64,
    /// Whether the host is prompted to go on after a threshold compaction.
    pub auto_continue: bool,
    /// A URL that serves summaries instead of the callback.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub remote_endpoint: Option<String>,
    /// Whether a short summary for screens is asked for.
    pub short_summary: bool,
}

/// Settings of branch summaries.
#[derive(Debug, Clone)]
#[cfg_attr(test, derive(Serialize, TS), ts(rename = "BranchSummarySettings"))]
#[cfg_attr(test, serde(rename_all = "camelCase"))]
pub struct BranchSummarySettingsData {
    /// Whether leaving a branch summarises it when the caller says nothing.
    pub enabled: bool,
    /// Tokens of the window that the request leaves free; it shrinks with the window like that of compaction.
    pub reserve_tokens: f64,
}

/// Settings of pruning.
#[derive(Debug, Clone)]
#[cfg_attr(test, derive(Serialize, TS), ts(rename = "PruneSettings"))]
#[cfg_attr(test, serde(rename_all = "camelCase"))]
pub struct PruneSettingsData {
    /// The newest tool outputs that stay, in tokens.
    pub protect_tokens: f64,
    /// Nothing is pruned that would save less than this, in tokens.
    pub minimum_savings: f64,
    /// Tools whose outputs stay.
    pub protected_tools: Vec<String>,
    /// How a prune is stored.
    #[cfg_attr(test, ts(as = "crate::settings::PruneMode"))]
    pub mode: &'static str,
}

/// Settings of retries.
#[derive(Debug, Clone)]
#[cfg_attr(test, derive(Serialize, TS), ts(rename = "RetrySettings"))]
#[cfg_attr(test, serde(rename_all = "camelCase"))]
pub struct RetrySettingsData {
    /// Whether transient failures are retried.
    pub enabled: bool,
    /// Retries of one candidate.
    pub max_retries: f64,
    /// The first delay, in milliseconds; it doubles.
    pub base_delay_ms: f64,
    /// The longest delay, in milliseconds.
    pub max_delay_ms: f64,
}

/// Settings of the remote endpoint.
#[derive(Debug, Clone)]
#[cfg_attr(test, derive(Serialize, TS), ts(rename = "RemoteSettings"))]
#[cfg_attr(test, serde(rename_all = "camelCase"))]
pub struct RemoteSettingsData {
    /// Milliseconds until a request is given up.
    pub timeout_ms: f64,
    /// Hosts allowed beyond https anywhere and http on loopback.
    pub allowed_hosts: Vec<String>,
}

/// Which tools read and modify files.
#[derive(Debug, Clone)]
#[cfg_attr(test, derive(Serialize, TS), ts(rename = "FileTools"))]
#[cfg_attr(test, serde(rename_all = "camelCase"))]
pub struct FileToolsData {
    /// Tools that read a file.
    pub read: Vec<String>,
    /// Tools that modify a file.
    pub modify: Vec<String>,
    /// Arguments that hold the path; the first that is a string wins.
    pub path_arguments: Vec<String>,
}

impl From<&Settings> for SettingsData {
    fn from(settings: &Settings) -> Self {
        let Settings { compaction, branch_summary, prune, retry, remote, file_tools, .. } = settings;
        Self {
            compaction: CompactionSettingsData {
                enabled: compaction.enabled,
                reserve_tokens: compaction.reserve_tokens.unwrap_or(DEFAULT_RESERVE_TOKENS) as f64,
                keep_recent_tokens: compaction.keep_recent_tokens.unwrap_or(DEFAULT_KEEP_RECENT_TOKENS) as f64,
                auto_continue: compaction.auto_continue,
                remote_endpoint: compaction.remote_endpoint.clone(),
                short_summary: compaction.short_summary,
            },
            branch_summary: BranchSummarySettingsData {
                enabled: branch_summary.enabled,
                reserve_tokens: branch_summary.reserve_tokens.unwrap_or(DEFAULT_RESERVE_TOKENS) as f64,
            },
            prune: PruneSettingsData {
                protect_tokens: prune.protect_tokens as f64,
                minimum_savings: prune.minimum_savings as f64,
                protected_tools: prune.protected_tools.clone(),
                mode: prune.mode.as_str(),
            },
            retry: RetrySettingsData {
                enabled: retry.enabled,
                max_retries: retry.max_retries as f64,
                base_delay_ms: retry.base_delay_ms as f64,
                max_delay_ms: retry.max_delay_ms as f64,
            },
            request_timeout_ms: settings.request_timeout_ms as f64,
            remote: RemoteSettingsData {
                timeout_ms: remote.timeout_ms as f64,
                allowed_hosts: remote.allowed_hosts.clone(),
            },
            file_tools: FileToolsData {
                read: file_tools.read.clone(),
                modify: file_tools.modify.clone(),
                path_arguments: file_tools.path_arguments.clone(),
            },
            fallback: settings.fallback.as_str(),
        }
    }
}

#[cfg(test)]
#[path = "data_tests.rs"]
mod tests;
