//! Real sessions, where they are at hand.

use std::path::Path;

/// What a test says that needs real sessions and finds none.
pub(crate) const SKIPPED: &str = "skipped: the folder of real sessions is not there";

/// The files of the index whose format is pi's own or near it, with their names; none where the
/// folder is absent.
pub(crate) fn real() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/sessions");
    let Ok(index) = std::fs::read_to_string(folder.join("INDEX.md")) else { return Vec::new() };
    let cells =
        |line: &str| -> Vec<String> { line.split('|').map(|cell| cell.trim().trim_matches('`').to_owned()).collect() };
    let named =
        index.lines().map(cells).filter(|cells| matches!(cells.get(2).map(String::as_str), Some("pi" | "pi-like")));
    named
        .map(|cells| {
            let bytes = std::fs::read(folder.join(&cells[1])).expect("a file of the index");
            (cells[1].clone(), bytes)
        })
        .collect()
}
