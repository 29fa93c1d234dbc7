//! `cargo xtask test`: everything that must hold, from nothing, with one count at the end.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::{Context as _, Result};

use crate::setup::wasm_target::{TARGET, Toolchain};
use crate::steps::{self, Context, Kind, Outcome, Step, TestsFailed};
use crate::{build, demo, package, page, run, setup, types, wasm};

/// Far more than any suite needs; a hanging one must not hang the whole.
const SUITE_LIMIT: Duration = Duration::from_secs(20 * 60);

/// Which groups to run. None named means all.
#[derive(Default)]
pub struct Filter {
    named: Vec<&'static str>,
}

impl Filter {
    /// Names a group.
    pub fn add(&mut self, name: &str) {
        self.named.extend(["rust", "node", "browser", "package"].into_iter().filter(|known| *known == name));
    }

    /// Format, lints and Rust tests.
    pub fn rust(&self) -> bool {
        self.wants("rust")
    }

    /// The package in Node.
    pub fn node(&self) -> bool {
        self.wants("node")
    }

    /// The package in Chromium.
    pub fn browser(&self) -> bool {
        self.wants("browser")
    }

    /// The package as such.
    pub fn package(&self) -> bool {
        self.wants("package")
    }

    fn wants(&self, name: &str) -> bool {
        self.named.is_empty() || self.named.contains(&name)
    }
}

/// Runs what the filter names, to the end even where something fails.
pub fn test(filter: &Filter) -> Result<ExitCode> {
    let mut context = Context::new()?;
    let mut list = setup::for_building();
    if filter.browser() {
        list.push(setup::browser());
    }
    if filter.rust() {
        list.extend(rust_steps());
    }
    if filter.node() || filter.browser() || filter.package() {
        list.extend(build::steps());
    }
    if filter.package() {
        list.push(types::check_facade());
        list.extend(package::checks());
        list.extend(types::check_users());
        list.push(types::check_page());
        list.push(node_step("meeting the package as each host does", "tests/pack"));
    }
    if filter.node() {
        list.push(node_step("running the tests in Node", "tests/js"));
        list.push(node_step("holding message arrays to the vendors' packages", "tests/formats"));
        list.extend(types::check_examples());
        list.push(node_step("running the examples against a local provider", "tests/example"));
        list.push(demo::test_step());
    }
    if filter.browser() {
        list.push(node_step("running the tests in Chromium", "tests/browser"));
        list.push(node_step("running the demo page in Chromium", "tests/www"));
    }
    let tally = steps::run(&mut context, list, true)?;
    println!("{} passed, {} failed", tally.passed, tally.failed);
    Ok(if tally.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn rust_steps() -> Vec<Step> {
    let cargo_step = |title: &str, arguments: &'static [&'static str]| {
        Step::new(Kind::Check, title, move |context| {
            run::quiet(context.workspace.cargo().args(arguments), &context.log)?;
            Ok(Outcome::default())
        })
    };
    vec![
        cargo_step(
            "checking the format (`cargo fmt --all` mends it)",
            &["fmt", "--all", "--check", "--", "-l", "--color=never"],
        ),
        cargo_step("linting", &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]),
        Step::new(Kind::Check, "linting the engine as wasm", |context| {
            if let Toolchain::Debian { .. } = context.toolchain()? {
                return Ok(Outcome::skipped("the user's clippy cannot read the library that Debian's compiler built"));
            }
            for file in &wasm::FILES {
                let mut command = context.workspace.cargo();
                command.args(["clippy", "--package", "threadfold", "--lib", "--target", TARGET]).args(file.features);
                run::quiet(command.args(["--", "-D", "warnings"]), &context.log)?;
            }
            Ok(Outcome::default())
        }),
        Step::new(Kind::Check, "running the Rust tests", |context| {
            let mut command = context.workspace.cargo();
            // The output of passing tests tells what they skipped.
            command.args(["test", "--workspace", "--no-fail-fast", "--", "--show-output"]);
            suite(&mut command, &context.log, count_cargo)
        }),
    ]
}

/// A folder of `*.test.mjs` files under Node's own test runner.
fn node_step(title: &str, folder: &'static str) -> Step {
    Step::new(Kind::NeedsPackage, title, move |context| {
        let mut files = Vec::new();
        find_tests(&context.workspace.root.join(folder), &mut files)?;
        if files.is_empty() {
            return Ok(Outcome::skipped(format!("{folder} holds no *.test.mjs")));
        }
        files.sort();
        let mut command = context.workspace.node();
        command.args(["--test", "--test-reporter=spec"]).args(files);
        command.env("THREADFOLD_SAMPLE", page::sample(&context.workspace));
        command.env("THREADFOLD_PAGE", page::folder(&context.workspace));
        if let Some(chromium) = &context.chromium {
            command.env("CHROME_PATH", chromium);
        }
        suite(&mut command, &context.log, count_node)
    })
}

fn find_tests(folder: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    let Ok(files) = fs::read_dir(folder) else {
        return Ok(());
    };
    for file in files {
        let file = file?;
        let path = file.path();
        if file.file_type()?.is_dir() {
            if file.file_name() != "node_modules" {
                find_tests(&path, found)?;
            }
        } else if file.file_name().to_string_lossy().ends_with(".test.mjs") {
            found.push(path);
        }
    }
    Ok(())
}

/// What a test runner reported.
#[derive(Debug, Default, PartialEq)]
struct Count {
    passed: usize,
    failed: usize,
    skipped: Vec<String>,
}

/// Runs a suite and counts its tests.
fn suite(command: &mut Command, log: &Path, count: fn(&str) -> Count) -> Result<Outcome> {
    let finished = run::finish(command, log, SUITE_LIMIT).context("a test runner did not end by itself")?;
    let Count { passed, failed, skipped } = count(&finished.output);
    if !finished.success || failed > 0 {
        return Err(TestsFailed { passed, failed, output: run::tail(&finished.output) }.into());
    }
    Ok(Outcome { passed: Some(passed), note: format!("{passed} tests"), skipped })
}

/// Adds up cargo's closing lines, one for each crate: `test result: ok. 12 passed; 0 failed; ...`.
/// A test that leaves itself out prints `skipped: REASON`.
fn count_cargo(output: &str) -> Count {
    let mut count = Count::default();
    for line in output.lines() {
        if let Some(reason) = line.strip_prefix("skipped: ") {
            count.skipped.push(reason.to_owned());
        }
        let Some((_, numbers)) = line.strip_prefix("test result: ").and_then(|rest| rest.split_once(". ")) else {
            continue;
        };
        for part in numbers.split("; ") {
            match part.split_once(' ') {
                Some((number, "passed")) => count.passed += number.parse().unwrap_or(0),
                Some((number, "failed")) => count.failed += number.parse().unwrap_or(0),
                _ => {}
            }
        }
    }
    count
}

/// Reads the closing lines of Node's spec reporter, and the lines of tests that were skipped.
fn count_node(output: &str) -> Count {
    let mut count = Count::default();
    for line in output.lines() {
        if let Some(skipped) = line.trim_start().strip_prefix("\u{fe63} ") {
            count.skipped.push(skipped.to_owned());
        }
        match line.strip_prefix("\u{2139} ").and_then(|rest| rest.split_once(' ')) {
            Some(("pass", number)) => count.passed += number.parse().unwrap_or(0),
            Some(("fail" | "cancelled", number)) => count.failed += number.parse().unwrap_or(0),
            _ => {}
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_what_cargo_prints() {
        let output = "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.1s\n\
                      skipped: ../shared is absent\n\
                      test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out";
        let skipped = vec!["../shared is absent".to_owned()];
        assert_eq!(count_cargo(output), Count { passed: 15, failed: 2, skipped });
    }

    #[test]
    fn counts_what_node_prints() {
        let output = "\u{2714} a (1ms)\n  \u{fe63} b (0.1ms) # no shared folder\n\
                      \u{2139} tests 4\n\u{2139} pass 2\n\u{2139} fail 1\n\u{2139} cancelled 1\n\u{2139} skipped 1";
        let skipped = vec!["b (0.1ms) # no shared folder".to_owned()];
        assert_eq!(count_node(output), Count { passed: 2, failed: 2, skipped });
    }
}
