//! The settings with their defaults, as plain data.

use crate::settings::{DEFAULT_KEEP_RECENT_TOKENS, DEFAULT_RESERVE_TOKENS, Settings};
#[cfg(test)]
use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

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
