// Nothing of a run keeps a process alive: no timer of a wait, none of a request.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const story = new URL("../boundary/story.mjs", import.meta.url);

/** Runs a compaction in a process of its own. Each limit that it sets is longer than the test waits. */
function inProcess(options) {
  const script = `
    import { run, settings, story } from ${JSON.stringify(story.href)};
    const busy = () => { throw Object.assign(new Error("busy"), { status: 503 }); };
    const controller = new AbortController();
    const onEvent = ({ waitingUntil }) => waitingUntil && setTimeout(() => controller.abort(), 10);
    const { outcome } = await run(story(), { signal: controller.signal, sleep: undefined, ...(${options}) });
    console.log(outcome.status);
  `;
  return outputOf(script);
}

/** What a program prints that runs in a process of its own. */
function outputOf(script) {
  const { stdout, stderr, error } = spawnSync(process.execPath, ["--input-type=module", "--eval", script], {
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
    encoding: "utf8",
    timeout: 20_000,
  });
  assert.equal(error, undefined, `it did not end: ${stdout}${stderr}`);
  return stdout.trim() + stderr;
}

const cases = [
  ["a wait that was aborted", "{ settings: { ...settings, retry: { baseDelayMs: 900_000, maxDelayMs: 900_000 } }, summarize: busy, onEvent }", "cancelled"],
  ["a wait above what a timer takes that was aborted", "{ settings: { ...settings, retry: { baseDelayMs: 1e11, maxDelayMs: 1e12 } }, summarize: busy, onEvent }", "cancelled"],
  ["requests that were answered", "{}", "committed"],
  ["a request that was aborted", "{ summarize: () => { setTimeout(() => controller.abort(), 10); return new Promise(() => {}); } }", "cancelled"],
];
for (const [what, options, status] of cases) {
  test(`a process ends after ${what}`, () => assert.equal(inProcess(options), status));
}

test("a process ends after messages were folded, for which a second file is loaded", () => {
  const script = `
    import { foldMessages } from "threadfold";
    import { chat } from ${JSON.stringify(new URL("chats.mjs", import.meta.url).href)};
    const settings = { compaction: { keepRecentTokens: 500 } };
    const { outcome } = await foldMessages(chat("anthropic", 20), { format: "anthropic", summarize: "local", settings, force: true });
    console.log(outcome.status);
  `;
  assert.equal(outputOf(script), "committed");
});
