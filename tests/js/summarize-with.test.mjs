// Clients that a host has, as summarisers: the real ones against a local provider, the others in their exact shape.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { describe, it } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import { generateText } from "ai";
import { generateText as generateText5 } from "ai-5";
import { GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import { compact, summarizeWith } from "threadfold";
import { provide, WINDOW } from "../example/setting.mjs";
import { longSession } from "../example/story/long-session.mjs";
import { CODE_WORD } from "../example/story/turns.mjs";
import { rejectsCode, throwsCode } from "./throws.mjs";

const REQUEST = { kind: "history", systemPrompt: "Be brief.", prompt: "Fold this.", maxTokens: 500, promptTokens: 6 };
const context = (more = {}) => ({ signal: new AbortController().signal, model: undefined, attempt: 1, ...more });

/** The real clients, with nothing set but where the provider is. */
const CLIENTS = {
  openai: (baseURL) => new OpenAI({ baseURL, apiKey: "a-key", logLevel: "off" }),
  anthropic: (baseURL) => new Anthropic({ baseURL, apiKey: "a-key", logLevel: "off" }),
};

for (const [name, connect] of Object.entries(CLIENTS)) {
  describe(`the real client of ${name}`, () => {
    const start = async (t, options) => {
      const provider = await provide(t, options);
      return { provider, client: connect(provider.baseURL[name]) };
    };

    it("makes the summaries of a compaction", async (t) => {
      const { provider, client } = await start(t);
      const summarize = summarizeWith[name](client, { model: "small" });
      const model = { provider: "p", id: "large", contextWindow: WINDOW };
      const outcome = await compact(longSession(), { model, summarize });
      assert.deepEqual([outcome.status, outcome.summarizer, outcome.warnings], ["committed", "callback", []]);
      assert.ok(outcome.entry.summary.includes(CODE_WORD));
      assert.deepEqual(provider.violations, []);
      assert.equal(provider.last.model, "small");
      assert.ok(provider.last.maxTokens > 0 && provider.last.maxTokens <= 512, "the limit of the short summary");
    });

    it("asks the candidate of the run where it is told no model, and the next one after a failure that lasts", async (t) => {
      const { provider, client } = await start(t, { faults: [{ of: "summary", fault: "wrong-key" }] });
      const [first, second] = ["first", "second"].map((id) => ({ provider: "p", id, contextWindow: WINDOW }));
      const outcome = await compact(longSession(), { model: first, models: [second], summarize: summarizeWith[name](client) });
      assert.equal(outcome.status, "committed");
      assert.equal(provider.last.model, "second");
      assert.deepEqual(provider.requests.map(({ outcome }) => outcome).slice(0, 2), ["wrong-key", "answered"]);
    });

    it("lets an error through with its headers, and leaves retries to the run", async (t) => {
      const { provider, client } = await start(t, { faults: [{ of: "summary", fault: "rate-limit", retryAfter: 7 }] });
      const waits = [];
      const outcome = await compact(longSession(), {
        contextWindow: WINDOW,
        summarize: summarizeWith[name](client, { model: "m" }),
        sleep: async (ms) => void waits.push(ms),
      });
      assert.deepEqual([outcome.status, waits], ["committed", [7_000]]);
      assert.equal(provider.requests[0].outcome, "rate-limit");
    });

    it("stops the request when the run is aborted", async (t) => {
      const abort = new AbortController();
      let left;
      const { provider, client } = await start(t, {
        onRequest: (record, closed) => {
          left = closed;
          abort.abort();
          return closed;
        },
      });
      const outcome = await compact(longSession(), { contextWindow: WINDOW, summarize: summarizeWith[name](client, { model: "m" }), signal: abort.signal });
      assert.equal(outcome.status, "cancelled");
      await left;
      assert.equal(provider.requests.length, 1);
    });

    it("tells what was used, and that the limit cut the reply off", async (t) => {
      const { client } = await start(t, { model: () => ({ text: "word ".repeat(2_000), calls: [] }) });
      const reply = await summarizeWith[name](client, { model: "m" })({ ...REQUEST, maxTokens: 50 }, context());
      assert.equal(reply.stopReason, "length");
      assert.ok(reply.usage.input > 0 && reply.usage.output > 0, JSON.stringify(reply.usage));
      const outcome = await compact(longSession(), {
        contextWindow: WINDOW,
        summarize: async (request, about) => summarizeWith[name](client, { model: "m" })({ ...request, maxTokens: 50 }, about),
      });
      assert.deepEqual([outcome.status, outcome.error.code], ["failed", "summary-refused"]);
    });
  });
}

/** A server that answers every request with the same, and what it was sent. */
async function answering(t, body, status = 200) {
  const bodies = [];
  const server = createServer(async (request, response) => {
    let sent = "";
    for await (const piece of request) sent += piece;
    bodies.push({ url: request.url, ...JSON.parse(sent) });
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  return { bodies, origin: `http://127.0.0.1:${server.address().port}` };
}

describe("OpenAI's responses", () => {
  const usage = { input_tokens: 100, input_tokens_details: { cached_tokens: 60 }, output_tokens: 7, output_tokens_details: { reasoning_tokens: 3 }, total_tokens: 107 };
  const message = (...content) => ({ type: "message", id: "msg_1", role: "assistant", status: "completed", content });
  const text = (text) => ({ type: "output_text", text, annotations: [] });
  const answer = { id: "resp_1", object: "response", status: "completed", error: null, incomplete_details: null, usage };

  async function responding(t, body) {
    const { bodies, origin } = await answering(t, body);
    const client = CLIENTS.openai(`${origin}/v1`);
    return { bodies, ask: () => summarizeWith.openai(client, { api: "responses", model: "m", parameters: { reasoning: { effort: "low" } } })(REQUEST, context()) };
  }

  it("are asked with instructions and input, not to be kept, and read item by item", async (t) => {
    const reasoning = { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "hm" }] };
    const { bodies, ask } = await responding(t, { ...answer, output: [reasoning, message(text("Goal: "), text("ship it"))] });
    assert.deepEqual(await ask(), { text: "Goal: ship it", stopReason: "stop", usage: { input: 40, output: 7, cacheRead: 60, cacheWrite: 0 } });
    const { url, ...body } = bodies[0];
    assert.equal(url, "/v1/responses");
    assert.deepEqual(body, { instructions: "Be brief.", input: "Fold this.", max_output_tokens: 500, store: false, model: "m", reasoning: { effort: "low" } });
  });

  const endings = [
    [{ status: "incomplete", incomplete_details: { reason: "max_output_tokens" }, output: [message(text("Go"))] }, { text: "Go", stopReason: "length" }],
    [{ status: "incomplete", incomplete_details: { reason: "content_filter" }, output: [] }, { text: "", stopReason: "error", errorMessage: /content_filter/ }],
    [{ status: "failed", error: { code: "server_error", message: "it broke" }, output: [] }, { text: "", stopReason: "error", errorMessage: /it broke/ }],
    [{ status: "cancelled", output: [] }, { text: "", stopReason: "aborted" }],
    [{ output: [message({ type: "refusal", refusal: "I will not." })] }, { text: "", stopReason: "error", errorMessage: /I will not/ }],
  ];
  for (const [ending, expected] of endings) {
    it(`that end as ${ending.status ?? "a refusal"} ${ending.incomplete_details?.reason ?? ""}`, async (t) => {
      const { ask } = await responding(t, { ...answer, ...ending });
      check(await ask(), expected);
    });
  }
});

function check({ usage, ...reply }, { errorMessage, ...expected }) {
  const { errorMessage: said, ...rest } = reply;
  assert.deepEqual(rest, expected);
  if (errorMessage === undefined) assert.equal(said, undefined);
  else assert.match(said, errorMessage);
}

/** A client that answers with the same each time, and what it was asked. */
function fake(answer) {
  const asked = [];
  return { asked, call: async (...given) => (asked.push(given), typeof answer === "function" ? answer(...given) : answer) };
}

describe("chat completions of other servers", () => {
  const choice = (more) => ({ choices: [{ index: 0, finish_reason: "stop", ...more }] });
  const ask = (answer, options) => summarizeWith.openai({ chat: { completions: { create: async () => answer } } }, { model: "m", ...options })(REQUEST, context());

  const rows = [
    ["a plain text, with no usage", choice({ message: { content: "S" } }), { text: "S", stopReason: "stop" }],
    ["a list of parts", choice({ message: { content: [{ type: "text", text: "S" }, { type: "text", text: "T" }] } }), { text: "ST", stopReason: "stop" }],
    ["a refusal", choice({ message: { content: null, refusal: "No." } }), { text: "", stopReason: "error", errorMessage: /No\./ }],
    ["a filter", choice({ message: { content: "" }, finish_reason: "content_filter" }), { text: "", stopReason: "error", errorMessage: /content_filter/ }],
    ["a call", choice({ message: { content: null, tool_calls: [{}] }, finish_reason: "tool_calls" }), { text: "", stopReason: "toolUse" }],
    ["no reason", choice({ message: { content: "S" }, finish_reason: null }), { text: "S", stopReason: "stop" }],
    ["a word of its own", choice({ message: { content: "S" }, finish_reason: "eos_token" }), { text: "S", stopReason: "stop" }],
    ["no choice", { choices: [] }, { text: "", stopReason: "stop" }],
    ["junk", "junk", { text: "", stopReason: "stop" }],
  ];
  for (const [name, answer, expected] of rows) {
    it(`answer with ${name}`, async () => {
      const reply = await ask(answer);
      check(reply, expected);
      assert.equal(reply.usage, undefined);
    });
  }

  it("take their own parameters before ours", async () => {
    const { asked, call } = fake(choice({ message: { content: "S" } }));
    await summarizeWith.openai({ chat: { completions: { create: call } } }, { model: "m", parameters: { max_completion_tokens: undefined, max_tokens: 9, temperature: 0 } })(REQUEST, context());
    assert.deepEqual(JSON.parse(JSON.stringify(asked[0][0])), {
      messages: [{ role: "system", content: "Be brief." }, { role: "user", content: "Fold this." }],
      max_tokens: 9,
      model: "m",
      temperature: 0,
    });
  });
});

it("Anthropic's stop reasons and usage", async () => {
  const usage = { input_tokens: 10, cache_read_input_tokens: 20, cache_creation_input_tokens: 30, output_tokens: 4 };
  const answer = (stop_reason) => ({ content: [{ type: "thinking", thinking: "hm", signature: "x" }, { type: "text", text: "S" }], stop_reason, usage });
  const ask = (stop) => summarizeWith.anthropic({ messages: { create: async () => answer(stop) } }, { model: "m" })(REQUEST, context());
  assert.deepEqual(await ask("end_turn"), { text: "S", stopReason: "stop", usage: { input: 10, output: 4, cacheRead: 20, cacheWrite: 30 } });
  for (const [word, stopReason] of [["stop_sequence", "stop"], ["max_tokens", "length"], ["model_context_window_exceeded", "length"], ["tool_use", "toolUse"], ["refusal", "error"]]) {
    assert.equal((await ask(word)).stopReason, stopReason, word);
  }
  assert.match((await ask("refusal")).errorMessage, /refusal/);
});

describe("the AI SDK", () => {
  const answer = { text: "S", finishReason: "stop", usage: { inputTokens: 100, outputTokens: 5, totalTokens: 105, cachedInputTokens: 80 } };

  it("is asked with the system prompt, the limit and the signal, and no retries of its own", async () => {
    const { asked, call } = fake(answer);
    const about = context();
    for (const ai of [call, { generateText: call }]) {
      const reply = await summarizeWith.aiSdk(ai, { model: "openai/gpt-5-mini", parameters: { temperature: 0 } })(REQUEST, about);
      assert.deepEqual(reply, { text: "S", stopReason: "stop", usage: { input: 20, output: 5, cacheRead: 80, cacheWrite: 0 } });
    }
    const options = { model: "openai/gpt-5-mini", system: "Be brief.", prompt: "Fold this.", maxOutputTokens: 500, abortSignal: about.signal, maxRetries: 0, temperature: 0 };
    assert.deepEqual(asked, [[options], [options]]);
  });

  it("tells why it stopped, and what a cache gave", async () => {
    const details = { inputTokens: 100, inputTokenDetails: { cacheReadTokens: 30, cacheWriteTokens: 20 }, outputTokens: 5 };
    const ask = (finishReason) => summarizeWith.aiSdk(async () => ({ ...answer, usage: details, finishReason }), { model: {} })(REQUEST, context());
    for (const [word, stopReason] of [["length", "length"], ["tool-calls", "toolUse"], ["content-filter", "error"], ["error", "error"], ["other", "stop"], ["unknown", "stop"]]) {
      assert.equal((await ask(word)).stopReason, stopReason, word);
    }
    assert.deepEqual((await ask("stop")).usage, { input: 50, output: 5, cacheRead: 30, cacheWrite: 20 });
  });

  it("is the real one: version 6 and version 5", async () => {
    const content = [{ type: "reasoning", text: "hm" }, { type: "text", text: "S" }];
    const modelOf = (specificationVersion, finishReason, usage) => {
      const asked = [];
      const doGenerate = async (options) => (asked.push(options), { content, finishReason, usage, warnings: [] });
      return { asked, specificationVersion, provider: "p", modelId: "m", supportedUrls: {}, doGenerate };
    };
    const counted = { inputTokens: { total: 100, noCache: 60, cacheRead: 30, cacheWrite: 10 }, outputTokens: { total: 5, text: 5, reasoning: 0 } };
    const model6 = modelOf("v3", { unified: "length", raw: "max_tokens" }, counted);
    const usage = { input: 60, output: 5, cacheRead: 30, cacheWrite: 10 };
    assert.deepEqual(await summarizeWith.aiSdk(generateText, { model: model6 })(REQUEST, context()), { text: "S", stopReason: "length", usage });
    const model5 = modelOf("v2", "content-filter", { inputTokens: 100, outputTokens: 5, totalTokens: 105, cachedInputTokens: 30 });
    check(await summarizeWith.aiSdk(generateText5, { model: model5 })(REQUEST, context()), { text: "S", stopReason: "error", errorMessage: /content-filter/ });
    for (const { asked } of [model6, model5]) {
      const [{ prompt, maxOutputTokens, abortSignal }] = asked;
      assert.deepEqual(prompt.map(({ role }) => role), ["system", "user"]);
      assert.deepEqual([prompt[0].content, prompt[1].content[0].text, maxOutputTokens, abortSignal instanceof AbortSignal], ["Be brief.", "Fold this.", 500, true]);
    }
  });

  it("takes the model of a function for the candidate of the run", async () => {
    const { asked, call } = fake(answer);
    const models = { a: { modelId: "a" } };
    await summarizeWith.aiSdk(call, { model: (candidate) => models[candidate.id] })(REQUEST, context({ model: { provider: "p", id: "a" } }));
    assert.equal(asked[0][0].model, models.a);
  });
});

describe("Gemini", () => {
  const answer = (finishReason, parts = [{ text: "hm", thought: true }, { text: "S" }, { text: "T" }]) => ({
    candidates: [{ content: { role: "model", parts }, finishReason, index: 0 }],
    usageMetadata: { promptTokenCount: 50, cachedContentTokenCount: 20, candidatesTokenCount: 4, thoughtsTokenCount: 6, totalTokenCount: 60 },
  });

  it("is asked by its config, and read without its thoughts", async () => {
    const { asked, call } = fake(answer("STOP"));
    const about = context({ model: { provider: "google", id: "gemini-3-flash" } });
    const reply = await summarizeWith.gemini({ models: { generateContent: call } }, { parameters: { temperature: 0 } })(REQUEST, about);
    assert.deepEqual(reply, { text: "ST", stopReason: "stop", usage: { input: 30, output: 10, cacheRead: 20, cacheWrite: 0 } });
    const config = { systemInstruction: "Be brief.", maxOutputTokens: 500, abortSignal: about.signal, temperature: 0 };
    assert.deepEqual(asked, [[{ model: "gemini-3-flash", contents: "Fold this.", config }]]);
  });

  it("is the real client: what it sends, and its error with the status", async (t) => {
    const connect = (origin) => summarizeWith.gemini(new GoogleGenAI({ apiKey: "a-key", httpOptions: { baseUrl: origin } }), { model: "gemini-3-flash" });
    const good = await answering(t, answer("STOP"));
    assert.equal((await connect(good.origin)(REQUEST, context())).text, "ST");
    const { url, systemInstruction, contents, generationConfig } = good.bodies[0];
    assert.match(url, /models\/gemini-3-flash:generateContent$/);
    assert.deepEqual([systemInstruction.parts[0].text, contents[0].parts[0].text, generationConfig], ["Be brief.", "Fold this.", { maxOutputTokens: 500 }]);
    const bad = await answering(t, { error: { code: 403, message: "no such key", status: "PERMISSION_DENIED" } }, 403);
    await assert.rejects(connect(bad.origin)(REQUEST, context()), { status: 403 });
    const aborted = context({ signal: AbortSignal.abort() });
    await assert.rejects(connect(good.origin)(REQUEST, aborted));
    assert.equal(good.bodies.length, 1);
  });

  it("tells why it stopped: every word but three is a filter or a fault", async () => {
    const ask = (answer) => summarizeWith.gemini({ models: { generateContent: async () => answer } }, { model: "m" })(REQUEST, context());
    assert.equal((await ask(answer("MAX_TOKENS"))).stopReason, "length");
    assert.equal((await ask(answer(undefined))).stopReason, "stop");
    for (const word of ["SAFETY", "RECITATION", "SPII", "OTHER", "LANGUAGE", "A_NEW_ONE"]) {
      check(await ask(answer(word)), { text: "ST", stopReason: "error", errorMessage: new RegExp(word) });
    }
    const blocked = await ask({ promptFeedback: { blockReason: "PROHIBITED_CONTENT" } });
    check(blocked, { text: "", stopReason: "error", errorMessage: /PROHIBITED_CONTENT/ });
    assert.equal(blocked.usage, undefined);
  });
});

describe("Ollama", () => {
  /** A stream as the package gives it: it can be stopped, and then throws. */
  const streaming = (pieces, onAbort = () => {}) => {
    let stopped = false;
    return {
      abort: () => ((stopped = true), onAbort()),
      async *[Symbol.asyncIterator]() {
        for (const piece of pieces) {
          await new Promise((resolve) => setTimeout(resolve, 1));
          if (stopped) throw new DOMException("The operation was aborted", "AbortError");
          yield piece;
        }
      },
    };
  };
  const said = (content) => ({ model: "m", message: { role: "assistant", content }, done: false });
  const last = (done_reason) => ({ model: "m", message: { role: "assistant", content: "" }, done: true, done_reason, prompt_eval_count: 30, eval_count: 4 });
  const ask = (pieces, about = context(), request = REQUEST) => {
    const { asked, call } = fake(() => streaming(pieces));
    return { asked, reply: summarizeWith.ollama({ chat: call }, { model: "m", parameters: { temperature: 0 } })(request, about) };
  };

  it("streams, in a context that holds the request", async () => {
    const { asked, reply } = ask([said("S"), said("T"), last("stop")]);
    assert.deepEqual(await reply, { text: "ST", stopReason: "stop", usage: { input: 30, output: 4, cacheRead: 0, cacheWrite: 0 } });
    const messages = [{ role: "system", content: "Be brief." }, { role: "user", content: "Fold this." }];
    assert.deepEqual(asked[0][0], { model: "m", messages, stream: true, options: { num_predict: 500, num_ctx: 4_096, temperature: 0 } });
    const large = { ...REQUEST, promptTokens: 9_000, maxTokens: 1_000 };
    const sizeOf = (about) => ask([last("stop")], about, large).asked[0][0].options.num_ctx;
    assert.equal(sizeOf(context()), 16_384);
    assert.equal(sizeOf(context({ model: { provider: "ollama", id: "m", contextWindow: 12_000 } })), 12_000);
  });

  it("tells why it stopped; a stream that breaks off is cut off", async () => {
    assert.equal((await ask([said("S"), last("length")]).reply).stopReason, "length");
    assert.equal((await ask([said("S"), last("unload")]).reply).stopReason, "error");
    check(await ask([said("S")]).reply, { text: "S", stopReason: "length" });
  });

  it("stops with the signal, also before the stream is there", async () => {
    for (const late of [false, true]) {
      const abort = new AbortController();
      let stopped = 0;
      const chat = async () => {
        if (late) abort.abort();
        else setTimeout(() => abort.abort(), 3);
        return streaming(Array.from({ length: 1_000 }, () => said("S")), () => (stopped += 1));
      };
      await assert.rejects(summarizeWith.ollama({ chat }, { model: "m" })(REQUEST, context({ signal: abort.signal })), { name: "AbortError" });
      assert.equal(stopped, 1);
    }
  });
});

describe("the browser's own model", () => {
  function browser(prompt) {
    const told = [];
    const create = async (options) => {
      told.push(["create", options]);
      return {
        prompt: async (...given) => (told.push(["prompt", ...given]), prompt()),
        destroy: () => told.push(["destroy"]),
      };
    };
    return { told, languageModel: { create } };
  }

  it("has a session for each request, which is ended behind it", async () => {
    const { told, languageModel } = browser(() => "S");
    const about = context();
    assert.equal(await summarizeWith.promptApi(languageModel, { parameters: { expectedOutputs: [{ type: "text", languages: ["en"] }] } })(REQUEST, about), "S");
    assert.deepEqual(told, [
      ["create", { initialPrompts: [{ role: "system", content: "Be brief." }], signal: about.signal, expectedOutputs: [{ type: "text", languages: ["en"] }] }],
      ["prompt", "Fold this.", { signal: about.signal }],
      ["destroy"],
    ]);
  });

  it("also where the prompt fails", async () => {
    const { told, languageModel } = browser(() => {
      throw new DOMException("too large", "QuotaExceededError");
    });
    await assert.rejects(summarizeWith.promptApi(languageModel)(REQUEST, context()), { name: "QuotaExceededError" });
    assert.deepEqual(told.at(-1), ["destroy"]);
  });
});

describe("wrong use", () => {
  const good = {
    openai: { chat: { completions: { create() {} } } },
    anthropic: { messages: { create() {} } },
    aiSdk: () => {},
    gemini: { models: { generateContent() {} } },
    ollama: { chat() {} },
    promptApi: { create() {} },
  };
  for (const name of Object.keys(summarizeWith)) {
    it(`of ${name} is refused at once`, () => {
      for (const client of [undefined, null, {}, "client", { chat: {} }]) {
        throwsCode(() => summarizeWith[name](client, { model: "m" }), "invalid-argument", `summarizeWith.${name}`, "allowed is");
      }
      throwsCode(() => summarizeWith[name](good[name], { modle: "m", model: "m" }), "invalid-argument", `summarizeWith.${name}.modle`);
      const model = name === "promptApi" ? {} : { model: "m" };
      throwsCode(() => summarizeWith[name](good[name], { ...model, parameters: [] }), "invalid-argument", `summarizeWith.${name}.parameters`);
      summarizeWith[name](good[name], model);
    });
  }

  it("of a model", async () => {
    throwsCode(() => summarizeWith.openai(good.openai, { model: 7 }), "invalid-argument", "summarizeWith.openai.model");
    throwsCode(() => summarizeWith.aiSdk(good.aiSdk, {}), "invalid-argument", "summarizeWith.aiSdk.model");
    throwsCode(() => summarizeWith.openai(good.openai, { api: "completions" }), "invalid-argument", "summarizeWith.openai.api");
    throwsCode(() => summarizeWith.openai({ responses: good.openai.chat.completions }, { api: "chat" }), "invalid-argument", "chat.completions");
    summarizeWith.openai({ responses: good.openai.chat.completions });
    await rejectsCode(summarizeWith.anthropic(good.anthropic)(REQUEST, context()), "invalid-argument", "summarizeWith.anthropic.model", "undefined");
    await rejectsCode(summarizeWith.anthropic(good.anthropic, { model: () => "" })(REQUEST, context()), "invalid-argument", "summarizeWith.anthropic.model");
  });
});
