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
      const { detectFormat, init, engineVersion } = await import(name);
      await init({ formats: true });
      return [engineVersion(), detectFormat([{ role: "user", parts: [{ text: "Hi" }] }])];
    }, name);
    assert.deepEqual(seen, [version, "gemini"]);
    page.assertQuiet();
  });
}

test("a synchronous call before the load names the fix", async () => {
  const page = await browser.open();
  const seen = await page.evaluate(async () => {
    const { detectFormat, engineVersion, init, Session, ThreadfoldError } = await import("threadfold");
    const attempt = (call) => {
      try {
        return { message: call() };
      } catch (error) {
        return { known: ThreadfoldError.isInstance(error), code: error.code, message: error.message };
      }
    };
    const failures = [attempt(engineVersion), attempt(() => detectFormat([])), attempt(() => Session.import("{}"))];
    await init();
    return [...failures, attempt(() => detectFormat([]))];
  });
  for (const [at, fix] of ["init()", "init({ formats: true })", "init({ formats: true })", "init({ formats: true })"].entries()) {
    const { known, code, message } = seen[at];
    assert.deepEqual([known, code], [true, "not-initialized"]);
    assert.ok(message.includes(`await ${fix}`), message);
  }
  page.assertQuiet();
});

/** What is loaded of the engine while a page runs a function, by the names of the files. */
async function loadedBy(run) {
  const page = await browser.open();
  const names = [];
  page.on("request", (request) => {
    const name = /\/(\w+)\.wasm$/.exec(request.url())?.[1];
    if (name !== undefined) names.push(name);
  });
  await page.evaluate(run);
  page.assertQuiet();
  return names.sort();
}

test("calls of init share one load, and the file for formats comes only where it is asked for", async () => {
  const core = await loadedBy(async () => {
    const { compact, init, Session } = await import("threadfold");
    await Promise.all([init(), init(), init({ formats: false })]);
    await init();
    await compact(Session.create(), { summarize: "local" });
  });
  assert.deepEqual(core, ["threadfold_bg"]);
  const both = await loadedBy(async () => {
    const { init } = await import("threadfold");
    await Promise.all([init({ formats: true }), init(), init({ formats: true })]);
    await init({ formats: true });
  });
  assert.deepEqual(both, ["formats_bg", "threadfold_bg"]);
});

test("the asynchronous calls load what they need, and the synchronous ones have it then", async () => {
  const loaded = await loadedBy(async () => {
    const { foldMessages, validateMessages } = await import("threadfold");
    const messages = [{ role: "user", parts: [{ text: "Hi" }] }];
    await Promise.all([foldMessages(messages), foldMessages(messages)]);
    validateMessages(messages);
  });
  assert.deepEqual(loaded, ["formats_bg", "threadfold_bg"]);
});

test("the file for formats can be had without the other's", async () => {
  const page = await browser.open();
  const seen = await page.evaluate(async () => {
    const { detectFormat, engineVersion, init } = await import("threadfold");
    const failure = await init({ wasm: "/nowhere.wasm", formats: true }).catch(({ code }) => code);
    // The load that succeeded is not waited for where the other has failed.
    while (true) {
      try {
        const format = detectFormat([{ role: "user", parts: [{ text: "Hi" }] }]);
        await init();
        return [failure, format, engineVersion()];
      } catch (error) {
        if (error.code !== "not-initialized") throw error;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }
  });
  assert.deepEqual(seen, ["wasm-load-failed", "gemini", version]);
});

for (const [option, name] of Object.entries({ wasm: "core", formats: "formats" })) {
  test(`a failed load of ${name}.wasm says why, and may be tried again`, async () => {
    const page = await browser.open();
    const seen = await page.evaluate(async (option) => {
      const { detectFormat, init, engineVersion } = await import("threadfold");
      const failures = [];
      for (const file of ["/nowhere.wasm", "/", new Uint8Array([1, 2, 3]), new URL("/node_modules/threadfold/package.json", location)]) {
        await init({ [option]: file }).catch(({ code, message, cause }) => {
          failures.push({ code, message, caused: cause instanceof Error });
        });
      }
      await init({ formats: true });
      return { failures, answers: [engineVersion(), detectFormat([{ role: "user", parts: [{ text: "Hi" }] }])] };
    }, option);
    assert.deepEqual(seen.answers, [version, "gemini"]);
    assert.equal(seen.failures.length, 4);
    for (const { code, message, caused } of seen.failures) {
      assert.equal(code, "wasm-load-failed");
      for (const part of [`threadfold/${name}.wasm`, `await init({ ${option} })`, "threadfold/inline"]) assert.ok(message.includes(part), message);
      assert.ok(caused);
    }
    assert.match(seen.failures[0].message, /404/);
    assert.match(seen.failures[1].message, /HTML page/);
  });
}

test("every kind of source is taken, for both files", async () => {
  for (const kind of ["string", "url", "response", "promise", "bytes", "module"]) {
    const page = await browser.open();
    const seen = await page.evaluate(async (kind) => {
      const { detectFormat, init, engineVersion } = await import("threadfold");
      const sources = {
        string: (path) => path,
        url: (path) => new URL(path, location),
        response: (path) => fetch(path),
        bytes: async (path) => (await fetch(path)).arrayBuffer(),
        module: (path) => WebAssembly.compileStreaming(fetch(path)),
      };
      const [core, other] = ["threadfold", "formats"].map((name) => `/node_modules/threadfold/dist/${name}_bg.wasm`);
      if (kind === "promise") await init({ wasm: { then: (resolve) => resolve(core) }, formats: Promise.resolve(other) });
      else await init({ wasm: await sources[kind](core), formats: await sources[kind](other) });
      return [engineVersion(), detectFormat([{ role: "user", parts: [{ text: "Hi" }] }])];
    }, kind);
    assert.deepEqual(seen, [version, "gemini"], kind);
    page.assertQuiet();
  }
});
