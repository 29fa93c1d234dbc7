//! Plans that lost messages, cut pairs, or found nothing to do.

use crate::Fault;
use crate::case::{Case, plan};
use crate::story::{Story, marks, marks_in, quoted, requests, text};
use crate::support::{entry, settings};
use threadfold::compaction::{Preparation, Trigger};
use threadfold::entry::Message;
use threadfold::session::{Index, Session};
use threadfold::summary::{ErrorClass, classify_error};
use threadfold::tokens::IMAGE_TOKENS;

pub(crate) const FAULTS: &[Fault] = &[
    Fault {
        case: "01",
        kind: "what one compaction kept is summarised or kept by the next",
        case_holds: kept_by_the_first,
        another_holds: kept_by_three_in_a_row,
    },
    Fault {
        case: "02",
        kind: "a kept part that outgrows its budget is reason enough, however little came behind it",
        case_holds: large_kept_part,
        another_holds: large_kept_part_and_nothing_but_a_word,
    },
    Fault {
        case: "03",
        kind: "where no cut may be made behind the budget line, it is made before it",
        case_holds: results_at_the_end,
        another_holds: results_at_the_end_among_other_entries,
    },
    Fault {
        case: "05",
        kind: "whatever the model sees counts against the keep budget",
        case_holds: large_custom_message,
        another_holds: large_entries_of_every_other_kind,
    },
    Fault {
        case: "06",
        kind: "where the provider counts more than the estimate does, less is kept",
        case_holds: dense_script,
        another_holds: dense_text_in_latin_letters,
    },
    Fault {
        case: "22",
        kind: "an image is worth its pixels, and its data goes into no text",
        case_holds: images,
        another_holds: images_of_other_kinds_in_other_places,
    },
    Fault {
        case: "26",
        kind: "all results of one turn stay with its calls, whichever of them the budget line falls on",
        case_holds: many_parallel_results,
        another_holds: parallel_results_of_two_turns_mixed,
    },
    Fault {
        case: "27",
        kind: "a call that still waits is kept and answered by nobody",
        case_holds: pending_call,
        another_holds: one_of_two_calls_pending,
    },
];

/// Entries that become a summary or stay, in their order.
fn accounted(plan: &Preparation) -> Vec<Index> {
    [&plan.entries_to_summarize[..], &plan.turn_prefix, &plan.kept].concat()
}

/// The marks that the requests of a plan show.
fn shown(session: &Session, plan: &Preparation) -> Vec<String> {
    requests(session, plan).iter().flat_map(|request| marks_in(&request.prompt)).collect()
}

fn kept_by_the_first(case: Case) {
    let plan = case.plan().unwrap();
    // Entry 6 is the compaction.
    assert_eq!(accounted(&plan), [2, 3, 4, 5, 7, 8]);
    let all = [shown(&case.session, &plan), marks(&case.session, &plan.kept)].concat();
    assert_eq!(all, ["u2", "a2", "u3", "a3", "u4", "a4"]);
    assert!(!plan.kept.is_empty());
    assert_eq!(plan.previous_summary(&case.session), Some("SUMMARY-ONE covers u1 and a1"));
    let previous = "<previous-summary>\nSUMMARY-ONE covers u1 and a1\n</previous-summary>";
    assert!(requests(&case.session, &plan)[0].prompt.contains(previous));
}

fn kept_by_three_in_a_row() {
    let mut story = Story::new();
    // Each compaction keeps the turn before it and one of those that were kept before.
    for (turn, first_kept) in [(0, 0), (1, 1), (2, 4), (3, 7)] {
        story = story.user(&text(&format!("MARK-u{turn}"), 50)).assistant(&text(&format!("MARK-a{turn}"), 50));
        story = story.fold(&format!("SUMMARY {turn}"), first_kept);
    }
    let session = story.user(&text("MARK-u4", 50)).assistant(&text("MARK-a4", 50)).told();
    let plan = plan(&session, &settings(100, 60), None).unwrap();
    // The last one kept from a2 on: of what lies before it only its summary is left.
    assert_eq!(accounted(&plan), [7, 9, 10, 12, 13]);
    let all = [shown(&session, &plan), marks(&session, &plan.kept)].concat();
    assert_eq!(all, ["a2", "u3", "a3", "u4", "a4"]);
    assert_eq!(plan.previous_summary(&session), Some("SUMMARY 3"));
}

fn large_kept_part(case: Case) {
    let plan = case.plan().unwrap();
    assert_eq!(marks(&case.session, &plan.kept), ["a3", "u4", "a4"]);
    assert_eq!(marks(&case.session, &plan.entries_to_summarize), ["u2", "a2"]);
    assert_eq!(marks(&case.session, &plan.turn_prefix), ["u3"]);
    assert!(requests(&case.session, &plan)[0].prompt.contains("<previous-summary>\nSUMMARY-ONE\n"));
}

fn large_kept_part_and_nothing_but_a_word() {
    let session = Story::new()
        .user(&text("MARK-u1", 40))
        .user(&text("MARK-u2", 600))
        .calls(&["a"])
        .result("a", &text("MARK-a", 600))
        .assistant(&text("MARK-a2", 300))
        .fold("SUMMARY", 1)
        .metadata()
        .user("MARK-u3")
        .told();
    let plan = plan(&session, &settings(100, 200), None).unwrap();
    assert_eq!(marks(&session, &plan.kept), ["a2", "u3"]);
    assert_eq!(shown(&session, &plan), ["u2", "a"]);
}

fn results_at_the_end(case: Case) {
    let plan = case.plan().unwrap();
    assert_eq!((plan.first_kept, plan.kept.as_slice()), (7, &[7, 8, 9, 10, 11][..]));
    assert_eq!(marks(&case.session, &plan.entries_to_summarize), ["u0", "a0", "u1", "a1", "u2", "a2"]);
    assert_eq!((plan.is_split_turn, marks(&case.session, &plan.turn_prefix)), (true, vec!["u3".to_owned()]));
}

fn results_at_the_end_among_other_entries() {
    let session = Story::new()
        .user(&text("MARK-u0", 80))
        .assistant(&text("MARK-a0", 80))
        .user(&text("MARK-u1", 20))
        .calls(&["a", "b", "c"])
        .metadata()
        .result("c", &text("MARK-c", 300))
        .error("529 overloaded")
        .result("a", &text("MARK-a", 300))
        .metadata()
        .result("b", &text("MARK-b", 300))
        .metadata()
        .told();
    let plan = plan(&session, &settings(100, 200), None).unwrap();
    assert_eq!((plan.first_kept, plan.kept_tokens > 900), (3, true));
    assert_eq!(marks(&session, &plan.kept), ["c", "a", "b"]);
    assert_eq!(shown(&session, &plan), ["u0", "a0", "u1"]);
    assert_eq!(plan.entries_in_the_way, [5, 7, 9]);
}

fn large_custom_message(case: Case) {
    let plan = case.plan().unwrap();
    let kept = marks(&case.session, &plan.kept);
    assert!(kept.ends_with(&["u2".to_owned(), "a2".to_owned()]), "{kept:?}");
    // It is summarised, or it is the entry on the line, and then the kept size says so.
    assert_eq!(plan.kept_tokens >= 2_000, kept.contains(&"custom".to_owned()));
    assert!(plan.kept_tokens <= plan.keep_recent_tokens || !plan.entries_in_the_way.is_empty());
}

fn large_entries_of_every_other_kind() {
    let body = quoted(&text("MARK-large", 2_000));
    let large = [
        format!(r#"{{"type":"branch_summary","fromId":"root","summary":{body}}}"#),
        format!(r#"{{"type":"message","message":{{"role":"hookMessage","content":{body}}}}}"#),
        format!(r#"{{"type":"message","message":{{"role":"pythonExecution","code":"","output":{body}}}}}"#),
        format!(r#"{{"type":"message","message":{{"role":"bashExecution","command":{body},"output":""}}}}"#),
        format!(r#"{{"type":"message","message":{{"role":"fileMention","files":[{{"path":"a","content":{body}}}]}}}}"#),
        format!(r#"{{"type":"message","message":{{"role":"branchSummary","summary":{body}}}}}"#),
    ];
    for entry in large {
        let session = Story::new()
            .user(&text("MARK-u1", 30))
            .entry(&entry)
            .user(&text("MARK-u2", 200))
            .assistant(&text("MARK-a2", 200))
            .told();
        let tail = plan(&session, &settings(100, 400), None).unwrap();
        assert_eq!((marks(&session, &tail.kept).join(" "), tail.kept_tokens), ("u2 a2".to_owned(), 400), "{entry}");
        let on_the_line = plan(&session, &settings(100, 500), None).unwrap();
        assert!(on_the_line.kept_tokens >= 2_400 && on_the_line.entries_in_the_way == [1], "{entry}");
    }
}

fn dense_script(case: Case) {
    let plan = case.plan().unwrap();
    assert!(plan.first_kept > 0);
    assert!(shown(&case.session, &plan).contains(&"u0".to_owned()));
    assert!(plan.keep_recent_tokens < 3_000, "{}", plan.keep_recent_tokens);
    // What is kept takes less of the window, as the provider counts, than the budget allowed.
    assert!(plan.kept.len() < 6, "{:?}", plan.kept);
}

fn dense_text_in_latin_letters() {
    let turns = |prompt: u64| {
        let mut story = Story::new();
        for turn in 0..5 {
            story = story.user(&text(&format!("MARK-u{turn}"), 200)).assistant(&text(&format!("MARK-a{turn}"), 200));
        }
        story.user(&text("MARK-u5", 200)).counted(&text("MARK-a5", 200), prompt, prompt + 400).told()
    };
    let keep = |prompt: u64| {
        let session = turns(prompt);
        let settings = settings(500, 1_200);
        let prepare = threadfold::compaction::Prepare {
            settings: &settings,
            context_window: Some(16_000),
            fixed_tokens: Some(0),
            pending_tokens: 0,
            trigger: Trigger::Manual,
        };
        let plan = threadfold::compaction::prepare_compaction(&session, session.leaf(), &prepare).unwrap().unwrap();
        (plan.keep_recent_tokens, plan.kept.len())
    };
    // 2 200 by the estimate: the provider counted as many, three times as many, and a third.
    assert_eq!((keep(2_200), keep(6_600), keep(733)), ((1_200, 6), (400, 2), (1_200, 6)));
}

fn images(case: Case) {
    let plan = case.plan().unwrap();
    assert!(plan.entries_to_summarize.starts_with(&[0, 1, 2]), "{:?}", plan.entries_to_summarize);
    for request in requests(&case.session, &plan) {
        assert!(!request.prompt.contains("iVBOR"), "{}", request.prompt);
        assert!(request.prompt_tokens < 2_000);
    }
    let prompts: String = requests(&case.session, &plan).into_iter().map(|request| request.prompt).collect();
    assert!(prompts.contains("[Image 1: image/png") && prompts.contains("[Image 2: image/png"), "{prompts}");
    // One pixel each, whatever the length of their data.
    for index in [0, 2] {
        let message = entry(&case.session, index).message().unwrap();
        let tokens = threadfold::tokens::estimate_message(&message, case.session.token_rule()).tokens;
        assert!(tokens < 10, "{tokens}");
    }
    for text in case.input["overflowErrorTexts"].as_array().unwrap() {
        assert_eq!(classify_error(text.as_str().unwrap(), None).class, ErrorClass::PayloadTooLarge);
    }
}

fn images_of_other_kinds_in_other_places() {
    // A JPEG of 800 by 600 behind a data URL, and data that no format is known for.
    let jpeg = "data:image/jpeg;base64,/9j/wAARCAJYAyADASIAAhEBAxEB";
    let unknown = "QUJD".repeat(3_000);
    let image = |data: &str| format!(r#"{{"type":"image","data":"{data}","mimeType":"image/x"}}"#);
    for (data, tokens) in [(jpeg, 638), (&*unknown, IMAGE_TOKENS)] {
        let image = image(data);
        for message in [
            format!(r#"{{"role":"user","content":[{image}]}}"#),
            format!(r#"{{"role":"toolResult","toolCallId":"c","content":[{image}]}}"#),
            format!(r#"{{"role":"custom","content":[{image}]}}"#),
            format!(r#"{{"role":"fileMention","files":[{{"path":"","content":"","image":{image}}}]}}"#),
        ] {
            let parsed = Message::from_json(&message).unwrap();
            let rule = threadfold::tokens::TokenRule::BY_SCRIPT;
            assert_eq!(threadfold::tokens::estimate_message(&parsed, rule).tokens, tokens, "{message}");
        }
    }
    let session = Story::new()
        .message("user", &format!(r#""content":[{},{}]"#, image(jpeg), image(&unknown)))
        .calls(&["c"])
        .message("toolResult", &format!(r#""toolCallId":"c","toolName":"shot","content":[{}]"#, image(&unknown)))
        .assistant(&text("MARK-a", 50))
        .told();
    let plan = plan(&session, &settings(100, 40), None).unwrap();
    for request in requests(&session, &plan) {
        assert!(!request.prompt.contains("QUJD") && !request.prompt.contains("/9j/"));
    }
}

fn many_parallel_results(case: Case) {
    let plan = case.plan().unwrap();
    let kept = marks(&case.session, &plan.kept);
    let results = kept.iter().filter(|mark| mark.starts_with('r')).count();
    assert!(results == 0 || results == 10 && plan.kept.contains(&1), "{kept:?}");
    assert!([0, 1, 12].contains(&plan.first_kept), "{}", plan.first_kept);
}

fn parallel_results_of_two_turns_mixed() {
    let session = Story::new()
        .user(&text("MARK-u1", 100))
        .calls(&["a", "b"])
        .result("b", &text("MARK-b", 100))
        .calls(&["c", "d"])
        .result("d", &text("MARK-d", 100))
        .user(&text("MARK-u2", 100))
        .result("a", &text("MARK-a", 100))
        .result("c", &text("MARK-c", 100))
        .assistant(&text("MARK-end", 100))
        .told();
    // Wherever the line falls: before all of them, or behind.
    for keep in [50, 150, 250, 350, 450, 550, 620] {
        let plan = plan(&session, &settings(100, keep), None).unwrap();
        assert!([1, 8].contains(&plan.first_kept), "keeping {keep}: {}", plan.first_kept);
        assert_eq!(accounted(&plan), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    }
}

fn pending_call(case: Case) {
    let plan = case.plan().unwrap();
    assert!(plan.kept.ends_with(&[2, 3]), "{:?}", plan.kept);
    let pending: Vec<&str> = plan.pending_tool_calls.iter().map(|call| &*call.tool_call_id).collect();
    assert_eq!(pending, ["d1"]);
    assert!(requests(&case.session, &plan).iter().all(|request| !request.prompt.contains("dropdb")));
    let context = case.session.build_session_context(case.session.leaf());
    assert_eq!((context.messages.len(), context.repairs.len(), context.pending_tool_calls.len()), (4, 0, 1));
}

fn one_of_two_calls_pending() {
    let told = || {
        Story::new()
            .user(&text("MARK-u1", 100))
            .assistant(&text("MARK-a1", 100))
            .user("MARK-u2")
            .calls(&["a"])
            .result("a", &text("MARK-a", 100))
            .calls(&["b", "c"])
            .result("c", "MARK-c")
            .metadata()
    };
    let session = told().told();
    let waiting = plan(&session, &settings(100, 5), None).unwrap();
    assert_eq!((marks(&session, &waiting.kept).join(" "), waiting.first_kept), ("u2 a c".to_owned(), 2));
    assert_eq!(waiting.pending_tool_calls.iter().map(|call| &*call.tool_call_id).collect::<Vec<_>>(), ["b"]);
    // Once something else follows, nobody waits any more.
    let session = told().user("MARK-u3").told();
    let given_up = plan(&session, &settings(100, 2), None).unwrap();
    assert_eq!((marks(&session, &given_up.kept).join(" "), given_up.pending_tool_calls.len()), ("u3".to_owned(), 0));
    let repairs = session.build_session_context(session.leaf()).repairs;
    assert_eq!(repairs.iter().filter_map(|repair| repair.tool_call_id.as_deref()).collect::<Vec<_>>(), ["b"]);
}
