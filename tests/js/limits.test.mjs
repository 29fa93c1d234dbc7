// Windows, settings and options: what is allowed, and how the rest is refused.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compact, defaultSettings, estimateTokens, Session } from "threadfold";
import { rejectsCode, throwsCode } from "./throws.mjs";

const user = (tokens) => ({ role: "user", content: "but ".repeat(tokens) });
const assistant = (tokens) => ({ role: "assistant", content: [{ type: "text", text: "but ".repeat(tokens) }], stopReason: "stop" });

/** Turns of 2 000 tokens. */
function turns(count) {
  const session = Session.create();
  for (let number = 0; number < count; number += 1) {
    session.appendMessage(user(1_000));
    session.appendMessage(assistant(1_000));
  }
  return session;
}

/** Every call that takes a window and settings. */
const calls = {
  contextUsage: (session, options) => session.contextUsage(options),
  prepareCompaction: (session, options) => session.prepareCompaction(options),
  pruneToolOutputs: (session, options) => session.pruneToolOutputs(options),
};

/** Holds all of them and compact() to one refusal. */
async function allRefuse(options, code, ...named) {
  const session = turns(20);
  const before = session.toJsonl();
  for (const call of Object.values(calls)) throwsCode(() => call(session, options), code, ...named);
  await rejectsCode(compact(session, { summarize: "local", ...options }), code, ...named);
  assert.deepEqual(session.toJsonl(), before);
  assert.equal((await compact(session, { summarize: "local" })).status, "committed", "and all goes on");
}

describe("the context window", () => {
  for (const contextWindow of [0, -1, 1.5, Number.NaN, Infinity, "200000", null, true, 5n, {}]) {
    it(`${typeof contextWindow} ${String(contextWindow)} as an argument is an invalid-window`, () =>
      allRefuse({ contextWindow }, "invalid-window", "contextWindow", /whole number of tokens/));
  }

  it("T15: one that is not known lets a manual compaction work, and contextUsage says why there is no limit", async () => {
    const session = turns(20);
    const { reason, limit, percent } = session.contextUsage();
    assert.deepEqual([reason, limit, percent], ["unknown-window", undefined, undefined]);
    assert.equal(session.prepareCompaction().ok, true);
    assert.equal((await compact(session, { summarize: "local" })).status, "committed");
  });

  it("T15: a model's window that means nothing is an unknown one", async () => {
    for (const contextWindow of [undefined, 0, -1, Number.NaN, "200000"]) {
      const model = { provider: "p", id: "m", contextWindow };
      assert.equal((await compact(turns(20), { summarize: "local", model })).status, "committed");
    }
  });

  it("a model's window serves where none is given", async () => {
    const model = { provider: "p", id: "m", contextWindow: 1_000 };
    const session = turns(20);
    assert.equal((await compact(session, { summarize: "local", model })).reason, "infeasible");
    assert.equal((await compact(session, { summarize: "local", model, contextWindow: 200_000 })).status, "committed");
  });

  it("decides the limit and the percentage", () => {
    const session = turns(1);
    const { tokens, limit, percent, source } = session.contextUsage({ contextWindow: 20_000 });
    assert.deepEqual([tokens, limit, percent, source], [2_000, 15_000, 10, "estimate"]);
    const pending = session.contextUsage({ contextWindow: 20_000, pending: [user(500), assistant(500)] });
    assert.equal(pending.tokens, 3_000);
    assert.equal(session.contextUsage({ fixedTokens: 700 }).tokens, 2_700);
  });

  it("T13: where system prompt and newest message pass the threshold, nothing can help, and nobody is asked", async () => {
    const asked = [];
    const options = { contextWindow: 32_000, fixedTokens: 29_000, settings: { compaction: { reserveTokens: 6_400 } } };
    const outcome = await compact(turns(20), { ...options, summarize: (request) => asked.push(request) });
    assert.deepEqual([outcome.status, outcome.reason, asked], ["nothing-to-do", "infeasible", []]);
    assert.deepEqual([outcome.nothingToDo.fixedTokens, outcome.nothingToDo.limit], [29_000, 25_600]);
    assert.match(outcome.nothingToDo.message, /29000.*25600/);
  });
});

describe("settings", () => {
  const cyclic = {};
  cyclic.compaction = cyclic;
  const list = [];
  list.push(list);
  const refused = [
    [{ compactoin: {} }, "compactoin", "compaction, branchSummary"],
    [{ compaction: { keepRecentToken: 1 } }, "compaction.keepRecentToken", "keepRecentTokens"],
    [{ compaction: { reserveTokens: -1 } }, "compaction.reserveTokens", "-1", "a whole number from 0"],
    [{ compaction: { keepRecentTokens: 1.5 } }, "compaction.keepRecentTokens", "1.5"],
    [{ requestTimeoutMs: Number.NaN }, "requestTimeoutMs", "NaN"],
    [{ requestTimeoutMs: Infinity }, "requestTimeoutMs"],
    [{ requestTimeoutMs: "300" }, "requestTimeoutMs", '"300"'],
    [{ compaction: { enabled: 1 } }, "compaction.enabled", "true or false"],
    [{ compaction: [] }, "compaction", "an array", "an object"],
    [{ compaction: "on" }, "compaction", '"on"'],
    [{ prune: { protectedTools: "read" } }, "prune.protectedTools", "an array of strings"],
    [{ prune: { protectedTools: ["read", 7] } }, "prune.protectedTools[1]", "7"],
    [{ prune: { mode: "erase" } }, "prune.mode", '"erase"', "rewrite"],
    [{ fallback: "remote" }, "fallback", '"remote"', "local"],
    [{ fileTools: { read: list } }, "fileTools.read[0]"],
    [cyclic, "compaction.compaction"],
    [new Map([["compaction", {}]]), "settings", "a plain object"],
    [{ compaction: { enabled: () => true } }, "compaction.enabled", "a function"],
    [{ retry: { maxRetries: 3n } }, "retry.maxRetries", "3"],
    [{ get compaction() { throw new Error("no"); } }, "settings"],
    [new Proxy({}, { ownKeys() { throw new RangeError("no"); } }), "settings"],
    [JSON.parse('{"__proto__": {"enabled": false}}'), "__proto__"],
    ["off", '"off"', "an object"],
  ];
  refused.forEach(([settings, ...named]) => {
    it(`are refused with the path, the value and what is allowed: ${named.join(", ")}`, () =>
      allRefuse({ settings }, "invalid-settings", ...named));
  });

  it("may leave every part out", () => {
    for (const settings of [undefined, null, {}, { compaction: {} }, { compaction: undefined }, { compaction: { enabled: undefined } }]) {
      assert.deepEqual(turns(20).prepareCompaction({ settings }).preparation.settings, defaultSettings);
    }
  });

  it("a reserve that takes the window is refused by the call that meets it", async () => {
    const settings = { compaction: { reserveTokens: 850 } };
    await allRefuse({ contextWindow: 1_000, settings }, "invalid-settings", "reserveTokens", "850");
    assert.equal(turns(1).contextUsage({ contextWindow: 1_001, settings: { compaction: { reserveTokens: 849 } } }).limit, 152);
  });

  it("left at their default shrink with the window, set they are taken as they are", () => {
    const limit = (contextWindow, compaction) => turns(1).contextUsage({ contextWindow, settings: { compaction } }).limit;
    assert.deepEqual([limit(200_000), limit(20_000)], [200_000 - 16_384, 15_000]);
    assert.equal(limit(40_000, { reserveTokens: 16_384 }), 40_000 - 16_384);
    const keep = (contextWindow) => turns(60).prepareCompaction({ contextWindow }).preparation.keepRecentTokens;
    assert.deepEqual([keep(200_000), keep(20_000)], [20_000, 7_500]);
  });
});

describe("options", () => {
  it("misspelt are refused with the known ones", async () => {
    const session = turns(2);
    throwsCode(() => session.contextUsage({ contextwindow: 1 }), "invalid-argument", "contextUsage.contextwindow", "contextWindow");
    throwsCode(() => session.prepareCompaction({ leaf: "x" }), "invalid-argument", "prepareCompaction.leaf", "leafId");
    throwsCode(() => session.buildSessionContext({ leaf: "x" }), "invalid-argument", "buildSessionContext.leaf");
    throwsCode(() => session.contextUsage(null), "invalid-argument", "null");
    throwsCode(() => estimateTokens("x", { presets: "safe" }), "invalid-argument", "estimateTokens.presets");
    await rejectsCode(compact(session, { contextwindow: 1 }), "invalid-argument", "compact.contextwindow", "summarize");
    await rejectsCode(compact(session, null), "invalid-argument", "null");
    await rejectsCode(compact({}, {}), "invalid-argument", "session");
  });

  it("sizes are whole numbers from 0", () => {
    const session = turns(2);
    for (const fixedTokens of [-1, 0.5, Number.NaN, "7", null]) {
      for (const call of Object.values(calls)) throwsCode(() => call(session, { fixedTokens }), "invalid-argument", "fixedTokens");
    }
    for (const wrong of [[-1, 1, 1], [0, 0.5, 1], [0, 1, "7"], [0, 1, Number.NaN], [0, Infinity, 1]]) {
      throwsCode(() => session.findCutPoint(...wrong), "invalid-argument", "a whole number from 0");
    }
  });

  it("a position behind the end of the path is its end, however large", () => {
    const session = turns(4);
    const whole = session.findCutPoint(0, session.length, 1);
    for (const end of [session.length + 1, 2 ** 31, 2 ** 32, Number.MAX_SAFE_INTEGER]) {
      assert.deepEqual(session.findCutPoint(0, end, 1), whole);
      assert.deepEqual(session.findCutPoint(end, end, 1), session.findCutPoint(session.length, session.length, 1));
    }
  });

  it("a pending message that JSON cannot hold is refused by its place", () => {
    throwsCode(() => turns(1).contextUsage({ pending: [user(1), { role: "user", content: 5n }] }), "invalid-entry", "pending[1]", '"content"');
  });
});
