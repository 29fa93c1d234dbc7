// Sessions that count exactly: how they are made, when their entries are counted, and how long that keeps
// others waiting. What the engine counts, and what the counts are used for, is held in Rust.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { compact, countTokens, foldMessages, pruneMessages, Session } from "threadfold";
import { internals } from "./internals.mjs";
import { rejectsCode, throwsCode } from "./throws.mjs";

const TEXT = "The quick brown fox jumps over the lazy dog, counts 1234567 sheep, and sleeps. 素早い茶色の狐。";
/** Which r50k_base counts at some times the estimate, which is that of a newer encoding. */
const COSTLY = "अहं हिन्दी पठामि, मम मित्रं च। ";
const ENCODINGS = ["o200k_base", "o200k_harmony", "cl100k_base", "p50k_base", "r50k_base"];

/** Entries of a chat, each with another text. */
function entries(turns, text = TEXT) {
  const times = { timestamp: "2026-01-01T00:00:00.000Z" };
  return Array.from({ length: turns }, (_, at) => {
    const role = at % 2 === 0 ? "user" : "assistant";
    const message = { role, content: [{ type: "text", text: `${at}: ${text.repeat(1 + (at % 7))}` }], ...(role === "user" ? {} : { stopReason: "stop" }) };
    return { type: "message", id: `e${at}`, parentId: at === 0 ? null : `e${at - 1}`, ...times, message };
  });
}

const jsonl = Session.fromEntries(entries(60)).toJsonl();
const transcript = JSON.stringify(entries(60).map(({ message }) => ({ role: message.role, content: message.content[0].text })));
const sizeOf = (session) => session.contextUsage().tokens;

describe("a session with a tokenizer", () => {
  const ways = {
    "Session.fromJsonl": (options) => Session.fromJsonl(jsonl, options),
    "Session.fromEntries": (options) => Session.fromEntries(entries(60), options),
    "Session.import": (options) => Session.import(transcript, { format: "openai-chat", ...options }),
    "Session.create": ({ counting, ...options }) => {
      const session = Session.create(options);
      for (const { message } of entries(60)) session.appendMessage(message);
      return session;
    },
  };
  for (const [name, make] of Object.entries(ways)) {
    it(`${name}: counts the same at once, in stretches and as it is needed`, async () => {
      const estimated = sizeOf(make({}));
      for (const tokenizer of ENCODINGS) {
        const [lazy, atOnce, counted] = [make({ tokenizer }), make({ tokenizer, counting: "at-once" }), make({ tokenizer, counting: "lazy" })];
        await counted.count();
        const sizes = [lazy, atOnce, counted].map(sizeOf);
        assert.deepEqual(sizes, [sizes[0], sizes[0], sizes[0]], tokenizer);
        assert.notEqual(sizes[0], estimated, tokenizer);
        assert.equal(lazy.tokenizer, tokenizer);
        for (const session of [lazy, atOnce, counted]) session.free();
      }
    });
  }

  it("is without one where none was asked for", async () => {
    const session = Session.fromJsonl(jsonl);
    const before = sizeOf(session);
    await session.count();
    assert.deepEqual([session.tokenizer, sizeOf(session)], [undefined, before]);
  });

  it("counts what is appended, as countTokens does", () => {
    for (const tokenizer of ENCODINGS) {
      const session = Session.create({ tokenizer });
      session.appendMessage({ role: "user", content: "x" });
      const before = sizeOf(session);
      session.appendMessage({ role: "user", content: `x${TEXT}` });
      const twice = sizeOf(session) - before;
      session.appendMessage({ role: "user", content: `x${TEXT}${" word".repeat(500)}` });
      // What a message takes beside its text is the same in both.
      assert.equal(sizeOf(session) - before - 2 * twice, countTokens(`x${TEXT}${" word".repeat(500)}`, tokenizer) - countTokens(`x${TEXT}`, tokenizer));
    }
  });

  it("plans with its counts", async () => {
    const options = { contextWindow: 4_000, summarize: "local", settings: { compaction: { keepRecentTokens: 1_000 } } };
    const chat = entries(60, COSTLY);
    const [exact, estimated] = [Session.fromEntries(chat, { tokenizer: "r50k_base" }), Session.fromEntries(chat)];
    const [one, other] = [await compact(exact, options), await compact(estimated, options)];
    assert.deepEqual([one.status, other.status], ["committed", "committed"]);
    assert.ok(one.tokensBefore > other.tokensBefore * 1.1, `${one.tokensBefore} and ${other.tokensBefore}`);
    assert.ok(exact.buildSessionContext().messages.length < estimated.buildSessionContext().messages.length);
  });

  it("is refused in the preset classic, whose counts are those of its agents", () => {
    for (const counting of [undefined, "lazy", "at-once"]) {
      throwsCode(() => Session.fromJsonl(jsonl, { preset: "classic", tokenizer: "o200k_base", counting }), "invalid-argument", 'tokenizer: "o200k_base"', '"classic"');
    }
    throwsCode(() => Session.create({ preset: "classic", tokenizer: "o200k_base" }), "invalid-argument", '"classic"');
    assert.equal(Session.create({ preset: "classic" }).tokenizer, undefined);
  });

  it("refuses what is no encoding and no way of counting", () => {
    for (const tokenizer of ["gpt-5", "", null, {}, true]) throwsCode(() => Session.create({ tokenizer }), "unsupported-encoding", "tokenizer: ", "o200k_base");
    for (const counting of ["eager", null, true]) throwsCode(() => Session.fromJsonl(jsonl, { tokenizer: "o200k_base", counting }), "invalid-argument", "counting: ", '"at-once" or "lazy"');
    throwsCode(() => Session.create({ counting: "lazy" }), "invalid-argument", "Session.create.counting");
  });
});

describe("session.count", () => {
  it("refuses options that it does not know, and what is no signal", async () => {
    const session = Session.create({ tokenizer: "o200k_base" });
    await rejectsCode(session.count({ onProgress() {} }), "invalid-argument", "count.onProgress", "signal");
    await rejectsCode(session.count({ signal: true }), "invalid-argument", "signal");
    await rejectsCode(session.count(null), "invalid-argument", "count");
  });

  it("rejects with the reason of an abort; what was counted stays", async () => {
    const session = Session.fromJsonl(jsonl, { tokenizer: "o200k_base" });
    await assert.rejects(session.count({ signal: AbortSignal.abort("enough") }), (reason) => reason === "enough");
    await session.count();
    assert.equal(sizeOf(session), sizeOf(Session.fromJsonl(jsonl, { tokenizer: "o200k_base", counting: "at-once" })));
  });

  it("may be called again, and twice at a time, while entries are appended and read", async () => {
    const session = Session.fromJsonl(jsonl, { tokenizer: "o200k_base" });
    const counts = [session.count(), session.count()];
    session.appendMessage({ role: "user", content: TEXT });
    const size = sizeOf(session);
    await Promise.all([...counts, session.count()]);
    assert.equal(sizeOf(session), size);
  });

  it("lets nobody wait for 50 ms, in a session of 50 MB", async (t) => {
    const texts = [TEXT, "return x === undefined ? 0 : x.y;\n", "अहं हिन्दी पठामि ", `${"=".repeat(2_000)}\n`, "QmFzZTY0IHRleHQ="];
    const lines = ['{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/"}'];
    for (let at = 0, bytes = 0; bytes < 50_000_000; at += 1) {
      const text = texts[at % texts.length];
      const content = `${at} ${text.repeat(1 + ((at * 7_919) % 200_000) / text.length)}`;
      bytes += Buffer.byteLength(content);
      const message = { role: "user", content };
      lines.push(JSON.stringify({ type: "message", id: `e${at}`, parentId: at === 0 ? null : `e${at - 1}`, timestamp: "", message }));
    }
    const session = Session.fromJsonl(Buffer.from(lines.join("\n")), { tokenizer: "o200k_base" });
    // The compiler of the host works beside the first counts, on the same clock.
    for (let times = 0; times < 10; times += 1) for (const text of texts) countTokens(text.repeat(2_000).slice(0, 100_000), "o200k_base");
    await wait(200);
    const turns = turnsOfOthers();
    await session.count();
    const { longest, count } = turns.end();
    t.diagnostic(`${count} turns, ${longest.toFixed(1)} ms between them at most`);
    assert.ok(longest < 50, `${longest} ms`);
    assert.ok(count > 10);
    session.free();
  });
});

/** Takes a turn whenever there is one, and measures what came between, by the processor's clock: others may use the machine, too. */
function turnsOfOthers() {
  let [longest, count, last] = [0, 0, process.cpuUsage()];
  const take = () => {
    const { user, system } = process.cpuUsage(last);
    longest = Math.max(longest, (user + system) / 1_000);
    count += 1;
    last = process.cpuUsage();
    next = setImmediate(take);
  };
  let next = setImmediate(take);
  return {
    end() {
      clearImmediate(next);
      return { longest, count };
    },
  };
}

describe("the stretches of a count", async () => {
  const { countEntries } = await internals("counting");
  /** A session whose slices take their time; it notes when each began. */
  function slow(slices, ms) {
    const began = [];
    const handle = {
      countSome() {
        began.push(performance.now());
        while (performance.now() < began.at(-1) + ms) continue;
        return began.length >= slices;
      },
    };
    return { began, state: { tokenizer: "o200k_base", call: (use) => use(handle) } };
  }

  it("end after some milliseconds, and others have their turn between them", async () => {
    const { began, state } = slow(40, 3);
    const turns = [];
    const timer = setInterval(() => turns.push(began.length), 1);
    await countEntries(state, {});
    clearInterval(timer);
    assert.equal(began.length, 40);
    // Eight milliseconds hold three of these slices.
    assert.ok(turns.length >= 10, `${turns}`);
  });

  it("end also where the clock stands still, as in workerd", async () => {
    const { performance } = globalThis;
    const { began, state } = slow(1_000, 0);
    const turns = new Set();
    const timer = setInterval(() => turns.add(began.length), 0);
    try {
      globalThis.performance = { now: () => 0 };
      state.call = (use) => use({ countSome: () => began.push(0) >= 200_000 });
      await countEntries(state, {});
    } finally {
      globalThis.performance = performance;
      clearInterval(timer);
    }
    assert.ok(turns.size > 1);
  });

  it("end for good with an abort between two of them", async () => {
    const { began, state } = slow(1_000, 3);
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 15);
    await assert.rejects(countEntries(state, { signal: controller.signal }), { name: "AbortError" });
    assert.ok(began.length < 100, `${began.length}`);
  });

  it("go on where there are no message channels", async () => {
    const { MessageChannel } = globalThis;
    const { began, state } = slow(10, 3);
    try {
      globalThis.MessageChannel = undefined;
      await countEntries(state, {});
    } finally {
      globalThis.MessageChannel = MessageChannel;
    }
    assert.equal(began.length, 10);
  });
});

describe("arrays of messages with a tokenizer", () => {
  const chat = [{ role: "system", content: COSTLY.repeat(20) }];
  for (let at = 0; at < 60; at += 1) chat.push({ role: at % 2 === 0 ? "user" : "assistant", content: `${at}: ${COSTLY.repeat(3)}` });
  const options = { format: "openai-chat", contextWindow: 8_000, summarize: "local", settings: { compaction: { keepRecentTokens: 1_500 } }, force: true };

  it("are folded by its counts, the system messages among them", async () => {
    const [exact, estimated] = [await foldMessages(chat, { ...options, tokenizer: "r50k_base" }), await foldMessages(chat, options)];
    assert.deepEqual([exact.outcome.status, estimated.outcome.status], ["committed", "committed"]);
    assert.ok(exact.outcome.tokensBefore > estimated.outcome.tokensBefore * 1.1);
    assert.ok(exact.messages.length < estimated.messages.length);
    const whole = countTokens(chat.map(({ content }) => content).join("\n"), "r50k_base");
    assert.ok(Math.abs(exact.outcome.tokensBefore - whole) < whole / 20, `${exact.outcome.tokensBefore} for ${whole}`);
  });

  it("are pruned by its counts", () => {
    const calls = Array.from({ length: 6 }, (_, at) => [
      { role: "assistant", content: null, tool_calls: [{ id: `c${at}`, type: "function", function: { name: "bash", arguments: "{}" } }] },
      { role: "tool", tool_call_id: `c${at}`, content: TEXT.repeat(20) },
    ]).flat();
    const messages = [{ role: "user", content: "Go." }, ...calls];
    const settings = { prune: { protectTokens: 0, minimumSavings: 0, protectedTools: [] } };
    const saved = (more) => pruneMessages(messages, { format: "openai-chat", settings, ...more }).tokensSaved;
    const each = countTokens(TEXT.repeat(20), "r50k_base");
    assert.ok(saved({ tokenizer: "r50k_base" }) > each * 5, "the counts of the texts less those of the notices");
    assert.notEqual(saved({ tokenizer: "r50k_base" }), saved({}));
  });

  it("refuse what is no encoding", async () => {
    await rejectsCode(foldMessages(chat, { ...options, tokenizer: "gpt-5" }), "unsupported-encoding", '"gpt-5"');
    throwsCode(() => pruneMessages(chat, { format: "openai-chat", tokenizer: "gpt-5" }), "unsupported-encoding", '"gpt-5"');
  });
});
