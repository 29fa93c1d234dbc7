// The page without a network after its first load, and what happens when a new version of it goes up.

import assert from "node:assert/strict";
import { cp, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, afterEach, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { writeServiceWorker } from "../../www/offline-plugin.mjs";
import { serve } from "../../www/serve.mjs";
import { BUILT, openDemo, visit } from "./harness.mjs";
import { settled } from "./visitor.mjs";

const ENTRY = fileURLToPath(new URL("../../www/src/offline/service-worker.ts", import.meta.url));
/** A page that moves on to another version while it begins leaves its requests. */
const LEFT = [/^failed: .* net::ERR_ABORTED$/];
const MOUNT = "/some/folder/";

/** Waits until the page is kept; gives the names of its caches. */
function kept(page) {
  return page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    while (navigator.serviceWorker.controller === null) await new Promise((resolve) => setTimeout(resolve, 20));
    return caches.keys();
  });
}

/** Waits until the service worker of another version has been installed and waits. */
function isWaiting(page) {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    await registration.update();
    while (registration.waiting === null) await new Promise((resolve) => setTimeout(resolve, 20));
  });
}

/** Of whichever document is there: a page that moves on to another version in this moment has its title in the next. */
async function title(page) {
  return (await page.waitForFunction(() => document.title)).jsonValue();
}

/** Loads the page until it has the title. A page that was just closed counts as open yet, on a busy machine for seconds. */
async function loadUntil(page, title) {
  for (let load = 1; load <= 5; load += 1) {
    // The page may move on by itself just now, which leaves this load.
    await page.reload().catch((error) => assert.match(error.message, /ERR_ABORTED|interrupted/));
    const there = await page.waitForFunction((title) => document.title === title, title, { timeout: 4_000 }).catch((error) => assert.equal(error.name, "TimeoutError"));
    if (there !== undefined) return;
  }
  assert.fail(`five loads, and the page is not called ${title}`);
}

describe("without a network", () => {
  let folder;
  let demo;
  let page;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "threadfold-page-"));
    await cp(BUILT, folder, { recursive: true });
    demo = await openDemo({ folder, mount: MOUNT });
    page = await demo.open();
  });
  afterEach(async () => {
    await demo.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Puts another version of the page up. */
  async function release(version) {
    const index = join(folder, "index.html");
    await writeFile(index, (await readFile(index, "utf8")).replace(/<title>[^<]*/, `<title>${version}`));
    await writeServiceWorker(ENTRY, folder);
  }

  it("the page works after the first load, by each of its addresses", async () => {
    await settled(page);
    await kept(page);
    await demo.goOffline();
    for (const address of [demo.address, `${demo.address}index.html`, `${demo.address}?from=a-link#here`]) {
      await page.goto(address);
      assert.match(await settled(page), /entries/);
    }
    page.assertQuiet();
    // Another page of the folder is not this one.
    await assert.rejects(page.goto(`${demo.address}other`), /ERR_CONNECTION_REFUSED/);
  });

  it("a vocabulary works once it has been fetched, and not before", async () => {
    await kept(page);
    const names = (await readdir(join(folder, "assets"))).filter((name) => name.endsWith(".vocabulary"));
    assert.ok(names.length >= 2, "the page brings vocabularies");
    const [fetched, other] = names.map((name) => `./assets/${name}`);
    const size = (address) => page.evaluate(async (address) => (await (await fetch(address)).arrayBuffer()).byteLength, address);
    const before = await size(fetched);
    await demo.goOffline();
    assert.equal(await size(fetched), before);
    await assert.rejects(size(other), /Failed to fetch/);
  });

  it("a new version is taken over with the next load, whole, and the old one goes", async () => {
    const before = await title(page);
    const [old] = await kept(page);
    const [vocabulary] = (await readdir(join(folder, "assets"))).filter((name) => name.endsWith(".vocabulary"));
    await page.evaluate((name) => fetch(`./assets/${name}`).then((response) => response.arrayBuffer()), vocabulary);
    await release("The second version");
    await isWaiting(page);
    assert.equal(await title(page), before, "what is open stays what it is");

    await page.reload();
    await page.waitForFunction(() => document.title === "The second version");
    await page.waitForFunction(async (old) => !(await caches.keys()).includes(old), old);
    assert.equal((await page.evaluate(() => caches.keys())).length, 1);
    await demo.goOffline();
    await page.reload();
    assert.equal(await title(page), "The second version");
    await settled(page);
    // What was fetched of the old version and is the same in the new one is not fetched again.
    assert.ok(await page.evaluate((name) => fetch(`./assets/${name}`).then(({ ok }) => ok), vocabulary));
    page.assertQuiet(LEFT);
  });

  it("an open page keeps its version while another one is loaded", async () => {
    const before = await title(page);
    await kept(page);
    await release("The second version");
    await isWaiting(page);
    const second = await visit(page.context(), demo.address);
    await second.evaluate(() => navigator.serviceWorker.ready);
    // Time enough for a reload, if there were one.
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.deepEqual([await title(page), await title(second)], [before, before]);
    await page.close();
    await loadUntil(second, "The second version");
    assert.equal(await title(second), "The second version");
    second.assertQuiet(LEFT);
  });

  it("a version of which a file is another one's is refused, and the old one goes on", async () => {
    const before = await title(page);
    await kept(page);
    await release("The second version");
    // Half of a third version is there already.
    await writeFile(join(folder, "icon.svg"), "<svg xmlns='http://www.w3.org/2000/svg'/>");
    const ended = await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      const found = new Promise((resolve) => registration.addEventListener("updatefound", () => resolve(registration.installing), { once: true }));
      await registration.update();
      const fresh = await found;
      while (fresh.state === "installing") await new Promise((resolve) => setTimeout(resolve, 20));
      return fresh.state;
    });
    assert.equal(ended, "redundant");
    await demo.goOffline();
    await page.reload();
    assert.equal(await title(page), before);
  });
});

describe("what is no file of the page", () => {
  let demo;
  let other;
  let asked;
  before(async () => {
    demo = await openDemo({ mount: MOUNT });
    other = createServer((request, response) => {
      asked += 1;
      response.writeHead(200, { "access-control-allow-origin": "*" }).end(`answer ${asked}`);
    });
    await new Promise((resolve) => other.listen(0, "127.0.0.1", resolve));
    asked = 0;
  });
  after(async () => {
    await demo?.close();
    other?.closeAllConnections();
    other?.close();
  });

  it("is asked each time, and never kept: another origin's, and another folder's", async () => {
    const page = await demo.open();
    await kept(page);
    const address = `http://127.0.0.1:${other.address().port}/assets/index.html`;
    for (const turn of [1, 2]) assert.equal(await page.evaluate((address) => fetch(address).then((answer) => answer.text()), address), `answer ${turn}`);
    const elsewhere = await page.evaluate(() => Promise.all(["/", "/some/", "./none.json"].map((path) => fetch(path).then(({ status }) => status))));
    assert.deepEqual(elsewhere, [404, 404, 404]);
    const held = await page.evaluate(async () => {
      const [name] = await caches.keys();
      return (await (await caches.open(name)).keys()).map(({ url }) => url);
    });
    assert.ok(held.length > 4 && held.every((url) => url.startsWith(demo.address)), held.join("\n"));
    assert.ok(held.includes(demo.address) && !held.some((url) => url.endsWith("index.html")));
  });

  it("belongs to its own folder: two pages of one host leave each other's caches alone", async () => {
    const { port } = new URL(demo.address);
    const page = await demo.open();
    const [first] = await kept(page);
    await demo.goOffline();
    const site = await serve(BUILT, { mount: "/another/", port: Number(port) });
    try {
      const second = await visit(page.context(), site.address);
      const names = await kept(second);
      assert.equal(names.length, 2);
      assert.ok(names.includes(first));
    } finally {
      await site.close();
    }
  });
});
