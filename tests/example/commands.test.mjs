// What a slash does in the example's terminal.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AgentSession, Session } from "threadfold";
import { COMMANDS } from "../../examples/node-agent/commands.mjs";
import { ESCAPE } from "./fake-tty.mjs";
import { assistant, PROTOCOLS, user } from "./setting.mjs";
import { holdSummaries, PORT, sitDown } from "./sitting.mjs";
import { promptOf } from "./story/turns.mjs";

const numberOf = (rows, text) => rows.split("\n").find((row) => row.includes(text)).trim().split(" ")[0];

for (const protocol of PROTOCOLS) {
  describe(`the commands with ${protocol}`, () => {
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
  });
}

test("/tree says why there is no summary: nothing is left behind, or it does not fit", async () => {
  const model = { provider: "p", id: "m", contextWindow: 16_000 };
  for (const [last, line] of [["word ".repeat(60_000), /does not fit the model's window/], [undefined, /nothing to summarise/]]) {
    const session = Session.create();
    session.appendMessage(user("a"));
    session.appendMessage(assistant("b"));
    if (last === undefined) session.setLabel(session.leafId, "here");
    else session.appendMessage(assistant(last));
    const companion = new AgentSession({ session, model, summarize: "local" });
    const lines = [];
    const answers = ["2", "y"];
    const terminal = { line: (text) => lines.push(text), ask: async () => answers.shift() };
    await COMMANDS.tree.run({ companion, session, terminal, offersBranchSummary: true }, "");
    assert.match(lines.at(-2), line);
    assert.equal(lines.at(-1), "Moved.");
    companion.dispose();
  }
});
