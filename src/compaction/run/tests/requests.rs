//! What requests hold, and what becomes of the replies to them.

use super::*;

#[test]
fn t28_a_prefix_alone_keeps_the_previous_summary() {
    let story = ["U@30", "A@30", "U@40", "K:2", "A@40", "A@10"];
    let case = start(&story, options(10));
    assert_eq!(case.asked_for(), "turn-prefix");
    let case = case.replies(&["Prefix"]);
    assert_eq!(
        case.stored().summary,
        "a summary of what went on before\n\n---\n\n**Turn Context (split turn):**\n\nPrefix"
    );
}

#[test]
fn an_update_holds_the_previous_summary_and_what_it_kept() {
    let mut story = session(&["U@30"]);
    for told in ["kept by the last", "covered by this"] {
        let json = format!(r#"{{"type":"message","message":{{"role":"user","content":"{told}"}}}}"#);
        story.append(&json, NOW).unwrap();
        if story.len() == 2 {
            add(&mut story, "K:1");
        }
    }
    add(&mut story, "U@10");
    let case = start_on(story, options(10));
    assert!(
        case.request().prompt.starts_with(
            "<conversation>\n[User]: kept by the last\n\n[User]: covered by this\n</conversation>\n\n\
             <previous-summary>\na summary of what went on before\n</previous-summary>\n"
        ),
        "{}",
        case.request().prompt
    );
}

#[test]
fn a_refused_reply_is_asked_for_once_more_with_the_reason() {
    for (reply, reason) in [
        (Text::text(" \n"), "the reply holds no text"),
        (Text { end: crate::summary::ReplyEnd::Length, ..Text::text("cut") }, "cut off at its output limit"),
        (Text { error_message: Some("429".into()), ..Text::default() }, "the reply is an error: 429"),
        (
            Text::text(crate::tokens::ONE_TOKEN.repeat(60)),
            "60 (estimated: 45 to 90) tokens, which is not less than the 60 (estimated: 45 to 90) tokens it replaces",
        ),
    ] {
        let case = start(&WHOLE_TURNS, options(20));
        let first = case.request().clone();
        let case = case.resume(Reply::Summary(reply));
        assert_eq!((case.attempt(), case.asked_for()), (2, "history"));
        let second = case.request();
        assert!(second.prompt.starts_with(&first.prompt) && second.prompt.contains(reason), "{}", second.prompt);
        assert!(second.prompt_tokens > first.prompt_tokens);
        let case = case.replies(&["Done"]);
        assert_eq!(case.stored().summary, "Done");
    }
}

#[test]
fn a_reply_refused_twice_ends_the_run() {
    let mut case = start(&WHOLE_TURNS, options(20)).replies(&["", "<think>hm</think>"]);
    let message = case.outcome().error.as_ref().unwrap().message.clone();
    assert_eq!(message, "the history summary was refused: the reply holds reasoning and no summary");
    case.check_unchanged("failed", Some(ErrorCode::SummaryRefused));
}

#[test]
fn each_request_has_its_own_two_attempts() {
    let case = start(&SPLIT, options(10)).replies(&["", "History", ""]);
    assert_eq!((case.asked_for(), case.attempt()), ("turn-prefix", 2));
    let mut case = case.replies(&[""]);
    case.check_unchanged("failed", Some(ErrorCode::SummaryRefused));
}

#[test]
fn a_summariser_that_throws_ends_the_run() {
    let mut case = start(&SPLIT, options(10)).replies(&["History"]).resume(thrown("no network"));
    assert_eq!(case.outcome().error.as_ref().unwrap().message, "no network");
    case.check_unchanged("failed", Some(ErrorCode::SummarizerFailed));
}

#[test]
fn the_local_summariser_serves_where_the_host_allows_it() {
    for bad in [vec![thrown("no network")], vec![text(""), text("")]] {
        let mut case = start(&SPLIT, with_fallback(options(10)));
        for reply in bad {
            case = case.resume(reply);
        }
        assert_eq!(case.outcome().summarizer, Some(Summarizer::Local));
        assert!(case.stored().summary.contains("**Turn Context (split turn):**"));
        case.check_ended("committed");
    }
}

#[test]
fn what_the_callback_gave_stays_where_the_local_summariser_steps_in_later() {
    let case = start(&SPLIT, with_fallback(options(10))).replies(&["History"]).resume(thrown("no network"));
    assert!(case.stored().summary.starts_with("History\n\n---\n\n"), "{}", case.stored().summary);
}

#[test]
fn the_run_goes_on_without_a_short_summary() {
    for reply in [text(""), text(&"word ".repeat(1_000)), thrown("no network")] {
        let case = start(&WHOLE_TURNS, with_short(20)).replies(&["History"]);
        assert_eq!(case.asked_for(), "short");
        let mut case = case.resume(reply);
        assert_eq!((&*case.stored().summary, &case.stored().short_summary), ("History", &None));
        assert_eq!(case.outcome().summarizer, Some(Summarizer::Callback));
        case.check_ended("committed");
    }
}

#[test]
fn a_short_request_holds_the_kept_messages_and_the_new_summary() {
    let mut story = session(&["U@30", "A@30"]);
    story.append(r#"{"type":"message","message":{"role":"user","content":"what is kept is this"}}"#, NOW).unwrap();
    let case = start_on(story, with_short(5)).replies(&["The new summary"]);
    let prompt = &case.request().prompt;
    assert!(prompt.starts_with("<conversation>\n[User]: what is kept is this\n</conversation>"), "{prompt}");
    assert!(prompt.contains("<previous-summary>\nThe new summary\n</previous-summary>"), "{prompt}");
}

#[test]
fn t29_custom_instructions_stand_in_each_request() {
    let focus = RunOptions { custom_instructions: Some("Mind the café.".into()), ..with_short(10) };
    let mut case = start(&SPLIT, focus);
    let mut asked = 0;
    // A refused reply, so that the second attempt is seen as well.
    for reply in ["", "History", "Prefix", "Short"] {
        let prompt = &case.request().prompt;
        assert!(prompt.contains("Additional focus: Mind the café."), "{}: {prompt}", case.asked_for());
        asked += 1;
        case = case.resume(text(reply));
    }
    assert_eq!((asked, case.outcome().status), (4, Status::Committed));
}

#[test]
fn limits_follow_the_reserve() {
    let mut case = start(&SPLIT, with_short(10));
    let mut limits = Vec::new();
    while let Step::Summarize(asked) = &case.step {
        limits.push(asked.request.max_tokens);
        assert_eq!(asked.timeout_ms, 300_000);
        case = case.resume(text("Done"));
    }
    assert_eq!(limits, [800, 500, 200]);
}

#[test]
fn t62_a_branch_that_was_left_is_in_no_request() {
    let mut story = session(&["U@10"]);
    let fork = story.entry(0).unwrap().id.clone();
    for told in ["left one", "left two"] {
        let json = format!(r#"{{"type":"message","message":{{"role":"user","content":"{told}"}}}}"#);
        story.append(&json, NOW).unwrap();
    }
    story.branch(&fork).unwrap();
    story.append(r#"{"type":"message","message":{"role":"user","content":"taken"}}"#, NOW).unwrap();
    add(&mut story, "U@10");
    let case = start_on(story, with_short(10));
    let history = case.request().prompt.clone();
    let case = case.replies(&["Done"]);
    assert!(history.contains("[User]: but but") && history.contains("[User]: taken"), "{history}");
    assert!(!history.contains("left one") && !case.request().prompt.contains("left one"));
}

#[test]
fn a_few_words_before_the_cut_may_take_what_the_history_left_over() {
    // The beginning of the split turn is 2 tokens; no summary of it could be smaller.
    let story = ["U@100", "A@100", "U@2", "A@50"];
    let prefix = "The user asked to go on with the tests, all of them.";
    let case = start(&story, options(50)).replies(&["A short history.", prefix]);
    assert!(case.stored().summary.contains(prefix), "{}", case.stored().summary);
    // Together they may still not be larger than what they replace.
    let long = crate::tokens::ONE_TOKEN.repeat(300);
    let mut case = start(&story, options(50)).replies(&["A short history.", &long, &long]);
    case.check_unchanged("failed", Some(ErrorCode::SummaryRefused));
    let message = case.outcome().error.as_ref().unwrap().message.clone();
    assert!(message.contains("300 (estimated: 225 to 450) tokens") && message.contains("turn-prefix"), "{message}");
}

#[test]
fn t16_a_summary_as_long_as_its_input_is_given_up() {
    let echo = |case: &Case| {
        let prompt = &case.request().prompt;
        prompt.split_once("<conversation>\n").unwrap().1.split_once("\n</conversation>").unwrap().0.to_owned()
    };
    let mut case = start(&WHOLE_TURNS, options(20));
    for _ in 0..2 {
        let same = echo(&case);
        case = case.replies(&[&same]);
    }
    let message = case.outcome().error.as_ref().unwrap().message.clone();
    // The record has marks of who speaks on top of the 60 tokens.
    assert!(message.contains("not less than the 60 (estimated: 45 to 90) tokens it replaces"), "{message}");
    case.check_unchanged("failed", Some(ErrorCode::SummaryRefused));
    let mut case = start(&WHOLE_TURNS, with_fallback(options(20)));
    for _ in 0..2 {
        let same = echo(&case);
        case = case.replies(&[&same]);
    }
    assert_eq!(case.outcome().summarizer, Some(Summarizer::Local));
    case.check_ended("committed");
}

#[test]
fn t25_of_forty_five_images_a_request_holds_placeholders() {
    let data = "iVBORw0KGgoAAAANSUhEUgAA".repeat(100);
    let image = format!(r#"{{"type":"image","data":"{data}","mimeType":"image/png"}}"#);
    let mut story = session(&["U@10"]);
    for shot in 0..45 {
        add(&mut story, &format!("A:s{shot}@5"));
        let text = format!(r#"{{"type":"text","text":"screenshot {shot}"}}"#);
        let json = format!(
            r#"{{"type":"message","message":{{"role":"toolResult","toolCallId":"s{shot}","toolName":"shot","content":[{text},{image}]}}}}"#
        );
        story.append(&json, NOW).unwrap();
    }
    add(&mut story, "U@10");
    let case = start_on(story, options(10));
    let prompt = &case.request().prompt;
    assert!(!prompt.contains(&data[..24]), "no base64");
    for shot in 0..45 {
        let told = format!("[Tool result of shot]: screenshot {shot}\n[Image {}: image/png]", shot + 1);
        assert_eq!(prompt.matches(&told).count(), 1, "{told}");
    }
    assert_eq!(prompt.matches("[Image ").count(), 45);
}

#[test]
fn t50_each_refusal_has_its_second_attempt_and_then_the_next_candidate() {
    let ended = |end| Text { end, ..Text::text("A good text.") };
    let refused = [
        ("holds no text", Text::text(" \n")),
        ("holds reasoning", Text::text("<think>hm</think>")),
        ("calls a tool", Text::text("<tool_call>{}</tool_call>")),
        ("calls a tool", ended(crate::summary::ReplyEnd::ToolCall)),
        ("is an error: HTTP 500", Text::text("HTTP 500")),
        ("is an error: A good text.", ended(crate::summary::ReplyEnd::Error)),
        ("cut off", ended(crate::summary::ReplyEnd::Length)),
        ("was aborted", ended(crate::summary::ReplyEnd::Aborted)),
        ("not less than", Text::text(crate::tokens::ONE_TOKEN.repeat(61))),
    ];
    for (reason, reply) in refused {
        let candidates = vec![Candidate::CALLBACK, Candidate { model: 1, ..Candidate::CALLBACK }];
        let case = start(&WHOLE_TURNS, RunOptions { candidates, ..options(20) }).resume(Reply::Summary(reply.clone()));
        assert!(case.attempt() == 2 && case.request().prompt.contains(reason), "{reason}: {}", case.request().prompt);
        let case = case.resume(Reply::Summary(reply));
        assert!(matches!(&case.step, Step::Summarize(asked) if asked.model == 1 && asked.attempt == 1), "{reason}");
        assert!(!case.request().prompt.contains(reason), "another candidate is asked anew");
        // A fence is taken off; headings may be missing.
        let case = case.replies(&["```\nA good text.\n```"]);
        assert_eq!((&*case.stored().summary, &*case.outcome().warnings), ("A good text.", &["unstructured"][..]));
    }
}

#[test]
fn a_history_of_a_few_words_may_take_half_of_what_both_parts_replace() {
    // A greeting is 3 tokens; no summary with headings could be smaller.
    let story = ["U@1", "A@2", "U@60", "A@40", "A@50"];
    let greeting = "The user said hello, and the assistant asked what to do.";
    let case = start(&story, options(50)).replies(&[greeting]);
    assert_eq!(case.asked_for(), "turn-prefix");
    let case = case.replies(&["Prefix"]);
    assert!(case.stored().summary.starts_with(greeting), "{}", case.stored().summary);
    // Both replace 103.
    for (size, status) in [(50, Status::Committed), (51, Status::Failed)] {
        let history = crate::tokens::ONE_TOKEN.repeat(size);
        let mut case = start(&story, options(50)).replies(&[&history]);
        case = if status == Status::Failed { case.replies(&[&history]) } else { case.replies(&["Prefix"]) };
        assert_eq!(case.outcome().status, status, "{size}");
    }
    // A history of its own size has that, however little follows.
    let case = start(&["U@100", "A@100", "U@2", "A@50"], options(50)).replies(&[&crate::tokens::ONE_TOKEN.repeat(199)]);
    assert_eq!(case.asked_for(), "turn-prefix");
}

#[test]
fn every_part_that_is_asked_for_can_be_served() {
    // Parts of no or hardly any tokens go with the other.
    for sizes in 0..256_usize {
        let [one, two, three, four] = [0, 2, 4, 6].map(|shift| (sizes >> shift) & 3);
        let story = [format!("U@{one}"), format!("A@{two}"), format!("U@{three}"), format!("A@{four}"), "A@9".into()];
        let story: Vec<&str> = story.iter().map(String::as_str).collect();
        let mut case = start(&story, options(9));
        while let Step::Summarize(_) = &case.step {
            case = case.resume(text("Done"));
        }
        if case.outcome().nothing_to_do.is_none() {
            case.stored();
        }
    }
}

#[test]
fn t23_a_run_that_failed_or_was_aborted_changes_no_size() {
    let usage = |session: &Session| {
        session.context_usage(
            session.leaf(),
            &crate::session::UsageQuery {
                context_window: Some(4_000),
                reserve_tokens: 0,
                pending_tokens: 0,
                fixed_tokens: None,
            },
        )
    };
    for ending in [Reply::Aborted, thrown("no key")] {
        let story = session(&["U@30", "A@30$900", "U@10", "A@10$1000", "U@5"]);
        let before = usage(&story);
        let case = start_on(story, options(15)).resume(ending);
        assert_ne!(case.outcome().status, Status::Committed);
        assert_eq!(usage(&case.session), before);
    }
}
