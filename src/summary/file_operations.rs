//! Which files the summarised part of a session read and modified.

use crate::entry::{BranchSummary, Compaction, EntryKind, FileLists};
use crate::numbers::Numbers;
use crate::session::{Index, Session};
use crate::settings::FileTools;

/// Files by what was done to them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FileOperations {
    /// The most that was done to each file: [`READ`] or [`MODIFIED`].
    files: Numbers,
}

const READ: u32 = 1;
const MODIFIED: u32 = 2;

impl FileOperations {
    /// The sorted lists: what was also modified is not among the read.
    pub fn lists(&self) -> FileLists {
        let mut lists = FileLists::default();
        for (file, &done) in &self.files {
            let list = if done == MODIFIED { &mut lists.modified_files } else { &mut lists.read_files };
            list.push(file.to_string());
        }
        lists
    }

    fn add(&mut self, file: &str, done: u32) {
        match self.files.get_mut(file) {
            Some(most) => *most = done.max(*most),
            None => {
                self.files.insert(file.into(), done);
            }
        }
    }

    fn add_lists(&mut self, lists: &FileLists) {
        for (files, done) in [(&lists.read_files, READ), (&lists.modified_files, MODIFIED)] {
            for file in files {
                self.add(file, done);
            }
        }
    }

    fn add_entry(&mut self, session: &Session, index: Index, tools: &FileTools) {
        match session.entry(index).map(|entry| &entry.kind) {
            Some(EntryKind::Compaction(Compaction { files, from_extension: false, .. })) => self.add_lists(files),
            Some(EntryKind::BranchSummary(BranchSummary { files, from_extension: false, .. })) => self.add_lists(files),
            _ => {}
        }
        for call in session.call_arguments(index) {
            let modifies = tools.modify.iter().any(|tool| **tool == *call.tool);
            if !modifies && !tools.read.iter().any(|tool| **tool == *call.tool) {
                continue;
            }
            let path = tools.path_arguments.iter().find_map(|argument| {
                // Of a duplicate key the last wins.
                call.strings.iter().rev().find(|(key, _)| **key == **argument).map(|(_, path)| path)
            });
            if let Some(path) = path.filter(|path| !path.is_empty()) {
                self.add(path, if modifies { MODIFIED } else { READ });
            }
        }
    }
}

/// Gathers the files that the calls of some entries name, and those that earlier summaries among
/// them carry, compactions and branch summaries alike, but for what a hook made, whose lists are its
/// own.
pub fn file_operations(
    session: &Session,
    entries: impl IntoIterator<Item = Index>,
    tools: &FileTools,
) -> FileOperations {
    let mut operations = FileOperations::default();
    for index in entries {
        operations.add_entry(session, index, tools);
    }
    operations
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::testing::{NOW, session};
    use crate::settings::Settings;

    fn check(calls: &[(&str, &str)], read: &[&str], modified: &[&str]) {
        let mut session = session(&[]);
        for (tool, arguments) in calls {
            let json = format!(
                r#"{{"type":"message","message":{{"role":"assistant","content":[{{"type":"toolCall","id":"c","name":"{tool}","arguments":{arguments}}}]}}}}"#
            );
            session.append(&json, NOW).unwrap();
        }
        let all = session.path(session.leaf());
        let lists = file_operations(&session, all, &Settings::default().file_tools).lists();
        assert_eq!(
            (lists.read_files, lists.modified_files),
            (
                read.iter().map(ToString::to_string).collect::<Vec<_>>(),
                modified.iter().map(ToString::to_string).collect::<Vec<_>>(),
            )
        );
    }

    #[test]
    fn earlier_summaries_carry_their_files_but_for_those_of_hooks() {
        let mut session = session(&["U"]);
        let first = session.entry(0).unwrap().id.clone();
        let details = |name: &str| format!(r#""details":{{"readFiles":["r-{name}"],"modifiedFiles":["m-{name}"]}}"#);
        let compaction = format!(r#""type":"compaction","summary":"s","firstKeptEntryId":"{first}","tokensBefore":1"#);
        let branch = r#""type":"branch_summary","summary":"s","fromId":"root""#;
        for (name, kind, hook) in [
            ("fold", &*compaction, ""),
            ("hooked-fold", &*compaction, r#","fromExtension":true"#),
            ("old-hooked-fold", &*compaction, r#","fromHook":true"#),
            ("branch", branch, ""),
            ("hooked-branch", branch, r#","fromExtension":true"#),
        ] {
            session.append(&format!("{{{kind},{}{hook}}}", details(name)), NOW).unwrap();
        }
        let all = session.path(session.leaf());
        let lists = file_operations(&session, all, &Settings::default().file_tools).lists();
        assert_eq!(lists.read_files, ["r-branch", "r-fold"]);
        assert_eq!(lists.modified_files, ["m-branch", "m-fold"]);
    }

    #[test]
    fn reads_and_modifications() {
        check(
            &[
                ("read", r#"{"path":"b"}"#),
                ("read", r#"{"path":"a"}"#),
                ("edit", r#"{"path":"b"}"#),
                ("write", r#"{"content":"x","path":"c"}"#),
            ],
            &["a"],
            &["b", "c"],
        );
        check(
            &[
                ("read", r#"{"path":7}"#),
                ("read", "[]"),
                ("read", "\"a\""),
                ("grep", r#"{"path":"a"}"#),
                ("read", "{}"),
            ],
            &[],
            &[],
        );
        check(&[("read", r#"{"path":"a","path":"b"}"#), ("read", r#"{"path":"\u00e9"}"#)], &["b", "é"], &[]);
    }
}
