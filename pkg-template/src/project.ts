import { ThreadfoldError } from "./error.js";
import { isArray, refuse } from "./guard.js";
import { refuseLarger } from "./too-large.js";
import { ALLOWED, Walk, type Files } from "./walk.js";

/**
 * Messages of any library as JSON, for the engine. Nothing of them changes: what JSON cannot hold but a
 * format allows is written in another way, in a copy of only what holds it. `Uint8Array` and
 * `ArrayBuffer` become base64, `URL` its address, `Date` ISO 8601, `Blob` nothing, an object with
 * `toJSON` what that gives.
 *
 * Throws `invalid-argument` with the path for a hole, a cycle, a BigInt, a function, a symbol, a number
 * that is not finite, a collection, what throws when it is read, and more than 200 levels; `too-large`
 * above 512 MiB.
 */
export function messagesJson(messages: readonly unknown[], files: Files, name = "messages"): string {
  if (!isArray(messages)) refuse(name, messages, "an array of messages");
  return projectedJson(messages, files, name);
}

/** The same of any value. */
export function projectedJson(value: unknown, files: Files, name: string): string {
  const walk = new Walk(name, files);
  let json: string;
  try {
    json = JSON.stringify(walk.value(value, 0));
  } catch (cause) {
    if (ThreadfoldError.isInstance(cause)) throw cause;
    // Longer than a string can be, which is about as much as may cross.
    if (walk.done && cause instanceof RangeError) refuseLarger(Infinity, name, cause);
    throw new ThreadfoldError("invalid-argument", `${walk.path()}: it threw when it was read; allowed is ${ALLOWED}`, { cause });
  }
  refuseLarger(json.length, name);
  return json;
}
