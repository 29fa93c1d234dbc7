//! The invented repository: its files, and what the tools of an agent see of them.

pub(crate) mod entity;
mod landside;
pub(crate) mod planner;
pub(crate) mod sample;
mod seaside;
mod template;
pub(crate) mod typescript;

use std::collections::BTreeMap;

use crate::rng::Rng;

/// Files by path, as they are at this point of the story.
pub(crate) struct Repository {
    files: BTreeMap<String, String>,
    /// The same in the morning.
    before: BTreeMap<String, String>,
}

impl Repository {
    /// The repository as it is in the morning.
    pub(crate) fn at_start(rng: &mut Rng) -> Self {
        let mut files: BTreeMap<String, String> =
            HAND_WRITTEN.iter().map(|(p, t)| ((*p).into(), (*t).into())).collect();
        for (index, entity) in entity::all().enumerate() {
            files.extend(typescript::files(entity, rng));
            files.extend(planner::files(entity, index + 1));
        }
        Self { before: files.clone(), files }
    }

    pub(crate) fn read(&self, path: &str) -> Option<&str> {
        self.files.get(path).map(String::as_str)
    }

    pub(crate) fn write(&mut self, path: &str, content: &str) -> bool {
        self.files.insert(path.to_owned(), content.to_owned()).is_none()
    }

    /// Replaces the one place where `old` stands. Gives the line of it, or how often it was found.
    pub(crate) fn edit(&mut self, path: &str, old: &str, new: &str) -> Result<usize, usize> {
        let Some(text) = self.files.get_mut(path) else {
            return Err(0);
        };
        match text.matches(old).count() {
            1 => {
                let line = text.split(old).next().unwrap_or("").matches('\n').count() + 1;
                *text = text.replacen(old, new, 1);
                Ok(line)
            }
            found => Err(found),
        }
    }

    /// The block of a file from the line that holds `anchor` up to the line that closes it.
    pub(crate) fn block(&self, path: &str, anchor: &str) -> Option<String> {
        let text = self.read(path)?;
        let start = text.find(anchor).map(|at| text.get(..at).and_then(|t| t.rfind('\n')).map_or(0, |n| n + 1))?;
        let rest = text.get(start..)?;
        let indent: String = rest.chars().take_while(|c| *c == ' ').collect();
        let close = format!("\n{indent}}}");
        let end = rest.find(&close)? + close.len();
        let tail = rest.get(end..)?.find('\n')? + 1;
        rest.get(..end + tail).map(str::to_owned)
    }

    /// Lines that hold the text, as `path:line: text`, up to a limit.
    pub(crate) fn grep(&self, pattern: &str, under: &str, limit: usize) -> Vec<String> {
        let hits = self.files.iter().filter(|(path, _)| path.starts_with(under)).flat_map(|(path, text)| {
            text.lines()
                .enumerate()
                .filter(|(_, line)| line.contains(pattern))
                .map(move |(number, line)| format!("{path}:{}: {}", number + 1, line.trim_end()))
        });
        hits.take(limit).collect()
    }

    /// What changed below a folder since the morning, as a diff with one hunk a file.
    pub(crate) fn changes(&self, under: &str) -> String {
        let changed =
            self.files.iter().filter(|(path, text)| path.starts_with(under) && self.before.get(*path) != Some(text));
        changed.map(|(path, text)| hunk(path, self.before.get(path).map_or("", String::as_str), text)).collect()
    }

    /// Paths below a folder, each with its size in bytes.
    pub(crate) fn list(&self, under: &str) -> Vec<(String, usize)> {
        self.files.iter().filter(|(path, _)| path.starts_with(under)).map(|(p, t)| (p.clone(), t.len())).collect()
    }
}

/// The lines between the first and the last that differ.
fn hunk(path: &str, before: &str, after: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let shorter = old.len().min(new.len()) - head;
    let tail = old.iter().rev().zip(new.iter().rev()).take(shorter).take_while(|(a, b)| a == b).count();
    let part = |sign: char, lines: &[&str]| -> String {
        lines.iter().skip(head).take(lines.len() - head - tail).map(|line| format!("{sign}{line}\n")).collect()
    };
    format!(
        "--- a/{path}\n+++ b/{path}\n@@ -{},{} +{},{} @@\n{}{}",
        head + 1,
        old.len() - head - tail,
        head + 1,
        new.len() - head - tail,
        part('-', &old),
        part('+', &new)
    )
}

const HAND_WRITTEN: &[(&str, &str)] = &[
    ("AGENTS.md", include_str!("../../repo/agents.md.txt")),
    ("package.json", include_str!("../../repo/package.json.txt")),
    ("pnpm-workspace.yaml", "packages:\n  - services/*\n  - tools\n"),
    ("services/api/src/tide-curve.ts", include_str!("../../repo/tide-curve.ts.txt")),
    ("services/api/src/plan.ts", include_str!("../../repo/plan.ts.txt")),
    ("services/api/src/finding.ts", include_str!("../../repo/finding.ts.txt")),
    ("services/api/src/events.ts", include_str!("../../repo/events.ts.txt")),
    ("services/api/src/v1/routes.ts", include_str!("../../repo/v1.ts.txt")),
    ("crates/planner/src/search.rs", include_str!("../../repo/search.rs.txt")),
    ("crates/planner/src/cost.rs", include_str!("../../repo/cost.rs.txt")),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_filled_in_completely() {
        let repository = Repository::at_start(&mut Rng::new(1));
        assert!(repository.files.len() > 100, "{}", repository.files.len());
        for (path, text) in &repository.files {
            let mut marks = text.split('@').skip(1).step_by(2);
            assert!(
                !marks.any(|m| !m.is_empty() && m.chars().all(|c| c.is_ascii_alphabetic()) && path != "package.json"),
                "{path}"
            );
        }
    }

    #[test]
    fn a_block_ends_where_it_is_closed() {
        let repository = Repository::at_start(&mut Rng::new(1));
        let block = repository.block("services/api/src/berth/rules.ts", "export function openForStay").unwrap();
        assert!(block.starts_with("export function openForStay") && block.ends_with("\n}\n"));
        let method = repository.block("crates/planner/src/berth.rs", "fn deep_enough").unwrap();
        assert!(method.starts_with("    fn deep_enough") && method.ends_with("\n    }\n"));
    }

    #[test]
    fn a_diff_holds_what_differs() {
        let diff = hunk("x", "a\nb\nc\nd\n", "a\nB\nc\nc\nd\n");
        assert_eq!(diff, "--- a/x\n+++ b/x\n@@ -2,1 +2,2 @@\n-b\n+B\n+c\n");
    }

    #[test]
    fn an_edit_names_its_line_or_its_count() {
        let mut repository = Repository::at_start(&mut Rng::new(1));
        assert_eq!(repository.edit("package.json", "\"private\": true", "\"private\": false"), Ok(4));
        assert_eq!(repository.edit("package.json", "nowhere", ""), Err(0));
        assert!(repository.edit("package.json", "\"", "").unwrap_err() > 10);
    }
}
