// Transcripts of other tools become sessions.
import assert from "node:assert/strict";
import { test } from "node:test";
import { messageFormats, Session, ThreadfoldError, transcriptFormats, validateMessages } from "threadfold";

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

test("a session is taken as it is: its bytes come back, and its damage is told as at a load", () => {
  const lines = [
    '{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/"}\r',
    '{"type":"message","id":"a","parentId":null,"timestamp":"","message":{"role":"user","content":"\\ud800"}}',
    "no record",
    '{"type":"message","id":"b","parentId":"gone","timestamp":"","message":{"role":"user","content":"Hi"}}',
    '{"type":"message","id":"c","par',
  ];
  const file = new TextEncoder().encode(lines.join("\n"));
  const broken = Uint8Array.from([...file.subarray(0, 10), 0xff, ...file.subarray(10)]);
  for (const bytes of [file, broken, file.subarray(lines[0].length + 1)]) {
    const [imported, loaded] = [Session.import(bytes), Session.fromJsonl(bytes)];
    assert.deepEqual(imported.toJsonl(), loaded.toJsonl());
    assert.deepEqual(imported.diagnostics, loaded.diagnostics);
    assert.ok(imported.diagnostics.length > 1);
    assert.deepEqual(imported.entries(), loaded.entries());
    const { format, unchanged, diagnostics } = imported.importReport;
    assert.deepEqual([format, unchanged, diagnostics], ["pi", true, []]);
  }
  assert.deepEqual(Session.import(file).toJsonl(), file);
  assert.equal(Session.import(transcript).importReport.unchanged, undefined);
});

test("an ambiguous file names the formats that it could be, each of which reads it", () => {
  const file = '[{"role":"system","content":"Be brief."},{"role":"user","content":"Hi"}]';
  for (const read of [() => Session.import(file), () => validateMessages(JSON.parse(file))]) {
    assert.throws(read, (error) => {
      assert.ok(error instanceof ThreadfoldError);
      assert.deepEqual([error.code, error.formats], ["ambiguous-format", ["openai-chat", "openai-responses", "ai-sdk-model"]]);
      return true;
    });
  }
  for (const format of ["openai-chat", "openai-responses", "ai-sdk-model"]) assert.ok(Session.import(file, { format }).length > 0);
  assert.throws(() => Session.import("{}"), (error) => error.formats === undefined && error.code === "unsupported-format");
});

test("every format that is named can be named", () => {
  assert.deepEqual(messageFormats.filter((format) => !transcriptFormats.includes(format)), []);
  for (const format of messageFormats) assert.equal(validateMessages([], format).valid, true);
  for (const format of transcriptFormats) {
    // Some read an empty file; none of them is unknown.
    try {
      Session.import("", { format });
    } catch (error) {
      assert.doesNotMatch(error.message, /^format: /, format);
    }
  }
  assert.throws(() => Session.import("", { format: "word" }), /^ThreadfoldError: format: /);
  assert.ok(Object.isFrozen(messageFormats) && Object.isFrozen(transcriptFormats));
});
