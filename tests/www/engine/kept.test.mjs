// Sessions that are kept in the browser: stored through the library's interface, change by change.

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { openBrowser } from "../../browser/harness.mjs";
import { CHOICES, enginePage, sampleFile } from "./worker.mjs";

let browser;
let folder;
let page;
let sample;
before(async () => {
  [browser, folder, sample] = [await openBrowser(), await enginePage(), (await sampleFile()).toString()];
});
after(() => browser?.close());
beforeEach(async () => {
  page = await browser.open("/", folder);
  await page.evaluate(async () => {
    const { Worker } = await import("./engine.js");
    window.newWorker = () => new Worker(async () => new TextEncoder().encode(window.sample));
    window.good = ({ ok, value, trouble }) => {
      if (!ok) throw new Error(`${trouble.code}: ${trouble.message}`);
      return value;
    };
    window.listener = { progress: () => undefined, cancel: () => undefined, summarize: () => Promise.reject(new Error("nobody")) };
    window.file = async (worker) => new TextDecoder().decode(good(await worker.exportSession()));
  });
});

describe("a session that is kept", () => {
  it("is there again with every change and at its leaf, and can be forgotten", async () => {
    const result = await page.evaluate(
      async ([sample, choices]) => {
        const worker = newWorker();
        good(await worker.open({ name: "harbour.jsonl", bytes: new TextEncoder().encode(sample), kind: "file" }, choices));
        const [kept] = good(await worker.keep());
        const folded = good(await worker.fold(choices, { kind: "local" }, "", listener));
        const file = await window.file(worker);
        const other = newWorker();
        const list = good(await other.listKept());
        const opened = good(await other.openKept(kept.key, choices));
        const same = (await window.file(other)) === file;
        good(await other.navigate(folded.snapshot.path[5], true, "", choices, { kind: "local" }, listener));
        const third = newWorker();
        const again = good(await third.openKept(kept.key, choices));
        const left = good(await third.forgetKept(kept.key));
        const gone = await newWorker().openKept(kept.key, choices);
        return { kept, list, status: folded.status, trouble: folded.trouble, same, leaves: [opened.leaf, folded.snapshot.leaf], lengths: [opened.length, again.length], name: opened.about.name, left, gone: gone.trouble.code };
      },
      [sample, CHOICES],
    );
    assert.deepEqual([result.kept.name, result.kept.bytes], ["harbour.jsonl", Buffer.byteLength(sample)]);
    assert.equal(result.list.length, 1);
    assert.ok(result.list[0].bytes > result.kept.bytes && result.list[0].savedAt > 0);
    assert.deepEqual([result.status, result.trouble, result.same, result.name], ["committed", undefined, true, "harbour.jsonl"]);
    assert.equal(result.leaves[0], result.leaves[1]);
    assert.equal(result.lengths[1], result.lengths[0] + 1);
    assert.deepEqual([result.left, result.gone], [[], "storage-failed"]);
    page.assertQuiet();
  });

  it("that another tab changed refuses what would be lost, and says what to do", async () => {
    const trouble = await page.evaluate(
      async ([sample, choices]) => {
        const [one, other] = [newWorker(), newWorker()];
        good(await one.open({ name: "a", bytes: new TextEncoder().encode(sample), kind: "file" }, choices));
        const [{ key }] = good(await one.keep());
        good(await other.openKept(key, choices));
        good(await one.fold(choices, { kind: "local" }, "", listener));
        const folded = good(await other.fold(choices, { kind: "local" }, "", listener));
        return { status: folded.status, trouble: folded.trouble };
      },
      [sample, CHOICES],
    );
    assert.equal(trouble.trouble.code, "conflict");
    assert.match(trouble.trouble.advice, /another tab.*on the screen, but not stored/);
  });

  it("goes on being kept when it is counted in another way, and when a played run was kept", async () => {
    const result = await page.evaluate(
      async ([sample, choices]) => {
        window.sample = sample;
        const worker = newWorker();
        let tell;
        const ended = new Promise((resolve) => (tell = resolve));
        const ear = { state: ({ status }) => status === "ended" && tell(), event: () => undefined, snapshot: () => undefined };
        good(await worker.play(choices, 1e7, ear));
        await ended;
        good(await worker.endPlay(true));
        const [{ key }] = good(await worker.keep());
        good(await worker.choose({ ...choices, images: "openai" }));
        const small = { ...choices, images: "openai", contextWindow: 32_000, reserveTokens: 4_000, keepRecentTokens: 2_000 };
        const { status } = good(await worker.fold(small, { kind: "local" }, "", listener));
        const other = newWorker();
        good(await other.openKept(key, choices));
        return { status, same: (await file(other)) === (await file(worker)) };
      },
      [sample, CHOICES],
    );
    assert.deepEqual(result, { status: "committed", same: true });
    page.assertQuiet();
  });
});

describe("the store of a browser", () => {
  it("appends, replaces and refuses as the library's interface says", async () => {
    const result = await page.evaluate(async () => {
      const { BrowserStore, database } = await import("./engine.js");
      const text = (stored) => stored && new TextDecoder().decode(stored.lines);
      const bytes = (line) => new TextEncoder().encode(line);
      const store = new BrowserStore(await database(), "k", "name");
      const said = { empty: await store.load() };
      const refusal = (promise) => promise.then(() => "taken", ({ code, revision }) => `${code} ${revision}`);
      let { revision } = await store.append({ ids: ["a"], lines: bytes('{"type":"session","id":"s"}\n{"id":"a","n":1}'), leafId: "a" }, { expected: null });
      said.stale = await refusal(store.append({ ids: ["x"], lines: bytes("{}\n"), leafId: "x" }, { expected: null }));
      const first = revision;
      ({ revision } = await store.append({ ids: ["b"], lines: bytes('{"id":"b"}\n'), leafId: "b" }, { expected: revision }));
      said.after = text(await store.load(first));
      said.nothing = await store.load(revision);
      said.missing = await refusal(store.replace([{ id: "zz", line: bytes("{}") }], { expected: revision }));
      ({ revision } = await store.replace([{ id: "a", line: bytes('{"id":"a","n":2}') }], { expected: revision }));
      const { leafId, ...stored } = await store.load();
      said.all = text(stored);
      said.leafId = leafId;
      said.changed = await refusal(store.load(first));
      return said;
    });
    assert.deepEqual(result, {
      empty: undefined,
      nothing: undefined,
      stale: "conflict 1",
      after: '\n{"id":"b"}\n',
      missing: "storage-failed undefined",
      all: '{"type":"session","id":"s"}\n{"id":"a","n":2}\n{"id":"b"}\n',
      leafId: "b",
      changed: "conflict 3",
    });
  });
});
