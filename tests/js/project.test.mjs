// What of a host's messages crosses into the engine, what is refused, and how changes come back.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import vm from "node:vm";
import { internals } from "./internals.mjs";
import { throwsCode } from "./throws.mjs";

const { messagesJson, applyOutline, checkFoldState, stateJson } = await internals("project", "outline", "fold-state");

const project = (messages, files = "ends") => JSON.parse(messagesJson(messages, files));
const said = (part) => [{ role: "user", content: [{ type: "x", part }] }];
/** What `part` becomes. */
const projected = (part, files) => project(said(part), files)[0].content[0].part;

/** Levels of arrays, one in the other, around a value. */
const nested = (levels, value) => (levels === 0 ? value : [nested(levels - 1, value)]);

describe("what JSON holds", () => {
  it("crosses as JSON.stringify writes it", () => {
    const messages = [
      { role: "user", content: "a \" \u2028 é 😀", extra: null, gone: undefined, n: -0, nested: { a: [1, 2.5, 1e21, true, "", {}] } },
      Object.assign(Object.create(null), { role: "assistant", content: [] }),
      JSON.parse('{"role":"user","__proto__":{"x":1},"toJSON":"no function"}'),
      new (class Message {
        role = "user";
        content = "of a class";
        get shown() {
          return this.content;
        }
      })(),
    ];
    assert.equal(messagesJson(messages, "ends"), JSON.stringify(messages));
    assert.equal(messagesJson([], "ends"), "[]");
  });

  it("is not copied where nothing has to be written in another way, and never changed", () => {
    const bytes = new Uint8Array([1, 2, 3]);
    const messages = [{ role: "user", content: [{ type: "file", data: bytes }, { type: "text", text: "x" }] }];
    for (const object of [messages, messages[0], messages[0].content, ...messages[0].content]) Object.freeze(object);
    assert.deepEqual(project(messages), [{ role: "user", content: [{ type: "file", data: "AQID" }, { type: "text", text: "x" }] }]);
    assert.equal(messages[0].content[0].data, bytes);
  });

  it("may be met more than once, and nest 200 levels", () => {
    const part = { type: "text", text: "x" };
    assert.deepEqual(projected([part, part, { again: part }]), [part, part, { again: part }]);
    const levels = (count) => nested(count, "deep");
    assert.equal(messagesJson(levels(200), "ends"), JSON.stringify(levels(200)));
  });

  it("keeps half of a surrogate pair, which the engine passes on as it is written", () => {
    assert.equal(projected("a\ud800b"), "a\ud800b");
    assert.equal(projected("😀 \\ud800"), "😀 \\ud800");
  });
});

describe("what a format allows and JSON cannot hold", () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
  const base64 = Buffer.from(bytes).toString("base64");

  it("bytes become base64, of a view only what it shows", () => {
    for (const value of [bytes, bytes.buffer, Buffer.from(bytes), new Uint8ClampedArray(bytes), new DataView(bytes.buffer)]) {
      assert.equal(projected(value), base64, value.constructor.name);
    }
    assert.equal(projected(bytes.subarray(3, 9)), Buffer.from(bytes.subarray(3, 9)).toString("base64"));
    assert.equal(projected(new Uint8Array()), "");
    assert.equal(projected(vm.runInNewContext("new Uint8Array([1, 2, 3])")), "AQID", "of another realm");
  });

  it("of large ones the ends cross and how much is between them, or all of it", () => {
    const large = Uint8Array.from({ length: 200_001 }, (_, index) => (index * 7) % 251);
    const whole = Buffer.from(large).toString("base64");
    assert.equal(projected(large, "whole"), whole);
    const ends = (text) => `${text.slice(0, 65_536)}#${text.length - 98_304}#${text.slice(-32_768)}`;
    assert.equal(projected(large), ends(whole));
    for (const part of [{ data: whole }, { url: `data:image/png;base64,${whole}` }, `data:,${whole}`]) {
      const text = typeof part === "string" ? part : Object.values(part)[0];
      const cut = projected(part);
      assert.equal(typeof cut === "string" ? cut : Object.values(cut)[0], ends(text));
      assert.deepEqual(projected(part, "whole"), part);
    }
    assert.deepEqual(projected({ text: whole }), { text: whole }, "a text is no file");
    assert.deepEqual(projected({ data: whole.slice(0, 98_304) }), { data: whole.slice(0, 98_304) });
    assert.equal(projected(large.subarray(0, 73_728)), whole.slice(0, 98_304));
  });

  it("URLs, dates, blobs and what says itself what it is", () => {
    assert.equal(projected(new URL("https://example.com/a?b#c")), "https://example.com/a?b#c");
    assert.equal(projected(new Date(0)), "1970-01-01T00:00:00.000Z");
    assert.equal(projected(vm.runInNewContext("new Date(0)")), "1970-01-01T00:00:00.000Z");
    assert.equal(projected(new Blob(["x"])), "");
    assert.equal(projected(new File(["x"], "a.txt")), "");
    assert.equal(projected({ toJSON: () => "said" }), "said");
    const times = { at: new Date(0), toJSON: (key) => ({ key, own: new URL("https://example.com/"), toJSON: () => "not asked again" }) };
    assert.deepEqual(projected(times), { key: "", own: "https://example.com/" });
    const self = { a: 1, toJSON() { return this; } };
    assert.deepEqual(projected(self), { a: 1 });
    assert.deepEqual(projected({ toJSON: () => [new URL("https://example.com/")] }), ["https://example.com/"]);
    assert.equal("part" in project(said({ toJSON: () => undefined }))[0].content[0], false);
    const odd = Object.create(null);
    odd["__proto__"] = new URL("https://example.com/");
    odd.first = 1;
    assert.equal(messagesJson([odd], "ends"), '[{"__proto__":"https://example.com/","first":1}]');
  });
});

describe("what is refused", () => {
  const cyclic = { name: "input" };
  cyclic.self = cyclic;
  const ring = { next: { next: {} } };
  ring.next.next.next = ring;
  const list = [];
  list.push(list);
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  const holes = [{ role: "user" }, , { role: "user" }]; // eslint-disable-line no-sparse-arrays
  const thrower = { get input() { throw new Error("no"); } };
  const at = "messages[0].content[0].part";
  const rows = [
    ["a cycle", said({ input: cyclic }), `${at}.input.self`, "a cycle"],
    ["a ring", said(ring), `${at}.next.next.next`, "a cycle"],
    ["an array in itself", said(list), `${at}[0]`, "a cycle"],
    ["201 levels", nested(201, 1), `messages${"[0]".repeat(200)}`, "200 levels"],
    ["a hole", holes, "messages[1]", "a hole"],
    ["a hole further in", said([1, , 3]), `${at}[1]`, "a hole"], // eslint-disable-line no-sparse-arrays
    ["undefined in an array", said([undefined]), `${at}[0]`, "undefined"],
    ["a BigInt", said({ input: { id: 12n } }), `${at}.input.id`, "BigInt 12n"],
    ["a function", said({ execute() {} }), `${at}.execute`, "a function"],
    ["a symbol", said({ "odd key": Symbol("s") }), `${at}["odd key"]`, "a symbol"],
    ["NaN", said(NaN), at, "NaN"],
    ["Infinity", said([-Infinity]), `${at}[0]`, "-Infinity"],
    ["a Map", said(new Map([["a", 1]])), at, "a Map"],
    ["a Set", said(new Set([1])), at, "a Set"],
    ["a Map of another realm", said(vm.runInNewContext("new Map()")), at, "a Map"],
    ["a promise", said(Promise.resolve()), at, "a Promise"],
    ["an invalid date", said(new Date(NaN)), at, "an invalid date"],
    ["a getter that throws", said(thrower), `${at}.input`, "it threw"],
    ["a getter that throws, behind a copy", said([new URL("https://example.com/"), thrower]), `${at}[1].input`, "it threw"],
    ["a toJSON that throws", said({ toJSON() { throw new Error("no"); } }), at, "it threw"],
    ["a toJSON that gives a BigInt", said({ toJSON: () => 1n }), at, "BigInt"],
    ["a proxy that throws", said(new Proxy({}, { ownKeys() { throw new Error("no"); } })), at, "it threw"],
    ["a revoked proxy", said(revoked.proxy), at, "it threw"],
    ["a revoked proxy as the array", revoked.proxy, "messages", "an array of messages"],
    ["no array", { 0: "x", length: 1 }, "messages", "an array of messages"],
    ["null", null, "messages", "an array of messages"],
    ["a string", "messages", "messages", "an array of messages"],
  ];
  for (const [name, messages, path, found] of rows) {
    it(`${name}: by its path, with what is allowed`, () => {
      for (const files of ["ends", "whole"]) throwsCode(() => messagesJson(messages, files), "invalid-argument", `${path}: `, found, "allowed is");
    });
  }

  it("an object that throws when it is read a second time", () => {
    let reads = 0;
    const messages = [{ get content() { if ((reads += 1) > 1) throw new Error("no"); return "x"; } }];
    throwsCode(() => messagesJson(messages, "ends"), "invalid-argument", "it threw");
  });

  it("more than 512 MiB, also where it is one object many times", () => {
    let tower = { text: "x".repeat(1_000_000) };
    for (let level = 0; level < 60; level += 1) tower = { left: tower, right: tower };
    throwsCode(() => messagesJson([tower], "ends"), "too-large", "messages", "536870912");
  });
});

describe("an outline", () => {
  const part = (text) => Object.freeze({ type: "text", text });
  const messages = [0, 1, 2, 3].map((number) => Object.freeze({ role: "user", number, content: Object.freeze([part(`a${number}`), part(`b${number}`)]) }));
  Object.freeze(messages);

  it("that changes nothing is the very array", () => {
    assert.equal(applyOutline(messages, [0, 1, 2, 3]), messages);
    const [first, second] = applyOutline(messages, [0, 1]);
    assert.deepEqual([first === messages[0], second === messages[1]], [true, true]);
  });

  it("keeps, moves, leaves out and adds whole items", () => {
    const item = { role: "new" };
    const changed = applyOutline(messages, [3, { item }, 0, 2]);
    assert.deepEqual(changed.map((one) => messages.indexOf(one)), [3, -1, 0, 2]);
    assert.equal(changed[1], item);
  });

  it("copies what changes, and keeps every part that does not", () => {
    const fresh = { type: "text", text: "new" };
    const lists = { content: [{ of: 1, at: 1 }, { part: fresh }, { of: 2, at: 0 }, { of: 1, at: 0, set: { text: "other" } }] };
    const [, copy] = applyOutline(messages, [0, { from: 1, lists, set: { number: 10 }, unset: ["role"] }, 3]);
    assert.deepEqual(copy, { number: 10, content: [part("b1"), fresh, part("a2"), { type: "text", text: "other" }] });
    const same = [messages[1].content[1], fresh, messages[2].content[0]];
    for (const [at, object] of same.entries()) assert.equal(copy.content[at], object);
    assert.equal(messages[1].content[0].text, "a1");
  });

  it("sets values within, in copies of what holds them", () => {
    const args = Object.freeze({ path: "a" });
    const given = Object.freeze([Object.freeze({ role: "model", parts: Object.freeze([Object.freeze({ functionCall: Object.freeze({ name: "read", args }) })]) })]);
    const lists = { parts: [{ of: 0, at: 0, set: { "functionCall.id": "x", "new.key": 1 } }] };
    const [copy] = applyOutline(given, [{ from: 0, lists }]);
    assert.deepEqual(copy.parts, [{ functionCall: { name: "read", args, id: "x" }, new: { key: 1 } }]);
    assert.equal(copy.parts[0].functionCall.args, args);
  });

  it("leaves an object of a class one of that class", () => {
    class Turn {
      role = "user";
      parts = [part("x")];
    }
    const [copy] = applyOutline([new Turn()], [{ from: 0, lists: { parts: [] } }]);
    assert.ok(copy instanceof Turn);
    assert.deepEqual(copy.parts, []);
  });
});

describe("the state of a fold", () => {
  const state = { version: 1, format: "openai-chat", summary: "S", tokensBefore: 9, folded: 4, digest: "d" };

  it("is taken as it was given, also with what a store adds", () => {
    assert.equal(checkFoldState(undefined), undefined);
    for (const more of [{}, { shortSummary: "s", details: { readFiles: [] }, timestamp: 7, summaryDigest: "e" }, { _id: "of the database" }]) {
      const given = { ...state, ...more };
      assert.equal(checkFoldState(given), given);
      assert.deepEqual(JSON.parse(stateJson(given)), given);
    }
  });

  const rows = [
    ["state", null], ["state", "text"], ["state", []], ["state", 7], ["state.version", { ...state, version: 2 }, "2", "1"],
    ["state.version", {}, "undefined"], ["state.format", { ...state, format: 7 }], ["state.summary", { ...state, summary: undefined }],
    ["state.shortSummary", { ...state, shortSummary: null }], ["state.tokensBefore", { ...state, tokensBefore: -1 }],
    ["state.tokensBefore", { ...state, tokensBefore: NaN }], ["state.folded", { ...state, folded: "4" }], ["state.folded", { ...state, folded: 1.5 }],
    ["state.digest", { ...state, digest: 12n }], ["state.summaryDigest", { ...state, summaryDigest: {} }],
  ];
  for (const [place, given, ...named] of rows) {
    it(`${place} of the wrong shape is refused: ${JSON.stringify(given, (_, value) => (typeof value === "bigint" ? `${value}n` : value))}`, () => {
      throwsCode(() => checkFoldState(given), "invalid-argument", `${place}: `, "allowed is", ...named);
    });
  }

  it("holds what JSON holds", () => {
    throwsCode(() => stateJson(checkFoldState({ ...state, details: { at: new Map() } })), "invalid-argument", "state.details.at", "a Map");
  });
});
