// The cases of tests/boundary in Chromium. They run in Node as well.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { groups } from "../boundary/all.mjs";
import { openBrowser, runCase } from "./harness.mjs";

let browser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser?.close());

for (const [group, cases] of Object.entries(groups)) {
  describe(group, () => {
    let page;
    before(async () => {
      page = await browser.open();
    });
    cases.forEach(({ name, complaints = 0 }, number) => {
      test(name, async () => {
        const { failure, unhandled } = await page.evaluate(runCase, { module: "/tests/boundary/all.mjs", path: ["groups", group, number] });
        const logged = page.complaints.splice(0);
        assert.equal(failure, undefined, failure);
        assert.deepEqual(unhandled, []);
        assert.equal(logged.length, complaints, logged.join("\n"));
      });
    });
  });
}
