// The classic preset against pi's own code: estimates, cuts, and the messages of the context, on the
// sample session and on random ones. Set THREADFOLD_SEED to try others.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { estimateTokens, Session } from "threadfold";
// pi's package exports its front door only; these are the functions behind it.
import * as pi from "../../node_modules/@mariozechner/pi-coding-agent/dist/core/compaction/compaction.js";
import { buildSessionContext } from "../../node_modules/@mariozechner/pi-coding-agent/dist/core/session-manager.js";
import { cutBy, DIFFERENCES } from "./pi/cut-rules.mjs";
import { pathTo, randomSession } from "./pi/random-session.mjs";
import { random } from "./random.mjs";

const SESSIONS = 300;
const seed = Number(process.env.THREADFOLD_SEED ?? 1);
const sample = process.env.THREADFOLD_SAMPLE ?? fileURLToPath(new URL("../../target/demo/session.jsonl", import.meta.url));
const absent = existsSync(sample) ? false : "no sample session: `cargo xtask demo` makes one";

const HEADER = { type: "session", version: 3, id: "s", timestamp: "2026-01-01T00:00:00.000Z", cwd: "/" };
const bytesOf = (entries) => new TextEncoder().encode([HEADER, ...entries].map((entry) => JSON.stringify(entry)).join("\n") + "\n");
const plain = (value) => JSON.parse(JSON.stringify(value));

/** Sessions as both sides read them, with the leaves to look from. */
function* sessions() {
  for (let number = 0; number < SESSIONS; number += 1) {
    const entries = randomSession(seed + number);
    const session = Session.fromJsonl(bytesOf(entries), { preset: "classic" });
    const { pick } = random(seed + number);
    yield { name: `seed ${seed + number}`, entries, session, leaves: [entries.at(-1).id, pick(entries).id, pick(entries).id] };
    session.free();
  }
}

function sampleSession() {
  const bytes = readFileSync(sample);
  const [, ...entries] = bytes.toString("utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line));
  const session = Session.fromJsonl(bytes, { preset: "classic" });
  const leaves = [entries.at(-1).id, ...entries.filter((_, index) => index % 97 === 0).map(({ id }) => id)];
  return { name: "the sample", entries, session, leaves };
}

function compareEstimates({ name, entries }) {
  for (const { id, message } of entries) {
    if (message === undefined) continue;
    assert.equal(estimateTokens(message, { preset: "classic" }), pi.estimateTokens(message), `${name}, entry ${id}`);
  }
}

function compareContexts({ name, entries, session, leaves }) {
  for (const leafId of leaves) {
    const ours = session.buildSessionContext({ leafId }).messages;
    const theirs = buildSessionContext(entries, leafId).messages;
    assert.deepEqual(plain(ours), plain(theirs), `${name} at ${leafId}`);
  }
}

const ALL = new Set(Object.keys(DIFFERENCES));
const without = (name) => new Set([...ALL].filter((other) => other !== name));

/** Holds one cut of ours and of pi's against the rules; counts which differences showed. */
function compareCut(name, session, asked, seen) {
  const { entries, start, end, keep } = asked;
  const what = `${name}, ${start} to ${end} of ${entries.length}, keeping ${keep}`;
  const theirs = pi.findCutPoint(entries, start, end, keep);
  const ours = session.findCutPoint(start, end, keep);
  assert.deepEqual(theirs, cutBy(ALL, asked), `pi: ${what}`);
  assert.deepEqual(ours, cutBy(new Set(), asked), `ours: ${what}`);
  seen.cuts += 1;
  if (JSON.stringify(ours) === JSON.stringify(theirs)) seen.same += 1;
  for (const difference of ALL) {
    const changed = cutBy(without(difference), asked);
    if (JSON.stringify(changed) !== JSON.stringify(theirs)) seen[difference] = (seen[difference] ?? 0) + 1;
  }
}

function compareCuts({ name, entries, session, leaves }, seen) {
  const { below, pick } = random(seed);
  const known = new Map();
  const tokens = (message) => known.get(message) ?? known.set(message, pi.estimateTokens(message)).get(message);
  for (const leafId of leaves) {
    session.branch(leafId);
    const path = pathTo(entries, leafId);
    const sum = path.reduce((sum, { message }) => sum + (message === undefined ? 0 : tokens(message)), 0);
    const behindCompaction = path.findLastIndex(({ type }) => type === "compaction") + 1;
    for (const start of [0, behindCompaction, below(path.length)]) {
      for (const keep of [1, 2, pick([20, 100, 400]), below(sum) + 1, below(sum) + 1, sum, sum + 1]) {
        compareCut(name, session, { entries: path, start, end: path.length, keep, tokens }, seen);
      }
    }
  }
}

describe("the sample session", { skip: absent }, () => {
  test("estimates are the same", () => compareEstimates(sampleSession()));
  test("contexts hold the same messages", () => compareContexts(sampleSession()));
  test("cuts are the same but for the intended differences", (t) => {
    const seen = { cuts: 0, same: 0 };
    compareCuts(sampleSession(), seen);
    t.diagnostic(JSON.stringify(seen));
    assert.ok(seen.cuts > 100);
  });
});

describe(`${SESSIONS} random sessions from seed ${seed}`, () => {
  test("estimates are the same", () => {
    for (const session of sessions()) compareEstimates(session);
  });

  test("contexts hold the same messages", () => {
    for (const session of sessions()) compareContexts(session);
  });

  test("cuts are the same but for the intended differences, each of which shows", (t) => {
    const seen = { cuts: 0, same: 0 };
    for (const session of sessions()) compareCuts(session, seen);
    t.diagnostic(JSON.stringify(seen));
    for (const difference of ALL) assert.ok(seen[difference] > 0, DIFFERENCES[difference]);
    assert.ok(seen.same > seen.cuts / 2, "most cuts are the same");
  });
});
