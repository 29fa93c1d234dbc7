//! What the files that a page fetches may weigh. `budget.json` holds the limits, so that raising one shows in review.

use std::fmt;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use crate::run;
use crate::workspace::Workspace;
use crate::{page, vocabularies, wasm};

/// `gzip -9` measures, as servers that pack files ahead do; where the program is missing, Node's
/// zlib does, which packs a hundredth worse.
const MEASURE: &str = "\
const zlib = require('node:zlib');
const sizes = { raw: 0, gzip: 0, brotli: 0 };
for (const path of process.argv.slice(1)) {
  const bytes = require('node:fs').readFileSync(path);
  const packed = require('node:child_process').spawnSync('gzip', ['-9', '-c'], { input: bytes, maxBuffer: 1e8 });
  sizes.raw += bytes.length;
  sizes.gzip += (packed.status === 0 ? packed.stdout : zlib.gzipSync(bytes, { level: 9 })).length;
  sizes.brotli += zlib.brotliCompressSync(bytes, { params: { [zlib.constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }).length;
}
console.log(JSON.stringify(sizes));
";

/// What has a budget: a file of the package, or the scripts of the demo page together.
struct Item {
    /// What it is called.
    title: String,
    /// Its name in `budget.json`.
    key: String,
    paths: Vec<PathBuf>,
}

fn items(workspace: &Workspace) -> Result<Vec<Item>> {
    let dist = workspace.pkg().join("dist");
    let wasm = wasm::FILES.iter().map(|file| Item {
        title: format!("{} wasm", file.name),
        key: format!("{}Wasm", file.name),
        paths: vec![dist.join(file.file_name())],
    });
    let vocabularies = vocabularies::files(workspace).into_iter().map(|file| Item {
        title: file.name.clone(),
        paths: vec![dist.join(&file.name)],
        key: file.name,
    });
    let page = Item { title: "demo page".into(), key: "demoPage".into(), paths: page::scripts(workspace)? };
    Ok(wasm.chain(vocabularies).chain([page]).collect())
}

/// What an item weighs, in bytes.
pub struct Size {
    title: String,
    raw: u64,
    gzip: u64,
    brotli: u64,
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [raw, gzip, brotli] = [self.raw, self.gzip, self.brotli].map(|bytes| bytes as f64 / 1000.0);
        write!(f, "{}: {raw:.1} kB raw, {gzip:.1} kB gzip, {brotli:.1} kB brotli", self.title)
    }
}

/// Measures the files of an item, each packed by itself.
fn measure(workspace: &Workspace, item: &Item) -> Result<Size> {
    let mut command = workspace.node();
    command.args(["-e", MEASURE]).args(&item.paths);
    let sizes: Value = serde_json::from_str(&run::stdout(&mut command)?).context("the sizes are no JSON")?;
    let size = |key: &str| sizes[key].as_u64().with_context(|| format!("no size {key}"));
    Ok(Size { title: item.title.clone(), raw: size("raw")?, gzip: size("gzip")?, brotli: size("brotli")? })
}

/// Prints what each item weighs.
pub fn print(workspace: &Workspace) -> Result<()> {
    for item in items(workspace)? {
        println!("{}", measure(workspace, &item)?);
    }
    Ok(())
}

/// Holds each size against its budget, which limits it packed in one way or both.
pub fn check(workspace: &Workspace) -> Result<Vec<Size>> {
    let path = workspace.root.join("budget.json");
    let text = fs::read_to_string(&path).with_context(|| format!("could not read {}", path.display()))?;
    let budget: Value = serde_json::from_str(&text).with_context(|| format!("{} is no JSON", path.display()))?;
    let sizes = items(workspace)?.into_iter().map(|item| {
        let size = measure(workspace, &item)?;
        let mut is_limited = false;
        for (packing, bytes) in [("gzip", size.gzip), ("brotli", size.brotli)] {
            let Some(limit) = budget[&item.key][packing].as_u64() else { continue };
            is_limited = true;
            if bytes > limit {
                bail!(
                    "{size}; the budget is {:.1} kB {packing} (budget.json). \
                     Look for what grew, in wasm with `cargo bloat` or `wasm-dis`, before raising it",
                    limit as f64 / 1000.0
                );
            }
        }
        if !is_limited {
            bail!("budget.json must hold {}.gzip or {}.brotli, in bytes", item.key, item.key);
        }
        Ok(size)
    });
    sizes.collect()
}
