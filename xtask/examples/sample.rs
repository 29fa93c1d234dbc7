//! Writes the sample session to the file that is named.
//!
//! A program of its own: the chores must still start while the sample does not compile.

use std::path::PathBuf;

use anyhow::{Context, Result};

fn main() -> Result<()> {
    let path = std::env::args_os().nth(1).map(PathBuf::from).context("name the file to write")?;
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).with_context(|| format!("could not make {}", folder.display()))?;
    }
    std::fs::write(&path, sample_session::generate()).with_context(|| format!("could not write {}", path.display()))
}
