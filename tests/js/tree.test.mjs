// The tree of a session: append, branch, label, walk.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Session } from "threadfold";
import { throwsCode } from "./throws.mjs";

const user = (content) => ({ role: "user", content });
const ids = (entries) => entries.map(({ id }) => id);

/** A: root; B and C below A; D below B; E a second root. The leaf is E. */
function forest() {
  const session = Session.create({ id: "forest", cwd: "/work" });
  const a = session.appendMessage(user("A"));
  const b = session.appendMessage(user("B"));
  const d = session.appendMessage(user("D"));
  session.branch(a);
  const c = session.appendMessage(user("C"));
  session.resetLeaf();
  const e = session.appendMessage(user("E"));
  return { session, a, b, c, d, e };
}

describe("a new session", () => {
  it("has a header and nothing else", () => {
    const session = Session.create({ cwd: "/work", id: "mine" });
    const { timestamp, ...header } = session.header;
    assert.deepEqual(header, { type: "session", version: 3, id: "mine", cwd: "/work" });
    assert.equal(new Date(timestamp).toISOString(), timestamp);
    assert.deepEqual([session.length, session.leafId, session.entries(), session.path()], [0, null, [], []]);
    assert.deepEqual([session.diagnostics, session.tree()], [[], { roots: [], nodes: new Map() }]);
    assert.deepEqual(session.buildSessionContext().messages, []);
  });

  it("has an id of its own, and / as its folder, where none is given", () => {
    const [one, other] = [Session.create(), Session.create()];
    assert.match(one.header.id, /^[0-9a-f]{32}$/);
    assert.notEqual(one.header.id, other.header.id);
    assert.equal(one.header.cwd, "/");
  });

  it("cannot be made with new", () => {
    throwsCode(() => new Session(), "invalid-argument", "Session.create()");
  });

  it("takes no misspelt option and no preset it does not know", () => {
    throwsCode(() => Session.create({ cwdd: "/" }), "invalid-argument", "Session.create.cwdd", "cwd, id, preset");
    throwsCode(() => Session.create({ preset: "bold" }), "invalid-argument", '"bold"', '"safe"', '"classic"');
    throwsCode(() => Session.create(null), "invalid-argument", "null");
    throwsCode(() => Session.create({ preset: Symbol() }), "invalid-argument", "preset", "a symbol");
  });

  it("takes no id and no folder that is no text", () => {
    throwsCode(() => Session.create({ id: {} }), "invalid-argument", "Session.create.id", "an object", "a string");
    throwsCode(() => Session.create({ cwd: 5 }), "invalid-argument", "Session.create.cwd: 5", "a string");
    throwsCode(() => Session.create({ cwd: null }), "invalid-argument", "Session.create.cwd: null");
  });
});

describe("appending", () => {
  it("gives id, parent and time, and moves the leaf", () => {
    const session = Session.create();
    const first = session.append({ type: "message", message: user("one"), extra: { kept: true } });
    const second = session.appendMessage(user("two"));
    assert.match(first, /^[0-9a-f]{8}$/);
    const entry = session.entry(first);
    assert.deepEqual([entry.type, entry.parentId, entry.extra], ["message", null, { kept: true }]);
    assert.equal(new Date(entry.timestamp).toISOString(), entry.timestamp);
    assert.equal(session.entry(second).parentId, first);
    assert.deepEqual([session.leafId, session.length], [second, 2]);
  });

  it("takes a message of every known role, and none of another", () => {
    const session = Session.create();
    const summary = { summary: "so far", fromId: "root", tokensBefore: 1 };
    const note = { customType: "note", content: "x", display: true };
    const call = { toolCallId: "a", toolName: "read", content: [], isError: false };
    const messages = [
      user("x"),
      { role: "assistant", content: [] },
      { role: "toolResult", ...call },
      { role: "bashExecution", command: "ls", output: "" },
      { role: "pythonExecution", code: "1", output: "" },
      { role: "fileMention", files: [] },
      { role: "custom", ...note },
      { role: "hookMessage", ...note },
      { role: "branchSummary", ...summary },
      { role: "compactionSummary", ...summary },
    ];
    for (const message of messages) session.appendMessage(message);
    assert.equal(session.length, messages.length);
    const stored = [...session.entries(), { ...session.entries()[0], id: "later", message: { role: "system", content: "x" } }];
    const loaded = Session.fromEntries(stored);
    assert.deepEqual([loaded.length, loaded.entry("later").message.role], [stored.length, "system"], "loading is lenient");
  });

  it("takes every type of entry, known or not", () => {
    const session = Session.create();
    const first = session.appendMessage(user("start"));
    const entries = [
      { type: "custom_message", customType: "note", content: "seen", display: true },
      { type: "custom", customType: "state", data: [1] },
      { type: "model_change", provider: "p", modelId: "m" },
      { type: "model_change", model: "p/m", role: "main" },
      { type: "thinking_level_change", thinkingLevel: "high" },
      { type: "label", targetId: first, label: "here" },
      { type: "session_info", name: "a day" },
      { type: "branch_summary", fromId: "root", summary: "left" },
      { type: "compaction", summary: "so far", firstKeptEntryId: first, tokensBefore: 12 },
      { type: "of_tomorrow", any: { thing: 1 } },
    ];
    for (const entry of entries) {
      const { id, parentId, timestamp, ...rest } = session.entry(session.append(entry));
      assert.deepEqual(rest, entry);
    }
    assert.deepEqual(session.buildSessionContext().model, { provider: "p", modelId: "m" });
  });

  it("stores what it is given at that moment; what comes back is the host's own message", () => {
    const session = Session.create();
    const message = { role: "user", content: "before" };
    const id = session.appendMessage(message);
    assert.equal(session.entry(id).message, message);
    assert.equal(session.buildSessionContext().messages[0], message);
    assert.equal(Session.fromJsonl(session.toJsonl()).entry(id).message.content, "before");
  });

  it("reports half of a surrogate pair, stores it as it came, and reads it as U+FFFD", () => {
    const session = Session.create();
    const written = String.raw`\ud83d as text, 😀 whole`;
    const message = user(`half \ud83d, other \ude00, ${written}`);
    const id = session.appendMessage(message);
    const reports = (one) => one.diagnostics.map(({ line, kind, entryId }) => [line, kind, entryId]);
    assert.deepEqual(reports(session), [[undefined, "lone-surrogate", id]]);
    assert.equal(session.entry(id).message, message, "the host's own object");
    assert.ok(new TextDecoder().decode(session.toJsonl()).includes(String.raw`half \ud83d, other \ude00, \\ud83d as text`));
    const again = Session.fromJsonl(session.toJsonl());
    assert.deepEqual(reports(again), [[2, "lone-surrogate", id]]);
    assert.equal(again.entry(id).message.content, `half \ufffd, other \ufffd, ${written}`);
    assert.deepEqual(reports(Session.fromEntries(session.entries())), [[2, "lone-surrogate", id]]);
  });

  it("hands out no half of a surrogate pair, wherever it stands", () => {
    const deep = { role: "assistant", content: [{ type: "toolCall", id: "c", name: "t", arguments: { path: "\ud83d" } }], stopReason: "toolUse" };
    const session = Session.create();
    session.appendMessage(deep);
    const again = Session.fromJsonl(session.toJsonl());
    assert.deepEqual(again.diagnostics.map(({ kind }) => kind), ["lone-surrogate"]);
    assert.equal(again.entries()[0].message.content[0].arguments.path, "\ufffd");
    const branch = again.branchWithSummary(null, "s", { note: "\udc00" });
    assert.equal(again.entry(branch).details.note, "\ufffd");
  });

  const cyclic = user([]);
  cyclic.content.push({ type: "text", text: "x", self: cyclic });
  const deep = JSON.parse("[".repeat(20_000) + "]".repeat(20_000));
  const refused = [
    ["nothing", null, "null"],
    ["a string", "text", '"text"'],
    ["an array", [], "an array"],
    ["no type", {}, "type"],
    ["a header", { type: "session", id: "s" }, "header"],
    ["an id", { type: "custom", customType: "x", id: "mine" }, "id, parentId and timestamp"],
    ["a message that is none", { type: "message", message: "hello" }, "message"],
    ["a message of an unknown role", { type: "message", message: { role: "system", content: "x" } }, 'message.role: "system"', '"user"', '"compactionSummary"'],
    ["a message without a role", { type: "message", message: {} }, "message.role"],
    ["content of a wrong type", { type: "message", message: user(7) }, "message.content"],
    ["a cycle", { type: "message", message: cyclic }, '"self"'],
    ["a BigInt", { type: "custom", customType: "x", data: { size: 5n } }, '"size"'],
    ["20 000 levels", { type: "custom", customType: "x", data: deep }, "key"],
    ["what throws when it is read", { type: "custom", get customType() { throw new Error("no"); } }, "no"],
    ["a compaction without text", { type: "compaction", summary: " ", firstKeptEntryId: "root", tokensBefore: 1 }, "summary"],
  ];
  for (const [what, entry, ...named] of refused) {
    it(`refuses ${what}, and changes nothing`, () => {
      const { session, e } = forest();
      const before = session.toJsonl();
      throwsCode(() => session.append(entry), "invalid-entry", ...named);
      assert.deepEqual(session.toJsonl(), before);
      assert.deepEqual([session.leafId, session.length], [e, 5]);
    });
  }

  it("refuses a message that is no object by that name", () => {
    const { session } = forest();
    throwsCode(() => session.appendMessage(undefined), "invalid-entry", "message: undefined");
  });

  it("refuses a compaction that keeps what is not on the path", () => {
    const { session, a } = forest();
    const result = { summary: "s", tokensBefore: 1 };
    throwsCode(() => session.appendCompaction({ ...result, firstKeptEntryId: "nowhere" }), "unknown-entry", '"nowhere"');
    throwsCode(() => session.appendCompaction({ ...result, firstKeptEntryId: a }), "unknown-entry", a, "path");
    throwsCode(() => session.appendCompaction(7), "invalid-entry", "result: 7");
  });
});

describe("walking", () => {
  it("paths, children and the tree tell the same", () => {
    const { session, a, b, c, d, e } = forest();
    assert.deepEqual(ids(session.path()), [e]);
    assert.deepEqual(ids(session.path(d)), [a, b, d]);
    assert.deepEqual(session.path(null), []);
    assert.deepEqual(ids(session.children(a)), [b, c]);
    assert.deepEqual(session.children(d), []);
    assert.deepEqual(ids(session.entries()), [a, b, d, c, e]);
    const { roots, nodes } = session.tree();
    assert.deepEqual(roots, [a, e]);
    assert.deepEqual([...nodes.keys()], [a, b, d, c, e]);
    assert.deepEqual(nodes.get(a), { parentId: null, childIds: [b, c] });
    assert.deepEqual(nodes.get(d), { parentId: b, childIds: [] });
  });

  it("gives the same objects each time", () => {
    const { session, d } = forest();
    assert.equal(session.entry(d), session.entries()[2]);
    assert.equal(session.entry(d), session.path(d)[2]);
    assert.equal(session.entry("nowhere"), undefined);
  });

  it("entry and label know no id that is no string", () => {
    const { session } = forest();
    for (const id of [undefined, 7, Symbol(), {}, Object.create(null), { toString() { throw new Error("no"); } }]) {
      assert.deepEqual([session.entry(id), session.label(id)], [undefined, undefined]);
    }
  });

  it("a chain of 50 000 entries is walked like any other", () => {
    const session = Session.create();
    for (let number = 0; number < 50_000; number += 1) session.append({ type: "custom", customType: "link" });
    assert.equal(session.path().length, 50_000);
    assert.equal(session.tree().nodes.size, 50_000);
  });

  it("branch moves the leaf, resetLeaf moves it before the first entry", () => {
    const { session, b } = forest();
    session.branch(b);
    assert.equal(session.leafId, b);
    session.resetLeaf();
    assert.equal(session.leafId, null);
    const root = session.appendMessage(user("F"));
    assert.equal(session.entry(root).parentId, null);
  });

  it("branchWithSummary hangs the summary below the target and names the leaf it left", () => {
    const { session, b, e } = forest();
    const id = session.branchWithSummary(b, "E went nowhere", { readFiles: ["a.ts"] }, true);
    const { type, parentId, fromId, summary, details, fromExtension } = session.entry(id);
    assert.deepEqual([type, parentId, fromId, summary], ["branch_summary", b, e, "E went nowhere"]);
    assert.deepEqual([details, fromExtension, session.leafId], [{ readFiles: ["a.ts"] }, true, id]);
    const root = session.entry(session.branchWithSummary(null, "over again"));
    assert.deepEqual([root.parentId, root.fromId, "details" in root, "fromExtension" in root], [null, id, false, false]);
    session.resetLeaf();
    assert.equal(session.entry(session.branchWithSummary(b, "from nowhere")).fromId, "root");
  });

  it("labels are set, cleared, and stand in the tree", () => {
    const { session, a } = forest();
    const set = session.setLabel(a, "start");
    assert.equal(session.entry(set).type, "label");
    assert.equal(session.label(a), "start");
    assert.equal(session.tree().nodes.get(a).label, "start");
    assert.equal(Session.fromJsonl(session.toJsonl()).label(a), "start");
    for (const clear of [[], [""]]) {
      session.setLabel(a, "start");
      const cleared = session.entry(session.setLabel(a, ...clear));
      assert.deepEqual([cleared.targetId, "label" in cleared, session.label(a)], [a, false, undefined]);
      assert.ok(!("label" in session.tree().nodes.get(a)));
    }
  });

  const unknown = {
    branch: (session, id) => session.branch(id),
    path: (session, id) => session.path(id),
    children: (session, id) => session.children(id),
    setLabel: (session, id) => session.setLabel(id, "x"),
    branchWithSummary: (session, id) => session.branchWithSummary(id, "x"),
    buildSessionContext: (session, leafId) => session.buildSessionContext({ leafId }),
    prepareCompaction: (session, leafId) => session.prepareCompaction({ leafId }),
  };
  for (const [name, call] of Object.entries(unknown)) {
    it(`${name} refuses an id that no entry has, and changes nothing`, () => {
      const { session, e } = forest();
      const named = [["nowhere", '"nowhere"'], ["", '""'], [7, "7"], [5n, "5"], [{}, "an object"], [Symbol(), "a symbol"]];
      for (const [id, what] of named) throwsCode(() => call(session, id), "unknown-entry", name, what);
      assert.deepEqual([session.leafId, session.length], [e, 5]);
    });
  }

  it("refuses a summary or label that is no string, and details that are no JSON", () => {
    const { session, a } = forest();
    throwsCode(() => session.branchWithSummary(a, 7), "invalid-argument", "summary: 7");
    throwsCode(() => session.branchWithSummary(a, "s", { size: 5n }), "invalid-entry", "details", '"size"');
    throwsCode(() => session.branchWithSummary(a, "s", () => 1), "invalid-entry", "details");
    throwsCode(() => session.setLabel(a, 7), "invalid-argument", "label: 7");
    assert.equal(session.length, 5);
  });
});
