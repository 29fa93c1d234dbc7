import { createHash, type Hash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { open, readFile, realpath, rename, rm, stat, type FileHandle } from "node:fs/promises";
import { ThreadfoldError } from "./error.js";
import { messageOf } from "./failure.js";
import { refuse } from "./guard.js";
import { StoreConflictError, type ChangedLine, type Revision, type SessionStore, type StoreBatch, type StoredSession, type WriteOptions } from "./store.js";
import { linesBehind, withChangedLines } from "./stored-lines.js";

/** Session files hold what was said, and what tools read: nobody else is to see it. */
const OWNER_ONLY = 0o600;

/**
 * A store in a file, for Node. A revision is which file it is, how long, when it was written, and the
 * digest of what it holds. What another process writes is noticed before the next write by the first
 * three, though not between that look and the write; whether a file has only grown since a revision
 * is told by the digest. The leaf is not kept: a load begins at the last entry. A line that was cut off
 * by a kill stays, and the next one begins behind it. A new file is for its owner alone; one that is
 * there keeps its mode.
 */
export class FileStore implements SessionStore {
  /** The file; its folder must be there. */
  readonly path: string;
  /** The hash of what the file held at a revision, to go on with: an append need not read the file. */
  #known: { revision: Revision; hash: Hash } = { revision: null, hash: newHash() };

  constructor(path: string) {
    if (typeof path !== "string" || path === "") refuse("new FileStore", path, "the path of a file");
    this.path = path;
  }

  load(after: Revision = null): Promise<StoredSession | undefined> {
    return this.#use("read", async () => {
      const held = await this.#read();
      if (after !== null && !startsAt(after, held.bytes)) {
        throw this.#conflict("it is another file than it was, was cut, or has lines that changed", held.revision);
      }
      const from = after === null ? 0 : lengthAt(after);
      if (held.bytes.length <= from) return undefined;
      this.#known = { revision: held.revision, hash: held.hash };
      return { lines: new Uint8Array(held.bytes.subarray(from)), revision: held.revision };
    });
  }

  append({ lines }: StoreBatch, { expected }: WriteOptions): Promise<{ revision: Revision }> {
    return this.#use("written", async () => {
      await this.#check(expected);
      const before = this.#known.revision === expected ? this.#known.hash : (await this.#read()).hash;
      const file = await open(this.path, "a+", OWNER_ONLY);
      try {
        const hash = before.copy().update(await append(file, lines));
        return this.#at(hash, await file.stat({ bigint: true }));
      } finally {
        await file.close();
      }
    });
  }

  replace(changed: ChangedLine[], { expected }: WriteOptions): Promise<{ revision: Revision }> {
    return this.#use("written", async () => {
      await this.#check(expected);
      // Where the path is a link, the file that it leads to is replaced.
      const path = await realpath(this.path);
      const { bytes, mode } = await this.#read();
      const lines = withChangedLines(bytes, changed);
      await putInPlace(path, lines, mode);
      return this.#at(newHash().update(lines), await this.#stat());
    });
  }

  /** What the file holds; nothing where there is none. What is written while it is read is not part of it. */
  async #read(): Promise<{ bytes: Uint8Array; hash: Hash; revision: Revision; mode: number }> {
    const found = await this.#stat();
    const bytes = found === undefined ? new Uint8Array() : (await readFile(this.path)).subarray(0, Number(found.size));
    const hash = newHash().update(bytes);
    return { bytes, hash, revision: revisionOf(found, hash), mode: Number(found?.mode ?? OWNER_ONLY) };
  }

  /** Notes what the file holds now, and gives its revision. */
  #at(hash: Hash, found: BigIntStats | undefined): { revision: Revision } {
    this.#known = { revision: revisionOf(found, hash), hash };
    return { revision: this.#known.revision };
  }

  async #stat(): Promise<BigIntStats | undefined> {
    try {
      return await stat(this.path, { bigint: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
  }

  async #check(expected: Revision): Promise<void> {
    const found = await this.#stat();
    if (lookOf(found) === lookAt(expected)) return;
    throw this.#conflict("it was written to by somebody else", (await this.#read()).revision);
  }

  #conflict(reason: string, revision: Revision): StoreConflictError {
    return new StoreConflictError(`${this.path}: ${reason}; load the session from it anew`, { revision });
  }

  /** Does something with the file; what goes wrong says so with the path. */
  async #use<T>(what: string, act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (cause) {
      if (ThreadfoldError.isInstance(cause) && cause.code === "conflict") throw cause;
      throw new ThreadfoldError("storage-failed", `${this.path}: it could not be ${what}: ${messageOf(cause)}`, { cause });
    }
  }
}

/** Puts lines behind what a file holds, all of them or none; gives the bytes that were added. */
async function append(file: FileHandle, lines: Uint8Array): Promise<Uint8Array> {
  const { size } = await file.stat();
  const last = new Uint8Array(1);
  if (size > 0) await file.read(last, 0, 1, size - 1);
  const added = linesBehind(size > 0 ? last[0] : undefined, lines);
  try {
    await file.appendFile(added);
  } catch (error) {
    // A part may have been written, as where the disk is full.
    await file.truncate(size);
    throw error;
  }
  return added;
}

/** Puts a new file with these bytes in the place of one, as a whole or not at all. */
async function putInPlace(path: string, bytes: Uint8Array, mode: number): Promise<void> {
  const fresh = `${path}.new`;
  try {
    // One that a kill left behind may be for everybody to read.
    await rm(fresh, { force: true });
    const file = await open(fresh, "wx", OWNER_ONLY);
    try {
      await file.writeFile(bytes);
      await file.chmod(mode & 0o7777);
    } finally {
      await file.close();
    }
    await rename(fresh, path);
  } catch (error) {
    await rm(fresh, { force: true });
    throw error;
  }
}

function newHash(): Hash {
  return createHash("sha256");
}

/** The digest of what a hash was given until now; it goes on from there. */
function digestOf(hash: Hash): string {
  return hash.copy().digest("base64url");
}

function revisionOf(found: BigIntStats | undefined, hash: Hash): Revision {
  const look = lookOf(found);
  return look === null ? null : `${look}:${digestOf(hash)}`;
}

/** What a revision tells of a file that need not be read for it. */
function lookOf(found: BigIntStats | undefined): string | null {
  return found === undefined || found.size === 0n ? null : `${found.size}:${found.ino}:${found.mtimeNs}`;
}

function lookAt(revision: Revision): string | null {
  return revision === null ? null : String(revision).split(":", 3).join(":");
}

/** The length of the file at a revision, in bytes; NaN where this is no revision of such a store. */
function lengthAt(revision: Revision): number {
  return Number(String(revision).split(":", 1)[0]);
}

/** Whether bytes begin with those that the file held at a revision. */
function startsAt(revision: Revision, bytes: Uint8Array): boolean {
  const length = lengthAt(revision);
  return length <= bytes.length && digestOf(newHash().update(bytes.subarray(0, length))) === String(revision).split(":").at(-1);
}
