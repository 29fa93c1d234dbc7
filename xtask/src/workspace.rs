//! Where things are, as cargo tells it.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::run;

/// The project's folders and what cargo knows of its crates.
pub struct Workspace {
    /// The root of the repository.
    pub root: PathBuf,
    /// Cargo's target folder, wherever the user has put it.
    pub target: PathBuf,
    /// The version that the package carries.
    pub version: String,
    /// `cargo metadata` of what is linked into the wasm.
    pub metadata: Value,
}

impl Workspace {
    /// Asks cargo. Dependencies are fetched where they are missing.
    pub fn find() -> Result<Self> {
        let root = root();
        let mut command = cargo(&root);
        command.args(["metadata", "--format-version=1", "--filter-platform=wasm32-unknown-unknown"]);
        let metadata: Value =
            serde_json::from_str(&run::stdout(&mut command)?).context("cargo metadata gave no JSON")?;
        let target = metadata["target_directory"].as_str().context("cargo metadata names no target folder")?;
        let version = metadata["packages"]
            .as_array()
            .and_then(|packages| packages.iter().find(|package| package["name"] == "threadfold"))
            .and_then(|package| package["version"].as_str())
            .context("cargo metadata names no crate `threadfold`")?;
        Ok(Self { target: target.into(), version: version.to_owned(), root, metadata })
    }

    /// The folder of the npm package.
    pub fn pkg(&self) -> PathBuf {
        self.root.join("pkg")
    }

    /// A folder for what the chores keep between runs.
    pub fn scratch(&self) -> PathBuf {
        self.target.join("xtask")
    }

    /// Where the glue lies, so that the facade can import it and be checked against its types.
    pub fn glue(&self) -> PathBuf {
        self.root.join("pkg-template/src/glue")
    }

    /// The cargo that runs this chore, in the root of the project.
    pub fn cargo(&self) -> Command {
        cargo(&self.root)
    }

    /// Node, in the root of the project.
    pub fn node(&self) -> Command {
        let mut command = Command::new("node");
        command.current_dir(&self.root);
        command
    }

    /// A tool among the JavaScript packages, by the path of its script below `node_modules`.
    /// Started through Node, since the shims in `.bin` differ from system to system.
    pub fn node_tool(&self, script: &str) -> Command {
        let mut command = self.node();
        command.arg(self.root.join("node_modules").join(script));
        command
    }
}

/// The root of the repository: this crate lies one below it.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

fn cargo(root: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root);
    command
}
