//! What commands print: test runs, logs, measurements.

pub(crate) mod log;
pub(crate) mod measure;
pub(crate) mod test_run;

use crate::rng::Rng;

/// What a command of the story prints. Anything but `Text` is made up from chance and the story's own words.
#[derive(Clone)]
pub(crate) enum Out {
    Text(String),
    Failed(String),
    /// A run of the service's tests: files, then what fails.
    Service(Vec<String>, Vec<test_run::Failure>),
    /// A run of the planner's tests: modules, then what fails.
    Planner(Vec<String>, Vec<test_run::Failure>),
    /// Lines of the service log around a fault, and how many.
    Log(&'static str, u64),
    /// Time by function.
    Profile(&'static [(&'static str, u64)]),
    /// Runs of a benchmark: name, milliseconds, milliseconds before.
    Bench(&'static [(&'static str, u64, u64)]),
    /// What both sides find on the fixtures: rules, and those that differ.
    Parity(Vec<&'static str>, Vec<&'static str>),
    /// Plan of a query: table, whether it uses an index.
    Explain(&'static str, bool),
}

impl Out {
    /// The text, and whether the command failed.
    pub(crate) fn print(&self, rng: &mut Rng) -> (String, bool) {
        match self {
            Out::Text(text) => (text.clone(), false),
            Out::Failed(text) => (text.clone(), true),
            Out::Service(files, failures) => (test_run::service(rng, files, failures), !failures.is_empty()),
            Out::Planner(modules, failures) => (test_run::planner(rng, modules, failures), !failures.is_empty()),
            Out::Log(fault, lines) => (log::service(rng, fault, *lines), false),
            Out::Profile(rows) => (measure::profile(rng, rows), false),
            Out::Bench(rows) => (measure::bench(rng, rows), false),
            Out::Parity(rules, differing) => (measure::parity(rng, rules, differing), !differing.is_empty()),
            Out::Explain(table, indexed) => (measure::explain(rng, table, *indexed), false),
        }
    }
}

/// Shorthand for printed text.
pub(crate) fn text(text: &str) -> Out {
    Out::Text(text.to_owned())
}
