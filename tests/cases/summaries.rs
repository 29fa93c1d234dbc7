//! What the summariser is asked, and what it may answer.

use crate::Fault;
use crate::case::{Case, plan};
use crate::story::{Story, marks_in, requests, text};
use crate::support::{done, options, run, settings};
use threadfold::compaction::Status;
use threadfold::error::ErrorCode;
use threadfold::step::Reply;
use threadfold::summary::{Candidate, Failure};

pub(crate) const FAULTS: &[Fault] = &[
    Fault {
        case: "24",
        kind: "a summary that saves nothing is not stored",
        case_holds: summary_larger_than_what_it_replaces,
        another_holds: update_as_large_as_what_it_replaces,
    },
    Fault {
        case: "30",
        kind: "a request is made smaller where it is large, be it one output or many",
        case_holds: one_giant_output,
        another_holds: giant_outputs_in_any_script,
    },
    Fault {
        case: "35",
        kind: "a request that is too large is told beforehand and comes in parts; when one fails nothing is stored",
        case_holds: request_larger_than_its_reader,
        another_holds: request_that_fails_at_its_second_part,
    },
    Fault {
        case: "36",
        kind: "a text is shortened between what readers see as characters",
        case_holds: emoji_on_the_border,
        another_holds: clusters_on_the_border,
    },
];

fn summary_larger_than_what_it_replaces(mut case: Case) {
    let before = case.session.to_jsonl();
    let answer = case.input["summarizer"]["returns"].as_str().unwrap().to_owned();
    let options = case.run_options();
    let ran = run(&mut case.session, options, |_| Reply::Summary(threadfold::summary::Reply::text(answer.clone())));
    let error = ran.outcome.error.unwrap();
    assert_eq!((ran.outcome.status, error.code, ran.requests.len()), (Status::Failed, ErrorCode::SummaryRefused, 2));
    assert!(error.message.contains("900 tokens") && error.message.contains("200 tokens"), "{error}");
    assert!(ran.requests[1].prompt.contains("900 tokens"), "the second request says why the first reply was refused");
    assert_eq!(case.session.to_jsonl(), before);
    assert!(!case.session.is_locked());
}

fn update_as_large_as_what_it_replaces() {
    let mut session = Story::new()
        .user(&text("MARK-u1", 50))
        .user(&text("MARK-u2", 50))
        .fold(&text("SUMMARY", 100), 1)
        .user(&text("MARK-u3", 50))
        .user(&text("MARK-u4", 50))
        .told();
    let before = session.to_jsonl();
    let mut settings = settings(1_000, 50);
    settings.compaction.short_summary = false;
    // The previous summary and two messages take 200.
    let mut fold = |tokens: usize| {
        run(&mut session, options(&settings, Candidate::CALLBACK), |_| {
            Reply::Summary(threadfold::summary::Reply::text(text("AGAIN", tokens)))
        })
    };
    let refused = fold(200);
    assert_eq!((refused.outcome.status, refused.requests.len()), (Status::Failed, 2));
    assert!(refused.outcome.error.unwrap().message.contains("200 tokens"));
    assert_eq!(fold(199).outcome.status, Status::Committed);
    assert!(session.to_jsonl().starts_with(&before));
}

fn one_giant_output(case: Case) {
    let plan = case.plan().unwrap();
    let requests = requests(&case.session, &plan);
    for request in &requests {
        assert!(request.prompt_tokens <= case.window - plan.reserve_tokens, "{}", request.prompt_tokens);
    }
    let prompts: String = requests.into_iter().map(|request| request.prompt).collect();
    // 30 000 tokens of 4 characters, of which 2 000 characters are shown.
    assert!(prompts.contains("[... 118000 characters left out]"), "{prompts}");
    assert_eq!(marks_in(&prompts)[..2], ["u1", "huge"]);
}

fn giant_outputs_in_any_script() {
    let outputs = [text("MARK-latin", 30_000), "潮が満ちる".repeat(20_000), "lBk8".repeat(20_000), "🌊".repeat(20_000)];
    let mut story = Story::new().user(&text("MARK-u1", 300));
    for (number, output) in outputs.iter().enumerate() {
        let id = format!("c{number}");
        story = story.calls(&[&id]).result(&id, output);
    }
    let session = story.assistant(&text("MARK-a1", 300)).user("MARK-u2").told();
    let plan = plan(&session, &settings(1_000, 1), None).unwrap();
    let requests = requests(&session, &plan);
    assert!(requests.iter().all(|request| request.prompt_tokens < 12_000));
    let prompts: String = requests.into_iter().map(|request| request.prompt).collect();
    assert_eq!(prompts.matches("characters left out]").count(), outputs.len());
    for whole in [text("MARK-u1", 300), text("MARK-a1", 300)] {
        assert!(prompts.contains(&whole), "what user and model said stays whole");
    }
}

fn request_larger_than_its_reader(mut case: Case) {
    let plan = case.plan().unwrap();
    let stated: u64 = requests(&case.session, &plan).iter().map(|request| request.prompt_tokens).sum();
    assert!((17_000..21_000).contains(&stated), "{stated}");
    let before = case.session.to_jsonl();
    let reader = case.input["summarizer"]["contextWindow"].as_u64().unwrap();
    let too_large = |_: &_| failed("prompt is too long");
    let options = case.run_options();
    let ran = run(&mut case.session, options.clone(), too_large);
    assert_eq!((ran.outcome.status, ran.outcome.entry), (Status::Failed, None));
    assert_eq!(case.session.to_jsonl(), before);
    let mut part = 0;
    let ran = run(&mut case.session, options, |request| {
        assert!(request.prompt_tokens + request.max_tokens <= reader, "{} tokens", request.prompt_tokens);
        let so_far = format!("\nNotes after part {part}\n");
        assert_eq!(request.prompt.contains(&so_far), part > 0, "{}", request.prompt);
        part += 1;
        Reply::Summary(threadfold::summary::Reply::text(format!("Notes after part {part}")))
    });
    assert_eq!(ran.outcome.status, Status::Committed);
    assert!(part > 2, "{part} parts");
    let prompts: String = ran.requests.into_iter().map(|request| request.prompt).collect();
    assert_eq!(marks_in(&prompts), marks_in(&requests(&case.session, &plan)[0].prompt), "each message is in one part");
}

fn failed(message: &str) -> Reply {
    Reply::Failed(Failure { message: message.to_owned(), ..Failure::default() })
}

fn request_that_fails_at_its_second_part() {
    let mut session = Story::new()
        .user(&text("MARK-u1", 3_000))
        .assistant(&text("MARK-a1", 3_000))
        .user(&text("MARK-u2", 3_000))
        .assistant(&text("MARK-a2", 100))
        .told();
    let before = session.to_jsonl();
    let mut settings = settings(1_000, 50);
    settings.compaction.short_summary = false;
    // The turn is split, so two summaries are asked for; the second does not come.
    let mut asked = 0;
    let ran = run(&mut session, options(&settings, Candidate::CALLBACK), |_| {
        asked += 1;
        if asked == 1 { done() } else { failed("maximum context length") }
    });
    assert!(asked >= 2, "{asked}");
    assert_eq!((ran.outcome.status, ran.outcome.entry), (Status::Failed, None));
    assert_eq!(session.to_jsonl(), before);
}

/// What the requests of a session show of its one long result, held against that result: nothing is
/// lost without being counted, and no character is broken.
fn shown_of<'a>(prompts: &str, result: &'a str) -> &'a str {
    let (before, behind) = prompts.split_once("\n[... ").expect("a text that was shortened");
    let (_, shown) = before.rsplit_once("[Tool result of bash]: ").expect("a result");
    let left_out: usize = behind.split(' ').next().unwrap().parse().expect("a number");
    assert!(result.starts_with(shown), "{:?}", shown.chars().rev().take(5).collect::<Vec<_>>());
    let (shown, rest) = result.split_at(shown.len());
    assert!(shown.encode_utf16().count() <= 2_000 && !prompts.contains('\u{fffd}'));
    assert_eq!(left_out, rest.encode_utf16().count());
    shown
}

fn emoji_on_the_border(case: Case) {
    let result = case.session.entry(2).unwrap().tool_result().unwrap();
    let result: String = result.content.texts().collect();
    let plan = case.plan().unwrap();
    let prompts: String = requests(&case.session, &plan).into_iter().map(|request| request.prompt).collect();
    assert!(shown_of(&prompts, &result).len() > 1_900);
}

fn clusters_on_the_border() {
    for cluster in ["📥", "👩‍👩‍👧‍👦", "क्षि", "e\u{301}\u{327}", "🇮🇹", "👍🏽", "\r\n"]
    {
        for before in 1_990..=2_000 {
            let result = format!("{}{cluster}{}", "x".repeat(before), "tail ".repeat(100));
            let session =
                Story::new().user("MARK-u1").calls(&["a"]).result("a", &result).assistant(&text("MARK-a1", 50)).told();
            let plan = plan(&session, &settings(100, 40), None).unwrap();
            let prompts: String = requests(&session, &plan).into_iter().map(|request| request.prompt).collect();
            // Before the cluster, or behind all of it.
            let shown = shown_of(&prompts, &result).len();
            assert!(shown == before || shown >= before + cluster.len(), "{cluster} behind {before}: {shown}");
        }
    }
}
