// The store in a file: what every store must do, and what only files can go through.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { FileStore, Session } from "threadfold";
import { storeRules } from "../boundary/store-rules.mjs";

const scratch = mkdtempSync(join(tmpdir(), "threadfold-store-"));
after(() => rmSync(scratch, { recursive: true, force: true }));

let files = 0;
const fresh = () => join(scratch, `session-${(files += 1)}.jsonl`);

function storeWith(bytes) {
  const path = fresh();
  if (bytes !== undefined) writeFileSync(path, bytes);
  return new FileStore(path);
}

describe("as every store", () => {
  for (const { name, run } of storeRules(storeWith)) test(name, run);
});

const bytes = (text) => new TextEncoder().encode(text);

/** A file with a session of one entry. */
async function stored() {
  const session = Session.create();
  const id = session.appendMessage({ role: "user", content: "a" });
  const store = storeWith();
  const { revision } = await store.append({ ids: [id], lines: session.toJsonl(), leafId: id }, { expected: null });
  return { store, session, id, revision };
}

describe("as a file", () => {
  test("it holds the session as JSONL", async () => {
    const { store, session } = await stored();
    assert.deepEqual(new Uint8Array(readFileSync(store.path)), session.toJsonl());
  });

  test("what another process appends is noticed before the next write", async () => {
    const { store, revision } = await stored();
    appendFileSync(store.path, '{"type":"custom"}\n');
    const before = readFileSync(store.path);
    await assert.rejects(store.append({ ids: [], lines: bytes("{}\n"), leafId: null }, { expected: revision }), {
      code: "conflict",
      message: new RegExp(`${store.path}: .*load`),
    });
    assert.deepEqual(readFileSync(store.path), before);
  });

  test("another process goes on where one stopped", async () => {
    const { store } = await stored();
    const { revision, lines } = await new FileStore(store.path).load();
    const script = `
      const { FileStore, Session } = require("threadfold");
      (async () => {
        const store = new FileStore(process.argv[1]);
        const { lines, revision } = await store.load();
        const session = Session.fromJsonl(lines);
        const id = session.appendMessage({ role: "user", content: "b" });
        await store.append({ ids: [id], lines: session.toJsonl().slice(lines.length), leafId: id }, { expected: revision });
      })();`;
    execFileSync(process.execPath, ["-e", script, store.path], { cwd: new URL(".", import.meta.url) });
    const since = await store.load(revision);
    assert.equal(Session.fromJsonl(Buffer.concat([lines, since.lines])).length, 2);
  });

  test("an empty file is an empty store", async () => {
    const store = storeWith(bytes(""));
    assert.equal(await store.load(), undefined);
    await store.append({ ids: [], lines: bytes("{}\n"), leafId: null }, { expected: null });
    assert.equal(readFileSync(store.path, "utf8"), "{}\n");
  });

  test("a file that is gone, or was cut, is a conflict", async () => {
    const { store, revision } = await stored();
    writeFileSync(store.path, readFileSync(store.path).subarray(0, 20));
    for (const act of [() => store.load(revision), () => store.replace([], { expected: revision })]) {
      await assert.rejects(act(), { code: "conflict" });
    }
    rmSync(store.path);
    await assert.rejects(store.load(revision), { code: "conflict", revision: null });
    await assert.rejects(store.append({ ids: [], lines: bytes("{}\n"), leafId: null }, { expected: revision }), { code: "conflict" });
    assert.ok(!existsSync(store.path));
  });

  test("lines from before a revision that changed are a conflict, however often and whatever came behind", async () => {
    // A file system gives the number of a file that is gone to the next but one.
    for (let replaces = 1; replaces <= 4; replaces += 1) {
      const { store, id, revision: first } = await stored();
      let revision = first;
      for (let time = 0; time < replaces; time += 1) {
        const line = bytes(JSON.stringify({ type: "custom", id, customType: "x".repeat(time) }));
        ({ revision } = await store.replace([{ id, line }], { expected: revision }));
      }
      const before = revision;
      ({ revision } = await store.append({ ids: [], lines: bytes(`{"more":"${"x".repeat(400)}"}\n`), leafId: null }, { expected: revision }));
      await assert.rejects(store.load(first), { code: "conflict", revision });
      assert.match(Buffer.from((await store.load(before)).lines).toString(), /^\{"more":"x+"\}\n$/);
    }
  });

  test("a changed line of the same length is a conflict, also for a store that has not written it", async () => {
    const { store, id, revision } = await stored();
    const now = readFileSync(store.path, "utf8");
    const { revision: changed } = await store.replace([{ id, line: bytes(now.trimEnd().split("\n")[1].replace('"a"', '"b"')) }], { expected: revision });
    assert.equal(readFileSync(store.path).length, now.length);
    for (const one of [store, new FileStore(store.path)]) {
      await assert.rejects(one.load(revision), { code: "conflict", revision: changed });
      assert.equal(await one.load(changed), undefined);
    }
    await assert.rejects(store.load("no revision of a file"), { code: "conflict" });
  });

  test("a line behind one that was cut off is part of the revision", async () => {
    const store = storeWith(bytes('{"torn'));
    const { revision } = await store.load();
    const { revision: then } = await store.append({ ids: [], lines: bytes("{}\n"), leafId: null }, { expected: revision });
    assert.equal(await store.load(then), undefined);
    assert.equal((await new FileStore(store.path).load()).revision, then);
  });

  const hasModes = { skip: process.platform === "win32" && "Windows has no such modes" };
  const modeOf = (path) => statSync(path).mode & 0o777;

  test("a new file is for its owner alone, one that is there keeps its mode", hasModes, async () => {
    const { store, id, revision } = await stored();
    assert.equal(modeOf(store.path), 0o600);
    const line = bytes(JSON.stringify({ type: "custom", id }));
    let now = (await store.replace([{ id, line }], { expected: revision })).revision;
    assert.equal(modeOf(store.path), 0o600);
    for (const mode of [0o644, 0o660, 0o666]) {
      chmodSync(store.path, mode);
      // One that a kill left behind.
      writeFileSync(`${store.path}.new`, "left", { mode: 0o666 });
      now = (await store.append({ ids: [], lines: bytes("{}\n"), leafId: null }, { expected: now })).revision;
      now = (await store.replace([{ id, line }], { expected: now })).revision;
      assert.equal(modeOf(store.path), mode);
    }
  });

  test("a link stays one: what it leads to is written", hasModes, async () => {
    const { store: real, id, revision } = await stored();
    const link = fresh();
    symlinkSync(real.path, link);
    const line = bytes(JSON.stringify({ type: "custom", id, customType: "new" }));
    await new FileStore(link).replace([{ id, line }], { expected: revision });
    assert.ok(lstatSync(link).isSymbolicLink());
    assert.match(readFileSync(real.path, "utf8"), /"customType":"new"/);
  });

  test("a replace leaves no other file behind, whether it succeeds or not", async () => {
    const { store, id, revision } = await stored();
    const line = bytes(JSON.stringify({ type: "custom", id }));
    await store.replace([{ id, line }], { expected: revision });
    const { revision: now } = await store.load();
    await assert.rejects(store.replace([{ id: "none", line }], { expected: now }), { code: "storage-failed" });
    assert.deepEqual(readdirSync(scratch).filter((name) => name.endsWith(".new")), []);
  });

  test("what the system refuses is storage-failed, with the path and the cause", async () => {
    const folder = join(scratch, "folder");
    mkdirSync(folder);
    const missing = new FileStore(join(scratch, "none", "session.jsonl"));
    const isFolder = new FileStore(folder);
    const refused = [
      [missing, () => missing.append({ ids: [], lines: bytes("{}\n"), leafId: null }, { expected: null }), "ENOENT"],
      [isFolder, () => isFolder.load(), "EISDIR"],
    ];
    for (const [store, act, code] of refused) {
      await assert.rejects(act(), (error) => {
        assert.equal(error.code, "storage-failed");
        assert.ok(error.message.startsWith(`${store.path}: `), error.message);
        assert.equal(error.cause.code, code);
        return true;
      });
    }
  });

  test("an append that fails half-way leaves the file as it was", { skip: process.platform === "win32" && "Windows has no such limit" }, async () => {
    // The limit of a process on the size of its files is met in the middle of a write.
    const { store, revision } = await stored();
    const before = readFileSync(store.path);
    const script = `
      const { FileStore } = require("threadfold");
      process.on("SIGXFSZ", () => {});
      const lines = new Uint8Array(1 << 20).fill(120);
      new FileStore(process.argv[1]).append({ ids: [], lines, leafId: null }, { expected: process.argv[2] }).then(
        () => process.exit(1),
        (error) => process.exit(error.code === "storage-failed" ? 0 : 2),
      );`;
    const limited = `ulimit -f 64; exec "${process.execPath}" -e '${script}' "${store.path}" "${revision}"`;
    execFileSync("bash", ["-c", limited], { cwd: new URL(".", import.meta.url) });
    assert.deepEqual(readFileSync(store.path), before);
  });

  test("a path that is none is refused at once", () => {
    for (const path of [undefined, "", 7, {}]) assert.throws(() => new FileStore(path), { code: "invalid-argument" });
  });
});
