//! `cargo xtask build`: from the Rust sources to the npm package in `pkg/` and the demo page in `target/www`.

use anyhow::Result;

use crate::steps::{self, Context, Kind, Outcome, Step};
use crate::{budget, package, page, setup, types, vocabularies, wasm};

/// Builds the package and the page, and prints what their files weigh.
pub fn build() -> Result<()> {
    let mut context = Context::new()?;
    let steps = setup::for_building().into_iter().chain(steps()).collect();
    steps::run(&mut context, steps, false)?;
    budget::print(&context.workspace)?;
    println!("the npm package is in {}", context.workspace.pkg().display());
    println!("the demo page is in {}", page::folder(&context.workspace).display());
    Ok(())
}

/// The steps that make the package and the page, once the tools are there.
pub fn steps() -> Vec<Step> {
    let mut steps = vec![
        Step::new(Kind::Build, "building the engine (wasm, release)", |context| {
            wasm::compile(context)?;
            Ok(Outcome::default())
        }),
        Step::new(Kind::Build, "generating the glue, optimising the wasm", |context| {
            let cached = wasm::bind_and_optimise(context)?;
            Ok(Outcome::note(if cached { "unchanged" } else { "" }))
        }),
        Step::new(Kind::Build, "making the vocabulary files", |context| {
            let cached = vocabularies::make(&context.workspace)?;
            Ok(Outcome::note(if cached { "unchanged" } else { "" }))
        }),
        Step::new(Kind::Build, "bundling the facade", |context| {
            package::assemble(context)?;
            Ok(Outcome::default())
        }),
        Step::new(Kind::Build, "bundling the type declarations", |context| {
            types::bundle_declarations(context)?;
            Ok(Outcome::default())
        }),
        Step::new(Kind::Build, "packing, and installing the packed package for the tests", |context| {
            package::pack_and_install(context)?;
            Ok(Outcome::default())
        }),
    ];
    steps.extend(page::steps());
    steps
}
