//! `cargo xtask demo`: one real session folded, with a report for a person; then the page, to see it fold.

use std::io::IsTerminal;
use std::path::PathBuf;

use anyhow::{Result, bail};

use crate::steps::{self, Context, Kind, Outcome, Step};
use crate::{build, page, run, setup};

/// Builds, folds the session that was named or the sample, and serves the page where a person looks on.
pub fn demo(session: Option<PathBuf>) -> Result<()> {
    if let Some(session) = session.as_ref().filter(|session| !session.is_file()) {
        bail!("{} is no file; `cargo xtask demo` without an argument folds a sample", session.display());
    }
    // The script runs in the root of the project; the user's path may be relative to elsewhere.
    let given = session.map(std::path::absolute).transpose()?;
    let mut context = Context::new()?;
    let steps = setup::for_building().into_iter().chain(build::steps()).collect();
    steps::run(&mut context, steps, false)?;
    let session = given.unwrap_or_else(|| page::sample(&context.workspace));
    println!();
    run::shown(context.workspace.node().arg("demo/fold.mjs").arg(session))?;
    // A pipe or a CI run would wait for ever.
    if std::io::stdout().is_terminal() { page::serve(&context.workspace) } else { Ok(()) }
}

/// The demo as a test: the sample is folded, and nothing fails.
pub fn test_step() -> Step {
    Step::new(Kind::NeedsPackage, "folding the sample session", |context| {
        let mut command = context.workspace.node();
        run::quiet(command.arg("demo/fold.mjs").arg(page::sample(&context.workspace)), &context.log)?;
        Ok(Outcome::default())
    })
}
