// Exact counts of texts, through the package. That they are those of tiktoken-rs is held elsewhere; here is
// what JavaScript adds: strings, their parts, their halves of surrogate pairs, and how much memory they take.

import assert from "node:assert/strict";
import { describe, it } from "node:test";

// The memory is the engine's own and not handed out by the package: it is seen where the engine is made.
const { Instance } = WebAssembly;
let memory;
WebAssembly.Instance = class extends Instance {
  constructor(...given) {
    super(...given);
    memory = this.exports.memory;
  }
};
const { countTokens } = await import("threadfold");
const { throwsCode } = await import("./throws.mjs");
WebAssembly.Instance = Instance;

const ENCODINGS = ["o200k_base", "o200k_harmony", "cl100k_base", "p50k_base", "r50k_base"];

describe("countTokens", () => {
  // As tiktoken counts them.
  const texts = {
    "": [0, 0, 0, 0, 0],
    "héllo": [2, 2, 3, 3, 3],
    "Hello, world!": [4, 4, 4, 4, 4],
    "    return 42;": [5, 5, 5, 4, 6],
    "你好,世界": [3, 3, 6, 9, 9],
    "<|endoftext|>": [7, 7, 7, 7, 7],
  };
  for (const [text, counts] of Object.entries(texts)) {
    it(`counts ${JSON.stringify(text)}`, () => assert.deepEqual(ENCODINGS.map((encoding) => countTokens(text, encoding)), counts));
  }

  it("counts special tokens as the text that they are", () => {
    for (const encoding of ENCODINGS) {
      for (const special of ["<|endoftext|>", "<|start|>", "<|fim_prefix|>"]) assert.ok(countTokens(special, encoding) > 3, `${special} in ${encoding}`);
    }
  });

  it("counts half of a surrogate pair as U+FFFD, wherever it stands", () => {
    for (const encoding of ENCODINGS) {
      for (const text of ["\ud83d", "\ude00", "a\ud83d b", "\ude00\ud83d", `${"x ".repeat(32_767)}y\ud83d`, `${" word".repeat(20_000)}\ud83d\ud83d\ude00`]) {
        assert.equal(countTokens(text, encoding), countTokens(text.toWellFormed(), encoding));
      }
    }
  });

  it("gives the same however a long text falls into parts: a pair on every border", () => {
    const smile = countTokens("😀", "o200k_base");
    // Words of five units and of six, one token each, so that the pair comes to lie at every place around the border.
    for (let longer = 0; longer <= 12; longer += 1) {
      const words = 13_104;
      const before = " words".repeat(longer) + " word".repeat(words - longer);
      assert.equal(countTokens(`${before}😀${" word".repeat(20_000)}`, "o200k_base"), words + smile + 20_000, `${before.length}`);
    }
    // Pieces that are longer than a part, in characters of one to four bytes.
    for (const one of ["a", "é", "語", "😀"]) {
      const counts = [1, 2, 3].map((times) => countTokens(`${one.repeat(70_000)} `.repeat(times), "cl100k_base"));
      assert.ok(counts[0] > 0 && counts[2] - counts[1] === counts[1] - counts[0], `${one}: ${counts}`);
    }
  });

  it("counts concatenated and sliced strings as it does flat ones", () => {
    let text = "";
    for (let number = 0; number < 30_000; number += 1) text += `${number} `;
    const flat = Buffer.from(text).toString();
    assert.equal(countTokens(text, "o200k_base"), countTokens(flat, "o200k_base"));
    assert.equal(countTokens(text.slice(7, 90_000), "o200k_base"), countTokens(flat.slice(7, 90_000), "o200k_base"));
  });

  it("takes no memory for the length of a text", () => {
    // So much that a copy, in the engine or beside it, could not be missed.
    const text = "All work and no play makes a dull text. ".repeat(800_000);
    countTokens(text.slice(0, 200_000), "o200k_base");
    const before = { engine: memory.buffer.byteLength, beside: process.memoryUsage().arrayBuffers };
    const tokens = countTokens(text, "o200k_base");
    assert.ok(tokens > 800_000 * 9, `${tokens}`);
    assert.equal(memory.buffer.byteLength, before.engine);
    const more = process.memoryUsage().arrayBuffers - before.beside;
    assert.ok(more < 1_000_000, `${more} bytes more`);
  });

  it("refuses what is no string", () => {
    for (const text of [undefined, null, 7, {}, ["a"], new String("a"), Buffer.from("a")]) {
      throwsCode(() => countTokens(text, "o200k_base"), "invalid-argument", "text: ", "allowed is a string");
    }
  });

  it("names the encodings where it gets another", () => {
    for (const encoding of [undefined, null, "gpt-5", "O200K_BASE", "constructor", "__proto__", {}, ["o200k_base"]]) {
      throwsCode(() => countTokens("a", encoding), "unsupported-encoding", "encoding: ", ...ENCODINGS);
    }
  });
});
