// The cases of tests/boundary in Chromium. They run in Node as well.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { groups } from "../boundary/all.mjs";
import { openBrowser } from "./harness.mjs";

let browser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser?.close());

/** Runs one case in the page; gives the error it ended with and the rejections that nobody handled. */
async function inPage({ group, number }) {
  const { init } = await import("threadfold");
  await init();
  const { groups } = await import("/tests/boundary/all.mjs");
  const unhandled = [];
  const hear = (event) => unhandled.push(String(event.reason?.stack ?? event.reason));
  addEventListener("unhandledrejection", hear);
  try {
    await groups[group][number].run();
    await new Promise((resolve) => setTimeout(resolve, 1));
    return { unhandled };
  } catch (error) {
    return { unhandled, failure: String(error?.stack ?? error) };
  } finally {
    removeEventListener("unhandledrejection", hear);
  }
}

for (const [group, cases] of Object.entries(groups)) {
  describe(group, () => {
    let page;
    before(async () => {
      page = await browser.open();
    });
    cases.forEach(({ name, complaints = 0 }, number) => {
      test(name, async () => {
        const { failure, unhandled } = await page.evaluate(inPage, { group, number });
        const logged = page.complaints.splice(0);
        assert.equal(failure, undefined, failure);
        assert.deepEqual(unhandled, []);
        assert.equal(logged.length, complaints, logged.join("\n"));
      });
    });
  });
}
