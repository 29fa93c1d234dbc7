import assert from "node:assert/strict";
import { test } from "node:test";
import { random } from "../../js/random.mjs";
import { bundled, randomRows, row } from "../bundled.mjs";

const { readTree } = await bundled("view/map/tree.ts");

/** The entries from the root to an entry, by going up. */
function pathTo(rows, entry) {
  const path = [];
  for (let at = entry; at >= 0; at = rows[at].parent) path.unshift(at);
  return path;
}

test("every entry of a tree stands in one lane, behind its parent, and the path to the leaf in a single one", () => {
  for (let seed = 1; seed <= 60; seed += 1) {
    const chance = random(seed);
    const rows = randomRows(chance, 1 + chance.below(300));
    const leaf = chance.below(rows.length);
    const tree = readTree(rows, leaf, Infinity);
    const placed = tree.lanes.flatMap(({ entries }) => [...entries]);
    assert.deepEqual(placed.toSorted((a, b) => a - b), [...rows.keys()], `seed ${seed}`);
    for (const [number, { parent, fork, entries }] of tree.lanes.entries()) {
      entries.forEach((entry, place) => assert.equal(rows[entry].parent, place === 0 ? fork : entries[place - 1], `seed ${seed}`));
      assert.ok(parent < number, `seed ${seed}: a lane stands behind the one that it leaves`);
      if (fork >= 0) assert.equal(tree.laneOf[fork], parent, `seed ${seed}`);
    }
    const path = pathTo(rows, leaf);
    assert.deepEqual([...tree.lanes[tree.main].entries].slice(0, path.length), path, `seed ${seed}`);
    assert.equal(tree.depth[leaf], path.length - 1);
  }
});

test("of many lanes the largest are kept, with all that they leave, and the path always", () => {
  for (let seed = 1; seed <= 40; seed += 1) {
    const chance = random(seed);
    const rows = randomRows(chance, 400);
    const leaf = chance.below(rows.length);
    const whole = readTree(rows, leaf, Infinity);
    const tree = readTree(rows, leaf, 7);
    assert.equal(tree.lanes.length, Math.min(7, whole.lanes.length));
    assert.equal(tree.hidden, whole.lanes.length - tree.lanes.length);
    assert.ok(tree.main >= 0, `seed ${seed}: the path is drawn`);
    for (const { fork, parent } of tree.lanes) assert.equal(fork < 0, parent < 0, `seed ${seed}: no lane hangs in the air`);
  }
});

test("a chain as long as a file, and a fork as wide, are read without recursion", () => {
  const chain = Array.from({ length: 300_000 }, (_, index) => row(index - 1));
  const long = readTree(chain, chain.length - 1);
  assert.equal(long.lanes.length, 1);
  assert.equal(long.deepest, chain.length - 1);

  const star = Array.from({ length: 50_000 }, (_, index) => row(index === 0 ? -1 : 0));
  const wide = readTree(star, 49_999);
  assert.equal(wide.lanes.length + wide.hidden, 49_999);
  assert.equal(wide.children[0], 49_999);
  assert.equal(wide.laneOf[49_999], wide.main);
});

test("parents that are nowhere, and cycles of them, end nothing", () => {
  const tree = readTree([row(99), row(0), row(2), row(4), row(3)], 3);
  assert.deepEqual([...tree.lanes[0].entries], [0, 1]);
  assert.equal(tree.lanes.length, 1);
  assert.equal(readTree([], -1).lanes.length, 0);
});
