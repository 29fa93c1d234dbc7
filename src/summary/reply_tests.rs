use super::*;
use crate::summary::{RequestOptions, branch_request, history_request, short_request, turn_prefix_request};

const RULE: TokenRule = TokenRule::BY_SCRIPT;

const GOOD: &str = "## Goal\n- a\n## Constraints & Preferences\n- b\n## Progress\n### Done\n- c\n## Key Decisions\n- d\n\
                    ## Next Steps\n1. e\n## Critical Context\n- f";

fn checked(reply: &Reply, replaced: Option<u64>) -> Result<Accepted, Refusal> {
    let request = history_request([], None, &RequestOptions::new(1_000, RULE));
    check_reply(reply, &request, replaced, RULE)
}

/// Checks the name of the refusal of a text, or the text that is accepted.
fn check(text: &str, expected: Result<&str, &str>) {
    let found = checked(&Reply::text(text), None);
    let found = found.as_ref().map(|accepted| accepted.text.as_str()).map_err(Refusal::as_str);
    assert_eq!(found, expected, "{text:?}");
}

#[test]
fn a_good_summary_is_taken_as_it_is() {
    check(GOOD, Ok(GOOD));
    assert_eq!(checked(&Reply::text(GOOD), None).map(|accepted| accepted.warnings), Ok(vec![]));
    check(&format!("\n {GOOD}\n\n"), Ok(GOOD));
}

#[test]
fn missing_headings_are_a_warning() {
    let warnings = |text: &str| checked(&Reply::text(text), None).map(|accepted| accepted.warnings);
    assert_eq!(warnings("The user wants a parser."), Ok(vec![Warning::Unstructured]));
    assert_eq!(warnings(&GOOD.replace("## Goal", "## Aim")), Ok(vec![Warning::Unstructured]));
    let short = short_request([], "S", &RequestOptions::new(1_000, RULE));
    let prefix = turn_prefix_request([], &RequestOptions::new(1_000, RULE));
    let warnings = |request: &SummaryRequest, text: &str| {
        check_reply(&Reply::text(text), request, None, RULE).map(|accepted| accepted.warnings.len())
    };
    assert_eq!(warnings(&short, "Two sentences. Indeed."), Ok(0));
    assert_eq!(warnings(&prefix, "Two sentences."), Ok(1));
    assert_eq!(warnings(&prefix, "## Request\na\n## Done So Far\nb\n## Needed Later\nc"), Ok(0));
    let branch = branch_request([], &RequestOptions::new(1_000, RULE));
    assert_eq!(warnings(&branch, "Two sentences."), Ok(1));
    assert_eq!(warnings(&branch, GOOD), Ok(0));
}

#[test]
fn headings_that_nobody_asked_for_are_not_missed() {
    let own = RequestOptions {
        custom_instructions: Some("One sentence."),
        instructions: Some("In one sentence."),
        ..RequestOptions::new(1_000, RULE)
    };
    let requests = [branch_request([], &own), history_request([], None, &own), history_request([], Some("S"), &own)];
    for request in requests {
        let accepted = check_reply(&Reply::text("It failed."), &request, None, RULE);
        assert_eq!(accepted.map(|accepted| accepted.warnings), Ok(vec![]), "{:?}", request.kind);
    }
}

#[test]
fn t50_what_may_not_be_stored_is_refused_by_name() {
    for text in ["", " \n\t", "\u{200b}\u{feff}\n", "<read-files>\na\n</read-files>", "\u{0}"] {
        check(text, Err("empty"));
    }
    for text in [
        "<think>so</think>",
        "<Thinking>a\n\nb</thinking>\n",
        "<think>never ends",
        "```\n<think>a</think>\n```",
        "<think>a</think><reasoning>b</reasoning>",
    ] {
        check(text, Err("reasoning-only"));
    }
    for text in [
        "<tool_call>{}</tool_call>",
        "{\"name\":\"read\",\"arguments\":{\"path\":\"a\"}}",
        "<function=read>x",
        "```json\n{\"name\":\"x\",\"input\":{}}\n```",
    ] {
        check(text, Err("tool-call"));
    }
    for text in [
        "{\"type\":\"error\",\"error\":{\"message\":\"overloaded\"}}",
        "Error: 429 Too Many Requests",
        "529 {\"type\":\"overloaded_error\"}",
        "HTTP 500",
        "API Error: nope",
        "<!DOCTYPE html><html>",
        "503 Service Unavailable",
        "error: connect ECONNREFUSED",
    ] {
        check(text, Err("error"));
    }
}

#[test]
fn a_stop_reason_decides_before_the_text() {
    let named = |reason: &str| {
        let reply = Reply { end: ReplyEnd::from_stop_reason(reason), ..Reply::text(GOOD) };
        checked(&reply, None).map(|_| "accepted").unwrap_or_else(|refusal| refusal.as_str())
    };
    for (reason, expected) in [
        ("stop", "accepted"),
        ("end_turn", "accepted"),
        ("STOP", "accepted"),
        ("", "accepted"),
        ("whatever", "accepted"),
        ("length", "cut-off"),
        ("max_tokens", "cut-off"),
        ("MAX_TOKENS", "cut-off"),
        ("max_output_tokens", "cut-off"),
        ("toolUse", "tool-call"),
        ("tool_calls", "tool-call"),
        ("error", "error"),
        ("content_filter", "error"),
        ("aborted", "aborted"),
    ] {
        assert_eq!(named(reason), expected, "{reason}");
    }
    let reply = Reply { error_message: Some("529 overloaded".into()), ..Reply::text(GOOD) };
    assert_eq!(checked(&reply, None), Err(Refusal::Error("529 overloaded".into())));
    let reply = Reply { error_message: Some(" ".into()), ..Reply::text(GOOD) };
    assert!(checked(&reply, None).is_ok());
}

#[test]
fn a_summary_must_be_smaller_than_what_it_replaces() {
    let tokens = estimate_text(GOOD, RULE);
    assert!(checked(&Reply::text(GOOD), Some(tokens + 1)).is_ok());
    let refusal = Refusal::NotSmaller { tokens, replaced: tokens, margin: RULE.margin() };
    assert_eq!(checked(&Reply::text(GOOD), Some(tokens)), Err(refusal.clone()));
    assert!(refusal.to_string().contains(&format!("takes {} tokens", RULE.margin().of(tokens))));
}

#[test]
fn a_fence_around_the_whole_is_taken_off() {
    for fenced in [
        format!("```\n{GOOD}\n```"),
        format!("```markdown\n{GOOD}\n```"),
        format!("~~~~ md\n\n{GOOD}\n\n~~~~\n"),
        format!("<think>hm</think>\n```\n{GOOD}\n```"),
        format!("```\n<think>hm</think>\n{GOOD}\n```"),
    ] {
        check(&fenced, Ok(GOOD));
    }
    let inner = format!("{GOOD}\n```rust\nlet a;\n```\nend");
    check(&format!("```\n{inner}\n```"), Ok(&inner));
    let inner = format!("{GOOD}\n```\nlet a;\n```\nend");
    check(&format!("```markdown\n{inner}\n```"), Ok(&inner));
    check(&format!("````\n{inner}\n````"), Ok(&inner));
}

#[test]
fn fences_that_are_part_of_the_summary_stay() {
    for text in
        ["```\na\n```\nand\n```\nb\n```", "```\na\n```\nend", "start\n```\na\n```", "```\nno end", "```\na\n~~~"]
    {
        check(text, Ok(text));
    }
}

#[test]
fn a_summary_that_reports_errors_is_no_error() {
    for text in [
        "500 files were read and the parser was fixed.",
        "Error: the build fails with E0432.\nThe user wants it fixed.\nNext: add the import.\nThen run the tests.",
        "## Goal\nError: fix it",
        "The assistant called a tool.",
        "{a} is the name",
    ] {
        check(text, Ok(text));
    }
}

#[test]
fn a_refusal_is_a_sentence_with_its_figures() {
    assert!(Refusal::CutOff { max_tokens: 800 }.to_string().contains("800 tokens"));
    let long = Refusal::Error("x ".repeat(100_000)).to_string();
    assert!(long.chars().count() < 240 && long.ends_with('…'), "{long}");
}
