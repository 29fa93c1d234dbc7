// The cases of tests/boundary in Node. They run in Chromium as well.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { groups } from "../boundary/all.mjs";

/** Runs a case and gives what went wrong beside it. */
async function listening(run) {
  const heard = [];
  const logged = [];
  const hear = (kind) => (reason) => heard.push(`${kind}: ${reason?.stack ?? reason}`);
  const events = { unhandledRejection: hear("unhandled rejection"), warning: hear("warning") };
  const { error } = console;
  console.error = (...parts) => logged.push(parts.join(" "));
  for (const [name, listener] of Object.entries(events)) process.on(name, listener);
  try {
    await run();
    // Rejections are reported once the tasks of a turn are done.
    await new Promise((resolve) => setTimeout(resolve, 1));
  } finally {
    for (const [name, listener] of Object.entries(events)) process.off(name, listener);
    console.error = error;
  }
  return { heard, logged };
}

for (const [group, cases] of Object.entries(groups)) {
  describe(group, () => {
    for (const { name, run, complaints = 0 } of cases) {
      test(name, async () => {
        const { heard, logged } = await listening(run);
        assert.deepEqual(heard, []);
        assert.equal(logged.length, complaints, logged.join("\n"));
      });
    }
  });
}
