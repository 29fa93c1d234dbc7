// A page whose policy lets it connect to its own origin alone, and an endpoint of another one.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startEndpoint } from "../remote/server.mjs";
import { openBrowser } from "./harness.mjs";

let browser;
let endpoint;
before(async () => {
  endpoint = await startEndpoint();
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await endpoint?.stop();
});

/** Compacts in the page by the endpoint, and behind it by a callback where there is one. */
async function compactInPage(page, withCallback) {
  return page.evaluate(
    async ({ remoteEndpoint, withCallback }) => {
      const { init } = await import("threadfold");
      await init();
      const { endsAs, reply, settings, story } = await import("/tests/boundary/story.mjs");
      const options = {
        settings: { compaction: { ...settings.compaction, remoteEndpoint }, retry: { maxRetries: 1 } },
        summarize: withCallback ? reply : undefined,
      };
      const { outcome } = await endsAs(withCallback ? "committed" : "failed", story(), options);
      return { summarizer: outcome.summarizer, code: outcome.error?.code, message: outcome.error?.message };
    },
    { remoteEndpoint: `${endpoint.origin}/summary?id=${withCallback}`, withCallback },
  );
}

for (const withCallback of [true, false]) {
  test(`an endpoint that the policy forbids is out of reach, ${withCallback ? "and the callback serves" : "and the run fails"}`, async () => {
    const page = await browser.open();
    const { summarizer, code, message } = await compactInPage(page, withCallback);
    if (withCallback) assert.equal(summarizer, "callback");
    else {
      assert.equal(code, "remote-failed");
      assert.match(message, /the remote endpoint could not be reached/);
    }
    assert.equal(await (await fetch(`${endpoint.origin}/received?id=${withCallback}`)).text(), "null");
    assert.ok(page.complaints.some((complaint) => /connect-src/.test(complaint)), page.complaints.join("\n"));
    assert.ok(!page.complaints.some((complaint) => complaint.startsWith("uncaught")), page.complaints.join("\n"));
  });
}
