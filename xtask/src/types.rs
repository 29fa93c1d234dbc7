//! TypeScript: the facade against the glue, the declarations, and programs against the declarations.

use std::fs;

use anyhow::Result;

use crate::run;
use crate::steps::{Context, Kind, Outcome, Step};

/// The compiler, by its script.
const TSC: &str = "typescript/bin/tsc";

/// Checks the facade's sources, strictly, against the glue's own declarations.
pub fn check_facade() -> Step {
    compile("type-checking the facade", ["pkg-template/tsconfig.json", "pkg-template/tsconfig.node.json"])
}

/// Compiles the programs of `tests/types` as each kind of host would.
pub fn check_users() -> Vec<Step> {
    let projects = [
        ("ESM", "tests/types/tsconfig.esm.json"),
        ("CommonJS", "tests/types/tsconfig.cjs.json"),
        ("a bundler", "tests/types/tsconfig.bundler.json"),
        ("ESM beside the vendors' packages", "tests/types/clients/tsconfig.json"),
    ];
    let title = |host| format!("compiling against the package's types from {host}");
    projects.into_iter().map(|(host, project)| compile(title(host), [project])).collect()
}

/// Checks the types in the comments of the examples against those of the packages that they use.
pub fn check_examples() -> Vec<Step> {
    let projects = [
        ("the example agent", "examples/node-agent/tsconfig.json"),
        ("the chat with the AI SDK", "examples/ai-sdk-chat/tsconfig.json"),
        ("the chat page", "examples/fetch-page/tsconfig.json"),
    ];
    projects.into_iter().map(|(example, project)| compile(format!("type-checking {example}"), [project])).collect()
}

/// Checks the demo page. Its service worker lives in another world, with globals of its own.
pub fn check_page() -> Step {
    compile("type-checking the demo page", ["www/tsconfig.json", "www/tsconfig.service-worker.json"])
}

/// Compiles projects, and writes nothing.
fn compile<const N: usize>(title: impl Into<String>, projects: [&'static str; N]) -> Step {
    Step::new(Kind::NeedsPackage, title, move |context| {
        for project in projects {
            let mut command = context.workspace.node_tool(TSC);
            command.args(["--noEmit", "-p", project]);
            run::quiet(&mut command, &context.log)?;
        }
        Ok(Outcome::default())
    })
}

/// Writes the declarations into the package.
pub fn bundle_declarations(context: &Context) -> Result<()> {
    let workspace = &context.workspace;
    let mut command = workspace.node_tool("rollup/dist/bin/rollup");
    command.args(["--config", "pkg-template/declarations.config.mjs", "--failAfterWarnings", "--silent"]);
    run::quiet(&mut command, &context.log)?;
    // One declaration for each class, or `import` and `require` in one program do not fit together.
    for name in ["threadfold", "node"] {
        let esm = format!("export * from \"./{name}.cjs\";\n");
        fs::write(workspace.pkg().join(format!("dist/{name}.d.mts")), esm)?;
    }
    Ok(())
}
