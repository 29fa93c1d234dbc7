import assert from "node:assert/strict";
import { test } from "node:test";
import { Session } from "threadfold";
import { bundled, row } from "../bundled.mjs";

/** An engine that answers when the test says so. */
function slowEngine() {
  const calls = [];
  const call = (name) => (...given) => new Promise((answer) => calls.push({ name, given, answer }));
  return { calls, engine: { choose: call("choose"), plan: call("plan") } };
}

const snapshotOf = (revision, more = {}) => ({
  revision,
  session: 1,
  length: 1,
  rows: [],
  leaf: 0,
  path: Uint32Array.of(0),
  context: Uint32Array.of(0),
  ...more,
});

const idle = (message) => ({ ok: true, value: { ok: false, reason: "session-too-small", message, pruned: { entries: new Uint32Array(), tokens: 0 } } });
const settled = () => new Promise((resolve) => setTimeout(resolve));

/** The page's state around an engine, with a session on the screen and its first plan asked for. */
async function page() {
  const slow = slowEngine();
  globalThis.testEngine = slow.engine;
  const state = await bundled("../../tests/www/view/planning-state.ts", { fresh: true });
  state.keepPlanning();
  state.applySnapshot(snapshotOf(1, { rows: [{ index: 0, row: row(-1) }] }));
  await settled();
  /** Answers the oldest call; fails unless it is of that name. */
  const answer = async (name, value) => {
    const call = slow.calls.shift();
    assert.equal(call?.name, name);
    call.answer(value);
    await settled();
    return call.given;
  };
  return { ...state, ...slow, answer };
}

test("one question is under way, and of what is chosen meanwhile only the last is asked", async () => {
  const { plan, choose, choices, calls, answer } = await page();
  assert.equal(calls.length, 1);
  for (let window = 1; window <= 50; window += 1) choose({ contextWindow: 10_000 * window });
  await settled();
  assert.equal(calls.length, 1, "no second question beside the first");
  await answer("plan", idle("first"));
  assert.equal(plan.value.message, "first");
  const [asked] = await answer("choose", { ok: true, value: snapshotOf(2) });
  assert.equal(asked.contextWindow, 500_000);
  assert.deepEqual(await answer("plan", idle("last")), [choices.value]);
  assert.equal(plan.value.message, "last");
  assert.equal(calls.length, 0);
});

test("a change of the session is planned anew, and not chosen anew", async () => {
  const { applySnapshot, plan, calls, answer } = await page();
  await answer("plan", idle("before"));
  applySnapshot(snapshotOf(2));
  await settled();
  await answer("plan", idle("after"));
  assert.equal(plan.value.message, "after");
  assert.equal(calls.length, 0);
});

test("a plan of a session that is no longer shown is passed over", async () => {
  const { applySnapshot, plan, answer } = await page();
  applySnapshot(snapshotOf(2, { session: 2, rows: [{ index: 0, row: row(-1) }] }));
  await answer("plan", idle("of the old one"));
  assert.equal(plan.value, undefined);
  await answer("plan", idle("of the new one"));
  assert.equal(plan.value.message, "of the new one");
});

test("choices that are refused are told, and the next ones are asked again", async () => {
  const { choose, planTrouble, plan, calls, answer } = await page();
  await answer("plan", idle("fine"));
  choose({ keepRecentTokens: 1 });
  await settled();
  await answer("choose", { ok: false, trouble: { code: "invalid-settings", message: "no", advice: "less" } });
  assert.equal(planTrouble.value.message, "no");
  assert.equal(plan.value.message, "fine");
  choose({ keepRecentTokens: 2 });
  await settled();
  await answer("choose", { ok: true, value: snapshotOf(2) });
  await answer("plan", idle("fine again"));
  assert.equal(planTrouble.value, undefined);
  assert.equal(calls.length, 0);
});

test("budgets move with the window while they stand at their default, and otherwise only as far as they must", async () => {
  const { choose, choices, defaultsFor, largestReserve } = await page();
  choose({ contextWindow: 4_000 });
  assert.deepEqual(choices.value, { ...choices.value, ...defaultsFor(4_000) });
  choose({ contextWindow: 200_000 });
  assert.deepEqual(choices.value, { ...choices.value, ...defaultsFor(200_000) });
  choose({ reserveTokens: 60_000, keepRecentTokens: 70_000 });
  choose({ contextWindow: 50_000 });
  assert.deepEqual([choices.value.reserveTokens, choices.value.keepRecentTokens], [largestReserve(50_000), 50_000]);
});

test("the defaults are those of the library, and the largest reserve is the largest that it takes", async () => {
  const { defaultsFor, largestReserve } = await page();
  const session = Session.create();
  for (let turn = 0; turn < 40; turn += 1) {
    session.appendMessage({ role: "user", content: "What is in the file? ".repeat(400) });
    session.appendMessage({ role: "assistant", content: [{ type: "text", text: "A parser." }], stopReason: "stop" });
  }
  for (const contextWindow of [4_000, 4_001, 33_333, 65_536, 200_000, 2_000_000]) {
    const { reserveTokens, keepRecentTokens } = defaultsFor(contextWindow);
    assert.equal(contextWindow - session.contextUsage({ contextWindow }).limit, reserveTokens);
    assert.equal(session.prepareCompaction({ contextWindow }).preparation?.keepRecentTokens, keepRecentTokens);
    const set = (tokens) => session.prepareCompaction({ contextWindow, settings: { compaction: { reserveTokens: tokens } } });
    assert.doesNotThrow(() => set(largestReserve(contextWindow)));
    assert.throws(() => set(largestReserve(contextWindow) + 1), { code: "invalid-settings" });
  }
});

test("an older snapshot is passed over, and rows that an undo takes back are gone", async () => {
  const { applySnapshot, rows, snapshot, shape } = await page();
  applySnapshot(snapshotOf(3, { length: 2, leaf: 1, rows: [{ index: 1, row: row(0) }] }));
  applySnapshot(snapshotOf(2));
  assert.equal(snapshot.value.revision, 3);
  const drawn = shape.value;
  applySnapshot(snapshotOf(4, { length: 2, leaf: 1 }));
  assert.equal(shape.value, drawn, "figures alone draw no tree anew");
  applySnapshot(snapshotOf(5));
  assert.equal(rows.value.length, 1);
  assert.equal(shape.value, drawn + 1);
});
