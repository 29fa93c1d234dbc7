//! The agent's tools, carried out on the invented repository.

use crate::json::{Json, object};
use crate::output::Out;
use crate::project::Repository;
use crate::rng::Rng;

/// A tool call of the story.
pub(crate) enum Do {
    Read(String),
    /// Text, folder.
    Grep(String, String),
    List(String),
    /// Path, old text, new text.
    Edit(String, String, String),
    /// Path, a text on the first line of a block, the block's replacement.
    Block(String, String, String),
    Write(String, String),
    /// What changed since the morning below a folder.
    Changes(String),
    /// Command and what it prints.
    Run(String, Out),
}

pub(crate) fn read(path: impl Into<String>) -> Do {
    Do::Read(path.into())
}

pub(crate) fn grep(pattern: &str, under: &str) -> Do {
    Do::Grep(pattern.into(), under.into())
}

pub(crate) fn edit(path: impl Into<String>, old: &str, new: &str) -> Do {
    Do::Edit(path.into(), old.into(), new.into())
}

pub(crate) fn block(path: impl Into<String>, anchor: &str, new: impl Into<String>) -> Do {
    Do::Block(path.into(), anchor.into(), new.into())
}

pub(crate) fn write(path: impl Into<String>, content: impl Into<String>) -> Do {
    Do::Write(path.into(), content.into())
}

pub(crate) fn run(command: impl Into<String>, out: Out) -> Do {
    Do::Run(command.into(), out)
}

/// A call that was carried out.
pub(crate) struct Done {
    pub(crate) tool: &'static str,
    pub(crate) arguments: Json,
    pub(crate) text: String,
    pub(crate) failed: bool,
    /// What the tool remembers beside its text; the engine does not know it.
    pub(crate) details: Option<Json>,
}

/// How much of a file is read at once.
const LINES: usize = 260;

/// Carries a call out.
pub(crate) fn perform(repository: &mut Repository, rng: &mut Rng, call: &Do) -> Done {
    match call {
        Do::Read(path) => reading(repository, path),
        Do::Grep(pattern, under) => {
            let hits = repository.grep(pattern, under, 80);
            let text = if hits.is_empty() { "no match".into() } else { hits.join("\n") };
            let details = object([("matches", (hits.len() as u64).into())]);
            let place = if under.is_empty() { "." } else { under };
            done(
                "grep",
                object([("pattern", pattern.as_str().into()), ("path", place.into())]),
                text,
                false,
                Some(details),
            )
        }
        Do::List(under) => {
            let rows: Vec<String> = repository
                .list(under)
                .into_iter()
                .map(|(path, size)| {
                    format!(
                        "-rw-r--r-- 1 dev dev {size:>6} {} {path}",
                        rng.pick(&["Mar 16 17:41", "Mar 12 09:03", "Feb 27 14:20"])
                    )
                })
                .collect();
            done(
                "bash",
                object([("command", format!("find {under} -type f -exec ls -l {{}} +").into())]),
                rows.join("\n"),
                false,
                None,
            )
        }
        Do::Edit(path, old, new) => editing(repository, path, old.clone(), new),
        Do::Block(path, anchor, new) => {
            let old = repository.block(path, anchor).unwrap_or_else(|| anchor.clone());
            editing(repository, path, old, new)
        }
        Do::Write(path, content) => {
            let fresh = repository.write(path, content);
            let text =
                format!("{} {path}, {} lines", if fresh { "created" } else { "replaced" }, content.lines().count());
            done(
                "write",
                object([("path", path.as_str().into()), ("content", content.as_str().into())]),
                text,
                false,
                None,
            )
        }
        Do::Changes(under) => {
            let command = format!("git diff 4e1c9d7 -- {under}");
            done("bash", object([("command", command.into())]), repository.changes(under), false, None)
        }
        Do::Run(command, out) => {
            let (mut text, failed) = out.print(rng);
            if failed {
                text.push_str("\n\n(exit code 1)");
            }
            let mut arguments = object([("command", command.as_str().into())]);
            if rng.chance(25) {
                arguments.push("timeout", rng.pick(&[60u64, 120, 300]));
            }
            let details = object([("durationMs", rng.between(180, 28_000).into())]);
            done("bash", arguments, text, failed, Some(details))
        }
    }
}

fn reading(repository: &Repository, path: &str) -> Done {
    let arguments = object([("path", path.into())]);
    let Some(text) = repository.read(path) else {
        return done("read", arguments, format!("{path}: no such file"), true, None);
    };
    let total = text.lines().count();
    let mut shown: String = text.lines().take(LINES).map(|line| format!("{line}\n")).collect();
    if total > LINES {
        shown.push_str(&format!("\n(lines 1 to {LINES} of {total}; go on with offset {})", LINES + 1));
    }
    done("read", arguments, shown, false, None)
}

fn editing(repository: &mut Repository, path: &str, old: String, new: &str) -> Done {
    let (text, failed, details) = match repository.edit(path, &old, new) {
        Ok(line) => {
            let diff: String =
                old.lines().map(|l| format!("-{l}\n")).chain(new.lines().map(|l| format!("+{l}\n"))).collect();
            (
                format!("replaced the text at line {line} of {path}"),
                false,
                Some(object([("line", (line as u64).into()), ("diff", diff.into())])),
            )
        }
        Err(found) => (
            format!("the text to replace was found {found} times in {path}; give more of what surrounds it"),
            true,
            None,
        ),
    };
    let arguments = object([("path", path.into()), ("oldText", old.into()), ("newText", new.into())]);
    done("edit", arguments, text, failed, details)
}

fn done(tool: &'static str, arguments: Json, text: String, failed: bool, details: Option<Json>) -> Done {
    Done { tool, arguments, text, failed, details }
}
