import { describe, isArray } from "./guard.js";
import { endsOf } from "./long-text.js";
import { amount, retryAfterMs } from "./retry-after.js";

/** What a thrown value says about a failure. */
export interface Failure {
  /** For people, and for telling what kind of failure it is. */
  message: string;
  /** The HTTP status, from 400. */
  status?: number;
  /** How long its headers ask to wait, in milliseconds. */
  retryAfterMs?: number;
}

/** Where libraries keep what really went wrong, the nearest first. */
const NESTED = ["error", "response", "lastError", "cause", "originalError", "data", "body", "$metadata", "$response", "metadata", "errors"];
const STATUS = ["status", "statusCode", "httpStatusCode", "code"];
const HEADERS = ["headers", "responseHeaders"];

/** The most objects that are looked at, of each list the most items, and the most headers. */
const MOST_OBJECTS = 48;
const MOST_ITEMS = 8;
const MOST_HEADERS = 200;

/** The most messages that are told, and the length of each behind the first, in characters; of the first both ends count. */
const MOST_MESSAGES = 4;
const LONGEST_PART = 2_000;

const UNSAID = "the summariser failed and did not say why";

/**
 * Reads a thrown value: an error of any library, a response, a text, or junk. It may throw wherever it
 * is read, hold itself, or go down without end; what cannot be read counts as absent.
 * `now` is the time by which a date in a header is taken, in milliseconds since 1970.
 */
export function failureOf(error: unknown, now: number): Failure {
  const objects = reach(error);
  const status = first(objects, statusOf);
  const retryAfterMs = first(objects, (object) => waitOf(object, status, now));
  return {
    message: messageIn(error, objects),
    ...(status === undefined ? {} : { status }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

/** What a thrown value says, for people; `unsaid` where it says nothing. */
export function messageOf(error: unknown, unsaid = UNSAID): string {
  return messageIn(error, reach(error), unsaid);
}

/** The value and the objects that it wraps, nearest first. */
function reach(error: unknown): object[] {
  const found = new Set<object>();
  const open = [error];
  for (const value of open) {
    if (found.size === MOST_OBJECTS) break;
    if (typeof value !== "object" || value === null || found.has(value)) continue;
    found.add(value);
    open.push(...(isArray(value) ? items(value, MOST_ITEMS) : NESTED.map((key) => read(value, key))));
  }
  return [...found];
}

function first<T>(objects: object[], find: (object: object) => T | undefined): T | undefined {
  for (const object of objects) {
    const found = find(object);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A property, or nothing where reading it throws. */
function read(object: object, key: string): unknown {
  try {
    return (object as Record<string, unknown>)[key];
  } catch {
    return undefined;
  }
}

/** The first items of whatever can be walked through; as far as it can. */
function items(value: object, most: number): unknown[] {
  const found: unknown[] = [];
  try {
    for (const item of value as Iterable<unknown>) {
      if (found.length === most) break;
      found.push(item);
    }
  } catch {
    // What came before it threw is kept.
  }
  return found;
}

/** What the objects say, joined: a wrapper often says only that something failed, and its cause why. */
function messageIn(error: unknown, objects: object[], unsaid = UNSAID): string {
  const said: string[] = typeof error === "string" && error !== "" ? [endsOf(error)] : [];
  for (const object of objects) {
    for (const key of ["message", "error", "data", "body"]) {
      const text = read(object, key);
      if (typeof text !== "string" || text === "" || said.length === MOST_MESSAGES) continue;
      const part = said.length === 0 ? endsOf(text) : text.slice(0, LONGEST_PART);
      if (!said.some((other) => other.includes(part))) said.push(part);
    }
  }
  if (said.length > 0) return said.join(": ");
  try {
    return error === "" || error instanceof Error ? unsaid : describe(error);
  } catch {
    return unsaid;
  }
}

function statusOf(object: object): number | undefined {
  for (const key of STATUS) {
    const value = read(object, key);
    // Some write it as text; a status such as "RESOURCE_EXHAUSTED" is another one.
    const status = typeof value === "string" && /^\d{3}$/.test(value) ? Number(value) : value;
    if (typeof status === "number" && Number.isInteger(status) && status >= 400 && status < 600) return status;
  }
  return undefined;
}

function waitOf(object: object, status: number | undefined, now: number): number | undefined {
  for (const key of HEADERS) {
    const headers = read(object, key);
    if (typeof headers !== "object" || headers === null) continue;
    const given = readHeaders(headers);
    const ms = amount(given.get("retry-after-ms"), 1) ?? retryAfterMs(given.get("retry-after"), () => now);
    if (ms !== undefined) return ms;
    // Everyone counts this one in another way; only a point in time is sure, and only where a limit was met.
    const reset = status === 429 ? Number(given.get("x-ratelimit-reset")) : NaN;
    if (reset > 1e12 && reset < 1e14) return Math.max(0, reset - now);
    if (reset > 1e9 && reset < 1e11) return Math.max(0, reset * 1_000 - now);
  }
  return undefined;
}

/** The headers that matter, by their name in small letters: of a `Headers`, a `Map`, pairs or a plain object. */
function readHeaders(headers: object): Map<string, string> {
  const found = new Map<string, string>();
  const pairs = items(headers, MOST_HEADERS);
  const keys = pairs.length > 0 ? [] : ownKeys(headers);
  for (const pair of [...pairs, ...keys.map((key) => [key, read(headers, key)])]) {
    if (!isArray(pair)) continue;
    const [name, value] = [read(pair, "0"), read(pair, "1")];
    const text = isArray(value) ? read(value, "0") : value;
    if (typeof name === "string" && (typeof text === "string" || typeof text === "number")) {
      found.set(name.toLowerCase(), String(text).trim());
    }
  }
  return found;
}

function ownKeys(object: object): string[] {
  try {
    return Object.keys(object).slice(0, MOST_HEADERS);
  } catch {
    return [];
  }
}
