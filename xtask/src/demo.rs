//! `cargo xtask demo`: one real session folded, with a report for a person.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::steps::{self, Context, Kind, Outcome, Step};
use crate::workspace::Workspace;
use crate::{build, run, setup};

/// Builds, makes the sample where no session was named, and hands over to the script.
pub fn demo(session: Option<PathBuf>) -> Result<()> {
    if let Some(session) = session.as_ref().filter(|session| !session.is_file()) {
        bail!("{} is no file; `cargo xtask demo` without an argument folds a sample", session.display());
    }
    // The script runs in the root of the project; the user's path may be relative to elsewhere.
    let given = session.map(std::path::absolute).transpose()?;
    let mut context = Context::new()?;
    let sample = context.workspace.target.join("demo/session.jsonl");
    let mut steps: Vec<Step> = setup::for_building().into_iter().chain(build::steps()).collect();
    if given.is_none() {
        steps.push(sample_step(sample.clone()));
    }
    steps::run(&mut context, steps, false)?;
    println!();
    run::shown(context.workspace.node().arg("demo/fold.mjs").arg(given.unwrap_or(sample)))
}

/// Where tests find the sample session.
pub fn test_sample(workspace: &Workspace) -> PathBuf {
    workspace.scratch().join("demo-test/session.jsonl")
}

/// Generates the sample session for the tests.
pub fn test_sample_step() -> Step {
    Step::new(Kind::Check, "generating the sample session", |context| {
        write_sample(context, &test_sample(&context.workspace))?;
        Ok(Outcome::default())
    })
}

/// The demo as a test: the sample is folded, and nothing fails.
pub fn test_step() -> Step {
    Step::new(Kind::NeedsPackage, "folding the sample session", |context| {
        let mut command = context.workspace.node();
        run::quiet(command.arg("demo/fold.mjs").arg(test_sample(&context.workspace)), &context.log)?;
        Ok(Outcome::default())
    })
}

fn sample_step(path: PathBuf) -> Step {
    Step::new(Kind::Build, "generating the sample session", move |context| {
        write_sample(context, &path)?;
        Ok(Outcome::note(path.display().to_string()))
    })
}

fn write_sample(context: &Context, path: &Path) -> Result<()> {
    let mut command = context.workspace.cargo();
    command.args(["run", "--package", "xtask", "--example", "sample", "--"]).arg(path);
    run::quiet(&mut command, &context.log)?;
    Ok(())
}
