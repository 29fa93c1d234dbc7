import type { BigIntStats } from "node:fs";
import { open, readFile, rename, rm, stat, writeFile, type FileHandle } from "node:fs/promises";
import { ThreadfoldError } from "./error.js";
import { messageOf } from "./failure.js";
import { refuse } from "./guard.js";
import { StoreConflictError, type ChangedLine, type Revision, type SessionStore, type StoreBatch, type StoredSession, type WriteOptions } from "./store.js";
import { linesBehind, withChangedLines } from "./stored-lines.js";

/**
 * A store in a file, for Node. A revision is which file it is, how long, and when it was written:
 * what another process writes is noticed before the next write, though not between that look and the
 * write. The leaf is not kept: a load begins at the last entry. A line that was cut off by a kill
 * stays, and the next one begins behind it.
 */
export class FileStore implements SessionStore {
  /** The file; its folder must be there. */
  readonly path: string;

  constructor(path: string) {
    if (typeof path !== "string" || path === "") refuse("new FileStore", path, "the path of a file");
    this.path = path;
  }

  load(after: Revision = null): Promise<StoredSession | undefined> {
    return this.#use("read", async () => {
      const found = await this.#stat();
      const from = after === null ? 0 : this.#lengthAt(after, found);
      if (found === undefined) return undefined;
      const bytes = await readFile(this.path);
      if (bytes.length <= from) return undefined;
      // What came while it was read is another revision, which the next write would stumble over.
      const lines = new Uint8Array(bytes.subarray(from, Number(found.size)));
      return { lines, revision: revisionOf(found) };
    });
  }

  append({ lines }: StoreBatch, { expected }: WriteOptions): Promise<{ revision: Revision }> {
    return this.#use("written", async () => {
      await this.#check(expected);
      const file = await open(this.path, "a+");
      try {
        return { revision: await append(file, lines) };
      } finally {
        await file.close();
      }
    });
  }

  replace(changed: ChangedLine[], { expected }: WriteOptions): Promise<{ revision: Revision }> {
    return this.#use("written", async () => {
      await this.#check(expected);
      const fresh = `${this.path}.new`;
      try {
        await writeFile(fresh, withChangedLines(await readFile(this.path), changed));
        await rename(fresh, this.path);
      } catch (error) {
        await rm(fresh, { force: true });
        throw error;
      }
      return { revision: revisionOf(await this.#stat()) };
    });
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
    const found = revisionOf(await this.#stat());
    if (found !== expected) throw this.#conflict(`it was written to by somebody else`, found);
  }

  /** How long the file was at a revision, which it has only grown since. */
  #lengthAt(after: Revision, found: BigIntStats | undefined): number {
    const [file, size] = String(after).split(":");
    const length = Number(size);
    if (found === undefined || file !== String(found.ino) || !(length <= Number(found.size))) {
      throw this.#conflict("it is another file than it was, or was cut", revisionOf(found));
    }
    return length;
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

/** Puts lines behind what a file holds, all of them or none; gives the revision then. */
async function append(file: FileHandle, lines: Uint8Array): Promise<Revision> {
  const { size } = await file.stat();
  const last = new Uint8Array(1);
  if (size > 0) await file.read(last, 0, 1, size - 1);
  try {
    await file.appendFile(linesBehind(size > 0 ? last[0] : undefined, lines));
  } catch (error) {
    // A part may have been written, as where the disk is full.
    await file.truncate(size);
    throw error;
  }
  return revisionOf(await file.stat({ bigint: true }));
}

function revisionOf(found: BigIntStats | undefined): Revision {
  return found === undefined || found.size === 0n ? null : `${found.ino}:${found.size}:${found.mtimeNs}`;
}
