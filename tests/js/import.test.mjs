// Transcripts of other tools become sessions.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Session } from "threadfold";

const record = (uuid, parentUuid, message, more) =>
  JSON.stringify({ uuid, parentUuid, type: message.role, sessionId: "s", timestamp: "2026-01-01T00:00:00.000Z", message, ...more });

const transcript = [
  record("a", null, { role: "user", content: "Look" }),
  record("b", "a", { role: "assistant", id: "m", model: "claude-x", content: [{ type: "tool_use", id: "t", name: "Read", input: {} }] }),
  record("c", "b", { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: "out" }] }),
  record("d", "c", { role: "user", content: "Thanks" }),
  record("e", "c", { role: "user", content: "Or rather" }),
  JSON.stringify({ type: "mode", mode: "plan", sessionId: "s" }),
  "{",
].join("\n");

test("a transcript is a session with its branches, and a report says what came of it", () => {
  for (const given of [transcript, new TextEncoder().encode(transcript)]) {
    const session = Session.import(given);
    assert.deepEqual(session.children("c").map(({ id }) => id), ["d", "e"]);
    assert.deepEqual(
      session.buildSessionContext().messages.map((message) => message.role),
      ["user", "assistant", "toolResult", "user"],
    );
    const { diagnostics, ...report } = session.importReport;
    assert.deepEqual(report, {
      format: "claude-code",
      messages: 5,
      calls: 1,
      results: 1,
      branches: 1,
      compactions: 0,
      images: 0,
      custom: { mode: 1, unreadable: 1 },
    });
    assert.deepEqual(diagnostics.map(({ line, kind }) => [line, kind]), [[7, "malformed-line"]]);
    assert.deepEqual(session.diagnostics, []);
  }
});

test("a session that is imported can be saved, loaded and appended to", () => {
  const session = Session.import(JSON.stringify({ messages: [{ role: "user", parts: [{ text: "Hi" }] }] }), { format: "gemini" });
  session.appendMessage({ role: "user", content: "More" });
  assert.equal(Session.fromJsonl(session.toJsonl()).length, 2);
  assert.equal(Session.create().importReport, undefined);
});

test("what is of no known format is refused with what was seen and what is known", () => {
  assert.throws(() => Session.import('{"tree":1}'), { code: "unsupported-format", message: /the keys tree; .*claude-code, codex, chatgpt/ });
  assert.throws(() => Session.import('[{"role":"user","content":"Hi"}]'), { code: "ambiguous-format" });
  assert.throws(() => Session.import("{}", { format: "word" }), { code: "unsupported-format", message: /"word"/ });
});
