use super::*;

fn files(read: &[&str], modified: &[&str]) -> FileLists {
    let owned = |list: &[&str]| list.iter().map(|&file| file.to_owned()).collect();
    FileLists { read_files: owned(read), modified_files: owned(modified) }
}

fn check(history: Option<&str>, prefix: Option<&str>, lists: &FileLists, expected: &str) {
    assert_eq!(compose_summary(history, prefix, lists), expected);
}

fn check_stripped(text: &str, expected: &str) {
    assert_eq!(strip_file_lists(text), expected, "{text:?}");
}

#[test]
fn a_split_turn_joins_two_parts() {
    let none = FileLists::default();
    check(Some("H\n"), None, &none, "H");
    check(Some("H"), Some("\nP\n"), &none, "H\n\n---\n\n**Turn Context (split turn):**\n\nP");
    check(None, Some("P"), &none, "No prior history.\n\n---\n\n**Turn Context (split turn):**\n\nP");
    check(None, None, &none, "No prior history.");
}

#[test]
fn file_lists_end_the_summary() {
    check(
        Some("H"),
        None,
        &files(&["a", "b"], &["c"]),
        "H\n\n<read-files>\na\nb\n</read-files>\n<modified-files>\nc\n</modified-files>",
    );
    check(
        Some("H"),
        Some("P"),
        &files(&[], &["c"]),
        "H\n\n---\n\n**Turn Context (split turn):**\n\nP\n\n<modified-files>\nc\n</modified-files>",
    );
    check(Some("H"), None, &files(&["a"], &[]), "H\n\n<read-files>\na\n</read-files>");
}

#[test]
fn a_file_name_cannot_leave_its_list() {
    check(
        Some("H"),
        None,
        &files(&["a\nb", "</read-files>", "{{modified-files}}", "", "</ READ-FILES >"], &["x"]),
        "H\n\n<read-files>\na\\nb\n&lt;/read-files>\n{{modified-files}}\n&lt;/ READ-FILES >\n</read-files>\n<modified-files>\nx\n</modified-files>",
    );
}

#[test]
fn an_earlier_split_turn_is_folded() {
    let none = FileLists::default();
    let first = compose_summary(Some("H"), Some("P1"), &none);
    let second = compose_summary(Some(&first), Some("P2"), &none);
    assert_eq!(second, "H\n\n### Earlier Turn Context\n\nP1\n\n---\n\n**Turn Context (split turn):**\n\nP2");
    let third = compose_summary(Some(&second), Some("P3 **TURN CONTEXT (split turn):** x"), &none);
    assert_eq!(third.to_lowercase().matches("turn context (split turn)").count(), 1);
    assert!(third.contains("P1") && third.contains("P2") && third.contains("P3"));
    check(Some(&first), None, &none, "H\n\n### Earlier Turn Context\n\nP1");
}

#[test]
fn lists_are_replaced_and_not_repeated() {
    let lists = files(&["new"], &[]);
    let first = compose_summary(Some("H"), Some("P"), &files(&["old", "x <file> y"], &["m"]));
    assert_eq!(
        compose_summary(Some(&first), None, &lists),
        "H\n\n### Earlier Turn Context\n\nP\n\n<read-files>\nnew\n</read-files>"
    );
    let copied = "H\n<read-files>\nold\n</read-files>\n\n<MODIFIED-FILES>\nm\n</modified-files>\n\n## Tail\n";
    check(Some(copied), None, &lists, "H\n\n## Tail\n\n<read-files>\nnew\n</read-files>");
}

#[test]
fn the_summary_of_a_branch_says_what_it_is_and_ends_with_its_files() {
    let preamble = BRANCH_SUMMARY_PREAMBLE.trim_end();
    let copied = "\nB\n<read-files>\nold\n</read-files>\n\n## Tail, see <modified-files>\n";
    let stored = compose_branch_summary(copied, &files(&["new"], &["m"]));
    let notes = "B\n\n## Tail, see &lt;modified-files>";
    let lists = "<read-files>\nnew\n</read-files>\n<modified-files>\nm\n</modified-files>";
    assert_eq!(stored, format!("{preamble}\n\n{notes}\n\n{lists}"));
    assert_eq!(branch_notes(&stored), notes);
    assert_eq!(compose_branch_summary("B", &FileLists::default()), format!("{preamble}\n\nB"));
    assert_eq!(branch_notes("Made elsewhere."), "Made elsewhere.");
}

#[test]
fn lists_are_found_in_every_form() {
    check_stripped("H<read-files>\na\n</read-files>", "H");
    check_stripped("H\n\n< Read-Files >\na\n</ read-files >\n", "H");
    check_stripped("<read-files>a</read-files>H", "H");
    check_stripped("H\n&lt;read-files>\na\n&lt;/read-files>\nT", "H\n\nT");
    check_stripped("H\n<read-files>\n\na # b\n&amp;\n\n</read-files>", "H");
    check_stripped("<read-files></read-files>", "");
}

#[test]
fn a_tag_that_is_no_list_takes_nothing_with_it() {
    for text in [
        "H",
        "<read-files> is a tag\n## Goal\nx\n</read-files>",
        "<read-files>\na\n  ## Goal\nx\n</read-files>",
        "<read-files>\na\n<modified-files>\nb",
        "</read-files> <modified-files",
        "a < b & c",
    ] {
        check_stripped(text, text);
    }
    // What is left of such tags cannot pass for a list in the stored summary.
    check(Some("see <read-files> here"), None, &FileLists::default(), "see &lt;read-files> here");
}

#[test]
fn many_tags_stay_linear() {
    let marks = format!("<read-files>\n{}", "#".repeat(200_000));
    compose_summary(Some(&marks), None, &FileLists::default());
    for text in ["<read-files>", "<", "&", "#", "<read-files>\n## Goal\n", "<read-files></read-files>", "**"] {
        compose_summary(Some(&text.repeat(200_000)), None, &FileLists::default());
    }
}
