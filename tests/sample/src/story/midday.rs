//! Midday: two bars of the board overlap, the gate overflows, and the planner is slow.

use crate::day::Day;
use crate::habits::{index_query, look_over, put_right};
use crate::image;
use crate::json::object;
use crate::output::test_run::Failure;
use crate::output::{Out, text};
use crate::tools::{block, edit, grep, read, run};
use crate::writer::Place;

/// Tells it up to the place where the detour begins, which it gives.
pub(super) fn tell(day: &mut Day) -> Place {
    overlap(day);
    gate(day);
    arabic(day);
    slow(day)
}

fn overlap(day: &mut Day) {
    day.out.clock.at_least(10, 40);
    day.out.cool_down();
    day.out.entry("session_info", [("name", "harbor: tide, rules, planner speed".into())]);
    day.user_with_picture("Screenshot from the board, B2 tomorrow. The orange and the red bar overlap by an hour. conflicts() should have found it and the board shows no warning. Why?", image::berth_board());
    day.step(
        "In the picture, row two: orange ends right of where red begins. So two assignments at one berth overlap. `conflicts` compares `left.callId < right.callId` as strings and `<=` on both ends; that would find too many rather than too few. Unless the call ids are equal: a call that shifts berth has two assignments with the same id! Then `<` is false both ways.",
        "In the second row the orange bar ends after the red one begins. I check how `conflicts` pairs assignments.",
        [read("services/api/src/plan.ts"), grep("conflicts(", "services"), grep("callId", "services")],
    );
    day.step("", "", [run("curl -s localhost:8080/v1/board?days=2 | jq -c '.rows[] | select(.berthId==\"B2\")'", text("{\"callId\":\"C2291\",\"berthId\":\"B2\",\"from\":\"2026-03-18T04:30:00.000Z\",\"until\":\"2026-03-18T13:10:00.000Z\",\"cranes\":[\"Q2\",\"Q4\"]}\n{\"callId\":\"C2291\",\"berthId\":\"B2\",\"from\":\"2026-03-18T12:05:00.000Z\",\"until\":\"2026-03-18T19:40:00.000Z\",\"cranes\":[\"Q4\"]}\n{\"callId\":\"C2207\",\"berthId\":\"B2\",\"from\":\"2026-03-18T21:00:00.000Z\",\"until\":\"2026-03-19T06:15:00.000Z\",\"cranes\":[\"Q2\"]}"))]);
    day.step(
        "Confirmed: C2291 twice at B2, a split stay whose parts overlap. Pair by index, not by id. I also fix the ends: touching is not overlapping, the planner says so too (`spans_touch_without_overlap`). Instead of all pairs: sort by berth and start, and compare with the next ones only.",
        "It is as I thought: both bars are the *same call*, C2291, in two parts, and `conflicts` only pairs different ids.",
        [block(
            "services/api/src/plan.ts",
            "export function conflicts",
            "export function conflicts(assignments: readonly Assignment[]): [Assignment, Assignment][] {\n  const sorted = [...assignments].sort((a, b) => a.berthId.localeCompare(b.berthId) || a.from.getTime() - b.from.getTime());\n  const found: [Assignment, Assignment][] = [];\n  for (const [index, left] of sorted.entries()) {\n    for (const right of sorted.slice(index + 1)) {\n      if (right.berthId !== left.berthId || right.from >= left.until) break;\n      found.push([left, right]);\n    }\n  }\n  return found;\n}\n",
        )],
    );
    day.step("", "", [
        edit("services/api/src/plan.ts", "/** Calls that overlap at one berth: quadratic, but a week has two hundred calls. */", "/** Assignments that overlap at one berth, also two parts of the same call. Touching is not overlapping. */"),
        run("pnpm test services/api/test/plan.test.ts", Out::Service(vec!["services/api/test/plan.test.ts".into()], vec![Failure::new("services/api/test/plan.test.ts", "touching stays conflict", "1", "0")])),
    ]);
    day.step(
        "An old test holds the old behaviour: touching stays conflict. Which one is right? The planner allows them, the berth has a turnover that is added before. So the test is wrong, but it is a decision, so I tell her. I change the test and say it.",
        "One test pins the opposite: that stays which touch are a conflict. The planner plans such stays on purpose (turnover is already inside the span), so I turn the test round and will tell you.",
        [run("sed -i 's/touching stays conflict/touching stays do not conflict/; s/length, 1)/length, 0)/' services/api/test/plan.test.ts", text("(no output)")), run("pnpm test services/api/test/plan.test.ts", Out::Service(vec!["services/api/test/plan.test.ts".into()], vec![]))],
    );
    day.close("", "The two bars are one call: C2291 stays at B2 in two parts, and its parts overlap by 65 minutes. `conflicts` paired only assignments of *different* calls, so it could not see that. It pairs all of them now.\n\nA decision for you: an old test said that stays which merely touch are a conflict. The planner makes such stays on purpose, so I turned the test round. If you want a gap, it belongs into `turnover()`.\n\nWhy the planner split C2291 with an overlap is another question. I suspect `candidate_spans`.");
}

fn gate(day: &mut Day) {
    day.user("Touching is fine. The split is known, that is a manual override by the night shift. Next: \"The queue at lane 4 reached the motorway on Friday, while the dashboard said 96 percent.\"");
    put_right(
        day,
        "slot",
        "notOverbooked",
        "late trucks of the hour before",
        "`notOverbooked` counts the trucks that are carried over from the window before, and a full slot is full (it was only *over*full before). Friday, lane 4, 14:00 would have been refused at 15:20 with 31 carried over.",
    );
    day.user("Good. While you are in the gate: the kiosk takes two seconds for openAt. Look why.");
    look_over(
        day,
        "slot",
        "openAt in the store: everything is fetched up to the limit, then filtered. With a row per lane and hour, a year is 80 000 rows, so the limit may even hide the right ones!",
    );
    index_query(day, "slot", "from", 21);
    day.close("", "`openAt` read the first rows by start time and filtered in the process: slow, and past the limit it would not even see the current hour. There is an index on `from` now (migration 0021, written without a transaction since it is `concurrently`). The query itself still filters in the process; I would move the condition into SQL next, if you agree. 1.1 s before, 4 ms now.");
}

fn arabic(day: &mut Day) {
    day.user("رسالة من ميناء جبل علي: الإشعارات العربية تظهر مقلوبة عندما يكون فيها رقم الحاوية أو اسم السفينة بالحروف اللاتينية، مثلا «وصلت الحاوية HRBU4471023 إلى الرصيف B4». الرجاء إصلاح القوالب دون تغيير النصوص نفسها.");
    day.step(
        "Arabic notices look reversed when they hold a container number or a ship's name in Latin letters; fix the templates without changing the texts. The right means: isolate inserted values with U+2068 (first strong isolate) and U+2069. Only in templates of a right-to-left language, and not on the radio channel. She said to answer in English.",
        "Inserted Latin values need to be isolated in right-to-left text (U+2068 ... U+2069). I look for where templates are filled in.",
        [grep("template", "services"), read("services/api/src/notice/store.ts"), run("head -c 600 notices/arrival.ar.txt | cat -v | head; ls notices", text("M-YM-^HM-XM-5M-YM-^DM-XM-* M-XM-'M-YM-^DM-XM--M-XM-'M-YM-^HM-YM-^JM-XM-) {container} ...\narrival.ar.txt  arrival.da.txt  arrival.en.txt  arrival.ja.txt  arrival.uk.txt\ndelay.ar.txt    delay.da.txt    delay.en.txt    delay.ja.txt    delay.uk.txt"))],
    );
    day.step("", "", [
        crate::tools::write("services/api/src/notice/fill.ts", "// Fills the {names} of a notice template.\nimport type { Notice } from \"./model.js\";\n\nconst RIGHT_TO_LEFT: ReadonlySet<Notice[\"language\"]> = new Set([\"ar\"]);\nconst ISOLATE = \"\\u2068\";\nconst POP = \"\\u2069\";\n\n/** Values are isolated in right-to-left text, or a container number pulls its surroundings round. */\nexport function fill(template: string, values: Readonly<Record<string, string>>, language: Notice[\"language\"], channel: Notice[\"channel\"]): string {\n  const isolate = RIGHT_TO_LEFT.has(language) && channel !== \"radio\";\n  return template.replace(/\\{(\\w+)\\}/g, (whole, name: string) => {\n    const value = values[name];\n    if (value === undefined) return whole;\n    return isolate ? `${ISOLATE}${value}${POP}` : value;\n  });\n}\n"),
        run("pnpm test services/api/test/notice.test.ts", Out::Service(vec!["services/api/test/notice.test.ts".into()], vec![])),
    ]);
    day.close("", "Fixed in a new `services/api/src/notice/fill.ts`: values put into Arabic text are wrapped in U+2068 and U+2069, so «وصلت الحاوية HRBU4471023 إلى الرصيف B4» keeps its order. The templates themselves are unchanged; radio texts get no marks. Open question: does the SMS gateway pass these characters on? I cannot test that from here.");
    day.out.entry("custom_message", [
        ("customType", "quayside:ci".into()),
        ("content", "CI of b3f0a61..HEAD: lint ok, service 214 passed, planner 96 passed, parity ok. Slowest: planner/may 41.2 s (limit 45 s).".into()),
        ("display", true.into()),
        ("details", object([("run", 8821.into()), ("slowestMs", 41_207.into())])),
    ]);
    day.out.weigh(48);
}

fn slow(day: &mut Day) -> Place {
    day.user("I ask the gateway people about the SMS. See the CI note: the May fixture takes 41 seconds and the limit is 45. I need it below 10. Measure first, tell me what you would do, and wait for my go.");
    day.step("Measure, propose, wait. A profile of the May fixture and the benchmark at three widths.", "", [
        run("perf record -F 997 -g target/release/planner --deadline 60000 fixtures/may.json > /dev/null && perf report --stdio | head -40", Out::Profile(&[("planner::cost::cost_of", 614), ("<planner::search::Partial as Clone>::clone", 171), ("planner::search::fits", 96), ("planner::berth::Berth::findings", 41), ("core::slice::sort::stable::merge", 28), ("planner::search::candidate_spans", 19), ("__memmove_avx_unaligned_erms", 14), ("planner::time::Span::overlaps", 9)])),
        run("cargo bench -p planner -- may", Out::Bench(&[("may/width-8", 5_180, 5_122), ("may/width-32", 19_940, 20_300), ("may/width-64", 41_190, 40_870)])),
        read("crates/planner/src/search.rs"),
    ]);
    day.close(
        "61 % in cost_of because each grown plan is priced from nothing; 17 % clones. Price only what the new placement adds: O(1) instead of O(n). Then clones: share a linked list of placements. fits: sweep per berth. She also may think of an index in TypeScript; offer both.",
        "Where the 41 seconds go:\n\n| part | share | why |\n|---|---|---|\n| `cost_of` | 61 % | every grown plan is priced from scratch |\n| cloning plans | 17 % | the whole list of placements is copied for each candidate |\n| `fits` | 10 % | scans all placements for each span |\n\nTwo ways:\n\n**A, in the service:** build an interval index of the calls in TypeScript and send the planner only candidates that can fit. Less work for the search, no Rust changes, but it moves planning logic into the service.\n\n**B, in the planner:** price only what a placement adds, share the list instead of copying it, keep spans per berth sorted.\n\nI would take B. I wait for your go.",
    );
    let place = day.out.place();
    day.out
        .entry("label", [("targetId", place.id.as_str().into()), ("label", "before speeding up the planner".into())]);
    day.out.place()
}
