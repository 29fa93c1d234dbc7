//! The JavaScript packages that the chores use, exactly as the lock names them.

use std::fs;
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::run;
use crate::steps::Context;
use crate::workspace::Workspace;

/// The lowest Node that the package and the tools run on.
const LOWEST_NODE: u32 = 20;

/// Installs the packages unless those of this very lock are there. Says whether it had to.
pub fn ensure(context: &Context) -> Result<bool> {
    let workspace = &context.workspace;
    check_node(workspace)?;
    let lock = workspace.root.join("package-lock.json");
    let wanted = fs::read(&lock).with_context(|| format!("could not read {}", lock.display()))?;
    // A copy of the lock tells more than file times, which a fresh checkout sets at will.
    let stamp = workspace.root.join("node_modules/.installed-lock.json");
    if fs::read(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(false);
    }
    run::quiet(npm(workspace).arg("ci"), &context.log)
        .context("the JavaScript packages could not be installed; `npm ci` must work here")?;
    fs::write(&stamp, wanted).with_context(|| format!("could not write {}", stamp.display()))?;
    Ok(true)
}

/// npm, in the root of the project.
pub fn npm(workspace: &Workspace) -> Command {
    let mut command = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    command.current_dir(&workspace.root);
    command
}

fn check_node(workspace: &Workspace) -> Result<()> {
    let version = run::stdout(workspace.node().arg("--version"))?;
    let major = version.trim().trim_start_matches('v').split('.').next().and_then(|major| major.parse::<u32>().ok());
    match major {
        Some(major) if major >= LOWEST_NODE => Ok(()),
        _ => bail!("Node {} is too old: install Node {LOWEST_NODE} or later", version.trim()),
    }
}
