//! How runs of an agent and branch summaries ended, as plain data; entries by number.

use super::data::{ErrorData, OutcomeData};
use crate::agent::{NavigateOutcome, TurnOutcome};
use crate::branch::BranchOutcome;
use crate::error::Error;
#[cfg(test)]
use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

/// How a check of an agent ended.
#[derive(Debug, Clone)]
#[cfg_attr(test, derive(Serialize, TS), ts(rename = "TurnFigures", optional_fields))]
#[cfg_attr(test, serde(rename_all = "camelCase"))]
pub struct TurnData {
    /// What it did.
    #[cfg_attr(test, ts(as = "crate::agent::Action"))]
    pub action: &'static str,
    /// The compaction that it started, or why there was none to start.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub outcome: Option<OutcomeData>,
    /// How many tool outputs were pruned.
    pub pruned_count: u32,
    /// By how much that made the context smaller, in tokens.
    pub tokens_saved: f64,
    /// How the host's agent goes on.
    #[cfg_attr(test, ts(as = "crate::agent::Next"))]
    pub next: &'static str,
}

impl From<&TurnOutcome> for TurnData {
    fn from(outcome: &TurnOutcome) -> Self {
        Self {
            action: outcome.action.as_str(),
            outcome: outcome.compaction.as_ref().map(Into::into),
            pruned_count: outcome.pruned_count as u32,
            tokens_saved: outcome.tokens_saved as f64,
            next: outcome.next.as_str(),
        }
    }
}

/// How a navigation ended.
#[derive(Debug, Clone)]
#[cfg_attr(test, derive(Serialize, TS), ts(rename = "NavigationFigures", optional_fields))]
#[cfg_attr(test, serde(rename_all = "camelCase"))]
pub struct NavigationData {
    /// Whether a hook or an abort ended it.
    pub cancelled: bool,
    /// Whether it was an abort.
    pub aborted: bool,
    /// Why it failed.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub error: Option<ErrorData>,
    /// The text of the user message that is to be written anew.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub editor_text: Option<String>,
    /// The number of the branch summary.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub summary_entry: Option<u32>,
    /// Why there is no summary although one was asked for.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(test, ts(type = "\"no-messages\" | \"nothing-fits\""))]
    pub summary_skipped: Option<&'static str>,
    /// Who made the summary.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(test, ts(as = "Option<crate::summary::Summarizer>"))]
    pub summarizer: Option<&'static str>,
    /// What was odd about an accepted reply.
    #[cfg_attr(test, ts(type = "Array<\"unstructured\">"))]
    pub warnings: Vec<&'static str>,
}

impl From<&NavigateOutcome> for NavigationData {
    fn from(outcome: &NavigateOutcome) -> Self {
        Self {
            cancelled: outcome.cancelled,
            aborted: outcome.aborted,
            error: outcome.error.as_ref().map(error),
            editor_text: outcome.editor_text.clone(),
            summary_entry: outcome.summary_entry,
            summary_skipped: outcome.summary_skipped,
            summarizer: outcome.summarizer.map(|summarizer| summarizer.as_str()),
            warnings: outcome.warnings.clone(),
        }
    }
}

/// How a branch summary ended.
#[derive(Debug, Clone)]
#[cfg_attr(test, derive(Serialize, TS), ts(rename = "BranchSummaryFigures", optional_fields))]
#[cfg_attr(test, serde(rename_all = "camelCase"))]
pub struct BranchData {
    /// How it ended.
    #[cfg_attr(test, ts(as = "crate::branch::BranchStatus"))]
    pub status: &'static str,
    /// Why there was nothing to do.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(test, ts(type = "\"no-messages\" | \"nothing-fits\""))]
    pub reason: Option<&'static str>,
    /// Why it failed.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub error: Option<ErrorData>,
    /// The text as it is to be stored.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub summary: Option<String>,
    /// The details to be stored with it, as JSON.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub details: Option<String>,
    /// Who made it.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(test, ts(as = "Option<crate::summary::Summarizer>"))]
    pub summarizer: Option<&'static str>,
    /// What was odd about an accepted reply.
    #[cfg_attr(test, ts(type = "Array<\"unstructured\">"))]
    pub warnings: Vec<&'static str>,
}

impl From<&BranchOutcome> for BranchData {
    fn from(outcome: &BranchOutcome) -> Self {
        Self {
            status: outcome.status.as_str(),
            reason: outcome.nothing_to_do,
            error: outcome.error.as_ref().map(error),
            summary: outcome.text.as_ref().map(|text| text.summary.clone()),
            details: outcome.text.as_ref().and_then(|text| text.details.clone()),
            summarizer: outcome.summarizer.map(|summarizer| summarizer.as_str()),
            warnings: outcome.warnings.clone(),
        }
    }
}

fn error(error: &Error) -> ErrorData {
    ErrorData { code: error.code.as_str(), message: error.message.clone() }
}
