//! The plain data that goes out to JavaScript. The TypeScript types are made from these.

use crate::branch::BranchPreparation;
use crate::compaction::{NothingToDo, Preparation};
use crate::entry::FileLists;
use crate::session::{Context, ContextUsage, Diagnostic, PendingToolCall, Repair, Session};
use crate::summary::Classified;
#[cfg(test)]
use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

mod run;
mod settings;

pub use run::{EventData, OutcomeData, ProgressData, StepData, SummaryRequestData};
pub use settings::{
    BranchSummarySettingsData, CompactionSettingsData, FileToolsData, PruneSettingsData, RemoteSettingsData,
    RetrySettingsData, SettingsData,
};

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
    /// The least it is in nine of ten cases, in tokens; see TOKENS.md.
    pub low: f64,
    /// The most it is in nine of ten cases, in tokens.
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
    /// `below-threshold`: the context size.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub tokens: Option<f64>,
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
    /// `below-threshold`, `infeasible`, `kept-tail-too-large`: the threshold.
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
            tokens: None,
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
            NothingToDo::SessionTooSmall { window_tokens, keep_recent_tokens, .. } => {
                data.window_tokens = Some(*window_tokens as f64);
                data.keep_recent_tokens = Some(*keep_recent_tokens as f64);
            }
            NothingToDo::BelowThreshold { tokens, limit, .. } => {
                data.tokens = Some(*tokens as f64);
                data.limit = Some(*limit as f64);
            }
            NothingToDo::Infeasible { fixed_tokens, newest_message_tokens, limit, .. } => {
                data.fixed_tokens = Some(*fixed_tokens as f64);
                data.newest_message_tokens = Some(*newest_message_tokens as f64);
                data.limit = Some(*limit as f64);
            }
            NothingToDo::KeptTailTooLarge { entry_id, entry_tokens, kept_tokens, limit, .. } => {
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

#[cfg(test)]
#[path = "data_tests.rs"]
mod tests;
