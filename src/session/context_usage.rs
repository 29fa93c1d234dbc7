//! How large the context is now.

use super::calibration::Calibration;
use super::{Index, Session};
use crate::entry::{EntryKind, Message, calculate_context_tokens};
use crate::tokens::{Margin, TextRule, TokenEstimate};

/// What a caller knows when it asks for the context size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct UsageQuery {
    /// The model's context window, in tokens, where it is known.
    pub context_window: Option<u64>,
    /// Tokens the reply needs, which the limit leaves free.
    pub reserve_tokens: u64,
    /// The estimate of messages that are not in the session yet, in tokens.
    pub pending_tokens: u64,
    /// The system prompt and the tools, in tokens, where the host states them.
    pub fixed_tokens: Option<u64>,
}

/// How large the context is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContextUsage {
    /// The context size, in tokens.
    pub tokens: u64,
    /// The least it is in nine of ten cases; see TOKENS.md.
    pub low: u64,
    /// The most it is in nine of ten cases.
    pub high: u64,
    /// How much of the window that is, in percent.
    pub percent: Option<f64>,
    /// Where the number comes from.
    pub source: UsageSource,
    /// The size above which a threshold compaction starts, in tokens.
    pub limit: Option<u64>,
    /// Why there is no limit, or why a reported usage was not believed.
    pub reason: Option<&'static str>,
}

/// Where a context size comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename_all = "kebab-case"))]
pub enum UsageSource {
    /// The provider's usage of the newest turn.
    Usage,
    /// That, and the estimate of what follows it.
    #[cfg_attr(test, ts(rename = "usage+estimate"))]
    UsageAndEstimate,
    /// The estimate of the whole view.
    Estimate,
    /// The provider's usage, and what the session's tokenizer counted of what follows it.
    #[cfg_attr(test, ts(rename = "usage+count"))]
    UsageAndCount,
    /// What the session's tokenizer counted of the whole view.
    Count,
}

impl UsageSource {
    /// The source where a tokenizer counts what is estimated otherwise.
    fn counted(self) -> Self {
        match self {
            Self::Estimate => Self::Count,
            Self::UsageAndEstimate => Self::UsageAndCount,
            other => other,
        }
    }

    /// The source as it is written in JavaScript.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Usage => "usage",
            Self::UsageAndEstimate => "usage+estimate",
            Self::Estimate => "estimate",
            Self::UsageAndCount => "usage+count",
            Self::Count => "count",
        }
    }
}

/// The context size by a usage, in tokens.
pub(super) struct AnchoredSize {
    /// What the provider counted.
    pub(super) counted: u64,
    /// What came behind it, less what prunes have saved since, by the estimate.
    pub(super) after: u64,
    /// The part of that which files take.
    pub(super) files: u64,
    /// What prunes have saved since beyond what came behind it, by the estimate.
    pub(super) saved: u64,
}

impl Session {
    /// The context size at `leaf`, in tokens: what the provider counted for the newest good turn
    /// since the latest compaction, plus the estimate of what follows it, minus what prunes have saved
    /// since; without such a turn, or where its figure cannot be right, the estimate of the whole
    /// view. Its cost does not grow with the session.
    pub fn context_usage(&self, leaf: Option<Index>, query: &UsageQuery) -> ContextUsage {
        let view = self.estimated_view(leaf);
        let fixed = self.fixed_overhead(leaf, query.fixed_tokens, query.context_window);
        let estimate = view.tokens.saturating_add(fixed);
        let calibration = self.calibration(leaf);
        let calibrated = calibration.applied(view.tokens).saturating_add(fixed);
        let (mut reason, mut files) = (None, view.files);
        let (counted, shrunk, estimated, source) = match self.anchored_size(leaf, 0) {
            None => (0, 0, calibrated, UsageSource::Estimate),
            Some(AnchoredSize { counted, after, files: files_after, saved }) => {
                let readable = estimate.saturating_sub(view.reasoning);
                // The figure is that of the view as it was before anything in it was pruned.
                let believed = plausible(counted, estimate.saturating_add(saved), query.context_window);
                let shrunk = calibration.applied(saved).min(counted);
                let counted = counted - shrunk;
                if !believed {
                    reason = Some("usage-implausible");
                    (0, 0, estimate, UsageSource::Estimate)
                } else if readable > counted.saturating_add(after).saturating_mul(3) / 2 {
                    reason = Some("usage-deflated");
                    (0, 0, readable, UsageSource::Estimate)
                } else if after == 0 && saved == 0 && query.pending_tokens == 0 {
                    files = 0;
                    (counted, 0, 0, UsageSource::Usage)
                } else {
                    files = files_after;
                    (counted, shrunk, calibration.applied(after), UsageSource::UsageAndEstimate)
                }
            }
        };
        let estimated = estimated.saturating_add(calibration.applied(query.pending_tokens));
        let margin = self.estimate_margin(leaf);
        let ((less, more), (regained, lost)) = (margin.parts_with(files, estimated), margin.parts(shrunk));
        let of_step = if source == UsageSource::Estimate { 0 } else { calibration.step_margin() };
        let tokens = counted.saturating_add(estimated);
        if query.context_window.is_none() {
            reason = Some("unknown-window");
        }
        ContextUsage {
            tokens,
            low: tokens.saturating_sub(less + lost + of_step),
            high: tokens.saturating_add(more + regained + of_step),
            percent: query.context_window.map(|window| tokens as f64 * 100.0 / window as f64),
            source: if matches!(self.token_rule().text, TextRule::Exact(_)) { source.counted() } else { source },
            limit: query.context_window.map(|window| window.saturating_sub(query.reserve_tokens)),
            reason,
        }
    }

    /// The estimate of the view at `leaf`, in tokens, without the fixed overhead.
    pub fn estimated_view(&self, leaf: Option<Index>) -> TokenEstimate {
        let Some(node) = leaf.and_then(|leaf| self.node(leaf)) else { return TokenEstimate::default() };
        let hidden = self.overlay_saving(leaf);
        let Some(compaction) = node.path.compaction else {
            return TokenEstimate { tokens: node.path.sum.tokens.saturating_sub(hidden), ..node.path.sum };
        };
        let covered = self
            .view_start(Some(compaction))
            .and_then(|start| self.parent(start))
            .and_then(|above| self.node(above))
            .map_or_else(TokenEstimate::default, |above| above.path.sum);
        let summary = self.node(compaction).map_or(0, |node| node.tokens.tokens);
        TokenEstimate {
            tokens: node.path.sum.tokens.saturating_sub(covered.tokens.saturating_add(hidden)).saturating_add(summary),
            reasoning: node.path.sum.reasoning.saturating_sub(covered.reasoning),
            files: node.path.sum.files.saturating_sub(covered.files),
        }
    }

    /// The size of the newest message that the view at `leaf` holds, in tokens; 0 where it holds none.
    pub(crate) fn newest_seen(&self, leaf: Option<Index>) -> u64 {
        self.newest_seen_entry(leaf).map_or(0, |index| self.tokens_at(index, leaf))
    }

    /// The newest message of the view.
    fn newest_seen_entry(&self, leaf: Option<Index>) -> Option<Index> {
        let start = leaf.and_then(|leaf| self.view_start(self.node(leaf)?.path.compaction));
        for index in self.ancestors(leaf) {
            match self.node(index) {
                Some(node) if node.seen => return Some(index),
                _ if Some(index) == start => break,
                _ => {}
            }
        }
        None
    }

    /// Whether the view ends with a message of the user.
    pub(crate) fn asks_for_an_answer(&self, leaf: Option<Index>) -> bool {
        let newest = self.newest_seen_entry(leaf).and_then(|index| self.entry(index));
        newest.is_some_and(|entry| matches!(entry.kind, EntryKind::Message(Message::User { .. })))
    }

    /// Whether the view ends with an answer that is to be tried again: it holds no call that waits for
    /// its result.
    pub(crate) fn ends_with_unfinished_answer(&self, leaf: Option<Index>) -> bool {
        let newest = self.newest_seen_entry(leaf).and_then(|index| self.entry(index)?.assistant());
        newest.is_some_and(|turn| turn.is_failed() || turn.tool_calls().next().is_none())
    }

    /// The system prompt and the tools, in tokens: as stated, or as usages taught. What would fill
    /// half the window was taught by an accumulated figure and counts nothing.
    pub(crate) fn fixed_overhead(&self, leaf: Option<Index>, stated: Option<u64>, context_window: Option<u64>) -> u64 {
        let taught = || self.calibration(leaf).overhead;
        stated
            .or_else(|| taught().filter(|&taught| context_window.is_none_or(|window| taught < window / 2)))
            .unwrap_or(0)
    }

    /// How far off the estimates of entries at `leaf` are in nine of ten cases.
    pub fn estimate_margin(&self, leaf: Option<Index>) -> Margin {
        let calibration = self.calibration(leaf);
        match self.token_rule().text {
            // What frames messages is in the usual error of a step, once there was one.
            TextRule::Exact(_) if calibration.has_stepped() => Margin::NONE,
            _ => calibration.margin().unwrap_or_else(|| self.token_rule().margin()),
        }
    }

    /// What usages taught of the model that was asked last.
    pub(crate) fn calibration(&self, leaf: Option<Index>) -> Calibration {
        leaf.and_then(|leaf| self.node(leaf)).map_or_else(Calibration::default, |node| node.path.calibration)
    }

    /// What the provider counted for the newest usable turn, and how the context had changed since when the
    /// results on the path were `restored` tokens larger: 0 for now.
    pub(super) fn anchored_size(&self, leaf: Option<Index>, restored: u64) -> Option<AnchoredSize> {
        let node = self.node(leaf?)?;
        let anchor = self.node(node.path.anchor?)?;
        let counted = calculate_context_tokens(anchor.entry.assistant()?.valid_usage()?);
        // Both sides see the same part of the path, since no compaction lies between.
        let now = node.path.sum.tokens.saturating_add(self.overlay_saving(node.path.anchor)).saturating_add(restored);
        let hidden = self.overlay_saving(leaf).saturating_add(anchor.pruned_since);
        let then = anchor.path.sum.tokens.saturating_add(hidden);
        let files = node.path.sum.files.saturating_sub(anchor.path.sum.files);
        Some(AnchoredSize { counted, after: now.saturating_sub(then), files, saved: then.saturating_sub(now) })
    }
}

/// A usage larger than the window is believed only where the estimate reaches half the window;
/// otherwise it is a figure accumulated over several requests.
pub(crate) fn plausible(counted: u64, estimate: u64, context_window: Option<u64>) -> bool {
    context_window.is_none_or(|window| counted <= window || estimate.saturating_mul(2) >= window)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::testing::session;

    fn check(story: &[&str], window: Option<u64>, tokens: u64, source: &str, reason: Option<&str>) {
        let session = session(story);
        let query = UsageQuery { context_window: window, ..UsageQuery::default() };
        let usage = session.context_usage(session.leaf(), &query);
        assert_eq!((usage.tokens, usage.source.as_str(), usage.reason), (tokens, source, reason), "{story:?}");
        assert!(usage.low <= usage.tokens && usage.tokens <= usage.high);
    }

    #[test]
    fn the_newest_good_usage_and_what_follows_it() {
        check(&["U@10", "A@5$100"], Some(1_000), 100, "usage", None);
        check(&["U@10", "A:a@5$100", "R:a@30"], Some(1_000), 130, "usage+estimate", None);
        check(&["U@10", "A@5$100", "U@20", "E@7$900"], Some(1_000), 120, "usage+estimate", None);
        check(&["U@10", "A@5"], Some(1_000), 15, "estimate", None);
        check(&["U@10", "A@5$100"], None, 100, "usage", Some("unknown-window"));
        check(&[], Some(1_000), 0, "estimate", None);
    }

    #[test]
    fn a_usage_from_before_a_compaction_is_never_used_after_it() {
        // The summary of the story is 5 tokens; the overhead of 89 was learned from the usage.
        check(&["U@10", "A@5$100", "U@20", "A@6", "K:2"], Some(1_000), 5 + 26 + 89, "estimate", None);
        check(&["U@10", "A@5$100", "U@20", "A@6", "K:2", "U@1", "A@1$50"], Some(1_000), 50, "usage", None);
    }

    #[test]
    fn figures_that_cannot_be_right_are_not_believed() {
        check(&["U@10", "A@5$5000"], Some(1_000), 15, "estimate", Some("usage-implausible"));
        check(&["U@600", "A@5$1100"], Some(1_000), 1_100, "usage", None);
        check(&["U@600", "A@5$100"], Some(1_000), 605, "estimate", Some("usage-deflated"));
    }

    #[test]
    fn half_the_window_and_half_more_are_the_borders() {
        check(&["U@500", "A@1$2000"], Some(1_003), 501, "estimate", Some("usage-implausible"));
        check(&["U@500", "A@2$2000"], Some(1_003), 2_000, "usage", None);
        check(&["U@500", "A@2$2000"], Some(2_000), 2_000, "usage", None);
        check(&["U@149", "A@1$100"], Some(1_000), 100, "usage", None);
        check(&["U@150", "A@1$100"], Some(1_000), 151, "estimate", Some("usage-deflated"));
        check(&["U@149", "A@1$100", "U@10"], Some(1_000), 110, "usage+estimate", None);
        check(&["U@155", "A@1$100", "U@10"], Some(1_000), 166, "estimate", Some("usage-deflated"));
    }

    /// The size at the end of a good turn with that usage, behind one whose usage was 100.
    fn check_reported(usage: &str, tokens: u64, source: &str) {
        let mut session = session(&["U@10", "A@5$100", "U@20"]);
        let message = format!(
            r#"{{"type":"message","message":{{"role":"assistant","content":[{{"type":"text","text":"but "}}],"usage":{usage}}}}}"#
        );
        // A usage of a wrong shape is refused from a host, and counts as absent in a file.
        let appended = session.append(&message, crate::session::testing::NOW);
        if appended.is_err() {
            let mut file = String::from_utf8(session.to_jsonl()).unwrap();
            let parent = session.entry(2).unwrap().id.clone();
            let placed = format!(r#"{{"id":"e","parentId":"{parent}","timestamp":"t","#);
            file.push_str(&message.replacen('{', &placed, 1));
            session = Session::from_jsonl(file.into_bytes(), crate::session::Preset::Safe, 1).unwrap();
        }
        let found = session.context_usage(session.leaf(), &UsageQuery::default());
        assert_eq!((found.tokens, found.source.as_str()), (tokens, source), "{usage}");
    }

    #[test]
    fn a_usage_without_a_number_above_zero_is_no_measure() {
        let before = |usage| check_reported(usage, 121, "usage+estimate");
        before(r#"{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"totalTokens":0}"#);
        before(r#"{"input":-50,"output":0,"totalTokens":-1}"#);
        before(r#"{"input":0.2,"totalTokens":null}"#);
        before(r#"{"input":"300","output":true,"totalTokens":[]}"#);
        before("{}");
        before("null");
        before("[300]");
        check_reported(r#"{"input":299,"output":1,"cacheRead":-9,"totalTokens":-1}"#, 300, "usage");
        check_reported(r#"{"input":-5,"totalTokens":300}"#, 300, "usage");
        check_reported(r#"{"input":1,"output":1,"cacheRead":290,"cacheWrite":8.9}"#, 300, "usage");
        check_reported(r#"{"totalTokens":1e300}"#, 1 << 53, "usage");
    }

    #[test]
    fn a_failed_turn_measures_nothing() {
        check(&["U@10", "A@5$100", "U@20", "E@7$900"], Some(1_000), 120, "usage+estimate", None);
        let mut aborted = session(&["U@10", "A@5$100", "U@20"]);
        let turn = r#""role":"assistant","content":[],"stopReason":"aborted","usage":{"input":900,"output":1}"#;
        aborted.append(&format!(r#"{{"type":"message","message":{{{turn}}}}}"#), crate::session::testing::NOW).unwrap();
        assert_eq!(aborted.context_usage(aborted.leaf(), &UsageQuery::default()).tokens, 120);
    }

    #[test]
    fn readable_reasoning_is_no_sign_of_a_deflated_usage() {
        // The provider may not see the 300 tokens of reasoning again; the text of 60 it does.
        check(&["U@60", "T@300", "A@1$100"], Some(1_000), 100, "usage", None);
        let mut session = session(&["U@60"]);
        let blocks = |thinking: usize, usage: u64| {
            format!(
                r#"{{"type":"message","message":{{"role":"assistant","content":[{{"type":"thinking","thinking":"{}"}},{{"type":"text","text":"but "}}],"usage":{{"totalTokens":{usage}}}}}}}"#,
                crate::tokens::ONE_TOKEN.repeat(thinking)
            )
        };
        session.append(&blocks(300, 100), crate::session::testing::NOW).unwrap();
        let usage = session.context_usage(session.leaf(), &UsageQuery::default());
        assert_eq!((usage.tokens, usage.source.as_str()), (100, "usage"));
        assert_eq!(session.estimated_view(session.leaf()), TokenEstimate { tokens: 361, reasoning: 300, files: 0 });
    }

    /// The size at the end of a story, with an overhead that the host states or not.
    fn with_overhead(story: &[&str], fixed_tokens: Option<u64>, context_window: Option<u64>) -> u64 {
        let session = session(story);
        session
            .context_usage(session.leaf(), &UsageQuery { context_window, fixed_tokens, ..UsageQuery::default() })
            .tokens
    }

    #[test]
    fn the_fixed_overhead_is_stated_or_learned_and_counts_where_no_usage_does() {
        // Without a usage nothing is known.
        assert_eq!(with_overhead(&["U@10", "A@5"], None, Some(1_000)), 15);
        assert_eq!(with_overhead(&["U@10", "A@5"], Some(70), Some(1_000)), 85);
        // A usage holds the overhead already.
        assert_eq!(with_overhead(&["U@10", "A@5$100"], Some(70), Some(1_000)), 100);
        // After a compaction: what a usage taught, 99 of prompt less 10 of messages; stated goes first.
        let folded = ["U@10", "A@5$100", "K:1"];
        assert_eq!(with_overhead(&folded, None, Some(1_000)), 5 + 5 + 89);
        assert_eq!(with_overhead(&folded, Some(70), Some(1_000)), 5 + 5 + 70);
        assert_eq!(with_overhead(&folded, Some(0), Some(1_000)), 5 + 5);
        // The smallest difference lies closest to it.
        let twice = ["U@10", "A@5$100", "U@10", "A@5$80", "U@10", "A@5$300", "K:5"];
        assert_eq!(with_overhead(&twice, None, Some(1_000)), 5 + 5 + 54);
        // What would fill half the window was taught by an accumulated figure.
        assert_eq!(with_overhead(&["U@10", "A@5$610", "K:1"], None, Some(1_000)), 5 + 5);
        assert_eq!(with_overhead(&["U@10", "A@5$610", "K:1"], None, None), 5 + 5 + 599);
    }

    #[test]
    fn each_figure_of_a_context_usage() {
        let session = session(&["U@10", "A:a@5$200", "R:a@100"]);
        let query =
            UsageQuery { context_window: Some(1_000), reserve_tokens: 300, pending_tokens: 100, fixed_tokens: None };
        let usage = session.context_usage(session.leaf(), &query);
        let expected = ContextUsage {
            tokens: 400,
            low: 200 + 150,
            high: 200 + 300,
            percent: Some(40.0),
            source: UsageSource::UsageAndEstimate,
            limit: Some(700),
            reason: None,
        };
        assert_eq!(usage, expected);
        let unknown = session.context_usage(session.leaf(), &UsageQuery { context_window: None, ..query });
        assert_eq!((unknown.percent, unknown.limit, unknown.reason), (None, None, Some("unknown-window")));
        let small = session.context_usage(session.leaf(), &UsageQuery { context_window: Some(1), ..query });
        assert_eq!((small.limit, small.reason), (Some(0), None));
    }

    #[test]
    fn results_that_the_view_leaves_out_count_nothing() {
        check(&["U@10", "R:x@1000", "A@5"], None, 15, "estimate", Some("unknown-window"));
        check(&["A:a@5", "R:a@10", "R:a@10", "R:a@10"], None, 16, "estimate", Some("unknown-window"));
        check(&["A:a@5", "R:a@10", "A:a@5", "R:a@10"], None, 32, "estimate", Some("unknown-window"));
        check(&["A:a@5", "E:a@9", "R:a@10"], None, 16, "estimate", Some("unknown-window"));
    }

    #[test]
    fn the_margin_is_that_of_the_estimated_part() {
        let session = session(&["U@100"]);
        let usage = session.context_usage(session.leaf(), &UsageQuery { pending_tokens: 100, ..UsageQuery::default() });
        assert_eq!((usage.low, usage.tokens, usage.high), (150, 200, 300));
    }
}
