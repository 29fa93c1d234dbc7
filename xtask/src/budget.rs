//! What the engine may weigh. `budget.json` holds the limit, so that raising it shows in review.

use std::fmt;
use std::fs;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use crate::run;
use crate::workspace::Workspace;

/// `gzip -9` measures, as servers that pack files ahead do; where the program is missing, Node's
/// zlib does, which packs a hundredth worse.
const MEASURE: &str = "\
const zlib = require('node:zlib');
const bytes = require('node:fs').readFileSync(process.argv[1]);
const packed = require('node:child_process').spawnSync('gzip', ['-9', '-c'], { input: bytes, maxBuffer: 1e8 });
const gzip = (packed.status === 0 ? packed.stdout : zlib.gzipSync(bytes, { level: 9 })).length;
const brotli = zlib.brotliCompressSync(bytes, { params: { [zlib.constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }).length;
console.log(JSON.stringify({ raw: bytes.length, gzip, brotli }));
";

/// The engine's size in bytes.
pub struct Sizes {
    raw: u64,
    gzip: u64,
    brotli: u64,
}

impl fmt::Display for Sizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [raw, gzip, brotli] = [self.raw, self.gzip, self.brotli].map(|bytes| bytes as f64 / 1000.0);
        write!(f, "{raw:.1} kB raw, {gzip:.1} kB gzip, {brotli:.1} kB brotli")
    }
}

/// Measures the wasm file in `pkg/`.
pub fn measure(workspace: &Workspace) -> Result<Sizes> {
    let mut command = workspace.node();
    command.args(["-e", MEASURE]).arg(workspace.pkg().join("dist/threadfold_bg.wasm"));
    let sizes: Value = serde_json::from_str(&run::stdout(&mut command)?).context("the sizes are no JSON")?;
    let size = |key: &str| sizes[key].as_u64().with_context(|| format!("no size {key}"));
    Ok(Sizes { raw: size("raw")?, gzip: size("gzip")?, brotli: size("brotli")? })
}

/// Holds the size against the budget.
pub fn check(workspace: &Workspace) -> Result<Sizes> {
    let file = workspace.root.join("budget.json");
    let text = fs::read_to_string(&file).with_context(|| format!("could not read {}", file.display()))?;
    let budget: Value = serde_json::from_str(&text).with_context(|| format!("{} is no JSON", file.display()))?;
    let limit = budget["coreWasm"]["gzip"].as_u64().context("budget.json must hold coreWasm.gzip, in bytes")?;
    let sizes = measure(workspace)?;
    if sizes.gzip > limit {
        bail!(
            "the engine is {sizes}; the budget is {:.1} kB gzip (budget.json). \
             Look for what grew with `cargo bloat` or `wasm-dis` before raising it",
            limit as f64 / 1000.0
        );
    }
    Ok(sizes)
}
