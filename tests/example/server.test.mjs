// The local provider is as strict as the real ones: what is not well-formed is refused and recorded.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { classifyError } from "threadfold";
import { checkAnthropic } from "./server/anthropic/check.mjs";
import { checkOpenai } from "./server/openai/check.mjs";
import { PROTOCOLS, provide, WINDOW } from "./setting.mjs";

const PATHS = { openai: "chat/completions", anthropic: "v1/messages" };

const schema = { type: "object", properties: {} };

/** Well-formed requests, to be spoiled: a call in each, its result, and more of the user's. */
const GOOD = {
  openai: () => ({
    model: "m",
    max_completion_tokens: 100,
    tools: [{ type: "function", function: { name: "read", parameters: schema } }],
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Read a." },
      { role: "assistant", content: null, tool_calls: [{ id: "c1", type: "function", function: { name: "read", arguments: "{}" } }] },
      { role: "tool", tool_call_id: "c1", content: "text" },
      { role: "user", content: [{ type: "text", text: "And?" }] },
    ],
  }),
  anthropic: () => ({
    model: "m",
    max_tokens: 100,
    system: "Be brief.",
    tools: [{ name: "read", input_schema: schema }],
    messages: [
      { role: "user", content: "Read a." },
      { role: "assistant", content: [{ type: "tool_use", id: "c1", name: "read", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "text" }, { type: "text", text: "And?" }] },
    ],
  }),
};
const CHECKS = { openai: checkOpenai, anthropic: checkAnthropic };

/** What is done to a good request, and what the check says then. */
const SPOILED = {
  openai: [
    ["no messages", (b) => (b.messages = []), /^messages: is empty/],
    ["no model", (b) => delete b.model, /^model: /],
    ["no output limit", (b) => delete b.max_completion_tokens, /^the output limit: /],
    ["an empty list of tools", (b) => (b.tools = []), /^tools: /],
    ["an unknown tool", (b) => (b.tools[0].function.name = "write"), /not among the tools/],
    ["stream options without a stream", (b) => (b.stream_options = {}), /^stream_options: /],
    ["an unknown role", (b) => (b.messages[1].role = "toolResult"), /has the role "toolResult"/],
    ["a system message later on", (b) => b.messages.push({ role: "system", content: "x" }), /is not the first/],
    ["an empty user message", (b) => (b.messages[1].content = " "), /^messages\[1\]: is empty/],
    ["an empty part", (b) => (b.messages[4].content[0].text = ""), /content\[0\]: is empty/],
    ["no parts", (b) => (b.messages[4].content = []), /^messages\[4\]: is empty/],
    ["an empty answer", (b) => b.messages.splice(2, 2, { role: "assistant", content: "" }), /^messages\[2\]: is empty/],
    ["an empty result", (b) => (b.messages[3].content = ""), /^messages\[3\]: is empty/],
    ["a call without a result", (b) => b.messages.splice(3, 1), /calls c1 have no result/],
    ["a result without a call", (b) => b.messages.splice(2, 1), /results c1 answer no call/],
    ["a result of another call", (b) => (b.messages[3].tool_call_id = "c2"), /results c2 answer no call/],
    ["a result twice", (b) => b.messages.splice(3, 0, b.messages[3]), /results c1 answer no call/],
    ["a result away from its call", (b) => b.messages.push(b.messages.splice(3, 1)[0]), /have no result right behind them/],
    ["an unanswered call at the end", (b) => b.messages.splice(3), /^the end: the calls c1/],
    ["arguments that are no JSON", (b) => (b.messages[2].tool_calls[0].function.arguments = "{"), /no object/],
    ["an id twice", (b) => b.messages.splice(4, 0, b.messages[2], b.messages[3]), /repeats the id c1/],
    ["two answers in a row", (b) => b.messages.splice(4, 0, { role: "assistant", content: "a" }, { role: "assistant", content: "b" }), /answer to nothing/],
    ["an answer at the end", (b) => b.messages.push({ role: "assistant", content: "a" }), /nothing to answer/],
  ],
  anthropic: [
    ["no messages", (b) => (b.messages = []), /^messages: is empty/],
    ["no model", (b) => delete b.model, /^model: /],
    ["no output limit", (b) => delete b.max_tokens, /^the output limit: /],
    ["an empty system prompt", (b) => (b.system = [{ type: "text", text: "" }]), /^system\[0\]: is empty/],
    ["an unknown tool", (b) => (b.tools[0].name = "write"), /not among the tools/],
    ["no tools beside calls", (b) => delete b.tools, /not among the tools/],
    ["an assistant at the start", (b) => b.messages.shift(), /out of turn/],
    ["two messages of the user in a row", (b) => b.messages.unshift({ role: "user", content: "a" }), /out of turn/],
    ["a system role", (b) => (b.messages[0].role = "system"), /out of turn/],
    ["an empty user message", (b) => (b.messages[0].content = " "), /is empty/],
    ["an empty block", (b) => (b.messages[2].content[1].text = ""), /content\[1\]: is empty/],
    ["no blocks", (b) => (b.messages[0].content = []), /^messages\[0\]: is empty/],
    ["an empty result", (b) => (b.messages[2].content[0].content = ""), /content\[0\]: is empty/],
    ["a call without a result", (b) => b.messages[2].content.shift(), /calls c1 have no result/],
    ["a result without a call", (b) => (b.messages[1].content = "a"), /results c1 answer no call/],
    ["a result twice", (b) => b.messages[2].content.unshift(b.messages[2].content[0]), /results c1 answer no call/],
    ["a result behind a text", (b) => b.messages[2].content.reverse(), /something before a result/],
    ["a call of the user's", (b) => (b.messages[0].content = b.messages[1].content), /call of the user's/],
    ["an unanswered call at the end", (b) => b.messages.pop(), /^the end: the calls c1/],
    ["input that is no object", (b) => (b.messages[1].content[0].input = "{}"), /no object/],
    ["an id twice", (b) => b.messages.splice(1, 0, b.messages[1], b.messages[2]), /repeats the id c1/],
    ["an unknown block", (b) => (b.messages[0].content = [{ type: "toolCall" }]), /has the type "toolCall"/],
    ["an answer at the end", (b) => b.messages.push({ role: "assistant", content: "a" }), /nothing to answer/],
  ],
};

const post = (provider, protocol, body) =>
  fetch(`${provider.baseURL[protocol]}/${PATHS[protocol]}`, { method: "POST", body: JSON.stringify(body) });

for (const protocol of PROTOCOLS) {
  describe(`the local provider as ${protocol}`, () => {
    test("takes a request that is well-formed", () => assert.deepEqual(CHECKS[protocol](GOOD[protocol]()), []));

    for (const [name, spoil, problem] of SPOILED[protocol]) {
      test(`refuses ${name}`, () => {
        const body = GOOD[protocol]();
        spoil(body);
        const problems = CHECKS[protocol](body);
        assert.ok(problems.some((found) => problem.test(found)), `said only ${JSON.stringify(problems)}`);
      });
    }

    test("records what it refuses, and answers 400", async (t) => {
      const provider = await provide(t);
      const response = await post(provider, protocol, { ...GOOD[protocol](), messages: [] });
      assert.equal(response.status, 400);
      assert.deepEqual(provider.violations, ["messages: is empty"]);
      assert.deepEqual(provider.requests, []);
    });

    test("answers without a stream where none is asked for", async (t) => {
      const provider = await provide(t);
      const answer = await (await post(provider, protocol, GOOD[protocol]())).json();
      assert.equal(protocol === "openai" ? answer.choices[0].message.content : answer.content[0].text, "Noted.");
    });

    test("counts everything that the model sees, and names the window when that is too much", async (t) => {
      const provider = await provide(t);
      const texts = {
        system: (b, text) => (protocol === "openai" ? (b.messages[0].content = text) : (b.system = text)),
        tools: (b, text) => (protocol === "openai" ? (b.tools[0].function.description = text) : (b.tools[0].description = text)),
        result: (b, text) => (protocol === "openai" ? (b.messages[3].content = text) : (b.messages[2].content[0].content = text)),
        user: (b, text) => (b.messages.find(({ role }) => role === "user").content = text),
      };
      for (const [where, put] of Object.entries(texts)) {
        const body = GOOD[protocol]();
        put(body, "x".repeat(4 * WINDOW));
        const response = await post(provider, protocol, body);
        const { class: kind, limit, requested } = classifyError(await response.text(), response.status);
        assert.deepEqual([kind, limit, requested > WINDOW], ["overflow", WINDOW, true], where);
      }
    });

    test("counts the output that is asked for as well", async (t) => {
      const provider = await provide(t);
      const limit = protocol === "openai" ? { max_completion_tokens: WINDOW } : { max_tokens: WINDOW };
      const response = await post(provider, protocol, { ...GOOD[protocol](), ...limit });
      assert.equal(classifyError(await response.text(), response.status).class, "overflow");
    });
  });
}
