// The summarisers of the demo page against servers that answer well and badly.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { answering, EVENTS_TYPE, JSON_TYPE, LINES_TYPE, sendPieces } from "./answering.mjs";
import { bundled } from "./bundled.mjs";

const { chosen, SummaryDesk, explain, INITIAL_SUMMARIZER, missing, summarizingOf, tryOut } = await bundled("../../tests/www/page-summarizers.ts");

const REQUEST = { kind: "history", systemPrompt: "Be brief.", prompt: "Fold this.", maxTokens: 500, promptTokens: 6 };
const KEY = "sk-a-secret-key";
const ORIGIN = "https://page.example";

/** Settings of a kind, with some of its fields. */
const set = (kind, fields) => ({ ...INITIAL_SUMMARIZER, kind, [kind]: { ...INITIAL_SUMMARIZER[kind], ...fields } });
const openai = (origin) => set("openai", { baseURL: `${origin}/v1/`, model: "m", apiKey: KEY });
const ollama = (origin) => set("ollama", { host: origin, model: "m" });
const remote = (origin) => set("remote", { endpoint: `${origin}/summary`, headerName: "authorization", headerValue: `Bearer ${KEY}` });

/** Asks the summariser of the settings as the worker does; gives the reply, what was heard and what was thrown. */
function start(settings) {
  const heard = [];
  const faults = [];
  const summarize = chosen(settings, { onText: (text) => heard.push(text), onDownload: () => {} });
  const desk = new SummaryDesk(summarize, undefined, (error) => faults.push(error));
  return { heard, faults, desk, ask: () => desk.summarize(1, REQUEST, 1) };
}

/** What a visitor reads of the only thing that was thrown. */
function explained({ faults }, settings) {
  assert.equal(faults.length, 1);
  return explain(faults[0], settings, ORIGIN);
}

const event = (data) => `data: ${JSON.stringify(data)}\n\n`;
const delta = (content) => event({ choices: [{ index: 0, delta: { content }, finish_reason: null }] });
const END = event({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });
const DONE = "data: [DONE]\n\n";

describe("an endpoint of OpenAI's kind", () => {
  it("streams: the text is heard as it comes, and is whole in the end", async (t) => {
    const server = await answering(t, async (response) => {
      response.writeHead(200, EVENTS_TYPE);
      const text = `: a comment\n\n${delta("## Go")}${delta("al\nDé")}${delta("jà")}${END}${DONE}`;
      // Cut anywhere, also inside of a character.
      const bytes = Buffer.from(text);
      await sendPieces(response, [bytes.subarray(0, 30), bytes.subarray(30, 31), bytes.subarray(31, text.indexOf("é") + 1), bytes.subarray(text.indexOf("é") + 1)]);
      response.end();
    });
    const { ask, heard, faults } = start(openai(server.origin));
    assert.deepEqual(await ask(), { ok: true, text: "## Goal\nDéjà", stopReason: "stop" });
    assert.equal(heard.at(-1), "## Goal\nDéjà");
    assert.ok(heard.every((text, place) => text.startsWith(heard[place - 1] ?? "")), "each is the one before and more");
    assert.deepEqual(faults, []);
    const [{ url, headers, body }] = server.asked;
    assert.deepEqual([url, headers.authorization], ["/v1/chat/completions", `Bearer ${KEY}`]);
    assert.deepEqual([body.stream, body.model, body.max_completion_tokens], [true, "m", 500]);
    assert.deepEqual(body.messages.map(({ role, content }) => [role, content]), [["system", "Be brief."], ["user", "Fold this."]]);
  });

  it("takes a server's word for it that the limit cut the answer off, and that the model refused", async (t) => {
    const limit = event({ choices: [{ delta: { content: "## Go" }, finish_reason: "length" }], usage: { prompt_tokens: 9, completion_tokens: 2 } });
    const refusal = event({ choices: [{ delta: { refusal: "I will not." } }] }) + END;
    for (const [answer, expected] of [
      [limit, { ok: true, text: "## Go", stopReason: "length" }],
      [refusal + DONE, { ok: true, text: "", stopReason: "error", errorMessage: "the model refused: I will not." }],
    ]) {
      const server = await answering(t, (response) => response.writeHead(200, EVENTS_TYPE).end(answer));
      assert.deepEqual(await start(openai(server.origin)).ask(), expected);
    }
  });

  it("does not have to stream", async (t) => {
    const completion = { choices: [{ index: 0, message: { role: "assistant", content: "## Goal" }, finish_reason: "stop" }] };
    const server = await answering(t, (response) => response.writeHead(200, JSON_TYPE).end(JSON.stringify(completion)));
    const { ask, heard } = start(openai(server.origin));
    assert.deepEqual(await ask(), { ok: true, text: "## Goal", stopReason: "stop" });
    assert.deepEqual(heard, ["## Goal"]);
  });

  it("may stay open behind its last word: the answer is there, and the request is ended", async (t) => {
    const server = await answering(t, (response) => response.writeHead(200, EVENTS_TYPE).write(delta("## Goal") + END + DONE));
    assert.deepEqual(await start(openai(server.origin)).ask(), { ok: true, text: "## Goal", stopReason: "stop" });
    await server.gone;
  });

  it("is asked without a key where there is none", async (t) => {
    const server = await answering(t, (response) => response.writeHead(200, EVENTS_TYPE).end(delta("x") + DONE));
    assert.equal((await start(set("openai", { baseURL: server.origin, model: "m", apiKey: " " })).ask()).ok, true);
    assert.equal(server.asked[0].headers.authorization, undefined);
  });

  it("does not know the key: the words of the server are told, the key is not, and what to do is", async (t) => {
    const error = { error: { message: `Incorrect API key provided: ${KEY}.`, type: "invalid_request_error" } };
    const server = await answering(t, (response) => response.writeHead(401, JSON_TYPE).end(JSON.stringify(error)));
    const settings = openai(server.origin);
    const one = start(settings);
    const reply = await one.ask();
    assert.deepEqual([reply.ok, reply.status, reply.name], [false, 401, "Fault"]);
    assert.match(reply.message, /\/v1\/chat\/completions answered with status 401: Incorrect API key provided: \*\*\*\.$/);
    assert.match(explained(one, settings).advice, /Check the key/);
  });

  it("asks for patience: the wait of its header goes to the library's rules", async (t) => {
    for (const [header, value, expected] of [["retry-after", "7", "7"], ["retry-after", "Wed, 21 Oct 2099 07:28:00 GMT", "Wed, 21 Oct 2099 07:28:00 GMT"], ["retry-after-ms", "1500", "1.5"]]) {
      const server = await answering(t, (response) => response.writeHead(429, { ...JSON_TYPE, [header]: value }).end('{"error":"slow down"}'));
      const settings = openai(server.origin);
      const one = start(settings);
      const reply = await one.ask();
      assert.deepEqual([reply.ok, reply.status, reply.retryAfter], [false, 429, expected]);
      assert.match(reply.message, /status 429: slow down$/);
      assert.match(explained(one, settings).advice, /Wait a little/);
    }
  });

  it("is in trouble", async (t) => {
    const server = await answering(t, (response) => response.writeHead(500, { "content-type": "text/html" }).end("<!doctype html><h1>Internal"));
    const settings = openai(server.origin);
    const one = start(settings);
    const reply = await one.ask();
    assert.deepEqual([reply.ok, reply.status], [false, 500]);
    assert.match(reply.message, /status 500$/, "a page is not quoted");
    assert.match(explained(one, settings).advice, /Try again later/);
  });

  it("answers with no JSON, or with another one", async (t) => {
    const cases = [
      ["text/html", "<!DOCTYPE html>\n<title>Welcome</title>", /answered with a web page, where JSON was expected/],
      ["text/plain", "It works!\n", /answered with “It works!”, where JSON was expected/],
      ["application/json", "", /answered with nothing, where JSON was expected/],
      ["application/json", '{"hello":1}', /answered with “{"hello":1}”, where a completion with choices was expected/],
      ["text/event-stream", "data: hello\n\n", /answered with “hello”, where JSON was expected/],
    ];
    for (const [type, body, words] of cases) {
      const server = await answering(t, (response) => response.writeHead(200, { "content-type": type }).end(body));
      const settings = openai(server.origin);
      const one = start(settings);
      const reply = await one.ask();
      assert.deepEqual([reply.ok, reply.status], [false, 200]);
      assert.match(reply.message, words);
      assert.match(explained(one, settings).advice, /most end in \/v1/);
    }
  });

  it("says in the middle that it failed", async (t) => {
    const server = await answering(t, (response) => response.writeHead(200, EVENTS_TYPE).end(delta("## Go") + event({ error: { message: "out of memory", code: 503 } })));
    const one = start(openai(server.origin));
    const reply = await one.ask();
    assert.deepEqual([reply.ok, reply.status], [false, 503]);
    assert.match(reply.message, /gave up in the middle: out of memory$/);
  });

  it("breaks off: by the network, or by an end that is none", async (t) => {
    const cut = async (response) => {
      response.writeHead(200, EVENTS_TYPE);
      await sendPieces(response, [delta("## Go")]);
      response.destroy();
    };
    const short = (response) => response.writeHead(200, EVENTS_TYPE).end(delta("## Go"));
    for (const answer of [cut, short]) {
      const server = await answering(t, answer);
      const settings = openai(server.origin);
      const one = start(settings);
      const reply = await one.ask();
      assert.equal(reply.ok, false);
      assert.match(reply.message, /the connection to .* was lost in the middle of its answer/);
      assert.deepEqual(one.heard, ["## Go"]);
      assert.match(explained(one, settings).advice, /Try again/);
    }
  });

  it("is aborted: the request ends, and nobody is told of a fault", async (t) => {
    let begun;
    const started = new Promise((resolve) => (begun = resolve));
    const server = await answering(t, async (response) => {
      response.writeHead(200, EVENTS_TYPE);
      await sendPieces(response, [delta("## Go")]);
      begun();
    });
    const { ask, desk, faults } = start(openai(server.origin));
    const reply = ask();
    await started;
    desk.cancel(2);
    desk.cancel(1);
    assert.deepEqual([(await reply).ok, (await reply).name], [false, "AbortError"]);
    await server.gone;
    assert.deepEqual(faults, []);
  });

  it("is not there", async (t) => {
    const server = await answering(t, (response) => response.destroy());
    const settings = openai(server.origin);
    const one = start(settings);
    const reply = await one.ask();
    assert.deepEqual([reply.ok, reply.status], [false, undefined]);
    assert.match(reply.message, /chat\/completions could not be reached/);
    assert.match(explained(one, settings).advice, /allow the origin https:\/\/page\.example by CORS/);
  });

  it("has an address that a page does not ask", async () => {
    for (const [baseURL, words] of [
      ["api.example/v1", /is no address/],
      ["http://192.168.1.7:8080/v1", /http:\/\/192\.168\.1\.7:8080 is not asked by this page; allowed is https/],
      ["https://me:secret@api.example/v1", /^the address of api\.example holds a name or a password/],
      ["file:///etc/passwd", /is not asked by this page/],
    ]) {
      const settings = set("openai", { baseURL, model: "m" });
      const one = start(settings);
      const reply = await one.ask();
      assert.match(reply.message, words);
      assert.ok(!reply.message.includes("secret"));
      assert.equal(explained(one, settings).advice, "Correct the address.");
    }
  });
});

describe("Ollama", () => {
  const line = (piece) => `${JSON.stringify(piece)}\n`;
  const said = (content) => line({ model: "m", message: { role: "assistant", content }, done: false });
  const end = line({ model: "m", message: { role: "assistant", content: "" }, done: true, done_reason: "stop", prompt_eval_count: 6, eval_count: 3 });

  it("streams, with a context that is large enough", async (t) => {
    const server = await answering(t, async (response) => {
      response.writeHead(200, LINES_TYPE);
      await sendPieces(response, [said("## Go"), said("al"), end]);
      response.end();
    });
    const { ask, heard } = start(ollama(server.origin));
    assert.deepEqual(await ask(), { ok: true, text: "## Goal", stopReason: "stop" });
    assert.deepEqual([heard[0], heard.at(-1)], ["## Go", "## Goal"]);
    const [{ url, body }] = server.asked;
    assert.deepEqual([url, body.model, body.stream, body.options], ["/api/chat", "m", true, { num_predict: 500, num_ctx: 4_096 }]);
  });

  it("refuses: no such model, or a page that it does not know", async (t) => {
    const quiet = t.mock.method(console, "log", () => {});
    for (const [status, error, advice] of [[404, "model 'm' not found", /ollama pull m/], [403, "", /OLLAMA_ORIGINS=https:\/\/page\.example/], [500, "too large", /too large for this machine/]]) {
      const server = await answering(t, (response) => response.writeHead(status, JSON_TYPE).end(JSON.stringify({ error })));
      const settings = ollama(server.origin);
      const one = start(settings);
      const reply = await one.ask();
      assert.deepEqual([reply.ok, reply.status], [false, status]);
      assert.ok(reply.message.includes(error), reply.message);
      assert.match(explained(one, settings).advice, advice);
    }
    assert.equal(quiet.mock.callCount(), 0, "its client writes nothing to the console");
  });

  it("does not run, breaks off, is something else", async (t) => {
    const broken = async (response) => {
      response.writeHead(200, LINES_TYPE);
      await sendPieces(response, [said("## Go")]);
      response.destroy();
    };
    for (const [answer, words, advice] of [
      [(response) => response.destroy(), /could not be reached/, /ollama serve/],
      [broken, /was lost in the middle of its answer/, /Try again/],
      [(response) => response.writeHead(200, LINES_TYPE).end(said("## Go")), /was lost in the middle of its answer/, /Try again/],
      [(response) => response.writeHead(200, { "content-type": "text/html" }).end("<html>"), /answered with a web page, where JSON was expected/, /Something else answers there/],
    ]) {
      const server = await answering(t, answer);
      const settings = ollama(server.origin);
      const one = start(settings);
      assert.match((await one.ask()).message, words);
      assert.match(explained(one, settings).advice, advice);
    }
  });

  it("is aborted while it loads the model, and while it answers", async (t) => {
    for (const begins of [false, true]) {
      let reached;
      const started = new Promise((resolve) => (reached = resolve));
      const server = await answering(t, async (response) => {
        if (begins) await sendPieces(response.writeHead(200, LINES_TYPE), [said("## Go")]);
        reached();
      });
      const { ask, desk, faults } = start(ollama(server.origin));
      const reply = ask();
      await started;
      desk.cancel(1);
      assert.equal((await reply).ok, false);
      await server.gone;
      assert.deepEqual(faults, []);
    }
  });
});

describe("the browser's model", () => {
  /** A model in the shape of the global, which answers in pieces. */
  function install(t, { pieces = ["## Go", "al"], create } = {}) {
    const seen = { destroyed: 0, options: undefined };
    globalThis.LanguageModel = {
      availability: async () => "downloadable",
      create: async (options) => {
        seen.options = options;
        await create?.(options);
        const monitor = new EventTarget();
        options.monitor?.(monitor);
        monitor.dispatchEvent(Object.assign(new Event("downloadprogress"), { loaded: 0.5 }));
        return { promptStreaming: () => ReadableStream.from(pieces), destroy: () => (seen.destroyed += 1) };
      },
    };
    t.after(() => delete globalThis.LanguageModel);
    return seen;
  }

  it("is loaded, streams, and is given back", async (t) => {
    const seen = install(t);
    const shares = [];
    const heard = [];
    const summarize = chosen(set("browser"), { onText: (text) => heard.push(text), onDownload: (share) => shares.push(share) });
    assert.equal(await summarize(REQUEST, { signal: new AbortController().signal, model: undefined, attempt: 1 }), "## Goal");
    assert.deepEqual([heard, shares, seen.destroyed], [["## Go", "## Goal"], [0.5], 1]);
    assert.deepEqual(seen.options.initialPrompts, [{ role: "system", content: "Be brief." }]);
  });

  it("is not there, or wants a click first", async (t) => {
    const settings = set("browser");
    const none = start(settings);
    assert.match((await none.ask()).message, /no model built in/);
    assert.match(explained(none, settings).advice, /Choose another/);
    install(t, { create: () => Promise.reject(new DOMException("Requires a user gesture", "NotAllowedError")) });
    const early = start(settings);
    assert.equal((await early.ask()).name, "NotAllowedError");
    assert.match(explained(early, settings).advice, /Try it/);
  });
});

describe("a Threadfold endpoint", () => {
  it("gets both prompts and the header, and gives a summary", async (t) => {
    const server = await answering(t, (response) => response.writeHead(200, JSON_TYPE).end('{"summary":"## Goal"}'));
    assert.deepEqual(await start(remote(server.origin)).ask(), { ok: true, text: "## Goal" });
    const [{ url, headers, body }] = server.asked;
    assert.deepEqual([url, headers.authorization, body], ["/summary", `Bearer ${KEY}`, { systemPrompt: "Be brief.", prompt: "Fold this." }]);
  });

  it("answers without one, or refuses; its header is never told", async (t) => {
    for (const [status, answer, words, advice] of [
      [200, '{"text":"x"}', /where a summary was expected/, /Check the address/],
      [401, `{"error":"who is ${KEY}?"}`, /status 401: who is \*\*\*\?$/, /Check the header/],
    ]) {
      const server = await answering(t, (response) => response.writeHead(status, JSON_TYPE).end(answer));
      const settings = remote(server.origin);
      const one = start(settings);
      assert.match((await one.ask()).message, words);
      assert.match(explained(one, settings).advice, advice);
    }
  });
});

describe("a try", () => {
  const context = new AbortController().signal;

  it("tells the sentence and how long it took", async () => {
    const { text, tookMs } = await tryOut(async () => ({ text: " I am ready. " }), context);
    assert.equal(text, "I am ready.");
    assert.ok(tookMs >= 0);
  });

  it("fails where nothing is said", async () => {
    await assert.rejects(tryOut(async () => "  ", context), /the answer was empty/);
    await assert.rejects(tryOut(async () => ({ text: "", stopReason: "length" }), context), /used up its limit/);
    await assert.rejects(tryOut(async () => ({ text: "", errorMessage: "the model refused: no" }), context), /the model refused/);
  });
});

describe("settings", () => {
  it("name what is missing", () => {
    assert.equal(missing(INITIAL_SUMMARIZER), undefined);
    assert.equal(missing(set("openai", { baseURL: " " })), "the base URL");
    assert.equal(missing(set("openai", { model: "" })), "the model");
    assert.equal(missing(set("ollama", { model: "" })), "the model");
    assert.equal(missing(set("remote")), "the address");
  });

  it("become what the worker is told, which is a key only where the worker asks by itself", () => {
    assert.deepEqual(summarizingOf(INITIAL_SUMMARIZER), { kind: "local" });
    assert.deepEqual(summarizingOf(openai("https://api.example")), { kind: "page" });
    const told = { kind: "remote", endpoint: "https://s.example/summary", headers: { authorization: `Bearer ${KEY}` }, allowedHosts: [] };
    assert.deepEqual(summarizingOf(remote("https://s.example")), told);
  });
});
