//! Requests that are too large for their summariser.

use super::*;

/// The callback with a model of that window.
fn window(tokens: u64) -> Candidate {
    Candidate { context_window: Some(tokens), ..Candidate::CALLBACK }
}

/// A session of that many turns, each with a fact of its own, of about 600 tokens each.
fn facts(turns: usize) -> Session {
    let mut story = session(&[]);
    for turn in 0..turns {
        let content = format!("FACT-{turn}: {}", "word ".repeat(480));
        let json = format!(r#"{{"type":"message","message":{{"role":"user","content":"{content}"}}}}"#);
        story.append(&json, NOW).unwrap();
        add(&mut story, &format!("A:c{turn}@5"));
        add(&mut story, &format!("R:c{turn}@5"));
    }
    story
}

/// Answers each request with notes that name every fact seen so far; gives the kinds asked for.
fn answer(mut case: Case, limit: u64) -> (Case, Vec<&'static str>) {
    let mut kinds = Vec::new();
    while let Step::Summarize(asked) = &case.step {
        let request = asked.request.clone();
        assert!(request.prompt_tokens + request.max_tokens <= limit, "{} tokens", request.prompt_tokens);
        let mut facts: Vec<&str> = request.prompt.split_whitespace().filter(|word| word.starts_with("FACT-")).collect();
        facts.dedup();
        kinds.push(request.kind.as_str());
        assert!(kinds.len() < 50);
        case = case.resume(text(&facts.join(" ")));
    }
    (case, kinds)
}

#[test]
fn t24_a_record_that_does_not_fit_is_summarised_in_parts() {
    let options = RunOptions { candidates: vec![window(8_000)], ..options(500) };
    let (mut case, kinds) = answer(start_on(facts(30), options), 8_000);
    assert!(kinds.len() >= 4, "{kinds:?}");
    let (last, parts) = kinds.split_last().unwrap();
    assert_eq!((*last, parts.iter().all(|kind| *kind == "fold")), ("update", true), "{kinds:?}");
    // What the first part said went through all of the others.
    let summary = case.stored().summary.clone();
    for turn in 0..29 {
        assert!(summary.contains(&format!("FACT-{turn}:")), "{turn}: {summary}");
    }
    case.check_ended("committed");
}

#[test]
fn the_summary_so_far_is_in_every_part_and_the_previous_one_in_the_first() {
    let mut story = facts(2);
    story
        .append_compaction(
            &crate::session::NewCompaction {
                summary: "PREVIOUS".into(),
                first_kept_entry_id: story.entry(3).unwrap().id.to_string(),
                ..crate::session::NewCompaction::default()
            },
            NOW,
        )
        .unwrap();
    for _ in 0..12 {
        add(&mut story, "U@600");
    }
    let mut case = start_on(story, RunOptions { candidates: vec![window(5_000)], ..options(500) });
    let mut expected = "PREVIOUS".to_owned();
    let mut part = 0;
    while let Step::Summarize(asked) = &case.step {
        let previous = format!("<previous-summary>\n{expected}\n</previous-summary>");
        assert!(asked.request.prompt.contains(&previous), "part {part}: {}", asked.request.prompt);
        part += 1;
        expected = format!("Notes after part {part}");
        case = case.resume(text(&expected));
    }
    assert!(part > 2);
    assert_eq!(case.stored().summary, expected);
}

#[test]
fn the_beginning_of_a_turn_is_folded_too() {
    let mut story = session(&["U@10"]);
    for call in 0..20 {
        add(&mut story, &format!("A:c{call}@600"));
        add(&mut story, &format!("R:c{call}@5"));
    }
    let case = start_on(story, RunOptions { candidates: vec![window(6_000)], ..options(500) });
    let mut asked_for = Vec::new();
    let mut case = case;
    while let Step::Summarize(asked) = &case.step {
        let prompt = &asked.request.prompt;
        asked_for.push((asked.request.kind.as_str(), asked.request.max_tokens));
        assert!(prompt.contains("## Done So Far"), "{prompt}");
        assert_eq!(prompt.contains("comes in pieces"), asked_for.len() > 1, "{prompt}");
        case = case.resume(text("Notes"));
    }
    let (last, parts) = asked_for.split_last().unwrap();
    assert_eq!(*last, ("turn-prefix", 500));
    assert!(parts.len() >= 2 && parts.iter().all(|part| *part == ("fold", 500)), "{parts:?}");
    case.stored();
}

#[test]
fn one_message_that_is_too_long_is_cut_between_lines_or_characters() {
    for piece in ["A line of some words.\n", "wordword", "中文", "👨‍👩‍👧‍👦"] {
        let long = piece.repeat(60_000 / piece.len());
        let json = format!(r#"{{"type":"message","message":{{"role":"user","content":{}}}}}"#, serde_json::json!(long));
        let mut story = session(&[]);
        story.append(&json, NOW).unwrap();
        add(&mut story, "A@10");
        add(&mut story, "U@10");
        let mut case = start_on(story, RunOptions { candidates: vec![window(6_000)], ..options(10) });
        let mut read = String::new();
        let mut parts = 0;
        while let Step::Summarize(asked) = &case.step {
            let prompt = &asked.request.prompt;
            let record = prompt.split_once("<conversation>\n").unwrap().1.split_once("\n</conversation>").unwrap().0;
            let first = record.strip_prefix("[User]: ");
            assert_eq!(first.is_some(), parts == 0, "{record}");
            read += first.or_else(|| record.strip_prefix("[Continued]: ")).unwrap();
            parts += 1;
            assert!(asked.request.prompt_tokens + asked.request.max_tokens <= 6_000);
            case = case.resume(text("Notes"));
        }
        let said = read.split_once("\n\n[Assistant]: ").unwrap().0;
        let without_line_ends = |text: &str| text.replace('\n', "");
        assert_eq!(without_line_ends(said), without_line_ends(&long), "{piece}");
        assert!(parts > 2 && parts < 30, "{parts} parts of {piece}");
        case.stored();
    }
}

#[test]
fn a_window_that_is_too_small_for_any_part_is_passed_over() {
    let candidates = vec![window(900), Candidate { model: 1, ..window(100_000) }];
    let case = start_on(facts(4), RunOptions { candidates, ..options(500) });
    assert!(matches!(&case.step, Step::Summarize(asked) if asked.model == 1));
    let mut case = start_on(facts(4), RunOptions { candidates: vec![window(900)], ..options(500) });
    let message = case.outcome().error.as_ref().unwrap().message.clone();
    assert!(message.contains("window of 900 tokens"), "{message}");
    case.check_unchanged("failed", Some(ErrorCode::SummarizerFailed));
}

#[test]
fn the_next_candidate_goes_on_where_the_last_one_stopped() {
    let candidates = vec![window(6_000), Candidate { model: 1, ..Candidate::CALLBACK }];
    let case = start_on(facts(20), RunOptions { candidates, ..options(500) }).replies(&["Notes of FACT-0:"]);
    let case = case.resume(thrown("no network"));
    // Its window is not known, so it gets all that is left.
    assert_eq!(case.asked_for(), "update");
    let prompt = &case.request().prompt;
    assert!(prompt.contains("<previous-summary>\nNotes of FACT-0:\n</previous-summary>"), "{prompt}");
    assert!(!prompt.contains("FACT-1:") && prompt.contains("FACT-18:"));
    let mut case = case.replies(&["All notes"]);
    assert_eq!(case.stored().summary, "All notes");
    case.check_ended("committed");
}

#[test]
fn the_local_summariser_reads_all_of_it() {
    let options = RunOptions { candidates: vec![window(6_000)], ..with_fallback(options(500)) };
    let case = start_on(facts(20), options).replies(&["Notes"]).resume(thrown("no network"));
    assert_eq!(case.outcome().summarizer, Some(Summarizer::Local));
    assert!(case.stored().summary.contains("FACT-"));
}

#[test]
fn a_short_summary_that_does_not_fit_is_left_out() {
    let mut story = session(&["U@30", "A@30"]);
    add(&mut story, "U@9000");
    let case = start_on(story, RunOptions { candidates: vec![window(6_000)], ..with_short(500) }).replies(&["Done"]);
    assert_eq!(case.stored().short_summary, None);
}

#[test]
fn parts_are_counted_in_the_events() {
    let options = RunOptions { candidates: vec![window(6_000)], ..options(500) };
    let (mut case, kinds) = answer(start_on(facts(20), options), 6_000);
    let told: Vec<(u32, u32)> = case
        .run
        .take_events()
        .into_iter()
        .filter_map(|event| match event {
            Event::CompactionProgress { request, requests, .. } => Some((request, requests)),
            _ => None,
        })
        .collect();
    let parts = kinds.len() as u32;
    // The requests, and the saving of the last.
    assert_eq!(told.iter().map(|told| told.0).collect::<Vec<_>>(), (1..=parts).chain([parts]).collect::<Vec<_>>());
    assert!(told.iter().all(|(request, requests)| request <= requests && *requests <= parts + 2), "{told:?}");
}

#[test]
fn t29_custom_instructions_stand_in_each_part_and_in_its_second_attempt() {
    let focus = RunOptions {
        candidates: vec![window(6_000)],
        custom_instructions: Some("Mind the café.".into()),
        ..with_short(500)
    };
    let mut story = facts(20);
    for call in 0..12 {
        add(&mut story, &format!("A:d{call}@600"));
        add(&mut story, &format!("R:d{call}@5"));
    }
    let mut case = start_on(story, focus);
    let mut asked = Vec::new();
    while let Step::Summarize(step) = &case.step {
        let (kind, attempt) = (step.request.kind.as_str(), step.attempt);
        assert!(step.request.prompt.contains("Additional focus: Mind the café."), "{kind}");
        asked.push((kind, attempt));
        case = case.resume(text(if attempt == 1 && kind != "short" { "" } else { "Notes" }));
    }
    case.stored();
    for expected in [("fold", 1), ("fold", 2), ("update", 2), ("turn-prefix", 2), ("short", 1)] {
        assert!(asked.contains(&expected), "{expected:?} is not in {asked:?}");
    }
}

#[test]
fn a_second_attempt_fits_the_window_too() {
    // Whatever the size of the record, at one of these it just fits as a whole.
    let mut whole = 0;
    for words in 0..60 {
        let mut story = session(&["U@2000"]);
        add(&mut story, &format!("A@{}", 1 + words * 50));
        add(&mut story, "U@500");
        let case = start_on(story, RunOptions { candidates: vec![window(6_000)], ..options(500) });
        whole += usize::from(case.asked_for() == "history");
        let case =
            case.resume(Reply::Summary(Text { error_message: Some("過負荷".repeat(100)), ..Text::default() }));
        let again = case.request();
        assert!(again.prompt.contains("過負荷") && case.attempt() == 2);
        assert!(again.prompt_tokens + again.max_tokens <= 6_000, "{} tokens", again.prompt_tokens);
    }
    assert!((10..50).contains(&whole), "{whole} of 60 fitted as a whole");
}

/// The conversation that a request holds.
fn record(request: &SummaryRequest) -> &str {
    request.prompt.split_once("<conversation>\n").unwrap().1.split_once("\n</conversation>").unwrap().0
}

#[test]
fn t16_a_part_that_comes_back_as_long_as_it_is_ends_the_run_with_both_sizes() {
    let mut case = start_on(facts(20), RunOptions { candidates: vec![window(6_000)], ..options(500) });
    let rule = case.session.token_rule();
    let mut asked = 0;
    let mut size = 0;
    while let Step::Summarize(step) = &case.step {
        assert_eq!(step.request.kind, crate::summary::RequestKind::Fold);
        asked += 1;
        let same = record(&step.request).to_owned();
        size = crate::tokens::estimate_text(&same, rule);
        case = case.resume(text(&same));
    }
    let message = case.outcome().error.as_ref().unwrap().message.clone();
    let size = rule.margin().of(size);
    let sizes = format!("takes {size} tokens, which is not less than the {size} tokens it replaces");
    assert!(asked == 2 && message.contains(&sizes), "{asked} attempts: {message}");
    case.check_unchanged("failed", Some(ErrorCode::SummaryRefused));
}

#[test]
fn notes_that_leave_no_room_for_the_next_part_end_the_run() {
    let mut case = start_on(facts(20), RunOptions { candidates: vec![window(6_000)], ..options(500) });
    let mut asked = 0;
    while let Step::Summarize(step) = &case.step {
        asked += 1;
        assert!(step.request.prompt_tokens + step.request.max_tokens <= 6_000 && asked < 50, "request {asked}");
        // Smaller than the part, though not by much.
        let record = record(&step.request);
        let notes = record.get(..record.len() * 9 / 10).unwrap().to_owned();
        let notes = step.request.prompt.split_once("<previous-summary>\n").map_or(notes.clone(), |(_, previous)| {
            format!("{}{notes}", previous.split_once("\n</previous-summary>").unwrap().0)
        });
        case = case.resume(text(&notes));
    }
    let message = case.outcome().error.as_ref().unwrap().message.clone();
    assert!(message.contains("model's window of 6000 tokens") && asked < 10, "{asked} requests: {message}");
    case.check_unchanged("failed", Some(ErrorCode::SummarizerFailed));
}

#[test]
fn a_cut_leaves_no_tag_where_there_was_none() {
    // A tag's name goes on, so none of these is one of ours, wherever the line is not cut.
    for piece in ["<summary_", "</conversation2", "<file9"] {
        let content = piece.repeat(40_000 / piece.len());
        let mut parts = 0;
        for shift in 0..piece.len() {
            let mut story = session(&[]);
            let told = format!(
                r#"{{"type":"message","message":{{"role":"user","content":"{}{content}"}}}}"#,
                "x".repeat(shift)
            );
            story.append(&told, NOW).unwrap();
            add(&mut story, "U@10");
            let mut case = start_on(story, RunOptions { candidates: vec![window(6_000)], ..options(10) });
            while let Step::Summarize(step) = &case.step {
                let record = record(&step.request);
                assert_eq!(crate::llm::escape_tags(&format!("{record}\n")), format!("{record}\n"), "{piece}");
                parts += 1;
                case = case.resume(text("Notes"));
            }
        }
        assert!(parts > 2 * piece.len(), "{parts} parts of {piece}");
    }
}

#[test]
fn what_a_folded_part_copies_is_stored_once() {
    const HEADING: &str = "**Turn Context (split turn):**";
    let mut story = facts(20);
    for call in 0..12 {
        add(&mut story, &format!("A:d{call}@600"));
        add(&mut story, &format!("R:d{call}@5"));
    }
    let mut case = start_on(story, RunOptions { candidates: vec![window(6_000)], ..options(500) });
    let (mut parts, mut copies) = (0, 0);
    while let Step::Summarize(step) = &case.step {
        assert!(!step.request.prompt.contains("old.rs"), "{}", step.request.prompt);
        parts += usize::from(step.request.kind.as_str() == "fold");
        copies += 1;
        let copied = format!("Notes {copies}\n\n---\n\n{HEADING}\n\nCopied\n\n<read-files>\nold.rs\n</read-files>");
        case = case.resume(text(&copied));
    }
    let summary = case.stored().summary.clone();
    assert!(parts >= 4, "{parts} parts");
    assert_eq!((summary.matches(HEADING).count(), summary.matches("read-files").count()), (1, 0), "{summary}");
}
