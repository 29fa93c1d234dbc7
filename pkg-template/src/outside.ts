import { ThreadfoldError } from "./error.js";
import { refuse } from "./guard.js";

/** The time as sessions store it. */
export function isoTime(now: number): string {
  const date = new Date(now);
  if (Number.isNaN(date.getTime())) refuse("now", now, "milliseconds since 1970");
  return date.toISOString();
}

/** The time by a host's clock. */
export function timeBy(now: () => number): string {
  let time: number;
  try {
    time = Number(now());
  } catch (cause) {
    throw new ThreadfoldError("invalid-argument", "now: it threw; allowed is a function that gives milliseconds since 1970", { cause });
  }
  return isoTime(time);
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
