//! What a run asks for, stage by stage, and what it has so far.

use super::{RunOptions, Stage};
use crate::asking::Inquiry;
use crate::compaction::preparation::Preparation;
use crate::hook::Additions;
use crate::session::{Index, NewCompaction, Session, borrowed, file_details};
use crate::settings::Settings;
use crate::summary::{
    Fold, LocalSummary, MAX_SHORT_TOKENS, RequestKind, RequestOptions, Summarizer, SummaryRequest, compose_summary,
    strip_file_lists, summarize_locally,
};
use crate::tokens::estimate_text;
use std::borrow::Cow;
use std::sync::Arc;

/// Twice what a short summary is ever allowed: estimates may be wrong by as much. In tokens.
const LONGEST_SHORT_TOKENS: u64 = 2 * MAX_SHORT_TOKENS;

/// What a run works on.
#[derive(Debug)]
pub(super) struct Work {
    pub(super) options: RunOptions,
    pub(super) plan: Option<Arc<Preparation>>,
    pub(super) stage: Stage,
    /// Whether the handlers of `session.compacting` were called.
    pub(super) told_hooks: bool,
    /// What they added.
    pub(super) additions: Additions,
    /// Who made the summary.
    pub(super) served_by: Option<Summarizer>,
    history: Option<String>,
    turn_prefix: Option<String>,
    short: Option<String>,
}

impl Work {
    pub(super) fn new(options: RunOptions) -> Self {
        Self {
            options,
            plan: None,
            stage: Stage::History,
            told_hooks: false,
            additions: Additions::default(),
            served_by: None,
            history: None,
            turn_prefix: None,
            short: None,
        }
    }

    pub(super) fn next_stage(&mut self) {
        self.stage = match self.stage {
            Stage::History => Stage::TurnPrefix,
            Stage::TurnPrefix => Stage::Short,
            Stage::Short | Stage::Save => Stage::Save,
        };
    }

    /// Takes the summary of the stage.
    pub(super) fn accept(&mut self, text: String, summarizer: Summarizer) {
        match self.stage {
            Stage::History => self.history = Some(text),
            Stage::TurnPrefix => self.turn_prefix = Some(text),
            Stage::Short | Stage::Save => self.short = Some(text),
        }
        if self.stage != Stage::Short {
            self.served_by = Some(summarizer);
        }
        self.next_stage();
    }

    /// The compaction of the summaries at hand.
    pub(super) fn compaction(&self, session: &Session) -> NewCompaction {
        let Some(plan) = &self.plan else { return NewCompaction::default() };
        NewCompaction {
            summary: self.summary(session),
            short_summary: self.short.clone(),
            first_kept_entry_id: session.entry(plan.first_kept).map_or_else(String::new, |entry| entry.id.to_string()),
            tokens_before: plan.tokens_before,
            details: Some(file_details(&plan.file_operations.lists())),
            preserve_data: self.additions.preserve_data.clone(),
            from_extension: false,
        }
    }

    /// The summary as it is stored.
    fn summary(&self, session: &Session) -> String {
        let Some(plan) = &self.plan else { return String::new() };
        let files = plan.file_operations.lists();
        compose_summary(self.history_part(session).as_deref(), self.turn_prefix.as_deref(), &files)
    }

    /// The history part of the summary. Where no history lies before a split turn, the previous
    /// summary takes its place.
    fn history_part<'a>(&'a self, session: &'a Session) -> Option<Cow<'a, str>> {
        let previous = || self.plan.as_ref()?.previous_summary(session).map(strip_file_lists);
        self.history.as_deref().map(Cow::Borrowed).or_else(previous)
    }

    /// The entries that the stage is about, with the summary of what lies before them.
    fn entries<'a>(&self, plan: &'a Preparation, session: &'a Session) -> (&'a [Index], Option<&'a str>) {
        match self.stage {
            Stage::History => (&plan.entries_to_summarize, plan.previous_summary(session)),
            Stage::TurnPrefix => (&plan.turn_prefix, None),
            Stage::Short | Stage::Save => (&plan.kept, None),
        }
    }
}

impl Inquiry for Work {
    fn settings(&self) -> &Settings {
        &self.options.settings
    }

    fn reserve_tokens(&self) -> u64 {
        self.plan.as_ref().map_or(0, |plan| plan.reserve_tokens)
    }

    fn context_window(&self) -> Option<u64> {
        self.plan.as_ref()?.context_window
    }

    fn options<'a>(&'a self, options: RequestOptions<'a>) -> RequestOptions<'a> {
        RequestOptions {
            custom_instructions: self.options.custom_instructions.as_deref(),
            context_lines: &self.additions.context,
            instructions: self.additions.prompt.as_deref(),
            ..options
        }
    }

    fn whole(&self, session: &Session, options: &RequestOptions<'_>) -> Option<SummaryRequest> {
        let plan = self.plan.as_ref()?;
        match self.stage {
            Stage::History if !plan.entries_to_summarize.is_empty() => Some(plan.history_request(session, options)),
            Stage::TurnPrefix if !plan.turn_prefix.is_empty() => Some(plan.turn_prefix_request(session, options)),
            Stage::Short if self.options.settings.compaction.short_summary => {
                Some(plan.short_request(session, &self.summary(session), options))
            }
            _ => None,
        }
    }

    fn record(&self, session: &Session) -> Option<(RequestKind, Fold)> {
        let plan = self.plan.as_ref()?;
        let kind = match self.stage {
            Stage::History => RequestKind::History,
            Stage::TurnPrefix => RequestKind::TurnPrefix,
            Stage::Short | Stage::Save => return None,
        };
        let (entries, previous) = self.entries(plan, session);
        let messages = session.repaired_messages(entries, Some(plan.leaf));
        Some((kind, Fold::new(borrowed(&messages), previous)))
    }

    /// The two parts of a split turn replace together what they stand for. Either may be a few words,
    /// to which no summary could be smaller: the history may take half of what both replace, and the
    /// beginning of the turn has what the history left over.
    fn replaced_tokens(&self, session: &Session) -> Option<u64> {
        let plan = self.plan.as_ref()?;
        let sum =
            |entries: &[Index]| entries.iter().map(|&index| session.tokens_at(index, Some(plan.leaf))).sum::<u64>();
        let previous = plan.previous_compaction.and_then(|index| session.node(index));
        let history = sum(&plan.entries_to_summarize) + previous.map_or(0, |node| node.tokens.tokens);
        let both = history + sum(&plan.turn_prefix);
        match self.stage {
            Stage::History if plan.turn_prefix.is_empty() => Some(history),
            Stage::History => Some(history.max(both / 2)),
            Stage::TurnPrefix => {
                let rule = session.token_rule();
                let taken = self.history_part(session).map_or(0, |text| estimate_text(&text, rule));
                Some(both.saturating_sub(taken))
            }
            // It replaces nothing, but what fills a screen is none that was made for one.
            Stage::Short | Stage::Save => Some(LONGEST_SHORT_TOKENS),
        }
    }

    fn answer_locally(&self, session: &Session, request: &SummaryRequest, replaced_tokens: Option<u64>) -> String {
        let Some(plan) = &self.plan else { return String::new() };
        let summary = self.summary(session);
        let (entries, previous) = self.entries(plan, session);
        let is_short = self.stage == Stage::Short;
        summarize_locally(
            borrowed(&session.repaired_messages(entries, Some(plan.leaf))),
            &LocalSummary {
                kind: request.kind,
                previous_summary: if is_short { Some(&summary) } else { previous },
                custom_instructions: self.options.custom_instructions.as_deref(),
                context_lines: &self.additions.context,
                max_tokens: request.max_tokens,
                replaced_tokens,
                rule: session.token_rule(),
                file_tools: &self.options.settings.file_tools,
            },
        )
    }

    /// A screen can do without its short summary.
    fn is_optional(&self) -> bool {
        self.stage == Stage::Short
    }

    fn requests_behind(&self) -> u32 {
        let Some(plan) = &self.plan else { return 0 };
        let planned = [
            self.stage < Stage::TurnPrefix && !plan.turn_prefix.is_empty(),
            self.stage < Stage::Short && self.options.settings.compaction.short_summary,
        ];
        planned.iter().filter(|&&planned| planned).count() as u32
    }
}
