//! The browser of the browser tests: whichever Chromium the machine has.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use crate::steps::Context;

const NAMES: [&str; 5] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
const PLACES: [&str; 3] = [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/// Finds Chromium, or installs it where that is ours to do.
pub fn ensure(context: &Context) -> Result<PathBuf> {
    if let Some(path) = env::var_os("CHROME_PATH").map(PathBuf::from) {
        if !path.is_file() {
            bail!("CHROME_PATH names {}, which is no file", path.display());
        }
        return Ok(path);
    }
    if let Some(path) = find() {
        return Ok(path);
    }
    let advice = "no Chromium or Chrome was found: install one, or name it in CHROME_PATH \
                  (`cargo xtask test --rust --node --package` runs everything else)";
    super::apt(&["chromium"], &context.log).context(advice)?;
    find().context(advice)
}

fn find() -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let on_path = env::split_paths(&path).flat_map(|folder| NAMES.map(|name| folder.join(name)));
    on_path.chain(PLACES.map(|place| Path::new(place).to_owned())).find(|candidate| candidate.is_file())
}
