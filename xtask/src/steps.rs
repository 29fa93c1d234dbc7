//! A chore as a list of named steps, with progress while it runs and a count at its end.

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Result, bail};

use crate::setup::wasm_target::Toolchain;
use crate::workspace::Workspace;

/// What the steps of one run hand on to each other.
pub struct Context {
    /// Where everything is.
    pub workspace: Workspace,
    /// How to compile for wasm, once set up.
    pub toolchain: Option<Toolchain>,
    /// The browser, once found.
    pub chromium: Option<PathBuf>,
    /// Where the running step keeps its programs' output.
    pub log: PathBuf,
}

/// What a step has to say when it did not fail.
#[derive(Default)]
pub struct Outcome {
    /// How many tests passed; `None` where the step is one test by itself.
    pub passed: Option<usize>,
    /// A remark for its line.
    pub note: String,
    /// What was left out, with the reason.
    pub skipped: Vec<String>,
}

impl Outcome {
    /// The step is done, and this is worth saying.
    pub fn note(note: impl Into<String>) -> Self {
        Self { note: note.into(), ..Self::default() }
    }

    /// The step had nothing to do here.
    pub fn skipped(reason: impl Into<String>) -> Self {
        Self { passed: Some(0), skipped: vec![reason.into()], ..Self::default() }
    }
}

/// A failure among many tests: how many passed and failed, and what the runner printed.
#[derive(Debug)]
pub struct TestsFailed {
    /// How many passed all the same.
    pub passed: usize,
    /// How many failed.
    pub failed: usize,
    /// What the runner printed.
    pub output: String,
}

impl std::fmt::Display for TestsFailed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} passed, {} failed:\n{}", self.passed, self.failed, self.output)
    }
}

impl std::error::Error for TestsFailed {}

/// What becomes of the rest when a step fails.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Nothing after it makes sense.
    Setup,
    /// Concerns nothing but itself.
    Check,
    /// A part of the package: what needs the package cannot run.
    Build,
    /// Needs the package.
    NeedsPackage,
}

type Work = Box<dyn FnOnce(&mut Context) -> Result<Outcome>>;

/// One named step.
pub struct Step {
    kind: Kind,
    title: String,
    work: Work,
}

impl Step {
    /// A step, by what it does.
    pub fn new(
        kind: Kind,
        title: impl Into<String>,
        work: impl FnOnce(&mut Context) -> Result<Outcome> + 'static,
    ) -> Self {
        Self { kind, title: title.into(), work: Box::new(work) }
    }
}

/// How many tests passed and failed, and what was left out.
#[derive(Default)]
pub struct Tally {
    /// How many passed.
    pub passed: usize,
    /// How many failed.
    pub failed: usize,
    /// What was left out, with the reason.
    pub skipped: Vec<String>,
}

/// Runs the steps in order. With `keep_going`, a failed step ends only what depends on it.
pub fn run(context: &mut Context, steps: Vec<Step>, keep_going: bool) -> Result<Tally> {
    let total = steps.len();
    let mut tally = Tally::default();
    let mut built = true;
    for (index, Step { kind, title, work }) in steps.into_iter().enumerate() {
        let number = index + 1;
        print!("[{number}/{total}] {title} ... ");
        std::io::stdout().flush()?;
        if !built && matches!(kind, Kind::Build | Kind::NeedsPackage) {
            println!("not run, since the build failed");
            tally.failed += 1;
            continue;
        }
        context.log = context.workspace.scratch().join(format!("logs/{number:02}.log"));
        let start = Instant::now();
        let result = work(context);
        let seconds = start.elapsed().as_secs_f64();
        match result {
            Ok(outcome) => {
                let note = if outcome.note.is_empty() { String::new() } else { format!(" ({})", outcome.note) };
                println!("{seconds:.1} s{note}");
                for reason in &outcome.skipped {
                    println!("      skipped: {reason}");
                }
                // Set-up is no test.
                tally.passed += outcome.passed.unwrap_or(usize::from(kind != Kind::Setup));
                tally.skipped.extend(outcome.skipped);
            }
            Err(error) => {
                println!("FAILED after {seconds:.1} s");
                if !keep_going || kind == Kind::Setup {
                    return Err(error.context(format!("{title}: failed")));
                }
                eprintln!("{error:#}\n");
                match error.downcast_ref::<TestsFailed>() {
                    Some(tests) => {
                        tally.passed += tests.passed;
                        tally.failed += tests.failed.max(1);
                    }
                    None => tally.failed += 1,
                }
                built &= kind != Kind::Build;
            }
        }
    }
    Ok(tally)
}

impl Context {
    /// A fresh context; set-up steps fill it.
    pub fn new() -> Result<Self> {
        let workspace = Workspace::find()?;
        let log = workspace.scratch().join("logs/00.log");
        Ok(Self { workspace, toolchain: None, chromium: None, log })
    }

    /// The toolchain for wasm; an error means that a chore forgot its set-up step.
    pub fn toolchain(&self) -> Result<&Toolchain> {
        match &self.toolchain {
            Some(toolchain) => Ok(toolchain),
            None => bail!("the wasm target was not set up"),
        }
    }
}
