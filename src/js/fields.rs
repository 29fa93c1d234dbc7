//! Each type of plain data as a value. A field has its name in JavaScript's spelling, so nothing
//! is named here that the type does not name itself.

use super::data::*;
use super::outcomes::{BranchData, NavigationData, TurnData};
use super::plain::{Object, Value};

/// The length of a name in JavaScript's spelling.
#[allow(clippy::indexing_slicing, reason = "the compiler runs it")]
const fn camel_length(snake: &str) -> usize {
    let (bytes, mut place, mut length) = (snake.as_bytes(), 0, 0);
    while place < bytes.len() {
        length += (bytes[place] != b'_') as usize;
        place += 1;
    }
    length
}

/// A name in JavaScript's spelling.
#[allow(clippy::indexing_slicing, reason = "the compiler runs it")]
const fn camel<const LENGTH: usize>(snake: &str) -> [u8; LENGTH] {
    let (bytes, mut place, mut length, mut upper) = (snake.as_bytes(), 0, 0, false);
    let mut name = [0; LENGTH];
    while place < bytes.len() {
        if bytes[place] == b'_' {
            upper = true;
        } else {
            name[length] = if upper { bytes[place].to_ascii_uppercase() } else { bytes[place] };
            upper = false;
            length += 1;
        }
        place += 1;
    }
    name
}

/// A text that a constant made of a name.
const fn text(name: &'static [u8]) -> &'static str {
    match str::from_utf8(name) {
        Ok(name) => name,
        Err(_) => "",
    }
}

/// Sets fields of an object that are variables of the same name.
macro_rules! set {
    ($object:ident, $($field:ident)*) => {
        $($object.set(
            const { text(&const { camel::<{ camel_length(stringify!($field)) }>(stringify!($field)) }) },
            $field,
        );)*
    };
}

/// Makes types into values: every field of a struct.
macro_rules! structs {
    ($($type:ident { $($field:ident),* })*) => {
        $(impl From<$type> for Value {
            fn from($type { $($field),* }: $type) -> Self {
                let mut object = Object::default();
                set!(object, $($field)*);
                Self::Object(object)
            }
        })*
    };
}

/// The same for what is one of several; its `type` says which.
macro_rules! enums {
    ($($type:ident { $($word:literal $variant:ident { $($field:ident),* })* })*) => {
        $(impl From<$type> for Value {
            fn from(data: $type) -> Self {
                let mut object = Object::default();
                match data {
                    $($type::$variant { $($field),* } => {
                        object.set("type", $word);
                        set!(object, $($field)*);
                    })*
                }
                Self::Object(object)
            }
        })*
    };
}

structs! {
    ErrorData { code, message }
    DiagnosticData { line, kind, entry_id, message }
    RepairData { kind, entry_id, tool_call_id }
    PendingToolCallData { entry_id, tool_call_id, tool_name }
    ModelData { provider, model_id }
    ContextUsageData { tokens, low, high, percent, source, limit, reason }
    NothingToDoData {
        reason, message, tokens, window_tokens, keep_recent_tokens, fixed_tokens, newest_message_tokens, limit, entry_id,
        entry_tokens, kept_tokens, pending_tool_calls
    }
    FileListsData { read_files, modified_files }
    PreparationFigures {
        is_split_turn, previous_summary, file_ops, tokens_before, keep_recent_tokens, kept_tokens, reserve_tokens,
        pending_tool_calls
    }
    BranchFigures { file_ops, total_tokens }
    PruneResultData { pruned_count, tokens_saved, pruned_ids }
    RestoreResultData { restored_count, tokens_restored, restored_ids }
    SummaryRequestData { kind, system_prompt, prompt, max_tokens, prompt_tokens }
    OutcomeData {
        status, nothing_to_do, error, entry, tokens_before, tokens_after, progress, summarizer, warnings
    }
    ProgressData { sufficient, estimate_before, estimate_after, estimate_after_low, estimate_after_high, entries_in_the_way }
    ClassifiedData { class, limit, requested, retry_after_ms }
    TurnData { action, outcome, pruned_count, tokens_saved, next }
    NavigationData { cancelled, aborted, error, editor_text, summary_entry, summary_skipped, summarizer, warnings }
    BranchData { status, reason, error, summary, details, summarizer, warnings }
}

enums! {
    StepData {
        "summarize" Summarize { request, model, attempt, timeout_ms }
        "fetch" Fetch { url, body, timeout_ms }
        "sleep" Sleep { wait_ms }
        "hook" Hook { hook, reason, will_retry, timeout_ms }
        "save" Save { entry }
        "save_notices" SaveNotices { results, pruned_at }
        "abort" Abort {}
        "replace_messages" ReplaceMessages { without_last }
    }
    EventData {
        "compaction_progress" CompactionProgress { phase, request, requests, summarizer, candidate, attempt, wait_ms }
        "session_compact" SessionCompact { entry, from_extension, reason }
        "compaction_end" CompactionEnd { status, reason, summarizer, tokens_before, tokens_after }
        "auto_compaction_start" AutoCompactionStart { reason }
        "auto_compaction_end" AutoCompactionEnd { reason, entry, aborted, will_retry, error_message }
        "rewritten" Rewritten { results }
        "session_tree" SessionTree { new_leaf, old_leaf, summary_entry, from_extension }
    }
}

impl From<ContextNotes> for Value {
    fn from(ContextNotes { model, thinking_level, repairs, pending_tool_calls }: ContextNotes) -> Self {
        let mut object = Object::default();
        let (model, thinking_level) = (Self::or_null(model), Self::or_null(thinking_level));
        set!(object, model thinking_level repairs pending_tool_calls);
        Self::Object(object)
    }
}

#[cfg(test)]
#[path = "fields_tests.rs"]
mod tests;
