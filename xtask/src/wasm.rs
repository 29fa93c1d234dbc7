//! From the Rust crate to one optimised wasm file and its glue.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result, anyhow};
use wasm_bindgen_cli_support::Bindgen;

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
/// needs so many locals that the packed file grows by a twentieth. In the order of their names
/// functions that look alike stand together, where a packer finds the likeness: that takes off
/// two hundredths. The names serve for nothing else.
const OPTIMISE: [&str; 10] = [
    "--converge",
    "-O3",
    "--always-inline-max-function-size",
    "0",
    "--flexible-inline-max-function-size",
    "0",
    "--one-caller-inline-max-function-size",
    "0",
    "--reorder-functions-by-name",
    "--strip-debug",
];

/// What a function may weigh to be inlined. Each step up or down is a trade of size for the speed of
/// loading: at 100 the packed engine is a twentieth larger and loads a sixth faster.
const INLINE_THRESHOLD: u32 = 40;

/// Compiles the engine.
pub fn compile(context: &Context) -> Result<()> {
    let mut command = context.workspace.cargo();
    command.args(["build", "--release", "--lib", "--package", "threadfold", "--target", TARGET]);
    // The glue generator reads which wasm features are on from a section that stripping would drop.
    command.env("CARGO_PROFILE_RELEASE_STRIP", "debuginfo");
    context.toolchain()?.apply(&mut command, flags(&context.workspace));
    run::quiet(&mut command, &context.log)?;
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

/// Where the glue generator leaves the wasm file, and the optimiser picks it up.
fn bound(workspace: &Workspace) -> PathBuf {
    workspace.scratch().join("bindgen")
}

/// The engine as it is shipped.
pub fn optimised(workspace: &Workspace) -> PathBuf {
    workspace.scratch().join("threadfold_bg.wasm")
}

/// Makes the glue and the optimised file. Says whether the engine was the same as last time, in
/// which case the optimiser, the slowest part, is left out.
pub fn bind_and_optimise(context: &Context) -> Result<bool> {
    let workspace = &context.workspace;
    let compiled = workspace.target.join(TARGET).join("release/threadfold.wasm");
    let folder = bound(workspace);
    Bindgen::new()
        .input_path(&compiled)
        .out_name("threadfold")
        .web(true)
        // The entries say where the file is, each in the way of its host.
        .and_then(|bindgen| {
            bindgen
                .omit_default_module_path(true)
                .typescript(true)
                // The optimiser goes by the names.
                .remove_name_section(false)
                .remove_producers_section(true)
                .generate(&folder)
        })
        .map_err(|error| anyhow!("{error:#}"))
        .with_context(|| format!("no glue could be made for {}", compiled.display()))?;

    let fresh = folder.join("threadfold_bg.wasm");
    let output = optimised(workspace);
    // The last input and how it was treated; equal means that the last output still holds.
    let key = workspace.scratch().join("optimised-from.bin");
    let mut wanted = fs::read(&fresh).with_context(|| format!("could not read {}", fresh.display()))?;
    wanted.extend(FEATURES.iter().chain(&OPTIMISE).flat_map(|argument| argument.bytes()));
    let unchanged = output.exists() && fs::read(&key).is_ok_and(|last| last == wanted);
    if !unchanged {
        let mut command = workspace.node_tool("binaryen/bin/wasm-opt");
        command.args(FEATURES).args(OPTIMISE).arg(&fresh).arg("-o").arg(&output);
        run::quiet(&mut command, &context.log)?;
        fs::write(&key, wanted)?;
    }
    hand_over(workspace)?;
    Ok(unchanged)
}

/// Lays the glue beside the facade's sources.
fn hand_over(workspace: &Workspace) -> Result<()> {
    let glue = workspace.glue();
    fs::create_dir_all(&glue).with_context(|| format!("could not make {}", glue.display()))?;
    for name in ["threadfold.js", "threadfold.d.ts"] {
        let from = bound(workspace).join(name);
        fs::copy(&from, glue.join(name)).with_context(|| format!("could not copy {}", from.display()))?;
    }
    let wasm = fs::read(optimised(workspace))?;
    let text = base64(&wasm);
    fs::write(glue.join("threadfold_bg.base64.js"), format!("export default \"{text}\";\n"))?;
    fs::write(glue.join("threadfold_bg.base64.d.ts"), "declare const base64: string;\nexport default base64;\n")?;
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
