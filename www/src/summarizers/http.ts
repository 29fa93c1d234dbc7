// Requests of a summariser: what goes wrong becomes a fault in words, with the status and headers that it came with.

import { Fault, wordsOf } from "./fault.js";
import { at, parsed, textAt } from "./reading.js";

/** More is no summary. In characters. */
const LONGEST_ANSWER = 4_000_000;

/** How much of an answer that is no JSON is quoted, in characters. */
const LONGEST_QUOTE = 320;

/** An answer that was read may take so long to close, in milliseconds. */
const LONGEST_END_MS = 1_000;

/** In characters. */
const SHORTEST_SECRET = 4;

export interface Call {
  address: string;
  body: string;
  headers: Record<string, string>;
  signal: AbortSignal;
  /** Never to be quoted, whatever a server says. */
  secrets?: readonly string[];
}

/** Posts JSON, and gives the response where it is no refusal. */
export async function post({ address, body, headers, signal, secrets = [] }: Call): Promise<Response> {
  return send(checkedAddress(address), { method: "POST", headers: { "content-type": "application/json", ...headers }, body, signal }, secrets);
}

/** Sends a request, and gives the response where it is no refusal. */
export async function send(address: string, init: RequestInit, secrets: readonly string[] = []): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(address, init);
  } catch (error) {
    init.signal?.throwIfAborted();
    throw new Fault("unreachable", `${address} could not be reached: ${wordsOf(error)}`);
  }
  if (response.ok) return response;
  const { status, headers } = response;
  const said = withoutSecrets(refusalIn(await textOf(response, address)), secrets);
  throw new Fault("refused", `${address} answered with status ${status}${said === "" ? "" : `: ${said}`}`, { status, headers });
}

/** An address that this page may ask. Its policy allows https, and http on this machine. */
export function checkedAddress(address: string): string {
  if (!URL.canParse(address)) throw new Fault("address", `"${address}" is no address; one begins with https:// or http://`);
  const { protocol, hostname, username, password, host } = new URL(address);
  const isHere = protocol === "http:" && (hostname === "localhost" || hostname === "127.0.0.1");
  if (protocol !== "https:" && !isHere) throw new Fault("address", `${protocol}//${host} is not asked by this page; allowed is https, and http on localhost or 127.0.0.1`);
  if (username !== "" || password !== "") throw new Fault("address", `the address of ${host} holds a name or a password; a browser sends none that way`);
  return address;
}

/** The whole text of an answer. `place` is its address, for what goes wrong. */
export async function textOf(response: Response, place: string, signal?: AbortSignal | null): Promise<string> {
  let text = "";
  for await (const piece of piecesOf(response, place, signal)) text += piece;
  return text;
}

/** The text of an answer as it comes. */
export async function* piecesOf(response: Response, place: string, signal?: AbortSignal | null): AsyncGenerator<string> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const text = decoder.decode(value, { stream: !done });
      length += text.length;
      if (length > LONGEST_ANSWER) throw new Fault("broken-off", `${place} answered with more than ${LONGEST_ANSWER} characters`);
      if (text !== "") yield text;
      if (done) return;
    }
  } catch (error) {
    reader.cancel().catch(() => undefined);
    signal?.throwIfAborted();
    throw error instanceof Fault ? error : brokenOff(place, wordsOf(error));
  } finally {
    void finish(reader);
  }
}

/**
 * Reads the rest of what nobody wants any more: its end mostly comes at once, and a request that is cancelled before
 * counts as failed.
 */
async function finish(reader: ReadableStreamDefaultReader<unknown>): Promise<void> {
  const timer = setTimeout(() => void reader.cancel().catch(() => undefined), LONGEST_END_MS);
  try {
    while (!(await reader.read()).done);
  } catch {
    // It broke off behind its last word.
  } finally {
    clearTimeout(timer);
  }
}

/** The fault of an answer that ended too early; the library asks again after a lost connection. */
export function brokenOff(place: string, said = "it has no end"): Fault {
  return new Fault("broken-off", `the connection to ${place} was lost in the middle of its answer: ${said}`);
}

/** The answer as JSON; one that is none is told with how it begins. */
export async function jsonOf(response: Response, place: string, signal?: AbortSignal): Promise<unknown> {
  const text = await textOf(response, place, signal);
  const value = parsed(text);
  if (typeof value === "object" && value !== null) return value;
  throw unexpected(response, place, text, "JSON");
}

/** The fault of an answer that is something else than was expected. */
export function unexpected({ status, headers }: Response, place: string, text: string, expected: string): Fault {
  const found = isPage(text) ? "a web page" : text.trim() === "" ? "nothing" : `“${quoted(text)}”`;
  return new Fault("unexpected", `${place} answered with ${found}, where ${expected} was expected`, { status, headers });
}

/** Why a server refused, in its words; empty where it says nothing that is for people. */
function refusalIn(body: string): string {
  const value = parsed(body);
  for (const path of [["error", "message"], ["error"], ["message"], ["detail"], ["0", "error", "message"]]) {
    const found = textAt(value, ...path);
    if (found !== undefined) return quoted(found);
  }
  return at(value) === undefined && !isPage(body) ? quoted(body) : "";
}

function isPage(text: string): boolean {
  return /^\s*<(!doctype|html|head|body)/i.test(text);
}

/** In one line, and shortened. */
function quoted(text: string): string {
  const line = text.trim().replace(/\s+/g, " ");
  return line.length > LONGEST_QUOTE ? `${line.slice(0, LONGEST_QUOTE)}…` : line;
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
  // The token behind `Bearer` is as secret as the whole; what is shorter than that would garble the text.
  const parts = secrets.flatMap((secret) => [secret, ...secret.split(/\s+/)]).filter((part) => part.length >= SHORTEST_SECRET);
  return parts.reduce((rest, part) => rest.replaceAll(part, "***"), text);
}
