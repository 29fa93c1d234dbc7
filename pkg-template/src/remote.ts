import type { RemoteResponse } from "./data.js";
import { ThreadfoldError } from "./error.js";
import { checkOptions, guard, refuse } from "./guard.js";
import { messageOf } from "./thrown.js";
import { within } from "./within.js";

/** Headers as a host names them: an object, pairs, or a `Headers`. */
export type HeadersGiven = Readonly<Record<string, string>> | Iterable<readonly [string, string]>;

/** What a call says about the remote endpoint beside the settings. */
export interface RemoteOptions {
  /** Sent along with each request. They appear in no event, error or hook. */
  headers?: HeadersGiven | undefined;
}

/** What the host's own `fetch` is called with beside the address. */
export interface FetchInit {
  method: "POST";
  headers: Record<string, string>;
  body: string;
  /** Redirects are not followed: the address that they name was not checked. */
  redirect: "manual";
  signal: AbortSignal;
}

/** The host's own `fetch`. It may be slow, throw, reject or ignore its signal: the run copes. */
export type Fetch = (url: string, init: FetchInit) => unknown;

/** How asking a remote endpoint ended. */
export type RemoteAnswer =
  | { type: "responded"; status: number; retryAfterMs: number | undefined; body: string; truncated: boolean }
  /** There was no response, or not all of it. */
  | { type: "failed"; message: string; cause?: unknown }
  | { type: "timed-out"; message: string; cause: unknown }
  | { type: "aborted" };

/** The headers of all requests of a run, checked: pairs of a name in lower case and a value. */
export type CheckedHeaders = readonly (readonly [string, string])[];

/** Sends a request to a remote endpoint, and waits for its answer, the abort or the timeout. */
export async function askRemote(
  endpoint: string,
  body: string,
  about: {
    headers: CheckedHeaders;
    fetch: Fetch | undefined;
    timeoutMs: number;
    signal: AbortSignal | undefined;
    now: () => number;
  },
): Promise<RemoteAnswer> {
  const { headers, fetch, timeoutMs, signal, now } = about;
  const limits = { signal, timeoutMs, late: "the remote endpoint did not answer", setting: "remote.timeoutMs" };
  const ended = await within(
    (own) => guard((glue) => glue.fetchSummary(endpoint, body, headers as never, own, fetch, now)) as Promise<Fetched>,
    limits,
  );
  if (ended.type === "failed") throw ended.cause; // `fetchSummary` never rejects: the engine has stopped.
  if (ended.type !== "done") return ended;
  const { value } = ended;
  if ("failed" in value) {
    const { failed, cause } = value;
    const message = withoutValues(`the remote endpoint gave no answer: ${failed}${reasonOf(cause)}`, headers);
    return { type: "failed", message, ...(cause === undefined ? {} : { cause }) };
  }
  const { status, retryAfterMs, truncated, holdsSummary } = value;
  // What holds no summary ends up in a message, and an endpoint may well send back what it was sent.
  const quotable = holdsSummary ? value.body : withoutValues(value.body, headers);
  return { type: "responded", status, retryAfterMs, body: quotable, truncated };
}

type Fetched = RemoteResponse | { failed: string; cause: unknown };

/** What was thrown, and what that in turn was caused by: Node's fetch says no more than "fetch failed" itself. */
function reasonOf(cause: unknown): string {
  if (cause === undefined) return "";
  const reason = messageOf(cause, "it did not say why");
  try {
    const deeper = typeof cause === "object" && cause !== null ? (cause as { cause?: unknown }).cause : undefined;
    return deeper === undefined ? `: ${reason}` : `: ${reason} (${messageOf(deeper, "for no reason")})`;
  } catch {
    return `: ${reason}`;
  }
}

/** Shorter parts of a header's value are no secret, and blacking them out would garble a message. */
const SHORTEST_SECRET = 4;

/** A text without the values of headers, also where only a part of one stands in it, as the token behind `Bearer`. */
function withoutValues(text: string, headers: CheckedHeaders): string {
  const parts = headers.flatMap(([, value]) => [value, ...value.split(/[\s,;=]+/)]);
  return parts
    .filter((part) => part.length >= SHORTEST_SECRET)
    .reduce((rest, part) => rest.replaceAll(part, "***"), text);
}

const OWN_HEADERS: Record<string, string> = { accept: "application/json", "content-type": "application/json" };

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
    return pairs.map((pair) => [...(pair as Iterable<unknown>)]);
  } catch (cause) {
    throw new ThreadfoldError("invalid-argument", `remote.headers: they could not be read; allowed is ${allowed}`, { cause });
  }
}
