import assert from "node:assert/strict";
import { test } from "node:test";
import { bundled, row } from "../bundled.mjs";

const { treePicture } = await bundled("view/map/picture.ts");

const hostile = `</title><script>alert(1)</script>&amp;"' onload=x \u0000\u0007\u202e\ud800`;

function snapshotOf(rows, leaf, title) {
  const path = [];
  for (let at = leaf; at >= 0; at = rows[at].parent) path.unshift(at);
  return {
    about: { name: "a.jsonl", title },
    length: rows.length,
    leaf,
    path: Uint32Array.from(path),
    context: Uint32Array.from(path),
  };
}

const plan = {
  ok: true,
  firstKept: 40,
  summarized: Uint32Array.from({ length: 30 }, (_, at) => at),
  prefix: Uint32Array.from({ length: 10 }, (_, at) => 30 + at),
  kept: Uint32Array.from({ length: 60 }, (_, at) => 40 + at),
  pruned: { entries: Uint32Array.of(3, 4, 50), tokens: 9 },
};

/** Fails unless the text is a tree of elements: every tag well-formed and closed, every other `<` and `&` written out. */
function assertWellFormed(svg) {
  const open = [];
  const tag = /<(\/?)([a-z]+)((?: [a-zA-Z:-]+="[^"<]*")*)(\/?)>/g;
  for (const [, closes, name, , alone] of svg.matchAll(tag)) {
    if (closes) assert.equal(open.pop(), name);
    else if (!alone) open.push(name);
  }
  assert.deepEqual(open, []);
  const text = svg.replace(tag, "");
  assert.doesNotMatch(text, /[<>]|&(?!amp;|lt;|gt;|quot;)/);
  assert.doesNotMatch(svg, /[\u0000-\u0008\u000b-\u001f\ufffe\uffff\ud800-\udfff]/u);
}

test("the picture is one SVG file, in which texts of a session are text", () => {
  const rows = Array.from({ length: 100 }, (_, index) => row(index - 1, { text: hostile, name: hostile, label: index % 9 === 0 ? hostile : undefined }));
  rows.push(row(50, { kind: "compaction", text: hostile }));
  const svg = treePicture(rows, snapshotOf(rows, 99, hostile), plan);
  assertWellFormed(svg);
  assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
  assert.doesNotMatch(svg, /<script|url\(|href/);
  for (const word of ["summarised", "kept", "leaf"]) assert.ok(svg.includes(`>${word}</text>`), word);
});

test("its colours are in it, and none is missing", () => {
  const kinds = ["user", "assistant", "tool", "command", "files", "extension", "compaction", "branch", "note"];
  const rows = kinds.map((kind, index) => row(index - 1, { kind }));
  const svg = treePicture(rows, snapshotOf(rows, 8, undefined), undefined);
  assertWellFormed(svg);
  assert.doesNotMatch(svg, /var\(|#000000/);
  const fills = [...svg.matchAll(/<path [^>]*fill="(#[0-9a-f]{6})"[^>]*><title>/g)].map(([, fill]) => fill);
  assert.equal(new Set(fills.slice(0, 8)).size, 8, "each kind has its own");
});
