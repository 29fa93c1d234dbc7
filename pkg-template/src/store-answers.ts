import { ThreadfoldError } from "./error.js";
import { messageOf } from "./failure.js";
import { describe } from "./guard.js";
import { StoreConflictError, type Revision, type StoredSession } from "./store.js";

/** Calls a store. What it throws becomes `conflict` or `storage-failed`; `what` says what was to be done. */
export async function askStore<T>(what: string, ask: () => PromiseLike<T> | T): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    throw refusalOf(what, cause);
  }
}

function refusalOf(what: string, cause: unknown): ThreadfoldError {
  if (ThreadfoldError.isInstance(cause) && (cause.code === "conflict" || cause.code === "storage-failed")) return cause;
  const message = `${what}: the store refused: ${messageOf(cause, "it did not say why")}`;
  const { code, leafId, revision } = fieldsOf(cause);
  if (code !== "conflict") return new ThreadfoldError("storage-failed", message, { cause });
  return new StoreConflictError(message, { leafId: leafOf(leafId), revision: isRevision(revision) ? revision : undefined }, { cause });
}

/** What was thrown may throw itself when it is read. */
function fieldsOf(cause: unknown): { code?: unknown; leafId?: unknown; revision?: unknown } {
  try {
    const { code, leafId, revision } = cause as { code?: unknown; leafId?: unknown; revision?: unknown };
    return { code, leafId, revision };
  } catch {
    return {};
  }
}

function leafOf(value: unknown): string | null | undefined {
  return typeof value === "string" || value === null ? value : undefined;
}

function isRevision(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}

/** Checks what `load` gave. An empty store has the revision null. */
export function checkLoaded(given: unknown): { lines: Uint8Array; revision: Revision } {
  if (given === undefined) return { lines: new Uint8Array(), revision: null };
  const { lines, revision } = (given ?? {}) as Partial<StoredSession>;
  if (!(lines instanceof Uint8Array)) return refuseAnswer("load", given, "lines", lines, "a Uint8Array; undefined as the whole where nothing is stored");
  if (revision === null && lines.length === 0) return { lines, revision };
  if (!isRevision(revision)) return refuseAnswer("load", given, "revision", revision, "a string or a number");
  return { lines, revision };
}

/** Checks what a write gave, and gives the revision. */
export function checkWritten(write: "append" | "replace", given: unknown): Revision {
  const { revision } = (given ?? {}) as { revision?: unknown };
  return isRevision(revision) ? revision : refuseAnswer(write, given, "revision", revision, "a string or a number");
}

function refuseAnswer(call: string, given: unknown, field: string, value: unknown, allowed: string): never {
  const found = typeof given === "object" && given !== null ? `an answer whose ${field} is ${describe(value)}` : describe(given);
  throw new ThreadfoldError("storage-failed", `${call}: the store gave ${found}; allowed is ${field}: ${allowed}`);
}
