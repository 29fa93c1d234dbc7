// Loading vocabularies where the host has none of its own: as in a page, with a server and a Cache API of the
// test's. Each case has a facade of its own, with nothing loaded. Chromium has its cases in tests/browser.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { after, afterEach, before, beforeEach, describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { internals } from "./internals.mjs";
import { rejectsCode, throwsCode } from "./throws.mjs";

const require = createRequire(import.meta.url);
const fileOf = (encoding) => readFileSync(require.resolve(`threadfold/${encoding}.vocabulary`));
const [o200k, cl100k] = ["o200k_base", "cl100k_base"].map(fileOf);
const damaged = Uint8Array.from(o200k);
damaged[o200k.length >> 1] ^= 1;

/** What the server answers next, by address, and what it was asked. */
const answers = new Map();
let asked;
let origin;
const server = createServer(({ url, headers }, response) => {
  asked.push(url);
  const answer = answers.get(url);
  if (typeof answer === "function") return answer(response, headers);
  if (answer === undefined) return response.writeHead(404).end();
  response.writeHead(200, { "content-type": "application/octet-stream" }).end(answer);
});

before(async () => {
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${server.address().port}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

let facade;
/** Loads it from an address, or in another way. */
let load;
const hello = () => facade.countTokens("héllo", "o200k_base");
beforeEach(async () => {
  asked = [];
  answers.clear();
  answers.set("/o200k", o200k);
  facade = await internals("tokenizers");
  load = (source = `${origin}/o200k`, more = {}) => facade.loadTokenizer("o200k_base", { source, ...more });
});

describe("a tokenizer that is not loaded", () => {
  it("is not used by any synchronous call, which name the fix", () => {
    const fix = 'await loadTokenizer("o200k_base")';
    const options = { tokenizer: "o200k_base" };
    throwsCode(hello, "not-initialized", fix);
    throwsCode(() => facade.Session.create(options), "not-initialized", fix);
    throwsCode(() => facade.Session.fromEntries([], options), "not-initialized", fix);
  });

  it("cannot be had without a source where the entry knows none", async () => {
    await rejectsCode(facade.loadTokenizer("o200k_base"), "vocabulary-load-failed", "threadfold/o200k_base.vocabulary", "has none", "{ source }");
  });

  it("is there for both encodings of its file, and for no other", async () => {
    await load();
    assert.equal(hello(), 2);
    assert.equal(facade.countTokens("héllo", "o200k_harmony"), 2);
    throwsCode(() => facade.countTokens("héllo", "cl100k_base"), "not-initialized", 'await loadTokenizer("cl100k_base")');
  });

  it("can be loaded by the name of either", async () => {
    await facade.loadTokenizer("o200k_harmony", { source: o200k });
    assert.equal(hello(), 2);
  });
});

describe("a source", () => {
  /** In the middle of more. */
  const within = () => Uint8Array.from([1, 2, 3, ...o200k, 4]).buffer;
  const sources = {
    "an address": () => `${origin}/o200k`,
    "a URL": () => new URL("/o200k", origin),
    "a response": () => fetch(`${origin}/o200k`),
    "a Blob": () => new Blob([o200k]),
    "an object as R2 stores it": () => ({ key: "o200k_base.vocabulary", arrayBuffer: async () => Uint8Array.from(o200k).buffer }),
    "bytes": () => o200k,
    "bytes within more": () => new Uint8Array(within(), 3, o200k.length),
    "a DataView": () => new DataView(within(), 3, o200k.length),
    "an ArrayBuffer": () => Uint8Array.from(o200k).buffer,
    "bytes packed with gzip": () => gzipSync(o200k),
    "a response packed with gzip that nobody unpacked": () => new Response(gzipSync(o200k)),
  };
  for (const [name, make] of Object.entries(sources)) {
    it(`may be ${name}`, async () => {
      await load(await make());
      assert.equal(hello(), 2);
    });
    it(`may be a promise of ${name}`, async () => {
      await load(Promise.resolve(make()));
      assert.equal(hello(), 2);
    });
  }

  it("may be what only behaves like a promise, which is asked once", async () => {
    let times = 0;
    await load({ then: (resolve) => void ((times += 1), resolve(o200k)) });
    assert.deepEqual([times, hello()], [1, 2]);
  });

  it("may be an address whose file the server sends packed and unpacks nobody", async () => {
    answers.set("/o200k", gzipSync(o200k));
    await load();
    assert.equal(hello(), 2);
  });

  it("is not needed once it is loaded, and may fail then", async () => {
    await load(o200k);
    await load(Promise.reject(new Error("never heard of")));
    await load(`${origin}/nowhere`);
    assert.deepEqual([hello(), asked], [2, []]);
  });
});

describe("what is not the vocabulary", () => {
  const hint = ["threadfold/o200k_base.vocabulary", 'await loadTokenizer("o200k_base", { source })', "this very version"];
  const otherVersion = () => {
    // The hash of the package is of another file, as when one of them is older.
    const file = Uint8Array.from(o200k);
    file[file.length - 1] ^= 1;
    return file;
  };
  const files = {
    "is cut": () => o200k.subarray(0, o200k.length - 1),
    "is cut to its beginning": () => o200k.subarray(0, 20),
    "is empty": () => new Uint8Array(),
    "is longer": () => Buffer.concat([o200k, Buffer.alloc(1)]),
    "is damaged": () => damaged,
    "is of another build": otherVersion,
    "is that of another encoding": () => cl100k,
    "is an HTML page": () => Buffer.from("<!doctype html><title>Not found</title>"),
    "is something else": () => Buffer.from('{"name":"threadfold"}'),
    "is packed with gzip and cut": () => gzipSync(o200k).subarray(0, 1_000),
    "is packed with gzip and damaged": () => gzipSync(o200k).map((byte, at) => (at > 500 && at < 600 ? 0 : byte)),
    "is packed with gzip and something else": () => gzipSync("hello"),
  };
  for (const [name, make] of Object.entries(files)) {
    it(`${name}: refused as bytes`, async () => {
      await rejectsCode(load(make()), "invalid-vocabulary", "the source that was handed in", ...hint);
      throwsCode(hello, "not-initialized");
    });
    it(`${name}: refused from an address, and the right one is taken then`, async () => {
      answers.set("/o200k", make());
      await rejectsCode(load(), "invalid-vocabulary", `${origin}/o200k`, ...hint);
      answers.set("/o200k", o200k);
      await load();
      assert.equal(hello(), 2);
    });
  }

  it("is told in words that fit", async () => {
    await rejectsCode(load(cl100k), "invalid-vocabulary", "cl100k_base");
    await rejectsCode(load(files["is an HTML page"]()), "invalid-vocabulary", "HTML page");
    await rejectsCode(load(files["is packed with gzip and cut"]()), "invalid-vocabulary", "gzip");
  });

  it("is asked for once more past the ordinary cache, which may hold that of an older version", async () => {
    const kept = [];
    answers.set("/o200k", (response, headers) => {
      kept.push(headers["cache-control"]);
      response.end(kept.length === 1 ? damaged : o200k);
    });
    await load();
    assert.equal(hello(), 2);
    assert.deepEqual(kept, [undefined, "no-cache"]);
  });
});

describe("a file that cannot be had", () => {
  const html = (response) => response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end("<!doctype html>");
  const failing = {
    "a status": [() => answers.delete("/o200k"), () => `${origin}/o200k`, "HTTP status 404"],
    "a start page in its place": [() => answers.set("/o200k", html), () => `${origin}/o200k`, "HTML page"],
    "a line that breaks": [() => answers.set("/o200k", (response) => response.socket.destroy()), () => `${origin}/o200k`],
    "a body that breaks off": [
      () => answers.set("/o200k", (response) => response.writeHead(200, { "content-length": "9999" }).write("x", () => response.socket.destroy())),
      () => `${origin}/o200k`,
    ],
    "nobody there": [() => undefined, () => "http://127.0.0.1:9/o200k"],
    "no address": [() => undefined, () => "o200k_base.vocabulary"],
    "a promise that rejects": [() => undefined, () => Promise.reject(new Error("no such key")), "no such key"],
    "a promise that rejects without an error": [() => undefined, () => Promise.reject("no such key"), "no such key"],
    "a response that was read before": [() => undefined, readResponse, "read before"],
    "an error as response": [() => undefined, () => Response.error(), "HTTP status 0"],
    "a number": [() => undefined, () => 7, "it is 7", "a URL, a string, a Response, a Blob, a Uint8Array or an ArrayBuffer"],
    "null": [() => undefined, () => null, "it is null"],
    "an object": [() => undefined, () => ({ default: o200k }), "it is an object"],
    "an object whose bytes are none": [() => undefined, () => ({ arrayBuffer: () => "o200k" }), 'it is "o200k"'],
    "a promise of nothing": [() => undefined, () => Promise.resolve(), "it is undefined"],
  };

  async function readResponse() {
    const response = new Response(o200k);
    await response.arrayBuffer();
    return response;
  }

  for (const [name, [arrange, source, ...parts]] of Object.entries(failing)) {
    it(`${name}: named with its place, and may be tried again`, async () => {
      arrange();
      await rejectsCode(load(source()), "vocabulary-load-failed", "threadfold/o200k_base.vocabulary could not be loaded from", "{ source }", ...parts);
      throwsCode(hello, "not-initialized");
      answers.set("/o200k", o200k);
      await load();
      assert.equal(hello(), 2);
    });
  }

  it("names the fixes of the hosts, and the cause", async () => {
    await assert.rejects(load(`${origin}/nowhere`), ({ message, cause }) => {
      for (const part of ["connect-src", "esbuild", "Vite", "serverExternalPackages"]) assert.ok(message.includes(part), part);
      return cause instanceof TypeError;
    });
  });

  it("is not asked of a host that cannot unpack it", async () => {
    const { DecompressionStream } = globalThis;
    try {
      globalThis.DecompressionStream = undefined;
      await rejectsCode(load(gzipSync(o200k)), "vocabulary-load-failed", "gzip", "DecompressionStream");
      await load(o200k);
      assert.equal(hello(), 2);
    } finally {
      globalThis.DecompressionStream = DecompressionStream;
    }
  });
});

describe("loads at the same time", () => {
  it("are one, for both encodings of a file", async () => {
    const loads = [load(), load(), facade.loadTokenizer("o200k_harmony", { source: `${origin}/o200k` })];
    assert.deepEqual(await Promise.all(loads), [undefined, undefined, undefined]);
    assert.deepEqual([hello(), asked], [2, ["/o200k"]]);
  });

  it("fail together, and the next begins anew", async () => {
    answers.delete("/o200k");
    const ends = await Promise.allSettled([load(), load(`${origin}/elsewhere`)]);
    assert.deepEqual(ends.map(({ reason }) => reason?.code), ["vocabulary-load-failed", "vocabulary-load-failed"]);
    answers.set("/o200k", o200k);
    await load();
    assert.deepEqual([hello(), asked], [2, ["/o200k", "/o200k"]]);
  });

  it("of other encodings are loads of their own", async () => {
    answers.set("/cl100k", cl100k);
    await Promise.all([load(), facade.loadTokenizer("cl100k_base", { source: `${origin}/cl100k` })]);
    assert.deepEqual([hello(), facade.countTokens("héllo", "cl100k_base"), asked.sort()], [2, 3, ["/cl100k", "/o200k"]]);
  });
});

describe("an abort", () => {
  /** A file that waits until it is let go; `gone` once nobody wants it any more. */
  function waiting() {
    let letGo;
    const gone = new Promise((resolve) => {
      answers.set("/o200k", (response) => {
        response.on("close", () => resolve(!response.writableFinished));
        response.writeHead(200).write(o200k.subarray(0, 1_000));
        letGo = () => response.end(o200k.subarray(1_000));
      });
    });
    const arrived = async () => {
      while (letGo === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
    };
    return { gone, arrived, letGo: () => letGo() };
  }

  it("before the load starts none", async () => {
    const reason = new Error("changed my mind");
    await assert.rejects(load(undefined, { signal: AbortSignal.abort(reason) }), (error) => error === reason);
    await load(o200k);
    await assert.rejects(load(undefined, { signal: AbortSignal.abort() }), { name: "AbortError" });
    assert.deepEqual(asked, []);
  });

  it("ends the load where nobody else waits, with its reason", async () => {
    const file = waiting();
    const controller = new AbortController();
    const loading = load(undefined, { signal: controller.signal });
    await file.arrived();
    controller.abort("enough");
    await assert.rejects(loading, (reason) => reason === "enough");
    assert.equal(await file.gone, true);
    throwsCode(hello, "not-initialized");
    answers.set("/o200k", o200k);
    await load();
    assert.equal(hello(), 2);
  });

  it("of one leaves the others their load", async () => {
    const file = waiting();
    const controller = new AbortController();
    const loads = [load(undefined, { signal: controller.signal }), load(), load(undefined, { signal: new AbortController().signal })];
    await file.arrived();
    controller.abort();
    await assert.rejects(loads[0], { name: "AbortError" });
    file.letGo();
    await Promise.all(loads.slice(1));
    assert.deepEqual([hello(), asked], [2, ["/o200k"]]);
  });

  it("ends the waiting for a promise that never settles", async () => {
    const controller = new AbortController();
    const loading = load(new Promise(() => undefined), { signal: controller.signal });
    setTimeout(() => controller.abort(), 5);
    await assert.rejects(loading, { name: "AbortError" });
    await load();
    assert.equal(hello(), 2);
  });
});

describe("wrong use", () => {
  it("is refused", async () => {
    await rejectsCode(facade.loadTokenizer("gpt-5"), "unsupported-encoding", '"gpt-5"', "o200k_base", "r50k_base");
    await rejectsCode(facade.loadTokenizer("o200k_base", { src: o200k }), "invalid-argument", "loadTokenizer.src", "source, signal");
    await rejectsCode(facade.loadTokenizer("o200k_base", { source: o200k, signal: {} }), "invalid-argument", "signal");
    throwsCode(hello, "not-initialized");
  });
});

describe("the Cache API", () => {
  const { caches } = globalThis;
  /** What it holds, by address. */
  let kept;
  let names;
  beforeEach(() => {
    kept = new Map();
    names = new Set();
    const cache = {
      match: async (url) => kept.get(url)?.clone(),
      put: async (url, response) => void kept.set(url, response),
      delete: async (request) => kept.delete(request.url ?? request),
      keys: async () => [...kept.keys()].map((url) => new Request(url)),
    };
    globalThis.caches = { open: async (name) => (names.add(name), cache) };
  });
  afterEach(() => {
    globalThis.caches = caches;
  });
  const keptBytes = async () => Buffer.from(await [...kept.values()][0].clone().arrayBuffer());
  const anew = async () => {
    facade = await internals("tokenizers");
  };

  it("keeps a file that was fetched, and the next visit fetches nothing", async () => {
    await load();
    await anew();
    await load("http://127.0.0.1:9/nobody-there");
    assert.deepEqual([hello(), asked, kept.size], [2, ["/o200k"], 1]);
    assert.deepEqual(await keptBytes(), o200k);
  });

  it("keeps it unpacked, under its hash", async () => {
    answers.set("/o200k", gzipSync(o200k));
    await load();
    assert.deepEqual(await keptBytes(), o200k);
    assert.match([...kept.keys()][0], /^https:\/\/threadfold\.invalid\/[0-9a-f]{16}\/o200k_base\.vocabulary$/);
  });

  it("keeps nothing that was refused or handed in", async () => {
    answers.set("/o200k", damaged);
    await rejectsCode(load(), "invalid-vocabulary");
    await load(o200k);
    assert.deepEqual([hello(), kept.size], [2, 0]);
  });

  it("gives nothing of another version, and loses what other versions left", async () => {
    const [old, stray] = ["https://threadfold.invalid/0123456789abcdef/o200k_base.vocabulary", "https://threadfold.invalid/x"];
    for (const url of [old, stray]) kept.set(url, new Response("older"));
    answers.set("/cl100k", cl100k);
    await facade.loadTokenizer("cl100k_base", { source: `${origin}/cl100k` });
    await load();
    assert.deepEqual(asked, ["/cl100k", "/o200k"]);
    assert.deepEqual([...kept.keys()].map((url) => url.split("/").pop()), ["cl100k_base.vocabulary", "o200k_base.vocabulary"]);
    assert.ok(!kept.has(old));
  });

  for (const [name, file] of Object.entries({ damaged, "cut": o200k.subarray(0, 99), "that of another encoding": cl100k, "a page": Buffer.from("<html>") })) {
    it(`drops a file that is ${name}, and fetches it anew, once`, async () => {
      await load();
      const [key] = kept.keys();
      kept.set(key, new Response(file));
      await anew();
      await load();
      assert.deepEqual([hello(), asked], [2, ["/o200k", "/o200k"]]);
      assert.deepEqual(await keptBytes(), o200k);
    });
  }

  it("drops a damaged file also where it cannot be fetched anew", async () => {
    await load();
    kept.set([...kept.keys()][0], new Response(damaged));
    await anew();
    await rejectsCode(load(`${origin}/nowhere`), "vocabulary-load-failed", "404");
    assert.equal(kept.size, 0);
  });

  const refusing = {
    "refuses to open": () => (globalThis.caches = { open: () => Promise.reject(new DOMException("blocked", "SecurityError")) }),
    "throws at once": () => (globalThis.caches = { open: () => { throw new TypeError("no"); } }),
    "throws when it is looked at": () => Object.defineProperty(globalThis, "caches", { configurable: true, get: () => { throw new DOMException("opaque", "SecurityError"); } }),
    "has no room": () => (globalThis.caches = { open: async () => ({ match: async () => undefined, put: () => Promise.reject(new DOMException("full", "QuotaExceededError")) }) }),
    "cannot list what it holds": () => (globalThis.caches = { open: async () => ({ match: async () => undefined, put: async () => undefined }) }),
    "gives a body that cannot be read": () => (globalThis.caches = { open: async () => ({ match: async () => ({ arrayBuffer: () => Promise.reject(new Error("gone")) }) }) }),
    "gives what is no response": () => (globalThis.caches = { open: async () => ({ match: async () => "o200k" }) }),
    "is missing": () => delete globalThis.caches,
  };
  for (const [name, arrange] of Object.entries(refusing)) {
    it(`that ${name} is passed over`, async () => {
      try {
        arrange();
        await load();
        assert.deepEqual([hello(), asked], [2, ["/o200k"]]);
      } finally {
        Object.defineProperty(globalThis, "caches", { configurable: true, writable: true, value: caches });
      }
    });
  }
});
