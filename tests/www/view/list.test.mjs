import assert from "node:assert/strict";
import { test } from "node:test";
import { bundled } from "../bundled.mjs";

const { listing } = await bundled("view/list/items.ts");
const { Fate, readFates } = await bundled("state/fates.ts");

for (const [name, entries, count, cut] of [
  ["a path with its cut", Uint32Array.of(2, 5, 7, 9), 12, 7],
  ["a path that is cut at its first entry", Uint32Array.of(2, 5), 12, 2],
  ["a path without a cut", Uint32Array.of(2, 5, 7), 12, -1],
  ["a path that the cut is not on", Uint32Array.of(2, 5, 7), 12, 3],
  ["the whole file with its cut", undefined, 6, 4],
  ["the whole file", undefined, 6, -1],
  ["nothing", undefined, 0, -1],
]) {
  test(`the list holds ${name}`, () => {
    const list = listing(entries, count, cut);
    const places = Array.from({ length: list.length }, (_, place) => list.at(place));
    const shown = places.filter((entry) => entry >= 0);
    assert.deepEqual(shown, [...(entries ?? Array(count).keys())]);
    assert.equal(list.entries, shown.length);
    shown.forEach((entry, rank) => {
      assert.equal(places[list.placeOf(entry)], entry);
      assert.equal(list.rank(list.placeOf(entry)), rank + 1);
    });
    if (list.cut >= 0) assert.equal(places[list.cut + 1], cut, "the line stands before the first kept entry");
    assert.equal(list.cut >= 0, shown.includes(cut));
    assert.equal(list.placeOf(count), -1);
    assert.equal(list.placeOf(-1), -1);
  });
}

test("a plan is read into fates, and pruning is told beside them", () => {
  const pruned = { entries: Uint32Array.of(0, 3), tokens: 1 };
  const plan = { ok: true, summarized: Uint32Array.of(0, 1), prefix: Uint32Array.of(2), kept: Uint32Array.of(3), pruned };
  const fates = readFates(plan, 5);
  assert.deepEqual([0, 1, 2, 3, 4, 9].map(fates.of), [Fate.Summarized, Fate.Summarized, Fate.Prefix, Fate.Kept, Fate.None, Fate.None]);
  assert.deepEqual([0, 1, 2, 3, 4, 9].map(fates.pruned), [true, false, false, true, false, false]);

  const idle = readFates({ ok: false, pruned }, 5);
  assert.deepEqual([idle.of(0), idle.pruned(0)], [Fate.None, true]);
  assert.equal(readFates(undefined, 5).of(0), Fate.None);
});
