// The example in a terminal: its commands, and the Escape key.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { chat, screenOn, tellOfCompactions } from "../../examples/node-agent/chat.mjs";
import { Terminal } from "../../examples/node-agent/terminal.mjs";
import { ESCAPE, fakeTty } from "./fake-tty.mjs";
import { openOn } from "./opening.mjs";
import { PROTOCOLS, provide, scratch } from "./setting.mjs";
import { promptOf } from "./story/turns.mjs";

const PORT = "The port of the importer is 4711.";

/** With these the next prompt starts a compaction by itself. */
const TIGHT = { compaction: { keepRecentTokens: 400, reserveTokens: 13_000 } };

/** An agent at a terminal, with some turns behind it: enough to compact by hand. */
async function sitDown(t, protocol, { turns = 12, branchSummary = false, onRequest, faults } = {}) {
  const provider = await provide(t, { onRequest, faults });
  const settings = { compaction: { keepRecentTokens: 400 }, branchSummary: { enabled: branchSummary } };
  const tty = fakeTty();
  const terminal = new Terminal(tty);
  const opened = await openOn(provider, protocol, await scratch(t), { settings, screen: screenOn(terminal) });
  tellOfCompactions(opened.companion, screenOn(terminal));
  for (let turn = 1; turn <= turns; turn += 1) await opened.agent.prompt(turn === 3 ? `Turn 3: ${PORT}` : promptOf(turn));
  const ended = chat({ ...opened, terminal, offersBranchSummary: branchSummary });
  t.after(async () => {
    terminal.close();
    await ended;
    assert.deepEqual(provider.violations, []);
    opened.companion.dispose();
  });
  await tty.until(/> $/);
  return { ...opened, ...tty, provider, ended };
}

/** Holds summary requests up until their client has left; tells when the first came. */
function holdSummaries() {
  let came;
  const held = new Promise((resolve) => (came = resolve));
  const onRequest = ({ kind }, closed) => {
    if (kind !== "summary") return undefined;
    came();
    return closed;
  };
  return { held, onRequest };
}

const numberOf = (rows, text) => rows.split("\n").find((row) => row.includes(text)).trim().split(" ")[0];

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

    test("/compact keeps what it is told to keep", async (t) => {
      const prompts = [];
      const onRequest = ({ kind }, _, request) => kind === "summary" && prompts.push(request.messages[0].parts[0].text);
      const { enter, until, session } = await sitDown(t, protocol, { onRequest });
      enter("/compact keep the port");
      const [, before, after] = await until(/Compacted: (\d+) tokens are now (\d+)\.\s*> $/);
      assert.ok(Number(after) < Number(before));
      assert.ok(prompts.length > 0 && prompts.every((prompt) => prompt.includes("keep the port")));
      assert.ok(session.buildSessionContext().messages[0].summary.includes(PORT));
    });

    test("/compact without instructions compacts, and once only", async (t) => {
      const { enter, until, session } = await sitDown(t, protocol);
      enter("/compact");
      await until(/Compacted: .*> $/s);
      assert.ok(!session.buildSessionContext().messages[0].summary.includes(PORT));
      enter("/compact");
      await until(/Nothing to compact: .*> $/s);
    });

    test("Escape stops /compact, and the session is as it was", async (t) => {
      const { held, onRequest } = holdSummaries();
      const { enter, press, until, session } = await sitDown(t, protocol, { onRequest });
      const before = session.toJsonl();
      enter("/compact");
      await held;
      press(ESCAPE);
      await until(/Stopped\. The session is as it was\.\s*> $/);
      assert.deepEqual(session.toJsonl(), before);
    });

    test("/tree goes back, with a summary of what is left behind, and gives the prompt back", async (t) => {
      const { enter, press, until, session, provider } = await sitDown(t, protocol, { branchSummary: true });
      const leaf = session.leafId;
      enter("/tree");
      const [rows] = await until(/1 .*Go to which number\? .*$/s);
      assert.match(rows, /-> .*Turn 12 is done/);
      enter(numberOf(rows, "user: Turn 10"));
      await until(/Summarise what you leave behind\? /);
      enter("y");
      await until(/Moved, with a summary of what you left\.\s*> Turn 10: /);
      const summary = session.entry(session.leafId);
      assert.deepEqual([summary.type, summary.fromId], ["branch_summary", leaf]);
      press("\r");
      await until(/Turn 10 is done.*> $/s);
      const texts = provider.last.messages.flatMap(({ parts }) => parts.map(({ text }) => text ?? ""));
      assert.ok(texts.some((text) => text.includes("<summary>")), "the summary was not sent");
      assert.ok(!texts.some((text) => text.includes("Turn 12:") && !text.includes("<summary>")), "the old branch was sent");
    });

    test("Escape stops the summary of a branch, and nothing has moved", async (t) => {
      const { held, onRequest } = holdSummaries();
      const { enter, press, until, session } = await sitDown(t, protocol, { branchSummary: true, onRequest });
      const before = [session.leafId, session.length];
      enter("/tree");
      await until(/Go to which number\? /);
      enter("1");
      await until(/Summarise/);
      enter("yes");
      await held;
      press(ESCAPE);
      await until(/Stopped\. Nothing changed\.\s*> $/);
      assert.deepEqual([session.leafId, session.length], before);
    });

    test("/tree asks for no summary where the setting is off or the user declines", async (t) => {
      for (const branchSummary of [false, true]) {
        const { enter, until, session, provider } = await sitDown(t, protocol, { turns: 4, branchSummary });
        enter("/tree");
        const [rows] = await until(/1 .*Go to which number\? .*$/s);
        enter(numberOf(rows, "assistant: Turn 2 is done"));
        if (branchSummary) {
          await until(/Summarise/);
          enter("");
        }
        await until(/Moved\.\s*> $/);
        assert.equal(session.entry(session.leafId).message.content[0].text.split(":")[0], "Turn 2 is done");
        assert.ok(provider.requests.every(({ kind }) => kind === "chat"));
      }
    });

    test("Escape, or a number that is none, leaves everything at a question", async (t) => {
      const { enter, press, until, session } = await sitDown(t, protocol, { turns: 2, branchSummary: true });
      const { leafId } = session;
      for (const answer of [() => press(ESCAPE), () => enter("99"), () => enter("")]) {
        enter("/tree");
        await until(/Go to which number\? /);
        answer();
        await until(/Nothing changed\.\s*> $/);
      }
      enter("/tree");
      await until(/Go to which number\? /);
      enter("1");
      await until(/Summarise/);
      press(ESCAPE);
      await until(/Nothing changed\.\s*> $/);
      assert.equal(session.leafId, leafId);
    });

    test("Escape stops an answer, and /continue goes on with it", async (t) => {
      let hold = true;
      const onRequest = (_, closed) => (hold ? closed : undefined);
      const { enter, press, until, session, provider } = await sitDown(t, protocol, { turns: 0, onRequest });
      enter(promptOf(3));
      while (provider.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      press(ESCAPE);
      await until(/> $/);
      assert.equal(session.path().at(-1).message.stopReason, "aborted");
      hold = false;
      enter("/continue");
      await until(/Noted\..*> $/s);
      enter("/continue");
      await until(/The last turn is complete\.\s*> $/);
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

    test("/help names every command, an unknown one is none, and /quit ends it", async (t) => {
      const { enter, until, ended } = await sitDown(t, protocol, { turns: 0 });
      enter("/help");
      await until(/\/compact \[instructions\].*\/tree.*\/continue.*\/help.*\/quit.*> $/s);
      for (const line of ["/nothing", "/constructor"]) {
        enter(line);
        await until(new RegExp(`There is no command ${line};.*> $`, "s"));
      }
      enter("/quit");
      await ended;
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
