//! Afternoon: the planner gets fast, a turn is stopped, a leak is found, more rules are put right.

use crate::day::Day;
use crate::habits::{look_over, put_right};
use crate::output::test_run::Failure;
use crate::output::{Out, text};
use crate::tools::{Do, block, edit, grep, read, run, write};

pub(super) fn tell(day: &mut Day) {
    incremental_cost(day);
    shared_placements(day);
    stopped(day);
    leak(day);
    yard(day);
    manifest(day);
    crews(day);
}

fn incremental_cost(day: &mut Day) {
    day.out.clock.at_least(13, 5);
    day.out.cool_down();
    day.user("OK, B then. I called Piet: he agrees, as long as the plans stay byte for byte the same for the same seed. Start with the pricing. Small commits.");
    day.step("Condition: same plans for the same seed. So first pin the plans of the three fixtures, a golden file each, before any change. Then cost as a sum of parts: cost of a placement depends only on its call and berth (waiting, walk, findings), so it adds up. One danger: floating point sums in another order. cost_of adds placements in order of placing, from 0.0; incremental adds the same numbers in the same order, but cost_of adds three parts to total one at a time: ((t + w) + c) + f. I must keep that order of additions, or bits differ and ties flip.", "Before anything changes I pin today's plans, so that \"the same\" is something a test can say.", [
        read("crates/planner/src/cost.rs"),
        grep("cost_of", "crates"),
        run("for f in may storm strike; do target/release/planner --seed 1 --deadline 600000 fixtures/$f.json > crates/planner/tests/golden/$f.json; done; wc -c crates/planner/tests/golden/*; sha256sum crates/planner/tests/golden/* | cut -c1-16", text("  48211 crates/planner/tests/golden/may.json\n  21984 crates/planner/tests/golden/storm.json\n  19020 crates/planner/tests/golden/strike.json\n  89215 total\n9c1e40d27b5f83aa\n03bd77e2c6f1904e\ne65a1b8890cd2f37")),
    ]);
    day.step("", "", [
        write("crates/planner/tests/golden.rs", "//! Plans of the fixtures, byte for byte. A change here is a change of behaviour and wants a reason.\n\nuse std::path::Path;\nuse std::process::Command;\n\nfn check(name: &str) {\n    let root = Path::new(env!(\"CARGO_MANIFEST_DIR\"));\n    let output = Command::new(env!(\"CARGO_BIN_EXE_planner\"))\n        .args([\"--seed\", \"1\", \"--deadline\", \"600000\"])\n        .arg(root.join(\"../../fixtures\").join(name))\n        .output()\n        .unwrap();\n    assert!(output.status.success(), \"{}\", String::from_utf8_lossy(&output.stderr));\n    let golden = std::fs::read(root.join(\"tests/golden\").join(name)).unwrap();\n    assert!(output.stdout == golden, \"the plan of {name} changed\");\n}\n\n#[test]\nfn may_is_unchanged() {\n    check(\"may.json\");\n}\n\n#[test]\nfn storm_is_unchanged() {\n    check(\"storm.json\");\n}\n\n#[test]\nfn strike_is_unchanged() {\n    check(\"strike.json\");\n}\n"),
        run("cargo test -p planner --test golden", Out::Planner(vec!["golden".into()], vec![])),
    ]);
    day.broken("", "error", "529 {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"},\"request_id\":\"req_7Qm2vXc9\"}");
    day.pause(4_000, 9_000);
    day.step("The golden test stands. Now cost: `added_by(placement)` returns the three parts; the search adds them in the same order as before.", "The golden test is in place. Now the pricing: each placement costs the same whatever was placed before it, so the search can add instead of sum anew.", [
        block("crates/planner/src/cost.rs", "pub fn cost_of", "pub fn add_placement(total: Cost, placement: &Placement, calls: &[PortCall], berths: &[Berth], ctx: &Context<'_>) -> Cost {\n    let call = &calls[placement.call];\n    let berth = &berths[placement.berth];\n    let waited = (placement.span.from - call.eta).hours().max(0.0);\n    // One addition after the other: grouping them would change the last bit, and with it the order of ties.\n    let total = total + waited * if call.deep_sea() { DEEP_SEA_HOUR } else { FEEDER_HOUR };\n    let total = total + ctx.crane_walk(call, berth) * CRANE_WALK;\n    total + berth.findings(&ctx.for_call(call)).iter().map(|f| f.weight).sum::<f64>()\n}\n"),
        edit("crates/planner/src/cost.rs", "/// The cost of everything placed so far.", "/// The cost of a plan with one more placement."),
        edit("crates/planner/src/cost.rs", "use crate::search::Partial;", "use crate::search::Placement;"),
        edit("crates/planner/src/search.rs", "                    grown.placed.push(Placement { call, berth, span });\n                    grown.cost = cost_of(&grown, calls, berths, ctx);\n", "                    let placement = Placement { call, berth, span };\n                    grown.cost = add_placement(grown.cost, &placement, calls, berths, ctx);\n                    grown.placed.push(placement);\n"),
        edit("crates/planner/src/search.rs", "use crate::cost::{Cost, cost_of};", "use crate::cost::{Cost, add_placement};"),
    ]);
    day.step(
        "",
        "",
        [
            run(
                "cargo test -p planner",
                Out::Planner(vec!["cost".into(), "search".into(), "golden".into(), "berth".into()], vec![]),
            ),
            run(
                "cargo bench -p planner -- may",
                Out::Bench(&[
                    ("may/width-8", 2_020, 5_180),
                    ("may/width-32", 7_940, 19_940),
                    ("may/width-64", 16_110, 41_190),
                ]),
            ),
        ],
    );
    day.close("", "41.2 s → 16.1 s, and the three golden plans are byte for byte the same. Committed in two steps: the golden test (e2d8c15), then the pricing (5b90a7e).\n\nOne thing to know: I keep the three additions apart on purpose. Grouped, the last bit of a cost changes, ties flip, and plans differ.");
}

fn shared_placements(day: &mut Day) {
    day.user("Lovely. Now the clones.");
    day.step("Partial plans form a tree: each grown plan is its parent plus one placement. So store placements in an arena, each with the index of the one before, and a partial is (last index, cost). Walks for `fits` go along the chain. Without Rc, without unsafe. And `fits` per berth: keep for each partial only the chain of the same berth? Chain per berth: array of heads by berth, 9 berths, u32 each: 36 bytes to copy instead of a Vec of up to 212 placements. Good: fits and candidate_spans then look only at one berth's chain.", "Plans share their past, so I make it one tree: an arena of placements, each naming the one before it at the same berth. A partial plan is then nine small numbers and a cost.", [
        read("crates/planner/src/search.rs"),
        Do::Grep("placed".into(), "crates".into()),
    ]);
    day.step("", "", [
        edit("crates/planner/src/search.rs", "#[derive(Clone, Debug, Default)]\npub struct Partial {\n    pub placed: Vec<Placement>,\n    pub cost: Cost,\n}\n", "#[derive(Clone, Debug)]\npub struct Partial {\n    /// By berth: the newest placement there, as an index into the arena.\n    newest: Vec<Option<u32>>,\n    /// The newest of all, from which the whole plan can be read back.\n    last: Option<u32>,\n    pub cost: Cost,\n}\n\n/// Placements of every partial plan; a plan is a path through them.\n#[derive(Default)]\nstruct Arena {\n    placements: Vec<Placement>,\n    before_at_berth: Vec<Option<u32>>,\n    before: Vec<Option<u32>>,\n}\n\nimpl Arena {\n    fn at_berth<'a>(&'a self, partial: &Partial, berth: usize) -> impl Iterator<Item = &'a Placement> {\n        let first = partial.newest[berth];\n        std::iter::successors(first, |&i| self.before_at_berth[i as usize]).map(|i| &self.placements[i as usize])\n    }\n}\n"),
        block("crates/planner/src/search.rs", "fn fits", "fn fits(arena: &Arena, partial: &Partial, berth: usize, span: &Span) -> bool {\n    arena.at_berth(partial, berth).all(|other| !other.span.overlaps(span))\n}\n"),
        run("cargo build --release -p planner 2>&1 | tail -40", Out::Failed("error[E0599]: no function or associated item named `default` found for struct `Partial` in the current scope\n  --> crates/planner/src/search.rs:62:33\n   |\n14 | pub struct Partial {\n   | ------------------ function or associated item `default` not found for this struct\n...\n62 |     let mut beam = vec![Partial::default()];\n   |                                  ^^^^^^^ function or associated item not found in `Partial`\n\nerror[E0609]: no field `placed` on type `Partial`\n  --> crates/planner/src/search.rs:75:27\n   |\n75 |                     grown.placed.push(placement);\n   |                           ^^^^^^ unknown field\n   |\n   = note: available fields are: `newest`, `last`, `cost`\n\nerror[E0061]: this function takes 4 arguments but 3 arguments were supplied\n  --> crates/planner/src/search.rs:68:25\n   |\n68 |                     if !fits(partial, berth, &span) {\n   |                         ^^^^---------------------- argument #1 of type `&Arena` is missing\n\nSome errors have detailed explanations: E0061, E0599, E0609.\nerror: could not compile `planner` (lib) due to 3 previous errors".into())),
    ]);
    day.step("As expected, the compiler names what is left. search itself and candidate_spans.", "", [
        edit("crates/planner/src/search.rs", "vec![Partial::default()]", "vec![Partial { newest: vec![None; berths.len()], last: None, cost: 0.0 }]"),
        edit("crates/planner/src/search.rs", "                    grown.placed.push(placement);\n", "                    arena.push(&mut grown, placement);\n"),
        edit("crates/planner/src/search.rs", "if !fits(partial, berth, &span) {", "if !fits(&arena, partial, berth, &span) {"),
        edit("crates/planner/src/search.rs", "    for other in &partial.placed {\n        if other.berth == berth && other.span.until > call.eta {", "    for other in arena.at_berth(partial, berth) {\n        if other.span.until > call.eta {"),
        edit("crates/planner/src/search.rs", "fn candidate_spans(call", "fn candidate_spans(arena: &Arena, call"),
        edit("crates/planner/src/search.rs", "candidate_spans(&calls[call]", "candidate_spans(&arena, &calls[call]"),
        run("cargo build --release -p planner 2>&1 | tail -40", text("   Compiling planner v0.9.2 (/home/dev/harbor/crates/planner)\n    Finished `release` profile [optimized] target(s) in 14.82s")),
    ]);
    day.step(
        "",
        "",
        [run(
            "cargo test -p planner",
            Out::Planner(
                vec!["search".into(), "golden".into(), "cost".into()],
                vec![Failure::new("golden", "strike_is_unchanged", "true", "false")],
            ),
        )],
    );
    day.step("strike differs. What depended on the order of `placed`? candidate_spans sorts its starts. cost: same. Sorting of `next` by cost is stable, so equal costs keep the order of generation: beam order × berth × spans. Same. Hmm: `break` when `next.is_empty()`: before, the beam stays and the best partial is returned *without* the calls that cannot be placed. Now the same... strike has calls that fit nowhere. dedup! starts come in chain order, newest first, but they are sorted afterwards. Moment sort is total. So what? turnover: `other.span.until + berths[berth].turnover()`. Same. The reading back: path from last gives placements newest first; I must reverse. may and storm are the same, so it is reversed... unless ties in output. Let me diff.", "One golden plan differs: strike. I look at the difference before I guess.", [
        run("diff <(jq -S . crates/planner/tests/golden/strike.json) <(target/release/planner --seed 1 fixtures/strike.json | jq -S .) | head -30", text("411,412c411,412\n<       \"callId\": \"C2218\",\n<       \"from\": \"2026-03-19T06:15:00.000Z\",\n---\n>       \"callId\": \"C2240\",\n>       \"from\": \"2026-03-19T06:15:00.000Z\",\n418c418\n<       \"callId\": \"C2240\",\n---\n>       \"callId\": \"C2218\",\n")),
        grep("sort", "crates/planner/src"),
    ]);
    day.step("Two calls swapped in the *output* only: main.rs sorts assignments by (berth, from) unstably? C2218 and C2240 begin at the same time at... different berths? The output sort is `sort_unstable_by_key(|a| a.from)`. So before, it happened to come out in this order. Unstable sort on equal keys: depends on input order. Make it total: (from, berth, call) and see whether golden holds: C2218 before C2240: yes by call id.", "The plan is the same; two rows that start at the same minute are printed in another order, since the output was sorted unstably by time alone. A total key gives the old order back.", [
        run("sed -i 's/sort_unstable_by_key(|a| a.from)/sort_unstable_by_key(|a| (a.from, a.call))/' crates/planner/src/main.rs && cargo test -p planner && cargo bench -p planner -- may", Out::Bench(&[("may/width-8", 610, 2_020), ("may/width-32", 2_480, 7_940), ("may/width-64", 5_020, 16_110)])),
    ]);
    day.close("", "16.1 s → **5.0 s** for May at width 64; all three golden plans are the same bytes as this morning.\n\nFound on the way: the output was sorted by time alone and unstably, so two rows of the strike fixture changed places. The key is total now.\n\nThe goal was below 10 s, so I would stop here. `findings` is now 38 % of the rest, if it ever matters.");
}

fn stopped(day: &mut Day) {
    day.user("Stop here, yes. Next: calls. \"The planner lets ships go with a hundred boxes still on deck, since it thinks the cranes start at once.\"");
    day.step("The rule is stayLongEnough in call/rules.ts. The v1 route parses calls with parsePortCall, so maybe the check belongs there: refuse at the door with 422...", "I think the check is best made at the door, where agents post their calls.", [read("services/api/src/call/rules.ts"), read("services/api/src/v1/routes.ts")]);
    day.broken("I add the check to `POST /v1/calls`, so that an agent learns at once that the stay is too short. I change the reply to 422 with the list of", "aborted", "Request was aborted");
    day.user("Stop! /v1 is frozen, also its error replies. I said so this morning and it stands in AGENTS.md. The rule, not the route.");
    put_right(
        day,
        "call",
        "stayLongEnough",
        "cranes need an hour to set up",
        "Sorry about that: I was about to change `/v1`, which you had ruled out. Nothing of it was written; `git status` shows only the rule, its test and the planner. `stayLongEnough` takes the set-up time off the stay and reckons with the net moves per hour.",
    );
    day.user(
        "Good. Also: \"An agent had a written confirmation and was pushed to the evening tide anyway.\" Same file.",
    );
    put_right(
        day,
        "call",
        "notBumped",
        "a confirmed call and a later one of higher priority",
        "A confirmed call is no longer bumped by a later one, whatever its priority. The golden plans of may and storm are unchanged; strike has no confirmed calls. `/v1` untouched.",
    );
}

const LEAK: &str = "warn  MaxListenersExceededWarning: Possible EventEmitter memory leak detected. 3011 change listeners added to [EventEmitter]. Use emitter.setMaxListeners() to increase limit\nwarn      at _addListener (node:events:587:17)\nwarn      at EventEmitter.addListener (node:events:605:10)\nwarn      at follow (/home/dev/harbor/services/api/dist/events.js:16:13)\nwarn      at Object.handler (/home/dev/harbor/services/api/dist/board/routes.js:44:9)\nerror Error: write after end\nerror     at ServerResponse.write (node:_http_outgoing:915:11)\nerror     at EventEmitter.send (/home/dev/harbor/services/api/dist/events.js:14:29)\nerror     at EventEmitter.emit (node:events:518:28)\nerror     at CallStore.save (/home/dev/harbor/services/api/dist/call/store.js:61:15)\nerror     at process.processTicksAndRejections (node:internal/process/task_queues:95:5) {\nerror   code: 'ERR_STREAM_WRITE_AFTER_END'\nerror }\nerror req=kT4mW2qz PUT /internal/calls/C2291 -> 502 in 30004ms user=ingrid";

fn leak(day: &mut Day) {
    day.out.change_model("nl-coder-2-deep");
    day.out.entry("thinking_level_change", [("thinkingLevel", "high".into())]);
    day.user("I switched you to the deep model. The night shift reports 502s when they save a call, more and more towards the morning, gone after a restart. Log of last night is on the box. Find it; events.test.ts has been red since Friday, could be the same.");
    day.step("502 growing over the night, gone after restart: a leak. events.ts adds a listener for `change` per client and on abort clears only the interval: the listener stays, and writes to an ended response. I saw that file in the list, let me read it together with the log.", "", [
        read("services/api/src/events.ts"),
        run("ssh box 'journalctl -u harbor --since 05:00 --until 07:00 -o cat' | tail -160", Out::Log(LEAK, 190)),
    ]);
    day.step("There it is: 3011 listeners, `write after end` thrown inside emit, inside save: so a write of a call fails because of a dead client. Two faults: (1) the listener is never removed; (2) a throwing listener makes save fail after the commit. And 30 s → 502 is the proxy. Is save's transaction committed? emit comes after commit, in routes; stack says CallStore.save. Read the tests and callers.", "Both: `follow` never takes its listener off, and one that throws takes the save down with it. I look how emit is called.", [
        grep(".emit(\"change\"", "services"),
        grep("follow(", "services"),
        run("pnpm test services/api/test/events.test.ts", Out::Service(vec!["services/api/test/events.test.ts".into()], vec![Failure::new("services/api/test/events.test.ts", "lets go of a client that leaves", "0", "1")])),
    ]);
    day.step("Fix: off on abort, also if the signal is already aborted when follow is called; { once: true }. And writes guarded by response.writableEnded. For (2): deliver in a try per listener; EventEmitter has no such thing. A tiny function publish() that copies listeners and catches. Keep it small.", "", [
        block("services/api/src/events.ts", "export function follow", "export function follow(client: Client, signal: AbortSignal): void {\n  if (signal.aborted) return;\n  client.response.writeHead(200, { \"content-type\": \"text/event-stream\", \"cache-control\": \"no-store\" });\n  const send = (topic: string, body: unknown): void => {\n    if (client.response.writableEnded || !client.topics.has(topic)) return;\n    client.response.write(`event: ${topic}\\ndata: ${JSON.stringify(body)}\\n\\n`);\n  };\n  changes.on(\"change\", send);\n  const beat = setInterval(() => client.response.write(\": beat\\n\\n\"), 15_000);\n  const leave = (): void => {\n    clearInterval(beat);\n    changes.off(\"change\", send);\n  };\n  signal.addEventListener(\"abort\", leave, { once: true });\n  client.response.once(\"close\", leave);\n}\n"),
        edit("services/api/src/events.ts", "export interface Client {", "/** Tells every follower. One that fails must not fail the save that is being told. */\nexport function publish(topic: string, body: unknown, report: (error: unknown) => void): void {\n  for (const listener of changes.listeners(\"change\")) {\n    try {\n      listener(topic, body);\n    } catch (error) {\n      report(error);\n    }\n  }\n}\n\nexport interface Client {"),
    ]);
    day.step("", "", [
        run("pnpm test services/api/test/events.test.ts", Out::Service(vec!["services/api/test/events.test.ts".into()], vec![])),
        run("node tools/follow-and-leave.js --clients 5000", text("clients 5000, left 5000\nlisteners before 0, after 0\nheap before 41 MB, after 43 MB\nsaves during the run 400, failed 0, slowest 12 ms")),
    ]);
    day.close("", "Found, and it is the red test of Friday as well. Two faults on top of each other:\n\n1. `follow` in `services/api/src/events.ts` never took its `change` listener off. Every board that was ever opened stayed: 3011 of them at 06:40.\n2. A dead one threw `ERR_STREAM_WRITE_AFTER_END` inside `emit`, inside the save. The call was stored, but the request hung until the proxy's 30 s → 502.\n\nNow the listener goes on abort and on close, and `publish` catches per follower. 5000 clients that come and leave: 0 listeners left, 400 saves, none failed.");
}

fn yard(day: &mut Day) {
    day.out.clock.at_least(15, 20);
    day.user("Great find. Yard now, two complaints: \"Carriers queue at Y7 all afternoon, each box lies under three others\" and \"Eleven reefers of shrimp stood without power for a night\". One at a time.");
    put_right(
        day,
        "block",
        "roomLeft",
        "a block that fills up with the ships at hand",
        "`roomLeft` reckons with what is about to arrive and treats a block as full at `fullAt` (four fifths by default). Y7 on Tuesday would have been closed at noon.",
    );
    day.user("And the shrimp.");
    put_right(
        day,
        "block",
        "plugsLeft",
        "reefers in transit keep their socket",
        "`plugsLeft` takes sockets of reefers in transit off first, so eleven reefers are refused where seven sockets are free.",
    );
    look_over(
        day,
        "block",
        "Both rules are in. `nearBerth` is called for each call of the board, I noticed; a look at the module before I say anything about it.",
    );
    day.close("`nearBerth` fetches and filters like openAt did. Nobody complained, and she wants small commits: mention it, do nothing.", "A remark, nothing changed: the board asks `nearBerth` once per call, and it filters in the process as `openAt` did. With nine berths that is bearable; an index on `nearestBerth` would be a commit of its own.");
}

fn manifest(day: &mut Day) {
    day.user("Bearable is fine. Customs: \"refused forty lines since two digits had been swapped and nobody saw it\". Check digit, please. Remember that remarks of shippers are in any language and must come through unchanged.");
    day.step("", "", [read("docs/line.md"), run("node -e 'for (const l of require(\"./fixtures/lines.json\")) console.log(l.container, Buffer.from(l.remark).toString(\"hex\").slice(0, 24))' | head", text("HRBU4217734 d185d180d0b0d0bdd0b8d182\nHRBU0092816 e4b88ae7a98de381bfe7a681\nHRBU8816402 \nHRBU5530191 e29aa0efb88f206c65616b69\nHRBU7741650 6e65206b616e746f766174"))]);
    put_right(
        day,
        "line",
        "checkDigit",
        "two digits swapped",
        "`checkDigit` wants four letters, seven digits and the right last digit. Of the fixture's lines three fail, all of them typed by hand. Remarks (Cyrillic, Japanese, emoji) go through byte for byte; I compared the hex before and after.",
    );
    day.user("\"Oxidisers stood next to flammables, because the rule only knew equal classes.\" That is the other one there, and it is a safety matter.");
    put_right(
        day,
        "line",
        "dangerousApart",
        "oxidisers beside flammables",
        "`dangerousApart` uses the table of clashing classes and the distance of three bays, in both languages. I listed the pairs in the test so that somebody with the licence can read them. Please have the dangerous-goods officer look at that list; I copied it from `docs/line.md` and cannot vouch for it.",
    );
}

fn crews(day: &mut Day) {
    day.user("I'll show it to Ragnhild. Now people: \"P11 was given a seventh job that ended ninety minutes after the end of duty.\"");
    put_right(
        day,
        "pilot",
        "restedEnough",
        "a job that ends after duty",
        "`restedEnough` refuses at the limit (not past it) and when the job would end after duty. P11's seventh job is refused for both reasons.",
    );
    day.shell("grep -c '\"kind\":\"pilot\"' /var/log/harbor/changes.jsonl", "1841", 0, true);
    day.user("\"The union sent the roster back: no gang had a break between four and noon.\" Gangs.");
    put_right(
        day,
        "gang",
        "breaksKept",
        "a shift without its break",
        "`breaksKept` counts the contract break as time of the shift. The roster of Monday gives four findings, the ones the union marked.",
    );
}
