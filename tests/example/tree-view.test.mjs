// The session's tree as the example shows it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Session } from "threadfold";
import { treeRows } from "../../examples/node-agent/tree-view.mjs";
import { assistant, result, user } from "./setting.mjs";

test("branches are indented where they part, and the leaf has an arrow", () => {
  const session = Session.create();
  const first = session.appendMessage(user("Read a."));
  session.appendMessage(assistant("I read it.", ["c1", "read", { path: "a" }]));
  session.appendMessage(result("c1", "text"));
  session.appendMessage(assistant("It says\n\n  text."));
  session.branch(first);
  session.appendMessage(assistant("No."));
  session.branchWithSummary(first, "Notes.\n\n## Goal\n\n- To read a.\n- Once.");
  const kept = session.appendMessage(user([{ type: "image", data: "AAAA", mimeType: "image/png" }, { type: "text", text: "x".repeat(100) }]));
  session.setLabel(first, "start");
  session.append({ type: "compaction", summary: "All of it.", shortSummary: "All.", firstKeptEntryId: kept, tokensBefore: 10 });
  session.append({ type: "thinking_level_change", thinkingLevel: "high" });
  assert.deepEqual(treeRows(session).map(({ line }) => line), [
    "1    [start] user: Read a.",
    "2      assistant: It says text.",
    "3      assistant: No.",
    "4      branch summary: To read a.",
    `5      user: ${"x".repeat(69)}…`,
    "6 ->   summary: All.",
  ]);
  assert.equal(treeRows(session)[0].id, first);
});

test("a session without entries has no rows, and a chain of 20 000 has them all", () => {
  const session = Session.create();
  assert.deepEqual(treeRows(session), []);
  for (let turn = 0; turn < 20_000; turn += 1) session.appendMessage(user("Go."));
  assert.equal(treeRows(session).at(-1).line, "20000 -> user: Go.");
});
