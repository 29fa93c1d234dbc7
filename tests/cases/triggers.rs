//! Compactions that started when they should not, or did not when they should.

use crate::Fault;
use crate::case::{Case, decide, plan};
use crate::story::{Story, marks, marks_in, requests, text};
use crate::support::settings;
use threadfold::compaction::{Decision, NothingToDo};
use threadfold::session::UsageQuery;
use threadfold::tokens::Margin;

pub(crate) const FAULTS: &[Fault] = &[
    Fault {
        case: "09",
        kind: "a figure that was true of a context which is gone measures nothing",
        case_holds: usage_from_before_a_compaction,
        another_holds: usage_of_a_failed_turn_behind_a_compaction,
    },
    Fault {
        case: "10",
        kind: "a usage without content is no measure, and the last one with content goes on counting",
        case_holds: all_zero_usage,
        another_holds: usages_that_say_nothing,
    },
    Fault {
        case: "43",
        kind: "what came behind the last usage is part of the next request",
        case_holds: result_behind_the_usage,
        another_holds: much_behind_the_usage,
    },
    Fault {
        case: "11",
        kind: "a switch that turns something off turns off every way into it",
        case_holds: disabled_and_overflowed,
        another_holds: disabled_and_overflowed_in_silence,
    },
    Fault {
        case: "28",
        kind: "what no compaction can make fit ends at once, with the figures",
        case_holds: one_message_larger_than_the_window,
        another_holds: one_result_larger_than_the_window,
    },
    Fault {
        case: "34",
        kind: "a giant result and its call share one fate, and what was said before them is not lost",
        case_holds: giant_result_before_the_overflow,
        another_holds: giant_result_that_was_answered,
    },
];

fn usage_from_before_a_compaction(case: Case) {
    let Decision::BelowLimit { tokens, .. } = case.decide() else { panic!("{:?}", case.decide()) };
    // Half of the window at the most: what 190 000 less a few messages taught is no overhead either.
    assert!(tokens < 1_000, "{tokens}");
}

fn usage_of_a_failed_turn_behind_a_compaction() {
    let session = Story::new()
        .user("MARK-u1")
        .counted("MARK-a1", 180_000, 190_000)
        .fold("SUMMARY", 0)
        .user("MARK-u2")
        .message("assistant", r#""content":[],"stopReason":"aborted","usage":{"input":185000,"output":0}"#)
        .message(
            "assistant",
            r#""content":[],"stopReason":"error","errorMessage":"529","usage":{"input":185000,"output":1}"#,
        )
        .told();
    assert_eq!(decide(&session, &settings(16_384, 20_000), 200_000).as_str(), "below-limit");
}

fn all_zero_usage(case: Case) {
    assert_eq!(case.decide().as_str(), "threshold");
    let query = UsageQuery { context_window: Some(case.window), ..UsageQuery::default() };
    let usage = case.session.context_usage(case.session.leaf(), &query);
    assert_eq!((usage.tokens, usage.source.as_str()), (14_937, "usage+estimate"));
}

fn usages_that_say_nothing() {
    for usage in ["{}", r#"{"input":0,"output":0,"cost":{"total":1}}"#, r#"{"input":-3,"output":-4,"totalTokens":-7}"#]
    {
        let rest = format!(r#""content":{},"usage":{usage}"#, crate::story::quoted(&text("MARK-a2", 1_000)));
        let session = Story::new()
            .user(&text("MARK-u1", 4_000))
            .counted(&text("MARK-a1", 4_000), 8_050, 8_100)
            .user(&text("MARK-u2", 5_000))
            .message("assistant", &rest)
            .told();
        assert_eq!(decide(&session, &settings(2_000, 2_000), 16_000).as_str(), "threshold", "{usage}");
        let limit = Decision::BelowLimit { tokens: 14_100, limit: 14_100 };
        assert_eq!(decide(&session, &settings(2_000, 2_000), 16_100), limit, "{usage}");
    }
}

fn result_behind_the_usage(case: Case) {
    assert_eq!(case.decide().as_str(), "threshold");
}

fn much_behind_the_usage() {
    let before = || Story::new().user("MARK-u1").counted("MARK-a1", 79_000, 80_000);
    let decided = |story: Story| decide(&story.told(), &settings(16_384, 20_000), 100_000).as_str();
    assert_eq!(decided(before()), "below-limit");
    // Two steps of a tool loop whose turns report nothing.
    let steps = |size: usize| {
        before().calls(&["a"]).result("a", &text("MARK-r", size)).calls(&["b"]).result("b", &text("MARK-r", size))
    };
    assert_eq!((decided(steps(1_700)), decided(steps(1_900))), ("below-limit", "threshold"));
    // What the user ran, what an extension said, what a branch brought.
    let ran = format!(r#""command":"make","output":"{}""#, text("MARK-out", 4_000));
    assert_eq!(decided(before().message("bashExecution", &ran)), "threshold");
    assert_eq!(decided(before().custom(&text("MARK-note", 4_000))), "threshold");
    assert_eq!(decided(before().branch_summary(&text("MARK-branch", 4_000))), "threshold");
}

fn disabled_and_overflowed(case: Case) {
    assert_eq!(case.decide().as_str(), "disabled");
    // The error is there for the caller, and by hand it works as far as there is something to fold.
    let turn = case.session.entry(1).unwrap().assistant().unwrap();
    assert_eq!(turn.error_message.as_deref(), Some("prompt is too long: 210000 tokens > 200000 maximum"));
    assert_ne!(case.plan().map(|_| ()).map_err(|nothing| nothing.as_str()), Err("disabled"));
}

fn disabled_and_overflowed_in_silence() {
    let session = Story::new()
        .user(&text("MARK-u1", 700))
        .counted(&text("MARK-a1", 500), 1_300, 1_400)
        .user(&text("MARK-u2", 10))
        .error("maximum context length is 1000 tokens")
        .told();
    let mut off = settings(100, 10);
    off.compaction.enabled = false;
    assert_eq!(decide(&session, &off, 1_000).as_str(), "disabled");
    assert_eq!(decide(&session, &settings(100, 10), 1_000).as_str(), "overflow");
    assert_eq!(marks(&session, &plan(&session, &off, Some(1_000)).unwrap().kept), ["u2"]);
}

fn one_message_larger_than_the_window(case: Case) {
    let expected = Decision::NothingToDo(NothingToDo::Infeasible {
        fixed_tokens: 0,
        newest_message_tokens: 2_930,
        limit: 1_800,
        margin: Margin::UNCALIBRATED,
    });
    assert_eq!(case.decide(), expected);
    assert_eq!(case.plan().unwrap_err().as_str(), "infeasible");
}

fn one_result_larger_than_the_window() {
    let before = || Story::new().user(&text("MARK-u1", 500)).assistant(&text("MARK-a1", 400)).calls(&["a"]);
    for session in [
        before().result("a", &text("MARK-giant", 3_000)).told(),
        before().result("a", &text("MARK-giant", 3_000)).error("maximum context length is 2000 tokens").told(),
        before().result("a", &text("MARK-giant", 3_000)).metadata().told(),
    ] {
        let Decision::NothingToDo(NothingToDo::Infeasible { newest_message_tokens, limit, .. }) =
            decide(&session, &settings(200, 500), 2_000)
        else {
            panic!("a compaction would start");
        };
        assert_eq!((newest_message_tokens, limit), (3_000, 1_800));
        assert_eq!(plan(&session, &settings(200, 500), Some(2_000)).unwrap_err().as_str(), "infeasible");
    }
}

fn giant_result_before_the_overflow(case: Case) {
    // The newest message alone is larger than the window: a failure that is reported, no attempt.
    let Decision::NothingToDo(NothingToDo::Infeasible { newest_message_tokens, limit, .. }) = case.decide() else {
        panic!("{:?}", case.decide());
    };
    assert_eq!((newest_message_tokens, limit), (29_275, 14_000));
}

fn giant_result_that_was_answered() {
    let session = Story::new()
        .user("MARK-u1 task")
        .assistant("MARK-a1")
        .user("MARK-u2 read it")
        .calls(&["b"])
        .result("b", &text("MARK-giant", 30_000))
        .assistant(&text("MARK-a2", 900))
        .user(&text("MARK-u3", 1_200))
        .error("input is too long for requested model")
        .told();
    let settings = settings(2_000, 2_000);
    assert_eq!(decide(&session, &settings, 16_000).as_str(), "overflow");
    let plan = plan(&session, &settings, Some(16_000)).unwrap();
    assert_eq!(marks(&session, &plan.kept), ["a2", "u3"]);
    let requests = requests(&session, &plan);
    let shown: Vec<String> = requests.iter().flat_map(|request| marks_in(&request.prompt)).collect();
    assert_eq!(shown, ["u1", "a1", "u2", "giant"]);
    // The pair is summarised with a shortened result, so that the request fits.
    assert!(requests.iter().all(|request| request.prompt_tokens < 4_000 && !request.prompt.contains("MARK-a2")));
    assert!(requests.iter().any(|request| request.prompt.contains("characters left out]")));
}
