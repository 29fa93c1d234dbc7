//! Morning: a first look, the tide that breaks at midnight, names in every script, cranes in service.

use crate::day::Day;
use crate::habits::{look_over, put_right};
use crate::json::{Json, object};
use crate::output::test_run::Failure;
use crate::output::{Out, text};
use crate::tools::{Do, block, edit, grep, read, run, write};
use crate::writer::tokens;

pub(super) fn tell(day: &mut Day) {
    open(day);
    orientation(day);
    baseline(day);
    midnight(day);
    names(day);
    cranes(day);
    depth(day);
}

fn open(day: &mut Day) {
    day.out.change_model("nl-coder-2");
    day.out.entry("thinking_level_change", [("thinkingLevel", "medium".into())]);
    day.out.entry(
        "custom",
        [
            ("customType", "quayside:workspace".into()),
            ("data", object([("branch", "main".into()), ("dirty", false.into()), ("head", "4e1c9d7".into())])),
        ],
    );
    day.shell("git status --short && git log --oneline -5", "4e1c9d7 board: draw closed berths hatched\n90b1f3a planner: seed from the command line\nc7d20e8 rules: findings carry what they are about\n1be44f0 gate: slots of lane 9\n7a0d5c2 tide: predictions of 2026", 0, false);
}

fn orientation(day: &mut Day) {
    day.user("Morning. Before we change anything today, read AGENTS.md and tell me in ten lines how a plan gets made, from the HTTP request to the search. Three things hold for the whole day: never touch the public API under services/api/src/v1, use pnpm and nothing else, and stay on Node 20. And no new runtime dependency without asking me first.");
    day.step(
        "She wants a tour and no changes. AGENTS.md first, then the route, the bridge to the planner and the search. I can read the last three together.",
        "I read the house rules first.",
        [read("AGENTS.md"), read("package.json")],
    );
    day.step(
        "",
        "",
        [read("services/api/src/v1/routes.ts"), read("services/api/src/plan.ts"), read("crates/planner/src/search.rs")],
    );
    day.step("The cost is what decides; and the tides come in on the service's side, which I find surprising. Let me see both.", "", [
        read("crates/planner/src/cost.rs"),
        read("services/api/src/tide-curve.ts"),
        Do::List("services/api/src".into()),
    ]);
    day.close(
        "",
        "How a plan is made:\n\n1. `GET /v1/board` reads calls, berths and turns of the tide for the asked days.\n2. `plan()` in `services/api/src/plan.ts` adds the lowest water of each stay, since the planner knows no gauges.\n3. It starts `target/release/planner` and writes everything as JSON to its input.\n4. The planner orders calls by priority and arrival.\n5. It places one call after the other; `search.rs` keeps the best `width` partial plans (a beam).\n6. Start times tried are the declared one and the ends of stays that are in the way.\n7. `cost.rs` prices waiting, crane walks and the weight of findings, and does so **from scratch for every partial plan**.\n8. At the deadline the best plan so far is written out.\n9. The service revives dates and hands assignments and findings to the board.\n10. Rules exist twice; until one is ported, the planner believes what the service sends.\n\nI noted your three limits: `/v1` frozen, pnpm only, Node 20, and no new runtime dependency unasked.",
    );
}

fn baseline(day: &mut Day) {
    day.user(
        "Good. Run everything once so that we know where we start. Don't fix anything yet, just tell me what is red.",
    );
    let files: Vec<String> = crate::project::entity::all()
        .map(|e| e.test_path())
        .chain(["services/api/test/tide-curve.test.ts".to_owned(), "services/api/test/events.test.ts".to_owned()])
        .collect();
    let failures = vec![
        Failure::new("services/api/test/tide-curve.test.ts", "follows the water over midnight", "1.92", "2.07"),
        Failure::new("services/api/test/tide-curve.test.ts", "is right in the small hours", "0.53", "0.62"),
        Failure::new("services/api/test/events.test.ts", "lets go of a client that leaves", "0", "1"),
    ];
    let modules: Vec<String> =
        crate::project::entity::all().map(|e| e.name.to_owned()).chain(["search".into(), "cost".into()]).collect();
    day.step(
        "Both suites are independent, so side by side.",
        "",
        [
            run("pnpm install --frozen-lockfile && pnpm test", Out::Service(files, failures)),
            run("cargo test -p planner", Out::Planner(modules, vec![])),
            run("pnpm lint", text("\n> harbor@1.7.4 lint\n> eslint services tools --max-warnings 0\n")),
        ],
    );
    day.close("", "Three red, all in the service:\n\n- `tide-curve.test.ts`: *follows the water over midnight* (got 2.07, expected 1.92)\n- `tide-curve.test.ts`: *is right in the small hours* (got 0.62, expected 0.53)\n- `events.test.ts`: *lets go of a client that leaves* (one listener left)\n\nThe planner is green, lint is clean. The first two look like one fault.");
}

fn midnight(day: &mut Day) {
    day.user("Take the tide first. The pilots complained about exactly that: between midnight and the first turn of the day the board is off by a hand's breadth.");
    day.step(
        "`indexBefore` looks for the first point of the same UTC day. Right after midnight there is no point of the day before the moment, so it takes the first one of the new day, which lies ahead: the phase is negative and the curve is drawn backwards from the wrong pair. A binary search over all points would simply be right. Let me see the tests and the callers.",
        "I think I see it already: the search starts at the first turn *of that day*, although the last turn before the moment may be of the day before.",
        [grep("levelAt", "services"), grep("lowestDuring", "services"), run("cat services/api/test/tide-curve.test.ts", text("import assert from \"node:assert/strict\";\nimport { describe, it } from \"node:test\";\nimport { levelAt, lowestDuring } from \"../src/tide-curve.js\";\nimport { turns } from \"./support/tides.js\";\n\nconst points = turns(\"2026-03-16T22:40Z 2.31\", \"2026-03-17T04:55Z -0.92\", \"2026-03-17T11:04Z 2.44\", \"2026-03-17T17:20Z -1.01\");\n\ndescribe(\"levelAt\", () => {\n  it(\"is the turn itself at a turn\", () => {\n    assert.equal(levelAt(points, new Date(\"2026-03-17T11:04Z\")), 2.44);\n  });\n\n  it(\"follows the water over midnight\", () => {\n    assert.equal(round(levelAt(points, new Date(\"2026-03-17T00:05Z\"))), 1.92);\n  });\n\n  it(\"is right in the small hours\", () => {\n    assert.equal(round(levelAt(points, new Date(\"2026-03-17T02:00Z\"))), 0.53);\n  });\n});\n\nfunction round(value: number): number {\n  return Math.round(value * 100) / 100;\n}\n"))],
    );
    day.step(
        "A plain binary search for the last point at or before the moment. Points are sorted by the store. Days disappear altogether, which also removes the next trap: daylight saving.",
        "",
        [
            block("services/api/src/tide-curve.ts", "function indexBefore", "function indexBefore(points: readonly TidePoint[], moment: Date): number {\n  let low = 0;\n  let high = points.length;\n  while (low < high) {\n    const middle = (low + high) >> 1;\n    if (points[middle]!.at <= moment) low = middle + 1;\n    else high = middle;\n  }\n  return low - 1;\n}\n"),
            edit("services/api/src/tide-curve.ts", "const DAY = 86_400_000;\n\n", ""),
        ],
    );
    day.step(
        "",
        "",
        [run(
            "pnpm test services/api/test/tide-curve.test.ts",
            Out::Service(vec!["services/api/test/tide-curve.test.ts".into()], vec![]),
        )],
    );
    day.step(
        "Green. But lowestDuring steps every ten minutes and can miss the turn itself by up to five minutes: at the turn the curve is flat, so the error is small, a centimetre at most. Worth a remark, not a change she did not ask for.",
        "",
        [run("git diff --stat && git commit -qam 'tide: look for the last turn, whatever its day' && git log --oneline -1", text(" services/api/src/tide-curve.ts | 14 ++++++++------\n 1 file changed, 8 insertions(+), 6 deletions(-)\nb3f0a61 tide: look for the last turn, whatever its day"))],
    );
    day.close("", "Fixed and committed as b3f0a61. The search for the last turn no longer knows days, so midnight (and daylight saving, on the 29th) is no border any more.\n\nOne remark: `lowestDuring` looks every ten minutes and can miss the turn itself. The water is flat there, so it is a centimetre at most. Shall I let it look at the turns as well?");
}

fn names(day: &mut Day) {
    day.user("横浜の代理店から連絡がありました。ボードで日本語の船名（さくら丸、はまなす、第八海王丸）が一番下に順番もなく並んでいるそうです。読みの順に並べて、ラテン文字やキリル文字の船名も正しい位置に出るようにしてください。新しい依存ライブラリは使わないでください。なお、さっきの潮位の件は、潮の変わり目も見るようにお願いします。");
    day.step(
        "The agent in Yokohama says that Japanese ship names stand at the end of the board in no order. Sort by reading where possible, Latin and Cyrillic in their right place, no new dependency. And the tide remark: yes, look at the turns as well. Intl.Collator is in Node 20 with full ICU, so that is the tool. By reading is only possible for kana; kanji have no reading without a dictionary, I must say so honestly.",
        "承知しました。`Intl.Collator` は Node 20 に入っているので、依存は増えません。まず現状を見ます。",
        [grep("localeCompare", "services"), grep("toLowerCase", "services"), read("fixtures/vessels.json")],
    );
    day.step("", "", [read("services/api/src/vessel/rules.ts"), read("services/api/src/vessel/model.ts"), run("node -p 'process.versions.icu + \" \" + Intl.Collator.supportedLocalesOf([\"ja\",\"uk\",\"da\",\"ar\"])'", text("75.1 ja,uk,da,ar"))]);
    let collation = "// Keys that sort names of ships in the order a reader of their script expects.\nconst collator = new Intl.Collator([\"da\", \"ja\", \"uk\", \"ar\"], { numeric: true, sensitivity: \"base\" });\n\n/** Leading marks that are not part of the name: M/V, т/х, 第. */\nconst PREFIX = /^(?:m\\/v|ms|т\\/х|теплоход)\\s+/iu;\n\nexport function collationKey(name: string): string {\n  return name.normalize(\"NFKC\").replace(PREFIX, \"\").trim();\n}\n\nexport function compareNames(left: string, right: string): number {\n  return collator.compare(collationKey(left), collationKey(right)) || left.localeCompare(right);\n}\n";
    day.step(
        "A small module: normalise, strip prefixes, compare with one collator. The tie break keeps the order total. Kanji sort by their code after kana, no reading. I add a test with the three names and two Cyrillic ones.",
        "",
        [
            write("services/api/src/collation.ts", collation),
            write("services/api/test/collation.test.ts", "import assert from \"node:assert/strict\";\nimport { it } from \"node:test\";\nimport { compareNames } from \"../src/collation.js\";\n\nit(\"sorts every script in its own order\", () => {\n  const names = [\"第八海王丸\", \"Чайка\", \"Zofia K\", \"はまなす\", \"Lyø\", \"さくら丸\", \"Одеса\", \"т/х Дніпро\", \"Ebba Trader\"];\n  assert.deepEqual([...names].sort(compareNames), [\n    \"Ebba Trader\", \"Lyø\", \"Zofia K\", \"т/х Дніпро\", \"Одеса\", \"Чайка\", \"さくら丸\", \"はまなす\", \"第八海王丸\",\n  ]);\n});\n\nit(\"is a total order\", () => {\n  assert.notEqual(compareNames(\"Чайка\", \"чайка\"), 0);\n});\n"),
            edit("services/api/src/tide-curve.ts", "  return lowest;\n", "  for (const point of points) {\n    if (point.at >= from && point.at <= until) lowest = Math.min(lowest, point.heightM);\n  }\n  return lowest;\n"),
        ],
    );
    day.step(
        "",
        "",
        [run(
            "pnpm test services/api/test/collation.test.ts services/api/test/tide-curve.test.ts",
            Out::Service(
                vec!["services/api/test/collation.test.ts".into(), "services/api/test/tide-curve.test.ts".into()],
                vec![],
            ),
        )],
    );
    day.close("", "できました。\n\n- 新しい `services/api/src/collation.ts` の `compareNames` が `Intl.Collator`（Node 20 標準）で並べます。依存は増えていません。\n- さくら丸 → はまなす → 第八海王丸 の順になり、キリル文字（Одеса、Чайка）はラテン文字の後に来ます。\n- ただし漢字には読みの情報がないため、「第八海王丸」のような名前は仮名の後ろに文字コード順で並びます。読みで並べるには、船舶登録に読み仮名の欄が要ります。必要でしょうか？\n- 潮位：`lowestDuring` は潮の変わり目も見るようにしました。テストはすべて通っています。");
    day.user("Thanks, answer in English from here on, I only forwarded that. No reading column for now, the agent can live with it. Now wire compareNames into the vessel rule and go on.");
    put_right(
        day,
        "vessel",
        "nameSortable",
        "a name of kanji only",
        "`nameSortable` now asks for a collation key, in the service and in the planner, and the board sorts with `compareNames`. Both suites are green and parity says the same on all fixtures. Kanji names stand behind kana, as agreed.",
    );
}

fn cranes(day: &mut Day) {
    let files = vec![
        object([("path", "notes/crane-service.md".into()), ("content", "# Service of the cranes, spring\n\n- Q3: 18 to 20 March, boom hoist, in pieces\n- Q5: 24 March, half a day, cable reel\n- Q1: 2 April, yearly check\n\nA crane that comes out of service needs 30 minutes until the first move (brake test, then the foreman signs).\nWind above the limit counts as service without a warm-up.\n".into())]),
        object([("path", "notes/кран-3.txt".into()), ("content", "Кран №3: замена троса подъёма стрелы. Работы с 18 марта, 06:00, до 20 марта, 14:00.\nПодрядчик: «Портсервис», бригада 7. После работ — пробный подъём 51 т. ⚠️ Не включать в план!\n".into())]),
    ];
    day.pause(60_000, 300_000);
    let weight = tokens(&Json::List(files.clone()).to_string());
    day.out.message(object([("role", "fileMention".into()), ("files", files.into())]), weight);
    day.user("Two notes from the crane shop, the second one in Russian from the contractor. \"Q3 was in pieces on the quay and the plan gave it two hundred moves\", says the foreman. Make the rule see any overlap of work and service, with the half hour of warm-up from the note.");
    put_right(
        day,
        "crane",
        "notInService",
        "work that begins in the warm-up",
        "`notInService` now looks at the whole span of the work against the service window, padded by the warm-up of 30 minutes from the note. Q3 is out from 18 March 06:00 to 20 March 14:30 (14:00 plus warm-up). The planner has the same rule. I did not treat wind as service yet; the note asks for it without a warm-up, and no field carries the forecast.",
    );
    look_over(
        day,
        "crane",
        "The user may ask for the wind next. I want to know where a forecast could come from, so I look over the module while it is fresh.",
    );
    day.close("Nothing in crane holds a forecast. windLimitMs is a limit only.", "I looked for a place for the wind: `Crane.windLimitMs` is only the limit, no module holds a forecast. It would need a source. I leave it until you say which one.");
}

fn depth(day: &mut Day) {
    day.user("Leave the wind. Next complaint, this one is serious: \"The Havlund sat on the mud for two hours at B4 last Thursday although the board was green.\" I want margin and low tide in the berth rule.");
    put_right(
        day,
        "berth",
        "deepEnough",
        "low tide under a loaded ship",
        "`deepEnough` now wants draft plus margin to fit into charted depth plus the lowest tide of the stay (which `plan()` already computes). For the Havlund at B4 last Thursday it gives the finding: 9.4 + 0.5 against 10.2 - 0.92. Green in both suites.",
    );
    day.user("And the closing of berths has the same smell: \"We planned a thirty-hour stay into the dredging window because only the arrival was looked at.\" Same treatment.");
    put_right(
        day,
        "berth",
        "openForStay",
        "a stay that runs into dredging",
        "`openForStay` compares the whole stay with the closing now. Stays that end exactly when dredging starts are fine, and so are those that begin when it ends.",
    );
}
