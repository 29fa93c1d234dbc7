// The cases of tests/remote in Chromium, where the endpoint is of another origin than the page. They
// run in Node as well.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { cases } from "../remote/runs.mjs";
import { startEndpoint } from "../remote/server.mjs";
import { openBrowser, runCase } from "./harness.mjs";

/** The browser itself reports requests that fail, as many here are meant to. */
const ofNetwork = /^failed: http|^console: Failed to load resource/;

describe("a remote endpoint", () => {
  let endpoint;
  let browser;
  let page;
  before(async () => {
    endpoint = await startEndpoint();
    browser = await openBrowser({ connect: [endpoint.origin] });
    page = await browser.open();
  });
  after(async () => {
    await browser?.close();
    await endpoint?.stop();
  });

  cases.forEach(({ name }, number) => {
    test(name, async () => {
      const { failure, unhandled } = await page.evaluate(runCase, {
        module: "/tests/remote/runs.mjs",
        path: ["cases", number],
        argument: endpoint.origin,
      });
      const complaints = page.complaints.splice(0).filter((complaint) => !ofNetwork.test(complaint));
      assert.equal(failure, undefined, failure);
      assert.deepEqual(unhandled, []);
      assert.deepEqual(complaints, []);
    });
  });
});
