import assert from "node:assert/strict";
import { test } from "node:test";
import { random } from "../../js/random.mjs";
import { bundled, randomRows, row } from "../bundled.mjs";

const { readTree } = await bundled("view/map/tree.ts");
const { layOut } = await bundled("view/map/layout.ts");
const { itemsOf, itemOf, entryAt, neighbour, placeOf, startOf, inWords } = await bundled("view/map/items.ts");

const WIDTH = 800;

function drawn(rows, leaf) {
  const tree = readTree(rows, leaf);
  const layout = layOut(tree, rows, leaf, WIDTH);
  return { tree, layout, items: itemsOf(layout) };
}

test("everything lies within the picture, stops in the order of their entries, and branches do not cover each other", () => {
  for (let seed = 1; seed <= 40; seed += 1) {
    const chance = random(seed);
    const rows = randomRows(chance, 2 + chance.below(400));
    const { tree, layout } = drawn(rows, chance.below(rows.length));
    for (const { x, y } of layout.stops) {
      assert.ok(x >= 0 && x <= WIDTH && y >= 0 && y <= layout.height, `seed ${seed}: ${x} ${y}`);
    }
    const spans = tree.lanes.map((lane, number) => {
      const stops = layout.stops.filter((stop) => stop.lane === number);
      const xs = stops.map(({ x }) => x);
      assert.deepEqual(xs, xs.toSorted((a, b) => a - b), `seed ${seed}`);
      return { y: stops[0].y, from: Math.min(...xs), to: Math.max(...xs) };
    });
    for (const [a, one] of spans.entries()) {
      for (const other of spans.slice(a + 1)) {
        assert.ok(one.y !== other.y || one.to < other.from || other.to < one.from, `seed ${seed}: two branches on one spot`);
      }
    }
  }
});

test("each entry that is drawn belongs to one item, which knows it", () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const chance = random(seed);
    const rows = randomRows(chance, 300);
    const { tree, items } = drawn(rows, chance.below(rows.length));
    const count = items.reduce((sum, { run }) => sum + (run?.count ?? 1), 0);
    assert.equal(count, tree.laneOf.filter((lane) => lane >= 0).length, `seed ${seed}`);
    for (const [entry, lane] of tree.laneOf.entries()) {
      const item = items[itemOf(items, tree, entry)];
      assert.equal(item !== undefined, lane >= 0, `seed ${seed}: #${entry}`);
      // Where a run has room, a press on the place of an entry finds that entry.
      if (item !== undefined && startOf(item) < placeOf(item, tree, entry)) {
        assert.equal(entryAt(item, tree, placeOf(item, tree, entry)), entry, `seed ${seed}: #${entry}`);
      }
    }
    for (const [index, item] of items.entries()) {
      assert.equal(itemOf(items, tree, entryAt(item, tree, startOf(item))), index, `seed ${seed}`);
      assert.notEqual(inWords(item, rows, tree), "");
    }
  }
});

test("the arrow keys reach every item, and never leave them", () => {
  for (let seed = 1; seed <= 10; seed += 1) {
    const { items } = drawn(randomRows(random(seed), 300), 299);
    const reached = new Set([0]);
    for (const now of reached) {
      for (const key of ["ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown", "Home", "End"]) {
        const next = neighbour(items, now, key);
        assert.ok(next >= 0 && next < items.length, `seed ${seed}: ${key} from ${now} leads to ${next}`);
        reached.add(next);
      }
    }
    assert.equal(reached.size, items.length, `seed ${seed}`);
  }
});

test("what is drawn is bounded, whatever the file holds", () => {
  const count = 20_000;
  const files = {
    chain: (index) => row(index - 1),
    star: (index) => row(index === 0 ? -1 : 0),
    comb: (index) => row(index % 2 === 0 ? index - 2 : index - 1),
    roots: () => row(-1),
    labels: (index) => row(index - 1, { label: "here" }),
    compactions: (index) => row(index - 1, { kind: "compaction" }),
  };
  for (const [name, make] of Object.entries(files)) {
    const rows = Array.from({ length: count }, (_, index) => make(index));
    const began = performance.now();
    const { items, layout } = drawn(rows, count - 1);
    assert.ok(items.length <= 1_000, `${name}: ${items.length} items`);
    assert.ok(layout.height <= 3_000, `${name}: ${layout.height} high`);
    assert.ok(performance.now() - began < 1_000, `${name}: too slow`);
  }
});

test("up to a few dozen entries each one has a mark, and a press on a run finds the entry there", () => {
  const few = Array.from({ length: 40 }, (_, index) => row(index - 1));
  assert.equal(drawn(few, 39).layout.stops.length, 40);

  const many = Array.from({ length: 1_000 }, (_, index) => row(index - 1));
  const { tree, items } = drawn(many, 999);
  const run = items.find((item) => item.run !== undefined);
  assert.equal(entryAt(run, tree, run.run.from), 1);
  assert.equal(entryAt(run, tree, run.run.to), 998);
  assert.ok(Math.abs(entryAt(run, tree, (run.run.from + run.run.to) / 2) - 499) <= 1);
});
