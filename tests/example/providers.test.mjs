// The adapters of the example: Threadfold's messages to a request, and a stream to a message.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { classifyError } from "threadfold";
import { BrokenAnswer, GrowingAnswer } from "../../examples/node-agent/answer.mjs";
import { openProvider } from "../../examples/node-agent/provider.mjs";
import { TOOLS } from "../../examples/node-agent/tools.mjs";
import { assistant, PROTOCOLS, provide, result, user } from "./setting.mjs";

/** Asks the provider under test. */
function asker(provider, protocol) {
  const { ask } = openProvider(protocol, { baseURL: provider.baseURL[protocol], apiKey: "a-key" });
  return (messages, options) => ask({ model: "m", system: "Be brief.", messages, tools: TOOLS, maxTokens: 500 }, options);
}

const says = (text, ...calls) => () => ({ text, calls: calls.map(([name, given]) => ({ name, arguments: given })) });

test("arguments of a call that are no JSON object make a broken answer", () => {
  for (const json of ["{", "[]", "null", "3"]) {
    const answer = new GrowingAnswer();
    answer.startCall(0, "c1", "read");
    answer.addArguments(0, json);
    assert.throws(() => answer.finish({ provider: "p", model: "m", usage: undefined }, "stop", {}), BrokenAnswer, json);
  }
  assert.throws(() => new GrowingAnswer().addArguments(0, "{}"), BrokenAnswer);
});

for (const protocol of PROTOCOLS) {
  describe(`the adapter for ${protocol}`, () => {
    test("streams the text, and gives the whole message with its usage", async (t) => {
      const text = "A text that takes more than one piece, since a piece has forty characters.";
      const provider = await provide(t, { model: says(text) });
      const heard = [];
      const { timestamp, usage, ...message } = await asker(provider, protocol)([user("Hello")], { onText: (piece) => heard.push(piece) });
      assert.ok(heard.length > 1);
      assert.equal(heard.join(""), text);
      assert.deepEqual(message, { role: "assistant", content: [{ type: "text", text }], provider: protocol, model: "m", stopReason: "stop" });
      assert.equal(usage.input, provider.requests[0].tokens);
      assert.deepEqual([usage.output, usage.cacheRead, usage.cacheWrite], [Math.ceil(text.length / 4), 0, 0]);
      assert.ok(Math.abs(timestamp - Date.now()) < 60_000);
    });

    test("gives each call with its arguments", async (t) => {
      const provider = await provide(t, { model: says("", ["list", { path: "." }], ["write", { path: "a", content: "ü\n".repeat(60) }]) });
      const { content, stopReason } = await asker(provider, protocol)([user("Go")]);
      assert.equal(stopReason, "toolUse");
      assert.deepEqual(content.map(({ type, name, arguments: given }) => [type, name, given]), [
        ["toolCall", "list", { path: "." }],
        ["toolCall", "write", { path: "a", content: "ü\n".repeat(60) }],
      ]);
      assert.notEqual(content[0].id, content[1].id);
    });

    test("tells an answer that was cut off", async (t) => {
      const provider = await provide(t, { model: says("x".repeat(4_000)) });
      assert.equal((await asker(provider, protocol)([user("Go")])).stopReason, "length");
    });

    test("keeps what a cache served apart from the input", async (t) => {
      const provider = await provide(t, { model: says("Well.") });
      const ask = asker(provider, protocol);
      const messages = [user("x".repeat(8_000))];
      await ask(messages);
      const { usage } = await ask([...messages, assistant("Well."), user("And?")]);
      assert.ok(usage.cacheRead > 1_024, `only ${usage.cacheRead}`);
      assert.equal(usage.input + usage.cacheRead, provider.requests[1].tokens);
    });

    test("sends every kind of message so that the provider takes it", async (t) => {
      const provider = await provide(t, { model: says("Well.") });
      const image = { type: "image", data: "AAAA", mimeType: "image/png" };
      await asker(provider, protocol)([
        user("A summary of earlier."),
        user("Read both."),
        assistant("I do.", ["c1", "read", { path: "a" }], ["c2", "read", { path: "b" }]),
        result("c1", "text of a"),
        result("c2", "no such file", true),
        user([{ type: "text", text: "And this?" }, image]),
        { ...assistant("Nice."), content: [{ type: "thinking", thinking: "hm" }, { type: "text", text: "Nice." }] },
        user("Go on."),
      ]);
      assert.deepEqual(provider.violations, []);
      const { system, messages, tools } = provider.last;
      assert.equal(system, "Be brief.");
      assert.deepEqual(tools.map((tool) => tool.name ?? tool.function.name), TOOLS.map(({ name }) => name));
      assert.deepEqual(messages.flatMap(({ role, parts }) => parts.map(({ type, text, id, name, arguments: given }) => [role, type, text ?? `${id} ${name} ${given.path}`])), [
        ["user", "text", "A summary of earlier."],
        ["user", "text", "Read both."],
        ["assistant", "text", "I do."],
        ["assistant", "call", "c1 read a"],
        ["assistant", "call", "c2 read b"],
        ["user", "result", "text of a"],
        ["user", "result", "no such file"],
        ["user", "text", "And this?"],
        ["user", "text", ""],
        ["assistant", "text", "Nice."],
        ["user", "text", "Go on."],
      ]);
    });

    for (const fault of ["drop", "malformed"]) {
      test(`rejects a stream with the fault ${fault}, and says so`, async (t) => {
        const provider = await provide(t, { model: says("word ".repeat(100)), faults: [{ fault }] });
        const error = await asker(provider, protocol)([user("Go")]).then(assert.fail, (error) => error);
        assert.equal(classifyError(error.message, error.status).class, "transient", `${error.name}: ${error.message}`);
      });
    }

    for (const [fault, kind, status] of [
      ["rate-limit", "rate_limit", [429]],
      ["overloaded", "transient", [529, 503]],
      ["wrong-key", "auth", [401]],
    ]) {
      test(`hands the error of the fault ${fault} on with its status`, async (t) => {
        const provider = await provide(t, { faults: [{ fault, retryAfter: 7 }] });
        const error = await asker(provider, protocol)([user("Go")]).then(assert.fail, (error) => error);
        assert.ok(status.includes(error.status));
        assert.equal(classifyError(error.message, error.status).class, kind);
        if (fault === "rate-limit") assert.equal(error.headers.get("retry-after"), "7");
        assert.equal(provider.requests.length, 1, "the package retried by itself");
      });
    }

    test("hands an overflow on with the window that it names", async (t) => {
      const provider = await provide(t);
      const error = await asker(provider, protocol)([user("x".repeat(80_000))]).then(assert.fail, (error) => error);
      const { class: kind, limit, requested } = classifyError(error.message, error.status);
      assert.deepEqual([kind, limit, requested], ["overflow", 16_000, provider.requests[0].tokens]);
    });

    test("ends at once when it is stopped in the middle of a stream", async (t) => {
      const provider = await provide(t, { model: says("word ".repeat(100)) });
      const controller = new AbortController();
      const heard = [];
      const answer = asker(provider, protocol)([user("Go")], {
        signal: controller.signal,
        onText: (piece) => {
          heard.push(piece);
          controller.abort();
        },
      });
      await assert.rejects(answer, { name: "AbortError" });
      assert.ok(heard.join("").length < 500);
    });
  });
}
