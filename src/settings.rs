//! Every setting, its default and its check, in one place.
//!
//! Settings come as one nested object of which every part is optional. What is unknown, of a wrong
//! type or out of range is refused with the path of the setting, the value and what is allowed.

mod endpoint;
mod given;
mod read;

pub use endpoint::check_endpoint;
pub use given::Given;

use crate::error::{Error, ErrorCode};

/// How pruned tool outputs are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename_all = "kebab-case"))]
pub enum PruneMode {
    /// The stored entry is rewritten.
    Rewrite,
    /// The prune is an entry of its own and the original stays.
    Overlay,
}

impl PruneMode {
    /// The mode as it is written in JavaScript.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Rewrite => "rewrite",
            Self::Overlay => "overlay",
        }
    }
}

/// What serves a summary when everything else failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename_all = "kebab-case"))]
pub enum Fallback {
    /// Nothing: the run fails.
    None,
    /// The local summariser.
    Local,
}

impl Fallback {
    /// The fallback as it is written in JavaScript.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Local => "local",
        }
    }
}

/// Settings of compaction.
#[derive(Debug, Clone, PartialEq)]
pub struct CompactionSettings {
    /// Whether compaction may start by itself. Default: true.
    pub enabled: bool,
    /// Tokens left free for the model's answer; `None` shrinks the default with the window.
    pub reserve_tokens: Option<u64>,
    /// Tokens of recent history that stay verbatim; `None` shrinks the default with the window.
    pub keep_recent_tokens: Option<u64>,
    /// Whether the host is prompted to go on after a threshold compaction. Default: true.
    pub auto_continue: bool,
    /// A URL that serves summaries instead of the callback. Default: none.
    pub remote_endpoint: Option<String>,
    /// Whether a short summary for screens is asked for. Default: true.
    pub short_summary: bool,
}

/// Settings of branch summaries.
#[derive(Debug, Clone, PartialEq)]
pub struct BranchSummarySettings {
    /// Whether leaving a branch summarises it when the caller says nothing. Default: false.
    pub enabled: bool,
    /// Tokens of the window that the request leaves free; `None` shrinks the default with the window.
    pub reserve_tokens: Option<u64>,
}

/// Settings of pruning.
#[derive(Debug, Clone, PartialEq)]
pub struct PruneSettings {
    /// The newest tool outputs that stay, in tokens. Default: 40 000.
    pub protect_tokens: u64,
    /// Nothing is pruned that would save less than this, in tokens. Default: 20 000.
    pub minimum_savings: u64,
    /// Tools whose outputs stay. Default: `skill`, `read`.
    pub protected_tools: Vec<String>,
    /// How a prune is stored. Default: rewrite.
    pub mode: PruneMode,
}

/// Settings of retries.
#[derive(Debug, Clone, PartialEq)]
pub struct RetrySettings {
    /// Whether transient failures are retried. Default: true.
    pub enabled: bool,
    /// Retries of one candidate. Default: 3.
    pub max_retries: u64,
    /// The first delay, in milliseconds; it doubles. Default: 2 000.
    pub base_delay_ms: u64,
    /// The longest delay, in milliseconds. Default: 30 000.
    pub max_delay_ms: u64,
}

/// Settings of the remote endpoint.
#[derive(Debug, Clone, PartialEq)]
pub struct RemoteSettings {
    /// Milliseconds until a request is given up. Default: 120 000.
    pub timeout_ms: u64,
    /// Hosts allowed beyond https anywhere and http on loopback. Default: none.
    pub allowed_hosts: Vec<String>,
}

/// Which tools read and modify files, for the file lists of a summary.
#[derive(Debug, Clone, PartialEq)]
pub struct FileTools {
    /// Tools that read a file. Default: `read`.
    pub read: Vec<String>,
    /// Tools that modify a file. Default: `write`, `edit`.
    pub modify: Vec<String>,
    /// Arguments that hold the path, the first string wins. Default: `path`.
    pub path_arguments: Vec<String>,
}

/// Every setting.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Settings of compaction.
    pub compaction: CompactionSettings,
    /// Settings of branch summaries.
    pub branch_summary: BranchSummarySettings,
    /// Settings of pruning.
    pub prune: PruneSettings,
    /// Settings of retries.
    pub retry: RetrySettings,
    /// Milliseconds until a callback or hook that has not settled is given up. Default: 300 000.
    pub request_timeout_ms: u64,
    /// Settings of the remote endpoint.
    pub remote: RemoteSettings,
    /// Which tools read and modify files.
    pub file_tools: FileTools,
    /// What serves a summary when everything else failed. Default: none.
    pub fallback: Fallback,
}

/// The default reserve, in tokens, in a window that is large or unknown.
pub const DEFAULT_RESERVE_TOKENS: u64 = 16_384;
/// The default keep budget, in tokens, in a window that is large or unknown.
pub const DEFAULT_KEEP_RECENT_TOKENS: u64 = 20_000;

impl Default for Settings {
    fn default() -> Self {
        let names = |list: &[&str]| list.iter().map(|&name| name.to_owned()).collect();
        Self {
            compaction: CompactionSettings {
                enabled: true,
                reserve_tokens: None,
                keep_recent_tokens: None,
                auto_continue: true,
                remote_endpoint: None,
                short_summary: true,
            },
            branch_summary: BranchSummarySettings { enabled: false, reserve_tokens: None },
            prune: PruneSettings {
                protect_tokens: 40_000,
                minimum_savings: 20_000,
                protected_tools: names(&["skill", "read"]),
                mode: PruneMode::Rewrite,
            },
            retry: RetrySettings { enabled: true, max_retries: 3, base_delay_ms: 2_000, max_delay_ms: 30_000 },
            request_timeout_ms: 300_000,
            remote: RemoteSettings { timeout_ms: 120_000, allowed_hosts: Vec::new() },
            file_tools: FileTools {
                read: names(&["read"]),
                modify: names(&["write", "edit"]),
                path_arguments: names(&["path"]),
            },
            fallback: Fallback::None,
        }
    }
}

/// The two budgets in force for one window, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budgets {
    /// Tokens left free for the model's answer.
    pub reserve_tokens: u64,
    /// Tokens of recent history that stay verbatim.
    pub keep_recent_tokens: u64,
}

impl Settings {
    /// The budgets in force for a window of that many tokens, or for an unknown one.
    ///
    /// Defaults shrink with the window, so that a small model is not asked to reserve more than it
    /// has; a value that was set is taken as it is.
    ///
    /// # Errors
    ///
    /// `invalid-settings` when a set reserve takes 85 % of the window or more.
    pub fn budgets(&self, context_window: Option<u64>) -> Result<Budgets, Error> {
        let reserve_tokens = reserve("compaction.reserveTokens", self.compaction.reserve_tokens, context_window)?;
        let default_keep = context_window.map_or(DEFAULT_KEEP_RECENT_TOKENS, |window| {
            DEFAULT_KEEP_RECENT_TOKENS.min(window.saturating_sub(reserve_tokens) / 2)
        });
        Ok(Budgets { reserve_tokens, keep_recent_tokens: self.compaction.keep_recent_tokens.unwrap_or(default_keep) })
    }

    /// What a branch summary's request leaves free of a window of that many tokens, in tokens.
    ///
    /// # Errors
    ///
    /// `invalid-settings` when a set reserve takes 85 % of the window or more.
    pub fn branch_reserve(&self, context_window: Option<u64>) -> Result<u64, Error> {
        reserve("branchSummary.reserveTokens", self.branch_summary.reserve_tokens, context_window)
    }
}

fn reserve(path: &str, set: Option<u64>, context_window: Option<u64>) -> Result<u64, Error> {
    match (set, context_window) {
        (None, None) => Ok(DEFAULT_RESERVE_TOKENS),
        (None, Some(window)) => Ok(DEFAULT_RESERVE_TOKENS.min(window / 4)),
        (Some(set), None) => Ok(set),
        (Some(set), Some(window)) => {
            // 85 % of a window in whole tokens, without overflow for any window.
            let limit = window / 100 * 85 + window % 100 * 85 / 100;
            if set >= limit {
                return Err(Error::new(
                    ErrorCode::InvalidSettings,
                    format!(
                        "{path}: {set} leaves too little of a window of {window} tokens; \
                         allowed is less than {limit} (85 % of the window)"
                    ),
                ));
            }
            Ok(set)
        }
    }
}

/// Checks a context window that a call names explicitly: a positive whole number of tokens.
///
/// # Errors
///
/// `invalid-window` for zero, a negative number, NaN, infinity or a fraction.
pub fn check_context_window(window: f64) -> Result<u64, Error> {
    // Beyond 2^53 a number of JavaScript no longer names one whole number.
    if window.is_finite() && window >= 1.0 && window.fract() == 0.0 && window <= 9_007_199_254_740_992.0 {
        Ok(window as u64)
    } else {
        Err(Error::new(
            ErrorCode::InvalidWindow,
            format!(
                "contextWindow: {} is no window; allowed is a positive whole number of tokens",
                given::number(window)
            ),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budgets(window: Option<u64>) -> (u64, u64) {
        let budgets = Settings::default().budgets(window).unwrap();
        (budgets.reserve_tokens, budgets.keep_recent_tokens)
    }

    #[test]
    fn defaults_shrink_with_the_window() {
        assert_eq!(budgets(None), (16_384, 20_000));
        assert_eq!(budgets(Some(200_000)), (16_384, 20_000));
        assert_eq!(budgets(Some(32_000)), (8_000, 12_000));
        assert_eq!(budgets(Some(1)), (0, 0));
    }

    #[test]
    fn a_set_value_is_taken_as_it_is() {
        let mut settings = Settings::default();
        settings.compaction.reserve_tokens = Some(10_000);
        settings.compaction.keep_recent_tokens = Some(50_000);
        let budgets = settings.budgets(Some(32_000)).unwrap();
        assert_eq!((budgets.reserve_tokens, budgets.keep_recent_tokens), (10_000, 50_000));
    }

    #[test]
    fn a_reserve_of_85_percent_is_refused() {
        let mut settings = Settings::default();
        settings.compaction.reserve_tokens = Some(850);
        let error = settings.budgets(Some(1_000)).unwrap_err();
        assert_eq!(error.code, ErrorCode::InvalidSettings);
        assert!(error.message.contains("compaction.reserveTokens: 850"), "{error}");
        settings.compaction.reserve_tokens = Some(849);
        assert!(settings.budgets(Some(1_000)).is_ok());
    }

    #[test]
    fn a_window_is_a_positive_whole_number() {
        assert_eq!(check_context_window(200_000.0).unwrap(), 200_000);
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY, 1.5, 1e300] {
            assert_eq!(check_context_window(bad).unwrap_err().code, ErrorCode::InvalidWindow, "{bad}");
        }
    }
}
