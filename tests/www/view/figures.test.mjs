import assert from "node:assert/strict";
import { test } from "node:test";
import { bundled } from "../bundled.mjs";

const { counted, fileSize, figure, moment, percent, short } = await bundled("figures.ts");
const { figureAt, STEPS, stepOf } = await bundled("view/panels/scale.ts");
const { visible } = await bundled("view/detail/visible.ts");
const { layBar } = await bundled("view/bar/geometry.ts");

test("figures are whole or short", () => {
  assert.equal(figure(184_728), "184,728");
  assert.deepEqual([0, 7, 999, 1_000, 9_640, 9_960, 154_321, 999_499, 999_500, 1_250_000, -29_000].map(short), [
    "0",
    "7",
    "999",
    "1k",
    "9.6k",
    "10k",
    "154k",
    "999k",
    "1M",
    "1.3M",
    "-29k",
  ]);
  assert.deepEqual([fileSize(960), fileSize(941_000), fileSize(50_300_000)], ["960 bytes", "941 kB", "50.3 MB"]);
  assert.deepEqual([counted(1, "entry", "entries"), counted(1_646, "entry", "entries"), counted(0, "turn")], ["1 entry", "1,646 entries", "0 turns"]);
  assert.deepEqual([percent(1, 3), percent(1, 0)], ["33%", "0%"]);
});

test("a time that is none is not told", () => {
  assert.match(moment(Date.UTC(2026, 2, 17, 12)), /17 Mar 2026/);
  for (const time of [NaN, Infinity, 1e300]) assert.equal(moment(time), "");
});

for (const scale of [
  { least: 4_000, most: 2_000_000 },
  { least: 0, most: 169_999 },
  { least: 0, most: 1 },
  { least: 0, most: 3_399 },
]) {
  test(`a slider from ${scale.least} to ${scale.most} grows from end to end, and finds its place again`, () => {
    const figures = Array.from({ length: STEPS + 1 }, (_, step) => figureAt(scale, step));
    assert.equal(figures[0], scale.least);
    assert.equal(figures[STEPS], scale.most);
    figures.reduce((before, now) => {
      assert.ok(now >= before && Number.isInteger(now), `${before}, then ${now}`);
      return now;
    });
    for (const value of figures) {
      const again = figureAt(scale, stepOf(scale, value));
      assert.ok(Math.abs(again - value) <= Math.max(1, 0.06 * value), `${value} comes back as ${again}`);
    }
  });
}

test("a figure from outside of a slider is put at its end", () => {
  const scale = { least: 4_000, most: 2_000_000 };
  assert.deepEqual([stepOf(scale, 1), stepOf(scale, 9e9)], [0, STEPS]);
});

test("what cannot be seen is shown, and what can is left alone", () => {
  assert.equal(visible("a\tb\r\nc\nd äöü 🙂"), "a\tb\nc\nd äöü 🙂");
  assert.equal(visible("\u0000\u001b[31m\u007f\r"), "⟨U+0000⟩⟨U+001B⟩[31m⟨U+007F⟩⟨U+000D⟩");
  assert.equal(visible("a\u202eb\u2066c\u200f"), "a⟨U+202E⟩b⟨U+2066⟩c⟨U+200F⟩");
  assert.equal(visible("\u0085"), "⟨U+0085⟩");
});

test("the bar is as long as the window, or as what is in it", () => {
  const fill = [
    { kind: "tool", tokens: 60, count: 3 },
    { kind: "fixed", tokens: 20, count: 0 },
    { kind: "note", tokens: 0, count: 1 },
  ];
  const fits = layBar({ fill, usage: { tokens: 80, low: 70, high: 90, limit: 180 } }, 200);
  assert.deepEqual(fits.parts, [
    { kind: "fixed", start: 0, width: 0.1 },
    { kind: "tool", start: 0.1, width: 0.3 },
  ]);
  assert.deepEqual([fits.low, fits.now, fits.high, fits.limit, fits.window], [0.35, 0.4, 0.45, 0.9, 1]);

  const over = layBar({ fill, usage: { tokens: 80, low: 80, high: 80 } }, 40);
  assert.deepEqual([over.window, over.now, over.limit], [0.5, 1, undefined]);
});
