// The engine's memory does not grow, however many sessions come and go. A wasm memory never shrinks,
// so its size is the most that was ever in use.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate } from "node:timers/promises";
import v8 from "node:v8";
import vm from "node:vm";
import { chat } from "./chats.mjs";

// The memory is the engine's own and not handed out by the package: it is seen where the engine is made.
const { Instance } = WebAssembly;
const memories = [];
WebAssembly.Instance = class extends Instance {
  constructor(...given) {
    super(...given);
    memories.push(this.exports.memory);
  }
};
const { compact, detectFormat, foldMessages, pruneMessages, repairMessages, Session } = await import("threadfold");
// The part for formats is made when it is first asked for.
detectFormat(chat("anthropic", 2));
WebAssembly.Instance = Instance;
const [memory] = memories;

v8.setFlagsFromString("--expose-gc");
const collectGarbage = vm.runInNewContext("gc");

const settings = { compaction: { keepRecentTokens: 200, reserveTokens: 500 } };

/** A session of some turns, as the bytes of its file. */
function file(turns, characters) {
  const session = Session.create();
  for (let turn = 0; turn < turns; turn += 1) {
    session.appendMessage({ role: "user", content: `Change ${turn}: ${"word ".repeat(characters / 10)}` });
    const call = { type: "toolCall", id: `c${turn}`, name: "read", arguments: { path: `src/${turn}.ts` } };
    session.appendMessage({ role: "assistant", content: [call], stopReason: "toolUse" });
    session.appendMessage({ role: "toolResult", toolCallId: call.id, toolName: "read", content: "x".repeat(characters), isError: false });
    session.appendMessage({ role: "assistant", content: [{ type: "text", text: `Done ${turn}.` }], stopReason: "stop" });
  }
  const bytes = session.toJsonl();
  session.free();
  return bytes;
}

const small = [4, 9, 16].map((turns) => file(turns, 300));
const medium = file(40, 10_000);
const large = file(150, 10_000);

/** Loads a session, folds and uses it. */
async function use(bytes) {
  const session = Session.fromJsonl(bytes);
  const { status } = await compact(session, { summarize: "local", settings });
  assert.equal(status, "committed");
  session.buildSessionContext();
  session.entries();
  session.toJsonl();
  return session;
}

describe("the engine's memory", () => {
  // The smallest first: what a larger session gave back would hide a small leak.
  it("is given back by runs that end before they have a summary", async () => {
    const ends = {
      cancelled: () => ({ summarize: () => new Promise(() => {}), signal: AbortSignal.timeout(1) }),
      failed: () => ({ summarize: () => Promise.reject(new Error("no")) }),
    };
    const bytes = small[2];
    let size;
    for (let number = 1; number <= 200; number += 1) {
      for (const [status, options] of Object.entries(ends)) {
        const session = Session.fromJsonl(bytes);
        const outcome = await compact(session, { settings, ...options() });
        assert.equal(outcome.status, status);
        session.free();
      }
      if (number === 50) size = memory.buffer.byteLength;
    }
    assert.equal(memory.buffer.byteLength, size);
  });

  it("is as large after 1 000 sessions as after 50, each loaded, folded and freed", async () => {
    let size;
    for (let number = 1; number <= 1_000; number += 1) {
      const session = await use(number % 200 === 7 ? large : small[number % small.length]);
      session.free();
      if (number === 50) size = memory.buffer.byteLength;
    }
    assert.equal(memory.buffer.byteLength, size);
  });

  it("is given back by arrays of messages, in both parts", async () => {
    const sizes = () => memories.map(({ buffer }) => buffer.byteLength);
    const damaged = chat("anthropic", 20).slice(0, -1);
    const transcript = JSON.stringify(chat("gemini", 20));
    let known;
    for (let number = 1; number <= 150; number += 1) {
      const messages = chat("anthropic", number % 100 === 7 ? 200 : 20);
      const { outcome, state } = await foldMessages(messages, { format: "anthropic", summarize: "local", settings, force: true });
      assert.equal(outcome.status, "committed");
      await foldMessages(messages, { state, settings });
      pruneMessages(messages, { format: "anthropic", settings: { prune: { protectTokens: 0, minimumSavings: 0, protectedTools: [] } } });
      repairMessages(damaged, "anthropic");
      assert.throws(() => repairMessages([{ text: "x" }], "anthropic"));
      Session.import(transcript, { format: "gemini" }).free();
      if (number === 30) known = sizes();
    }
    assert.equal(known.length, 2);
    assert.deepEqual(sizes(), known);
  });

  it("is given back by sessions that are dropped and never freed", async () => {
    const waiting = 5;
    let size;
    for (let number = 1; number <= 100; number += 1) {
      await use(medium);
      if (number % waiting === 0) await collected();
      if (number === 20) size = memory.buffer.byteLength;
    }
    // When the collector finds which of those that wait is up to it; a session takes some times its file.
    const most = size + waiting * 4 * medium.length;
    assert.ok(memory.buffer.byteLength <= most, `${size} bytes after 20 sessions became ${memory.buffer.byteLength}`);
  });
});

/** Once the collector has run and what it found was finalised. */
async function collected() {
  for (let round = 0; round < 3; round += 1) {
    collectGarbage();
    await setImmediate();
  }
}
