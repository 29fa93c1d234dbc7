use super::*;
use crate::summary::{RequestOptions, history_request};
use crate::tokens::TokenRule;

fn answer(status: u16, body: &str) -> RemoteResponse {
    RemoteResponse { status, retry_after_ms: None, body: body.to_owned(), truncated: false }
}

fn failure(status: u16, body: &str) -> RemoteFailure {
    read_response(&answer(status, body)).unwrap_err()
}

#[test]
fn a_request_is_json_of_the_two_prompts() {
    let content = "\"quoted\" \\ \n\t\u{1}\u{2028}é😀</script>".to_owned();
    let message = crate::entry::Message::User { content: crate::entry::Content::Text(content) };
    let request = history_request([&message], None, &RequestOptions::new(16_384, TokenRule::BY_SCRIPT));
    let body: serde_json::Value = serde_json::from_str(&request_body(&request)).unwrap();
    assert_eq!(body, serde_json::json!({ "systemPrompt": request.system_prompt, "prompt": request.prompt }));
}

#[test]
fn a_summary_is_read_whatever_stands_beside_it() {
    for (body, summary) in [
        (r#"{"summary":"s"}"#, "s"),
        (" \n{ \"model\": {\"a\": [1, null]}, \"summary\" : \"s\" }\n", "s"),
        (r#"{"summary":1,"summary":"last"}"#, "last"),
        (r#"{"\u0073ummary":"by an escape"}"#, "by an escape"),
        (r#"{"summary":"\u00e9 \ud83d\ude00 \\u0041 \n"}"#, "é 😀 \\u0041 \n"),
        (r#"{"summary":"cut \ud83d"}"#, "cut \u{fffd}"),
        (r#"{"summary":""}"#, ""),
        (r#"{"other":"\ud800","number":1e999,"summary":"s"}"#, "s"),
    ] {
        assert_eq!(read_response(&answer(200, body)).unwrap(), Reply::text(summary), "{body}");
    }
    for status in [200, 201, 204, 299] {
        assert!(read_response(&answer(status, r#"{"summary":"s"}"#)).is_ok(), "{status}");
    }
}

#[test]
fn a_deep_body_is_read_without_recursion() {
    let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
    assert_eq!(read_response(&answer(200, &format!("{{\"d\":{deep},\"summary\":\"s\"}}"))).unwrap().text, "s");
    assert_eq!(failure(200, &deep).fault, RemoteFault::NoSummary);
    assert_eq!(failure(200, &"[".repeat(200_000)).fault, RemoteFault::NotJson);
}

#[test]
fn faults_are_told_apart() {
    use RemoteFault::{NoSummary, NotJson, Redirect, Status};
    for (status, body, fault) in [
        (0, "", Redirect),
        (301, r#"{"summary":"s"}"#, Redirect),
        (304, "", Redirect),
        (399, "", Redirect),
        (100, r#"{"summary":"s"}"#, Status),
        (199, "", Status),
        (400, r#"{"summary":"s"}"#, Status),
        (529, "overloaded", Status),
        (999, "", Status),
        (200, "", NotJson),
        (204, "", NotJson),
        (200, "a summary", NotJson),
        (200, "<html></html>", NotJson),
        (200, r#"{"summary":"s""#, NotJson),
        (200, r#"{"summary":"s"} {"#, NotJson),
        (200, r#"{'summary':'s'}"#, NotJson),
        (200, "{}", NoSummary),
        (200, "null", NoSummary),
        (200, "\"a summary\"", NoSummary),
        (200, r#"[{"summary":"s"}]"#, NoSummary),
        (200, r#"{"Summary":"s"}"#, NoSummary),
        (200, r#"{"result":{"summary":"s"}}"#, NoSummary),
        (200, r#"{"summary":null}"#, NoSummary),
        (200, r#"{"summary":7}"#, NoSummary),
        (200, r#"{"summary":["s"]}"#, NoSummary),
        (200, r#"{"summary":{"text":"s"}}"#, NoSummary),
        (200, r#"{"summary":"first","summary":1}"#, NoSummary),
    ] {
        assert_eq!(failure(status, body).fault, fault, "{status} {body}");
    }
}

#[test]
fn a_body_over_the_limit_is_too_large_where_it_would_have_been_read() {
    let cut = |status| RemoteResponse { truncated: true, ..answer(status, r#"{"summary":"s"}"#) };
    assert_eq!(read_response(&cut(200)).unwrap_err().fault, RemoteFault::TooLarge);
    assert_eq!(read_response(&cut(500)).unwrap_err().fault, RemoteFault::Status);
    assert_eq!(read_response(&cut(302)).unwrap_err().fault, RemoteFault::Redirect);
}

#[test]
fn a_failure_says_the_status_and_how_the_body_begins() {
    for (status, body, message) in [
        (
            429,
            "{\"error\":\n  \"slow down\"}",
            "the remote endpoint answered with status 429; allowed is 200 to 299; \
             the body begins: {\"error\": \"slow down\"}",
        ),
        (
            0,
            "",
            "the remote endpoint answered with a redirect, which is not followed; \
             compaction.remoteEndpoint is to hold the address where it leads; the body is empty",
        ),
        (
            301,
            "moved",
            "the remote endpoint answered with status 301, a redirect, which is not followed; \
             compaction.remoteEndpoint is to hold the address where it leads; the body begins: moved",
        ),
        (
            200,
            "hello",
            "the remote endpoint answered with status 200 and a body that is no JSON; \
             allowed is JSON with a string `summary`; the body begins: hello",
        ),
        (
            200,
            "{}",
            "the remote endpoint answered with status 200 and JSON without a string `summary`, which it must hold; \
             the body begins: {}",
        ),
    ] {
        let error = Error::from(&failure(status, body));
        assert_eq!((error.code.as_str(), error.message.as_str()), ("remote-failed", message));
    }
}

#[test]
fn a_failure_is_short_and_on_one_line() {
    for body in ["x".repeat(1_000_000), "a b\r\n\t".repeat(100_000), "\u{1b}[31m\u{0}é\u{85}".repeat(100_000)] {
        let text = failure(500, &body).to_string();
        assert!(text.chars().count() < 400, "{} characters", text.chars().count());
        assert!(!text.contains(char::is_control), "{text:?}");
    }
}

#[test]
fn a_failure_carries_the_wait_for_a_retry() {
    let response = RemoteResponse { retry_after_ms: Some(7_000), ..answer(429, "") };
    let failure = read_response(&response).unwrap_err();
    assert_eq!((failure.status, failure.retry_after_ms), (429, Some(7_000)));
}
