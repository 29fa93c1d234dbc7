//! The vocabulary files of the encodings, made from what tiktoken-rs has.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use anyhow::{Context as _, Result, anyhow};
use tokenizer::Encoding;

use crate::workspace::Workspace;

/// A vocabulary file of the package.
pub struct VocabularyFile {
    /// The encoding that it is named after.
    encoding: Encoding,
    /// Its name in the package.
    pub name: String,
    /// Where it is made.
    pub path: PathBuf,
}

/// Every vocabulary file, each once.
pub fn files(workspace: &Workspace) -> Vec<VocabularyFile> {
    let folder = workspace.scratch().join("vocabularies");
    let own = Encoding::ALL.into_iter().filter(|encoding| encoding.vocabulary() == *encoding);
    own.map(|encoding| VocabularyFile { encoding, name: file_name(encoding), path: folder.join(file_name(encoding)) })
        .collect()
}

fn file_name(encoding: Encoding) -> String {
    format!("{}.vocabulary", encoding.vocabulary().name())
}

/// Makes what is missing or was made by other sources, and hands the list of all over to the facade. Says
/// whether all was there.
pub fn make(workspace: &Workspace) -> Result<bool> {
    let files = files(workspace);
    let key = workspace.scratch().join("vocabularies/made-from.bin");
    let wanted = sources(workspace)?;
    let unchanged = files.iter().all(|file| file.path.exists()) && fs::read(&key).is_ok_and(|last| last == wanted);
    if !unchanged {
        fs::create_dir_all(workspace.scratch().join("vocabularies"))?;
        thread::scope(|scope| {
            let makers: Vec<_> = files
                .iter()
                .map(|file| scope.spawn(|| fs::write(&file.path, tokenizer::build::vocabulary_file(file.encoding))))
                .collect();
            for maker in makers {
                maker.join().map_err(|_| anyhow!("a vocabulary could not be made"))??;
            }
            anyhow::Ok(())
        })?;
        fs::write(&key, wanted)?;
    }
    hand_over(workspace)?;
    Ok(unchanged)
}

/// All that decides what the files hold: the crate that makes them, and the versions of what it takes.
fn sources(workspace: &Workspace) -> Result<Vec<u8>> {
    let mut paths = vec![workspace.root.join("Cargo.lock")];
    add_files(&workspace.root.join("tokenizer/src"), &mut paths)?;
    paths.sort();
    paths.iter().try_fold(Vec::new(), |mut all, path| {
        all.extend(fs::read(path).with_context(|| format!("could not read {}", path.display()))?);
        Ok(all)
    })
}

fn add_files(folder: &Path, paths: &mut Vec<PathBuf>) -> Result<()> {
    for file in fs::read_dir(folder).with_context(|| format!("could not list {}", folder.display()))? {
        let path = file?.path();
        if path.is_dir() { add_files(&path, paths)? } else { paths.push(path) }
    }
    Ok(())
}

/// Writes what the facade knows of the files: for each encoding the name of its file, the hash, the size.
fn hand_over(workspace: &Workspace) -> Result<()> {
    let folder = workspace.scratch().join("vocabularies");
    let mut lines = String::new();
    for encoding in Encoding::ALL {
        let name = file_name(encoding);
        let file = fs::read(folder.join(&name)).with_context(|| format!("could not read {name}"))?;
        let hash = tokenizer::hash(&file).with_context(|| format!("{name} is too short"))?;
        let (encoding, bytes) = (encoding.name(), file.len());
        lines.push_str(&format!("  {encoding}: {{ file: \"{name}\", hash: \"{hash}\", bytes: {bytes} }},\n"));
    }
    let glue = workspace.glue();
    fs::write(glue.join("vocabularies.js"), format!("export const VOCABULARIES = {{\n{lines}}};\n"))?;
    let names = Encoding::ALL.map(|encoding| format!("\"{}\"", encoding.name())).join(" | ");
    let declaration = format!(
        "export declare const VOCABULARIES: Readonly<Record<{names}, {{ readonly file: string; readonly hash: string; readonly bytes: number }}>>;\n"
    );
    fs::write(glue.join("vocabularies.d.ts"), declaration)?;
    Ok(())
}
