import { ThreadfoldError } from "./error.js";
import { describe } from "./guard.js";

/**
 * A host object as JSON. What JSON cannot hold (a cycle, a BigInt, 20 000 levels) is `invalid-entry`
 * with the place and the key.
 */
export function toJson(value: unknown, place: string): string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ThreadfoldError("invalid-entry", `${place}: ${describe(value)} is not allowed; allowed is an object`);
  }
  let key = "";
  try {
    const json = JSON.stringify(value, (name: string, part: unknown) => {
      key = name;
      return part;
    });
    if (typeof json !== "string") throw new TypeError("it has no JSON form");
    return json;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split("\n", 1)[0] : String(cause);
    throw new ThreadfoldError("invalid-entry", `${place}: cannot be stored as JSON at key ${describe(key)}: ${reason}`, {
      cause,
    });
  }
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
