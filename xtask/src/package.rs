//! The npm package: `pkg/` from `pkg-template/`, the glue and the wasm files; the tarball; its checks.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use crate::setup::npm;
use crate::steps::{self, Context, Kind, Outcome, Step};
use crate::workspace::Workspace;
use crate::{budget, build, licenses, run, setup, vocabularies, wasm};

const ENTRIES: &str = "pkg-template/src/entries";

/// `cargo xtask package`: builds, packs and checks what would be published.
pub fn package() -> Result<()> {
    let mut context = Context::new()?;
    let steps = setup::for_building().into_iter().chain(build::steps()).chain(checks()).collect();
    steps::run(&mut context, steps, false)?;
    budget::print(&context.workspace)?;
    println!("the tarball is {}", tarball(&context.workspace).display());
    Ok(())
}

/// What must hold of the package as such.
pub fn checks() -> Vec<Step> {
    vec![
        Step::new(Kind::NeedsPackage, "holding the engine's sizes against the budget", |context| {
            let sizes = budget::check(&context.workspace)?;
            Ok(Outcome::note(sizes.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")))
        }),
        Step::new(Kind::NeedsPackage, "checking the package with publint", |context| {
            let mut command = context.workspace.node_tool("publint/src/cli.js");
            command.args(["run", "--strict"]).arg(tarball(&context.workspace));
            run::quiet(&mut command, &context.log)?;
            Ok(Outcome::default())
        }),
        Step::new(Kind::NeedsPackage, "checking the package's types with attw", |context| {
            let mut command = context.workspace.node_tool("@arethetypeswrong/cli/dist/index.js");
            command
                .arg(tarball(&context.workspace))
                .args(["--profile", "node16", "--no-emoji"])
                // A wasm file and a vocabulary have no types, and the web entry is ESM only, on purpose.
                .args(["--exclude-entrypoints", "./core.wasm", "./formats.wasm"])
                .args(vocabularies::files(&context.workspace).iter().map(|file| format!("./{}", file.name)))
                .args(["--ignore-rules", "cjs-resolves-to-esm"]);
            run::quiet(&mut command, &context.log)?;
            Ok(Outcome::default())
        }),
    ]
}

/// Makes everything in `pkg/` but the declarations.
pub fn assemble(context: &Context) -> Result<()> {
    let workspace = &context.workspace;
    let pkg = workspace.pkg();
    let dist = pkg.join("dist");
    // Chunk names carry a hash: an old one would stay, and be published.
    if pkg.exists() {
        fs::remove_dir_all(&pkg).with_context(|| format!("could not empty {}", pkg.display()))?;
    }
    fs::create_dir_all(&dist).with_context(|| format!("could not make {}", dist.display()))?;
    for file in &wasm::FILES {
        fs::copy(file.optimised(workspace), dist.join(file.file_name()))?;
    }
    for file in vocabularies::files(workspace) {
        fs::copy(&file.path, dist.join(&file.name))?;
    }
    bundle(context)?;
    write_node_esm_entry(workspace, &dist)?;
    refuse_what_hosts_refuse(&dist)?;
    write_manifest(workspace)?;
    copy_documents(workspace)?;
    Ok(())
}

/// Bundles the facade twice: once as CommonJS for Node, and once as ESM for everything else, whose
/// entries share one chunk.
fn bundle(context: &Context) -> Result<()> {
    let workspace = &context.workspace;
    let common = |command: &mut std::process::Command| {
        command.args(["--bundle", "--target=es2022", "--charset=utf8", "--log-level=warning", "--outdir=pkg/dist"]);
        // `require` of an ES module refuses top-level await.
        command.arg("--supported:top-level-await=false");
    };
    let mut web = workspace.node_tool("esbuild/bin/esbuild");
    for entry in ["browser", "inline", "workerd", "edge-light"] {
        web.arg(format!("{ENTRIES}/{entry}.ts"));
    }
    common(&mut web);
    web.args(["--format=esm", "--splitting", "--chunk-names=threadfold-[hash]", "--out-extension:.js=.mjs"]).args([
        "--external:*.wasm",
        "--external:*.wasm?module",
        "--tsconfig=pkg-template/tsconfig.json",
    ]);
    run::quiet(&mut web, &context.log)?;

    let mut node = workspace.node_tool("esbuild/bin/esbuild");
    node.arg(format!("{ENTRIES}/node.ts"));
    common(&mut node);
    node.args(["--format=cjs", "--platform=node", "--out-extension:.js=.cjs"]);
    node.arg("--tsconfig=pkg-template/tsconfig.node.json");
    run::quiet(&mut node, &context.log)?;
    Ok(())
}

/// In Node `import` and `require` must give the same classes, so the ES module hands on what the
/// CommonJS file made. The names are spelled out: bundlers do not find them in a CommonJS file.
fn write_node_esm_entry(workspace: &Workspace, dist: &Path) -> Result<()> {
    let mut command = workspace.node();
    command.args(["-p", "Object.keys(require(process.argv[1])).join(',\\n  ')"]).arg(dist.join("node.cjs"));
    let list = run::stdout(&mut command)?;
    let list = list.trim_end();
    let text = format!("import threadfold from \"./node.cjs\";\n\nexport const {{\n  {list},\n}} = threadfold;\n");
    fs::write(dist.join("node.mjs"), text)?;
    Ok(())
}

/// A strict Content-Security-Policy, and workerd, run no code made from text.
fn refuse_what_hosts_refuse(dist: &Path) -> Result<()> {
    for file in fs::read_dir(dist)? {
        let path = file?.path();
        if !path.extension().is_some_and(|extension| extension == "mjs" || extension == "cjs") {
            continue;
        }
        let text = fs::read_to_string(&path)?;
        for forbidden in ["new Function(", "eval("] {
            if let Some(place) = text.find(forbidden) {
                let line = text[..place].lines().count();
                bail!("{}:{line} holds `{forbidden}`, which a strict CSP refuses", path.display());
            }
        }
    }
    Ok(())
}

fn write_manifest(workspace: &Workspace) -> Result<()> {
    let template = workspace.root.join("pkg-template/package.json");
    let text = fs::read_to_string(&template).with_context(|| format!("could not read {}", template.display()))?;
    // The order of the conditions carries meaning, so the text is filled in, not written anew.
    let placeholder = "0.0.0-set-by-the-build";
    if text.matches(placeholder).count() != 1 {
        bail!("{} must hold the version {placeholder:?} just once", template.display());
    }
    fs::write(workspace.pkg().join("package.json"), text.replace(placeholder, &workspace.version))?;
    Ok(())
}

fn copy_documents(workspace: &Workspace) -> Result<()> {
    let pkg = workspace.pkg();
    for name in ["LICENSE-APACHE", "LICENSE-MIT", "CHANGELOG.md", "pkg-template/README.md"] {
        let from = workspace.root.join(name);
        let file = from.file_name().context("a document has a name")?;
        let required = name.starts_with("LICENSE");
        if required || from.exists() {
            fs::copy(&from, pkg.join(file)).with_context(|| format!("could not copy {}", from.display()))?;
        }
    }
    fs::write(pkg.join("THIRD-PARTY-LICENSES.txt"), licenses::third_party(&workspace.metadata)?)?;
    Ok(())
}

fn pack_folder(workspace: &Workspace) -> PathBuf {
    workspace.scratch().join("pack")
}

/// The tarball that would be published.
pub fn tarball(workspace: &Workspace) -> PathBuf {
    pack_folder(workspace).join(format!("threadfold-{}.tgz", workspace.version))
}

/// Packs, and unpacks into `node_modules/threadfold`. The package has no dependencies, so this is
/// what an install does, and every script of the project imports what users would get: a file
/// that `files` or `exports` forgot is missed here.
pub fn pack_and_install(context: &Context) -> Result<()> {
    let workspace = &context.workspace;
    let folder = pack_folder(workspace);
    fs::create_dir_all(&folder).with_context(|| format!("could not make {}", folder.display()))?;
    let mut pack = npm::npm(workspace);
    pack.args(["pack", "./pkg", "--pack-destination"]).arg(&folder);
    run::quiet(&mut pack, &context.log)?;

    let installed = workspace.root.join("node_modules/threadfold");
    if installed.exists() {
        fs::remove_dir_all(&installed).with_context(|| format!("could not empty {}", installed.display()))?;
    }
    fs::create_dir_all(&installed).with_context(|| format!("could not make {}", installed.display()))?;
    let mut unpack = std::process::Command::new("tar");
    // Run in the folder and named by its file alone: some tars read `C:` as a host.
    unpack.current_dir(&folder).arg("-xzf").arg(format!("threadfold-{}.tgz", workspace.version));
    unpack.args(["--strip-components=1", "-C"]).arg(&installed);
    run::quiet(&mut unpack, &context.log)?;
    Ok(())
}
