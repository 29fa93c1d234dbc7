// Vocabularies in a page: fetched when they are asked for, kept for the next visit, checked.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { openBrowser } from "./harness.mjs";

const dist = "/node_modules/threadfold/dist";
const o200k = readFileSync(new URL(`../..${dist}/o200k_base.vocabulary`, import.meta.url));

let browser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser?.close());

/** The vocabularies that a page asks the network for, by their names. */
function fetchedBy(page) {
  const names = [];
  page.on("request", (request) => {
    const name = /\/(\w+)\.vocabulary$/.exec(request.url())?.[1];
    if (name !== undefined) names.push(name);
  });
  return names;
}

/** Loads a tokenizer in the page and counts with it. */
async function count(encoding = "o200k_base") {
  const { countTokens, loadTokenizer } = await import("threadfold");
  await loadTokenizer(encoding);
  return countTokens("héllo", encoding);
}

/** What the page keeps, by address, and whether it is what the network would bring. */
async function kept(path) {
  const cache = await caches.open("threadfold-vocabularies");
  const file = new Uint8Array(await (await fetch(path)).arrayBuffer());
  const same = async (request) => {
    const bytes = new Uint8Array(await (await cache.match(request)).arrayBuffer());
    return bytes.length === file.length && bytes.every((byte, at) => byte === file[at]);
  };
  return Promise.all((await cache.keys()).map(async (request) => [request.url.split("/").pop(), await same(request)]));
}

/** Every request for a vocabulary fails, as without a network. */
const cutOff = (page) => page.route(/\.vocabulary$/, (route) => route.abort());

test("nothing is fetched before it is asked for, each file once, and the engine comes along", async () => {
  const page = await browser.open();
  const fetched = fetchedBy(page);
  await page.evaluate(async () => (await import("threadfold")).init({ formats: true }));
  assert.deepEqual(fetched, []);
  const counts = await page.evaluate(async () => {
    const { countTokens, loadTokenizer, Session } = await import("threadfold");
    await Promise.all([loadTokenizer("o200k_base"), loadTokenizer("o200k_harmony"), loadTokenizer("cl100k_base")]);
    await loadTokenizer("o200k_base");
    const session = Session.create({ tokenizer: "cl100k_base" });
    session.appendMessage({ role: "user", content: "héllo" });
    await session.count();
    return ["o200k_base", "o200k_harmony", "cl100k_base"].map((encoding) => countTokens("héllo", encoding));
  });
  assert.deepEqual(counts, [2, 2, 3]);
  assert.deepEqual(fetched.sort(), ["cl100k_base", "o200k_base"]);
  page.assertQuiet();
});

test("every encoding has its file", async () => {
  for (const encoding of ["o200k_base", "o200k_harmony", "cl100k_base", "p50k_base", "r50k_base"]) {
    const page = await browser.open();
    assert.equal(await page.evaluate(count, encoding), encoding.startsWith("o200k") ? 2 : 3, encoding);
    page.assertQuiet();
  }
});

test("a synchronous call before the load names the fix", async () => {
  const page = await browser.open();
  const seen = await page.evaluate(async () => {
    const { countTokens, init, Session, tokenizerFor } = await import("threadfold");
    await init();
    const attempt = (call) => {
      try {
        return call();
      } catch ({ code, message }) {
        return [code, message.includes('await loadTokenizer("o200k_base")')];
      }
    };
    return [attempt(() => countTokens("a", "o200k_base")), attempt(() => Session.create({ tokenizer: "o200k_base" })), tokenizerFor("gpt-5").encoding];
  });
  assert.deepEqual(seen, [["not-initialized", true], ["not-initialized", true], "o200k_base"]);
  page.assertQuiet();
});

test("the second visit has it from the cache, with no network", async () => {
  const page = await browser.open();
  await page.evaluate(count);
  assert.deepEqual(await page.evaluate(kept, `${dist}/o200k_base.vocabulary`), [["o200k_base.vocabulary", true]]);
  const fetched = fetchedBy(page);
  await cutOff(page);
  await page.reload();
  assert.equal(await page.evaluate(count), 2);
  assert.deepEqual(fetched, []);
  page.assertQuiet();
});

test("a worker and its page share the cache", async () => {
  const page = await browser.open();
  await page.evaluate(count);
  await cutOff(page);
  const counted = await page.evaluate(async (dist) => {
    const worker = new Worker("/tests/browser/count-worker.js", { type: "module" });
    return new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(message));
      worker.postMessage(dist);
    });
  }, dist);
  assert.equal(counted, 2);
  page.assertQuiet();
});

test("a damaged file in the cache is dropped, and fetched anew once", async () => {
  const page = await browser.open();
  await page.evaluate(count);
  await page.evaluate(async () => {
    const cache = await caches.open("threadfold-vocabularies");
    const [request] = await cache.keys();
    const bytes = new Uint8Array(await (await cache.match(request)).arrayBuffer());
    bytes[bytes.length >> 1] ^= 1;
    await cache.put(request, new Response(bytes));
  });
  const fetched = fetchedBy(page);
  await page.reload();
  assert.equal(await page.evaluate(count), 2);
  assert.deepEqual(fetched, ["o200k_base"]);
  assert.deepEqual(await page.evaluate(kept, `${dist}/o200k_base.vocabulary`), [["o200k_base.vocabulary", true]]);
  page.assertQuiet();
});

test("what another version left is taken away, and never used", async () => {
  const page = await browser.open();
  await page.evaluate(async () => {
    const cache = await caches.open("threadfold-vocabularies");
    await cache.put("https://threadfold.invalid/0123456789abcdef/o200k_base.vocabulary", new Response("older"));
  });
  const fetched = fetchedBy(page);
  assert.equal(await page.evaluate(count), 2);
  assert.deepEqual(fetched, ["o200k_base"]);
  assert.deepEqual(await page.evaluate(kept, `${dist}/o200k_base.vocabulary`), [["o200k_base.vocabulary", true]]);
  page.assertQuiet();
});

test("a page that is not served securely has no Cache API, and does without", async () => {
  const page = await browser.open();
  const fetched = fetchedBy(page);
  await page.goto(browser.origin.replace("127.0.0.1", "insecure.example"));
  assert.deepEqual(await page.evaluate(() => [isSecureContext, typeof caches]), [false, "undefined"]);
  assert.equal(await page.evaluate(count), 2);
  await page.reload();
  assert.equal(await page.evaluate(count), 2);
  assert.deepEqual(fetched, ["o200k_base", "o200k_base"]);
  page.assertQuiet();
});

test("a browser that refuses storage does without", async () => {
  const page = await browser.open();
  await page.addInitScript(() => {
    CacheStorage.prototype.open = () => Promise.reject(new DOMException("blocked", "SecurityError"));
  });
  await page.reload();
  assert.equal(await page.evaluate(count), 2);
  page.assertQuiet();
});

test("a file that the policy forbids is named with the fix, and can be handed in", async () => {
  const page = await browser.open();
  const elsewhere = "http://localhost:9/o200k_base.vocabulary";
  const seen = await page.evaluate(
    async ({ elsewhere, bytes }) => {
      const { countTokens, loadTokenizer } = await import("threadfold");
      const failure = await loadTokenizer("o200k_base", { source: elsewhere }).catch(({ code, message }) => ({ code, message }));
      await loadTokenizer("o200k_base", { source: Uint8Array.from(atob(bytes), (char) => char.charCodeAt(0)) });
      return { failure, tokens: countTokens("héllo", "o200k_base") };
    },
    { elsewhere, bytes: o200k.toString("base64") },
  );
  assert.equal(seen.failure.code, "vocabulary-load-failed");
  for (const part of [elsewhere, "connect-src", "{ source }"]) assert.ok(seen.failure.message.includes(part), seen.failure.message);
  assert.equal(seen.tokens, 2);
  assert.ok(page.complaints.some((complaint) => /connect-src/.test(complaint)), page.complaints.join("\n"));
});

test("a failed load says why, and may be tried again", async () => {
  const page = await browser.open();
  const seen = await page.evaluate(async (dist) => {
    const { countTokens, loadTokenizer } = await import("threadfold");
    const failures = [];
    for (const source of ["/nowhere", "/", `${dist}/cl100k_base.vocabulary`, new URL("/node_modules/threadfold/package.json", location), fetch("/")]) {
      await loadTokenizer("o200k_base", { source }).catch(({ code, message }) => failures.push([code, message]));
    }
    await loadTokenizer("o200k_base");
    return { failures, tokens: countTokens("héllo", "o200k_base") };
  }, dist);
  assert.equal(seen.tokens, 2);
  const expected = [
    ["vocabulary-load-failed", /404/],
    ["vocabulary-load-failed", /HTML page/],
    ["invalid-vocabulary", /cl100k_base/],
    ["invalid-vocabulary", /package\.json/],
    ["vocabulary-load-failed", /HTML page/],
  ];
  assert.deepEqual(seen.failures.map(([code]) => code), expected.map(([code]) => code));
  for (const [at, [, part]] of expected.entries()) assert.match(seen.failures[at][1], part);
});

test("threadfold/inline takes a vocabulary that is handed in, packed or not", async () => {
  const page = await browser.open();
  const seen = await page.evaluate(async (path) => {
    const { countTokens, loadTokenizer } = await import("threadfold/inline");
    const failure = await loadTokenizer("o200k_base").catch(({ code, message }) => [code, message.includes("{ source }")]);
    const file = await (await fetch(path)).blob();
    const packed = file.stream().pipeThrough(new CompressionStream("gzip"));
    await loadTokenizer("o200k_base", { source: new Response(packed) });
    return [failure, countTokens("héllo", "o200k_base")];
  }, `${dist}/o200k_base.vocabulary`);
  assert.deepEqual(seen, [["vocabulary-load-failed", true], 2]);
  page.assertQuiet();
});

test("a session is counted while the page goes on", async () => {
  const page = await browser.open();
  const seen = await page.evaluate(async () => {
    const { loadTokenizer, Session } = await import("threadfold");
    await loadTokenizer("cl100k_base");
    const text = "The quick brown fox jumps over 1234567 lazy dogs. 素早い茶色の狐。";
    const entries = Array.from({ length: 2_000 }, (_, at) => ({
      type: "message",
      id: `e${at}`,
      parentId: at === 0 ? null : `e${at - 1}`,
      timestamp: "2026-01-01T00:00:00.000Z",
      message: { role: "user", content: `${at} ${text.repeat(100)}` },
    }));
    const session = Session.fromEntries(entries, { tokenizer: "cl100k_base" });
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    await session.count();
    clearInterval(timer);
    const counted = session.contextUsage().tokens;
    return { turns, same: counted === Session.fromEntries(entries, { tokenizer: "cl100k_base", counting: "at-once" }).contextUsage().tokens };
  });
  assert.ok(seen.turns > 0);
  assert.ok(seen.same);
  page.assertQuiet();
});
