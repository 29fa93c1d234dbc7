//! Each value of plain data, held against what serde makes of its type, of which the TypeScript is
//! made as well.

use super::*;
use crate::error::ErrorCode;
use serde::Serialize;

/// The value of the data says the same as the type does.
#[track_caller]
#[allow(clippy::unwrap_used)]
fn check<Data: Serialize + Into<Value> + Clone>(data: &Data) {
    let value: Value = data.clone().into();
    // Every number is a double in a value, and JSON writes those with a fraction.
    let value = serde_json::to_string(&value).unwrap().replace(".0", "");
    assert_eq!(value, serde_json::to_string(data).unwrap().replace(".0", ""));
}

fn text(text: &str) -> String {
    text.to_owned()
}

fn call() -> PendingToolCallData {
    PendingToolCallData { entry_id: text("a"), tool_call_id: text("call"), tool_name: text("read") }
}

fn error() -> ErrorData {
    ErrorData { code: ErrorCode::Internal.as_str(), message: text("\"odd\" \u{1f600}") }
}

fn files() -> FileListsData {
    FileListsData { read_files: vec![text("a.rs")], modified_files: Vec::new() }
}

fn nothing_to_do() -> NothingToDoData {
    NothingToDoData {
        reason: "infeasible",
        message: text("no"),
        tokens: Some(8.0),
        window_tokens: Some(1.0),
        keep_recent_tokens: Some(2.0),
        fixed_tokens: Some(3.0),
        newest_message_tokens: Some(4.0),
        limit: Some(5.0),
        entry_id: Some(text("a")),
        entry_tokens: Some(6.0),
        kept_tokens: Some(7.0),
        pending_tool_calls: Some(vec![call(), call()]),
    }
}

fn outcome() -> OutcomeData {
    OutcomeData {
        status: "committed",
        nothing_to_do: Some(nothing_to_do()),
        error: Some(error()),
        entry: Some(7),
        tokens_before: 8.0,
        tokens_after: Some(9.5),
        progress: Some(ProgressData {
            sufficient: false,
            estimate_before: 1.0,
            estimate_after: 2.0,
            estimate_after_low: 1.5,
            estimate_after_high: 3.0,
            entries_in_the_way: vec![3, 4],
        }),
        summarizer: Some("local"),
        warnings: vec!["unstructured"],
    }
}

#[test]
fn a_session_is_told_of_as_its_types_say() {
    check(&error());
    check(&DiagnosticData { line: Some(1), kind: "torn-line", entry_id: Some(text("a")), message: text("torn") });
    check(&DiagnosticData { line: None, kind: "torn-line", entry_id: None, message: text("torn") });
    check(&ContextNotes { model: None, thinking_level: None, repairs: Vec::new(), pending_tool_calls: Vec::new() });
    let repair = RepairData { kind: "missing-result", entry_id: text("a"), tool_call_id: None };
    check(&ContextNotes {
        model: Some(ModelData { provider: text("p"), model_id: text("m") }),
        thinking_level: Some(text("high")),
        repairs: vec![repair.clone(), RepairData { tool_call_id: Some(text("call")), ..repair }],
        pending_tool_calls: vec![call()],
    });
    let usage = ContextUsageData {
        tokens: 1.0,
        low: 2.0,
        high: 3.0,
        percent: None,
        source: "usage",
        limit: None,
        reason: None,
    };
    check(&usage);
    check(&ContextUsageData { percent: Some(0.5), limit: Some(4.0), reason: Some("unknown-window"), ..usage });
    check(&PruneResultData { pruned_count: 1, tokens_saved: 2.0, pruned_ids: vec![text("a")] });
    check(&RestoreResultData { restored_count: 1, tokens_restored: 2.0, restored_ids: vec![text("a")] });
    let classified = ClassifiedData { class: "overflow", limit: None, requested: None, retry_after_ms: None };
    check(&classified);
    check(&ClassifiedData { limit: Some(1.0), requested: Some(2.0), retry_after_ms: Some(3.0), ..classified });
}

#[test]
fn a_plan_is_told_of_as_its_types_say() {
    let figures = PreparationFigures {
        is_split_turn: true,
        previous_summary: None,
        file_ops: files(),
        tokens_before: 1.0,
        keep_recent_tokens: 2.0,
        kept_tokens: 3.0,
        reserve_tokens: 4.0,
        pending_tool_calls: vec![call()],
    };
    check(&figures);
    check(&PreparationFigures { previous_summary: Some(text("before")), ..figures });
    check(&BranchFigures { file_ops: files(), total_tokens: 1.0 });
    check(&nothing_to_do());
    check(&NothingToDoData {
        window_tokens: None,
        keep_recent_tokens: None,
        fixed_tokens: None,
        newest_message_tokens: None,
        limit: None,
        entry_id: None,
        entry_tokens: None,
        kept_tokens: None,
        pending_tool_calls: None,
        ..nothing_to_do()
    });
}

#[test]
fn an_ending_is_told_of_as_its_types_say() {
    check(&outcome());
    check(&OutcomeData {
        nothing_to_do: None,
        error: None,
        entry: None,
        tokens_after: None,
        progress: None,
        summarizer: None,
        warnings: Vec::new(),
        ..outcome()
    });
    let turn =
        TurnData { action: "compacted", outcome: Some(outcome()), pruned_count: 1, tokens_saved: 2.0, next: "stop" };
    check(&turn);
    check(&TurnData { outcome: None, ..turn });
    let navigation = NavigationData {
        cancelled: true,
        aborted: false,
        error: Some(error()),
        editor_text: Some(text("again")),
        summary_entry: Some(1),
        summary_skipped: Some("no-messages"),
        summarizer: Some("remote"),
        warnings: vec!["unstructured"],
    };
    check(&navigation);
    check(&NavigationData {
        error: None,
        editor_text: None,
        summary_entry: None,
        summary_skipped: None,
        summarizer: None,
        ..navigation
    });
    let branch = BranchData {
        status: "summarized",
        reason: Some("nothing-fits"),
        error: Some(error()),
        summary: Some(text("left")),
        details: Some(text("{}")),
        summarizer: Some("callback"),
        warnings: vec!["unstructured"],
    };
    check(&branch);
    check(&BranchData { reason: None, error: None, summary: None, details: None, summarizer: None, ..branch });
}

#[test]
fn a_step_is_told_of_as_its_type_says() {
    let request = SummaryRequestData {
        kind: "history",
        system_prompt: text("sum up"),
        prompt: text("all of it"),
        max_tokens: 1.0,
        prompt_tokens: 2.0,
    };
    for step in [
        StepData::Summarize { request, model: 1, attempt: 2, timeout_ms: 3.0 },
        StepData::Fetch { url: text("https://a.example/"), body: text("{}"), timeout_ms: 1.0 },
        StepData::Sleep { wait_ms: 1.0 },
        StepData::Hook { hook: "session_before_tree", reason: None, will_retry: None, timeout_ms: 1.0 },
        StepData::Hook {
            hook: "session_before_compact",
            reason: Some("manual"),
            will_retry: Some(true),
            timeout_ms: 1.0,
        },
        StepData::Save { entry: 1 },
        StepData::SaveNotices { results: vec![1, 2], pruned_at: 3.0 },
        StepData::Abort,
        StepData::ReplaceMessages { without_last: true },
    ] {
        check(&step);
    }
}

#[test]
fn an_event_is_told_of_as_its_type_says() {
    let progress = |wait_ms| EventData::CompactionProgress {
        phase: "history",
        request: 1,
        requests: 2,
        summarizer: "callback",
        candidate: 3,
        attempt: 4,
        wait_ms,
    };
    let end = |summarizer, tokens_after| EventData::CompactionEnd {
        status: "committed",
        reason: "manual",
        summarizer,
        tokens_before: 1.0,
        tokens_after,
    };
    let auto_end = |entry, error_message| EventData::AutoCompactionEnd {
        reason: "threshold",
        entry,
        aborted: false,
        will_retry: true,
        error_message,
    };
    let tree = |number| EventData::SessionTree {
        new_leaf: number,
        old_leaf: number,
        summary_entry: number,
        from_extension: false,
    };
    for event in [
        progress(None),
        progress(Some(5.0)),
        EventData::SessionCompact { entry: 1, from_extension: true, reason: "overflow" },
        end(None, None),
        end(Some("local"), Some(2.0)),
        EventData::AutoCompactionStart { reason: "threshold" },
        auto_end(None, None),
        auto_end(Some(1), Some(text("refused"))),
        EventData::Rewritten { results: vec![1] },
        tree(None),
        tree(Some(1)),
    ] {
        check(&event);
    }
}
