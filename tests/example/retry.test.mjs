// What the example's loop does about requests that fail.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { BrokenAnswer } from "../../examples/node-agent/answer.mjs";
import { inPlainWords, sleep, withRetries } from "../../examples/node-agent/retry.mjs";

const failure = (message, status, headers = {}) => Object.assign(new Error(message), { status, headers: new Headers(headers) });

/** Runs an attempt that fails with each of the errors in turn; gives how it ended, and the waits. */
async function run(errors, { abortAfter = Infinity } = {}) {
  const controller = new AbortController();
  const left = [...errors];
  const waits = [];
  const attempt = async () => {
    if (errors.length - left.length + 1 >= abortAfter) controller.abort();
    if (left.length > 0) throw left.shift();
    return "answer";
  };
  const outcome = await withRetries(attempt, { signal: controller.signal, sleep: async () => {}, onWait: (_, ms) => waits.push(ms) }).catch((error) => error);
  return { outcome, waits };
}

describe("a request that failed", () => {
  const overloaded = failure('529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}', 529);

  for (const [name, error] of [
    ["an overloaded provider", overloaded],
    ["a server error", failure("500 status code (no body)", 500)],
    ["a connection that could not be made", failure("Connection error.")],
    ["a stream that was cut", failure("terminated")],
    ["an answer that is none", new BrokenAnswer("an event of the stream is no JSON")],
  ]) {
    test(`is sent again after ${name}`, async () => {
      assert.deepEqual(await run([error, error]), { outcome: "answer", waits: [1_000, 2_000] });
    });
  }

  for (const [name, error] of [
    ["a context that overflowed", failure("400 prompt is too long: 20000 tokens > 16000 maximum", 400)],
    ["a wrong key", failure("401 Incorrect API key provided.", 401)],
    ["a quota that is used up", failure("429 You exceeded your current quota, please check your plan and billing details.", 429)],
    ["a request that is wrong", failure("400 messages: is empty", 400)],
  ]) {
    test(`is not sent again after ${name}`, async () => assert.deepEqual(await run([error]), { outcome: error, waits: [] }));
  }

  test("waits for as long as the header or the text asks", async () => {
    const inHeader = failure("429 rate limited", 429, { "retry-after": "9" });
    const inText = failure("429 Rate limit reached for m. Please try again in 6.5s.", 429);
    assert.deepEqual(await run([inHeader, inText]), { outcome: "answer", waits: [9_000, 6_500] });
  });

  test("is given up where the wait would be too long", async () => {
    const error = failure("429 rate limited", 429, { "retry-after": "3600" });
    assert.deepEqual(await run([error]), { outcome: error, waits: [] });
  });

  test("is given up after four retries", async () => {
    const { outcome, waits } = await run(Array(6).fill(overloaded));
    assert.equal(outcome, overloaded);
    assert.deepEqual(waits, [1_000, 2_000, 4_000, 8_000]);
  });

  test("is given up where the user stopped it", async () => {
    assert.deepEqual(await run([overloaded], { abortAfter: 1 }), { outcome: overloaded, waits: [] });
  });

  test("a wait ends when the user stops it", async () => {
    const controller = new AbortController();
    const waiting = sleep(3_600_000, controller.signal);
    controller.abort();
    await assert.rejects(waiting, { name: "AbortError" });
  });
});

test("an error is told without the JSON that a package puts around it", () => {
  const json = JSON.stringify({ type: "error", error: { type: "overloaded_error", message: 'Overloaded, "now"' } });
  assert.equal(inPlainWords(`529 ${json}`), '529 Overloaded, "now"');
  for (const text of ["429 Rate limit reached", "terminated", "400 {", "400 {}", "500 [1]"]) assert.equal(inPlainWords(text), text);
});
