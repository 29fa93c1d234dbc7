//! What a fresh machine with Rust and Node still lacks. Each part does nothing where it is done.

pub mod chromium;
pub mod npm;
pub mod wasm_target;

use crate::steps::{Kind, Outcome, Step};

/// What every build needs.
pub fn for_building() -> Vec<Step> {
    vec![
        Step::new(Kind::Setup, "setting up the wasm target", |context| {
            let toolchain = wasm_target::ensure(context)?;
            let note = toolchain.name();
            context.toolchain = Some(toolchain);
            Ok(Outcome::note(note))
        }),
        npm_packages(),
    ]
}

/// What everything in JavaScript needs.
pub fn npm_packages() -> Step {
    Step::new(Kind::Setup, "setting up the JavaScript packages", |context| {
        let fresh = npm::ensure(context)?;
        Ok(Outcome::note(if fresh { "installed" } else { "already there" }))
    })
}

/// What the browser tests need.
pub fn browser() -> Step {
    Step::new(Kind::Setup, "looking for Chromium", |context| {
        let path = chromium::ensure(context)?;
        let note = path.display().to_string();
        context.chromium = Some(path);
        Ok(Outcome::note(note))
    })
}

/// Whether we may install Debian packages, and with which helper.
fn apt(packages: &[&str], log: &std::path::Path) -> anyhow::Result<()> {
    use std::process::Command;
    use std::time::Duration;

    use anyhow::{Context, bail};

    let by_hand = format!("apt-get install --no-install-recommends {}", packages.join(" "));
    if !std::path::Path::new("/usr/bin/apt-get").exists() {
        bail!("this system has no apt-get; install the like of: {}", packages.join(", "));
    }
    for (arguments, limit) in [
        (vec!["update"], Duration::from_secs(300)),
        ([&["install", "-y", "--no-install-recommends"][..], packages].concat(), Duration::from_secs(900)),
    ] {
        let mut command = Command::new("/usr/bin/apt-get");
        command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
        let finished = crate::run::finish(&mut command, log, limit)
            .with_context(|| format!("Debian's packages could not be fetched; try as root: {by_hand}"))?;
        if !finished.success {
            bail!("apt-get failed; run this as root and try again: {by_hand}\n{}", finished.output.trim_end());
        }
    }
    Ok(())
}
