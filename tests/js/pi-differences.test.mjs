// Where the classic preset cuts otherwise than pi's own code, and why: one small session each.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Session } from "threadfold";
import { findCutPoint } from "../../node_modules/@mariozechner/pi-coding-agent/dist/core/compaction/compaction.js";
import { DIFFERENCES } from "./pi/cut-rules.mjs";

const text = (tokens) => [{ type: "text", text: "but ".repeat(tokens) }];
const message = (message) => ({ type: "message", message });
const USER = message({ role: "user", content: text(10) });
const ASSISTANT = message({ role: "assistant", content: text(10), stopReason: "stop" });
const BASH = message({ role: "bashExecution", command: "", output: "but ".repeat(10), cancelled: false, truncated: false });
const MODEL = { type: "model_change", provider: "p", modelId: "m" };
const NOTE = { type: "custom_message", customType: "note", content: text(10), display: true };
const LEFT = { type: "branch_summary", fromId: "root", summary: "word" };
const calls = (...ids) =>
  message({ role: "assistant", content: ids.map((id) => ({ type: "toolCall", id, name: "read", arguments: {} })), stopReason: "toolUse" });
const result = (id, tokens) => message({ role: "toolResult", toolCallId: id, toolName: "read", content: text(tokens), isError: false });

/** First kept entry, and where the turn begins that the cut splits. */
const cases = [
  { why: DIFFERENCES.judgesPulled, row: [USER, ASSISTANT, MODEL, USER, ASSISTANT], keep: 20, pi: [2, 0], ours: [2, -1] },
  { why: DIFFERENCES.pullsMessages, row: [USER, ASSISTANT, NOTE, USER, ASSISTANT], keep: 20, pi: [2, 2], ours: [3, -1] },
  { why: DIFFERENCES.pullsMessages, row: [USER, ASSISTANT, LEFT, MODEL, USER, ASSISTANT], keep: 20, pi: [2, 2], ours: [3, -1] },
  { why: DIFFERENCES.onlyUsersStart, row: [USER, ASSISTANT, BASH, ASSISTANT], keep: 20, pi: [2, 2], ours: [2, -1] },
  { why: DIFFERENCES.onlyUsersStart, row: [USER, calls("a"), result("a", 30), NOTE, ASSISTANT], keep: 20, pi: [3, 3], ours: [3, -1] },
  { why: DIFFERENCES.fallsToFirst, row: [USER, ASSISTANT, USER, calls("a"), result("a", 50)], keep: 20, pi: [0, -1], ours: [3, 2] },
  { why: DIFFERENCES.separatesResults, row: [USER, calls("a", "b"), result("a", 10), USER, result("b", 10), ASSISTANT], keep: 25, pi: [3, -1], ours: [5, 3] },
  { why: DIFFERENCES.cutsOpenTurns, row: [USER, ASSISTANT, USER, ASSISTANT, calls("a")], keep: 5, pi: [3, 2], ours: [2, -1] },
];

for (const { why, row, keep, pi, ours } of cases) {
  test(`${why}: ${pi} where we say ${ours}`, () => {
    const session = Session.create({ preset: "classic" });
    for (const entry of row) session.append(entry);
    const pair = ({ firstKeptEntryIndex, turnStartIndex, isSplitTurn }) => {
      assert.equal(isSplitTurn, turnStartIndex >= 0);
      return [firstKeptEntryIndex, turnStartIndex];
    };
    assert.deepEqual(pair(findCutPoint(session.path(), 0, row.length, keep)), pi);
    assert.deepEqual(pair(session.findCutPoint(0, row.length, keep)), ours);
  });
}
