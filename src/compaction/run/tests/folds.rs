//! One fold after another.

use super::*;

/// Adds a turn whose calls name a file each.
fn turn(session: &mut Session, calls: &[(&str, &str)]) {
    add(session, "U@20");
    for (number, (tool, path)) in calls.iter().enumerate() {
        let id = format!("{}-{number}", session.len());
        let blocks = format!(
            r#"{{"type":"text","text":"{}"}},{{"type":"toolCall","id":"{id}","name":"{tool}","arguments":{{"path":"{path}"}}}}"#,
            crate::tokens::ONE_TOKEN.repeat(20)
        );
        let json = format!(
            r#"{{"type":"message","message":{{"role":"assistant","content":[{blocks}],"stopReason":"toolUse"}}}}"#
        );
        session.append(&json, NOW).unwrap();
        add(session, &format!("R:{id}@5"));
    }
    add(session, "A@20");
}

fn fold(session: Session, options: RunOptions, reply: &str) -> (Session, crate::entry::Compaction) {
    let mut case = start_on(session, options);
    while let Step::Summarize(_) = &case.step {
        case = case.resume(text(reply));
    }
    let stored = case.stored().clone();
    (case.session, stored)
}

#[test]
fn file_lists_grow_over_folds_and_are_written_once() {
    let mut story = session(&[]);
    turn(&mut story, &[("read", "b.rs"), ("read", "a.rs"), ("edit", "c.rs")]);
    turn(&mut story, &[]);
    let (mut story, first) = fold(story, options(40), "One");
    assert_eq!(
        first.summary,
        "One\n\n<read-files>\na.rs\nb.rs\n</read-files>\n<modified-files>\nc.rs\n</modified-files>"
    );
    turn(&mut story, &[("edit", "a.rs"), ("read", "d.rs")]);
    turn(&mut story, &[]);
    // A model that copies the lists, as they do.
    let (mut story, second) = fold(story, options(40), "Two\n\n<read-files>\nold.rs\n</read-files>");
    assert_eq!(
        second.summary,
        "Two\n\n<read-files>\nb.rs\nd.rs\n</read-files>\n<modified-files>\na.rs\nc.rs\n</modified-files>"
    );
    turn(&mut story, &[("write", "e.rs")]);
    turn(&mut story, &[]);
    let (_, third) = fold(story, options(40), "Three");
    assert_eq!(
        third.summary,
        "Three\n\n<read-files>\nb.rs\nd.rs\n</read-files>\n<modified-files>\na.rs\nc.rs\ne.rs\n</modified-files>"
    );
    assert_eq!(third.files.read_files, ["b.rs", "d.rs"]);
    assert_eq!(third.files.modified_files, ["a.rs", "c.rs", "e.rs"]);
}

#[test]
fn files_of_a_turn_prefix_count_and_those_that_a_hook_listed_do_not() {
    let mut story = session(&["U@20"]);
    let first = story.entry(0).unwrap().id.clone();
    let hooked = format!(
        r#"{{"type":"compaction","summary":"By a hook","firstKeptEntryId":"{first}","tokensBefore":1,"details":{{"readFiles":["hook.rs"]}},"fromExtension":true}}"#
    );
    story.append(&hooked, NOW).unwrap();
    turn(&mut story, &[("read", "a.rs")]);
    let (_, stored) = fold(story, options(20), "Done");
    assert_eq!(stored.files.read_files, ["a.rs"]);
}

#[test]
fn the_heading_of_a_split_turn_stands_in_a_summary_at_most_once() {
    const HEADING: &str = "**Turn Context (split turn):**";
    let copied = format!("Done\n\n---\n\n{HEADING}\n\nCopied");
    let mut story = session(&SPLIT);
    for reply in ["Done", &copied, &copied] {
        let (folded, stored) = fold(story, options(10), reply);
        assert_eq!(stored.summary.matches(HEADING).count(), 1, "{}", stored.summary);
        story = folded;
        for word in ["U@30", "A@30", "A@10"] {
            add(&mut story, word);
        }
    }
    // With no history before the turn the previous summary takes its place.
    let mut story = session(&ONE_TURN);
    let kept = story.entry(0).unwrap().id.clone();
    let json = format!(r#"{{"type":"compaction","summary":{copied:?},"firstKeptEntryId":"{kept}","tokensBefore":1}}"#);
    story.append(&json, NOW).unwrap();
    add(&mut story, "A@10");
    let (_, stored) = fold(story, options(10), "Done");
    assert_eq!(stored.summary, format!("Done\n\n### Earlier Turn Context\n\nCopied\n\n---\n\n{HEADING}\n\nDone"));
}

#[test]
fn t21_a_second_compaction_in_a_row_has_nothing_to_do() {
    let case = start(&WHOLE_TURNS, options(20)).replies(&["History"]);
    let summary = case.stored().summary.clone();
    let mut again = start_on(case.session, options(20));
    assert_eq!(again.outcome().nothing_to_do.as_ref().unwrap().as_str(), "already-compacted");
    again.check_unchanged("nothing-to-do", None);
    let stored = again.session.entry(4).unwrap().compaction().unwrap();
    assert_eq!((&stored.summary, again.session.len()), (&summary, 5));
}

#[test]
fn the_local_summariser_answers_on_the_spot() {
    let local = RunOptions { candidates: vec![Candidate::LOCAL], ..with_short(10) };
    let mut case = start(&SPLIT, local.clone());
    assert_eq!(case.outcome().summarizer, Some(Summarizer::Local));
    case.stored();
    case.check_ended("committed");
    let same = start(&SPLIT, local);
    assert_eq!(same.stored(), case.stored(), "the same messages give the same summary");
}

#[test]
fn a_stored_compaction_loads_as_it_was() {
    let case = start(&SPLIT, with_short(10)).replies(&["Hist\u{2028}ory \"é\" 👩‍👩‍👧", "Prefix", "Short"]);
    let again = Session::from_jsonl(case.session.to_jsonl(), case.session.preset(), 9).unwrap();
    assert_eq!(again.entry(5).unwrap().compaction().unwrap(), case.stored());
    assert_eq!(again.diagnostics(), []);
}
