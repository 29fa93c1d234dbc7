import { ThreadfoldError } from "./error.js";

/**
 * Which state of a store is meant: a value that the store makes and no one else looks into. It is
 * another one after every write. `null` is a store in which nothing was stored yet.
 */
export type Revision = string | number | null;

/** What a store holds. */
export interface StoredSession {
  /** The lines, a JSONL file as {@link Session.fromJsonl} takes it. */
  lines: Uint8Array;
  /** The leaf at the last write, where the store keeps it; null before the first entry. */
  leafId?: string | null;
  revision: Revision;
}

/** Entries on their way into a store. */
export interface StoreBatch {
  /** The ids of the entries, in the order of their lines. */
  ids: string[];
  /** Their lines, to be put behind those that are there: the first batch begins with the header. */
  lines: Uint8Array;
  /** The leaf once they are stored; null before the first entry. */
  leafId: string | null;
}

/** An entry whose line has changed. */
export interface ChangedLine {
  id: string;
  /** The new line, without a line end. */
  line: Uint8Array;
}

/** What a write is told beside what it writes. */
export interface WriteOptions {
  /** The revision that the store must be at; at another one it refuses with `conflict`. */
  expected: Revision;
  /** Aborted when nobody waits for the write any more. One that has begun is ended all the same. */
  signal?: AbortSignal;
}

/**
 * Where a session is stored: a file, a database, a remote place. It is called for one write at a
 * time, and never given up on: a write that does not settle holds up those behind it. A write that
 * is refused must leave nothing behind. Refusals reject with an error whose `code` is `conflict` (see
 * {@link StoreConflictError}); any other rejection counts as `storage-failed`.
 */
export interface SessionStore {
  /**
   * Everything that is stored, or undefined where nothing is. With `after` only the lines that were
   * appended since that revision, or undefined where none were; `conflict` where lines from before
   * it have changed, and then everything is to be loaded.
   */
  load(after?: Revision): Promise<StoredSession | undefined>;
  /** Puts lines behind those that are stored. */
  append(batch: StoreBatch, options: WriteOptions): Promise<{ revision: Revision }>;
  /** Puts new lines in the place of stored ones, after a prune that rewrites. */
  replace(changed: ChangedLine[], options: WriteOptions): Promise<{ revision: Revision }>;
}

/** Where a store stands, as a `conflict` tells it. */
export interface StoreStand {
  /** The leaf of what is stored, where the store knows it. */
  leafId?: string | null | undefined;
  /** The revision that the store is at. */
  revision?: Revision | undefined;
}

/** Says with the code `conflict` that somebody else has written to the store since. */
export class StoreConflictError extends ThreadfoldError {
  /** The leaf of what is stored, where the store knows it. */
  readonly leafId: string | null | undefined;
  /** The revision that the store is at, where it says so. */
  readonly revision: Revision | undefined;

  constructor(message: string, stand: StoreStand = {}, options?: { cause?: unknown }) {
    super("conflict", message, options);
    this.leafId = stand.leafId;
    this.revision = stand.revision;
  }
}
