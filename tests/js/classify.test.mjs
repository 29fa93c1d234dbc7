// What an error means, and whether a turn did not fit its window. The rules are tested in Rust, by the
// same table; here is what crosses.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { classifyError, isContextOverflow } from "threadfold";
import { throwsCode } from "./throws.mjs";

const TABLE = new URL("../fixtures/error-samples.tsv", import.meta.url);
const number = (cell) => (cell === "" ? undefined : Number(cell));

describe("classifyError", () => {
  it("gives every row of the table its class and figures, and leaves out what is not named", () => {
    const [, ...rows] = readFileSync(TABLE, "utf8").trimEnd().split("\n").map((row) => row.split("\t"));
    assert.ok(rows.length > 100, `${rows.length} rows`);
    for (const [name, status, , text, limit, requested, retryAfterMs] of rows) {
      const expected = { class: name, limit: number(limit), requested: number(requested), retryAfterMs: number(retryAfterMs) };
      for (const key of Object.keys(expected)) if (expected[key] === undefined) delete expected[key];
      assert.deepEqual({ ...classifyError(text, number(status)) }, expected, `${status} ${text}`);
    }
  });

  it("reads the two ends of a text of any length", () => {
    const noise = "é trace ".repeat(1_000_000);
    assert.equal(classifyError(`${noise} prompt is too long: 9 tokens > 8 maximum`).limit, 8);
    assert.equal(classifyError(`prompt is too long: 9 tokens > 8 maximum ${noise}`).limit, 8);
    assert.equal(classifyError(noise).class, "other");
  });

  it("takes half of a surrogate pair for no text", () => {
    assert.equal(classifyError("\ud83d fetch failed \udc00").class, "transient");
  });

  it("refuses what is no text and no status", () => {
    for (const text of [undefined, null, 429, new Error("fetch failed")]) throwsCode(() => classifyError(text), "invalid-argument", "text");
    for (const status of ["429", 42.5, 99, 1_000, -1, NaN, Infinity, 65_965, null]) {
      throwsCode(() => classifyError("x", status), "invalid-argument", "status", "100 to 999");
    }
  });
});

describe("isContextOverflow", () => {
  const usage = { input: 900, output: 20, cacheRead: 100, cacheWrite: 0 };
  const turn = (fields) => ({ role: "assistant", content: [], ...fields });
  const cases = [
    ["an error that means overflow", turn({ stopReason: "error", errorMessage: "context_length_exceeded" }), undefined, true],
    ["an error that means too many bytes", turn({ stopReason: "error", errorMessage: "413 payload too large" }), 999, true],
    ["another error", turn({ stopReason: "error", errorMessage: "529 overloaded" }), 999, false],
    ["more input than the window", turn({ stopReason: "stop", usage }), 999, true],
    ["as much input as the window", turn({ stopReason: "stop", usage }), 1_000, false],
    ["more input than the window, which is not known", turn({ stopReason: "stop", usage }), undefined, false],
    ["an answer cut off before it began", turn({ stopReason: "length", usage: { ...usage, output: 0 } }), 1_010, true],
    ["an answer cut off later", turn({ stopReason: "length", usage }), 1_010, false],
    ["an aborted turn", turn({ stopReason: "aborted", usage, errorMessage: "prompt is too long" }), 999, false],
    ["what a user says", { role: "user", content: "context_length_exceeded" }, 999, false],
    ["content that cannot be stored, which is not asked", turn({ content: [{ type: "text", text: 5n }], stopReason: "stop" }), 999, false],
  ];
  for (const [what, message, window, expected] of cases) {
    it(`${what}: ${expected}`, () => assert.equal(isContextOverflow(message, window), expected));
  }

  it("refuses what is no message and no window", () => {
    for (const message of [undefined, null, "error"]) throwsCode(() => isContextOverflow(message), "invalid-argument", "message");
    for (const window of [0, -1, NaN, 1.5, "1000", null]) {
      throwsCode(() => isContextOverflow(turn({}), window), "invalid-window", "contextWindow");
    }
  });
});
