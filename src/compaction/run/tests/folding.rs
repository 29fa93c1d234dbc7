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
