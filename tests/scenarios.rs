//! Scenarios through the public Rust API, each a file in its stored form: the worked example, the
//! shapes of turns, and texts of many scripts.

// A test may panic: that is how it fails.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use support::entries::{assistant, message, result, user};
use support::{NOW, done, id, load, options, prepare, run, settings};
use threadfold::branch::{BranchPreparation, collect_entries, prepare_branch_entries};
use threadfold::compaction::{NothingToDo, Preparation, Status, Trigger, prepare_compaction};
use threadfold::entry::EntryKind;
use threadfold::error::ErrorCode;
use threadfold::session::{ContextMessage, Index, Preset, SYNTHETIC_RESULT_TEXT, Session};
use threadfold::settings::{Settings, check_context_window};
use threadfold::summary::{Candidate, RequestOptions, compose_branch_summary};
use threadfold::tokens::{TokenRule, estimate_text};

/// A version 1 file: no version, no ids, records numbered with the header as 0.
fn version_1(entries: &[String]) -> Session {
    load(format!("{{\"type\":\"session\",\"id\":\"s\",\"timestamp\":\"t\",\"cwd\":\"/\"}}\n{}\n", entries.join("\n")))
}

/// The records of a view, numbered with the header as 0.
fn view(session: &Session) -> Vec<Index> {
    let context = session.build_session_context(session.leaf());
    assert_eq!(context.repairs, []);
    let number = |place: &ContextMessage| match place {
        ContextMessage::Entry(index) => index + 1,
        made_up => panic!("{made_up:?}"),
    };
    context.messages.iter().map(number).collect()
}

/// The entries of the worked example: `user assistant tool user assistant tool tool assistant tool`.
fn worked_example() -> Vec<String> {
    vec![
        user(10),
        assistant(10, &["a"]),
        result("a", 10),
        user(10),
        assistant(10, &["b", "c"]),
        result("b", 10),
        result("c", 10),
        assistant(10, &["d"]),
        result("d", 10),
    ]
}

#[test]
fn the_worked_example_as_a_version_1_file_that_was_folded() {
    let mut entries = worked_example();
    entries.push(
        r#"{"type":"compaction","summary":"Entries 1 to 3.","firstKeptEntryIndex":4,"tokensBefore":90}"#.to_owned(),
    );
    let session = version_1(&entries);
    assert_eq!(view(&session), [10, 4, 5, 6, 7, 8, 9]);
    let again = load(session.to_jsonl());
    assert_eq!(view(&again), [10, 4, 5, 6, 7, 8, 9]);
    assert_eq!(&*again.entry(9).unwrap().compaction().unwrap().first_kept_entry_id, id(&again, 3));
}

#[test]
fn the_worked_example_folded_here() {
    let mut session = version_1(&worked_example());
    let settings = settings(1_000, 60);
    let plan = prepare_compaction(&session, session.leaf(), &prepare(&settings)).unwrap().unwrap();
    let numbers = |entries: &[Index]| entries.iter().map(|index| index + 1).collect::<Vec<_>>();
    assert_eq!((numbers(&plan.entries_to_summarize), numbers(&plan.kept)), (vec![1, 2, 3], vec![4, 5, 6, 7, 8, 9]));
    assert!(!plan.is_split_turn);
    let ran = run(&mut session, options(&settings, Candidate::CALLBACK), |_| done());
    assert_eq!((ran.outcome.status, ran.outcome.entry.map(|entry| entry + 1)), (Status::Committed, Some(10)));
    assert_eq!(view(&load(session.to_jsonl())), [10, 4, 5, 6, 7, 8, 9]);
}

fn plan(session: &Session, keep: u64) -> Result<Preparation, NothingToDo> {
    prepare_compaction(session, session.leaf(), &prepare(&settings(1_000, keep))).unwrap()
}

/// What is summarised as history, the turn prefix and what is kept, numbered with the header as 0.
fn check(entries: &[String], keep: u64, history: &[Index], prefix: &[Index], kept: &[Index]) {
    let plan = plan(&version_1(entries), keep).unwrap();
    let numbers = |entries: &[Index]| entries.iter().map(|index| index + 1).collect::<Vec<_>>();
    assert_eq!(
        (numbers(&plan.entries_to_summarize), numbers(&plan.turn_prefix), numbers(&plan.kept)),
        (history.to_vec(), prefix.to_vec(), kept.to_vec()),
        "keeping {keep}"
    );
}

#[test]
fn t01_a_budget_line_between_parallel_results_cuts_before_or_behind_them_all() {
    let entries = [
        user(5),
        user(5),
        assistant(10, &["a", "b"]),
        result("a", 18_000),
        result("b", 1_000),
        assistant(5, &[]),
        user(5),
        assistant(5, &[]),
    ];
    // The line lies in R(a), in R(b), and behind both.
    check(&entries, 18_000, &[1], &[2, 3, 4, 5], &[6, 7, 8]);
    check(&entries, 1_000, &[1], &[2, 3, 4, 5], &[6, 7, 8]);
    check(&entries, 15, &[1], &[2, 3, 4, 5], &[6, 7, 8]);
    check(&entries, 19_020, &[1], &[2], &[3, 4, 5, 6, 7, 8]);
}

#[test]
fn t03_a_turn_with_an_open_call_is_kept_and_the_call_is_named() {
    let mut entries = vec![user(20), assistant(20, &[]), user(10), assistant(10, &["x"])];
    check(&entries, 5, &[1, 2], &[], &[3, 4]);
    let open = plan(&version_1(&entries), 5).unwrap().pending_tool_calls;
    assert_eq!(open.iter().map(|call| &*call.tool_call_id).collect::<Vec<_>>(), ["x"]);
    entries.push(result("x", 10));
    check(&entries, 5, &[1, 2], &[3], &[4, 5]);
    let only = plan(&version_1(&[user(20), assistant(20, &["x"])]), 5).unwrap_err();
    assert!(matches!(&only, NothingToDo::OpenToolCall { calls } if &*calls[0].tool_call_id == "x"), "{only:?}");
}

#[test]
fn t15_a_window_that_is_none() {
    for window in [0.0, -1.0, f64::NAN] {
        assert_eq!(check_context_window(window).unwrap_err().code, ErrorCode::InvalidWindow, "{window}");
    }
    let session = version_1(&worked_example());
    let settings = settings(1_000, 60);
    for trigger in [Trigger::Threshold, Trigger::Overflow] {
        let mut prepare = prepare(&settings);
        prepare.trigger = trigger;
        let nothing = prepare_compaction(&session, session.leaf(), &prepare).unwrap().unwrap_err();
        assert_eq!(nothing.as_str(), "unknown-window");
    }
    assert!(plan(&session, 60).is_ok(), "asked for by hand it works");
}

#[test]
fn t32_a_cut_at_the_start_of_a_turn_splits_none() {
    for start in [
        user(10),
        message("bashExecution", &format!(r#""command":"","output":"{}""#, "but ".repeat(10))),
        format!(r#"{{"type":"custom_message","customType":"t","content":"{}","display":true}}"#, "but ".repeat(10)),
        format!(r#"{{"type":"branch_summary","fromId":"root","summary":"{}"}}"#, "but ".repeat(10)),
    ] {
        check(&[user(10), assistant(10, &[]), start.clone(), assistant(10, &[])], 20, &[1, 2], &[], &[3, 4]);
        check(&[user(10), assistant(10, &[]), start, assistant(10, &[])], 10, &[1, 2], &[3], &[4]);
    }
}

#[test]
fn t33_metadata_before_the_cut_is_kept_and_splits_nothing() {
    let change = || r#"{"type":"model_change","provider":"p","modelId":"m"}"#.to_owned();
    let level = || r#"{"type":"thinking_level_change","thinkingLevel":"high"}"#.to_owned();
    let entries = [user(10), assistant(10, &[]), change(), level(), assistant(10, &[])];
    check(&entries, 10, &[], &[1, 2], &[5]);
    let session = version_1(&entries);
    assert_eq!(plan(&session, 10).unwrap().first_kept, 2);
    let whole = [user(10), assistant(10, &[]), change(), user(10), assistant(10, &[])];
    check(&whole, 20, &[1, 2], &[], &[4, 5]);
    assert_eq!(plan(&version_1(&whole), 20).unwrap().first_kept, 2);
}

/// A session in which each entry hangs below the one of a number, or is a root.
fn tree(entries: &[(Option<Index>, String)]) -> Session {
    let mut session = Session::create(Preset::Safe, "s", "/", NOW, 7);
    for (parent, entry) in entries {
        match *parent {
            None => session.reset_leaf(),
            Some(parent) => {
                let parent = id(&session, parent).to_owned();
                session.branch(&parent).unwrap();
            }
        }
        session.append(entry, NOW).unwrap();
    }
    session
}

/// The branch that a move from one entry to another leaves, prepared for a budget.
fn left_branch(session: &Session, left: Index, target: Index, budget: u64) -> BranchPreparation {
    let branch = collect_entries(session, Some(left), Some(target)).entries;
    prepare_branch_entries(session, &branch, budget, &Settings::default().file_tools)
}

fn prompt(session: &Session, preparation: &BranchPreparation) -> String {
    preparation.request(session, &RequestOptions::new(1_000, TokenRule::BY_SCRIPT)).prompt
}

fn says(role: &str, said: &str) -> String {
    message(role, &format!(r#""content":[{{"type":"text","text":"{said}"}}],"stopReason":"stop""#))
}

/// A turn that calls a tool on a file.
fn uses(tool: &str, path: &str) -> String {
    let call = format!(r#"{{"type":"toolCall","id":"{path}","name":"{tool}","arguments":{{"path":"{path}"}}}}"#);
    message("assistant", &format!(r#""content":[{call}],"stopReason":"toolUse""#))
}

/// `A→B→C→D`, and `A→E→F`.
fn fork() -> Session {
    tree(&[
        (None, says("user", "A")),
        (Some(0), says("assistant", "B")),
        (Some(1), says("user", "C")),
        (Some(2), says("assistant", "D")),
        (Some(0), says("assistant", "E")),
        (Some(4), says("user", "F")),
    ])
}

#[test]
fn t34_the_summary_of_a_branch_hangs_below_the_target_and_names_the_leaf_that_was_left() {
    let mut session = fork();
    let (left, target) = (id(&session, 3).to_owned(), id(&session, 5).to_owned());
    session.branch(&left).unwrap();
    let preparation = left_branch(&session, 3, 5, 1_000);
    assert_eq!(preparation.entries, [1, 2, 3]);
    let request = prompt(&session, &preparation);
    assert!(request.starts_with("<conversation>\n[Assistant]: B\n\n[User]: C\n\n[Assistant]: D\n</conversation>"));
    let text = compose_branch_summary("It failed.", &preparation.file_operations.lists());
    let summary = session.branch_with_summary(Some(&target), &text, None, false, NOW).unwrap();
    let EntryKind::BranchSummary(branch) = &session.entry(summary).unwrap().kind else { panic!("another kind") };
    assert_eq!((&*branch.from_id, session.parent(summary), session.leaf()), (&*left, Some(5), Some(summary)));
    assert_eq!(view(&session), [1, 5, 6, 7]);
}

#[test]
fn t35_each_place_that_the_leaf_may_move_to() {
    let mut session = fork();
    let left = |old_leaf, target| {
        let collected = collect_entries(&session, old_leaf, target);
        (collected.entries, collected.common_ancestor)
    };
    assert_eq!(left(Some(3), Some(1)), (vec![2, 3], Some(1)), "an ancestor");
    assert_eq!(left(Some(1), Some(3)), (vec![], Some(1)), "a descendant");
    assert_eq!(left(Some(3), Some(3)), (vec![], Some(3)), "the leaf itself");
    assert_eq!(left(Some(3), Some(0)), (vec![1, 2, 3], Some(0)), "the first entry");
    assert_eq!(left(Some(3), None), (vec![0, 1, 2, 3], None), "before the first entry");
    // A user message goes back into the editor: it is no part of what is summarised.
    assert_eq!(left(Some(3), Some(2)), (vec![3], Some(2)), "a user message");
    let unknown = session.branch_with_summary(Some("nobody"), "s", None, false, NOW).unwrap_err();
    assert_eq!((unknown.code, session.len(), session.leaf()), (ErrorCode::UnknownEntry, 6, Some(5)));
}

#[test]
fn t37_a_call_that_nothing_answered_leaves_summary_and_new_branch_legal() {
    let mut session = tree(&[
        (None, says("user", "A")),
        (Some(0), assistant(5, &["w"])),
        (Some(1), result("w", 5)),
        (Some(2), assistant(5, &["x", "y"])),
        (Some(3), result("y", 5)),
        (Some(0), says("assistant", "B")),
    ]);
    let preparation = left_branch(&session, 4, 5, 1_000);
    let open = prompt(&session, &preparation);
    assert_eq!((preparation.entries, open.matches("[Tool result").count()), (vec![1, 2, 3, 4], 3));
    assert_eq!(open.matches(SYNTHETIC_RESULT_TEXT).count(), 1);
    let left = id(&session, 4).to_owned();
    session.branch(&left).unwrap();
    // Also where the call itself stays, with its result in the branch that is left.
    for target in [5, 1] {
        let target = id(&session, target).to_owned();
        session.branch_with_summary(Some(&target), "Notes.", None, false, NOW).unwrap();
        let context = session.build_session_context(session.leaf());
        assert_eq!(support::naive::refusal(&session, &context), None);
        assert_eq!(context.pending_tool_calls, []);
    }
}

#[test]
fn t39_a_branch_summary_inside_of_the_branch_carries_its_files_and_is_told_once() {
    let inner = |rest: &str| {
        format!(
            r#"{{"type":"branch_summary","fromId":"root","summary":"The inner notes.","details":{{"readFiles":["seen"],"modifiedFiles":["made"]}}{rest}}}"#
        )
    };
    let nested = |rest: &str| {
        tree(&[
            (None, says("user", "A")),
            (Some(0), inner(rest)),
            (Some(1), uses("read", "own")),
            (Some(2), result("own", 5)),
            (Some(0), says("assistant", "B")),
        ])
    };
    let session = nested("");
    for budget in [1_000, 10] {
        let preparation = left_branch(&session, 3, 4, budget);
        let lists = preparation.file_operations.lists();
        assert_eq!((lists.read_files, lists.modified_files), (vec!["own".into(), "seen".into()], vec!["made".into()]));
        let told = usize::from(preparation.entries.contains(&1));
        assert_eq!(prompt(&session, &preparation).matches("The inner notes.").count(), told);
        assert_eq!(told, usize::from(budget == 1_000));
    }
    let of_a_hook = left_branch(&nested(r#","fromExtension":true"#), 3, 4, 1_000);
    assert_eq!(of_a_hook.file_operations.lists().read_files, ["own"]);
}

#[test]
fn t40_of_a_branch_larger_than_the_budget_the_newest_is_told_and_all_its_files_are_named() {
    let session = tree(&[
        (None, says("user", "A")),
        (Some(0), uses("edit", "old")),
        (Some(1), result("old", 5)),
        (Some(2), user(500)),
        (Some(3), uses("read", "new")),
        (Some(4), result("new", 5)),
        (Some(5), user(20)),
        (Some(0), says("assistant", "B")),
    ]);
    let preparation = left_branch(&session, 6, 7, 100);
    let lists = preparation.file_operations.lists();
    assert_eq!(preparation.entries, [4, 5, 6]);
    assert!(preparation.total_tokens <= 100);
    assert_eq!((lists.read_files, lists.modified_files), (vec!["new".into()], vec!["old".into()]));
    let nothing = left_branch(&session, 6, 7, 0);
    assert_eq!((nothing.entries, nothing.file_operations), (vec![], preparation.file_operations));
}

#[test]
fn t42_ten_thousand_characters_of_a_script_lie_near_the_exact_count() {
    let exact = tiktoken_rs::o200k_base().expect("the vocabulary");
    for (script, phrase) in [
        ("Han", "春天来了，山上的花都开了，孩子们在河边放风筝，老人坐在树下下棋。请先阅读配置文件，再修复这个错误。"),
        ("Hangul", "먼저 설정 파일을 읽고 연결을 확인한 다음 이 오류를 수정해야 합니다. "),
        ("Kana", "まずせっていファイルをよんで、それからデータベースのせつぞくをたしかめてください。"),
        ("Devanagari", "कृपया पहले विन्यास फ़ाइल पढ़ें और फिर इस त्रुटि को ठीक करें। "),
        ("Cyrillic", "Сначала прочитайте файл настроек, затем исправьте эту ошибку. "),
        ("emoji", "😀🎉🚀📥🔥💡🐛✅❌🧪📦🤖🦀😃🥺👀"),
    ] {
        let text: String = phrase.chars().cycle().take(10_000).collect();
        let ratio = estimate_text(&text, TokenRule::BY_SCRIPT) as f64 / exact.count_ordinary(&text) as f64;
        assert!((0.8..=1.25).contains(&ratio), "{script}: {ratio:.2} of the exact count");
    }
}
