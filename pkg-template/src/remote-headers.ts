import { ThreadfoldError } from "./error.js";
import { checkOptions, refuse } from "./guard.js";

/** A `Headers` of any library, also where TypeScript does not know that one can be walked through. */
interface HeadersLike {
  forEach(callback: (value: string, name: string) => void): void;
}

/** Headers as a host names them: an object, pairs, or a `Headers`. */
export type HeadersGiven = Readonly<Record<string, string>> | Iterable<readonly [string, string]> | HeadersLike;

/** What a call says about the remote endpoint beside the settings. */
export interface RemoteOptions {
  /** Sent along with each request. They appear in no event, error or hook. */
  headers?: HeadersGiven | undefined;
}

/** The headers of all requests of a run, checked: pairs of a name in lower case and a value. */
export type CheckedHeaders = readonly (readonly [string, string])[];

/** What is sent unless the host says otherwise; no secrets. */
const OWN_HEADERS: Record<string, string> = { accept: "application/json", "content-type": "application/json" };

/** Whether there are headers that the host gave. */
export function holdsSecrets(headers: CheckedHeaders): boolean {
  return headers.some(isSecret);
}

function isSecret([name]: CheckedHeaders[number]): boolean {
  return !Object.hasOwn(OWN_HEADERS, name);
}

/** Shorter parts of a header's value are no secret, and blacking them out would garble a message. */
const SHORTEST_SECRET = 4;

/** A text without the values of headers, also where only a part of one stands in it, as the token behind `Bearer`. */
export function withoutValues(text: string, headers: CheckedHeaders): string {
  const values = headers.filter(isSecret).map(([, value]) => value);
  const parts = values.flatMap((value) => [value, ...value.split(/[\s,;=]+/)]).filter((part) => part.length >= SHORTEST_SECRET);
  // The longest first: one may be the beginning of another.
  return parts.sort((one, other) => other.length - one.length).reduce((rest, part) => rest.replaceAll(part, "***"), text);
}

/** The headers of a call, checked before anything is sent; no message ever holds a value. */
export function checkRemote(remote: RemoteOptions | undefined): CheckedHeaders {
  const headers = new Map(Object.entries(OWN_HEADERS));
  if (remote === undefined) return [...headers];
  checkOptions("remote", remote, ["headers"]);
  for (const [given, value] of pairsOf(remote.headers)) {
    if (typeof given !== "string" || !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(given)) {
      refuse("remote.headers", given, "a header's name: ASCII letters, digits and '-'");
    }
    const trimmed = typeof value === "string" ? value.replace(/^[\t\r\n ]+|[\t\r\n ]+$/g, "") : undefined;
    if (trimmed === undefined || /[\0\r\n]|[^\0-\xff]/.test(trimmed)) {
      const found = typeof value === "string" ? "its value" : `a ${typeof value}`;
      const allowed = "a string of one line, of characters up to U+00FF";
      throw new ThreadfoldError("invalid-argument", `remote.headers: ${given}: ${found} is not allowed; allowed is ${allowed}`);
    }
    headers.set(given.toLowerCase(), trimmed);
  }
  return [...headers];
}

/** The pairs of what may be an object, pairs or `Headers`. Reading it may run code of the host, which may throw. */
function pairsOf(headers: unknown): unknown[][] {
  if (headers === undefined) return [];
  const allowed = "an object of names and strings, pairs of them, or Headers";
  if (typeof headers !== "object" || headers === null) refuse("remote.headers", headers, allowed);
  try {
    const pairs = Symbol.iterator in headers ? [...(headers as Iterable<unknown>)] : Object.entries(headers);
    return pairs.map((pair) => {
      const parts = typeof pair === "object" ? [...(pair as Iterable<unknown>)] : [];
      if (parts.length !== 2) throw new TypeError("a pair has two parts");
      return parts;
    });
  } catch (cause) {
    throw new ThreadfoldError("invalid-argument", `remote.headers: they could not be read; allowed is ${allowed}`, { cause });
  }
}
