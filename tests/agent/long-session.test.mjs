// A session of 200 turns in a window of 16 000 tokens, with all that goes wrong with a provider.

import assert from "node:assert/strict";
import { test } from "node:test";
import { openOn } from "./opening.mjs";
import { PROTOCOLS, provide, scratch } from "./setting.mjs";
import { assertRemembered, MISHAPS, play } from "./story/play.mjs";

for (const protocol of PROTOCOLS) {
  test(`200 turns with ${protocol}: a fact of turn 3 is known at the end`, async (t) => {
    const provider = await provide(t, { faults: MISHAPS });
    const opened = await openOn(provider, protocol, await scratch(t));
    const reasons = [];
    opened.companion.on("auto_compaction_end", ({ reason, errorMessage }) => reasons.push(errorMessage ?? reason));
    await play(opened);
    assertRemembered(provider, opened.session);
    assert.deepEqual([...new Set(reasons)].sort(), ["overflow", "threshold"]);
    assert.equal(reasons.filter((reason) => reason === "overflow").length, 1);
    assert.equal(provider.requests.filter(({ outcome }) => outcome === "too-long").length, 1, "only the overflow that was planned");
    opened.companion.dispose();
  });

  test(`200 turns with ${protocol}: a compaction that is stopped costs nothing`, async (t) => {
    let opened;
    const stopAt = [1, 4, 9];
    const provider = await provide(t, {
      faults: MISHAPS,
      async onRequest({ kind, number }, closed) {
        if (kind !== "summary" || !stopAt.includes(number)) return;
        const before = opened.session.length;
        opened.agent.abort();
        await closed;
        assert.equal(opened.session.length, before);
      },
    });
    opened = await openOn(provider, protocol, await scratch(t));
    let stopped = 0;
    opened.companion.on("auto_compaction_end", ({ aborted }) => (stopped += aborted ? 1 : 0));
    await play(opened);
    assert.equal(stopped, stopAt.length);
    assertRemembered(provider, opened.session);
    opened.companion.dispose();
  });
}
