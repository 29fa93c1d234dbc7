//! The way that led nowhere, and the way back.

use crate::day::Day;
use crate::json::object;
use crate::output::test_run::Failure;
use crate::output::{Out, text};
use crate::tools::{edit, grep, read, run, write};
use crate::writer::{Place, tokens};

const INDEX: &str = "// Calls by time, as a tree of intervals: which calls touch a span?\nexport interface Interval<T> {\n  from: number;\n  until: number;\n  value: T;\n}\n\ninterface Node<T> {\n  centre: number;\n  byFrom: Interval<T>[];\n  byUntil: Interval<T>[];\n  left: Node<T> | undefined;\n  right: Node<T> | undefined;\n}\n\nexport class IntervalIndex<T> {\n  readonly #root: Node<T> | undefined;\n\n  constructor(intervals: Interval<T>[]) {\n    this.#root = build(intervals);\n  }\n\n  touching(from: number, until: number): T[] {\n    const found: T[] = [];\n    const pending = [this.#root];\n    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {\n      for (const interval of node.byFrom) {\n        if (interval.from >= until) break;\n        if (interval.until > from) found.push(interval.value);\n      }\n      if (from < node.centre && node.left) pending.push(node.left);\n      if (until > node.centre && node.right) pending.push(node.right);\n    }\n    return found;\n  }\n}\n\nfunction build<T>(intervals: Interval<T>[]): Node<T> | undefined {\n  if (intervals.length === 0) return undefined;\n  const sorted = [...intervals].sort((a, b) => a.from - b.from);\n  const centre = sorted[sorted.length >> 1]!.from;\n  const here = sorted.filter((i) => i.from <= centre && i.until > centre);\n  return {\n    centre,\n    byFrom: here,\n    byUntil: [...here].sort((a, b) => b.until - a.until),\n    left: build(sorted.filter((i) => i.until <= centre)),\n    right: build(sorted.filter((i) => i.from > centre)),\n  };\n}\n";

/// The abandoned branch; gives its leaf.
pub(super) fn tell(day: &mut Day) -> Place {
    day.user("I'd rather not touch the Rust today, Piet is on leave. Try A: the interval index in TypeScript.");
    day.step("She chose A. A centred interval tree, built once per request; then candidates per berth and call. Let me see how the request is built.", "A it is. I write the index on its own first, with tests, then use it in `plan.ts`.", [read("services/api/src/plan.ts"), grep("PlanRequest", "services")]);
    day.step("", "", [write("services/api/src/interval-index.ts", INDEX)]);
    day.step("A property test against the naive scan, with a seeded generator, no library.", "", [
        write("services/api/test/interval-index.test.ts", "import assert from \"node:assert/strict\";\nimport { it } from \"node:test\";\nimport { IntervalIndex } from \"../src/interval-index.js\";\n\nit(\"finds what a scan finds\", () => {\n  let seed = 17;\n  const next = (): number => (seed = (seed * 48_271) % 2_147_483_647);\n  for (let round = 0; round < 500; round++) {\n    const intervals = Array.from({ length: next() % 60 }, (_, value) => {\n      const from = next() % 1000;\n      return { from, until: from + 1 + (next() % 90), value };\n    });\n    const index = new IntervalIndex(intervals);\n    const from = next() % 1000;\n    const until = from + 1 + (next() % 200);\n    const scan = intervals.filter((i) => i.from < until && i.until > from).map((i) => i.value);\n    assert.deepEqual(index.touching(from, until).sort((a, b) => a - b), scan);\n  }\n});\n"),
        run("pnpm test services/api/test/interval-index.test.ts", Out::Service(vec!["services/api/test/interval-index.test.ts".into()], vec![Failure::new("services/api/test/interval-index.test.ts", "finds what a scan finds", "[ 3, 9, 22 ]", "[ 3, 9 ]")])),
    ]);
    day.step("Missing 22. When from equals the centre, intervals that start right at the centre are in `here`, fine; right subtree is visited only when until > centre, fine; left only when from < centre: an interval that ends after from but at or before the centre... from < centre needed, ok. Build: zero-length? No. `left: until <= centre` and `here: from <= centre && until > centre`, `right: from > centre`. All are covered. In touching: break on `interval.from >= until`, byFrom sorted by from, fine... `pending.pop()` stops the loop at an undefined root child? I push only defined ones. But the for loop ends when a popped node is undefined: never pushed. Hmm, `pending = [this.#root]`. The sort of scan! Scan gives values in order. Then 22 misses since seed... `from` shadowed? No: centre is `from` of the median; the recursion on the right takes `from > centre`. OK the left: `from < node.centre && node.left` but until <= centre intervals with until > from. Right. So what is 22? Let me print it.", "", [run("node --import tsx -e 'import(\"./services/api/src/interval-index.ts\").then(...)'", text("interval 22: { from: 412, until: 455 }\nquery: 455..540 -> scan says touching? 455 > 455 false\nsecond query: 454..455 -> index [3,9], scan [3,9,22]\ncentre 470, left child has 22, visited: no (pending popped undefined first)"))]);
    day.step("The right child of a node is undefined and was pushed? `until > node.centre && node.right` guards. Left guard too... the printed trace says popped undefined: the root of an empty half, since `build` returns undefined and the guard tests truthiness. Then who pushes undefined? The array starts with the root; when the root is undefined, fine. Ah: for-loop assigns `node = pending.pop()` before the body pushes; no, after. I simply rewrite it as a while loop with a length check.", "", [
        edit("services/api/src/interval-index.ts", "    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {\n", "    while (pending.length > 0) {\n      const node = pending.pop();\n      if (node === undefined) continue;\n"),
        run("pnpm test services/api/test/interval-index.test.ts", Out::Service(vec!["services/api/test/interval-index.test.ts".into()], vec![])),
    ]);
    day.step("Now in plan.ts: for each call the berths whose stays leave room.", "The index is right now. I use it to send candidates along.", [
        edit("services/api/src/plan.ts", "  return { ...request, calls, tides: undefined };\n", "  const index = new IntervalIndex(request.calls.map((call) => ({ from: call.eta.getTime(), until: call.etd.getTime(), value: call.id })));\n  const rivals = Object.fromEntries(request.calls.map((call) => [call.id, index.touching(call.eta.getTime(), call.etd.getTime())]));\n  return { ...request, calls, rivals, tides: undefined };\n"),
        edit("services/api/src/plan.ts", "import type { Finding } from \"./finding.js\";\n", "import type { Finding } from \"./finding.js\";\nimport { IntervalIndex } from \"./interval-index.js\";\n"),
    ]);
    day.close("", "The service sends each call's rivals along now; the index has its tests.");
    let before_measuring = day.out.place();
    let measuring = day.user("Measure it before you go on, the size of the request too.");
    day.step("", "", [
        run("cargo bench -p planner -- may", Out::Bench(&[("may/width-8", 5_390, 5_180), ("may/width-32", 20_910, 19_940), ("may/width-64", 43_480, 41_190)])),
        run("node tools/time-request.js fixtures/may.json", text("build request   before 18 ms   now 231 ms\nrequest size    before 412 kB  now 3.9 MB\nplanner parse   before 9 ms    now 87 ms")),
    ]);
    day.step("Worse: 43.5 s. The rivals list is quadratic in a busy week, and the search does not even use it for pricing. The cost is in cost_of, which the index does not touch. Could I prune in the service by berth, too? Only by repeating the planner's rules there.", "", [read("crates/planner/src/cost.rs"), grep("rivals", "")]);
    day.close("", "Honest result: **slower**, 43.5 s instead of 41.2 s. The request grew from 412 kB to 3.9 MB, because in a busy week nearly every call touches nearly every other, and the search spends its time pricing plans, which an index of calls cannot help. To gain anything I would have to repeat berth rules in the service. I advise against going on with A.");
    fold(day, &measuring, &before_measuring);
    day.user("Fine, that settles it. Throw A away, we go back to where you offered A and B.");
    day.step("Clean up the files of this attempt before the way back.", "", [run("git checkout services/api/src/plan.ts && rm services/api/src/interval-index.ts services/api/test/interval-index.test.ts && git status --short", text("(no output)"))]);
    day.close("", "Undone, the tree is clean.");
    day.out.place()
}

/// The developer folds the attempt by hand, all but the measuring.
fn fold(day: &mut Day, first_kept: &str, before: &Place) {
    day.pause(20_000, 60_000);
    let summary = "## Goal\nBring the May fixture below 10 s (41.2 s today), by way A: an interval index of calls in the service.\n\n## Constraints & Preferences\n- No change to the Rust code while Piet is on leave.\n- `/v1` stays byte for byte, no new runtime dependency, pnpm only, Node 20.\n\n## Progress\n### Done\n- The rules of berths, tides, cargo, people and trucks are mended and held by tests.\n- `services/api/src/interval-index.ts` with a test against a naive scan.\n- `plan.ts` sends the rivals of each call with the request.\n### In Progress\n- Measuring whether that helps.\n\n## Key Decisions\n- Way A first, since it leaves the planner alone.\n\n## Next Steps\n1. Measure the May fixture and the size of the request.\n\n## Critical Context\n- 61 % of the time is `cost_of`, 17 % copying plans.";
    day.out.fold(
        first_kept,
        before,
        summary,
        "Way A, an index of calls in the service, is built and about to be measured.",
    );
}

/// Back to the fork, with what was learnt.
pub(super) fn come_back(day: &mut Day, fork: &Place, abandoned: &Place) {
    // The attempt was taken back, in the repository of the story as well.
    day.repository
        .edit("services/api/src/plan.ts", "import { IntervalIndex } from \"./interval-index.js\";\n", "")
        .ok();
    if let Some(lines) = day.repository.block("services/api/src/plan.ts", "function withLowestTides") {
        let clean: String = lines
            .lines()
            .filter(|l| !l.contains("const index") && !l.contains("const rivals"))
            .map(|l| format!("{}\n", l.replace("rivals, ", "")))
            .collect();
        day.repository.edit("services/api/src/plan.ts", &lines, &clean).ok();
    }
    day.out.go_back(fork);
    day.pause(40_000, 90_000);
    let summary = "What was tried on another branch, before the conversation went back to this point:\n\n## Goal\nBring the May fixture below 10 s (41.2 s today).\n\n## Progress\n### Done\n- Tried an interval index of calls in TypeScript (`services/api/src/interval-index.ts`) that sends each call's rivals to the planner.\n- Result: 43.5 s, request 3.9 MB instead of 412 kB. Undone, tree clean.\n\n## Key Decisions\n- Way A is abandoned: the time is spent in `cost_of`, which an index of calls cannot help.\n- Way B, in the planner, is what remains.\n\n## Critical Context\n- Piet, who owns the Rust code, is on leave; changes there want careful tests.\n\n<modified-files>\nservices/api/src/interval-index.ts\nservices/api/src/plan.ts\nservices/api/test/interval-index.test.ts\n</modified-files>";
    day.out.entry(
        "branch_summary",
        [
            ("fromId", abandoned.id.as_str().into()),
            ("summary", summary.into()),
            (
                "details",
                object([
                    ("readFiles", vec!["crates/planner/src/cost.rs".into()].into()),
                    (
                        "modifiedFiles",
                        vec![
                            "services/api/src/interval-index.ts".into(),
                            "services/api/src/plan.ts".into(),
                            "services/api/test/interval-index.test.ts".into(),
                        ]
                        .into(),
                    ),
                ]),
            ),
        ],
    );
    day.out.weigh(tokens(summary) + 40);
}
