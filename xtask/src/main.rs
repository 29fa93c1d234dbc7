//! Every chore of the project, one command each.
//!
//! A fresh machine has Rust and Node; whatever else a chore needs, `setup` brings.

mod alike;
mod bench;
mod budget;
mod build;
mod demo;
mod licenses;
mod package;
mod page;
#[cfg(test)]
mod prompts;
#[cfg(test)]
mod rooms;
mod run;
mod setup;
mod steps;
mod test;
mod types;
mod vocabularies;
mod wasm;
mod workspace;

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::{Result, bail};
use lexopt::Arg::{Long, Short, Value};

const HELP: &str = "\
Every chore of Threadfold. Each command sets up what it needs by itself: the wasm target,
the JavaScript packages, Chromium for the browser tests.

Usage: cargo xtask COMMAND [OPTIONS]

Commands:
  build            Compile the engine to wasm, make the npm package in pkg/ and the demo page,
                   static files for any host, in target/www. Prints the sizes of what pages fetch:
                   raw, gzip, brotli.
  demo [SESSION]   Build, then fold a session file (JSONL) in Node through the built package and
                   print a report. Without SESSION it folds a sample of our own, made anew at
                   target/demo/session.jsonl. The folded session is written beside it.
                   On a terminal it goes on to serve the demo page, until Ctrl+C.
  test [OPTIONS]   Everything that must hold: format, lints, Rust tests, size budget, types,
                   the packed package in Node, it and the demo page in headless Chromium.
      --rust         only format, lints and Rust tests
      --node         only the tests that run in Node
      --browser      only the tests that run in Chromium
      --package      only the package: size budget, declarations, publint, attw
                     (filters add up: --node --browser runs both)
  bench [OPTIONS]  Build, then measure against pi's own package and against npm's tokenizers, as
                   ratios.
      --only TEXT    only the rows whose name holds that text
  package          Build, pack and check the tarball that would be published.

Options:
  -h, --help       Print this text.

Environment:
  CHROME_PATH                      the Chromium or Chrome to test with
  THREADFOLD_WASM_SYSROOT=debian   build the wasm target's standard library from Debian's packages
                                   even where rustup has one
";

enum Command {
    Build,
    Demo(Option<OsString>),
    Test(test::Filter),
    Bench(Option<OsString>),
    Package,
    Help,
}

fn main() -> ExitCode {
    parse(lexopt::Parser::from_env()).and_then(perform).unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}

fn perform(command: Command) -> Result<ExitCode> {
    match command {
        Command::Build => build::build()?,
        Command::Demo(session) => demo::demo(session.map(Into::into))?,
        // Failed tests are no error of the chore: they have been counted, and the count comes last.
        Command::Test(filter) => return test::test(&filter),
        Command::Bench(only) => bench::bench(only)?,
        Command::Package => package::package()?,
        Command::Help => print!("{HELP}"),
    }
    Ok(ExitCode::SUCCESS)
}

fn parse(mut parser: lexopt::Parser) -> Result<Command> {
    let mut words: Vec<OsString> = Vec::new();
    let mut filter = test::Filter::default();
    let mut filtered = false;
    let mut only = None;
    while let Some(arg) = parser.next()? {
        match arg {
            Short('h') | Long("help") => return Ok(Command::Help),
            Long(name @ ("rust" | "node" | "browser" | "package")) => {
                filter.add(name);
                filtered = true;
            }
            Long("only") => only = Some(parser.value()?),
            Value(word) => words.push(word),
            other => return Err(other.unexpected().into()),
        }
    }
    let mut words = words.into_iter();
    let Some(name) = words.next() else {
        return Ok(Command::Help);
    };
    let operand = words.next();
    if let Some(extra) = words.next() {
        bail!("one argument too many: {extra:?}; see `cargo xtask --help`");
    }
    let command = match (name.to_str(), operand) {
        (Some("demo"), session) => Command::Demo(session),
        (Some("build"), None) => Command::Build,
        (Some("test"), None) => Command::Test(filter),
        (Some("bench"), None) => Command::Bench(only.clone()),
        (Some("package"), None) => Command::Package,
        (Some("help"), None) => Command::Help,
        (Some("build" | "test" | "bench" | "package" | "help"), Some(extra)) => {
            bail!("`cargo xtask {}` takes no argument, but got {extra:?}", name.display())
        }
        _ => bail!("no such command: {name:?}; see `cargo xtask --help`"),
    };
    if filtered && !matches!(command, Command::Test(_)) {
        bail!("--rust, --node, --browser and --package belong to `cargo xtask test`");
    }
    if only.is_some() && !matches!(command, Command::Bench(_)) {
        bail!("--only belongs to `cargo xtask bench`");
    }
    Ok(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(args: &[&str]) -> Result<Command> {
        parse(lexopt::Parser::from_args(args))
    }

    #[test]
    fn no_command_shows_the_help() {
        assert!(matches!(parsed(&[]), Ok(Command::Help)));
    }

    #[test]
    fn demo_takes_a_session() {
        assert!(matches!(parsed(&["demo", "a.jsonl"]), Ok(Command::Demo(Some(_)))));
    }

    #[test]
    fn wrong_use_is_an_error() {
        for args in [
            &["fold"][..],
            &["build", "x"],
            &["demo", "a", "b"],
            &["build", "--node"],
            &["test", "--x"],
            &["bench", "--only"],
            &["test", "--only", "x"],
        ] {
            assert!(parsed(args).is_err(), "{args:?}");
        }
    }

    #[test]
    fn a_bench_may_be_of_some_rows() {
        assert!(matches!(parsed(&["bench"]), Ok(Command::Bench(None))));
        assert!(matches!(parsed(&["bench", "--only", "load"]), Ok(Command::Bench(Some(text))) if text == "load"));
    }

    #[test]
    fn filters_add_up() {
        let Ok(Command::Test(filter)) = parsed(&["test", "--node", "--browser"]) else { unreachable!() };
        assert!(filter.node() && filter.browser() && !filter.rust() && !filter.package());
    }
}
