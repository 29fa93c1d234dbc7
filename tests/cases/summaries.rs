//! What the summariser is asked, and what it may answer.

use crate::Fault;
use crate::case::{Case, plan};
use crate::story::{Story, marks_in, requests, text};
use crate::support::{done, options, run, settings};
use threadfold::compaction::{RunOptions, Status};
use threadfold::error::ErrorCode;
use threadfold::session::Session;
use threadfold::step::Reply;
use threadfold::summary::{Candidate, Failure, SummaryRequest};

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
        kind: "a request that is too large is told beforehand, and when it fails nothing is stored",
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
    assert!(error.message.contains("880 (estimated: ") && error.message.contains("205 (estimated: "), "{error}");
    assert!(
        ran.requests[1].prompt.contains("880 (estimated: "),
        "the second request says why the first reply was refused"
    );
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
    assert!(refused.outcome.error.unwrap().message.contains("200 (estimated: "));
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

/// Carries a run out whose summariser has a window of its own: each request fits it, and holds the
/// summary of those before. Gives the requests.
fn check_folded(session: &mut Session, options: &RunOptions, window: u64) -> Vec<SummaryRequest> {
    let mut asked = 0;
    let ran = run(session, options.clone(), |request| {
        assert!(request.prompt_tokens + request.max_tokens <= window, "{} tokens", request.prompt_tokens);
        assert!(asked == 0 || request.prompt.contains(&format!("SO-FAR-{asked}")), "request {asked}");
        asked += 1;
        Reply::Summary(threadfold::summary::Reply::text(format!("SO-FAR-{asked}")))
    });
    assert_eq!(ran.outcome.status, Status::Committed, "{:?}", ran.outcome.error);
    ran.requests
}

/// Carries a run out whose summariser fails from its nth request on: nothing is stored.
fn check_failing(session: &mut Session, options: &RunOptions, nth: usize) {
    let before = session.to_jsonl();
    let mut asked = 0;
    let ran = run(session, options.clone(), |_| {
        asked += 1;
        if asked < nth {
            return done();
        }
        Reply::Failed(Failure { message: "prompt is too long".to_owned(), ..Failure::default() })
    });
    assert!(asked >= nth, "{asked}");
    assert_eq!((ran.outcome.status, ran.outcome.entry), (Status::Failed, None));
    assert_eq!(session.to_jsonl(), before);
    assert!(!session.is_locked());
}

fn request_larger_than_its_reader(mut case: Case) {
    let plan = case.plan().unwrap();
    let stated: u64 = requests(&case.session, &plan).iter().map(|request| request.prompt_tokens).sum();
    assert!((17_000..21_000).contains(&stated), "{stated}");
    let options = case.run_options();
    for nth in [1, 2, 3] {
        check_failing(&mut case.session, &options, nth);
    }
    let asked = check_folded(&mut case.session, &options, 8_000);
    let shown: Vec<String> = asked.iter().flat_map(|request| marks_in(&request.prompt)).collect();
    let all: Vec<String> = (0..9).flat_map(|turn| [format!("u{turn}"), format!("a{turn}")]).collect();
    assert!(asked.len() >= 3 && shown == all, "{shown:?}");
}

fn request_that_fails_at_its_second_part() {
    let told = || {
        Story::new()
            .user(&text("MARK-u1", 3_000))
            .assistant(&text("MARK-a1", 3_000))
            .user(&text("MARK-u2", 3_000))
            .calls(&["a", "b"])
            .result("b", &text("MARK-b", 400))
            .result("a", &text("MARK-a", 400))
            .assistant(&text("MARK-a2", 100))
            .told()
    };
    let mut settings = settings(1_000, 50);
    settings.compaction.short_summary = false;
    // The turn is split, so two summaries are asked for; the second does not come.
    check_failing(&mut told(), &options(&settings, Candidate::CALLBACK), 2);
    let mut session = told();
    let asked = check_whole(&mut session, &options(&settings, Candidate::CALLBACK));
    assert_eq!(asked, ["history", "turn-prefix"]);
}

/// Carries a run out; gives the kinds of its requests.
fn check_whole(session: &mut Session, options: &RunOptions) -> Vec<&'static str> {
    let ran = run(session, options.clone(), |_| done());
    assert_eq!(ran.outcome.status, Status::Committed, "{:?}", ran.outcome.error);
    ran.requests.iter().map(|request| request.kind.as_str()).collect()
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
