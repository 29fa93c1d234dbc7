// The page as static files: from any folder of a host, under its policy, asking nobody else.

import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { extname } from "node:path";
import { after, before, describe, it } from "node:test";
import { serve } from "../../www/serve.mjs";
import { BUILT, openDemo } from "./harness.mjs";
import { settled } from "./visitor.mjs";

describe("the page in a folder of a host", () => {
  let demo;
  before(async () => (demo = await openDemo({ mount: "/some/folder/" })));
  after(() => demo?.close());

  it("shows the sample, says nothing on the console, and asks no other origin", async () => {
    const page = await demo.open();
    await settled(page);
    page.assertQuiet();
    const elsewhere = page.asked.filter((address) => !address.startsWith(demo.address) && !address.startsWith("data:") && !address.startsWith("blob:"));
    assert.deepEqual(elsewhere, []);
    const { origin } = new URL(demo.address);
    assert.equal((await fetch(`${origin}/assets/`)).status, 404);
    assert.equal((await fetch(`${origin}/some/folder`, { redirect: "manual" })).headers.get("location"), "/some/folder/");
  });

  it("allows no script of a session to run, and none of a string", async () => {
    const page = await demo.open();
    const attempts = await page.evaluate(() => {
      const script = document.createElement("script");
      const attempt = (act) => {
        try {
          act();
          return "went";
        } catch (error) {
          return error.name;
        }
      };
      return [
        attempt(() => (document.body.innerHTML = "<b>x</b>")),
        attempt(() => (script.src = "https://other.example/x.js")),
        attempt(() => new Worker("./x.js")),
        attempt(() => setTimeout("1")),
      ];
    });
    assert.deepEqual(attempts, ["TypeError", "TypeError", "TypeError", "TypeError"]);
    const reached = await page.evaluate(() => fetch("http://other.example/").then(() => "went", () => "refused"));
    assert.equal(reached, "refused");
    assert.ok(page.complaints.some((complaint) => /other\.example.* violates .*connect-src/.test(complaint)), page.complaints.join("\n"));
  });
});

describe("what serves the page", () => {
  let site;
  before(async () => (site = await serve(BUILT)));
  after(() => site?.close());

  it("sends the policy that stands in the page with every file", async () => {
    const html = await (await fetch(site.address)).text();
    const [, policy] = /http-equiv="Content-Security-Policy"\s+content="([^"]+)"/.exec(html);
    assert.match(policy, /^default-src 'none'; .*require-trusted-types-for 'script'/);
    assert.doesNotMatch(policy, /'unsafe-inline'|'unsafe-eval'/);
    for (const { address, response } of await everyFile(site.address)) assert.equal(response.headers.get("content-security-policy"), policy, address);
  });

  it("names the type of every file, and has no others", async () => {
    const types = {
      ".css": /^text\/css/,
      ".html": /^text\/html;charset=utf-8$/,
      ".js": /^text\/javascript/,
      ".jsonl": /^application\/jsonl$/,
      ".md": /^text\/markdown/,
      ".svg": /^image\/svg\+xml/,
      ".vocabulary": /^application\/octet-stream$/,
      ".wasm": /^application\/wasm$/,
    };
    const files = await everyFile(site.address);
    for (const { address, response } of files) {
      assert.equal(response.status, 200, address);
      assert.match(response.headers.get("content-type"), types[extname(address)] ?? /no such type/, address);
    }
    const met = new Set(files.map(({ address }) => extname(address)));
    assert.deepEqual([...met].sort(), Object.keys(types).sort());
    for (const path of ["none.js", "assets", "../package.json", "%2e%2e/package.json", "..%2fpackage.json"]) {
      assert.equal((await fetch(site.address + path)).status, 404, path);
    }
  });

  async function everyFile(base) {
    const found = await readdir(BUILT, { recursive: true, withFileTypes: true });
    const names = found.filter((file) => file.isFile()).map((file) => `${(file.parentPath ?? file.path).slice(BUILT.length + 1)}/${file.name}`.replace(/^\//, ""));
    return Promise.all(names.map(async (name) => ({ address: base + name, response: await fetch(base + name) })));
  }
});
