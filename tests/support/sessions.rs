//! Real sessions, where they are at hand.

use std::path::Path;

/// What a test says that needs real sessions and finds none.
pub(crate) const SKIPPED: &str = "skipped: the folder of real sessions is not there";

/// The files of the index whose format is pi's own or near it, with their names; none where the
/// folder is absent.
pub(crate) fn real() -> Vec<(String, Vec<u8>)> {
    let of_pi = |(_, format, _): &(String, String, Vec<u8>)| matches!(format.as_str(), "pi" | "pi-like");
    all().into_iter().filter(of_pi).map(|(name, _, bytes)| (name, bytes)).collect()
}

/// Every file of the index, with its name and its format; none where the folder is absent.
pub(crate) fn all() -> Vec<(String, String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/sessions");
    let Ok(index) = std::fs::read_to_string(folder.join("INDEX.md")) else { return Vec::new() };
    let cells =
        |line: &str| -> Vec<String> { line.split('|').map(|cell| cell.trim().trim_matches('`').to_owned()).collect() };
    let rows = index.lines().map(cells).filter(|cells| cells.len() > 3 && cells[1].contains(".json"));
    let file = |cells: Vec<String>| {
        let bytes = std::fs::read(folder.join(&cells[1])).expect("a file of the index");
        (cells[1].clone(), cells[2].clone(), bytes)
    };
    rows.map(file).collect()
}
