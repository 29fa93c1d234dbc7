import type { Message } from "./entry.js";
import { guardFormats, refuse } from "./guard.js";
import type { MessageFormat } from "./message-format.js";
import type { MessageRepair, Problem } from "./message-problems.js";
import type { Outline } from "./outline.js";

/** What the engine answers about an array of messages. */
interface Answers {
  detect: { format: MessageFormat };
  validate: { format: MessageFormat; problems: Problem[] };
  repair: { format: MessageFormat; outline: Outline; repairs: MessageRepair[]; problems: Problem[] };
  /** The array with other tool outputs, which are given as JSON: texts by the ids of the entries that {@link foldedSession} makes of them. */
  notices: { format: MessageFormat; outline: Outline };
  "to-core": { format: MessageFormat; messages: Message[] };
  /** `digests` as of {@link FoldInfo}. */
  "from-core": { messages: object[]; digests: string[] };
}

/** The format to ask the engine with, which tells it from the messages where there is none: nothing is to be told from no messages. */
export function formatFor(json: string, format: MessageFormat | undefined): MessageFormat | undefined {
  checkName("format", format);
  return format ?? (json === "[]" ? "pi" : undefined);
}

/** Asks the engine about messages, which are JSON. It names the format where none is given. */
export function askAbout<What extends keyof Answers>(what: What, json: string, format?: MessageFormat, options?: string): Answers[What] {
  const known = what === "detect" ? format : formatFor(json, format);
  const bytes = bytesOfJson(json);
  return JSON.parse(guardFormats((glue) => glue.messages(what, bytes, known, options))) as Answers[What];
}

/** JSON as the engine takes it where there may be much of it: as text the glue would walk through it in JavaScript. */
export function bytesOfJson(json: string): Uint8Array {
  return new TextEncoder().encode(json);
}

/** The engine knows which formats there are; only text crosses to it. */
export function checkName(name: string, format: unknown): void {
  if (format !== undefined && typeof format !== "string") refuse(name, format, "the name of a format", "unsupported-format");
}
