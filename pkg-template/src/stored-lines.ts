import { ThreadfoldError } from "./error.js";
import type { ChangedLine } from "./store.js";

/** The byte that ends a line. */
export const LINE_END = 10;
const CARRIAGE_RETURN = 13;

/** Lines as they go behind bytes that end with `last`: one that was cut off in the middle does not swallow the next. */
export function linesBehind(last: number | undefined, lines: Uint8Array): Uint8Array {
  const isTorn = last !== undefined && last !== LINE_END && lines[0] !== LINE_END;
  return isTorn ? concat([Uint8Array.of(LINE_END), lines]) : lines;
}

/**
 * Stored bytes with other lines in the place of those of some entries; every other byte stays. Of
 * several lines with one id the first is meant. Throws `storage-failed` where no line has an id.
 */
export function withChangedLines(stored: Uint8Array, changed: readonly ChangedLine[]): Uint8Array {
  const open = new Map(changed.map(({ id, line }) => [id, line]));
  const parts: Uint8Array[] = [];
  let written = 0;
  for (let start = 0; start < stored.length && open.size > 0; ) {
    const found = stored.indexOf(LINE_END, start);
    const next = found < 0 ? stored.length : found + 1;
    // A line may end with CR and LF, which stay.
    const end = next - (found < 0 ? 0 : 1) - (stored[found - 1] === CARRIAGE_RETURN ? 1 : 0);
    const id = idOf(stored.subarray(start, end));
    const line = id === undefined ? undefined : open.get(id);
    if (id !== undefined && line !== undefined) {
      parts.push(stored.subarray(written, start), line);
      written = end;
      open.delete(id);
    }
    start = next;
  }
  const [missing] = open.keys();
  if (missing !== undefined) {
    throw new ThreadfoldError("storage-failed", `no line of its own is stored for the entry ${JSON.stringify(missing)}`);
  }
  return concat([...parts, stored.subarray(written)]);
}

const decoder = new TextDecoder();

/** The id that a line gives its entry, undefined where it is no JSON of an object that has one. */
function idOf(line: Uint8Array): string | undefined {
  try {
    const { type, id } = JSON.parse(decoder.decode(line)) as { type?: unknown; id?: unknown };
    return typeof id === "string" && type !== "session" ? id : undefined;
  } catch {
    return undefined;
  }
}

/** Bytes one behind the other. */
export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
