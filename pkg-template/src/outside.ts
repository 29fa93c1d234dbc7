import { ThreadfoldError } from "./error.js";
import { refuse } from "./guard.js";

/** A time, in milliseconds since 1970, as sessions store it. */
export function isoTime(now: number): string {
  return new Date(now).toISOString();
}

/** A clock that gives milliseconds since 1970, or throws `invalid-argument`. */
export type Clock = () => number;

/** A host's clock, checked at each look: it may throw, or give what is no time. */
export function clockBy(now: () => unknown): Clock {
  return () => {
    let given: unknown;
    let time: number;
    try {
      given = now();
      time = Number(given);
    } catch (cause) {
      throw new ThreadfoldError("invalid-argument", "now: it threw; allowed is a function that gives milliseconds since 1970", { cause });
    }
    if (Number.isNaN(new Date(time).getTime())) refuse("now", given, "milliseconds since 1970");
    return time;
  };
}

/** A random number for the ids of one session. */
export function seed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] as number;
}

/** A random id for a session. `crypto.randomUUID` is missing in pages that are not served securely. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
