//! `cargo xtask bench`: ours beside pi's, in one process, as ratios of medians.

use anyhow::Result;

use crate::steps::{self, Context};
use crate::{build, run, setup};

/// Builds, then hands over to the script, which prints as it measures.
pub fn bench() -> Result<()> {
    let mut context = Context::new()?;
    let steps = setup::for_building().into_iter().chain(build::steps()).collect();
    steps::run(&mut context, steps, false)?;
    run::shown(context.workspace.node().arg("--expose-gc").arg("tests/bench/bench.mjs"))
}
