// One request to a remote endpoint, over a real server, and over every kind of bad `fetch`.

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, it } from "node:test";
import { askRemote, checkRemote, retryAfterMs } from "../remote/seam.mjs";
import { startEndpoint, SUMMARY } from "../remote/server.mjs";

const SENT = JSON.stringify({ systemPrompt: "s\u2028ystem", prompt: 'é😀 "quoted"\n' });
const SECRET = "sk-0123456789";

let endpoint;
before(async () => {
  endpoint = await startEndpoint();
});
after(() => endpoint.stop());

// No test may leave a rejection that nobody handles, or a warning of too many listeners.
const unhandled = [];
const hear = (reason) => unhandled.push(String(reason?.stack ?? reason));
beforeEach(() => ["unhandledRejection", "warning"].forEach((name) => process.on(name, hear)));
afterEach(async () => {
  await new Promise((resolve) => setTimeout(resolve, 2));
  ["unhandledRejection", "warning"].forEach((name) => process.off(name, hear));
  assert.deepEqual(unhandled.splice(0), []);
});

const ask = (path, options = {}) =>
  askRemote(endpoint.origin + path, SENT, {
    headers: checkRemote(undefined),
    fetch: undefined,
    timeoutMs: 10_000,
    signal: undefined,
    now: Date.now,
    ...options,
  });

/** Asks through a `fetch` of the host. */
const mocked = (fetch, options) => ask("/summary", { fetch, ...options });

async function received(id) {
  return (await fetch(`${endpoint.origin}/received?id=${id}`)).json();
}

async function until(id, holds) {
  for (let tries = 0; tries < 400; tries += 1) {
    const record = await received(id);
    if (record !== null && holds(record)) return record;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return assert.fail(`the request ${id} never got there: ${JSON.stringify(await received(id))}`);
}

const body = JSON.stringify({ summary: "s" });
const good = { type: "responded", status: 200, retryAfterMs: undefined, body, truncated: false };

/** Both ways to send: the platform's own, and a function of the host. */
const ways = { "the platform's fetch": undefined, "a fetch of the host": (url, init) => fetch(url, init) };

describe("what is sent", () => {
  for (const [way, fetch] of Object.entries(ways)) {
    it(`is the body and the headers as they were given, by ${way}`, async () => {
      const id = `sent-${fetch === undefined}`;
      const headers = checkRemote({ headers: { Authorization: `Bearer ${SECRET}`, "X-Team": "  a, b  " } });
      const answer = await ask(`/summary?id=${id}`, { headers, fetch });
      assert.deepEqual(answer, { ...good, body: JSON.stringify({ model: "m", summary: SUMMARY }) });
      const record = await received(id);
      assert.equal(record.method, "POST");
      assert.equal(record.body, SENT);
      assert.equal(record.headers.authorization, `Bearer ${SECRET}`);
      assert.equal(record.headers["x-team"], "a, b");
      assert.equal(record.headers["content-type"], "application/json");
      assert.equal(record.headers.accept, "application/json");
    });

    it(`may have other types of content, by ${way}`, async () => {
      const id = `types-${fetch === undefined}`;
      const headers = checkRemote({ headers: [["Content-Type", "application/vnd.a+json"], ["ACCEPT", "*/*"]] });
      await ask(`/summary?id=${id}`, { headers, fetch });
      const record = await received(id);
      assert.deepEqual([record.headers["content-type"], record.headers.accept], ["application/vnd.a+json", "*/*"]);
    });
  }
});

describe("headers", () => {
  it("may be an object, pairs or Headers; the last of a name counts", () => {
    for (const headers of [{ A: "1", a: "2" }, [["A", "1"], ["a", "2"]], new Map([["A", "1"], ["a", "2"]]), new Headers({ A: "2" })]) {
      assert.deepEqual(checkRemote({ headers }).slice(2), [["a", "2"]]);
    }
    assert.deepEqual(checkRemote({ headers: { "x-empty": "" } }).slice(2), [["x-empty", ""]]);
    assert.deepEqual(checkRemote({}), checkRemote(undefined));
  });

  const bad = [
    [{ "": SECRET }, '""'],
    [{ "a b": SECRET }, '"a b"'],
    [{ "a:": SECRET }, '"a:"'],
    [{ "a\nb": SECRET }, '"a\\nb"'],
    [{ "é": SECRET }, '"é"'],
    [{ "x-key": `${SECRET}\nx-evil: 1` }, "x-key"],
    [{ "x-key": `${SECRET}\0` }, "x-key"],
    [{ "x-key": `${SECRET}😀` }, "x-key"],
    [{ "x-key": 7 }, "a number"],
    [{ "x-key": undefined }, "a undefined"],
    [{ "x-key": [SECRET] }, "x-key"],
    [[[7, SECRET]], "7"],
    [[["x-key"]], "could not be read"],
    [[["x-key", "1", "2"]], "could not be read"],
    [["ab"], "could not be read"],
    [[null], "could not be read"],
    [7, "7"],
    [null, "null"],
    ["x-key: 1", "x-key"],
    [{ get "x-key"() { throw new Error(SECRET); } }, "could not be read"],
  ];
  for (const [headers, named] of bad) {
    it(`are refused before anything is sent: ${named}`, () => {
      assert.throws(
        () => checkRemote({ headers }),
        (error) => error.code === "invalid-argument" && error.message.startsWith("remote.headers: ") && error.message.includes(named) && !error.message.includes(SECRET),
      );
    });
  }

  it("are the only option", () => {
    assert.throws(() => checkRemote({ header: {} }), { code: "invalid-argument", message: /remote\.header: no such option/ });
    for (const remote of [7, null, "x"]) assert.throws(() => checkRemote(remote), { code: "invalid-argument" });
  });

  it("that an endpoint sends back are blacked out where the answer would be quoted", async () => {
    const headers = checkRemote({ headers: { authorization: `Bearer ${SECRET}`, "x-short": "ab", "x-long": `${SECRET}-and-more` } });
    for (const fetch of Object.values(ways)) {
      for (const status of [200, 401, 500]) {
        const answer = await ask(`/echo?status=${status}`, { headers, fetch });
        assert.equal(answer.status, status);
        assert.match(answer.body, /"authorization":"\*\*\*"/);
        assert.match(answer.body, /"x-short":"ab".*"content-type":"application\/json"|"content-type":"application\/json".*"x-short":"ab"/);
        assert.ok(!answer.body.includes(SECRET) && !answer.body.includes("and-more"), answer.body);
      }
    }
    const failed = await mocked(() => Promise.reject(new Error(`401 for ${SECRET}`)), { headers });
    assert.equal(failed.message, "the remote endpoint could not be reached: 401 for ***");
  });

  it("do not change a summary that holds the same words", async () => {
    const headers = checkRemote({ headers: { "x-project": "Ship" } });
    assert.equal(JSON.parse((await ask("/summary", { headers })).body).summary, SUMMARY);
  });
});

describe("answers", () => {
  for (const [way, fetch] of Object.entries(ways)) {
    it(`come with status, body and wait, by ${way}`, async () => {
      for (const status of [200, 204, 400, 401, 404, 413, 429, 500, 503, 529]) {
        const said = status === 204 ? "" : `it says ${status} é😀`;
        const answer = await ask(`/say?status=${status}&body=${encodeURIComponent(said)}`, { fetch });
        assert.deepEqual(answer, { ...good, status, body: said });
      }
      const wait = async (header, now) =>
        (await ask(`/say?status=429&retry-after=${encodeURIComponent(header)}`, { fetch, now: () => now })).retryAfterMs;
      assert.equal(await wait("7", 0), 7_000);
      assert.equal(await wait("Wed, 21 Oct 2026 07:28:00 GMT", Date.UTC(2026, 9, 21, 7, 27)), 60_000);
      assert.equal(await wait("soon", 0), undefined);
    });

    it(`that redirect are not followed, by ${way}`, async () => {
      for (const status of [301, 302, 303, 307, 308]) {
        const answer = await ask(`/redirect?status=${status}`, { fetch });
        assert.deepEqual(answer, { ...good, status, body: "moved" });
      }
    });

    it(`over 4 MB are read no further, by ${way}`, async () => {
      const big = await ask("/big", { fetch });
      assert.deepEqual([big.status, big.truncated, big.body.length], [200, true, 4_000_000]);
      const endless = await ask("/endless?id=endless", { fetch });
      assert.deepEqual([endless.truncated, endless.body.length], [true, 4_000_000]);
      await until("endless", ({ closed }) => closed);
    });

    it(`that break off, or do not come, are failures, by ${way}`, async () => {
      const breaks = await ask("/breaks", { fetch });
      assert.equal(breaks.type, "failed");
      assert.match(breaks.message, /^the remote endpoint answered with status 200, and its body broke off: \S/);
      const refuses = await ask("/refuses", { fetch });
      assert.match(refuses.message, /^the remote endpoint could not be reached: fetch failed: .+$/);
      assert.ok(refuses.cause instanceof Error);
    });
  }
});

describe("retry-after", () => {
  const now = () => Date.UTC(2026, 9, 21, 7, 27);
  const cases = [
    ["0", 0],
    ["120", 120_000],
    [" 3 ", 3_000],
    ["Wed, 21 Oct 2026 07:28:00 GMT", 60_000],
    ["Wed, 21 Oct 2026 07:26:00 GMT", 0],
    ["soon", undefined],
    ["-1", undefined],
    ["1.5", 1_500],
    ["1e3", undefined],
    ["2026-10-21", undefined],
    ["", undefined],
    ["9".repeat(400), Number.MAX_SAFE_INTEGER],
    ["9007199254741", Number.MAX_SAFE_INTEGER],
    [null, undefined],
    [7, undefined],
  ];
  for (const [header, wait] of cases) {
    it(`${JSON.stringify(header)} is ${wait} ms`, () => assert.equal(retryAfterMs(header, now), wait));
  }
});

describe("an abort", () => {
  const points = { "while it connects": "/silent", "between headers and body": "/headers", "in the middle of the body": "/stalls" };
  for (const [way, fetch] of Object.entries(ways)) {
    for (const [when, path] of Object.entries(points)) {
      for (const reason of [undefined, "a string", new Error("an error")]) {
        it(`${when} with ${reason} ends the request at both ends, by ${way}`, async () => {
          const id = crypto.randomUUID();
          const controller = new AbortController();
          const asking = ask(`${path}?id=${id}`, { fetch, signal: controller.signal });
          await until(id, ({ reached }) => reached);
          controller.abort(reason);
          assert.deepEqual(await asking, { type: "aborted" });
          await until(id, ({ closed }) => closed);
        });
      }
    }

    it(`before it sends nothing, by ${way}`, async () => {
      assert.deepEqual(await ask("/summary?id=unsent", { fetch, signal: AbortSignal.abort() }), { type: "aborted" });
      assert.equal(await received("unsent"), null);
    });

    it(`in the same tick ends the request, by ${way}`, async () => {
      const controller = new AbortController();
      const asking = ask("/summary", { fetch, signal: controller.signal });
      controller.abort("at once");
      assert.deepEqual(await asking, { type: "aborted" });
    });
  }

  it("after the answer changes nothing", async () => {
    const controller = new AbortController();
    assert.equal((await ask("/summary", { signal: controller.signal })).type, "responded");
    controller.abort();
  });
});

describe("the time limit", () => {
  for (const [way, fetch] of Object.entries(ways)) {
    it(`ends a request that is silent, or stalls, at both ends, by ${way}`, async () => {
      for (const path of ["/silent", "/headers", "/stalls"]) {
        const id = crypto.randomUUID();
        const answer = await ask(`${path}?id=${id}`, { fetch, timeoutMs: 60 });
        assert.deepEqual([answer.type, answer.message, answer.cause.name], [
          "timed-out",
          "the remote endpoint did not answer within 60 ms (remote.timeoutMs)",
          "TimeoutError",
        ]);
        await until(id, ({ closed }) => closed);
      }
    });
  }
});

/** A response of a mock. */
const mock = (parts) => ({ ok: true, status: 200, headers: new Headers(), text: async () => body, ...parts });

/** A stream that hands out these pieces, and notes that it was cancelled. */
function streaming(pieces, { end = () => ({ done: true }), cancel } = {}) {
  const seen = { cancelled: 0 };
  const left = [...pieces];
  const read = async () => (left.length > 0 ? { done: false, value: left.shift() } : end());
  const note = () => {
    seen.cancelled += 1;
    return cancel?.();
  };
  return { seen, response: mock({ body: { getReader: () => ({ read, cancel: note }) }, text: undefined }) };
}

const bytes = (text) => new TextEncoder().encode(text);

describe("a mock", () => {
  const kinds = {
    "with all parts": () => mock(),
    "without a promise": () => mock({ text: () => body }),
    "without headers": () => mock({ headers: undefined }),
    "without a status": () => mock({ status: undefined }),
    "without `ok`": () => mock({ ok: undefined }),
    "with an empty body beside its text": () => mock({ body: null }),
    "with a body that is no stream": () => mock({ body: "text" }),
    "with a promise of another library": () => ({ then: (resolve) => resolve(mock()) }),
    "with a stream": () => streaming([bytes(body)]).response,
    "with a stream in pieces of a byte": () => streaming([...bytes(body)].map((byte) => new Uint8Array([byte]))).response,
    "with a view in the middle of a buffer": () => {
      const all = bytes(`###${body}###`);
      return streaming([new DataView(all.buffer, 3, all.length - 6)]).response;
    },
    "with a BOM": () => streaming([new Uint8Array([0xef, 0xbb]), new Uint8Array([0xbf, ...bytes(body)])]).response,
  };
  for (const [kind, make] of Object.entries(kinds)) {
    it(`${kind} is read like a response`, async () => assert.deepEqual(await mocked(make), good));
  }

  it("is given plain values", async () => {
    let given;
    await mocked((...all) => (given = all) && mock());
    const [url, { signal, ...init }, ...more] = given;
    assert.deepEqual([url, more], [`${endpoint.origin}/summary`, []]);
    assert.deepEqual(init, {
      method: "POST",
      headers: { accept: "application/json", "content-type": "application/json" },
      body: SENT,
      redirect: "manual",
    });
    assert.ok(signal instanceof AbortSignal);
  });

  it("may name a wait in plain headers, and hide a redirect", async () => {
    assert.equal((await mocked(() => mock({ headers: { "retry-after": "5" } }))).retryAfterMs, 5_000);
    assert.equal((await mocked(() => mock({ status: 0, ok: false, type: "opaqueredirect", text: () => "" }))).status, 0);
  });

  it("that writes no UTF-8 is read as far as it can be", async () => {
    assert.equal((await mocked(() => streaming([new Uint8Array([0x61, 0xff, 0xc3])]).response)).body, "a\ufffd\ufffd");
  });

  it("is held to the limit in bytes, with or without a stream", async () => {
    const limit = 4_000_000;
    const text = async (length, character) => (await mocked(() => mock({ text: () => character.repeat(length) }))).truncated;
    assert.deepEqual([await text(limit, "a"), await text(limit + 1, "a")], [false, true]);
    assert.deepEqual([await text(limit / 2, "é"), await text(limit / 2 + 1, "é")], [false, true]);
    for (const [extra, truncated] of [[0, false], [1, true]]) {
      const { response, seen } = streaming([new Uint8Array(limit - 10), new Uint8Array(10 + extra)]);
      const answer = await mocked(() => response);
      assert.deepEqual([answer.truncated, answer.body.length, seen.cancelled], [truncated, limit, truncated ? 1 : 0]);
    }
  });

  it("may fail to be cancelled", async () => {
    for (const cancel of [() => { throw new Error("no"); }, () => Promise.reject(new Error("no")), () => new Promise(() => {})]) {
      const { response } = streaming([new Uint8Array(4_000_001)], { cancel });
      assert.equal((await mocked(() => response)).truncated, true);
    }
  });

  it("that ignores its signal is left alone, and its stream cancelled", async () => {
    const { response, seen } = streaming([bytes("{")], { end: () => new Promise(() => {}) });
    assert.equal((await mocked(() => response, { timeoutMs: 20 })).type, "timed-out");
    assert.equal(seen.cancelled, 1);
    const late = streaming([], { end: () => new Promise(() => {}) });
    let finish;
    const answer = await mocked(() => new Promise((resolve) => { finish = () => resolve(late.response); }), { timeoutMs: 20 });
    assert.equal(answer.type, "timed-out");
    finish();
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(late.seen.cancelled, 1, "a response that comes late");
  });
});

function revoked() {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

describe("a fetch that fails", () => {
  const UNSAID = "it was not said why";
  const thrown = [
    [new TypeError("fetch failed", { cause: new Error("ECONNREFUSED") }), "fetch failed: ECONNREFUSED"],
    [new Error("no", { cause: revoked() }), "no"],
    ["it broke", "it broke"],
    ["", UNSAID],
    [undefined, "undefined"],
    [null, "null"],
    [7, "7"],
    [Symbol("s"), "a symbol"],
    [{}, "an object"],
    [Object.defineProperty({}, "message", { get() { throw new Error("message"); } }), "an object"],
    [Object.defineProperty(new Error("no"), "cause", { get() { throw new Error("cause"); } }), "no"],
    [revoked(), UNSAID],
    [new WebAssembly.RuntimeError("unreachable"), "unreachable"],
    [new DOMException("stopped", "AbortError"), "stopped"],
  ];
  for (const [reason, said] of thrown) {
    const ways = { "throws": () => { throw reason; }, "rejects with": () => Promise.reject(reason) };
    for (const [how, fetch] of Object.entries(ways)) {
      it(`because it ${how} ${said} is a failure with its cause`, async () => {
        const answer = await mocked(fetch);
        assert.deepEqual([answer.type, answer.message], ["failed", `the remote endpoint could not be reached: ${said}`]);
        assert.ok(answer.cause === reason);
      });
    }
  }

  const junk = {
    "nothing": () => (undefined),
    "null": () => (null),
    "a number": () => (7),
    "a string": () => (body),
    "an empty object": () => ({}),
    "a status that is no number": () => ({ status: "200" }),
    "a status that is none": () => ({ status: 0.5 }),
    "a status out of range": () => ({ status: 1_000 }),
    "a revoked proxy": () => (revoked()),
    "an answer that is not ok": () => ({ ok: false }),
    "an error response": () => (Response.error()),
    "an opaque response": () => (mock({ ok: false, status: 0, type: "opaque" })),
    "neither a stream nor text": () => (mock({ text: undefined })),
    "text that is none": () => (mock({ text: async () => 7 })),
    "text that is no method": () => (mock({ text: body })),
    "text that throws": () => (mock({ text: () => { throw new Error("text"); } })),
    "text that rejects with a string": () => (mock({ text: () => Promise.reject("text") })),
    "pieces that are no bytes": () => (streaming(["text"]).response),
    "pieces that are nothing": () => (streaming([undefined]).response),
    "a reader that throws": () => (mock({ body: { getReader() { throw new Error("reader"); } } })),
    "a reader without `read`": () => (mock({ body: { getReader: () => ({}) } })),
    "a reader that answers with nothing": () => (streaming([], { end: () => undefined }).response),
    "parts that throw when read": () => ({ get status() { throw new Error("status"); } }),
    "headers that throw when read": () => ({ ...mock({ headers: undefined }), get headers() { throw new Error("headers"); } }),
    "a `then` that throws": () => ({ get then() { throw new Error("then"); } }),
  };
  for (const [kind, make] of Object.entries(junk)) {
    it(`because it answers with ${kind} is a failure`, async () => {
      for (const fetch of [make, async () => make()]) {
        const { type, message } = await mocked(fetch);
        assert.equal(type, "failed", message);
        assert.match(message, /^the remote endpoint [^:]+: \S/);
      }
    });
  }

  const { fetch, Request, Headers: OwnHeaders } = globalThis;
  const global = {
    "is missing": () => { delete globalThis.fetch; },
    "is no function": () => { globalThis.fetch = 7; },
    "lacks `Request`": () => { delete globalThis.Request; },
    "lacks `Headers`": () => { delete globalThis.Headers; },
    "throws at once": () => { globalThis.fetch = () => { throw "at once"; }; },
    "rejects with a string": () => { globalThis.fetch = () => Promise.reject("later"); },
    "answers with junk": () => { globalThis.fetch = () => 7; },
    "has another realm's `Request`": () => {
      globalThis.Request = class { constructor() { throw { message: "no Error of this realm" }; } };
    },
  };
  for (const [how, spoil] of Object.entries(global)) {
    it(`because the platform's ${how} is a failure, and the engine goes on`, async () => {
      try {
        spoil();
        const answer = await ask("/summary");
        assert.equal(answer.type, "failed", answer.message);
      } finally {
        Object.assign(globalThis, { fetch, Request, Headers: OwnHeaders });
      }
      assert.equal((await ask("/summary")).type, "responded");
    });
  }

  it("because the platform's is mocked with a plain object is none", async () => {
    try {
      globalThis.fetch = async () => mock();
      assert.deepEqual(await ask("/summary"), good);
    } finally {
      globalThis.fetch = fetch;
    }
  });
});

describe("many requests", () => {
  it("leave no listener on the signal that they share", async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const [add, remove] = [signal.addEventListener, signal.removeEventListener];
    signal.addEventListener = (...all) => (listeners += 1) && add.apply(signal, all);
    signal.removeEventListener = (...all) => (listeners -= 1, remove.apply(signal, all));
    for (let number = 0; number < 50; number += 1) {
      const [fetch, type] = [
        [undefined, "responded"],
        [() => { throw new Error("no"); }, "failed"],
        [() => new Promise(() => {}), "timed-out"],
      ][number % 3];
      assert.equal((await ask("/summary", { signal, fetch, timeoutMs: type === "timed-out" ? 1 : 10_000 })).type, type);
    }
    assert.equal(listeners, 0);
  });
});
