import { core } from "./engine.js";
import { messageOf } from "./failure.js";
import { guard } from "./guard.js";
import type { Clock } from "./outside.js";
import { holdsSecrets, withoutValues, type CheckedHeaders } from "./remote-headers.js";
import { bodyOf, headerOf, statusOf, type ResponseLike } from "./response.js";
import { retryAfterMs } from "./retry-after.js";
import { within } from "./within.js";

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
export type Fetch = (url: string, init: FetchInit) => PromiseLike<ResponseLike> | ResponseLike;

/** How asking a remote endpoint ended. */
export type RemoteAnswer =
  | { type: "responded"; status: number; retryAfterMs: number | undefined; body: string; truncated: boolean }
  /** There was no response, or not all of it. What was thrown is left out where headers were given. */
  | { type: "failed"; message: string; cause: unknown }
  | { type: "timed-out"; message: string; cause: unknown }
  | { type: "aborted" };

/** What surrounds a request to a remote endpoint. */
export interface RemoteRequest {
  headers: CheckedHeaders;
  /** Default: the platform's. */
  fetch: Fetch | undefined;
  /** Milliseconds until the request is given up, its body included; 0 is for ever. */
  timeoutMs: number;
  /** The signal of the run. */
  signal: AbortSignal | undefined;
  /** The time, in milliseconds since 1970, for a `retry-after` that is a date. */
  now: Clock;
}

/** Sends a request to a remote endpoint, and waits for its answer, the abort or the timeout. */
export async function askRemote(endpoint: string, body: string, about: RemoteRequest): Promise<RemoteAnswer> {
  const { headers, fetch, timeoutMs, signal, now } = about;
  let failure = "could not be reached";
  const ended = await within(
    async (own) => {
      const response = await send(endpoint, body, headers, own, fetch);
      failure = "gave no answer that can be read";
      const status = statusOf(response);
      const retryAfter = headerOf(response, "retry-after");
      failure = `answered with status ${status}, and its body broke off`;
      const { text, truncated } = await bodyOf(response, guard((glue) => glue.maxResponseBytes()), own);
      return { status, retryAfter, body: quotable(status, text, truncated, headers), truncated };
    },
    { signal, timeoutMs, late: "the remote endpoint did not answer", setting: "remote.timeoutMs" },
  );
  switch (ended.type) {
    case "done": {
      // Here, since a clock of the host that throws is no failure of the endpoint.
      const { retryAfter, ...response } = ended.value;
      return { type: "responded", ...response, retryAfterMs: retryAfterMs(retryAfter, now) };
    }
    case "failed": {
      const { cause } = ended;
      core.exports(); // Throws where it has stopped, which is no failure of the endpoint.
      const message = withoutValues(`the remote endpoint ${failure}: ${messageOf(cause, "it was not said why")}`, headers);
      // What a fetch threw may hold all that it was called with.
      return { type: "failed", message, cause: holdsSecrets(headers) ? undefined : cause };
    }
    default:
      return ended;
  }
}

function send(endpoint: string, body: string, headers: CheckedHeaders, signal: AbortSignal, fetch: Fetch | undefined): unknown {
  if (fetch !== undefined) {
    // Plain values: a request object of ours may be of another class than the one that it knows.
    return fetch(endpoint, { method: "POST", headers: Object.fromEntries(headers), body, redirect: "manual", signal });
  }
  checkPlatform(endpoint);
  const [sent, value] = guard((glue) => glue.sendByFetch(endpoint, body, [...headers], signal));
  if (!sent) throw value;
  return value;
}

/** What gloo-net, which builds the request in the engine, takes for granted; without it the engine would stop. */
function checkPlatform(endpoint: string): void {
  const platform = globalThis as Record<string, unknown>;
  for (const name of ["fetch", "Headers", "Request", "URL", "URLSearchParams"]) {
    if (typeof platform[name] !== "function") {
      throw new TypeError(`this host has no ${name}; hand in a function as the option \`fetch\``);
    }
  }
  // It cannot take an error of another realm either, as some test runners have.
  new Request(endpoint);
}

/** A body that may be quoted: one without a summary ends up in a message, and may hold what was sent to it. */
function quotable(status: number, body: string, truncated: boolean, headers: CheckedHeaders): string {
  return guard((glue) => glue.holdsSummary(status, body, truncated)) ? body : withoutValues(body, headers);
}
