import { refuse } from "./guard.js";

/** The time as sessions store it. */
export function isoTime(now: number): string {
  const date = new Date(now);
  if (Number.isNaN(date.getTime())) refuse("now", now, "milliseconds since 1970");
  return date.toISOString();
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
