//! What the engine's wasm files may weigh. `budget.json` holds the limits, so that raising one shows in review.

use std::fmt;
use std::fs;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use crate::run;
use crate::wasm::{FILES, WasmFile};
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

/// What a wasm file weighs, in bytes.
pub struct Size {
    name: &'static str,
    raw: u64,
    gzip: u64,
    brotli: u64,
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [raw, gzip, brotli] = [self.raw, self.gzip, self.brotli].map(|bytes| bytes as f64 / 1000.0);
        write!(f, "{} wasm: {raw:.1} kB raw, {gzip:.1} kB gzip, {brotli:.1} kB brotli", self.name)
    }
}

/// Measures a wasm file in `pkg/`.
fn measure(workspace: &Workspace, file: &WasmFile) -> Result<Size> {
    let mut command = workspace.node();
    command.args(["-e", MEASURE]).arg(workspace.pkg().join("dist").join(file.file_name()));
    let sizes: Value = serde_json::from_str(&run::stdout(&mut command)?).context("the sizes are no JSON")?;
    let size = |key: &str| sizes[key].as_u64().with_context(|| format!("no size {key}"));
    Ok(Size { name: file.name, raw: size("raw")?, gzip: size("gzip")?, brotli: size("brotli")? })
}

/// Prints what each wasm file weighs.
pub fn print(workspace: &Workspace) -> Result<()> {
    for file in &FILES {
        println!("{}", measure(workspace, file)?);
    }
    Ok(())
}

/// Holds each size against its budget.
pub fn check(workspace: &Workspace) -> Result<Vec<Size>> {
    let path = workspace.root.join("budget.json");
    let text = fs::read_to_string(&path).with_context(|| format!("could not read {}", path.display()))?;
    let budget: Value = serde_json::from_str(&text).with_context(|| format!("{} is no JSON", path.display()))?;
    let sizes = FILES.iter().map(|file| {
        let size = measure(workspace, file)?;
        let key = format!("{}Wasm", file.name);
        let limit = budget[&key]["gzip"].as_u64();
        let limit = limit.with_context(|| format!("budget.json must hold {key}.gzip, in bytes"))?;
        if size.gzip > limit {
            bail!(
                "{size}; the budget is {:.1} kB gzip (budget.json). \
                 Look for what grew with `cargo bloat` or `wasm-dis` before raising it",
                limit as f64 / 1000.0
            );
        }
        Ok(size)
    });
    sizes.collect()
}
