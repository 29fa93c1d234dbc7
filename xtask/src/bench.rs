//! `cargo xtask bench`: ours beside pi's, in one process, as ratios.

use std::ffi::OsString;

use anyhow::Result;

use crate::steps::{self, Context};
use crate::{build, run, setup};

/// Builds, then hands over to the script, which prints as it measures; `only` names rows by a part of their name.
pub fn bench(only: Option<OsString>) -> Result<()> {
    let mut context = Context::new()?;
    let steps = setup::for_building().into_iter().chain(build::steps()).collect();
    steps::run(&mut context, steps, false)?;
    let mut script = context.workspace.node();
    script.args(["--expose-gc", "tests/bench/bench.mjs"]);
    if let Some(only) = only {
        script.arg("--only").arg(only);
    }
    run::shown(&mut script)
}
