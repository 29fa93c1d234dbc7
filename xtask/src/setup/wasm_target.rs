//! The standard library for wasm32-unknown-unknown.
//!
//! rustup usually has it or fetches it. On a closed network rustup hangs, but Debian's packages
//! may still be reachable: then the library is built once from their source, into a sysroot of our
//! own below the target folder. Nothing outside that folder changes but the installed packages,
//! and everything that does not compile to wasm stays with the user's toolchain.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};

use crate::run;
use crate::steps::Context;

/// The target of the engine.
pub const TARGET: &str = "wasm32-unknown-unknown";

/// Beyond this, rustup's server does not answer.
const RUSTUP_LIMIT: Duration = Duration::from_secs(20);

const DEBIAN_PACKAGES: [&str; 4] = ["rustc-web", "cargo-web", "rust-web-src", "lld-22"];
const DEBIAN_RUSTC: &str = "/usr/bin/rustc";
const DEBIAN_CARGO: &str = "/usr/bin/cargo";
const DEBIAN_LINKER: &str = "wasm-ld-22";

/// The library is to be small, like the engine.
const BUILD_STD: [&str; 2] = ["-Zbuild-std=std,panic_abort,test", "-Zbuild-std-features=optimize_for_size"];

/// A crate with nothing in it, for whose sake cargo builds the library. It is a workspace of its
/// own, since it lies below ours.
const EMPTY_CRATE: &str = r#"
[package]
name = "empty"
version = "0.0.0"
edition = "2021"

[workspace]

[profile.release]
opt-level = "z"
"#;

/// How the engine is compiled here.
pub enum Toolchain {
    /// The user's own toolchain has the target.
    Own,
    /// Debian's compiler, with a standard library built from Debian's source.
    Debian {
        /// The folder that stands in for the compiler's own sysroot.
        sysroot: PathBuf,
    },
}

impl Toolchain {
    /// A few words for the progress line.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Own => "the toolchain has it",
            Self::Debian { .. } => "built from Debian's sources",
        }
    }

    /// Makes a cargo command compile with this toolchain, and with some more flags.
    pub fn apply(&self, command: &mut Command, mut flags: Vec<String>) {
        if let Self::Debian { sysroot } = self {
            command.env("RUSTC", DEBIAN_RUSTC).env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", DEBIAN_LINKER);
            flags.push(format!("--sysroot={}", sysroot.display()));
        }
        // The encoded form takes a path with spaces, and wins over a user's RUSTFLAGS.
        command.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f"));
    }
}

/// Brings the target in, by the first way that works.
pub fn ensure(context: &Context) -> Result<Toolchain> {
    let forced = env::var_os("THREADFOLD_WASM_SYSROOT").is_some_and(|way| way == "debian");
    if !forced && own_has_target() {
        return Ok(Toolchain::Own);
    }
    let sysroot = context.workspace.scratch().join("wasm-sysroot");
    if is_current(&sysroot) {
        return Ok(Toolchain::Debian { sysroot });
    }
    let by_hand = format!("the wasm target is missing: `rustup target add {TARGET}` would bring it");
    if !forced && rustup_adds_target(context) && own_has_target() {
        return Ok(Toolchain::Own);
    }
    build_sysroot(context, &sysroot).context(by_hand)?;
    Ok(Toolchain::Debian { sysroot })
}

/// Whether the user's compiler has the library. A folder alone does not say so.
fn own_has_target() -> bool {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let Ok(folder) = run::stdout(Command::new(rustc).args(["--print", "target-libdir", "--target", TARGET])) else {
        return false;
    };
    fs::read_dir(folder.trim()).is_ok_and(|mut files| {
        files.any(|file| file.is_ok_and(|file| file.file_name().to_string_lossy().starts_with("libcore-")))
    })
}

fn rustup_adds_target(context: &Context) -> bool {
    let mut command = Command::new("rustup");
    command.args(["target", "add", TARGET]);
    run::finish(&mut command, &context.log, RUSTUP_LIMIT).is_ok_and(|finished| finished.success)
}

/// A sysroot serves only the compiler that made it, and only as long as we would make it so again.
fn is_current(sysroot: &Path) -> bool {
    match (fs::read_to_string(stamp(sysroot)), how_built()) {
        (Ok(built), Ok(now)) => built == now && has_linker(),
        _ => false,
    }
}

fn stamp(sysroot: &Path) -> PathBuf {
    sysroot.join("built-by.txt")
}

/// By which compiler a sysroot is built, and in which way.
fn how_built() -> Result<String> {
    let version = run::stdout(Command::new(DEBIAN_RUSTC).arg("-vV"))?;
    Ok(format!("{version}{BUILD_STD:?}{EMPTY_CRATE}"))
}

fn has_linker() -> bool {
    Path::new("/usr/bin").join(DEBIAN_LINKER).exists()
}

/// Whether Debian's compiler, its library's source and the linker are all there.
fn has_debian_packages() -> bool {
    let source = run::stdout(Command::new(DEBIAN_RUSTC).args(["--print", "sysroot"]))
        .is_ok_and(|root| Path::new(root.trim()).join("lib/rustlib/src/rust/library/std").exists());
    source && has_linker() && Path::new(DEBIAN_CARGO).exists()
}

fn build_sysroot(context: &Context, sysroot: &Path) -> Result<()> {
    if !has_debian_packages() {
        super::apt(&DEBIAN_PACKAGES, &context.log)?;
    }
    let how_built = how_built()?;
    let crate_folder = context.workspace.scratch().join("wasm-std");
    // What another compiler left there would be copied along.
    let _ = fs::remove_dir_all(&crate_folder);
    make_empty_crate(&crate_folder)?;
    let mut command = Command::new(DEBIAN_CARGO);
    command.current_dir(&crate_folder).args(["build", "--release", "--target", TARGET, "--target-dir", "target"]);
    command.args(BUILD_STD);
    // The cargo that runs this chore has left its marks in the environment; they are not meant for
    // another cargo, least of all the choice of the compiler.
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        let ours = text == "CARGO" || text.starts_with("RUST") || text.starts_with("CARGO_");
        if ours && text != "CARGO_HOME" && !text.starts_with("CARGO_HTTP") && !text.starts_with("CARGO_NET") {
            command.env_remove(&name);
        }
    }
    command
        .env("RUSTC", DEBIAN_RUSTC)
        // `-Zbuild-std` is not stable; this lets a stable compiler take it.
        .env("RUSTC_BOOTSTRAP", "1")
        // Without the bitcode a later build with `lto = true` fails.
        .env("RUSTFLAGS", "-C embed-bitcode=yes");
    run::quiet(&mut command, &context.log)?;

    let library = sysroot.join("lib/rustlib").join(TARGET).join("lib");
    let _ = fs::remove_dir_all(sysroot);
    fs::create_dir_all(&library).with_context(|| format!("could not make {}", library.display()))?;
    let built = crate_folder.join("target").join(TARGET).join("release/deps");
    let mut copied = 0;
    for file in fs::read_dir(&built).with_context(|| format!("nothing was built in {}", built.display()))? {
        let file = file?;
        let name = file.file_name().to_string_lossy().into_owned();
        if (name.ends_with(".rlib") || name.ends_with(".rmeta")) && !name.starts_with("libempty") {
            fs::copy(file.path(), library.join(&name))?;
            copied += 1;
        }
    }
    if copied == 0 {
        bail!("the build of the standard library left no library in {}", built.display());
    }
    // Written last: a sysroot without it counts as unfinished.
    fs::write(stamp(sysroot), how_built)?;
    Ok(())
}

fn make_empty_crate(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder.join("src")).with_context(|| format!("could not make {}", folder.display()))?;
    fs::write(folder.join("Cargo.toml"), EMPTY_CRATE)?;
    fs::write(folder.join("src/lib.rs"), "")?;
    Ok(())
}
