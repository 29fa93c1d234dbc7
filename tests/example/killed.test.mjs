// An agent that is killed at any moment goes on from its session file.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { openOn } from "./opening.mjs";
import { PROTOCOLS, provide, scratch } from "./setting.mjs";
import { assertRemembered, MISHAPS } from "./story/play.mjs";

const script = fileURLToPath(new URL("story/child.mjs", import.meta.url));

// Each waits for the disk and for its answers a good part of the time: side by side they take less.
describe("a session of 200 turns, killed", { concurrency: true }, () => {
  for (const protocol of PROTOCOLS) {
    test(`with ${protocol}: three times, and nothing is lost`, async (t) => {
      let child;
      // In the middle of a turn with tools, of a summary, and of a turn once more.
      const killAt = [({ turn }) => turn === 30, ({ kind, number }) => kind === "summary" && number >= 8, ({ turn }) => turn === 130];
      const provider = await provide(t, {
        faults: MISHAPS,
        async onRequest(record, closed) {
          const index = killAt.findIndex((meets) => meets(record));
          if (index < 0) return;
          killAt.splice(index, 1);
          child.kill("SIGKILL");
          await closed;
        },
      });
      const folder = await scratch(t);
      t.after(() => child.kill("SIGKILL"));
      const endings = [];
      while (endings.length < 4) {
        child = spawn(process.execPath, [...process.execArgv, script, protocol, provider.baseURL[protocol], folder], { stdio: ["ignore", "inherit", "inherit"] });
        const [code, signal] = await once(child, "exit");
        endings.push(signal ?? code);
        if (code !== null) break;
      }
      assert.deepEqual(endings, ["SIGKILL", "SIGKILL", "SIGKILL", 0]);
      const { session, companion } = await openOn(provider, protocol, folder);
      assert.deepEqual(session.diagnostics, []);
      assertRemembered(provider, session);
      companion.dispose();
    });
  }
});
