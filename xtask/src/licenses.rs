//! The licences of what is linked into the wasm file, as the package must carry them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

const HEAD: &str = "\
The WebAssembly files of this package and the scripts that load them hold code of the crates below,
and of the standard library of Rust (MIT OR Apache-2.0, by the Rust project's contributors).
Each stands under its own licence. What is made from data of others follows at the end.
";

/// What is made from the data of others and is in no crate: a heading and the licence.
const DATA: &[(&str, &str)] = &[
    (
        "The classes of characters, from the Unicode Character Database (Unicode-3.0)\nhttps://www.unicode.org/ucd/",
        include_str!("../../src/llm/cluster/LICENSE-UNICODE"),
    ),
    (
        "The vocabulary files, from the vocabularies of tiktoken, as the crate tiktoken-rs carries them (MIT)\n\
         https://github.com/openai/tiktoken, https://github.com/zurawiki/tiktoken-rs",
        include_str!("../../tokenizer/LICENSE-TIKTOKEN"),
    ),
];

/// The text of the third-party file, from `cargo metadata`.
pub fn third_party(metadata: &Value) -> Result<String> {
    let mut text = HEAD.to_owned();
    let rule = "-".repeat(78);
    // Most crates carry the same text of the Apache licence; it is printed once.
    let mut printed: BTreeMap<String, String> = BTreeMap::new();
    for package in linked(metadata)? {
        let name = format!("{} {}", string(package, "name")?, string(package, "version")?);
        let license = package["license"].as_str().unwrap_or("see its licence file");
        write!(text, "\n{rule}\n{name} ({license})\n")?;
        if let Some(repository) = package["repository"].as_str() {
            writeln!(text, "{repository}")?;
        }
        let manifest = Path::new(string(package, "manifest_path")?);
        let files = license_files(manifest.parent().context("a manifest lies in a folder")?)?;
        if files.is_empty() && package["license"].is_null() {
            bail!("{name} names no licence and carries none");
        }
        for (file, body) in files {
            match printed.get(&body) {
                Some(first) => write!(text, "\n{file}: the same text as above, under {first}\n")?,
                None => {
                    write!(text, "\n{file}:\n\n{}\n", body.trim_end())?;
                    printed.insert(body, name.clone());
                }
            }
        }
    }
    for (heading, license) in DATA {
        write!(text, "\n{rule}\n{heading}\n\n{}\n", license.trim_end())?;
    }
    Ok(text)
}

/// The crates that end up in the wasm file: what the engine depends on at run time, without macros,
/// which only run in the compiler.
fn linked(metadata: &Value) -> Result<Vec<&Value>> {
    let packages: BTreeMap<&str, &Value> =
        array(&metadata["packages"])?.iter().filter_map(|package| Some((package["id"].as_str()?, package))).collect();
    let nodes: BTreeMap<&str, &Value> =
        array(&metadata["resolve"]["nodes"])?.iter().filter_map(|node| Some((node["id"].as_str()?, node))).collect();
    let root = packages.iter().find(|(_, package)| package["name"] == "threadfold").map(|(id, _)| *id);
    let mut open = vec![root.context("cargo metadata names no crate `threadfold`")?];
    let mut seen = BTreeSet::from_iter(open.iter().copied());
    let mut found = BTreeMap::new();
    while let Some(id) = open.pop() {
        let node = nodes.get(id).with_context(|| format!("cargo metadata resolves no {id}"))?;
        for dependency in array(&node["deps"])? {
            let at_run_time = array(&dependency["dep_kinds"])?.iter().any(|kind| kind["kind"].is_null());
            let Some(id) = dependency["pkg"].as_str() else {
                continue;
            };
            let package = packages.get(id).with_context(|| format!("cargo metadata describes no {id}"))?;
            if at_run_time && !is_macro(package) && seen.insert(id) {
                found.insert((package["name"].as_str(), package["version"].as_str()), *package);
                open.push(id);
            }
        }
    }
    Ok(found.into_values().collect())
}

fn is_macro(package: &Value) -> bool {
    let targets = package["targets"].as_array().map(Vec::as_slice).unwrap_or_default();
    let kinds = targets.iter().filter_map(|target| target["kind"].as_array());
    kinds.flatten().any(|kind| kind == "proc-macro")
}

/// The licence files of a crate, by name.
fn license_files(folder: &Path) -> Result<BTreeMap<String, String>> {
    let mut files = BTreeMap::new();
    for file in fs::read_dir(folder).with_context(|| format!("could not read {}", folder.display()))? {
        let file = file?;
        let name = file.file_name().to_string_lossy().into_owned();
        let upper = name.to_uppercase();
        let is_license = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE"]
            .iter()
            .any(|start| upper.starts_with(start));
        if is_license && file.file_type()?.is_file() {
            files.insert(name, String::from_utf8_lossy(&fs::read(file.path())?).replace("\r\n", "\n"));
        }
    }
    Ok(files)
}

fn array(value: &Value) -> Result<&Vec<Value>> {
    value.as_array().context("cargo metadata lacks a list")
}

fn string<'a>(value: &'a Value, key: &str) -> Result<&'a str> {
    value[key].as_str().with_context(|| format!("cargo metadata gives a crate no {key}"))
}
