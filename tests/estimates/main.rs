//! How near the estimates come to the exact counts, by script and content.
//!
//! None of these texts is among those that the rates were fitted to (`src/tokens/fit.rs`). The table in
//! TOKENS.md is made of what is found here: `THREADFOLD_WRITE=1 cargo test --test estimates`.

// A test may panic: that is how it fails.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod made;

use fastrand::Rng;
use std::fs;
use std::path::{Path, PathBuf};
use threadfold::tokens::{TokenRule, estimate_text};
use tiktoken_rs::CoreBPE;

/// The most that the estimate of a group may be off, in parts of the exact count.
const MOST_ABOVE: f64 = 0.15;
const MOST_BELOW: f64 = 0.10;
/// The length of the pieces among which the spread of a group is measured, in characters.
const PIECE: usize = 400;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/estimates").join(name)
}

/// The files of a folder, with their names, in order.
fn files(name: &str) -> Vec<(String, String)> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder(name)).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let read =
        |path: PathBuf| (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read_to_string(&path).unwrap());
    paths.into_iter().map(read).collect()
}

/// The groups: what their texts are, and the texts as one.
fn groups() -> Vec<(String, String)> {
    let mut groups: Vec<(String, String)> = files("prose")
        .into_iter()
        .map(|(name, text)| (format!("prose, {}", name.trim_end_matches(".txt")), text))
        .collect();
    let code = files("code");
    groups
        .extend(code.iter().map(|(name, text)| (format!("code, {}", name.rsplit('.').next().unwrap()), text.clone())));
    let mut rng = Rng::with_seed(2_026);
    let patches = code.iter().map(|(name, text)| made::diff(&mut rng, name, text)).collect();
    let mixed = groups.iter().step_by(3).map(|(_, text)| text.lines().next().unwrap().to_owned() + "\n").collect();
    let mut add = |name: &str, text: String| groups.push((name.to_owned(), text));
    add("code, as patches", patches);
    add("JSON, in lines", made::json(&mut rng));
    add("JSON, compact", made::compact_json(&mut rng));
    add("log of a service", made::service_log(&mut rng));
    add("log of tests", made::test_log(&mut rng));
    add("table, Markdown", made::markdown_table(&mut rng));
    add("table, CSV", made::csv(&mut rng));
    add("base64", made::base64(&mut rng));
    add("hex", made::hex(&mut rng));
    add("emoji", "👩‍🔧🚢⚓️🌊🛟🐟🌬️☔️🧭🏗️📦🧰🔦🪝🚤🛶🎣😀🥶🙌".repeat(12));
    add("all scripts, mixed", mixed);
    groups
}

struct Measured {
    tokens: usize,
    /// What the estimate is above the exact count, in parts of it.
    bias: f64,
    /// The standard deviation of that among pieces.
    spread: f64,
}

fn measured(exact: &CoreBPE, text: &str) -> Measured {
    let ratio = |text: &str| estimate_text(text, TokenRule::BY_SCRIPT) as f64 / exact.count_ordinary(text) as f64;
    let characters: Vec<char> = text.chars().collect();
    let pieces: Vec<f64> = characters
        .chunks(PIECE)
        .filter(|piece| piece.len() > PIECE / 2)
        .map(|piece| ratio(&piece.iter().collect::<String>()))
        .collect();
    let mean = pieces.iter().sum::<f64>() / pieces.len() as f64;
    let variance = pieces.iter().map(|ratio| (ratio - mean).powi(2)).sum::<f64>() / pieces.len() as f64;
    Measured { tokens: exact.count_ordinary(text), bias: ratio(text) - 1.0, spread: variance.sqrt() }
}

/// The table of TOKENS.md.
fn table() -> String {
    let exact = tiktoken_rs::o200k_base().unwrap();
    let mut table = "| text | tokens | bias | spread |\n|---|---:|---:|---:|\n".to_owned();
    for (name, text) in groups() {
        let Measured { tokens, bias, spread } = measured(&exact, &text);
        table += &format!("| {name} | {tokens} | {:+.0} % | {:.0} % |\n", bias * 100.0, spread * 100.0);
    }
    table
}

const BEGIN: &str = "<!-- made by `THREADFOLD_WRITE=1 cargo test --test estimates` -->\n";
const END: &str = "<!-- end of estimates -->\n";

#[test]
fn the_table_of_the_document_is_what_is_measured() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("TOKENS.md");
    let document = fs::read_to_string(&path).unwrap();
    let (before, rest) = document.split_once(BEGIN).expect("where the table begins");
    let (_, after) = rest.split_once(END).expect("where the table ends");
    let anew = format!("{before}{BEGIN}{}{END}{after}", table());
    if std::env::var_os("THREADFOLD_WRITE").is_some() {
        fs::write(&path, &anew).unwrap();
    }
    assert!(
        anew == document || std::env::var_os("THREADFOLD_WRITE").is_some(),
        "TOKENS.md says otherwise:\n{}",
        table()
    );
}

#[test]
fn each_group_is_estimated_within_its_limits() {
    let exact = tiktoken_rs::o200k_base().unwrap();
    let groups = groups();
    assert!(groups.iter().filter(|(name, _)| name.starts_with("prose")).count() >= 20);
    let mut off = Vec::new();
    for (name, text) in &groups {
        let Measured { tokens, bias, .. } = measured(&exact, text);
        if !(-MOST_BELOW..=MOST_ABOVE).contains(&bias) {
            off.push(format!("{name}: {bias:+.3} of {tokens}"));
        }
    }
    assert!(off.is_empty(), "{off:#?}");
}

/// The sources and documents of the project change, so no table is made of them; the limits hold.
#[test]
fn what_this_project_is_written_in_is_estimated_within_its_limits() {
    let exact = tiktoken_rs::o200k_base().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sums: std::collections::BTreeMap<String, (u64, usize)> = std::collections::BTreeMap::new();
    let mut folders: Vec<PathBuf> =
        ["src", "tests", "pkg-template/src", "examples", "prompts"].map(|name| root.join(name)).into();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap()) {
            let (path, name) = (entry.path(), entry.file_name().into_string().unwrap());
            if entry.file_type().unwrap().is_dir() {
                // What is built or brought, and what stands in the table already.
                if !["glue", "node_modules", "dist", "estimates"].contains(&&*name) {
                    folders.push(path);
                }
                continue;
            }
            let (kind, text) = (name.rsplit('.').next().unwrap().to_owned(), fs::read_to_string(&path));
            let Ok(text) = text else { continue };
            if ["rs", "ts", "mjs", "md", "html", "css"].contains(&&*kind) {
                let sum = sums.entry(kind).or_default();
                sum.0 += estimate_text(&text, TokenRule::BY_SCRIPT);
                sum.1 += exact.count_ordinary(&text);
            }
        }
    }
    assert!(sums.len() >= 5, "{sums:?}");
    for (kind, (estimated, counted)) in sums {
        let bias = estimated as f64 / counted as f64 - 1.0;
        assert!((-MOST_BELOW..=MOST_ABOVE).contains(&bias), "{kind}: {bias:+.3} of {counted}");
    }
}
