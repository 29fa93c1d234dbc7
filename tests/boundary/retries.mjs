// What is asked for again when a summariser throws, and what moves on at once.

import { equal, matches, ok } from "./check.mjs";
import { endsAs, reply, run, settings, story } from "./story.mjs";

const MODELS = [{ provider: "p", id: "first" }, { provider: "p", id: "second" }];
const NOW = Date.parse("2026-01-01T00:00:00Z");

/** Errors as the SDKs of providers throw them, with the parts that those have. */
class APIError extends Error {
  constructor(status, error, headers) {
    super(`${status} ${error?.message ?? "status code (no body)"}`);
    Object.assign(this, { status, headers: new Headers(headers), requestID: "req_1", error, code: error?.code, type: error?.type });
  }
}
class AnthropicError extends Error {
  constructor(status, type, message, headers) {
    const error = { type: "error", error: { type, message } };
    super(`${status} ${JSON.stringify(error)}`);
    Object.assign(this, { status, headers: new Headers(headers), requestID: "req_1", error });
  }
}
class APICallError extends Error {
  constructor(message, statusCode, responseHeaders, responseBody) {
    super(message);
    Object.assign(this, { name: "AI_APICallError", url: "https://api.example/v1", statusCode, responseHeaders, responseBody, isRetryable: true, data: undefined });
  }
}
class RetryError extends Error {
  constructor(errors) {
    super(`Failed after ${errors.length} attempts. Last error: ${errors.at(-1).message}`);
    Object.assign(this, { name: "AI_RetryError", reason: "maxRetriesExceeded", errors, lastError: errors.at(-1) });
  }
}
const failed = (fields, message = "no") => Object.assign(new Error(message), fields);
const connection = (cause) => Object.assign(new Error("Connection error."), { cause });

/** What was thrown, and the wait that follows, in milliseconds. The least wait is 100. */
const passing = [
  ["a 429 of openai", () => new APIError(429, { message: "Rate limit reached for requests", code: "rate_limit_exceeded" }), 100],
  ["a 429 of openai with retry-after-ms", () => new APIError(429, { message: "Rate limit reached" }, { "retry-after-ms": "1234", "retry-after": "2" }), 1_234],
  ["a 500 of openai without a body", () => new APIError(500), 100],
  ["a 529 of anthropic", () => new AnthropicError(529, "overloaded_error", "Overloaded"), 100],
  ["a 429 of anthropic with seconds", () => new AnthropicError(429, "rate_limit_error", "slow down", { "retry-after": "7" }), 7_000],
  ["a 503 of ai with a date", () => new APICallError("Service Unavailable", 503, { "retry-after": "Thu, 01 Jan 2026 00:00:09 GMT" }), 9_000],
  ["a date that has passed", () => new APICallError("Service Unavailable", 503, { "retry-after": "Wed, 31 Dec 2025 00:00:00 GMT" }), 100],
  ["the last of several of ai", () => new RetryError([new APICallError("no", 500, {}), new APICallError("no", 429, { "retry-after": "3" })]), 3_000],
  ["a connection that was reset", () => connection(failed({ code: "ECONNRESET", errno: -104, syscall: "read" }, "read ECONNRESET")), 100],
  ["a fetch that failed", () => new TypeError("fetch failed", { cause: failed({ code: "UND_ERR_SOCKET" }, "other side closed") }), 100],
  ["a status as text", () => failed({ status: "503" }), 100],
  ["a response", () => failed({ response: { status: 502, headers: { "Retry-After": "4" } } }), 4_000],
  ["an object that is no error", () => ({ statusCode: 503 }), 100],
  ["a text", () => "529 overloaded", 100],
  ["a wait that only the message names", () => failed({ status: 429 }, "Rate limit reached. Please try again in 20s."), 20_000],
  ["headers that are junk", () => failed({ status: 429, headers: { "retry-after": "soon" } }), 100],
];

const lasting = [
  ["a 401", () => new APIError(401, { message: "Incorrect API key provided", code: "invalid_api_key" })],
  ["a 403", () => new AnthropicError(403, "permission_error", "not allowed")],
  ["a 404", () => new APIError(404, { message: "The model `x` does not exist", code: "model_not_found" })],
  ["a 400 that means too much input", () => new AnthropicError(400, "invalid_request_error", "prompt is too long: 213462 tokens > 200000 maximum")],
  ["a 413", () => new AnthropicError(413, "request_too_large", "Request exceeds the maximum size")],
  ["a 429 that means no money", () => new APIError(429, { message: "You exceeded your current quota, please check your plan and billing details.", code: "insufficient_quota" })],
  ["a 429 with a wait above retry.maxDelayMs", () => new APIError(429, { message: "slow down" }, { "retry-after": "31" })],
  ["a bug of the callback", () => new TypeError("Cannot read properties of undefined (reading 'text')")],
  ["nothing", () => undefined],
];

const retry = { maxRetries: 2, baseDelayMs: 100 };

/** Runs with two models of which the first throws at the history, and gives what was asked and waited. */
async function throwing(make, more = {}) {
  const asked = [];
  const waits = [];
  const summarize = (request, { model, attempt }) => {
    if (request.kind !== "history") return reply(request);
    asked.push([model.id, attempt]);
    if (model === MODELS[0]) throw make(attempt);
    return reply(request);
  };
  const sleep = (waitMs, signal) => void waits.push([waitMs, signal.aborted]);
  const options = { models: MODELS, settings: { ...settings, retry }, now: () => NOW, summarize, sleep, ...more };
  return { asked, waits, ...(await endsAs("committed", story(), options)) };
}

export const cases = [
  ...passing.map(([name, make, waitMs]) => ({
    name: `${name} passes: it is asked for again`,
    async run() {
      const { asked, waits } = await throwing(make);
      equal(asked, [["first", 1], ["first", 2], ["first", 3], ["second", 1]]);
      equal(waits, [[waitMs, false], [Math.max(waitMs, 200), false]]);
    },
  })),
  ...lasting.map(([name, make]) => ({
    name: `${name} does not pass: the next model is asked at once`,
    async run() {
      const { asked, waits } = await throwing(make);
      equal([asked, waits], [[["first", 1], ["second", 1]], []]);
    },
  })),
  {
    name: "a wait is told before it begins, and the attempt after it",
    async run() {
      let told;
      const events = [];
      const sleep = () => { told = events.filter(({ waitingUntil }) => waitingUntil !== undefined).length; };
      const make = () => failed({ status: 503, headers: { "retry-after": "5" } });
      await throwing(make, { onEvent: (event) => events.push(event), sleep });
      equal(told, 2, "told by then");
      const shown = events.map(({ type, phase, request, requests, summarizer, candidate, attempt, waitingUntil }) =>
        type === "compaction_progress" ? [phase, request, requests, summarizer, candidate, attempt, waitingUntil ?? null] : type);
      equal(shown.slice(0, 7), [
        ["history", 1, 3, "callback", 1, 1, null],
        ["history", 1, 3, "callback", 1, 2, NOW + 5_000],
        ["history", 1, 3, "callback", 1, 2, null],
        ["history", 1, 3, "callback", 1, 3, NOW + 5_000],
        ["history", 1, 3, "callback", 1, 3, null],
        ["history", 1, 3, "callback", 2, 1, null],
        ["turn-prefix", 2, 3, "callback", 2, 1, null],
      ]);
    },
  },
  {
    name: "a clock that gives a Date tells a time all the same",
    async run() {
      const { events } = await throwing(() => failed({ status: 503 }), { now: () => new Date(NOW) });
      equal(events.find(({ waitingUntil }) => waitingUntil !== undefined).waitingUntil, NOW + 100);
    },
  },
  {
    name: "each request has its retries anew",
    async run() {
      const waits = [];
      const summarize = (request, { attempt }) => (attempt < 3 && request.kind !== "short" ? Promise.reject(failed({ status: 503 })) : reply(request));
      await endsAs("committed", story(), { settings: { ...settings, retry }, summarize, sleep: (waitMs) => void waits.push(waitMs) });
      equal(waits, [100, 200, 100, 200]);
    },
  },
  {
    name: "a short summary that fails is not waited for",
    async run() {
      const waits = [];
      const summarize = (request) => (request.kind === "short" ? Promise.reject(failed({ status: 503 })) : reply(request));
      const { outcome } = await endsAs("committed", story(), { summarize, sleep: (waitMs) => void waits.push(waitMs) });
      equal([outcome.entry.shortSummary, waits], [undefined, []]);
    },
  },
  {
    name: "without another model a wait above retry.maxDelayMs fails the run, which names it",
    async run() {
      const summarize = () => Promise.reject(new APIError(429, { message: "slow down" }, { "retry-after": "31" }));
      const { outcome } = await endsAs("failed", story(), { summarize, sleep: () => { throw new Error("it was waited"); } });
      matches(outcome.error.message, /slow down.*31000 ms.*retry\.maxDelayMs allows 30000/);
    },
  },
  {
    name: "settings decide how often and how long",
    async run() {
      const waited = async (retry) => {
        const waits = [];
        const summarize = () => Promise.reject(failed({ status: 503 }));
        await run(story(), { settings: { ...settings, retry }, summarize, sleep: (waitMs) => void waits.push(waitMs) });
        return waits;
      };
      equal(await waited({ enabled: false }), []);
      equal(await waited({ maxRetries: 0 }), []);
      equal(await waited({ maxRetries: 3, baseDelayMs: 0 }), [0, 0, 0]);
      // The delay doubles, so that a limit of it is one of the retries too.
      equal(await waited({ maxRetries: 1e9 }), [2_000, 4_000, 8_000, 16_000]);
      equal(await waited({ maxRetries: 1e9, baseDelayMs: 1, maxDelayMs: 5 }), [1, 2, 4]);
    },
  },
  {
    name: "retries without a delay and without an end let an abort through",
    async run() {
      const controller = new AbortController();
      let attempts = 0;
      setTimeout(() => controller.abort(), 20);
      await endsAs("cancelled", story(), {
        settings: { ...settings, retry: { maxRetries: 1e9, baseDelayMs: 0 } },
        summarize: () => { attempts += 1; throw failed({ status: 503 }); },
        signal: controller.signal,
        sleep: undefined,
      });
      ok(attempts > 1, "it was asked again");
    },
  },
];
