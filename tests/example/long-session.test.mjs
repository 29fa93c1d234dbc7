// A session of 200 turns in a window of 16 000 tokens, with all that goes wrong with a provider.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openOn } from "./opening.mjs";
import { PROTOCOLS, provide, scratch } from "./setting.mjs";
import { assertRemembered, MISHAPS, play } from "./story/play.mjs";

// Each waits for the disk and for its answers a good part of the time: side by side they take less.
describe("a session of 200 turns", { concurrency: true }, () => {
  for (const protocol of PROTOCOLS) {
    test(`with ${protocol}: a fact of turn 3 is known at the end`, async (t) => {
      const provider = await provide(t, { faults: MISHAPS });
      const opened = await openOn(provider, protocol, await scratch(t));
      const reasons = [];
      opened.companion.on("auto_compaction_end", ({ reason, errorMessage }) => reasons.push(errorMessage ?? reason));
      await play(opened);
      assertRemembered(provider, opened.session);
      assert.deepEqual([...new Set(reasons)].sort(), ["overflow", "threshold"]);
      assert.equal(reasons.filter((reason) => reason === "overflow").length, 1);
      opened.companion.dispose();
    });

    test(`with ${protocol}: stopping an answer or a compaction costs nothing`, async (t) => {
      let opened;
      const stopAt = [
        ...[1, 4, 9].map((first) => ({ kind, number }) => kind === "summary" && number >= first),
        ...[50, 120].map((first) => ({ kind, turn }) => kind === "chat" && turn >= first),
      ];
      const provider = await provide(t, {
        faults: MISHAPS,
        async onRequest(record, closed) {
          const index = stopAt.findIndex((meets) => meets(record));
          if (index < 0) return;
          stopAt.splice(index, 1);
          opened.agent.abort();
          await closed;
        },
      });
      opened = await openOn(provider, protocol, await scratch(t));
      const { companion, session } = opened;
      let before;
      const unchanged = [];
      companion.on("auto_compaction_start", () => (before = session.toJsonl()));
      companion.on("auto_compaction_end", ({ aborted }) => aborted && unchanged.push(Buffer.compare(session.toJsonl(), before) === 0));
      await play(opened);
      assert.deepEqual(stopAt, []);
      assert.deepEqual(unchanged, [true, true, true]);
      assert.equal(session.entries().filter(({ message }) => message?.stopReason === "aborted").length, 2);
      assertRemembered(provider, session);
      companion.dispose();
    });
  }
});
