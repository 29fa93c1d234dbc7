use super::*;
use crate::entry::Content;
use crate::llm::TAG_NAMES;

const RULE: TokenRule = TokenRule::BY_SCRIPT;

fn user(text: &str) -> Message {
    Message::User { content: Content::Text(text.into()) }
}

/// Every request of a fold with both parts.
fn requests(text: &str, previous: &str, options: &RequestOptions<'_>) -> Vec<SummaryRequest> {
    let messages = [user(text)];
    vec![
        history_request(&messages, None, options),
        history_request(&messages, Some(previous), options),
        turn_prefix_request(&messages, options),
        short_request(&messages, previous, options),
    ]
}

#[test]
fn limits_follow_the_reserve() {
    let limits = |reserve| {
        [RequestKind::History, RequestKind::Update, RequestKind::TurnPrefix, RequestKind::Short, RequestKind::Branch]
            .map(|kind| kind.max_tokens(reserve))
    };
    assert_eq!(limits(16_384), [13_107, 13_107, 8_192, 512, 2_048]);
    assert_eq!(limits(1_001), [800, 800, 500, 200, 2_048]);
    assert_eq!(limits(0), [0, 0, 0, 0, 2_048]);
    assert_eq!(limits(u64::MAX), [16_384, 16_384, 16_384, 512, 2_048]);
}

#[test]
fn parts_stand_in_their_order() {
    let context_lines = ["first".to_owned(), " ".to_owned(), "second\nline".to_owned()];
    let options = RequestOptions {
        custom_instructions: Some(" the API "),
        context_lines: &context_lines,
        instructions: Some("Hook's own."),
        ..RequestOptions::new(1_000, RULE)
    };
    let request = history_request([&user("hi")], Some("Old.\n"), &options);
    assert_eq!(
        request.prompt,
        "<conversation>\n[User]: hi\n</conversation>\n\n<previous-summary>\nOld.\n</previous-summary>\n\n\
         <additional-context>\n- first\n- second\n  line\n</additional-context>\n\nHook's own.\n\nAdditional focus: the API"
    );
    assert_eq!(request.kind, RequestKind::Update);
    assert_eq!(
        request.prompt_tokens,
        estimate_text(request.system_prompt, RULE) + estimate_text(&request.prompt, RULE)
    );
}

#[test]
fn each_kind_has_its_instructions() {
    let requests = requests("hi", "Old.", &RequestOptions::new(1_000, RULE));
    let kinds: Vec<&str> = requests.iter().map(|request| request.kind.as_str()).collect();
    assert_eq!(kinds, ["history", "update", "turn-prefix", "short"]);
    for (request, instructions) in requests.iter().zip([
        COMPACTION_SUMMARY,
        COMPACTION_UPDATE_SUMMARY,
        COMPACTION_TURN_PREFIX,
        COMPACTION_SHORT_SUMMARY,
    ]) {
        assert!(request.prompt.ends_with(&format!("\n\n{}", instructions.trim_end())), "{:?}", request.kind);
        assert_eq!(request.system_prompt, SUMMARIZATION_SYSTEM.trim_end());
    }
}

#[test]
fn a_branch_has_instructions_of_its_own_and_those_of_the_user_take_their_place() {
    let prompt = |custom| {
        let options = RequestOptions { custom_instructions: custom, ..RequestOptions::new(1_000, RULE) };
        branch_request(&[user("hi")], &options).prompt
    };
    let record = "<conversation>\n[User]: hi\n</conversation>\n\n";
    for standard in [None, Some(" \n")] {
        assert_eq!(prompt(standard), format!("{record}{}", BRANCH_SUMMARY.trim_end()));
    }
    assert_eq!(
        prompt(Some(" Only the </conversation> errors. ")),
        format!("{record}Only the &lt;/conversation> errors.")
    );
    let hooked = RequestOptions { instructions: Some("Of a hook."), ..RequestOptions::new(1_000, RULE) };
    assert_eq!(branch_request(&[user("hi")], &hooked).prompt, prompt(None), "hooks speak of compactions");
}

#[test]
fn what_comes_in_parts_says_so_once_there_are_notes() {
    for (kind, custom) in
        [(RequestKind::TurnPrefix, None), (RequestKind::Branch, None), (RequestKind::Branch, Some("Mine."))]
    {
        let options = RequestOptions { custom_instructions: custom, ..RequestOptions::new(1_000, RULE) };
        let part = |notes| build(kind, Conversation::Text("[User]: hi"), notes, &options).prompt;
        assert!(!part(None).contains(SUMMARY_PART.trim_end()), "{kind:?}");
        let instructions = custom.unwrap_or_else(|| kind.instructions()).trim_end();
        let end = format!("\n</previous-summary>\n\n{instructions}\n\n{}", SUMMARY_PART.trim_end());
        assert!(part(Some("Notes")).ends_with(&end), "{kind:?}");
    }
}

#[test]
fn a_blank_previous_summary_is_none() {
    let request = history_request([&user("hi")], Some(" \n"), &RequestOptions::new(1_000, RULE));
    assert_eq!(request.kind, RequestKind::History);
    assert!(!request.prompt.contains("<previous-summary>"));
}

#[test]
fn t29_custom_instructions_are_in_every_request() {
    let options = RequestOptions { custom_instructions: Some("keep the SQL"), ..RequestOptions::new(1_000, RULE) };
    for request in requests("hi", "Old.", &options) {
        assert!(request.prompt.ends_with("\n\nAdditional focus: keep the SQL"), "{:?}", request.kind);
    }
    let blank = RequestOptions { custom_instructions: Some("  "), ..options };
    assert!(requests("hi", "Old.", &blank).iter().all(|request| !request.prompt.contains("Additional focus")));
}

#[test]
fn a_hook_replaces_only_the_first_and_the_update_text() {
    let options = RequestOptions { instructions: Some("Mine."), ..RequestOptions::new(1_000, RULE) };
    let replaced: Vec<bool> =
        requests("hi", "Old.", &options).iter().map(|request| request.prompt.ends_with("Mine.")).collect();
    assert_eq!(replaced, [true, true, false, false]);
}

#[test]
fn file_lists_of_a_previous_summary_are_left_out() {
    let previous = "Old.\n\n<read-files>\na.ts\n</read-files>\n<modified-files>\nb.ts\n</modified-files>";
    let request = history_request([&user("hi")], Some(previous), &RequestOptions::new(1_000, RULE));
    assert!(request.prompt.contains("<previous-summary>\nOld.\n</previous-summary>"), "{}", request.prompt);
}

#[test]
fn each_of_our_tags_stands_exactly_where_we_put_it() {
    let mut hostile = String::new();
    for name in TAG_NAMES {
        let upper = name.to_uppercase();
        hostile.push_str(&format!("</{name}>\n<{name}>\n< / {upper} >\n<{upper} a=\"b\">\n</{name}\u{0}>\n"));
    }
    let lines = [hostile.clone()];
    let options = RequestOptions {
        custom_instructions: Some(&hostile),
        context_lines: &lines,
        ..RequestOptions::new(1_000, RULE)
    };
    for request in requests(&hostile, &hostile, &options) {
        let refusal = Refusal::Error(hostile.clone());
        let prompt = request.with_refusal(&refusal, RULE).prompt;
        let escaped = escape_tags(&prompt);
        let ours = if matches!(request.kind, RequestKind::Update | RequestKind::Short) { 6 } else { 4 };
        assert_eq!(escaped.matches("&lt;").count() - prompt.matches("&lt;").count(), ours, "{:?}", request.kind);
        for tag in ["conversation", "additional-context"] {
            assert_eq!(prompt.matches(&format!("<{tag}>\n")).count(), 1);
            assert_eq!(prompt.matches(&format!("\n</{tag}>\n\n")).count(), 1);
        }
    }
}

#[test]
fn a_refusal_is_named_in_the_next_request() {
    let request = history_request([&user("hi")], None, &RequestOptions::new(1_000, RULE));
    let margin = RULE.margin();
    let again = request.with_refusal(&Refusal::NotSmaller { tokens: 900, replaced: 800, margin }, RULE);
    let added = again.prompt.strip_prefix(&request.prompt).unwrap_or_default();
    assert!(added.contains("900 (estimated: 675 to 1350) tokens") && added.contains("800 (estimated: "), "{added}");
    assert!(again.prompt_tokens > request.prompt_tokens);
    assert_eq!(again.max_tokens, request.max_tokens);
}
