// Taking back an entry that was appended, as the facade sees it: which objects stay the same.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { internals } from "./internals.mjs";

const { Session, compact, stateOf } = await internals("state");

const user = (content) => ({ role: "user", content });

/** A session of so many messages, and their ids. */
function told(count) {
  const session = Session.create();
  const messages = Array.from({ length: count }, (_, index) => user(`message ${index}`));
  const ids = messages.map((message) => session.appendMessage(message));
  return { session, messages, ids };
}

const withdraw = (session, id) => stateOf(session).withdraw(stateOf(session).require("test", id));

describe("an entry that was taken back", () => {
  test("is gone, and what was below it hangs below its parent", () => {
    const { session, ids } = told(4);
    const before = session.entries();
    withdraw(session, ids[1]);
    assert.equal(session.entry(ids[1]), undefined);
    assert.deepEqual(session.path().map(({ id, parentId }) => [id, parentId]), [[ids[0], null], [ids[2], ids[0]], [ids[3], ids[2]]]);
    assert.deepEqual(session.tree().nodes.get(ids[0]), { parentId: null, childIds: [ids[2]] });
    assert.deepEqual(JSON.parse(new TextDecoder().decode(session.toJsonl()).split("\n")[2]), session.entry(ids[2]));
    assert.equal(session.entry(ids[3]), before[3]);
  });

  test("leaves the host's own messages what they are", () => {
    for (const asked of [true, false]) {
      const { session, messages, ids } = told(4);
      if (asked) session.buildSessionContext();
      withdraw(session, ids[1]);
      const { messages: seen } = session.buildSessionContext();
      for (const [at, index] of [0, 2, 3].entries()) assert.equal(seen[at], messages[index]);
      for (const index of [2, 3]) assert.equal(session.entry(ids[index]).message, messages[index]);
      assert.ok(Object.isFrozen(session.entry(ids[2])));
    }
  });

  test("is gone from every block of a long session", () => {
    const { session, messages, ids } = told(2_100);
    session.entries();
    withdraw(session, ids[3]);
    assert.deepEqual(session.entries().map(({ id }) => id), ids.filter((id) => id !== ids[3]));
    assert.equal(session.buildSessionContext().messages[1_500], messages[1_501]);
    assert.equal(session.entry(ids[2_099]).message, messages[2_099]);
    const last = session.appendMessage(user("one more"));
    assert.equal(session.entry(last).parentId, ids[2_099]);
    assert.equal(session.entries().length, 2_100);
  });

  test("at the leaf moves it to the parent, and the next entry takes its number", () => {
    const { session, ids } = told(2);
    session.entries();
    withdraw(session, ids[1]);
    assert.equal(session.leafId, ids[0]);
    const next = session.appendMessage(user("next"));
    assert.equal(session.entries()[1], session.entry(next));
    assert.equal(session.entry(next).parentId, ids[0]);
    withdraw(session, next);
    withdraw(session, ids[0]);
    assert.deepEqual([session.leafId, session.entries()], [null, []]);
  });

  test("behind what was loaded leaves that alone", () => {
    const { session: first, ids } = told(3);
    const session = Session.fromJsonl(first.toJsonl());
    const loaded = session.entries();
    const id = session.appendMessage(user("new"));
    const below = session.appendMessage(user("below"));
    session.entries();
    withdraw(session, id);
    assert.equal(session.entry(below).parentId, ids[2]);
    for (const entry of loaded) assert.equal(session.entry(entry.id), entry);
    assert.throws(() => withdraw(session, ids[2]), { code: "invalid-argument" });
    assert.equal(session.length, 4);
  });

  test("takes its label, and what it pruned, along", () => {
    const session = Session.create();
    const call = { type: "toolCall", id: "c", name: "bash", arguments: {} };
    session.appendMessage({ role: "assistant", content: [call], stopReason: "toolUse" });
    const result = session.appendMessage({ role: "toolResult", toolCallId: "c", toolName: "bash", content: "line ".repeat(900), isError: false });
    session.setLabel(result, "before");
    const label = session.setLabel(result, "after");
    const prune = { protectTokens: 0, minimumSavings: 1, mode: "overlay" };
    const shown = () => session.buildSessionContext().messages[1].content;
    const original = shown();
    assert.equal(session.pruneToolOutputs(prune).prunedCount, 1);
    assert.notEqual(shown(), original);
    withdraw(session, session.leafId);
    assert.equal(shown(), original);
    withdraw(session, label);
    assert.equal(session.label(result), "before");
  });

  test("moves the prune entries behind it, which show the same objects", () => {
    const session = Session.create();
    const call = { type: "toolCall", id: "c", name: "bash", arguments: {} };
    session.appendMessage({ role: "assistant", content: [call], stopReason: "toolUse" });
    session.appendMessage({ role: "toolResult", toolCallId: "c", toolName: "bash", content: "line ".repeat(900), isError: false });
    const gone = session.appendMessage(user("gone"));
    session.pruneToolOutputs({ protectTokens: 0, minimumSavings: 1, mode: "overlay" });
    const shown = session.buildSessionContext().messages[1];
    withdraw(session, gone);
    assert.equal(session.buildSessionContext().messages[1], shown);
  });

  test("leaves a preparation with the messages that it names", () => {
    const { session, ids } = told(6);
    const settings = { compaction: { keepRecentTokens: 8, reserveTokens: 1 } };
    const { preparation } = session.prepareCompaction({ settings });
    const named = preparation.messagesToSummarize;
    assert.ok(named.length > 2);
    withdraw(session, ids[5]);
    assert.deepEqual(preparation.messagesToSummarize, named);
    withdraw(session, ids[0]);
    assert.throws(() => preparation.messagesToSummarize, { code: "unknown-entry" });
  });

  test("while a compaction is made makes its plan stale, and nothing else changes", async () => {
    for (const number of [0, 3, 5]) {
      const { session, ids } = told(6);
      const expected = ids.filter((id) => id !== ids[number]);
      const summarize = () => {
        if (session.entry(ids[number])) withdraw(session, ids[number]);
        return "it went on";
      };
      const settings = { compaction: { keepRecentTokens: 8, reserveTokens: 1 } };
      const { status, error } = await compact(session, { summarize, settings });
      assert.deepEqual([status, error.code], ["failed", "stale"], error.message);
      assert.deepEqual(session.entries().map(({ id }) => id), expected);
    }
  });

  test("is told to those who watch the session, as appends and prunes are", () => {
    const { session, ids } = told(2);
    const heard = [];
    const leave = stateOf(session).changes.on("change", (change) => heard.push(change));
    session.appendMessage(user("a"));
    session.appendCompaction({ summary: "what went on", firstKeptEntryId: ids[1], tokensBefore: 1 });
    session.setLabel(ids[0], "here");
    session.branchWithSummary(ids[0], "left");
    assert.throws(() => session.append({ type: "label", targetId: "none" }));
    assert.deepEqual(heard.splice(0), Array(4).fill({ type: "appended" }));
    withdraw(session, session.leafId);
    assert.deepEqual(heard.splice(0), [{ type: "withdrawn", index: 5 }]);
    session.branch(ids[0]);
    session.pruneToolOutputs();
    session.restoreToolOutputs();
    assert.deepEqual(heard, []);
    leave();
    session.appendMessage(user("b"));
    assert.deepEqual(heard, []);
  });
});
