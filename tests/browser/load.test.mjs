// The package in a page: how it loads, what it says before and when it cannot.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { openBrowser } from "./harness.mjs";

const { version } = JSON.parse(await readFile(new URL("../../node_modules/threadfold/package.json", import.meta.url)));

let browser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser?.close());

for (const name of ["threadfold", "threadfold/inline"]) {
  test(`${name} loads under a strict policy`, async () => {
    const page = await browser.open();
    const seen = await page.evaluate(async (name) => {
      const { init, engineVersion } = await import(name);
      await init();
      return engineVersion();
    }, name);
    assert.equal(seen, version);
    page.assertQuiet();
  });
}

test("a synchronous call before the load names the fix", async () => {
  const page = await browser.open();
  const seen = await page.evaluate(async () => {
    const { engineVersion, ThreadfoldError } = await import("threadfold");
    try {
      return engineVersion();
    } catch (error) {
      return { known: ThreadfoldError.isInstance(error), code: error.code, message: error.message };
    }
  });
  assert.equal(seen.known, true);
  assert.equal(seen.code, "not-initialized");
  assert.match(seen.message, /await init\(\)/);
  page.assertQuiet();
});

test("calls of init share one load", async () => {
  const page = await browser.open();
  const requests = [];
  page.on("request", (request) => requests.push(request.url()));
  await page.evaluate(async () => {
    const { init } = await import("threadfold");
    await Promise.all([init(), init(), init()]);
    await init();
  });
  assert.equal(requests.filter((url) => url.endsWith(".wasm")).length, 1);
  page.assertQuiet();
});

test("a failed load says why, and may be tried again", async () => {
  const page = await browser.open();
  const seen = await page.evaluate(async () => {
    const { init, engineVersion } = await import("threadfold");
    const failures = [];
    for (const wasm of ["/nowhere.wasm", "/", new Uint8Array([1, 2, 3]), new URL("/node_modules/threadfold/package.json", location)]) {
      await init({ wasm }).catch(({ code, message, cause }) => {
        failures.push({ code, message, caused: cause instanceof Error });
      });
    }
    await init();
    return { failures, version: engineVersion() };
  });
  assert.equal(seen.version, version);
  assert.equal(seen.failures.length, 4);
  for (const { code, message, caused } of seen.failures) {
    assert.equal(code, "wasm-load-failed");
    assert.match(message, /threadfold\/inline/);
    assert.ok(caused);
  }
  assert.match(seen.failures[0].message, /404/);
  assert.match(seen.failures[1].message, /HTML page/);
});

test("every kind of source is taken", async () => {
  for (const kind of ["string", "url", "response", "promise", "bytes", "module"]) {
    const page = await browser.open();
    const seen = await page.evaluate(async (kind) => {
      const { init, engineVersion } = await import("threadfold");
      const path = "/node_modules/threadfold/dist/threadfold_bg.wasm";
      const wasm = await {
        string: () => path,
        url: () => new URL(path, location),
        response: () => fetch(path),
        promise: () => ({ then: (resolve) => resolve(path) }),
        bytes: async () => (await fetch(path)).arrayBuffer(),
        module: () => WebAssembly.compileStreaming(fetch(path)),
      }[kind]();
      await init({ wasm });
      return engineVersion();
    }, kind);
    assert.equal(seen, version, kind);
    page.assertQuiet();
  }
});
