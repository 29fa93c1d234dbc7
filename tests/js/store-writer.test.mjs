// The writer between a session and its store: what is written when, and what is told where it is refused.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { internals } from "./internals.mjs";

const { MemoryStore, Session, StoreConflictError, StoreWriter, ThreadfoldError, stateOf } = await internals("state", "store-writer");

const user = (content) => ({ role: "user", content });
const text = (bytes) => new TextDecoder().decode(bytes);
const settle = () => new Promise((resolve) => setTimeout(resolve, 2));

/** A store that notes what it is asked, and lets each write wait until it is told how to end. */
class Held extends MemoryStore {
  calls = [];
  holds = false;

  append(batch, options) {
    return this.#call({ type: "append", batch, ...options }, () => super.append(batch, options));
  }

  replace(changed, options) {
    return this.#call({ type: "replace", changed, ...options }, () => super.replace(changed, options));
  }

  #call(call, act) {
    this.calls.push(call);
    if (!this.holds) return act();
    return new Promise((resolve, reject) => Object.assign(call, { go: () => resolve(act()), refuse: reject }));
  }

  get newest() {
    return this.calls.at(-1);
  }
}

function writing(session, store = new Held()) {
  const errors = [];
  const writer = new StoreWriter(stateOf(session), store, (error) => errors.push(error));
  return { session, store, writer, errors };
}

const told = (...messages) => {
  const session = Session.create();
  for (const message of messages) session.appendMessage(user(message));
  return session;
};

/** Holds that the store has just what the session says. */
async function assertStored(session, store) {
  assert.equal(text((await store.load())?.lines), text(session.toJsonl()));
}

const kinds = ({ calls }) => calls.map(({ type }) => type);
const outcome = (promise) => promise.then(() => "stored", ({ code }) => code);
const no = () => new Error("the disk is full");

/** A session with a call and its result, which a prune finds. */
function prunable() {
  const session = Session.create();
  const call = { type: "toolCall", id: "c", name: "bash", arguments: {} };
  session.appendMessage({ role: "assistant", content: [call], stopReason: "toolUse" });
  const result = session.appendMessage({ role: "toolResult", toolCallId: "c", toolName: "bash", content: "line ".repeat(900), isError: false });
  return { session, result, prune: () => session.pruneToolOutputs({ protectTokens: 0, minimumSavings: 1 }) };
}

describe("the first write", () => {
  test("of an empty store holds the header and everything", async () => {
    const { session, store, writer } = writing(told("a", "b"));
    assert.deepEqual(store.calls, []);
    await writer.flush();
    const [{ batch, expected }] = store.calls;
    assert.deepEqual([store.calls.length, expected, batch.leafId], [1, null, session.leafId]);
    assert.deepEqual(batch.ids, session.entries().map(({ id }) => id));
    await assertStored(session, store);
    assert.deepEqual(Session.fromJsonl((await store.load()).lines).entries(), session.entries());
  });

  test("of a session that was loaded from the store holds what is new", async () => {
    for (const cut of [0, 1]) {
      const bytes = told("a", "b").toJsonl();
      const store = new Held(bytes.slice(0, bytes.length - cut));
      const session = Session.fromJsonl((await store.load()).lines);
      const { writer } = writing(session, store);
      await writer.flush();
      assert.deepEqual(store.calls, []);
      const id = session.appendMessage(user("c"));
      await writer.written(id);
      assert.deepEqual([store.newest.batch.ids, store.newest.expected], [[id], 0]);
      await assertStored(session, store);
    }
  });

  test("brings a store up to date that holds the beginning of the session", async () => {
    const session = told("a", "b", "c");
    const bytes = session.toJsonl();
    const ids = session.entries().map(({ id }) => id);
    const lastLine = bytes.lastIndexOf(10, bytes.length - 2) + 1;
    for (const [length, missing] of [[lastLine, 1], [lastLine - 1, 1], [bytes.indexOf(10) + 1, 3], [bytes.indexOf(10), 3], [0, 3]]) {
      const { store, writer } = writing(session, new Held(bytes.slice(0, length)));
      await writer.flush();
      assert.deepEqual(store.newest.batch.ids, ids.slice(-missing));
      await assertStored(session, store);
    }
  });

  test("into a store with another session is a conflict that says what to do", async () => {
    const bytes = told("a", "b").toJsonl();
    const later = Session.fromJsonl(bytes);
    later.appendMessage(user("c"));
    const older = new TextEncoder().encode('{"type":"session","id":"a","timestamp":"t","cwd":"/"}\n{"type":"message","message":{"role":"user","content":"a"}}\n');
    const stores = [[told("a", "b"), bytes], [Session.fromJsonl(bytes), bytes.slice(0, -9)], [Session.fromJsonl(bytes), later.toJsonl()], [Session.fromJsonl(older), older]];
    for (const [session, stored] of stores) {
      const { store, writer, errors } = writing(session, new Held(stored));
      await assert.rejects(writer.flush(), { code: "conflict", message: /load the session from the store/, revision: 0 });
      const id = session.appendMessage(user("d"));
      assert.equal(await outcome(writer.commit(id)), "conflict");
      assert.equal(session.entry(id), undefined);
      assert.deepEqual([store.calls, errors.map(({ code }) => code)], [[], ["conflict", "conflict"]]);
    }
  });

  test("waits for a store that cannot be read yet", async () => {
    const { session, store, writer, errors } = writing(told("a"));
    let fails = true;
    const load = store.load.bind(store);
    store.load = () => (fails ? Promise.reject(no()) : load());
    const id = session.appendMessage(user("b"));
    assert.deepEqual(await Promise.all([outcome(writer.written(id)), outcome(writer.flush())]), ["storage-failed", "storage-failed"]);
    assert.match(errors[0].message, /load: .*the disk is full/);
    fails = false;
    await writer.flush();
    await assertStored(session, store);
  });
});

describe("what is appended", () => {
  test("in one go is one batch", async () => {
    const { session, store, writer } = writing(told());
    const ids = ["a", "b"].map((message) => session.appendMessage(user(message)));
    ids.push(session.setLabel(ids[0], "here"), session.branchWithSummary(ids[0], "left"));
    await settle();
    assert.deepEqual(store.calls.map(({ batch }) => batch.ids), [ids]);
    await Promise.all(ids.map((id) => writer.written(id)));
    await assertStored(session, store);
  });

  test("waits behind a write under way, and goes as one batch behind it", async () => {
    const { session, store, writer } = writing(told());
    store.holds = true;
    const done = [];
    const append = (name) => {
      const id = session.appendMessage(user(name));
      void writer.written(id).then(() => done.push(name));
      return id;
    };
    append("a");
    await settle();
    const ids = [append("b"), append("c")];
    await settle();
    assert.equal(store.calls.length, 1);
    store.newest.go();
    await settle();
    assert.deepEqual([done, store.newest.batch.ids], [["a"], ids]);
    store.newest.go();
    await settle();
    assert.deepEqual(done, ["a", "b", "c"]);
    await writer.written(ids[0]);
    await assertStored(session, store);
  });

  test("expects the revision that the write before it gave, and names the leaf", async () => {
    const { session, store, writer } = writing(told("a"));
    await writer.flush();
    session.appendMessage(user("b"));
    session.resetLeaf();
    await writer.flush();
    assert.deepEqual(store.calls.map(({ expected, batch }) => [expected, batch.leafId === null]), [[null, false], [1, true]]);
  });

  test("is not written again", async () => {
    const { store, writer } = writing(told("a"));
    await Promise.all([writer.flush(), writer.flush()]);
    await writer.flush();
    assert.deepEqual(kinds(store), ["append"]);
  });

  test("under an id that no entry has cannot be waited for", async () => {
    const { writer } = writing(told("a"));
    assert.equal(await outcome(writer.written("none")), "unknown-entry");
    assert.equal(await outcome(writer.commit(undefined)), "unknown-entry");
  });
});

describe("a refused append", () => {
  test("is told to those who wait, and tried again with the next", async () => {
    const { session, store, writer, errors } = writing(told());
    store.holds = true;
    const a = session.appendMessage(user("a"));
    const waits = [writer.written(a), writer.flush()].map(outcome);
    await settle();
    store.newest.refuse(no());
    assert.deepEqual(await Promise.all(waits), ["storage-failed", "storage-failed"]);
    assert.deepEqual(errors.map(({ message, cause }) => [message, cause.message]), [["append: the store refused: the disk is full", "the disk is full"]]);
    await settle();
    assert.equal(store.calls.length, 1);
    store.holds = false;
    const b = session.appendMessage(user("b"));
    await writer.written(b);
    assert.deepEqual(store.newest.batch.ids, [a, b]);
    await assertStored(session, store);
  });

  test("that is under way is tried again by a flush", async () => {
    const { session, store, writer } = writing(told("a"));
    store.holds = true;
    const written = outcome(writer.written(session.leafId));
    await settle();
    const flushed = writer.flush();
    await settle();
    store.holds = false;
    store.newest.refuse(no());
    assert.equal(await written, "storage-failed");
    await flushed;
    await assertStored(session, store);
  });

  test("is tried again by a flush, which rejects if it is refused again", async () => {
    const { session, store, writer } = writing(told("a"));
    store.holds = true;
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const flushed = outcome(writer.flush());
      await settle();
      store.newest.refuse(no());
      assert.equal(await flushed, "storage-failed");
    }
    store.holds = false;
    await writer.flush();
    await assertStored(session, store);
  });

  test("is taken back where it was to be there only if it is stored", async () => {
    const { session, store, writer } = writing(told("a"));
    await writer.flush();
    store.holds = true;
    const plain = session.appendMessage(user("b"));
    const wanted = session.appendMessage(user("c"));
    const committed = outcome(writer.commit(wanted));
    await settle();
    const behind = session.appendMessage(user("d"));
    const stored = outcome(writer.written(behind));
    store.holds = false;
    store.newest.refuse(no());
    assert.deepEqual(await Promise.all([committed, stored]), ["storage-failed", "stored"]);
    assert.equal(session.entry(wanted), undefined);
    assert.equal(session.entry(behind).parentId, plain);
    // What was taken back was not in the next write.
    assert.deepEqual(store.newest.batch.ids, [plain, behind]);
    await assertStored(session, store);
  });

  test("of several that are to be taken back takes them all", async () => {
    const { session, store, writer } = writing(told("a"));
    store.holds = true;
    const before = session.toJsonl();
    const waits = ["b", "c", "d"].map((message) => outcome(writer.commit(session.appendMessage(user(message)))));
    await settle();
    store.newest.refuse(no());
    assert.deepEqual(await Promise.all(waits), Array(3).fill("storage-failed"));
    assert.deepEqual(session.toJsonl(), before);
  });

  test("is told to one who waits for an entry that somebody else took back", async () => {
    const { session, store, writer } = writing(told("a"));
    store.holds = true;
    const waits = [outcome(writer.written(session.leafId))];
    await settle();
    waits.push(outcome(writer.written(session.appendMessage(user("b")))));
    stateOf(session).withdraw(1);
    store.newest.go();
    assert.deepEqual(await Promise.all(waits), ["stored", "unknown-entry"]);
    await assertStored(session, store);
  });

  const refusals = {
    "an error": no(),
    "nothing": undefined,
    "text": "full",
    "an error of the package": new ThreadfoldError("storage-failed", "full"),
    "another error of the package": new ThreadfoldError("busy", "not now"),
    "a proxy that throws": new Proxy({}, { get() { throw new Error("no"); }, has() { throw new Error("no"); } }),
  };
  for (const [what, cause] of Object.entries(refusals)) {
    for (const how of ["rejects with", "throws"]) {
      test(`of a store that ${how} ${what} is storage-failed`, async () => {
        const { session, store, writer, errors } = writing(told("a"));
        store.append = () => { if (how === "throws") throw cause; return Promise.reject(cause); };
        const error = await writer.flush().catch((error) => error);
        assert.ok(ThreadfoldError.isInstance(error));
        assert.equal(error.code, "storage-failed");
        assert.ok(error === cause || error.cause === cause);
        assert.deepEqual(errors, [error]);
        assert.equal(session.length, 1);
      });
    }
  }

  for (const given of [undefined, null, 7, {}, { revision: null }, { revision: {} }]) {
    test(`is what an answer of ${JSON.stringify(given) ?? given} counts as`, async () => {
      const { session, store, writer } = writing(told("a"));
      store.append = async () => given;
      await assert.rejects(writer.flush(), { code: "storage-failed", message: /^append: the store gave .*revision: a string or a number/ });
      store.append = undefined;
      await assert.rejects(writer.flush(), { code: "storage-failed", message: /append: the store refused/ });
      assert.equal(session.length, 1);
    });
  }

  for (const given of [null, 7, [], {}, { lines: "text", revision: 1 }, { lines: new Uint8Array(), revision: undefined }, { lines: new Uint8Array(3), revision: null }]) {
    test(`is what follows a load of ${JSON.stringify(given)}`, async () => {
      const { store, writer } = writing(told("a"));
      store.load = async () => given;
      await assert.rejects(writer.flush(), { code: "storage-failed", message: /^load: the store gave / });
      assert.deepEqual(store.calls, []);
    });
  }

  test("that says conflict is one, with where the store stands", async () => {
    for (const [said, stand] of [[{ leafId: "a", revision: 7 }, ["a", 7]], [{ leafId: null, revision: "r" }, [null, "r"]], [{ leafId: 7, revision: {} }, [undefined, undefined]]]) {
      const { store, writer } = writing(told("a"));
      store.append = async () => { throw Object.assign(new Error("someone else wrote"), { code: "conflict", ...said }); };
      const error = await writer.flush().catch((error) => error);
      assert.ok(error instanceof StoreConflictError);
      assert.deepEqual([error.code, error.leafId, error.revision], ["conflict", ...stand]);
    }
  });

  test("is what happens to a writer whose store was written to by another", async () => {
    const store = new Held();
    const first = writing(told("a"), store);
    await first.writer.flush();
    const second = writing(Session.fromJsonl((await store.load()).lines), store);
    second.session.appendMessage(user("theirs"));
    await second.writer.flush();
    const id = first.session.appendMessage(user("ours"));
    await assert.rejects(first.writer.commit(id), { code: "conflict", revision: 2, leafId: second.session.leafId });
    assert.equal(first.session.length, 1);
    await assertStored(second.session, store);
  });
});

describe("a prune that rewrites", () => {
  test("is written behind what was appended before it and before what came after", async () => {
    const { session, result, prune } = prunable();
    const { store, writer } = writing(session);
    await writer.flush();
    const before = session.appendMessage(user("before"));
    prune();
    const behind = session.appendMessage(user("behind"));
    await writer.flush();
    assert.deepEqual(kinds(store), ["append", "append", "replace", "append"]);
    assert.deepEqual([store.calls[1].batch.ids, store.calls[3].batch.ids], [[before], [behind]]);
    assert.deepEqual(store.calls[2].changed.map(({ id }) => id), [result]);
    await assertStored(session, store);
  });

  test("before the first write changes what was stored before", async () => {
    const { session: first } = prunable();
    const store = new Held(first.toJsonl());
    const session = Session.fromJsonl((await store.load()).lines);
    const { writer } = writing(session, store);
    session.pruneToolOutputs({ protectTokens: 0, minimumSavings: 1 });
    await writer.flush();
    assert.deepEqual(kinds(store), ["replace"]);
    await assertStored(session, store);
  });

  test("of what is on its way changes it behind that; of what is not there is nothing to change", async () => {
    const { session, prune } = prunable();
    const { store, writer } = writing(told(), new Held());
    const onItsWay = writing(session);
    onItsWay.store.holds = true;
    const flushed = onItsWay.writer.flush();
    await settle();
    prune();
    onItsWay.store.holds = false;
    onItsWay.store.newest.go();
    await flushed;
    await onItsWay.writer.flush();
    assert.deepEqual(kinds(onItsWay.store), ["append", "replace"]);
    await assertStored(session, onItsWay.store);
    // Appended since the writer was made, and pruned before it was written.
    const { session: later } = { session: Session.create() };
    const fresh = writing(later);
    later.appendMessage({ role: "assistant", content: [{ type: "toolCall", id: "c", name: "bash", arguments: {} }], stopReason: "toolUse" });
    later.appendMessage({ role: "toolResult", toolCallId: "c", toolName: "bash", content: "line ".repeat(900), isError: false });
    later.pruneToolOutputs({ protectTokens: 0, minimumSavings: 1 });
    await fresh.writer.flush();
    assert.deepEqual(kinds(fresh.store), ["append"]);
    await assertStored(later, fresh.store);
    await writer.flush();
    assert.deepEqual(store.calls, []);
  });

  test("that is refused is told and tried again, and does not hold up what was appended behind it", async () => {
    const { session, prune } = prunable();
    const { store, writer, errors } = writing(session);
    await writer.flush();
    const replace = store.replace;
    store.replace = async () => { throw no(); };
    prune();
    assert.equal(await outcome(writer.flush()), "storage-failed");
    await writer.written(session.appendMessage(user("behind")));
    assert.deepEqual(errors.map(({ message }) => message), Array(2).fill("replace: the store refused: the disk is full"));
    store.replace = replace;
    await writer.flush();
    await assertStored(session, store);
  });

  test("does not let those wait who wait behind it, where what is before it is refused", async () => {
    const { session, prune } = prunable();
    const { store, writer } = writing(session);
    await writer.flush();
    const append = store.append;
    store.append = async () => { throw no(); };
    const waits = [outcome(writer.commit(session.appendMessage(user("before"))))];
    prune();
    waits.push(outcome(writer.commit(session.appendMessage(user("behind")))), outcome(writer.flush()));
    assert.deepEqual(await Promise.all(waits), Array(3).fill("storage-failed"));
    assert.equal(session.length, 2);
    store.append = append;
    await writer.flush();
    await assertStored(session, store);
  });

  test("moves up with the entry that it waits behind", async () => {
    const { session, prune } = prunable();
    const { store, writer } = writing(session);
    await writer.flush();
    store.holds = true;
    const committed = outcome(writer.commit(session.appendMessage(user("refused"))));
    await settle();
    prune();
    session.appendMessage(user("behind"));
    store.holds = false;
    store.newest.refuse(no());
    assert.equal(await committed, "storage-failed");
    await writer.flush();
    assert.deepEqual(kinds(store), ["append", "append", "replace", "append"]);
    await assertStored(session, store);
  });
});

describe("a prune that is stored before it happens", () => {
  /** A writer with a store that has everything, and the line that the result is to have. */
  async function planning() {
    const { session, result } = prunable();
    const all = writing(session);
    await all.writer.flush();
    const state = stateOf(session);
    const line = state.call((handle) => handle.lineWithNotice(state.indexOf(result), 1_000));
    all.store.calls.length = 0;
    return { ...all, result, planned: [{ id: result, line }] };
  }

  test("is written as it was planned, behind what was appended before it; the session has not changed", async () => {
    const { session, store, writer, result, planned } = await planning();
    const before = text(session.toJsonl());
    session.appendMessage(user("b"));
    const written = writer.replace(planned);
    session.appendMessage(user("c"));
    await written;
    assert.deepEqual(kinds(store).slice(0, 2), ["append", "replace"]);
    assert.deepEqual(store.calls[1].changed, planned);
    assert.equal(session.entry(result).message.prunedAt, undefined);
    assert.ok(text(session.toJsonl()).startsWith(before));
    await writer.flush();
    assert.equal(Session.fromJsonl((await store.load()).lines).entry(result).message.prunedAt, 1_000);
  });

  test("is refused once and not tried again", async () => {
    const { session, store, writer, errors, planned } = await planning();
    store.holds = true;
    const ended = outcome(writer.replace(planned));
    await settle();
    store.newest.refuse(no());
    assert.equal(await ended, "storage-failed");
    store.holds = false;
    session.appendMessage(user("b"));
    await writer.flush();
    assert.deepEqual([kinds(store), errors.map(({ code }) => code)], [["replace", "append"], ["storage-failed"]]);
    await assertStored(session, store);
  });

  test("is refused with the append before it, and leaves what a prune has already changed to be written", async () => {
    const { session, store, writer, planned } = await planning();
    session.appendMessage(user("b"));
    store.holds = true;
    const ended = outcome(writer.replace(planned));
    await settle();
    session.pruneToolOutputs({ protectTokens: 0, minimumSavings: 1 });
    store.newest.refuse(no());
    assert.equal(await ended, "storage-failed");
    store.holds = false;
    await writer.flush();
    assert.deepEqual(kinds(store), ["append", "append", "replace"]);
    await assertStored(session, store);
  });

  test("on its way when the writer ends, ends as it does; one that waits is refused", async () => {
    for (const [end, says] of [["go", "stored"], ["refuse", "storage-failed"]]) {
      const { store, writer, planned } = await planning();
      store.holds = true;
      const [first, second] = [outcome(writer.replace(planned)), outcome(writer.replace(planned))];
      await settle();
      writer.dispose();
      assert.equal(await second, "storage-failed");
      store.newest[end](no());
      assert.equal(await first, says);
      assert.deepEqual(kinds(store), ["replace"]);
    }
  });
});

describe("a writer that ends", () => {
  test("lets the write under way end as it does, and refuses what waits", async () => {
    const { session, store, writer, errors } = writing(told("a"));
    store.holds = true;
    const first = outcome(writer.written(session.leafId));
    await settle();
    const plain = session.appendMessage(user("b"));
    const waiting = [writer.written(plain), writer.commit(session.appendMessage(user("c")))].map(outcome);
    const flushed = outcome(writer.flush());
    writer.dispose();
    writer.dispose();
    assert.deepEqual(await Promise.all(waiting), ["storage-failed", "storage-failed"]);
    assert.deepEqual([session.length, store.newest.signal.aborted], [2, true]);
    store.newest.go();
    assert.deepEqual(await Promise.all([first, flushed]), ["stored", "invalid-argument"]);
    assert.deepEqual([store.calls.length, errors], [1, []]);
  });

  test("writes nothing more, and says so", async () => {
    const { session, store, writer } = writing(told());
    writer.dispose();
    const id = session.appendMessage(user("a"));
    await settle();
    assert.deepEqual(store.calls, []);
    for (const act of [() => writer.written(id), () => writer.flush()]) {
      await assert.rejects(act(), { code: "invalid-argument", message: /disposed/ });
    }
    assert.equal(session.entry(id).id, id);
  });

  test("takes back what is only then to be committed", async () => {
    const { session, writer } = writing(told("a"));
    const { leafId } = session;
    writer.dispose();
    const id = session.appendMessage(user("b"));
    assert.equal(session.entry(id).id, id);
    assert.equal(await outcome(writer.commit(id)), "invalid-argument");
    assert.deepEqual([session.entry(id), session.leafId], [undefined, leafId]);
    const next = session.appendMessage(user("c"));
    assert.equal(session.entries().at(-1).id, next);
    assert.deepEqual(session.buildSessionContext().entryIds, [leafId, next]);
  });

  test("may end when its session was freed, whatever waits", async () => {
    const { session, store, writer } = writing(told("a"));
    store.holds = true;
    const first = outcome(writer.written(session.leafId));
    await settle();
    const second = outcome(writer.commit(session.appendMessage(user("b"))));
    session.free();
    writer.dispose();
    store.newest.go();
    assert.deepEqual(await Promise.all([first, second]), ["stored", "storage-failed"]);
  });

  test("with its session freed tells those who wait", async () => {
    const { session, store, writer, errors } = writing(told("a"));
    store.holds = true;
    const waits = [writer.written(session.leafId), writer.flush()].map(outcome);
    await settle();
    const waiting = outcome(writer.commit(session.appendMessage(user("b"))));
    session.free();
    store.newest.go();
    assert.deepEqual(await Promise.all([waiting, ...waits]), ["invalid-argument", "stored", "stored"]);
    assert.equal(errors[0].code, "invalid-argument");
    assert.equal(await outcome(writer.flush()), "invalid-argument");
  });

  test("never, where a write does not settle: those behind it wait, and no other is begun", async () => {
    const { session, store, writer } = writing(told("a"));
    store.holds = true;
    let settled = 0;
    for (const wait of [writer.flush(), writer.written(session.appendMessage(user("b")))]) void wait.finally(() => (settled += 1));
    await settle();
    session.appendMessage(user("c"));
    await settle();
    assert.deepEqual([settled, store.calls.length], [0, 1]);
  });
});

/** A generator of numbers from 0 to 1 (mulberry32). */
function random(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A store that takes its time, and refuses some of its writes. */
class Moody extends MemoryStore {
  constructor(next, refuses) {
    super();
    this.under = 0;
    const moody = (write) => async (...given) => {
      this.under += 1;
      assert.equal(this.under, 1, "one write at a time");
      for (let ticks = Math.floor(next() * 4); ticks > 0; ticks -= 1) await undefined;
      if (next() < 0.3) await settle();
      this.under -= 1;
      if (next() < refuses()) throw no();
      return write.apply(this, given);
    };
    this.append = moody(super.append);
    this.replace = moody(super.replace);
  }
}

test("whatever is done and refused, the store holds the session in the end", async () => {
  const first = Number(process.env.THREADFOLD_SEED ?? 20_261_130);
  const cases = Number(process.env.THREADFOLD_CASES ?? 150);
  for (let seed = first; seed < first + cases; seed += 1) {
    const next = random(seed);
    let refuses = 0.35;
    const store = new Moody(next, () => refuses);
    const { session, writer } = writing(told("a"), store);
    const results = [];
    const committed = new Map();
    const any = () => session.entries()[Math.floor(next() * session.length)]?.id;
    for (let deed = 0; deed < 25; deed += 1) {
      const choice = next();
      if (choice < 0.3) session.appendMessage(user("plain"));
      else if (choice < 0.5) {
        const id = session.appendMessage(user("committed"));
        results.push(outcome(writer.commit(id)).then((ended) => committed.set(id, ended)));
      } else if (choice < 0.6) {
        session.appendMessage({ role: "assistant", content: [{ type: "toolCall", id: `c${deed}`, name: "bash", arguments: {} }], stopReason: "toolUse" });
        session.appendMessage({ role: "toolResult", toolCallId: `c${deed}`, toolName: "bash", content: "line ".repeat(50), isError: false });
      } else if (choice < 0.7) session.pruneToolOutputs({ protectTokens: 40, minimumSavings: 1, mode: next() < 0.7 ? "rewrite" : "overlay" });
      else if (choice < 0.76 && session.length > 0) session.branch(any());
      else if (choice < 0.8 && session.length > 0) session.setLabel(any(), "here");
      else if (choice < 0.84) results.push(outcome(writer.flush()));
      else if (choice < 0.92) await settle();
      else await undefined;
    }
    await Promise.all(results);
    refuses = 0;
    await writer.flush();
    const stored = (await store.load()).lines;
    assert.equal(text(stored), text(session.toJsonl()), `again with THREADFOLD_SEED=${seed} THREADFOLD_CASES=1`);
    for (const [id, ended] of committed) assert.equal(session.entry(id) !== undefined, ended === "stored", `seed ${seed}, ${id}`);
    assert.deepEqual(Session.fromJsonl(stored).diagnostics, []);
  }
});
