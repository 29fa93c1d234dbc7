// A session that is stored in this browser, as the library's interface of stores wants it.

import type { IDBPTransaction } from "idb";
import { linesBehind, StoreConflictError, withChangedLines, type ChangedLine, type Revision, type SessionStore, type StoreBatch, type StoredSession, type WriteOptions } from "threadfold";
import type { Database, KeptRecord, Tables } from "./database.js";

type Writing = IDBPTransaction<Tables, ["sessions", "parts"], "readwrite">;

export class BrowserStore implements SessionStore {
  readonly #database: Database;
  readonly #key: string;
  /** What the session is called, for its first write. */
  readonly #name: string;

  constructor(database: Database, key: string, name: string) {
    this.#database = database;
    this.#key = key;
    this.#name = name;
  }

  async load(after: Revision = null): Promise<StoredSession | undefined> {
    const { record, parts } = await this.#read();
    if (record === undefined) return undefined;
    const { revision, changedAt, leafId } = record;
    const from = after === null ? 0 : Number(after);
    if (after !== null && !(from >= changedAt && from <= revision)) throw conflict(record, after);
    const lines = joined(parts.filter((part) => part.revision > from).map(({ lines }) => lines));
    return lines.length === 0 ? undefined : { lines, leafId, revision };
  }

  append({ lines, leafId }: StoreBatch, { expected }: WriteOptions): Promise<{ revision: Revision }> {
    return this.#write(expected, async (writing, record) => {
      const revision = record.revision + 1;
      const part = linesBehind(record.last, lines);
      await writing.objectStore("parts").put({ key: this.#key, revision, lines: part.slice() });
      return { ...record, revision, leafId, bytes: record.bytes + part.length, last: part.at(-1) ?? record.last };
    });
  }

  replace(changed: ChangedLine[], { expected }: WriteOptions): Promise<{ revision: Revision }> {
    return this.#write(expected, async (writing, record) => {
      const table = writing.objectStore("parts");
      const stored = await table.getAll(this.#range());
      const lines = withChangedLines(joined(stored.map(({ lines }) => lines)), changed);
      const revision = record.revision + 1;
      await table.delete(this.#range());
      await table.put({ key: this.#key, revision, lines });
      return { ...record, revision, changedAt: revision, bytes: lines.length, last: lines.at(-1) };
    });
  }

  async #read() {
    const reading = this.#database.transaction(["sessions", "parts"]);
    const record = await reading.objectStore("sessions").get(this.#key);
    const parts = await reading.objectStore("parts").getAll(this.#range());
    await reading.done;
    return { record, parts };
  }

  /** Writes in one transaction: all of it is stored, or nothing. */
  async #write(expected: Revision, write: (writing: Writing, record: KeptRecord) => Promise<KeptRecord>): Promise<{ revision: Revision }> {
    const writing = this.#database.transaction(["sessions", "parts"], "readwrite");
    try {
      const known = await writing.objectStore("sessions").get(this.#key);
      if ((known?.revision ?? null) !== expected) throw conflict(known, expected);
      const record = known ?? { key: this.#key, name: this.#name, bytes: 0, savedAt: 0, revision: 0, changedAt: 0, leafId: null, last: undefined };
      const written = await write(writing, record);
      await writing.objectStore("sessions").put({ ...written, savedAt: Date.now() });
      await writing.done;
      return { revision: written.revision };
    } catch (error) {
      abort(writing);
      throw error;
    }
  }

  #range(): IDBKeyRange {
    return IDBKeyRange.bound([this.#key, 0], [this.#key, Infinity]);
  }
}

function abort(writing: Writing): void {
  writing.done.catch(() => undefined);
  try {
    writing.abort();
  } catch {
    // It has ended by itself.
  }
}

function conflict(record: KeptRecord | undefined, expected: Revision): StoreConflictError {
  const revision = record?.revision ?? null;
  return new StoreConflictError(`the kept session is at revision ${revision}, and ${expected} was expected`, { leafId: record?.leafId, revision });
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
