import { StoreConflictError, type ChangedLine, type Revision, type SessionStore, type StoreBatch, type StoredSession, type WriteOptions } from "./store.js";
import { concat, linesBehind, withChangedLines } from "./stored-lines.js";

/** A store that holds a session in memory, for tests and for hosts that save it in their own way. */
export class MemoryStore implements SessionStore {
  /** What each write added since stored lines changed last, and before it what there was then. */
  #parts: Uint8Array[];
  #leafId: string | null | undefined;
  /** The number of writes. */
  #revision = 0;
  /** The number of writes up to the last one that changed stored lines. */
  #changedAt = 0;

  /** A store with the bytes of a session file in it, or with nothing. */
  constructor(lines: Uint8Array = new Uint8Array()) {
    this.#parts = [lines.slice()];
  }

  async load(after: Revision = null): Promise<StoredSession | undefined> {
    const from = after === null ? 0 : Number(after) - this.#changedAt + 1;
    if (after !== null && !(from >= 1 && from <= this.#parts.length)) throw this.#conflict(after);
    const lines = concat(this.#parts.slice(from));
    if (lines.length === 0) return undefined;
    return { lines, ...(this.#leafId === undefined ? {} : { leafId: this.#leafId }), revision: this.#stand() };
  }

  async append({ lines, leafId }: StoreBatch, { expected }: WriteOptions): Promise<{ revision: Revision }> {
    this.#check(expected);
    this.#parts.push(linesBehind(this.#parts.at(-1)?.at(-1), lines.slice()));
    this.#leafId = leafId;
    this.#revision += 1;
    return { revision: this.#revision };
  }

  async replace(changed: ChangedLine[], { expected }: WriteOptions): Promise<{ revision: Revision }> {
    this.#check(expected);
    this.#parts = [withChangedLines(concat(this.#parts), changed)];
    this.#revision += 1;
    this.#changedAt = this.#revision;
    return { revision: this.#revision };
  }

  /** The revision it is at. */
  #stand(): Revision {
    return this.#parts.every((part) => part.length === 0) ? null : this.#revision;
  }

  #check(expected: Revision): void {
    if (expected !== this.#stand()) throw this.#conflict(expected);
  }

  #conflict(expected: Revision): StoreConflictError {
    const stand = { leafId: this.#leafId, revision: this.#stand() };
    return new StoreConflictError(`the memory store is at revision ${stand.revision}, and ${expected} was expected; load it anew`, stand);
  }
}
