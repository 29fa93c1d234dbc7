// The loop of the example where something stops it: the user, the provider, or the end of its process.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AgentSession, Session } from "threadfold";
import { Agent } from "../../examples/node-agent/agent.mjs";
import { openOn } from "./opening.mjs";
import { assistant, PROTOCOLS, provide, scratch, user } from "./setting.mjs";
import { promptOf } from "./story/turns.mjs";

const roles = (session) => session.path().map(({ message }) => `${message.role} ${message.stopReason ?? ""}`.trim());

for (const protocol of PROTOCOLS) {
  describe(`the agent with ${protocol}`, () => {
    test("runs the tools that the model calls, and asks again", async (t) => {
      const provider = await provide(t);
      const { agent, session, companion } = await openOn(provider, protocol, await scratch(t));
      assert.equal(await agent.prompt(promptOf(1)), true);
      assert.deepEqual(roles(session), ["user", "assistant toolUse", "toolResult", "assistant stop"]);
      assert.equal(agent.isUnfinished, false);
      assert.deepEqual(provider.violations, []);
      companion.dispose();
    });

    test("is stopped in the middle of an answer, and goes on when asked to", async (t) => {
      const provider = await provide(t);
      let stops = 1;
      let opened;
      const text = () => stops-- > 0 && opened.agent.abort();
      opened = await openOn(provider, protocol, await scratch(t), { screen: { text } });
      const { agent, session, companion } = opened;
      await agent.prompt(promptOf(3));
      assert.deepEqual(roles(session), ["user", "assistant aborted"]);
      assert.equal(agent.isUnfinished, true);
      await agent.resume();
      assert.deepEqual(roles(session), ["user", "assistant aborted", "assistant stop"]);
      companion.dispose();
    });

    test("gives every call a result when it is stopped between two", async (t) => {
      const provider = await provide(t);
      let opened;
      const called = [];
      const call = ({ name }) => {
        called.push(name);
        if (called.length === 1) opened.agent.abort();
      };
      opened = await openOn(provider, protocol, await scratch(t), { screen: { call } });
      const { agent, session, companion } = opened;
      await agent.prompt(promptOf(2));
      assert.deepEqual(roles(session), ["user", "assistant toolUse", "toolResult", "toolResult"]);
      await agent.prompt(promptOf(3));
      assert.deepEqual(provider.violations, []);
      companion.dispose();
    });

    test("keeps a failure in the session and tells of it, and may go on later", async (t) => {
      const provider = await provide(t, { faults: [{ fault: "overloaded", times: 5 }] });
      const { agent, session, companion, notices } = await openOn(provider, protocol, await scratch(t));
      await agent.prompt(promptOf(3));
      assert.deepEqual(roles(session), ["user", "assistant error"]);
      assert.match(notices.at(-1), /^The model failed: 5(29|03) .*overloaded/i);
      await agent.resume();
      assert.deepEqual(roles(session).slice(2), ["assistant stop"]);
      assert.deepEqual(provider.violations, []);
      companion.dispose();
    });

    /** A process has ended between a call and its result, and this is the next one. */
    const openAfterCall = async (t, provider) => {
      const folder = await scratch(t);
      const { companion } = await openOn(provider, protocol, folder);
      await companion.append(user(promptOf(1)));
      await companion.append(assistant("", ["c1", "write", { path: "src/part-1.mjs", content: "" }]));
      companion.dispose();
      const opened = await openOn(provider, protocol, folder);
      assert.equal(opened.agent.isUnfinished, true);
      return opened;
    };

    test("takes another prompt where its process ended during a call", async (t) => {
      const provider = await provide(t);
      const { agent, session, companion } = await openAfterCall(t, provider);
      await agent.prompt(promptOf(3));
      assert.deepEqual(roles(session), ["user", "assistant toolUse", "user", "assistant stop"]);
      assert.deepEqual(provider.violations, []);
      companion.dispose();
    });

    test("does not repeat a call that may have been carried out before its process ended", async (t) => {
      const provider = await provide(t);
      const { agent, session, companion } = await openAfterCall(t, provider);
      await agent.resume();
      assert.deepEqual(roles(session), ["user", "assistant toolUse", "toolResult", "assistant stop"]);
      assert.match(session.path()[2].message.content[0].text, /Look at what it did/);
      assert.equal(session.path()[2].message.isError, true);
      assert.deepEqual(provider.violations, []);
      companion.dispose();
    });
  });
}

test("the agent asks again without the answer that was cut off for want of room, and keeps it out of its sight", async () => {
  const session = Session.create();
  for (let turn = 0; turn < 6; turn += 1) {
    session.appendMessage(user(`Turn ${turn}. ${"word ".repeat(1_350)}`));
    session.appendMessage(assistant("Done."));
  }
  const model = { provider: "p", id: "m", contextWindow: 16_000, maxOutputTokens: 2_000 };
  const companion = new AgentSession({ session, model, summarize: "local", settings: { compaction: { keepRecentTokens: 2_000 } } });
  const usage = { input: 16_001, output: 3, cacheRead: 0, cacheWrite: 0 };
  const cut = { ...assistant("It was cut o"), stopReason: "length", usage };
  const answers = [cut, assistant("", ["c1", "no such tool", {}]), assistant("All of it.")];
  const asked = [];
  const provider = { name: "p", ask: async ({ messages }) => (asked.push(messages), { ...answers.shift(), provider: "p", model: "m" }) };
  const screen = { text() {}, call() {}, notice() {} };
  await new Agent({ companion, session, provider, model, workplace: {}, screen }).prompt("and now?");
  assert.equal(asked.length, 3);
  assert.deepEqual(asked.map((messages) => messages.some(({ content }) => content[0].text === "It was cut o")), [false, false, false]);
  assert.equal(asked[1].at(-1).content, "and now?");
  assert.equal(session.path().filter(({ message }) => message?.stopReason === "length").length, 1);
  companion.dispose();
});
