// What a thrown value says of a failure. This part of the facade is not exported: it is built from its source.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const NOW = Date.parse("2026-01-01T00:00:00Z");
const IN_A_MINUTE = "Thu, 01 Jan 2026 00:01:00 GMT";

/** The engine is not asked here, so nothing stands for it. */
const withoutEngine = {
  name: "without-engine",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\/glue\// }, ({ path }) => ({ path, namespace: "none" }));
    onLoad({ filter: /.*/, namespace: "none" }, () => ({ contents: "export default undefined; export const initSync = undefined;" }));
  },
};
const entry = fileURLToPath(new URL("../../pkg-template/src/failure.ts", import.meta.url));
const { outputFiles } = await build({ entryPoints: [entry], bundle: true, format: "esm", write: false, logLevel: "error", plugins: [withoutEngine] });
const { failureOf } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
const failure = (error) => failureOf(error, NOW);

const failed = (fields, message = "no") => Object.assign(new Error(message), fields);
const hostile = (target) => new Proxy(target, {
  get() { throw new Error("get"); },
  has() { throw new Error("has"); },
  ownKeys() { throw new Error("ownKeys"); },
  getPrototypeOf() { throw new Error("getPrototypeOf"); },
});
const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};

describe("the status of a failure", () => {
  const cases = [
    ["status", failed({ status: 429 }), 429],
    ["statusCode", failed({ statusCode: 503 }), 503],
    ["a status as text", failed({ status: "529" }), 529],
    ["a code that is one", failed({ code: "401" }), 401],
    ["a code that is none", failed({ code: "ECONNRESET" }), undefined],
    ["a word for a status", failed({ status: "RESOURCE_EXHAUSTED", code: 429 }), 429],
    ["that of the response", failed({ response: { status: 500 } }), 500],
    ["that of the cause", failed({ cause: failed({ statusCode: 400 }) }), 400],
    ["that of the body", { error: { message: "no", status: 413 } }, 413],
    ["that of AWS", failed({ $metadata: { httpStatusCode: 424 } }), 424],
    ["that of the last of several", failed({ errors: [failed({ statusCode: 500 })], lastError: failed({ statusCode: 429 }) }), 429],
    ["that of the first of several that has one", new AggregateError([failed({}), failed({ status: 502 })]), 502],
    ["the nearest of two", failed({ status: 500, cause: failed({ status: 400 }) }), 500],
    ["one of an answer that began well", failed({ status: 200, cause: failed({ status: 529 }) }), 529],
    ["none", failed({}), undefined],
    ["no whole number", failed({ status: 429.5 }), undefined],
  ];
  for (const [what, error, status] of cases) it(what, () => assert.equal(failure(error).status, status));
});

describe("the wait of a failure", () => {
  const waits = [
    ["seconds", { "retry-after": "20" }, 20_000],
    ["parts of seconds", { "retry-after": "1.5" }, 1_500],
    ["a date", { "retry-after": IN_A_MINUTE }, 60_000],
    ["a date that has passed", { "retry-after": "Wed, 31 Dec 2025 00:00:00 GMT" }, 0],
    ["milliseconds, which are finer", { "retry-after": "2", "retry-after-ms": "1500" }, 1_500],
    ["any case", { "Retry-AFTER": "3" }, 3_000],
    ["a number", { "retry-after": 4 }, 4_000],
    ["a list", { "retry-after": ["5", "6"] }, 5_000],
    ["spaces around", { "retry-after": " 7 " }, 7_000],
    ["a point in time, in seconds", { "x-ratelimit-reset": String(NOW / 1_000 + 8) }, 8_000],
    ["a point in time, in milliseconds", { "X-RateLimit-Reset": NOW + 9_000 }, 9_000],
    ["a reset that may count from now or from then", { "x-ratelimit-reset": "60" }, undefined],
    ["resets of several limits", { "x-ratelimit-reset-requests": "1s", "x-ratelimit-reset-tokens": "6m0s" }, undefined],
    ["junk", { "retry-after": "soon" }, undefined],
    ["less than nothing", { "retry-after": "-5" }, undefined],
    ["no number", { "retry-after": "1e9" }, undefined],
    ["more than a number holds", { "retry-after": "9".repeat(400) }, Number.MAX_SAFE_INTEGER],
    ["nothing", {}, undefined],
  ];
  for (const [what, headers, ms] of waits) {
    it(`${what}, in any kind of headers`, () => {
      const pairs = Object.entries(headers);
      const kinds = [headers, new Map(pairs), pairs, Object.assign(Object.create(null), headers)];
      if (pairs.every(([, value]) => !Array.isArray(value))) kinds.push(new Headers(pairs.map(([name, value]) => [name, String(value)])));
      for (const kind of kinds) assert.equal(failure(failed({ status: 429, headers: kind })).retryAfterMs, ms);
    });
  }

  it("a reset says nothing where no limit was met", () => {
    assert.equal(failure(failed({ status: 500, headers: { "x-ratelimit-reset": NOW + 9_000 } })).retryAfterMs, undefined);
  });

  const headers = { "retry-after": "20" };
  const places = [
    ["the response", { response: { headers: new Headers(headers) } }],
    ["responseHeaders", { responseHeaders: headers }],
    ["the cause", { cause: failed({ headers }) }],
    ["the error inside", { error: { headers } }],
    ["the last error", { lastError: failed({ responseHeaders: headers }) }],
    ["one of several errors", { errors: [null, failed({}), failed({ headers })] }],
    ["the metadata of the error inside", { error: { metadata: { headers } } }],
    ["the response of a cause of a cause", { cause: { cause: { response: { headers } } } }],
  ];
  for (const [where, fields] of places) it(`is found in ${where}`, () => assert.equal(failure(failed(fields)).retryAfterMs, 20_000));
});

describe("the message of a failure", () => {
  const cases = [
    ["an Error", failed({}), "no"],
    ["a text", "no", "no"],
    ["a wrapper and its cause", failed({ cause: failed({}, "connect ECONNREFUSED") }, "fetch failed"), "fetch failed: connect ECONNREFUSED"],
    ["a wrapper that repeats its cause", failed({ cause: failed({}, "reset") }, "failed: reset"), "failed: reset"],
    ["the body of a response", failed({ response: { data: { error: { message: "prompt is too long" } } } }, "status code 400"), "status code 400: prompt is too long"],
    ["a body that is text", failed({ response: { data: "prompt is too long" } }, "status code 400"), "status code 400: prompt is too long"],
    ["an error that is text", { error: "model not found" }, "model not found"],
  ];
  for (const [what, error, message] of cases) it(what, () => assert.equal(failure(error).message, message));

  it("tells a few of many causes, and the starts of long ones", () => {
    let error = failed({}, "cause 0");
    for (let at = 1; at < 20; at += 1) error = failed({ cause: error }, `cause ${at} `.padEnd(10_000, "x"));
    const { message } = failure(error);
    assert.match(message, /^cause 19 x.*: cause 18 x.*: cause 16 x/);
    assert.ok(message.length < 20_000, String(message.length));
  });
});

describe("whatever is thrown", () => {
  const endless = () => new Proxy({}, { get: () => endless() });
  const everything = new Proxy(new Error("x"), { get: (_, key) => (key === Symbol.iterator ? undefined : everything) });
  const looped = failed({});
  Object.assign(looped, { cause: looped, errors: [looped], response: { error: looped } });
  let deep = {};
  for (let at = 0; at < 100_000; at += 1) deep = { cause: deep };
  const forever = { *[Symbol.iterator]() { for (;;) yield ["a", "b"]; } };
  const values = [
    undefined, null, 0, 5n, "", true, Symbol("s"), () => 1, {}, [], [[]], NaN,
    hostile({}), hostile(new Error("x")), revoked(), endless(), everything, looped, deep, forever,
    { headers: hostile({}) }, { headers: revoked() }, { headers: forever }, { headers: [[hostile([])], 1, null, [Symbol("s"), "x"]] },
    { headers: [hostile([]), revoked()] }, { headers: "retry-after: 5" }, { headers: { get() { throw new Error("get"); } } },
    { errors: hostile([]) }, { errors: new Array(4_000_000_000) }, { errors: new Array(100_000).fill({ cause: {} }) },
    { get status() { throw new Error("status"); }, get message() { throw new Error("message"); } },
    { message: { toString() { throw new Error("toString"); } }, status: { valueOf() { throw new Error("valueOf"); } } },
  ];
  values.forEach((value, index) => it(`number ${index} is read, and quickly`, () => {
    const started = performance.now();
    const { message, ...figures } = failure(value);
    assert.ok(typeof message === "string" && message !== "", "there is a message");
    assert.deepEqual(figures, {});
    assert.ok(performance.now() - started < 1_000, "within a second");
  }));

  it("keeps what can be read beside what cannot", () => {
    const error = failed({ status: 429, headers: { "retry-after": "5" }, cause: hostile({}), response: revoked() });
    assert.deepEqual(failure(error), { message: "no", status: 429, retryAfterMs: 5_000 });
  });
});
