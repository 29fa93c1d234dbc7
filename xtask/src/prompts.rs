//! Every prompt that lies in the folder is one that the engine uses.

use std::fs;

use crate::rooms::sources;
use crate::workspace::root;

#[test]
fn every_prompt_is_included() {
    let Ok(files) = fs::read_dir(root().join("prompts/compaction")) else {
        return;
    };
    let included: Vec<String> = sources()
        .iter()
        .flat_map(|(_, text)| {
            let after = text.split("include_str!(").skip(1);
            after.filter_map(|rest| rest.split(')').next()).map(str::to_owned).collect::<Vec<_>>()
        })
        .collect();
    let unused: Vec<String> = files
        .map(|file| file.expect("prompts can be listed").file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".md"))
        .filter(|name| !included.iter().any(|path| path.contains(&format!("prompts/compaction/{name}\""))))
        .collect();
    assert!(unused.is_empty(), "no include_str! names these files of prompts/compaction: {unused:?}");
}
