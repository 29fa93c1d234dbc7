//! The demo page: `www/` as static files in the target folder, ready for any host.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};

use crate::run;
use crate::steps::{Context, Kind, Outcome, Step};
use crate::workspace::Workspace;

/// Where the built page lies.
pub fn folder(workspace: &Workspace) -> PathBuf {
    workspace.target.join("www")
}

/// The session that the page shows first, and that the report and the tests fold.
pub fn sample(workspace: &Workspace) -> PathBuf {
    workspace.target.join("demo/session.jsonl")
}

/// Makes the page, once the packed package is installed. No part of the package: where it fails, the rest goes on.
pub fn steps() -> Vec<Step> {
    vec![
        Step::new(Kind::Check, "generating the sample session", |context| {
            let path = sample(&context.workspace);
            let mut command = context.workspace.cargo();
            command.args(["run", "--package", "xtask", "--example", "sample", "--"]).arg(&path);
            run::quiet(&mut command, &context.log)?;
            Ok(Outcome::default())
        }),
        Step::new(Kind::NeedsPackage, "building the demo page", |context| {
            build(context)?;
            Ok(Outcome::default())
        }),
    ]
}

fn build(context: &Context) -> Result<()> {
    let workspace = &context.workspace;
    let folder = folder(workspace);
    // After a failure the page of an earlier build would be tested and served.
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("could not empty {}", folder.display()))?;
    }
    let mut vite = workspace.node_tool("vite/bin/vite.js");
    vite.args(["build", "www", "--logLevel", "warn", "--outDir"]).arg(&folder);
    vite.env("THREADFOLD_SAMPLE", sample(workspace));
    run::quiet(&mut vite, &context.log)?;
    Ok(())
}

/// Every script of the built page: what a visit fetches beside the engine.
pub fn scripts(workspace: &Workspace) -> Result<Vec<PathBuf>> {
    let mut open = vec![folder(workspace)];
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        let files = fs::read_dir(&folder).with_context(|| format!("could not list {}", folder.display()))?;
        for file in files {
            let path = file?.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "js") {
                found.push(path);
            }
        }
    }
    if found.is_empty() {
        bail!("{} holds no script", folder(workspace).display());
    }
    found.sort();
    Ok(found)
}

/// Serves the page until Ctrl+C.
pub fn serve(workspace: &Workspace) -> Result<()> {
    run::shown(workspace.node().arg("www/serve.mjs").arg(folder(workspace)))
}
