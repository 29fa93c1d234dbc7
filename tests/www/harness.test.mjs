// The measures of the other tests find what they are there to find.

import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { assertAccessible, openDemo, tasksDuring } from "./harness.mjs";
import { settled } from "./visitor.mjs";

let demo;
let page;
before(async () => {
  demo = await openDemo();
  page = await demo.open();
  await settled(page);
});
after(() => demo?.close());

it("a long task of the page's thread is in the trace", async () => {
  const [longest] = await tasksDuring(page, async () => {
    await page.evaluate(() => new Promise((resolve) => setTimeout(() => {
      const end = performance.now() + 300;
      while (performance.now() < end);
      resolve();
    })));
  });
  // On a busy machine other programs take a part of it.
  assert.ok(longest > 100, `${longest} ms`);
});

it("what has no name is a finding, and so is a message on the console", async () => {
  await page.evaluate(() => {
    document.body.append(document.createElement("button"));
    console.log("said");
  });
  await assert.rejects(assertAccessible(page, "a button without a name"), /button-name/);
  assert.throws(() => page.assertQuiet(), /said/);
  page.assertQuiet([/said$/]);
});
