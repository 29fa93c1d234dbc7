//! Holds the order of the engine's rooms: a room knows those below it, never one above or beside it.
//!
//! The compiler would take any path; this reads the paths that begin with `crate::`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::workspace::root;

/// Every room and its height. Rooms of one height do not know each other.
const ROOMS: [(&str, u8); 18] = [
    ("error", 0),
    ("numbers", 0),
    ("settings", 1),
    ("entry", 2),
    ("tokens", 3),
    ("session", 4),
    ("llm", 5),
    ("format", 6),
    ("summary", 7),
    // The common language of the runs.
    ("hook", 8),
    ("event", 8),
    ("step", 9),
    ("asking", 10),
    ("compaction", 11),
    ("branch", 11),
    ("prune", 11),
    ("agent", 12),
    ("js", 13),
];

/// What only `src/js` may name.
const JAVASCRIPT: [&str; 7] = [
    "wasm_bindgen",
    "wasm_bindgen_futures",
    "serde_wasm_bindgen",
    "js_sys",
    "web_sys",
    "gloo_net",
    "console_error_panic_hook",
];

fn height(room: &str) -> Option<u8> {
    ROOMS.iter().find(|(name, _)| *name == room).map(|(_, height)| *height)
}

/// Every Rust file of the engine with its text.
pub fn sources() -> Vec<(PathBuf, String)> {
    let base = root().join("src");
    let mut open = vec![base.clone()];
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        for file in fs::read_dir(&folder).expect("src can be read") {
            let path = file.expect("src can be listed").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).expect("a source file can be read");
                found.push((path.strip_prefix(&base).expect("it lies in src").to_owned(), text));
            }
        }
    }
    assert!(!found.is_empty(), "src holds no Rust file");
    found.sort();
    found
}

/// The room of a file, by its path below `src`; the crate's root belongs to none.
fn room_of(path: &Path) -> Option<String> {
    let first = path.iter().next()?.to_str()?;
    let room = first.strip_suffix(".rs").unwrap_or(first);
    (room != "lib").then(|| room.to_owned())
}

/// The text without comments, in which any room may be named. Good enough for formatted code: what
/// follows `//` counts as a comment unless a colon stands before it, as in an address.
fn code(text: &str) -> String {
    let uncommented = |line: &str| match line.match_indices("//").find(|(at, _)| !line[..*at].ends_with(':')) {
        Some((at, _)) => line[..at].to_owned(),
        None => line.to_owned(),
    };
    text.lines().map(uncommented).collect::<Vec<_>>().join("\n")
}

/// The first names of all paths that begin with `crate::`, also in a group: `crate::{a, b::c}`.
fn named_rooms(code: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (at, start) in code.match_indices("crate::") {
        let before = code[..at].chars().next_back();
        // `$crate::` is the same crate; `other_crate::` is not.
        if before.is_some_and(|char| char.is_alphanumeric() || char == '_') {
            continue;
        }
        let rest = &code[at + start.len()..];
        match rest.strip_prefix('{') {
            Some(group) => names.extend(group_heads(group)),
            None => names.push(ident(rest)),
        }
    }
    names
}

/// The heads of a group, up to its closing brace.
fn group_heads(group: &str) -> Vec<String> {
    let mut depth = 0;
    let mut heads = Vec::new();
    let mut at_head = true;
    for (at, char) in group.char_indices() {
        match char {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => at_head = true,
            _ if at_head && !char.is_whitespace() => {
                heads.push(ident(&group[at..]));
                at_head = false;
            }
            _ => {}
        }
    }
    heads
}

fn ident(text: &str) -> String {
    text.chars().take_while(|char| char.is_alphanumeric() || *char == '_').collect()
}

/// What a file does against the order.
fn faults(path: &Path, text: &str) -> Vec<String> {
    let Some(room) = room_of(path) else {
        return Vec::new();
    };
    let place = path.display();
    let Some(own) = height(&room) else {
        return vec![format!("{place}: the room `{room}` has no height yet; give it one in xtask/src/rooms.rs")];
    };
    let code = code(text);
    let mut faults = Vec::new();
    for name in named_rooms(&code) {
        if name == room {
            continue;
        }
        match height(&name) {
            Some(other) if other < own => {}
            Some(_) => faults.push(format!("{place}: `{room}` may not know `{name}`")),
            None => faults.push(format!("{place}: `crate::{name}` hides its room; name the room")),
        }
    }
    // At the top of a room `super` is the crate itself, and would slip past.
    let is_top = path.iter().count() == 1 || path.ends_with("mod.rs") && path.iter().count() == 2;
    if is_top && code.lines().any(|line| line.starts_with("use super") || line.starts_with("pub use super")) {
        faults.push(format!("{place}: write `crate::`, not `super::`, for another room"));
    }
    if room != "js" {
        let words = code.split(|char: char| !(char.is_alphanumeric() || char == '_'));
        let named = words.filter(|word| JAVASCRIPT.contains(word));
        faults.extend(named.map(|word| format!("{place}: only `js` may name `{word}`")));
    }
    faults
}

#[test]
fn no_room_knows_one_above_it() {
    let faults: Vec<String> = sources().iter().flat_map(|(path, text)| faults(path, text)).collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn a_room_may_look_down_only() {
    let faults = |path: &str, text: &str| faults(Path::new(path), text).len();
    for (path, text, expected) in [
        ("session/tree.rs", "use crate::entry::Entry;", 0),
        ("session/tree.rs", "use crate::session::leaf;", 0),
        ("session.rs", "use crate::summary::Request;", 1),
        ("tokens/mod.rs", "use crate::{error::{Code, Error}, session::Session, entry};", 1),
        ("llm/view.rs", "fn f() -> crate::format::Kind {}", 1),
        ("llm/view.rs", "// crate::js does this\nlet a = \"https://x\"; // see crate::agent", 0),
        ("lib.rs", "pub use crate::js;", 0),
        ("entry/mod.rs", "use crate::Error;", 1),
        ("attic/mod.rs", "", 1),
        ("prune.rs", "use super::js;", 1),
        ("prune.rs", "mod tests {\n    use super::*;\n}", 0),
        ("agent/mod.rs", "use js_sys::Array;", 1),
        ("js/mod.rs", "use js_sys::Array; use crate::agent::Agent;", 0),
    ] {
        assert_eq!(faults(path, text), expected, "{path}: {text}");
    }
}
