//! Test runs of the service and of the planner.

use crate::rng::Rng;

/// A test that fails.
#[derive(Clone)]
pub(crate) struct Failure {
    /// File or module it stands in.
    pub(crate) place: String,
    pub(crate) test: String,
    pub(crate) expected: String,
    pub(crate) actual: String,
}

impl Failure {
    pub(crate) fn new(place: &str, test: &str, expected: &str, actual: &str) -> Self {
        Self { place: place.into(), test: test.into(), expected: expected.into(), actual: actual.into() }
    }
}

/// The run of `pnpm test`: one line a suite, then each failure with its stack.
pub(crate) fn service(rng: &mut Rng, files: &[String], failures: &[Failure]) -> String {
    let mut out = format!("\n> harbor@1.7.4 test\n> node --import tsx --test {}\n\n", files.join(" "));
    let (mut passed, mut total_ms) = (0, 0);
    for file in files {
        let bad: Vec<&Failure> = failures.iter().filter(|f| &f.place == file).collect();
        let (count, ms) = (rng.between(5, 19), rng.between(9, 340));
        passed += count;
        total_ms += ms;
        let mark = if bad.is_empty() { "✔" } else { "✖" };
        out.push_str(&format!(
            "{mark} {file} ({count} passed, {} failed, {ms}.{}ms)\n",
            bad.len(),
            rng.between(10, 99)
        ));
        for failure in bad {
            out.push_str(&format!("  ✖ {} ({}.{}ms)\n", failure.test, rng.between(1, 40), rng.between(100, 999)));
        }
    }
    out.push_str(&format!(
        "ℹ tests {}\nℹ suites {}\nℹ pass {passed}\nℹ fail {}\nℹ cancelled 0\nℹ skipped 0\nℹ duration_ms {total_ms}.{}\n",
        passed + failures.len() as u64,
        files.len() * 2,
        failures.len(),
        rng.between(1000, 9999)
    ));
    if !failures.is_empty() {
        out.push_str("\n✖ failing tests:\n");
    }
    for failure in failures {
        let line = rng.between(20, 140);
        out.push_str(&format!(
            "\ntest at {}:{line}:3\n✖ {}\n  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n\n  {} !== {}\n\n      at TestContext.<anonymous> (/home/dev/harbor/{}:{}:12)\n      at Test.runInAsyncScope (node:async_hooks:206:9)\n      at Test.run (node:internal/test_runner/test:{}:25)\n      at Suite.processPendingSubtests (node:internal/test_runner/test:{}:18)\n      at async startSubtest (node:internal/test_runner/harness:{}:3) {{\n    generatedMessage: true,\n    code: 'ERR_ASSERTION',\n    actual: {},\n    expected: {},\n    operator: 'strictEqual'\n  }}\n",
            failure.place,
            failure.test,
            failure.actual,
            failure.expected,
            failure.place,
            line + 1,
            rng.between(600, 900),
            rng.between(300, 500),
            rng.between(200, 300),
            failure.actual,
            failure.expected,
        ));
    }
    out
}

const CASES: &[&str] = &[
    "reads_a_row",
    "a_short_row_names_the_column",
    "an_empty_plan_costs_nothing",
    "keeps_order_of_equal_cost",
    "spans_touch_without_overlap",
    "walks_the_shortest_way",
    "survives_no_berths",
    "same_seed_same_plan",
    "deadline_gives_best_so_far",
    "a_closed_berth_is_skipped",
    "negative_heights_are_water_too",
    "midnight_is_no_border",
    "last_crane_wins_ties",
    "cancelled_calls_take_no_room",
    "priority_zero_goes_first",
];

/// The run of `cargo test -p planner`.
pub(crate) fn planner(rng: &mut Rng, modules: &[String], failures: &[Failure]) -> String {
    let mut out = format!(
        "   Compiling planner v0.9.2 (/home/dev/harbor/crates/planner)\n    Finished `test` profile [optimized + debuginfo] target(s) in {}.{:02}s\n     Running unittests src/lib.rs (target/debug/deps/planner-{})\n\n",
        rng.between(3, 19),
        rng.between(0, 99),
        rng.hex(16)
    );
    let mut lines = Vec::new();
    for module in modules {
        let from = rng.between(0, CASES.len() as u64 - 1) as usize;
        for case in CASES.iter().cycle().skip(from).take(rng.between(2, 6) as usize) {
            lines.push(format!("test {module}::tests::{case} ... ok"));
        }
    }
    lines.extend(failures.iter().map(|f| format!("test {}::tests::{} ... FAILED", f.place, f.test)));
    let passed = lines.len() - failures.len();
    out.push_str(&format!("running {} tests\n{}\n", lines.len(), lines.join("\n")));
    if !failures.is_empty() {
        out.push_str("\nfailures:\n");
    }
    for failure in failures {
        out.push_str(&format!(
            "\n---- {0}::tests::{1} stdout ----\n\nthread '{0}::tests::{1}' panicked at crates/planner/src/{2}.rs:{3}:9:\nassertion `left == right` failed\n  left: {4}\n right: {5}\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n",
            failure.place,
            failure.test,
            failure.place.replace("::", "/"),
            rng.between(80, 240),
            failure.actual,
            failure.expected
        ));
    }
    let verdict = if failures.is_empty() { "ok" } else { "FAILED" };
    out.push_str(&format!(
        "\ntest result: {verdict}. {passed} passed; {} failed; 0 ignored; 0 measured; 0 filtered out; finished in {}.{:02}s\n",
        failures.len(),
        rng.between(0, 4),
        rng.between(0, 99)
    ));
    out
}
