// What the panels do with a session, around an engine that the test plays.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { answering, EVENTS_TYPE, JSON_TYPE } from "./answering.mjs";
import { bundled, row } from "./bundled.mjs";

globalThis.matchMedia = () => ({ matches: true, addEventListener() {} });
globalThis.location = { origin: "https://page.example" };

const settled = () => new Promise((resolve) => setTimeout(resolve));

/** A chain of entries 0 to 4, the leaf at the end, and 5 beside 3 and 4. */
const ROWS = [-1, 0, 1, 2, 3, 2].map((parent, index) => ({ index, row: row(parent, { tokens: 10 * (index + 1) }) }));
const snapshotOf = (revision, more = {}) => ({
  revision,
  session: 1,
  about: { kind: "file", name: "My day.v2.jsonl" },
  length: 6,
  rows: revision === 1 ? ROWS : [],
  leaf: 4,
  path: Uint32Array.of(0, 1, 2, 3, 4),
  context: Uint32Array.of(0, 1, 2, 3, 4),
  usage: { tokens: 100 },
  ...more,
});
const good = (value) => ({ ok: true, value });
const COMPARISON = { before: [], after: [], keptBefore: 0, keptAfter: 0, tokensBefore: 100_000, tokensAfter: 20_000 };
const committed = (revision, leaf = 6) => good({ status: "committed", warnings: [], comparison: COMPARISON, snapshot: snapshotOf(revision, { leaf, undo: "the fold" }) });

/** The page's state with a session on the screen. Calls of the engine wait until the test answers them. */
async function page() {
  const calls = [];
  globalThis.testEngine = new Proxy({}, { get: (_, name) => (...given) => new Promise((answer) => calls.push({ name, given, answer })) });
  const state = await bundled("../../tests/www/panels-state.ts", { fresh: true });
  state.applySnapshot(snapshotOf(1));
  /** The oldest call, which must be of that name. */
  const called = async (name) => {
    await settled();
    const call = calls.shift();
    assert.equal(call?.name, name);
    return call;
  };
  return { ...state, calls, called };
}

const REQUEST = { kind: "history", systemPrompt: "s", prompt: "p", maxTokens: 100, promptTokens: 2 };

describe("a fold", () => {
  it("tells how it goes on, what came of it, and is compared until the session moves on", async () => {
    const { fold, folded, run, called, comparing, stopComparing, compare, applySnapshot, news } = await page();
    const done = fold();
    const { given, answer } = await called("fold");
    assert.deepEqual(given.slice(1, 3), [{ kind: "local" }, ""]);
    given[3].progress({ type: "compaction_progress", text: "first", request: 1, requests: 2 });
    given[3].progress({ type: "compaction_progress", text: "second", request: 2, requests: 2 });
    assert.deepEqual([run.value.now.request, run.value.said], [2, ["first", "second"]]);
    answer(committed(2));
    await done;
    assert.deepEqual([run.value, folded.value.result.status, comparing.value], [undefined, "committed", true]);
    assert.equal(news.value, "Folded: 100k tokens became 20k.");
    stopComparing();
    assert.equal(comparing.value, false);
    compare();
    applySnapshot(snapshotOf(3, { redo: "the fold" }));
    assert.deepEqual([comparing.value, folded.value], [false, undefined], "taken back");
    applySnapshot(snapshotOf(4, { leaf: 6 }));
    assert.deepEqual([comparing.value, folded.value.result.status], [true, "committed"], "and done again");
  });

  it("is one at a time, and is aborted once", async () => {
    const { fold, run, abortRun, called, calls, news } = await page();
    const done = fold();
    const { answer } = await called("fold");
    await fold();
    assert.equal(calls.length, 0);
    void abortRun();
    void abortRun();
    await called("abort");
    assert.deepEqual([calls.length, run.value.aborting], [0, true]);
    answer(good({ status: "cancelled", warnings: [], snapshot: snapshotOf(2) }));
    await done;
    assert.equal(news.value, "The fold was aborted. The session is as it was.");
  });

  it("does not begin where the summariser lacks something: its tab opens", async () => {
    const { fold, chooseSummarizer, setSummarizer, calls, trouble, panel, run } = await page();
    chooseSummarizer("openai");
    setSummarizer("openai", { model: " " });
    await fold();
    assert.deepEqual([calls.length, run.value, panel.value], [0, undefined, "summarizer"]);
    assert.equal(trouble.value.message, "The summariser lacks the model.");
  });

  it("shows what the page's summariser writes, and explains what it throws", async (t) => {
    let refuses = false;
    const server = await answering(t, (response) => {
      if (refuses) return response.writeHead(401, JSON_TYPE).end('{"error":"no such key"}');
      return response.writeHead(200, EVENTS_TYPE).end('data: {"choices":[{"delta":{"content":"## Goal"},"finish_reason":"stop"}]}\n\n');
    });
    const { fold, folded, chooseSummarizer, setSummarizer, called, written } = await page();
    chooseSummarizer("openai");
    setSummarizer("openai", { baseURL: server.origin, model: "m", apiKey: "k", window: 9_000 });
    const done = fold();
    const { given, answer } = await called("fold");
    assert.deepEqual(given[1], { kind: "page", model: { provider: "openai", id: "m", contextWindow: 9_000 } }, "and no key");
    assert.equal((await given[3].summarize(1, REQUEST, 1)).text, "## Goal");
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.equal(written.value, "## Goal");
    refuses = true;
    assert.equal((await given[3].summarize(2, REQUEST, 1)).status, 401);
    assert.equal(written.value, "", "a new request begins anew");
    answer(good({ status: "failed", warnings: [], trouble: { code: "summarizer-failed", message: "m", advice: "a" }, snapshot: snapshotOf(2) }));
    await done;
    const { fault } = folded.value;
    assert.match(fault.what, /status 401: no such key\.$/);
    assert.match(fault.advice, /Check the key/);
  });
});

describe("steps", () => {
  it("go back and forward where there is something, but not while something runs", async () => {
    const { undo, redo, fold, applySnapshot, called, calls, news } = await page();
    await undo();
    await redo();
    assert.equal(calls.length, 0);
    applySnapshot(snapshotOf(2, { undo: "the fold" }));
    const back = undo();
    (await called("undo")).answer(good(snapshotOf(3, { redo: "the fold" })));
    await back;
    assert.equal(news.value, "Taken back: the fold.");
    void fold();
    await called("fold");
    await redo();
    assert.equal(calls.length, 0);
  });
});

describe("a way through the tree", () => {
  it("leaves behind what lies below the last entry that both paths share", async () => {
    const { leftBehind, applySnapshot } = await page();
    const left = (to) => [...leftBehind(to)];
    assert.deepEqual(left(5), [3, 4], "another branch");
    assert.deepEqual(left(1), [2, 3, 4], "above the leaf");
    assert.deepEqual(left(4), [], "the leaf");
    applySnapshot(snapshotOf(2, { length: 7, rows: [{ index: 6, row: row(-1) }] }));
    assert.deepEqual(left(6), [0, 1, 2, 3, 4], "another root");
  });

  it("tells what was carried over, or that nothing has changed", async () => {
    const { navigate, arrived, called, news } = await page();
    const go = async (value) => {
      const done = navigate(5, true, " why ");
      const { given, answer } = await called("navigate");
      assert.deepEqual(given.slice(0, 3), [5, true, "why"]);
      answer(good(value));
      await done;
    };
    await go({ cancelled: false, summary: "s", editorText: "again", snapshot: snapshotOf(2, { leaf: 5 }) });
    assert.equal(arrived.value.result.summary, "s");
    assert.equal(news.value, "Went to entry 6. A summary of the branch that was left was carried over. The message is to be written anew.");
    await go({ cancelled: true, snapshot: snapshotOf(3) });
    assert.equal(news.value, "Aborted. The leaf is where it was.");
    await go({ cancelled: true, trouble: { code: "summarizer-failed", message: "it is on strike", advice: "" }, snapshot: snapshotOf(4) });
    assert.equal(news.value, "It failed, and the leaf is where it was. It is on strike.");
  });
});

describe("a play", () => {
  const played = (revision, more = {}) => snapshotOf(revision, { session: 2, about: { kind: "play", name: "" }, rows: ROWS, ...more });

  async function playing() {
    const state = await page();
    const before = state.choices.value;
    const done = state.startPlay();
    const { given, answer } = await state.called("play");
    answer(good(played(1)));
    await done;
    return { ...state, before, listener: given[2] };
  }

  it("is shown under its own choices; with the session before, what was set before is back", async () => {
    const { choices, before, play, listener, endPlay, called } = await playing();
    assert.ok(choices.value.contextWindow < before.contextWindow);
    listener.state({ status: "playing", turn: 1, turns: 9, typing: { kind: "user", text: "Mor" }, prunes: 0, folds: 0, rescues: 0 });
    listener.state({ status: "playing", turn: 1, turns: 9, prunes: 0, folds: 0, rescues: 0 });
    assert.equal(play.value.typing.text, "Mor", "what was typed last stays");
    const end = endPlay(false);
    (await called("endPlay")).answer(good(snapshotOf(2, { session: 1, rows: ROWS })));
    await end;
    assert.deepEqual([choices.value, play.value], [before, undefined]);
  });

  it("that is kept keeps its choices, also when another session is opened", async () => {
    const { choices, play, endPlay, called, applySnapshot } = await playing();
    const own = choices.value;
    const end = endPlay(true);
    (await called("endPlay")).answer(good(played(2)));
    await end;
    applySnapshot(snapshotOf(1, { session: 3 }));
    assert.deepEqual([choices.value, play.value], [own, undefined]);
  });

  it("is followed to its newest entry, but for who looks at another", async () => {
    const { listener, selected } = await playing();
    listener.snapshot(played(2, { leaf: 5 }));
    assert.equal(selected.value, 5);
    selected.value = 1;
    listener.snapshot(played(3, { leaf: 4 }));
    assert.equal(selected.value, 1);
  });

  it("has a log of its newest events", async () => {
    const { listener, log } = await playing();
    for (let turn = 1; turn <= 500; turn += 1) listener.event({ turn, type: "message", text: "", tokens: 0 });
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.deepEqual([log.value.length, log.value[0].turn, log.value.at(-1).turn], [200, 301, 500]);
    assert.equal(new Set(log.value.map(({ number }) => number)).size, 200);
  });
});

describe("a try of a summariser", () => {
  it("tells what it lacks, is forgotten when something is set, and ends with that", async (t) => {
    const server = await answering(t, () => {});
    const { trySummarizer, trial, chooseSummarizer, setSummarizer } = await page();
    chooseSummarizer("remote");
    await trySummarizer();
    assert.deepEqual([trial.value.state, trial.value.what], ["fails", "It lacks the address."]);
    setSummarizer("remote", { endpoint: server.origin });
    assert.equal(trial.value, undefined);
    const tried = trySummarizer();
    assert.equal(trial.value.state, "running");
    while (server.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    chooseSummarizer("local");
    await server.gone;
    await tried;
    assert.equal(trial.value, undefined);
  });
});

describe("words and places", () => {
  it("make sentences of messages, and leave addresses alone", async () => {
    const { sentence } = await page();
    const cases = { "nothing to do": "Nothing to do.", "http://a.example said no": "http://a.example said no.", "Why?": "Why?", " ": "", "it said “no.”": "It said “no.”", "gpt-5 is gone": "gpt-5 is gone." };
    for (const [message, expected] of Object.entries(cases)) assert.equal(sentence(message), expected);
  });

  it("name files after the session's", async () => {
    const { baseName, applySnapshot } = await page();
    const names = { "My day.v2.jsonl": "My-day.v2", "../../etc/passwd": "etc-passwd", "": "session", ".jsonl": "session", "день 1.json": "день-1", "<img src=x>.jsonl": "img-src-x" };
    let session = 10;
    for (const [name, expected] of Object.entries(names)) {
      applySnapshot(snapshotOf(1, { session: (session += 1), about: { kind: "file", name } }));
      assert.equal(baseName(), expected);
    }
  });

  it("give each message of a comparison one place, and the summary room", async () => {
    const { placesOf } = await page();
    const found = { ...COMPARISON, before: Array(7), after: Array(4), keptBefore: 4, keptAfter: 1 };
    for (const [least, isFoldedShown, folded] of [[2, true, 4], [6, true, 6], [3, false, 3]]) {
      const places = placesOf(found, least, isFoldedShown);
      const all = Array.from({ length: places.length }, (_, place) => places.at(place));
      assert.deepEqual(all.filter(({ type }) => type === "folded").map(({ before }) => before), isFoldedShown ? [0, 1, 2, 3] : []);
      assert.deepEqual(all.filter(({ type }) => type === "kept"), [4, 5, 6].map((before) => ({ type: "kept", before, after: before - 3 })));
      assert.deepEqual([places.folded, all.findIndex(({ type }) => type === "line")], [folded, folded]);
    }
  });
});
