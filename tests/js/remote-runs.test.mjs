// The cases of tests/remote in Node. They run in Chromium as well.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { cases } from "../remote/runs.mjs";
import { startEndpoint } from "../remote/server.mjs";

describe("a remote endpoint", () => {
  const heard = [];
  const hear = (reason) => heard.push(String(reason?.stack ?? reason));
  let endpoint;
  before(async () => {
    endpoint = await startEndpoint();
    for (const name of ["unhandledRejection", "warning"]) process.on(name, hear);
  });
  after(async () => {
    for (const name of ["unhandledRejection", "warning"]) process.off(name, hear);
    await endpoint.stop();
  });

  for (const { name, run } of cases) {
    test(name, async () => {
      await run(endpoint.origin);
      await new Promise((resolve) => setTimeout(resolve, 1));
      assert.deepEqual(heard.splice(0), []);
    });
  }
});
