//! Whether a compaction starts by itself: a pure decision over a session and what the host knows.

use super::nothing_to_do::NothingToDo;
use crate::entry::{AssistantMessage, ModelChoice, StopReason, calculate_prompt_tokens};
use crate::error::Error;
use crate::session::{Index, Session, UsageQuery, plausible};
use crate::settings::Settings;
use crate::summary::is_context_overflow;

/// Why a compaction is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename_all = "kebab-case"))]
pub enum Trigger {
    /// Somebody asked for it.
    #[default]
    Manual,
    /// The context passed the threshold.
    Threshold,
    /// The provider refused a request as too large.
    Overflow,
}

impl Trigger {
    /// The trigger as it is written in JavaScript.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Manual => "manual",
            Self::Threshold => "threshold",
            Self::Overflow => "overflow",
        }
    }
}

/// When a check is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// A turn has ended. One that the user stopped starts nothing; the next check measures it.
    TurnEnd,
    /// A request is about to be sent.
    BeforeRequest,
}

/// What a check is made with.
#[derive(Debug, Clone, Copy)]
pub struct Check<'a> {
    /// The settings.
    pub settings: &'a Settings,
    /// The model's window, in tokens, where it is known.
    pub context_window: Option<u64>,
    /// The system prompt and the tools, in tokens, where the host states them.
    pub fixed_tokens: Option<u64>,
    /// The estimate of messages that will be sent but are not in the session yet, in tokens.
    pub pending_tokens: u64,
    /// The current model, whose errors alone count; where it is not stated, the one in force on the
    /// path.
    pub model: Option<&'a ModelChoice>,
    /// When it is made.
    pub moment: Moment,
}

/// What a check came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// A compaction is to start.
    Compact {
        /// Why: threshold or overflow.
        trigger: Trigger,
        /// Whether the request that was too large is to be sent again afterwards: at the end of its turn.
        will_retry: bool,
    },
    /// The context fits.
    BelowLimit {
        /// The context size, in tokens.
        tokens: u64,
        /// The size above which a compaction starts, in tokens.
        limit: u64,
    },
    /// The user stopped the turn.
    AbortedTurn,
    /// None may start, or none can help: `disabled`, `unknown-window` or `infeasible`.
    NothingToDo(NothingToDo),
}

impl Decision {
    /// The decision as one stable word: the trigger, or why there is none.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Compact { trigger, .. } => trigger.as_str(),
            Self::BelowLimit { .. } => "below-limit",
            Self::AbortedTurn => "aborted-turn",
            Self::NothingToDo(nothing) => nothing.as_str(),
        }
    }
}

/// Decides whether a compaction is to start at `leaf`. Its cost does not grow with the session.
///
/// That an overflow is recovered from only once, and that a failed compaction is not repeated for an
/// unchanged session, is up to the caller, who knows what was tried.
///
/// ```
/// use threadfold::compaction::{Check, Decision, Moment, should_compact};
/// use threadfold::session::{Preset, Session};
/// use threadfold::settings::Settings;
/// let now = "2026-01-01T00:00:00.000Z";
/// let mut session = Session::create(Preset::Safe, "s", "/", now, 1);
/// session.append(r#"{"type":"message","message":{"role":"user","content":"A few tokens and no more."}}"#, now)?;
/// let settings = Settings::default();
/// let check = Check {
///     settings: &settings,
///     context_window: Some(1_000),
///     fixed_tokens: None,
///     pending_tokens: 0,
///     model: None,
///     moment: Moment::BeforeRequest,
/// };
/// let decision = should_compact(&session, session.leaf(), &check)?;
/// assert!(matches!(decision, Decision::BelowLimit { tokens: 1..10, limit: 750 }));
/// # Ok::<(), threadfold::error::Error>(())
/// ```
///
/// # Errors
///
/// `invalid-settings` for a reserve that does not fit the window.
pub fn should_compact(session: &Session, leaf: Option<Index>, check: &Check<'_>) -> Result<Decision, Error> {
    let reserve_tokens = check.settings.budgets(check.context_window)?.reserve_tokens;
    let window = match NothingToDo::unasked(check.settings, check.context_window) {
        Ok(window) => window,
        Err(nothing) => return Ok(Decision::NothingToDo(nothing)),
    };
    let turn = session.newest_turn(leaf);
    if check.moment == Moment::TurnEnd && turn.is_some_and(|turn| turn.stop_reason == StopReason::Aborted) {
        return Ok(Decision::AbortedTurn);
    }
    let query = UsageQuery {
        context_window: check.context_window,
        reserve_tokens,
        pending_tokens: check.pending_tokens,
        fixed_tokens: check.fixed_tokens,
    };
    let tokens = session.context_usage(leaf, &query).tokens;
    let limit = window.saturating_sub(reserve_tokens);
    let (trigger, will_retry) = match overflowed_turn(session, leaf, check, window) {
        Some(turn) => (Trigger::Overflow, check.moment == Moment::TurnEnd && !is_finished(turn)),
        None if tokens > limit => (Trigger::Threshold, false),
        None => return Ok(Decision::BelowLimit { tokens, limit }),
    };
    let fixed_tokens = session.fixed_overhead(leaf, check.fixed_tokens, check.context_window);
    let newest = match check.pending_tokens {
        0 => session.newest_seen(leaf),
        pending => pending,
    };
    Ok(match NothingToDo::infeasible(fixed_tokens, newest, limit, session.estimate_margin(leaf)) {
        Some(nothing) => Decision::NothingToDo(nothing),
        None => Decision::Compact { trigger, will_retry },
    })
}

/// The newest turn, where it is one of the current model and means that the context has to shrink.
pub(crate) fn overflowed_turn<'s>(
    session: &'s Session,
    leaf: Option<Index>,
    check: &Check<'_>,
    window: u64,
) -> Option<&'s AssistantMessage> {
    let fixed_tokens = session.fixed_overhead(leaf, check.fixed_tokens, check.context_window);
    let estimate = session.estimated_view(leaf).tokens.saturating_add(fixed_tokens);
    let model = check.model.or_else(|| session.model_at(leaf));
    session.newest_turn(leaf).filter(|turn| is_of_model(turn, model) && overflowed(turn, estimate, window))
}

/// Whether a turn ended well: neither with an error, nor with more input than the window holds. `context` is
/// the estimate of what it was sent, in tokens.
pub(crate) fn is_good_turn(turn: &AssistantMessage, context: u64, window: Option<u64>) -> bool {
    !turn.is_failed() && !window.is_some_and(|window| overflowed(turn, context, window))
}

/// Whether a turn is one of that model. A turn or a model that names no provider, or no model at
/// all, cannot be told apart.
fn is_of_model(turn: &AssistantMessage, model: Option<&ModelChoice>) -> bool {
    let (Some(own), Some(current)) = (&turn.model, model) else { return true };
    let one_provider = own.provider == current.provider || own.provider.is_empty() || current.provider.is_empty();
    own.model_id == current.model_id && one_provider
}

/// Whether a turn means that the context has to shrink. An error says so; a figure only where it may
/// be right for a context of that estimate.
fn overflowed(turn: &AssistantMessage, estimate: u64, window: u64) -> bool {
    let prompt = turn.valid_usage().map_or(0, calculate_prompt_tokens);
    is_context_overflow(turn, Some(window)) && (turn.is_failed() || plausible(prompt, estimate, Some(window)))
}

/// Whether a turn is a finished answer, which no request is sent again for.
fn is_finished(turn: &AssistantMessage) -> bool {
    match turn.stop_reason {
        StopReason::Stop => true,
        StopReason::Unknown => turn.tool_calls().next().is_none(),
        StopReason::Length | StopReason::ToolUse | StopReason::Error | StopReason::Aborted => false,
    }
}

#[cfg(test)]
mod tests;
