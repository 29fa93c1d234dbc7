// Branches that are left: which entries they are, and what of them fits a budget.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { estimateTokens, Session } from "threadfold";
import { assertLegal } from "./legal-view.mjs";
import { throwsCode } from "./throws.mjs";

const user = (content) => ({ role: "user", content });
const calls = (...uses) => ({
  role: "assistant",
  content: uses.map(([id, name, path]) => ({ type: "toolCall", id, name, arguments: { path } })),
  stopReason: "toolUse",
});
const result = (toolCallId, text) => ({ role: "toolResult", toolCallId, toolName: "t", content: [{ type: "text", text }], isError: false });
const ids = (entries) => entries.map(({ id }) => id);
const budget = (session, entries) => session.prepareBranchEntries(entries, 1e6).totalTokens;

/** A with two branches: B (reads a.ts), its result, C, D (edits b.ts, not answered); and E. */
function fork(options) {
  const session = Session.create(options);
  const a = session.appendMessage(user("A"));
  const b = session.appendMessage(calls(["r", "read", "a.ts"]));
  const r = session.appendMessage(result("r", "text of a.ts"));
  const c = session.appendMessage(user("C"));
  const d = session.appendMessage(calls(["w", "edit", "b.ts"]));
  session.branch(a);
  const e = session.appendMessage(user("E"));
  return { session, a, b, r, c, d, e };
}

describe("collectEntriesForBranchSummary", () => {
  it("gives the entries below the deepest common ancestor, oldest first, each the object it always is", () => {
    const { session, a, b, r, c, d, e } = fork();
    const { entries, commonAncestorId } = session.collectEntriesForBranchSummary(d, e);
    assert.deepEqual([ids(entries), commonAncestorId], [[b, r, c, d], a]);
    assert.ok(entries.every((entry) => entry === session.entry(entry.id)));
    assert.equal(session.leafId, e, "nothing has moved");
  });

  it("knows ancestor, descendant, the leaf itself, and the place before the first entry", () => {
    const { session, a, b, r, c, d, e } = fork();
    const left = (from, to) => {
      const { entries, commonAncestorId } = session.collectEntriesForBranchSummary(from, to);
      return [ids(entries), commonAncestorId];
    };
    assert.deepEqual(left(d, r), [[c, d], r]);
    assert.deepEqual(left(b, d), [[], b]);
    assert.deepEqual(left(d, d), [[], d]);
    assert.deepEqual(left(e, null), [[a, e], null]);
    assert.deepEqual(left(null, e), [[], null]);
    session.resetLeaf();
    assert.deepEqual(left(e, session.appendMessage(user("another root"))), [[a, e], null]);
  });

  it("looks beyond a compaction, which is a part of the branch", () => {
    const { session, a, b, r, c, d, e } = fork();
    session.branch(d);
    const k = session.appendCompaction({ summary: "So far.", firstKeptEntryId: d, tokensBefore: 9 });
    const { entries, commonAncestorId } = session.collectEntriesForBranchSummary(k, e);
    assert.deepEqual([ids(entries), commonAncestorId], [[b, r, c, d, k], a]);
  });

  it("refuses an id that no entry has, also what is no id", () => {
    const { session, d } = fork();
    for (const unknown of ["nobody", undefined, 7, ""]) {
      throwsCode(() => session.collectEntriesForBranchSummary(unknown, d), "unknown-entry", "collectEntriesForBranchSummary");
      throwsCode(() => session.collectEntriesForBranchSummary(d, unknown), "unknown-entry", "session.entries()");
    }
  });
});

describe("prepareBranchEntries", () => {
  it("gives messages that a provider takes, the host's own objects, and the files", () => {
    const { session, b, d, e } = fork();
    const { entries } = session.collectEntriesForBranchSummary(d, e);
    const { messages, fileOps, totalTokens } = session.prepareBranchEntries(entries, 10_000);
    // The call at the old leaf has got a result that says there is none.
    assert.deepEqual(messages.map(({ role }) => role), ["assistant", "toolResult", "user", "assistant", "toolResult"]);
    assertLegal({ messages, pendingToolCalls: [] });
    assert.equal(messages[0], session.entry(b).message);
    assert.equal(messages.at(-1).isError, true);
    assert.deepEqual(fileOps, { readFiles: ["a.ts"], modifiedFiles: ["b.ts"] });
    assert.equal(totalTokens, estimateTokens(messages.slice(0, -1)));
  });

  it("takes the newest that fit, and the files of all", () => {
    const { session, c, d, e } = fork();
    const { entries } = session.collectEntriesForBranchSummary(d, e);
    const enough = budget(session, [c, d]);
    const told = (tokens) => session.prepareBranchEntries(entries, tokens).messages.filter(({ isError }) => isError !== true);
    assert.deepEqual(told(enough), [session.entry(c).message, session.entry(d).message]);
    assert.deepEqual(told(enough + 0.9), told(enough));
    assert.deepEqual(told(enough - 1), [session.entry(d).message]);
    assert.equal(told(Infinity).length, 4);
    for (const nothing of [0, -1, -Infinity, 0.5]) {
      const { messages, fileOps, totalTokens } = session.prepareBranchEntries(entries, nothing);
      assert.deepEqual([messages, totalTokens], [[], 0], `${nothing}`);
      assert.deepEqual(fileOps, { readFiles: ["a.ts"], modifiedFiles: ["b.ts"] });
    }
  });

  it("shows summaries on the way as messages, and carries their files, but for a hook's", () => {
    const { session, a } = fork();
    session.branchWithSummary(a, "One.", { readFiles: ["one.ts"], modifiedFiles: [] });
    session.branchWithSummary(session.leafId, "Two.", { readFiles: ["two.ts"] }, true);
    const first = session.leafId;
    session.appendCompaction({ summary: "Three.", firstKeptEntryId: first, tokensBefore: 9, details: { modifiedFiles: ["three.ts"] } });
    const { entries } = session.collectEntriesForBranchSummary(session.leafId, a);
    const { messages, fileOps } = session.prepareBranchEntries(entries, 1_000);
    assert.deepEqual(
      messages.map(({ role, summary }) => [role, summary]),
      [["branchSummary", "One."], ["branchSummary", "Two."], ["compactionSummary", "Three."]],
    );
    assert.deepEqual(fileOps, { readFiles: ["one.ts"], modifiedFiles: ["three.ts"] });
  });

  it("counts a long tool output as the request shows it, and hands it out whole", () => {
    const session = Session.create();
    session.appendMessage(calls(["r", "read", "a.ts"]));
    session.appendMessage(result("r", "word ".repeat(50_000)));
    const { messages, totalTokens } = session.prepareBranchEntries(session.entries(), 1_000);
    assert.deepEqual(messages, session.entries().map(({ message }) => message));
    assert.ok(totalTokens < 1_000, `${totalTokens} tokens`);
  });

  it("shows an output as its notice where the branch ends below its prune", () => {
    const session = Session.create();
    session.appendMessage(calls(["r", "read", "a.ts"]));
    session.appendMessage(result("r", "word ".repeat(300)));
    session.pruneToolOutputs({ mode: "overlay", protectTokens: 0, minimumSavings: 0, protectedTools: [] });
    const [, pruned] = session.prepareBranchEntries(session.entries(), 1_000).messages;
    assert.match(pruned.content[0].text, /^\[Output truncated - \d+ tokens\]$/);
    const [, whole] = session.prepareBranchEntries(session.entries().slice(0, 2), 1_000).messages;
    assert.match(whole.content[0].text, /^word word/);
  });

  it("holds no tool results in the preset classic", () => {
    const { session, d, e } = fork({ preset: "classic" });
    const { messages } = session.prepareBranchEntries(session.collectEntriesForBranchSummary(d, e).entries, 10_000);
    assert.deepEqual(messages.map(({ role }) => role), ["assistant", "user", "assistant"]);
  });

  it("takes entries or ids, and the settings of file tools", () => {
    const { session, b, d } = fork();
    const mixed = session.prepareBranchEntries([b, session.entry(d)], 1_000, { settings: { fileTools: { modify: ["read"], read: ["edit"] } } });
    assert.deepEqual(mixed.fileOps, { readFiles: ["b.ts"], modifiedFiles: ["a.ts"] });
    assert.deepEqual(session.prepareBranchEntries([], 1_000), { messages: [], fileOps: { readFiles: [], modifiedFiles: [] }, totalTokens: 0 });
  });

  it("refuses what is no entry of this session, no budget, and no option", () => {
    const { session, d } = fork();
    const foreign = Session.fromEntries([{ type: "message", id: "foreign", parentId: null, timestamp: "t", message: user("x") }]).entries();
    for (const unknown of ["nobody", null, undefined, 7, {}, foreign[0]]) {
      throwsCode(() => session.prepareBranchEntries([d, unknown], 9), "unknown-entry", "prepareBranchEntries.entries[1]");
    }
    throwsCode(() => session.prepareBranchEntries(d, 9), "invalid-argument", "entries", "an array");
    for (const wrong of [NaN, "9", undefined, null, 9n]) {
      throwsCode(() => session.prepareBranchEntries([d], wrong), "invalid-argument", "tokenBudget", "a number of tokens");
    }
    throwsCode(() => session.prepareBranchEntries([d], 9, { setting: {} }), "invalid-argument", "prepareBranchEntries.setting");
    throwsCode(() => session.prepareBranchEntries([d], 9, { settings: { fileTools: { red: [] } } }), "invalid-settings", "fileTools.red");
  });
});
