//! Preparing a compaction, or saying why there is nothing to do.

use super::cut_point::{cut_window, pending_turn_start};
use super::nothing_to_do::NothingToDo;
use super::preparation::Preparation;
use super::trigger::Trigger;
use crate::entry::{calculate_context_tokens, calculate_prompt_tokens};
use crate::error::Error;
use crate::session::{Index, Node, Pairing, Preset, Session, UsageQuery, plausible};
use crate::settings::Settings;
use crate::summary::file_operations;

/// What a compaction is prepared with.
#[derive(Debug, Clone, Copy)]
pub struct Prepare<'a> {
    /// The settings.
    pub settings: &'a Settings,
    /// The model's window, in tokens, where it is known.
    pub context_window: Option<u64>,
    /// The system prompt and the tools, in tokens, where the host states them.
    pub fixed_tokens: Option<u64>,
    /// The estimate of messages that will be sent with the context but are not in the session yet, in
    /// tokens: there has to be room for them.
    pub pending_tokens: u64,
    /// Why it is asked for: what starts by itself may be switched off.
    pub trigger: Trigger,
}

/// Where the window begins and how the keep budget is adapted; a preset is a choice of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Rules {
    /// The window begins where the view does, not right behind the previous compaction.
    window_from_view: bool,
    adapt: Adapt,
}

/// How the keep budget is adapted to what the provider counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Adapt {
    /// By the newest usage since the latest compaction, against the estimate of the view it saw.
    ToView,
    /// By the newest usage of the path, against the estimate of the window.
    ToWindow,
    /// Not at all: only the numbers of single rules are held this way.
    #[cfg(test)]
    Not,
}

impl Rules {
    fn of(preset: Preset) -> Self {
        match preset {
            Preset::Safe => Self { window_from_view: true, adapt: Adapt::ToView },
            Preset::Classic => Self { window_from_view: false, adapt: Adapt::ToWindow },
        }
    }
}

/// The least that is worth a summary, in tokens: a summary takes one at least and must be smaller
/// than what it replaces.
const LEAST_REPLACED: u64 = 2;

/// Prepares a compaction at `leaf`, or says why there is nothing to do. Its cost is that of what it
/// looks at: the part of the path since the previous compaction's kept part.
///
/// ```
/// use threadfold::compaction::{Prepare, Trigger, prepare_compaction};
/// use threadfold::session::{Preset, Session};
/// use threadfold::settings::Settings;
/// let now = "2026-01-01T00:00:00.000Z";
/// let mut session = Session::create(Preset::Safe, "s", "/", now, 1);
/// for content in ["First question", "Second question"] {
///     session.append(&format!(r#"{{"type":"message","message":{{"role":"user","content":"{content}"}}}}"#), now)?;
/// }
/// let mut settings = Settings::default();
/// let prepare = Prepare { settings: &settings, context_window: None, fixed_tokens: None, pending_tokens: 0, trigger: Trigger::Manual };
/// let nothing = prepare_compaction(&session, session.leaf(), &prepare)?.unwrap_err();
/// assert_eq!(nothing.as_str(), "session-too-small");
///
/// settings.compaction.keep_recent_tokens = Some(2);
/// let prepare = Prepare { settings: &settings, context_window: None, fixed_tokens: None, pending_tokens: 0, trigger: Trigger::Manual };
/// let plan = prepare_compaction(&session, session.leaf(), &prepare)?.unwrap();
/// assert_eq!((plan.entries_to_summarize, plan.kept), (vec![0], vec![1]));
/// # Ok::<(), threadfold::error::Error>(())
/// ```
///
/// # Errors
///
/// `invalid-settings` for a reserve that does not fit the window.
pub fn prepare_compaction(
    session: &Session,
    leaf: Option<Index>,
    prepare: &Prepare<'_>,
) -> Result<Result<Preparation, NothingToDo>, Error> {
    plan(session, leaf, prepare, Rules::of(session.preset()))
}

fn plan(
    session: &Session,
    leaf: Option<Index>,
    prepare: &Prepare<'_>,
    rules: Rules,
) -> Result<Result<Preparation, NothingToDo>, Error> {
    let budgets = prepare.settings.budgets(prepare.context_window)?;
    if prepare.trigger != Trigger::Manual
        && let Err(nothing) = NothingToDo::unasked(prepare.settings, prepare.context_window)
    {
        return Ok(Err(nothing));
    }
    let keep = budgets.keep_recent_tokens;
    let margin = session.estimate_margin(leaf);
    let Some(leaf) = leaf.filter(|&leaf| session.node(leaf).is_some()) else {
        return Ok(Err(NothingToDo::SessionTooSmall { window_tokens: 0, keep_recent_tokens: keep, margin }));
    };
    let previous_compaction = session.node(leaf).and_then(|node| node.path.compaction);
    if previous_compaction.is_some_and(|compaction| nothing_behind(session, compaction, leaf)) {
        return Ok(Err(NothingToDo::AlreadyCompacted));
    }
    let fixed_tokens = session.fixed_overhead(Some(leaf), prepare.fixed_tokens, prepare.context_window);
    let limit = prepare.context_window.map(|window| window.saturating_sub(budgets.reserve_tokens));
    let view_start = session.view_start(previous_compaction);
    let view = session.path_below(view_start, Some(leaf));
    let tokens = |index: Index| session.tokens_at(index, Some(leaf));
    let is_message = |index: &Index| session.node(*index).is_some_and(Node::is_message);
    let is_seen = |index: &Index| session.node(*index).is_some_and(|node| node.seen);
    let newest = view.iter().copied().rfind(is_seen);
    let infeasible = |limit| NothingToDo::infeasible(fixed_tokens, newest.map_or(0, tokens), limit, margin);
    if let Some(nothing) = limit.and_then(infeasible) {
        return Ok(Err(nothing));
    }
    // The historical window begins right behind the previous compaction; what that kept falls out.
    let behind = match previous_compaction {
        Some(compaction) if !rules.window_from_view => {
            view.iter().position(|&index| index == compaction).map_or(0, |position| position + 1)
        }
        _ => 0,
    };
    let (dropped, window) = view.split_at_checked(behind).unwrap_or((&[], &view));
    let keep_recent_tokens = adapted(session, leaf, window, keep, prepare, rules.adapt);
    // Half of what is left beside them, as the default takes half of what a window leaves.
    let room = limit.map(|limit| limit.saturating_sub(fixed_tokens).saturating_sub(prepare.pending_tokens) / 2);
    let keep_recent_tokens = match room {
        Some(room) if prepare.pending_tokens > 0 => keep_recent_tokens.min(room).max(1),
        _ => keep_recent_tokens,
    };
    let pairing = Pairing::of(session, window);
    let cut = cut_window(session, window, Some(leaf), &pairing, keep_recent_tokens);
    let any_seen = |from: usize, to: usize| window.get(from..to).unwrap_or_default().iter().any(is_seen);
    let messages = |from: usize, to: usize| -> Vec<Index> {
        window.get(from..to).unwrap_or_default().iter().copied().filter(|index| is_message(index)).collect()
    };
    let sum = |entries: &[Index]| entries.iter().map(|&index| tokens(index)).sum::<u64>();
    let previous_tokens = previous_compaction.map_or(0, tokens);
    let is_safe = session.preset() == Preset::Safe;
    // Whether messages come to that much: where they do, the first of them tell.
    let reaches = |from: usize, to: usize, least: u64| {
        let mut sum: u64 = 0;
        least == 0
            || window.get(from..to).unwrap_or_default().iter().any(|index| {
                sum += if is_message(index) { tokens(*index) } else { 0 };
                sum >= least
            })
    };
    let stands_alone =
        |from: usize, to: usize, least: u64| any_seen(from, to) && (!is_safe || reaches(from, to, least));
    // A part in which the model sees nothing, or nothing that a summary could be smaller than, gets no
    // summary of its own: it goes with the other.
    let (history_end, is_split_turn) = match cut.turn_start {
        Some(turn_start) if !stands_alone(turn_start, cut.first_kept, 1) => (cut.first_kept, false),
        Some(turn_start) if !stands_alone(0, turn_start, LEAST_REPLACED.saturating_sub(previous_tokens)) => (0, true),
        Some(turn_start) => (turn_start, true),
        None => (cut.first_kept, false),
    };
    let entries_to_summarize = messages(0, history_end);
    let turn_prefix = messages(history_end, cut.first_kept);
    let kept = messages(cut.first_kept, window.len());
    let kept_tokens = sum(&kept);
    let pending_tool_calls = session.name_calls(window, &session.pending_calls(window, &pairing));
    let context = session.context_usage(
        Some(leaf),
        &UsageQuery {
            context_window: prepare.context_window,
            reserve_tokens: budgets.reserve_tokens,
            pending_tokens: 0,
            fixed_tokens: prepare.fixed_tokens,
        },
    );
    let too_little = is_safe && !reaches(0, cut.first_kept, LEAST_REPLACED.saturating_sub(previous_tokens));
    if !cut.budget_reached || !any_seen(0, cut.first_kept) || too_little {
        let only_an_open_turn = pending_turn_start(session, window, &pairing)
            .is_some_and(|turn_start| window.iter().take(turn_start).all(|index| !is_seen(index)));
        if only_an_open_turn {
            return Ok(Err(NothingToDo::OpenToolCall { calls: pending_tool_calls }));
        }
        let largest = kept.iter().map(|&index| (tokens(index), index)).max_by_key(|&(tokens, _)| tokens);
        let largest = largest.and_then(|(tokens, index)| Some((tokens, session.entry(index)?.id.clone())));
        if let (Some(limit), Some((entry_tokens, entry_id))) = (limit, largest)
            && cut.budget_reached
            && context.tokens > limit
        {
            return Ok(Err(NothingToDo::KeptTailTooLarge { entry_id, entry_tokens, kept_tokens, limit, margin }));
        }
        let window_tokens = sum(&entries_to_summarize) + sum(&turn_prefix) + kept_tokens;
        return Ok(Err(NothingToDo::SessionTooSmall { window_tokens, keep_recent_tokens, margin }));
    }
    let Some(&first_kept) = window.get(cut.first_kept) else {
        return Ok(Err(NothingToDo::SessionTooSmall { window_tokens: kept_tokens, keep_recent_tokens, margin }));
    };
    let file_operations = file_operations(
        session,
        previous_compaction.iter().chain(&entries_to_summarize).chain(&turn_prefix).copied(),
        &prepare.settings.file_tools,
    );
    Ok(Ok(Preparation {
        leaf,
        leaf_id: session.entry(leaf).map(|entry| entry.id.clone()).unwrap_or_default(),
        rewrites: session.rewrites(),
        first_kept,
        is_split_turn,
        previous_compaction,
        file_operations,
        tokens_before: match session.preset() {
            Preset::Safe => context.tokens,
            Preset::Classic => newest_usage(session, leaf).map_or(0, |usage| calculate_context_tokens(&usage)),
        },
        keep_recent_tokens,
        kept_tokens,
        entries_in_the_way: in_the_way(&kept, kept_tokens, keep_recent_tokens, tokens),
        dropped: dropped.iter().copied().filter(is_message).collect(),
        entries_to_summarize,
        turn_prefix,
        kept,
        pending_tool_calls,
        reserve_tokens: budgets.reserve_tokens,
        fixed_tokens,
        pending_tokens: prepare.pending_tokens,
        context_window: prepare.context_window,
    }))
}

/// Whether nothing that the model sees lies between a compaction and the leaf.
fn nothing_behind(session: &Session, compaction: Index, leaf: Index) -> bool {
    session
        .ancestors(Some(leaf))
        .take_while(|&index| index != compaction)
        .filter_map(|index| session.node(index))
        .all(|node| !node.seen)
}

/// The keep budget, made smaller where the provider counts more than the estimate does.
fn adapted(session: &Session, leaf: Index, window: &[Index], keep: u64, prepare: &Prepare<'_>, adapt: Adapt) -> u64 {
    let (prompt, estimate) = match adapt {
        #[cfg(test)]
        Adapt::Not => return keep,
        Adapt::ToWindow => {
            let Some(usage) = newest_usage(session, leaf) else { return keep };
            let is_message = |index: &&Index| session.node(**index).is_some_and(Node::is_message);
            let messages = window.iter().filter(is_message);
            (calculate_prompt_tokens(&usage), messages.map(|&index| session.tokens_at(index, Some(leaf))).sum::<u64>())
        }
        Adapt::ToView => {
            let anchor = session.node(leaf).and_then(|node| node.path.anchor).and_then(|index| session.node(index));
            let usage = anchor.and_then(|node| node.entry.assistant()?.valid_usage().map(|usage| (node, usage)));
            let Some((anchor, usage)) = usage else { return keep };
            let fixed = session.fixed_overhead(Some(leaf), prepare.fixed_tokens, prepare.context_window);
            // As it was when the provider counted it.
            let estimate = session.estimated_view(anchor.parent).tokens.saturating_add(anchor.pruned_since);
            let prompt = calculate_prompt_tokens(usage);
            if !plausible(prompt, estimate.saturating_add(fixed), prepare.context_window) {
                return keep;
            }
            (prompt.saturating_sub(fixed), estimate)
        }
    };
    if estimate == 0 || prompt <= estimate {
        return keep;
    }
    // keep / (prompt / estimate), in whole tokens.
    let scaled = match keep.checked_mul(estimate) {
        Some(product) => product / prompt,
        // A budget of more than any session has: what rounding it takes away does not matter.
        None => (keep / prompt).saturating_mul(estimate),
    };
    scaled.max(1)
}

/// The newest good usage on the path, also from before a compaction.
fn newest_usage(session: &Session, leaf: Index) -> Option<crate::entry::Usage> {
    let newest = session.node(leaf)?.path.newest_usage?;
    session.entry(newest)?.assistant()?.valid_usage().copied()
}

/// The entries that make the kept part larger than its budget: each that takes half of it, or the
/// largest.
fn in_the_way(kept: &[Index], kept_tokens: u64, budget: u64, tokens: impl Fn(Index) -> u64) -> Vec<Index> {
    if kept_tokens <= budget {
        return Vec::new();
    }
    let large: Vec<Index> = kept.iter().copied().filter(|&index| tokens(index) > budget / 2).collect();
    if large.is_empty() { kept.iter().copied().max_by_key(|&index| tokens(index)).into_iter().collect() } else { large }
}

#[cfg(test)]
mod tests;
