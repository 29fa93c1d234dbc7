// Plans, folds and moves through the tree: what the library does, with what the page is told.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { beforeEach, describe, it } from "node:test";
import { Session } from "threadfold";
import { CHOICES, good, listener, newWorker, sampleFile } from "./worker.mjs";

const LOCAL = { kind: "local" };
const PAGE = { kind: "page" };
const SUMMARY = "## Goal\nA harbour that plans itself.\n\n## Next Steps\nGo on.";

let worker;
let snapshot;
const bytes = async () => Buffer.from(good(await worker.exportSession()));

beforeEach(async () => {
  worker = await newWorker();
  snapshot = good(await worker.open({ name: "sample.jsonl", bytes: new Uint8Array(await sampleFile()), kind: "sample" }, CHOICES));
});

describe("a plan", () => {
  it("says what the library prepares, and changes nothing", async () => {
    const before = await bytes();
    for (const keepRecentTokens of [1_000, 20_000, 90_000]) {
      const session = Session.fromJsonl(before);
      const plan = good(await worker.plan({ ...CHOICES, keepRecentTokens }));
      const settings = { compaction: { keepRecentTokens, reserveTokens: 16_384 } };
      const { preparation } = session.prepareCompaction({ contextWindow: 200_000, settings });
      const ids = (numbers) => Array.from(numbers, (index) => snapshot.rows[index].row.id);
      assert.deepEqual(ids(plan.summarized), preparation.entryIdsToSummarize);
      assert.deepEqual(ids(plan.prefix), preparation.turnPrefixEntryIds);
      assert.deepEqual(ids(plan.kept), preparation.keptEntryIds);
      assert.deepEqual(ids(plan.inTheWay), preparation.entryIdsInTheWay);
      assert.deepEqual(ids([plan.firstKept]), [preparation.firstKeptEntryId]);
      assert.equal(plan.requestTokens, preparation.requestTokens);
      assert.equal(plan.turnStart >= 0, preparation.isSplitTurn);
      assert.deepEqual(ids(plan.pruned.entries), session.preparePrune().prunedIds);
      assert.match(plan.why, new RegExp(`#${plan.firstKept + 1} `));
      assert.ok(plan.leastAfter < plan.tokensBefore);
    }
    assert.deepEqual(await bytes(), before);
  });

  it("says why there is nothing to do, or what is wrong with what was set", async () => {
    assert.equal(good(await worker.plan({ ...CHOICES, keepRecentTokens: 900_000 })).reason, "session-too-small");
    const { trouble } = await worker.plan({ ...CHOICES, contextWindow: 16_000 });
    assert.equal(trouble.code, "invalid-settings");
  });
});

describe("a fold", () => {
  it("by the local summariser shows before and after, and can be undone and done again", async () => {
    const said = [];
    const plan = good(await worker.plan(CHOICES));
    const folded = good(await worker.fold(CHOICES, LOCAL, "", listener({ progress: (progress) => said.push(progress) })));
    assert.deepEqual([folded.status, folded.summarizer], ["committed", "local"]);
    assert.ok(said.length > 2 && said.every(({ text }) => text.length > 0));
    const { before, after, keptBefore, keptAfter } = folded.comparison;
    assert.deepEqual(before.map(({ entry }) => entry), [...snapshot.context]);
    assert.deepEqual(after.map(({ entry }) => entry), [...folded.snapshot.context]);
    assert.deepEqual(before.slice(keptBefore), after.slice(keptAfter));
    assert.equal(after[0].kind, "compaction");
    assert.deepEqual([...plan.kept].filter((index) => before.some(({ entry }) => entry === index)), after.slice(keptAfter).map(({ entry }) => entry));
    assert.equal(folded.snapshot.rows.length, 1);
    assert.equal(folded.snapshot.undo, "the fold");

    const undone = good(await worker.undo());
    assert.deepEqual([undone.leaf, undone.redo, undone.undo], [snapshot.leaf, "the fold", undefined]);
    assert.deepEqual([...undone.context], [...snapshot.context]);
    const redone = good(await worker.redo());
    assert.deepEqual([...redone.context], [...folded.snapshot.context]);
  });

  it("asks the page with the instructions, and takes its summary", async () => {
    const asked = [];
    const summarize = async (id, request, attempt) => {
      asked.push({ id, attempt, ...request });
      return { ok: true, text: request.kind === "short" ? "Short." : SUMMARY };
    };
    const folded = good(await worker.fold(CHOICES, PAGE, "Keep the tides", listener({ summarize })));
    assert.deepEqual([folded.status, folded.summarizer, folded.shortSummary], ["committed", "callback", "Short."]);
    assert.match(folded.summary, /harbour that plans itself/);
    assert.ok(asked.every(({ prompt }) => prompt.includes("Keep the tides")));
    assert.equal(new Set(asked.map(({ id }) => id)).size, asked.length);
  });

  it("is made in parts where the page's model has a small window", async () => {
    const kinds = [];
    const summarize = async (_, { kind, promptTokens, maxTokens }) => {
      kinds.push(kind);
      assert.ok(promptTokens + maxTokens <= 40_000);
      return { ok: true, text: `## Goal\nPart ${kinds.length}.` };
    };
    const model = { provider: "page", id: "small", contextWindow: 40_000 };
    assert.equal(good(await worker.fold(CHOICES, { ...PAGE, model }, "", listener({ summarize }))).status, "committed");
    assert.ok(kinds.includes("fold"), kinds.join());
  });

  it("tries again what passes, by the status and the wait that the page hands on", async () => {
    let tries = 0;
    const waits = [];
    const summarize = async () => {
      tries += 1;
      if (tries === 1) return { ok: false, name: "APIError", message: "overloaded", status: 529, retryAfter: "0" };
      return { ok: true, text: SUMMARY };
    };
    const progress = ({ waitingUntil }) => waits.push(waitingUntil !== undefined);
    assert.equal(good(await worker.fold(CHOICES, PAGE, "", listener({ summarize, progress }))).status, "committed");
    assert.ok(tries > 1 && waits.includes(true));
  });

  for (const [name, reply, words] of [
    ["a wrong key", { ok: false, name: "AuthenticationError", message: "invalid api key", status: 401 }, /invalid api key/],
    ["an empty answer", { ok: true, text: " " }, /no text/],
    ["an answer that was cut off", { ok: true, text: SUMMARY, stopReason: "length" }, /cut off|length/],
  ]) {
    it(`that meets ${name} changes nothing, and says so`, async () => {
      const before = await bytes();
      const folded = good(await worker.fold(CHOICES, PAGE, "", listener({ summarize: async () => reply })));
      assert.equal(folded.status, "failed");
      assert.match(folded.trouble.message, words);
      assert.ok(folded.trouble.advice.includes("as it was"));
      assert.deepEqual([folded.snapshot.leaf, folded.snapshot.undo, folded.comparison], [snapshot.leaf, undefined, undefined]);
      assert.deepEqual(await bytes(), before);
    });
  }

  it("that is aborted changes nothing, tells the page, and the next one may run", async () => {
    const before = await bytes();
    const cancelled = [];
    const asked = [];
    const summarize = (id) => new Promise(() => {
      asked.push(id);
      void worker.abort();
    });
    const folded = good(await worker.fold(CHOICES, PAGE, "", listener({ summarize, cancel: (id) => cancelled.push(id) })));
    assert.equal(folded.status, "cancelled");
    assert.deepEqual(cancelled, asked);
    assert.deepEqual(await bytes(), before);
    assert.equal(good(await worker.fold(CHOICES, LOCAL, "", listener())).status, "committed");
  });

  it("holds off other runs, while the page may go on looking", async () => {
    let release;
    const waiting = new Promise((resolve) => (release = resolve));
    const folding = worker.fold(CHOICES, PAGE, "", listener({ summarize: () => waiting.then(() => ({ ok: true, text: SUMMARY })) }));
    try {
      const others = { ...CHOICES, keepRecentTokens: 10_000 };
      for (const call of [worker.fold(CHOICES, LOCAL, "", listener()), worker.undo(), worker.choose(others)]) assert.equal((await call).trouble.code, "busy");
      good(await worker.choose(CHOICES));
      good(await worker.plan(CHOICES));
      good(await worker.entry(0));
    } finally {
      release();
    }
    assert.equal(good(await folding).status, "committed");
  });

  it("by an endpoint sends the headers, and says what is wrong with its answers", async () => {
    const answers = [[200, JSON.stringify({ summary: SUMMARY })], [200, "<html>"], [403, "no"], [200, "{}"]];
    const got = [];
    let answer;
    const server = createServer((request, response) => {
      got.push(request.headers.authorization);
      response.writeHead(answer[0]).end(answer[1]);
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.on("listening", resolve));
    const remote = { kind: "remote", endpoint: `http://127.0.0.1:${server.address().port}/`, headers: { authorization: "Bearer key-of-mine" }, allowedHosts: [] };
    for (answer of answers) {
      const before = await bytes();
      const folded = good(await worker.fold(CHOICES, remote, "", listener()));
      if (folded.status === "committed") {
        assert.equal(folded.summarizer, "remote");
        good(await worker.undo());
        continue;
      }
      assert.deepEqual([folded.status, folded.trouble.code], ["failed", "remote-failed"]);
      assert.ok(!JSON.stringify(folded).includes("key-of-mine"));
      assert.deepEqual(await bytes(), before);
    }
    server.close();
    assert.ok(got.length >= 4 && got.every((header) => header === "Bearer key-of-mine"));
  });
});

describe("a move through the tree", () => {
  /** An entry that is not on the path. */
  const aside = () => snapshot.rows.find(({ index, row }) => !snapshot.path.includes(index) && row.kind === "assistant").index;

  it("goes to an entry without a summary, and back", async () => {
    const moved = good(await worker.navigate(aside(), false, "", CHOICES, LOCAL, listener()));
    assert.deepEqual([moved.cancelled, moved.summary, moved.snapshot.leaf], [false, undefined, aside()]);
    assert.equal(good(await worker.undo()).leaf, snapshot.leaf);
    assert.equal(good(await worker.redo()).leaf, aside());
  });

  it("carries a summary over, which is an entry below the target", async () => {
    const said = [];
    const moved = good(await worker.navigate(aside(), true, "", CHOICES, LOCAL, listener({ progress: ({ text }) => said.push(text) })));
    assert.ok(moved.summary.length > 0 && said.length > 0);
    const [{ index, row }] = moved.snapshot.rows;
    assert.deepEqual([row.kind, row.parent, index], ["branch", aside(), moved.snapshot.leaf]);
  });

  it("gives the text back of a question that is to be asked anew", async () => {
    const question = snapshot.rows.findLast(({ row, index }) => row.kind === "user" && snapshot.path.includes(index));
    const moved = good(await worker.navigate(question.index, false, "", CHOICES, LOCAL, listener()));
    assert.ok(moved.editorText.startsWith(question.row.text.slice(0, 20)));
    assert.equal(moved.snapshot.leaf, question.row.parent);
  });

  it("that fails or is aborted leaves the leaf and the bytes", async () => {
    const before = await bytes();
    const failing = listener({ summarize: async () => ({ ok: false, name: "Error", message: "no key", status: 401 }) });
    const failed = good(await worker.navigate(aside(), true, "", CHOICES, PAGE, failing));
    assert.match(failed.trouble.message, /no key/);
    const hanging = listener({ summarize: () => new Promise(() => void worker.abort()) });
    const aborted = good(await worker.navigate(aside(), true, "", CHOICES, PAGE, hanging));
    assert.equal(aborted.cancelled, true);
    assert.deepEqual([failed.snapshot.leaf, aborted.snapshot.leaf, aborted.snapshot.undo], [snapshot.leaf, snapshot.leaf, undefined]);
    assert.deepEqual(await bytes(), before);
    assert.equal((await worker.navigate(99_999, false, "", CHOICES, LOCAL, listener())).trouble.code, "unknown-entry");
  });
});
