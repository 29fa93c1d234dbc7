// What every store must do, for a store that is made of bytes.

import { equal, ok } from "./check.mjs";

const bytes = (text) => new TextEncoder().encode(text);
const text = (bytes) => new TextDecoder().decode(bytes);

const header = '{"type":"session","version":3,"id":"a","timestamp":"t","cwd":"/"}';
const line = (id, says = id) => `{"type":"custom","id":"${id}","parentId":null,"timestamp":"t","customType":"${says}"}`;
const file = (...lines) => lines.map((one) => `${one}\n`).join("");
const batch = (...ids) => ({ ids, lines: bytes(file(...ids.map((id) => line(id)))), leafId: ids.at(-1) ?? null });

/** What a promise rejects with. */
async function refusal(promise, code) {
  const error = await promise.then(
    () => undefined,
    (error) => error,
  );
  equal(error?.code, code, `the code of "${error?.message}"`);
  return error;
}

/** A store with the header and two entries, and the revisions on the way. */
async function filled(make) {
  const store = await make();
  const first = await store.append({ ids: [], lines: bytes(file(header)), leafId: null }, { expected: null });
  const second = await store.append(batch("a", "b"), { expected: first.revision });
  return { store, first: first.revision, second: second.revision };
}

/** `make` makes a store with the bytes that are given in it, or with nothing. */
export const storeRules = (make) => [
  {
    name: "an empty store loads as nothing, and has the revision null",
    async run() {
      const store = await make();
      equal([await store.load(), await store.load(null)], [undefined, undefined]);
      const { revision } = await refusal(store.append(batch("a"), { expected: 7 }), "conflict");
      equal([revision, await store.load()], [null, undefined]);
    },
  },
  {
    name: "what was appended comes back in its order, at the revision of the last write",
    async run() {
      const { store, first, second } = await filled(make);
      const { lines, revision } = await store.load();
      equal([text(lines), revision], [file(header, line("a"), line("b")), second]);
      ok(lines.constructor === Uint8Array, "the lines are plain bytes");
      equal(new Set([first, second, null]).size, 3, "the number of revisions");
    },
  },
  {
    name: "a load after a revision gives what came since",
    async run() {
      const { store, first, second } = await filled(make);
      equal(await store.load(second), undefined);
      const since = await store.load(first);
      equal([text(since.lines), since.revision], [file(line("a"), line("b")), second]);
      equal(text((await store.load(null)).lines), file(header, line("a"), line("b")));
      await refusal(store.load("another"), "conflict");
    },
  },
  {
    name: "a write at another revision is a conflict that says where the store stands, and changes nothing",
    async run() {
      const { store, first, second } = await filled(make);
      const before = text((await store.load()).lines);
      const change = [{ id: "a", line: bytes(line("a", "new")) }];
      for (const expected of [null, first, "another", -1]) {
        const writes = [store.append(batch("c"), { expected }), store.replace(change, { expected })];
        // Both are looked at from the start: who is refused first is not said.
        const errors = await Promise.all(writes.map((write) => refusal(write, "conflict")));
        for (const { revision } of errors) equal(revision, second);
      }
      const { lines, revision } = await store.load();
      equal([text(lines), revision], [before, second]);
    },
  },
  {
    name: "a line is replaced by the id of its entry, and every other byte stays",
    async run() {
      const crlf = `${line("b", 'says \\"id\\":\\"a\\"')}\r\n`;
      const before = `${file(header)}not JSON\n${line("x").slice(0, -1)},"data":{"id":"a"}}\n${crlf}`;
      const torn = '{"type":"custom","id":"c"';
      const store = await make(bytes(`${before}${file(line("a"), line("a", "again"))}${torn}`));
      const { revision } = await store.load();
      const [a, b] = [line("a", "longer than it was"), line("b", "")];
      await store.replace([{ id: "b", line: bytes(b) }, { id: "a", line: bytes(a) }], { expected: revision });
      const after = `${before.replace(crlf, `${b}\r\n`)}${file(a, line("a", "again"))}${torn}`;
      equal(text((await store.load()).lines), after);
    },
  },
  {
    name: "after lines were replaced, what came since an earlier revision cannot be told",
    async run() {
      const { store, first, second } = await filled(make);
      const longer = line("a", "a longer one");
      const { revision } = await store.replace([{ id: "a", line: bytes(longer) }], { expected: second });
      await refusal(store.load(second), "conflict");
      // No line from before the first has changed: a store that can tell so may say what came since.
      const since = await store.load(first).catch(({ code }) => code);
      ok(since === "conflict" || text(since.lines) === file(longer, line("b")), "the lines since");
      equal(await store.load(revision), undefined);
      await store.append(batch("c"), { expected: revision });
      equal(text((await store.load(revision)).lines), file(line("c")));
    },
  },
  {
    name: "an entry that is not stored cannot be replaced, and nothing changes",
    async run() {
      const { store, second } = await filled(make);
      const changes = [{ id: "a", line: bytes("{}") }, { id: "c", line: bytes("{}") }];
      const error = await refusal(store.replace(changes, { expected: second }), "storage-failed");
      ok(error.message.includes('"c"'), error.message);
      const { lines, revision } = await store.load();
      equal([text(lines), revision], [file(header, line("a"), line("b")), second]);
    },
  },
  {
    name: "a line that was cut off does not swallow the next, and there is no empty line",
    async run() {
      for (const begin of ["", "\n"]) {
        const torn = `${file(header)}{"type":"cust`;
        const store = await make(bytes(torn));
        const { revision } = await store.load();
        await store.append({ ...batch("a"), lines: bytes(`${begin}${file(line("a"))}`) }, { expected: revision });
        equal(text((await store.load()).lines), `${torn}\n${file(line("a"))}`);
      }
    },
  },
  {
    name: "what was handed over or out may change afterwards",
    async run() {
      const store = await make();
      const lines = bytes(file(header));
      await store.append({ ids: [], lines, leafId: null }, { expected: null });
      lines.fill(0);
      (await store.load()).lines.fill(0);
      equal(text((await store.load()).lines), file(header));
    },
  },
];
