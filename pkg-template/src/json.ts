import { ThreadfoldError } from "./error.js";
import { describe } from "./guard.js";

/**
 * A host object as JSON. What JSON cannot hold (a cycle, a BigInt, 20 000 levels) is `invalid-entry`
 * with the place and the key.
 */
export function toJson(value: unknown, place: string): string {
  requireObject(value, place);
  let key = "";
  try {
    const json = JSON.stringify(value, (name: string, part: unknown) => {
      key = name;
      return part;
    });
    if (json?.[0] !== "{") throw new TypeError("its JSON form is no object");
    return json;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split("\n", 1)[0] : String(cause);
    throw new ThreadfoldError("invalid-entry", `${place}: cannot be stored as JSON at key ${describe(key)}: ${reason}`, {
      cause,
    });
  }
}

/** The same for what is only read and not stored; see {@link wellFormed}. */
export function toWellFormedJson(value: unknown, place: string): string {
  return wellFormed(toJson(value, place));
}

/**
 * JSON of JSON.stringify in which half of a surrogate pair, which is no text and no JSON to the engine,
 * is U+FFFD. JSON.stringify escapes it, and no other surrogate.
 */
export function wellFormed(json: string): string {
  if (!json.includes("\\ud")) return json;
  return json.replace(/\\(?:ud[89a-f][0-9a-f]{2}|.)/gs, (escape) => (escape.length > 2 ? "\ufffd" : escape));
}

/** Refuses what is no object as `invalid-entry`. */
export function requireObject(value: unknown, place: string): void {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return;
  throw new ThreadfoldError("invalid-entry", `${place}: ${describe(value)} is not allowed; allowed is an object`);
}

/** Freezes what was parsed from JSON, all the way down; it may be deep, so this does not recurse. */
export function deepFreeze<T extends object>(value: T): T {
  const open: object[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const part of Object.values(next)) {
      if (typeof part === "object" && part !== null) open.push(part);
    }
    Object.freeze(next);
  }
  return value;
}
