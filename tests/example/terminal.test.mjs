// The example in a terminal: what it shows, and the keys that it hears.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ESCAPE } from "./fake-tty.mjs";
import { PROTOCOLS } from "./setting.mjs";
import { holdSummaries, sitDown } from "./sitting.mjs";
import { promptOf } from "./story/turns.mjs";

/** With these the next prompt starts a compaction by itself. */
const TIGHT = { compaction: { keepRecentTokens: 400, reserveTokens: 13_000 } };

for (const protocol of PROTOCOLS) {
  describe(`in a terminal with ${protocol}`, () => {
    test("a line is answered, as it streams in", async (t) => {
      const { enter, until, session } = await sitDown(t, protocol, { turns: 0 });
      enter("Hello");
      await until(/Noted\.\n> $/);
      assert.equal(session.length, 2);
    });

    test("calls and notices have lines of their own", async (t) => {
      const { enter, until } = await sitDown(t, protocol, { turns: 0, faults: [{ fault: "overloaded" }] });
      enter(promptOf(1));
      await until(/\n\(5(29|03) [^{}\n]*overloaded[^{}\n]*; again in 1 s\)\r?\nI look at turn 1\.\r?\n\* write src\/part-1\.mjs\r?\nTurn 1 is done: write\.\r?\n> $/i);
    });

    test("a compaction that starts by itself is told of, with its waits and how it ends", async (t) => {
      const { companion, enter, until } = await sitDown(t, protocol, { faults: [{ of: "summary", fault: "overloaded" }] });
      companion.setSettings(TIGHT);
      enter(promptOf(13));
      await until(/\n\(The context is nearly full; compacting it\)\r?\n\(The summary waits for the model until [^\n]*\)\r?\n\(Compacted: \d+ tokens are now \d+\)\r?\n.*> $/s);
    });

    test("Escape stops a compaction that started by itself, and gives the prompt back", async (t) => {
      const { held, onRequest } = holdSummaries();
      const { companion, enter, press, until, session } = await sitDown(t, protocol, { onRequest });
      const before = session.toJsonl();
      companion.setSettings(TIGHT);
      enter(promptOf(13));
      await held;
      press(ESCAPE);
      await until(/\n\(Compaction stopped; nothing has changed\)\r?\n> Turn 13: Write /);
      assert.deepEqual(session.toJsonl(), before);
    });

    test("a compaction that starts by itself and fails is told of once, and the turn goes on", async (t) => {
      const { companion, enter, until } = await sitDown(t, protocol, { faults: [{ of: "summary", fault: "wrong-key" }] });
      companion.setSettings(TIGHT);
      enter(promptOf(13));
      await until(/\n\(The context is nearly full; compacting it\)\r?\n\(Auto-compaction failed: [^\n]*key[^\n]*\)\r?\nI look at turn 13\..*Turn 13 is done.*> $/s);
    });

    test("Escape at the prompt empties the line", async (t) => {
      const { enter, press, until, session } = await sitDown(t, protocol, { turns: 0 });
      press("half a line");
      press(ESCAPE);
      await until(/> $/);
      enter("Hello");
      await until(/Noted\.\n> $/);
      assert.equal(session.path()[0].message.content, "Hello");
    });

    test("Ctrl-C stops what is going on, and at the prompt ends it", async (t) => {
      const { held, onRequest } = holdSummaries();
      const { enter, press, until, ended } = await sitDown(t, protocol, { onRequest });
      enter("/compact");
      await held;
      press("\u0003");
      await until(/Stopped\..*> $/s);
      press("\u0003");
      await ended;
    });

    test("lines that are typed ahead are taken one after the other", async (t) => {
      const { press, until, session } = await sitDown(t, protocol, { turns: 0 });
      press("Hello\rAnd?\r");
      await until(/Noted\..*Noted\.\s*> $/s);
      assert.equal(session.length, 4);
    });
  });
}
