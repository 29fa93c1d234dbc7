// Sessions from bytes and from the host's own objects.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compact, Session } from "threadfold";
import { throwsCode } from "./throws.mjs";

const TIME = "2026-01-01T00:00:00.000Z";
const HEADER = { type: "session", version: 3, id: "s", timestamp: TIME, cwd: "/work" };
const user = (content) => ({ role: "user", content });
const entry = (id, parentId, message = user(id)) => ({ type: "message", id, parentId, timestamp: TIME, message });
const file = (...records) => [HEADER, ...records].map((record) => (typeof record === "string" ? record : JSON.stringify(record))).join("\n") + "\n";
const bytes = (text) => new TextEncoder().encode(text);
const stored = (session) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(session.toJsonl());
const found = (session) => session.diagnostics.map(({ line, kind }) => `${line} ${kind}`);

describe("a version 3 file that nothing was done to is saved byte for byte", () => {
  const odd = `{ "type" : "message","id":"b",  "parentId":"a","timestamp":"${TIME}","x":1e5,"big":12345678901234567890,"message":{"content":"caf\\u00e9\\/","role":"user","more":{"a":[1,  2.50]}}}`;
  const cases = {
    "odd spacing, numbers, escapes and unknown fields": file(entry("a", null), odd),
    "CRLF": file(entry("a", null), odd).replaceAll("\n", "\r\n"),
    "CRLF and LF mixed": file(entry("a", null), odd).replace("\n", "\r\n"),
    "a BOM": "\ufeff" + file(entry("a", null)),
    "blank lines": file(entry("a", null), "", "  ", odd) + "\n\n",
    "no newline at the end": file(entry("a", null)).trimEnd(),
    "raw U+2028 in a string": file(entry("a", null, user("line\u2028line"))),
    "an unknown type": file(entry("a", null), { type: "of_tomorrow", id: "b", parentId: "a", timestamp: TIME, any: [null] }),
    "a malformed line": file(entry("a", null), "{oops", entry("b", "a")),
    "a torn last line": file(entry("a", null), entry("b", "a")).slice(0, -30),
    "two records on a line": file(JSON.stringify(entry("a", null)) + JSON.stringify(entry("b", "a"))),
    "half of a surrogate pair": file(`{"type":"message","id":"a","parentId":null,"timestamp":"${TIME}","message":{"role":"user","content":"\\ud83d"}}`),
    "no header": JSON.stringify(entry("a", null)) + "\n",
  };
  for (const [what, text] of Object.entries(cases)) {
    it(what, () => {
      const session = Session.fromJsonl(bytes(text));
      assert.equal(stored(session), text);
      assert.equal(stored(Session.fromJsonl(text)), text, "from a string");
      session.appendMessage(user("more"));
      assert.ok(stored(session).startsWith(text), "what is appended comes behind");
      assert.equal(Session.fromJsonl(session.toJsonl()).length, session.length);
    });
  }

  it("bytes that are no UTF-8", () => {
    const broken = bytes(file(entry("a", null, user("?")), entry("b", "a")));
    broken[broken.indexOf(0x3f)] = 0xff;
    const session = Session.fromJsonl(broken);
    assert.deepEqual(session.toJsonl(), broken);
    assert.deepEqual(found(session), ["2 invalid-utf8"]);
    assert.equal(session.entry("a").message.content, "\ufffd");
  });
});

describe("bytes", () => {
  it("may be a view into a larger buffer, and are not kept", () => {
    const text = bytes(file(entry("a", null)));
    const large = new Uint8Array(text.length + 200).fill(0x7b);
    large.set(text, 100);
    const view = large.subarray(100, 100 + text.length);
    const session = Session.fromJsonl(view);
    large.fill(0);
    assert.deepEqual(session.toJsonl(), text);
    assert.deepEqual(Session.fromJsonl(Buffer.from(text)).toJsonl(), text);
  });

  for (const [what, given] of Object.entries({ "an ArrayBuffer": new ArrayBuffer(4), "a number": 7, "nothing": undefined, "entries": [entry("a", null)] })) {
    it(`${what} is refused`, () => throwsCode(() => Session.fromJsonl(given), "invalid-argument", "bytes"));
  }

  for (const text of ["", "hello", "[1,2]", "{}", '{"type":"of_tomorrow"}\n', '{"messages":[]}']) {
    it(`${JSON.stringify(text)} is not a session`, () => throwsCode(() => Session.fromJsonl(text), "not-a-session"));
  }

  it("misspelt options are refused", () => {
    throwsCode(() => Session.fromJsonl(file(), { presset: "safe" }), "invalid-argument", "Session.fromJsonl.presset");
    throwsCode(() => Session.fromJsonl(file(), { preset: "x" }), "invalid-argument", '"x"');
  });
});

describe("damage", () => {
  it("is listed with its line, and what can be read is read", () => {
    const session = Session.fromJsonl(file(entry("a", null), "{oops", entry("b", "gone"), entry("a", "b"), { ...entry("c", "b"), message: 7 }));
    assert.deepEqual(found(session), ["3 malformed-line", "4 missing-parent", "5 duplicate-id", "6 wrong-shape"]);
    assert.equal(session.length, 4);
    for (const { message } of session.diagnostics) assert.ok(message.length > 10);
    assert.deepEqual(session.tree().roots, ["a", "b"]);
    const [, , second] = session.entries();
    assert.notEqual(second.id, "a");
    assert.equal(session.entry(second.id), second);
    assert.equal(second.parentId, "b");
  });

  it("a line of which only the ids can be read keeps its place in the tree", () => {
    const session = Session.fromJsonl(file(entry("a", null), '{"type":"message","id":"b","parentId":"a","mess', entry("c", "b")));
    assert.deepEqual(session.path().map(({ id, type }) => `${id} ${type}`), ["a message", "b unreadable", "c message"]);
    assert.equal(session.entry("b").parentId, "a");
  });

  it("an entry without an id gets one, and a parent", () => {
    const { id, ...nameless } = entry("b", null);
    delete nameless.parentId;
    const session = Session.fromJsonl(file(entry("a", null), nameless));
    const [, second] = session.entries();
    assert.deepEqual([second.parentId, session.leafId], ["a", second.id]);
    assert.deepEqual(found(session), ["3 missing-id"]);
  });

  it("a cycle of parents ends at its earliest entry", () => {
    const session = Session.fromJsonl(file(entry("a", "c"), entry("b", "a"), entry("c", "b")));
    assert.deepEqual(session.path().map(({ id }) => id), ["a", "b", "c"]);
    assert.deepEqual(found(session), ["2 parent-cycle"]);
  });

  it("20 000 levels in the arguments of a call are kept and counted", async () => {
    const deep = "[".repeat(20_000) + "]".repeat(20_000);
    const call = `{"type":"message","id":"b","parentId":"a","timestamp":"${TIME}","message":{"role":"assistant","content":[{"type":"toolCall","id":"x","name":"read","arguments":{"deep":${deep}}}]}}`;
    const text = file(entry("a", null), call, entry("c", "b", { role: "toolResult", toolCallId: "x", toolName: "read", content: [{ type: "text", text: "ok" }], isError: false }), entry("d", "c"));
    const session = Session.fromJsonl(text);
    assert.deepEqual([session.length, session.diagnostics], [4, []]);
    assert.ok(session.contextUsage().tokens > 9_000);
    let level = session.entry("b").message.content[0].arguments.deep;
    for (let depth = 1; depth < 20_000; depth += 1) level = level[0];
    assert.ok(Object.isFrozen(level));
    const outcome = await compact(session, { summarize: "local", settings: { compaction: { keepRecentTokens: 1 } } });
    assert.equal(outcome.status, "committed");
    assert.ok(stored(session).startsWith(text));
  });
});

describe("versions before 3", () => {
  it("get ids, a chain of parents and the names of today; the same ones each time", () => {
    const old = [
      { type: "session", id: "old", timestamp: TIME, cwd: "/" },
      { type: "message", timestamp: TIME, message: user("one") },
      { type: "message", timestamp: TIME, message: { role: "hookMessage", customType: "h", content: "two", display: true } },
      { type: "compaction", timestamp: TIME, summary: "so far", firstKeptEntryIndex: 2, tokensBefore: 9 },
    ];
    const text = old.map((record) => JSON.stringify(record)).join("\n");
    const session = Session.fromJsonl(text);
    const [one, two, compaction] = session.entries();
    assert.deepEqual([one.parentId, two.parentId, compaction.parentId], [null, one.id, two.id]);
    assert.deepEqual([session.header.version, two.message.role, compaction.firstKeptEntryId], [3, "custom", two.id]);
    assert.ok(!("firstKeptEntryIndex" in compaction));
    assert.deepEqual(session.entries(), Session.fromJsonl(text).entries());
    assert.deepEqual(session.entries(), Session.fromEntries(old).entries());
    const [, second, third] = Session.fromEntries(old.slice(1)).entries();
    assert.deepEqual([third.firstKeptEntryId, second.message.role], [second.id, "custom"], "without a header, too");
  });
});

describe("entries that the library parsed", () => {
  it("are frozen all the way down, and the same object each time", () => {
    const session = Session.fromJsonl(file(entry("a", null, user([{ type: "text", text: "x" }]))));
    const parsed = session.entry("a");
    for (const part of [parsed, parsed.message, parsed.message.content, parsed.message.content[0]]) assert.ok(Object.isFrozen(part));
    assert.equal(parsed, session.entries()[0]);
    const { messages } = session.buildSessionContext();
    assert.equal(messages[0], parsed.message);
    assert.equal(session.buildSessionContext().messages[0], messages[0]);
  });

  it("become the same message each time where they hold none as such", () => {
    const session = Session.create();
    const id = session.append({ type: "custom_message", customType: "note", content: "x", display: true });
    session.branchWithSummary(id, "left");
    const [first, second] = [session.buildSessionContext().messages, session.buildSessionContext().messages];
    assert.deepEqual(first.map(({ role }) => role), ["custom", "branchSummary"]);
    first.forEach((message, index) => assert.equal(message, second[index]));
  });
});

describe("the host's own entries", () => {
  const own = () => [entry("a", null), entry("b", "a", { role: "assistant", content: [{ type: "text", text: "yes" }], stopReason: "stop" })];

  it("come back as the very same objects, with and without the header in front", () => {
    for (const header of [[], [HEADER]]) {
      const entries = own();
      const session = Session.fromEntries([...header, ...entries]);
      session.entries().forEach((entry, index) => assert.equal(entry, entries[index]));
      session.buildSessionContext().messages.forEach((message, index) => assert.equal(message, entries[index].message));
      assert.equal(session.entry("b"), entries[1]);
      assert.ok(!Object.isFrozen(entries[0]), "the host's objects are left alone");
      assert.deepEqual(session.diagnostics, []);
      assert.equal(session.header.version, 3);
    }
  });

  it("keep their messages also where an id has to be made", () => {
    const messages = [user("one"), user("two")];
    const session = Session.fromEntries(messages.map((message) => ({ type: "message", timestamp: TIME, message })));
    session.entries().forEach((entry, index) => assert.equal(entry.message, messages[index]));
    assert.equal(session.entries()[1].parentId, session.entries()[0].id);
  });

  const cyclic = entry("c", "b");
  cyclic.message.again = cyclic.message;
  const refused = [
    ["a cycle", cyclic, '"again"'],
    ["a BigInt", { ...entry("c", "b"), size: 5n }, '"size"'],
    ["20 000 levels", { ...entry("c", "b"), deep: JSON.parse("[".repeat(20_000) + "]".repeat(20_000)) }, "key"],
    ["null", null, "null"],
    ["a string", "entry", '"entry"'],
    ["an array", [], "an array"],
    ["what has no JSON", { toJSON: () => undefined }, "no object"],
    ["what has another JSON", { toJSON: () => "text" }, "no object"],
  ];
  for (const [what, third, named] of refused) {
    it(`${what} is refused with its index and key`, () => {
      throwsCode(() => Session.fromEntries([...own(), third]), "invalid-entry", "entries[2]", named);
    });
  }

  it("must be an array", () => throwsCode(() => Session.fromEntries({ 0: own()[0] }), "invalid-argument", "entries"));
});

describe("an entry that is handed out", () => {
  const { timestamp: _, ...timeless } = entry("b", "a");
  const { parentId: __, ...orphan } = entry("c", null);
  const records = [entry("a", "gone"), timeless, orphan, { ...entry("d", "d"), timestamp: 7 }];
  const told = (session) => session.entries().map(({ id, parentId, timestamp }) => [id, parentId, timestamp]);

  it("has its parent and a time, whatever the file says of them", () => {
    const session = Session.fromJsonl(file(...records));
    const { nodes } = session.tree();
    assert.deepEqual(told(session), ["a", "b", "c", "d"].map((id, at) => [id, nodes.get(id).parentId, [TIME, "", TIME, ""][at]]));
    assert.equal(session.entry("a").parentId, null);
    assert.equal(stored(session), file(...records));
    const more = session.append({ type: "custom", customType: "x" });
    const left = session.branchWithSummary("b", "left");
    assert.deepEqual([session.entry(more).parentId, session.entry(left).parentId], ["d", "b"]);
  });

  it("has them where it came from the host, and the host's own message", () => {
    const session = Session.fromEntries(records);
    assert.deepEqual(told(session), told(Session.fromJsonl(file(...records))));
    for (const [index, { message }] of session.entries().entries()) assert.equal(message, records[index].message);
    const whole = [entry("a", null), entry("b", "a")];
    assert.deepEqual(Session.fromEntries(whole).entries().map((entry, index) => entry === whole[index]), [true, true]);
  });

  it("half of a surrogate pair in an id or a parent loses no entry", () => {
    const entry = (id, parentId) => ({ type: "message", id, parentId, timestamp: TIME, message: { role: "user", content: "x" } });
    for (const [id, parentId] of [["\ud800", "a"], ["b", "\udc00"]]) {
      const session = Session.fromEntries([entry("a", null), entry(id, parentId), entry("c", "a")]);
      assert.equal(session.entries().length, 3);
      assert.equal(session.entries()[1].id, id.toWellFormed());
      assert.equal(session.diagnostics[0].kind, "lone-surrogate");
    }
  });
});
