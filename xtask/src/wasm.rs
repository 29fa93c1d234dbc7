//! From the Rust crate to the optimised wasm files and their glue.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use anyhow::{Context as _, Result, anyhow};
use wasm_bindgen_cli_support::Bindgen;

use crate::alike;
use crate::run;
use crate::setup::wasm_target::TARGET;
use crate::steps::Context;
use crate::workspace::Workspace;

/// What every engine that we support can load, and nothing else: with all features on, the
/// optimiser writes a file that Node 20 refuses.
const FEATURES: [&str; 8] = [
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-reference-types",
    "--enable-multivalue",
    "--enable-call-indirect-overlong",
];

/// For speed: loading a session is what users wait for, and for size the file is no smaller.
/// Nothing is inlined any more: the compiler has done what helps, and what is put together here
/// needs so many locals that the packed file grows by a twentieth.
const OPTIMISE: [&str; 9] = [
    "--converge",
    "-O3",
    "--always-inline-max-function-size",
    "0",
    "--flexible-inline-max-function-size",
    "0",
    "--one-caller-inline-max-function-size",
    "0",
    "--strip-debug",
];

/// Puts functions that look alike together, by the names that they get for it. That takes off a
/// fiftieth of the packed file.
const REORDER: [&str; 4] = ["--optimize-level", "3", "--reorder-functions-by-name", "--strip-debug"];

/// What a function may weigh to be inlined. Each step up or down is a trade of size for the speed of
/// loading: at 40 the packed engine is a thirtieth larger and loads a twelfth faster.
const INLINE_THRESHOLD: u32 = 15;

/// A wasm file of the package: the engine, compiled with or without some of its features.
pub struct WasmFile {
    /// What it holds; the name of its size in `budget.json` begins with it.
    pub name: &'static str,
    /// What the names of its glue and of the file itself begin with.
    stem: &'static str,
    /// The features it is compiled with, as cargo takes them.
    pub features: &'static [&'static str],
}

/// Every wasm file of the package.
pub static FILES: [WasmFile; 2] = [
    WasmFile { name: "core", stem: "threadfold", features: &[] },
    // What only those load who fold arrays of messages or import transcripts.
    WasmFile { name: "formats", stem: "formats", features: &["--features", "formats"] },
];

impl WasmFile {
    /// The name it has in the package.
    pub fn file_name(&self) -> String {
        format!("{}_bg.wasm", self.stem)
    }

    /// Cargo's folder for it. With each set of features one of its own: a library for wasm gets the name of
    /// its crate alone, and in one folder each would take the place of the other and be built every time.
    fn target(&self, workspace: &Workspace) -> PathBuf {
        if self.features.is_empty() { workspace.target.clone() } else { workspace.scratch().join(self.name) }
    }

    /// As the compiler leaves it.
    fn compiled(&self, workspace: &Workspace) -> PathBuf {
        self.target(workspace).join(TARGET).join("release/threadfold.wasm")
    }

    /// Where the glue generator leaves it, and the optimiser picks it up.
    fn bound(&self, workspace: &Workspace) -> PathBuf {
        workspace.scratch().join("bindgen").join(self.stem)
    }

    /// As it is shipped.
    pub fn optimised(&self, workspace: &Workspace) -> PathBuf {
        workspace.scratch().join(self.file_name())
    }
}

/// Compiles the engine.
pub fn compile(context: &Context) -> Result<()> {
    for_each_file(context, |file, log| compile_file(context, file, log))?;
    Ok(())
}

/// Does work on every file at the same time, since most of it keeps one processor busy. Each has a log of its own.
fn for_each_file<T: Send>(context: &Context, work: impl Fn(&WasmFile, &Path) -> Result<T> + Sync) -> Result<Vec<T>> {
    thread::scope(|scope| {
        let threads = FILES.each_ref().map(|file| {
            let log = context.log.with_extension(format!("{}.log", file.name));
            let work = &work;
            scope.spawn(move || work(file, &log))
        });
        let ends = threads.map(|thread| thread.join().unwrap_or_else(|_| Err(anyhow!("a thread panicked"))));
        ends.into_iter().collect()
    })
}

fn compile_file(context: &Context, file: &WasmFile, log: &Path) -> Result<()> {
    let workspace = &context.workspace;
    let mut command = workspace.cargo();
    // Of the library's two kinds only the one that is shipped: together with the other, which tests
    // link, cargo leaves out the optimising at link time, and the packed engine is a twentieth larger.
    command.args(["rustc", "--release", "--lib", "--crate-type", "cdylib"]);
    command.args(["--package", "threadfold", "--target", TARGET]).args(file.features);
    command.arg("--target-dir").arg(file.target(workspace));
    // The glue generator reads which wasm features are on from a section that stripping would drop.
    command.env("CARGO_PROFILE_RELEASE_STRIP", "debuginfo");
    context.toolchain()?.apply(&mut command, flags(workspace));
    run::quiet(&mut command, log)?;
    Ok(())
}

/// How the engine is compiled beyond what its profile says.
fn flags(workspace: &Workspace) -> Vec<String> {
    // The profile asks for a small engine; the speed that costs is nearly all in calls that are no
    // longer inlined. This much inlining gives most of it back.
    let mut flags = vec![
        format!("-Cllvm-args=-inline-threshold={INLINE_THRESHOLD}"),
        // Loops keep one counter: a local for each address in them makes the file larger.
        "-Cllvm-args=-disable-lsr".to_owned(),
        // What only some of the ways to a place have computed is not computed on the others ahead.
        "-Cllvm-args=-enable-pre=false".to_owned(),
    ];
    // Messages of panics name source files: they shall not name the folders of who built it.
    let home = env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(env::home_dir()?.join(".cargo")));
    let folders = [(Some(workspace.root.clone()), "threadfold"), (home, "cargo"), (sysroot(), "rust")];
    for (folder, name) in folders {
        if let Some(folder) = folder {
            flags.push(format!("--remap-path-prefix={}={name}", folder.display()));
        }
    }
    flags
}

/// Where the standard library's sources lie.
fn sysroot() -> Option<PathBuf> {
    let output = Command::new("rustc").args(["--print", "sysroot"]).output().ok()?;
    Some(PathBuf::from(String::from_utf8(output.stdout).ok()?.trim()))
}

/// Makes the glue and the optimised files. Says whether all were the same as last time, in which case
/// the optimiser, the slowest part, is left out.
pub fn bind_and_optimise(context: &Context) -> Result<bool> {
    let unchanged = for_each_file(context, |file, log| bind_and_optimise_file(&context.workspace, file, log))?;
    Ok(unchanged.into_iter().all(|unchanged| unchanged))
}

fn bind_and_optimise_file(workspace: &Workspace, file: &WasmFile, log: &Path) -> Result<bool> {
    let compiled = file.compiled(workspace);
    let folder = file.bound(workspace);
    Bindgen::new()
        .input_path(&compiled)
        .out_name(file.stem)
        .web(true)
        // The entries say where the file is, each in the way of its host.
        .and_then(|bindgen| {
            bindgen
                .omit_default_module_path(true)
                .typescript(true)
                .remove_name_section(true)
                .remove_producers_section(true)
                .generate(&folder)
        })
        .map_err(|error| anyhow!("{error:#}"))
        .with_context(|| format!("no glue could be made for {}", compiled.display()))?;

    let fresh = folder.join(file.file_name());
    let output = file.optimised(workspace);
    // The last input and how it was treated; equal means that the last output still holds.
    let key = folder.join("optimised-from.bin");
    let mut wanted = fs::read(&fresh).with_context(|| format!("could not read {}", fresh.display()))?;
    wanted.extend(FEATURES.iter().chain(&OPTIMISE).chain(&REORDER).flat_map(|argument| argument.bytes()));
    let unchanged = output.exists() && fs::read(&key).is_ok_and(|last| last == wanted);
    if !unchanged {
        optimise(workspace, &OPTIMISE, &fresh, &output, log)?;
        let named = folder.join("named.wasm");
        fs::write(&named, alike::with_names(&fs::read(&output)?)?)?;
        optimise(workspace, &REORDER, &named, &output, log)?;
        fs::write(&key, wanted)?;
    }
    hand_over(workspace, file)?;
    Ok(unchanged)
}

/// Runs the optimiser.
fn optimise(workspace: &Workspace, arguments: &[&str], from: &Path, to: &Path, log: &Path) -> Result<()> {
    let mut command = workspace.node_tool("binaryen/bin/wasm-opt");
    command.args(FEATURES).args(arguments).arg(from).arg("-o").arg(to);
    run::quiet(&mut command, log)?;
    Ok(())
}

/// Lays the glue beside the facade's sources.
fn hand_over(workspace: &Workspace, file: &WasmFile) -> Result<()> {
    let glue = workspace.glue();
    fs::create_dir_all(&glue).with_context(|| format!("could not make {}", glue.display()))?;
    let stem = file.stem;
    for name in [format!("{stem}.js"), format!("{stem}.d.ts")] {
        let from = file.bound(workspace).join(&name);
        fs::copy(&from, glue.join(&name)).with_context(|| format!("could not copy {}", from.display()))?;
    }
    let text = base64(&fs::read(file.optimised(workspace))?);
    fs::write(glue.join(format!("{stem}_bg.base64.js")), format!("export default \"{text}\";\n"))?;
    let declaration = "declare const base64: string;\nexport default base64;\n";
    fs::write(glue.join(format!("{stem}_bg.base64.d.ts")), declaration)?;
    Ok(())
}

fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let group = chunk.iter().fold(0u32, |group, byte| group << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for place in 0..4 {
            let digit = group >> (18 - 6 * place) & 63;
            text.push(if place > chunk.len() { '=' } else { ALPHABET[digit as usize] as char });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn base64_pads() {
        for (bytes, text) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")] {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
        assert_eq!(base64(&[0xfb, 0xff]), "+/8=");
    }
}
