// Files are opened, shown and planned; what cannot be opened is refused in words.

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { before, describe, it } from "node:test";
import { detectFormat, Session } from "threadfold";
import { CHOICES, engineModule, good, newWorker, sampleFile } from "./worker.mjs";

const shared = new URL("../../../../shared/sessions/", import.meta.url);
const open = (worker, bytes, more) => worker.open({ name: "a file", bytes: new Uint8Array(bytes), kind: "file", ...more }, CHOICES);
const control = /[\0-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

describe("every file that people have", async () => {
  const files = await readdir(shared).catch(() => []);
  if (files.length === 0) it("is skipped: ../shared/sessions is not here", { skip: true }, () => undefined);
  for (const file of files) {
    it(`${file} is shown, or refused in words`, async () => {
      const bytes = await readFile(new URL(file, shared));
      const worker = await newWorker();
      const opened = await open(worker, bytes);
      if (!opened.ok) {
        assert.equal(opened.trouble.code, "unsupported-format");
        assert.match(opened.trouble.message, /seen is .*allowed is/);
        assert.ok(opened.trouble.advice.length > 20);
        return;
      }
      const snapshot = opened.value;
      assert.equal(snapshot.rows.length, snapshot.length);
      const sum = snapshot.fill.reduce((sum, { tokens }) => sum + tokens, 0);
      assert.ok(Math.abs(sum - snapshot.usage.tokens) <= snapshot.fill.length, `${sum} of ${snapshot.usage.tokens}`);
      for (const [at, { index, row }] of snapshot.rows.entries()) {
        assert.equal(index, at);
        assert.ok(row.text.length <= 160 && !control.test(row.text + row.name), row.text);
        assert.ok(row.parent < index || row.parent === -1 || snapshot.about.diagnostics.length > 0);
        const entry = good(await worker.entry(index));
        assert.equal(JSON.parse(entry.json.length < 200_000 ? entry.json : "{}").id ?? row.id, row.id);
      }
      for (const format of ["openai-chat", "anthropic", "ai-sdk-ui"]) JSON.parse(good(await worker.exportMessages(format)));
      const plan = await worker.plan(CHOICES);
      assert.ok(plan.ok, JSON.stringify(plan));
    });
  }
});

describe("the sample", () => {
  let worker;
  let snapshot;
  before(async () => {
    worker = await newWorker();
    snapshot = good(await open(worker, await sampleFile()));
  });

  it("comes out as it went in", async () => {
    assert.deepEqual(Buffer.from(good(await worker.exportSession())), await sampleFile());
    assert.equal(snapshot.about.format, "session");
    assert.equal(snapshot.about.importReport, undefined);
  });

  it("is exported in a format that is told again", async () => {
    for (const format of ["anthropic", "gemini", "ai-sdk-ui"]) assert.equal(detectFormat(JSON.parse(good(await worker.exportMessages(format)))), format);
  });

  it("is counted as the library counts it", async () => {
    const session = Session.fromJsonl(await sampleFile());
    assert.deepEqual(snapshot.usage, session.contextUsage({ contextWindow: 200_000, settings: { compaction: { reserveTokens: 16_384 } } }));
    for (const { row } of snapshot.rows) assert.equal(row.tokens, session.entryTokens(row.id));
    const ids = snapshot.rows.map(({ row }) => row.id);
    assert.deepEqual(Array.from(snapshot.path, (index) => ids[index]), session.path().map(({ id }) => id));
    assert.deepEqual(Array.from(snapshot.context, (index) => ids[index]), session.buildSessionContext().entryIds);
  });

  it("tells only what is new the second time, and all of it once it is counted in another way", async () => {
    const again = good(await worker.choose({ ...CHOICES, contextWindow: 100_000 }));
    assert.deepEqual([again.rows.length, again.session, again.usage.limit], [0, snapshot.session, 83_616]);
    assert.ok(again.revision > snapshot.revision);
    const exact = good(await worker.choose({ ...CHOICES, tokenizer: "o200k_base" }));
    assert.notEqual(exact.session, snapshot.session);
    assert.deepEqual([exact.rows.length, exact.leaf], [snapshot.length, snapshot.leaf]);
    assert.notDeepEqual(exact.rows.map(({ row }) => row.tokens), snapshot.rows.map(({ row }) => row.tokens));
  });
});

describe("what cannot be opened", () => {
  it("names the formats of an ambiguous array, and opens as the one that is chosen", async () => {
    const bytes = new TextEncoder().encode('[{"role":"user","content":"Hi"}]');
    const worker = await newWorker();
    const { trouble } = await open(worker, bytes);
    assert.equal(trouble.code, "ambiguous-format");
    assert.ok(trouble.formats.includes("anthropic") && trouble.formats.length > 2);
    assert.equal(good(await open(worker, bytes, { format: "anthropic" })).about.format, "anthropic");
  });

  it("leaves the session that is open as it is", async () => {
    const worker = await newWorker();
    const first = good(await open(worker, await sampleFile()));
    for (const file of ["", "no session", "\0\xff", '{"a":1}', "[]"]) {
      const { ok, trouble } = await open(worker, new TextEncoder().encode(file));
      assert.equal(ok, false, file);
      assert.ok(trouble.message.length > 0 && trouble.advice.includes("as it was"));
    }
    const now = good(await worker.choose(CHOICES));
    assert.deepEqual([now.session, now.leaf], [first.session, first.leaf]);
  });

  it("says so where nothing is open yet", async () => {
    const worker = await newWorker();
    for (const answer of [worker.plan(CHOICES), worker.undo(), worker.exportSession(), worker.entry(0), worker.endPlay(true)]) assert.equal((await answer).ok, false);
  });

  it("has an advice for each code of the library", async () => {
    const { troubleOf } = await engineModule("troubles");
    assert.equal(troubleOf(new TypeError("oh")).code, "page");
    assert.ok(troubleOf(new TypeError("x".repeat(5_000))).message.length < 700);
  });
});

it("texts that are full of markup, controls and marks of direction become harmless lines", async () => {
  const hostile = "<script>alert(1)</script>\u202e\u0000\u001b[31m\u2066 a\n\tb \ud83d\udc69\u200d\ud83d\udcbb".repeat(20);
  const session = Session.create();
  session.appendMessage({ role: "user", content: hostile });
  session.setLabel(session.leafId, hostile);
  const worker = await newWorker();
  const snapshot = good(await open(worker, session.toJsonl(), { name: hostile }));
  const [{ row }] = snapshot.rows;
  for (const text of [row.text, row.label, snapshot.about.name]) {
    assert.ok(text.includes("<script>") && text.length <= 160 && !control.test(text) && text.isWellFormed(), text);
  }
  assert.equal(good(await worker.entry(0)).parts[0].text, hostile, "in full it is what is stored");
});

it("a session of 20 000 entries and 50 MB opens", async () => {
  const session = Session.create();
  const text = "12:00:01 worker 7 took a job and gave it back. ".repeat(100);
  for (let turn = 0; turn < 5_000; turn += 1) {
    const call = { type: "toolCall", id: `c${turn}`, name: "bash", arguments: { command: "make" } };
    session.appendMessage({ role: "user", content: `Question ${turn}` });
    session.appendMessage({ role: "assistant", content: [call], stopReason: "toolUse" });
    session.appendMessage({ role: "toolResult", toolCallId: call.id, toolName: "bash", content: [{ type: "text", text }], isError: false });
    session.appendMessage({ role: "assistant", content: [{ type: "text", text }], stopReason: "stop" });
  }
  const bytes = session.toJsonl();
  const worker = await newWorker();
  const start = performance.now();
  const snapshot = good(await open(worker, bytes));
  const opened = performance.now();
  good(await worker.plan(CHOICES));
  const planned = performance.now();
  good(await worker.plan({ ...CHOICES, keepRecentTokens: 30_000 }));
  console.log(`${(bytes.length / 1e6).toFixed(1)} MB: opened in ${(opened - start).toFixed()} ms, first plan ${(planned - opened).toFixed()} ms, second ${(performance.now() - planned).toFixed()} ms`);
  assert.equal(snapshot.rows.length, 20_000);
});
