// What the largest vocabulary takes of the engine's memory. A file of its own: in this process nothing else is loaded.

import assert from "node:assert/strict";
import { it } from "node:test";

// The memory is the engine's own and not handed out by the package: it is seen where the engine is made.
let memory;
const { Instance } = WebAssembly;
WebAssembly.Instance = class extends Instance {
  constructor(...given) {
    super(...given);
    memory = this.exports.memory;
  }
};
const { countTokens } = await import("threadfold");

it("o200k_base takes at most 10 MB of the engine's memory, the engine itself included", () => {
  assert.equal(countTokens("Hello", "o200k_base"), 1);
  assert.ok(memory.buffer.byteLength > 4_000_000, `${memory.buffer.byteLength} bytes: that cannot hold it`);
  assert.ok(memory.buffer.byteLength <= 10_000_000, `${memory.buffer.byteLength} bytes`);
});
