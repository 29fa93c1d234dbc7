//! Pruning: old tool outputs give way to a notice of how much was there.

use crate::entry::milliseconds;
use crate::error::{Error, ErrorCode, Quoted};
use crate::session::{Index, Preset, Session, UsageQuery};
use crate::settings::{PruneMode, PruneSettings, Settings};

/// What a prune is asked with.
#[derive(Debug, Clone, Copy)]
pub struct PruneOptions<'a> {
    /// The settings.
    pub settings: &'a Settings,
    /// The model's window, in tokens: prune only where the context is over the threshold. `None`
    /// where the caller wants it pruned whatever its size.
    pub context_window: Option<u64>,
    /// The system prompt and the tools, in tokens, where the host states them.
    pub fixed_tokens: Option<u64>,
}

/// What a prune, or the undoing of one, came to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Pruned {
    /// The entries of the results, in the order of the path.
    pub entries: Vec<Index>,
    /// By how much the context changed, in tokens.
    pub tokens: u64,
}

impl Pruned {
    fn add(&mut self, entry: Index, tokens: u64) {
        self.entries.push(entry);
        self.tokens = self.tokens.saturating_add(tokens);
    }
}

/// Prunes the tool outputs at the leaf that are older than the newest
/// [`protect_tokens`](PruneSettings::protect_tokens) of them.
///
/// With a window this is the automatic prune: nothing happens unless the context is larger than the
/// window without the reserve (in the classic preset whatever its size), nor while
/// `compaction.enabled` is false. `now` is the time as ISO 8601.
///
/// ```
/// use threadfold::prune::{PruneOptions, prune_tool_outputs};
/// use threadfold::session::{Preset, Session};
/// use threadfold::settings::Settings;
/// let now = "2026-01-01T00:00:00.000Z";
/// let mut session = Session::create(Preset::Safe, "s", "/", now, 1);
/// for message in [
///     r#"{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"bash","arguments":{}}]}"#.to_owned(),
///     format!(r#"{{"role":"toolResult","toolCallId":"c","toolName":"bash","content":"{}"}}"#, "line\\n".repeat(400)),
/// ] {
///     session.append(&format!(r#"{{"type":"message","message":{message}}}"#), now)?;
/// }
/// let mut settings = Settings::default();
/// settings.prune.protect_tokens = 0;
/// settings.prune.minimum_savings = 100;
/// let options = PruneOptions { settings: &settings, context_window: None, fixed_tokens: None };
/// let pruned = prune_tool_outputs(&mut session, &options, now)?;
/// assert_eq!(pruned.entries, [1]);
/// assert!(session.entry_json(1).unwrap().contains("[Output truncated - "));
/// # Ok::<(), threadfold::error::Error>(())
/// ```
///
/// # Errors
///
/// `invalid-settings` for a reserve that does not fit the window, `invalid-argument` for a `now` that
/// is no time. Nothing has changed then.
pub fn prune_tool_outputs(session: &mut Session, options: &PruneOptions<'_>, now: &str) -> Result<Pruned, Error> {
    let time = milliseconds(now).ok_or_else(|| {
        let message = format!("now: {} is no time; allowed is ISO 8601 such as 2026-01-01T00:00:00.000Z", Quoted(now));
        Error::new(ErrorCode::InvalidArgument, message)
    })?;
    session.count_rest();
    match prepare_prune(session, options)?.entries.as_slice() {
        [] => Ok(Pruned::default()),
        plan if options.settings.prune.mode == PruneMode::Rewrite => {
            let pruned_at = session.prune_time(time);
            Ok(rewrite(session, plan, pruned_at))
        }
        plan => overlay(session, plan, now).map(|(pruned, _)| pruned),
    }
}

/// What [`prune_tool_outputs`] would do with a session whose entries are counted, and would answer.
///
/// # Errors
///
/// `invalid-settings` for a reserve that does not fit the window.
pub fn prepare_prune(session: &Session, options: &PruneOptions<'_>) -> Result<Pruned, Error> {
    let mut pruned = Pruned::default();
    if is_due(session, options)? {
        for index in plan_prune(session, &options.settings.prune, Scope::Old).unwrap_or_default() {
            pruned.add(index, session.prune_saving(index));
        }
    }
    Ok(pruned)
}

/// Writes the notices into the stored entries. `pruned_at` is a
/// [`prune_time`](Session::prune_time), in milliseconds since 1970.
pub(crate) fn rewrite(session: &mut Session, entries: &[Index], pruned_at: i64) -> Pruned {
    let mut pruned = Pruned::default();
    for result in &session.rewrite_results(entries, pruned_at) {
        pruned.add(result.index, result.saving());
    }
    pruned
}

/// Appends a prune entry that names the results and those that are hidden already. Gives its number too.
pub(crate) fn overlay(session: &mut Session, entries: &[Index], now: &str) -> Result<(Pruned, Index), Error> {
    let mut pruned = Pruned::default();
    let mut hidden = Vec::with_capacity(entries.len());
    for overlaid in session.overlaid_results(session.leaf()) {
        hidden.push(overlaid.index);
    }
    for &index in entries {
        hidden.push(index);
        pruned.add(index, session.prune_saving(index));
    }
    let entry = session.append_prune(&hidden, now)?;
    Ok((pruned, entry))
}

/// Takes prunes back that are entries of their own: those of the results with these ids, or all of
/// the leaf's view. It appends a prune entry that names what stays pruned; where nothing is to be
/// taken back, nothing is appended. What was rewritten is gone for good and passed over.
///
/// # Errors
///
/// `unknown-entry` for an id that no entry has. Nothing has changed then.
pub fn restore_tool_outputs(session: &mut Session, ids: Option<&[String]>, now: &str) -> Result<Pruned, Error> {
    session.count_rest();
    let mut wanted = vec![ids.is_none(); session.len()];
    for id in ids.into_iter().flatten() {
        let index = session.require("restoreToolOutputs", id)?;
        if let Some(wanted) = wanted.get_mut(index as usize) {
            *wanted = true;
        }
    }
    let mut restored = Pruned::default();
    let mut stay = Vec::new();
    for overlaid in session.overlaid_results(session.leaf()) {
        if wanted.get(overlaid.index as usize) == Some(&true) {
            restored.add(overlaid.index, overlaid.saving);
        } else {
            stay.push(overlaid.index);
        }
    }
    if !restored.entries.is_empty() {
        session.append_prune(&stay, now)?;
    }
    Ok(restored)
}

/// Whether a prune may happen now.
fn is_due(session: &Session, options: &PruneOptions<'_>) -> Result<bool, Error> {
    let Some(context_window) = options.context_window else { return Ok(true) };
    let reserve_tokens = options.settings.budgets(Some(context_window))?.reserve_tokens;
    if !options.settings.compaction.enabled {
        return Ok(false);
    }
    let query = UsageQuery {
        context_window: Some(context_window),
        reserve_tokens,
        pending_tokens: 0,
        fixed_tokens: options.fixed_tokens,
    };
    let usage = session.context_usage(session.leaf(), &query);
    Ok(session.preset() == Preset::Classic || usage.limit.is_some_and(|limit| usage.tokens > limit))
}

/// What a prune takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// Old outputs.
    Old,
    /// Also every result with an image but the newest: the request had too many bytes, and of those
    /// images have by far the most for what they take of the window.
    OldAndImages,
}

/// The results to prune, in the order of the path; `None` where they save too little.
pub(crate) fn plan_prune(session: &Session, settings: &PruneSettings, scope: Scope) -> Option<Vec<Index>> {
    let leaf = session.leaf();
    let results = match session.preset() {
        Preset::Safe => session.results_in_view(leaf),
        // The historical rule also takes what the model no longer sees.
        Preset::Classic => session.path(leaf),
    };
    // Nor does it look whether the notice is smaller.
    let any_size = session.preset() == Preset::Classic && settings.mode == PruneMode::Rewrite;
    let mut newer: u64 = 0;
    let mut savings: u64 = 0;
    let mut newer_image = false;
    // Each with whether it goes for its image.
    let mut found = Vec::new();
    for &index in results.iter().rev() {
        let Some(result) = session.entry(index).and_then(|entry| entry.tool_result()) else { continue };
        let has_image = scope == Scope::OldAndImages && result.content.images().next().is_some();
        let for_image = has_image && std::mem::replace(&mut newer_image, true);
        let is_recent = newer < settings.protect_tokens;
        newer = newer.saturating_add(session.tokens_at(index, leaf));
        let is_protected = settings.protected_tools.iter().any(|tool| **tool == *result.tool_name);
        let stays = settings.mode == PruneMode::Rewrite && !session.may_be_rewritten(index);
        let saving = session.prune_saving(index);
        let is_taken = session.is_being_pruned(index) || session.is_pruned(index, leaf);
        let is_safe = (is_recent || is_protected) && !for_image;
        if is_safe || stays || is_taken || (saving == 0 && !any_size) {
            continue;
        }
        savings = savings.saturating_add(saving);
        found.push((index, for_image));
    }
    let is_worth_it = savings >= settings.minimum_savings;
    let taken = found.into_iter().rev().filter(|(_, for_image)| is_worth_it || *for_image);
    Some(taken.map(|(index, _)| index).collect()).filter(|taken: &Vec<Index>| !taken.is_empty())
}

#[cfg(test)]
mod tests;
