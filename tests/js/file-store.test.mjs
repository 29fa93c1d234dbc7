// The store in a file: what every store must do, and what only files can go through.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
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
