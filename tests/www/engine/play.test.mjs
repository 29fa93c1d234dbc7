// A scripted run: pruned, folded and rescued by the library's own rules.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { CHOICES, good, newWorker, sampleFile } from "./worker.mjs";

const FAST = 1e7;
const soon = () => new Promise((resolve) => setTimeout(resolve, 20));

/** An ear that remembers, and waits for the end. */
function ear() {
  const heard = { states: [], events: [], snapshots: [] };
  let tell;
  heard.ended = new Promise((resolve) => (tell = resolve));
  heard.listener = {
    state(state) {
      heard.states.push(state);
      if (state.status === "ended") tell();
    },
    event: (event) => heard.events.push(event),
    snapshot: (snapshot) => heard.snapshots.push(snapshot),
  };
  return heard;
}

async function played() {
  const [worker, heard] = [await newWorker(), ear()];
  const begun = good(await worker.play(CHOICES, FAST, heard.listener));
  assert.deepEqual([begun.length, begun.about.kind], [0, "play"]);
  await heard.ended;
  return { worker, heard };
}

describe("a run that is played", () => {
  it("is pruned, folded and rescued, and stays within its window", async () => {
    const { worker, heard } = await played();
    const { prunes, folds, rescues, turn, turns } = heard.states.at(-1);
    console.log(`${turns} turns, ${prunes} prunes, ${folds} folds, ${rescues} rescues`);
    assert.ok(prunes > 0 && folds > 1 && rescues > 0 && turn === turns);
    const of = (wanted) => heard.events.filter(({ type }) => type === wanted);
    assert.deepEqual([of("prune").length, of("session_compact").length], [prunes, folds]);
    assert.ok(of("overflow").length >= rescues);
    assert.ok(of("compaction_end").some(({ text }) => /Folded/.test(text)));
    const kept = good(await worker.endPlay(true));
    const rows = new Map(heard.snapshots.flatMap(({ rows }) => rows.map(({ index, row }) => [index, row])));
    assert.equal(rows.size, kept.length);
    assert.equal([...rows.values()].filter(({ kind }) => kind === "compaction").length, folds);
    assert.ok([...rows.values()].some(({ pruned }) => pruned));
    assert.ok(kept.usage.tokens <= 32_000);
    assert.ok(of("message").length > 400);
  });

  it("is the same each time", async () => {
    const [one, other] = [await played(), await played()];
    const told = ({ heard }) => heard.events.map(({ turn, type, tokens }) => `${turn} ${type} ${tokens}`);
    assert.deepEqual(told(one), told(other));
  });

  it("can be paused, stepped and ended, and the session before comes back", async () => {
    const [worker, heard] = [await newWorker(), ear()];
    const opened = good(await worker.open({ name: "s", bytes: new Uint8Array(await sampleFile()), kind: "file" }, CHOICES));
    const playing = good(await worker.play(CHOICES, 1_000, heard.listener));
    assert.notEqual(playing.session, opened.session);
    assert.equal((await worker.undo()).trouble.code, "busy");
    await worker.pause();
    await soon();
    assert.equal(heard.states.at(-1).status, "paused");
    const messages = () => heard.events.filter(({ type }) => type === "message").length;
    const before = messages();
    await soon();
    assert.equal(messages(), before);
    await worker.step();
    while (messages() === before) await soon();
    await soon();
    assert.equal(messages(), before + 1);
    await worker.resume();
    await worker.setSpeed(FAST);
    while (messages() < before + 5) await soon();
    const back = good(await worker.endPlay(false));
    assert.deepEqual([back.rows.length, back.leaf, back.about.kind], [opened.length, opened.leaf, "file"]);
    assert.notEqual(back.session, opened.session);
    good(await worker.undo());
  });

  it("types what is said, piece by piece", async () => {
    const [worker, heard] = [await newWorker(), ear()];
    good(await worker.play(CHOICES, 60, heard.listener));
    while (new Set(heard.states.map(({ typing }) => typing?.text)).size < 4) await soon();
    good(await worker.endPlay(true));
    const texts = heard.states.flatMap(({ typing }) => (typing === undefined ? [] : [typing.text]));
    assert.ok(texts[1].startsWith(texts[0]) && texts[1].length > texts[0].length);
  });
});
