// Sessions that are freed, errors that are told apart, and one instance for ESM and CommonJS.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { describe, it } from "node:test";
import * as esm from "threadfold";
import { rejectsCode, throwsCode } from "./throws.mjs";

const { compact, Session, ThreadfoldError } = esm;
const cjs = createRequire(import.meta.url)("threadfold");

function session() {
  const session = Session.create();
  for (let number = 0; number < 4; number += 1) session.appendMessage({ role: "user", content: "but ".repeat(500) });
  return session;
}

describe("a freed session", () => {
  const calls = {
    header: (session) => session.header,
    importReport: (session) => session.importReport,
    tokenizer: (session) => session.tokenizer,
    leafId: (session) => session.leafId,
    length: (session) => session.length,
    diagnostics: (session) => session.diagnostics,
    append: (session) => session.append({ type: "custom", customType: "x" }),
    appendMessage: (session) => session.appendMessage({ role: "user", content: "x" }),
    appendCompaction: (session) => session.appendCompaction({ summary: "s", firstKeptEntryId: "a", tokensBefore: 1 }),
    entry: (session) => session.entry("a"),
    entries: (session) => session.entries(),
    path: (session) => session.path(),
    children: (session) => session.children("a"),
    tree: (session) => session.tree(),
    branch: (session) => session.branch("a"),
    resetLeaf: (session) => session.resetLeaf(),
    branchWithSummary: (session) => session.branchWithSummary(null, "s"),
    label: (session) => session.label("a"),
    setLabel: (session) => session.setLabel("a", "l"),
    buildSessionContext: (session) => session.buildSessionContext(),
    contextUsage: (session) => session.contextUsage(),
    preparePrune: (session) => session.preparePrune(),
    entryTokens: (session) => session.entryTokens("a"),
    pruneToolOutputs: (session) => session.pruneToolOutputs(),
    restoreToolOutputs: (session) => session.restoreToolOutputs(),
    prepareCompaction: (session) => session.prepareCompaction(),
    findCutPoint: (session) => session.findCutPoint(0, 0, 0),
    collectEntriesForBranchSummary: (session) => session.collectEntriesForBranchSummary(null, null),
    prepareBranchEntries: (session) => session.prepareBranchEntries([], 0),
    toJsonl: (session) => session.toJsonl(),
  };
  const promises = { count: (session) => session.count() };

  it("has every method on this list", () => {
    const members = Object.getOwnPropertyNames(Session.prototype).filter((name) => !["constructor", "free"].includes(name));
    assert.deepEqual(Object.keys({ ...calls, ...promises }).sort(), members.sort());
  });

  for (const [name, call] of Object.entries(calls)) {
    it(`says so at ${name}`, () => {
      const one = session();
      one.free();
      throwsCode(() => call(one), "invalid-argument", "freed");
    });
  }

  for (const [name, call] of Object.entries(promises)) {
    it(`says so at ${name}`, async () => {
      const one = session();
      one.free();
      await rejectsCode(call(one), "invalid-argument", "freed");
    });
  }

  it("says so at compact, and at a preparation made before", async () => {
    const one = session();
    const { preparation } = one.prepareCompaction({ settings: { compaction: { keepRecentTokens: 10 } } });
    one.free();
    await rejectsCode(compact(one, { summarize: "local" }), "invalid-argument", "freed");
    throwsCode(() => preparation.messagesToSummarize, "invalid-argument", "freed");
    throwsCode(() => preparation.requestTokens, "invalid-argument", "freed");
    assert.ok(preparation.firstKeptEntryId, "what was handed out stays");
  });

  it("may be freed again, and leaves other sessions and its entries alone", () => {
    const [one, other] = [session(), session()];
    const [entry] = one.entries();
    one.free();
    one.free();
    one[Symbol.dispose]();
    assert.equal(other.length, 4);
    assert.equal(entry.message.role, "user");
  });

  it("is freed at the end of a `using` block, by Symbol.dispose", () => {
    const one = session();
    assert.equal(typeof one[Symbol.dispose], "function");
    one[Symbol.dispose]();
    throwsCode(() => one.length, "invalid-argument", "freed");
  });

  it("many sessions come and go without the memory running out", () => {
    const large = new TextEncoder().encode(
      `{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/"}\n` +
        `{"type":"message","id":"a","parentId":null,"timestamp":"","message":{"role":"user","content":"${"x".repeat(8 << 20)}"}}\n`,
    );
    // Far more than a wasm memory holds, were it not given back.
    for (let number = 0; number < 300; number += 1) Session.fromJsonl(large).free();
  });
});

describe("errors", () => {
  it("are the same in ESM and CommonJS, which share one instance", () => {
    for (const [name, value] of Object.entries(cjs)) assert.equal(esm[name], value, name);
    for (const [making, other] of [[esm, cjs], [cjs, esm]]) {
      assert.throws(() => making.Session.fromJsonl("hello"), (error) => other.ThreadfoldError.isInstance(error) && error instanceof other.ThreadfoldError);
    }
    const one = cjs.Session.create();
    one.appendMessage({ role: "user", content: "x" });
    assert.equal(Session.prototype.entries.call(one).length, 1);
  });

  it("are known across copies of the package, and nothing else is", () => {
    class Copy extends Error {
      [Symbol.for("threadfold.error")] = true;
    }
    assert.ok(ThreadfoldError.isInstance(new Copy()));
    for (const other of [null, undefined, 7, "busy", {}, new Error("busy"), Object.assign(new Error(), { code: "busy" })]) {
      assert.equal(ThreadfoldError.isInstance(other), false);
    }
  });

  it("are real errors with name, code, message, stack and cause", () => {
    const cause = new Error("why");
    const error = new ThreadfoldError("busy", "a run is under way", { cause });
    assert.ok(error instanceof Error);
    assert.deepEqual([error.name, error.code, error.message, error.cause], ["ThreadfoldError", "busy", "a run is under way", cause]);
    assert.match(error.stack, /lifetime\.test/);
    assert.match(String(error), /^ThreadfoldError: a run is under way$/);
  });

  it("carry what JSON said as their cause", () => {
    const cyclic = { role: "user" };
    cyclic.content = cyclic;
    assert.throws(() => Session.create().appendMessage(cyclic), ({ cause }) => cause instanceof TypeError);
  });

  it("do not stop the engine where they come from outside of it", () => {
    const { encodeInto } = TextEncoder.prototype;
    const one = session();
    const [failure, hostile] = [new RangeError("no room"), new RangeError("no room")];
    Object.defineProperty(hostile, "stack", { get: () => { throw new Error("stack"); } });
    for (const thrown of [failure, hostile]) {
      TextEncoder.prototype.encodeInto = () => { throw thrown; };
      try {
        assert.throws(() => one.entry("\u00e9"), ({ code, message, cause }) => code === "internal" && message.includes("no room") && cause === thrown);
      } finally {
        TextEncoder.prototype.encodeInto = encodeInto;
      }
      assert.equal(one.entry("\u00e9"), undefined);
      assert.equal(one.length, 4);
    }
  });

  it("stop it for good where the stack ran full within it", () => {
    const dead = "internal: the engine stopped: the stack ran full";
    assert.deepEqual(afterOverflowIn(`session.entry("\u00e9")`), { core: dead, formats: "gemini" });
  });

  it("stop the part for formats where it ran full there, and the sessions live on", () => {
    const dead = "internal: the engine's part for message formats stopped: the stack ran full";
    assert.deepEqual(afterOverflowIn(`validateMessages([], "\u00e9")`), { core: "0", formats: dead });
  });

  /** What the engine's parts answer once a call of one of them has overflowed, in a process of its own. */
  function afterOverflowIn(call) {
    const code = `
      import { detectFormat, Session, validateMessages } from "threadfold";
      const { encodeInto } = TextEncoder.prototype;
      const session = Session.create();
      const attempt = (call) => { try { return String(call()); } catch (error) { return error.code + ": " + error.message; } };
      const answers = () => ({
        core: attempt(() => session.length),
        formats: attempt(() => detectFormat([{ role: "user", parts: [{ text: "Hi" }] }])),
      });
      answers();
      const overflow = new RangeError("the stack ran full");
      overflow.stack = "RangeError: the stack ran full\\n    at wasm://wasm/00c0ffee:wasm-function[7]:0x1a2b";
      TextEncoder.prototype.encodeInto = () => { throw overflow; };
      attempt(() => ${call});
      TextEncoder.prototype.encodeInto = encodeInto;
      console.log(JSON.stringify(answers()));
    `;
    const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", code], { cwd: new URL(".", import.meta.url), encoding: "utf8" });
    assert.equal(stderr, "");
    return JSON.parse(stdout);
  }

  it("are thrown for methods that are called on something else", () => {
    throwsCode(() => Session.prototype.entries.call({}), "invalid-argument", "Session");
  });
});
