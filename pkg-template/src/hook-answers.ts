import type { CompactionResult } from "./entry.js";
import { ThreadfoldError } from "./error.js";
import { checkOptions, refuse } from "./guard.js";
import type { BeforeCompactAnswer, BeforeTreeAnswer, CompactingAnswer } from "./hook-events.js";
import { toJson } from "./json.js";

/** Checks the answer of a handler of `session_before_compact`. Throws `invalid-argument`, as all here do. */
export function readBeforeCompact(given: unknown): BeforeCompactAnswer | undefined {
  return readAnswer("session_before_compact", given, { cancel: optionalBoolean, compaction: optional(compaction) });
}

/** Checks the answer of a handler of `session.compacting`. */
export function readCompacting(given: unknown): CompactingAnswer | undefined {
  return readAnswer("session.compacting", given, { prompt: optional(text), context: optional(lines), preserveData: optional(plainObject) });
}

/** Checks the answer of a handler of `session_before_tree`. */
export function readBeforeTree(given: unknown): BeforeTreeAnswer | undefined {
  return readAnswer("session_before_tree", given, { cancel: optionalBoolean, summary: optional(branchSummary) });
}

/** Checks the value of a field and gives it as it will be used; `place` names it. */
type Read<Value> = (place: string, value: unknown) => Value;

/** Reads the fields of an answer, each of them once: it may be a proxy, or change later. */
function readAnswer<Answer extends object>(hook: string, given: unknown, fields: { [Name in keyof Answer]-?: Read<Answer[Name]> }): Answer | undefined {
  if (given === undefined || given === null) return undefined;
  const place = `${hook}: answer`;
  const answer = own(place, given);
  checkOptions(place, answer, Object.keys(fields));
  const read = Object.entries<Read<unknown>>(fields).map(([name, check]) => [name, check(`${place}.${name}`, answer[name])]);
  return Object.fromEntries(read) as Answer;
}

/** The fields of an object, read once. */
function own(place: string, value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null) refuse(place, value, "an object");
  try {
    if (!Array.isArray(value)) return { ...value };
  } catch (cause) {
    throw new ThreadfoldError("invalid-argument", `${place}: it threw when it was read; allowed is a plain object`, { cause });
  }
  return refuse(place, value, "an object");
}

/** An object as it will be stored. What JSON cannot hold is refused before anything is made of it. */
function stored(place: string, value: Record<string, unknown>): Record<string, unknown> {
  try {
    return JSON.parse(toJson(value, place)) as Record<string, unknown>;
  } catch (cause) {
    throw new ThreadfoldError("invalid-argument", cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function optional<Value>(read: Read<Value>): Read<Value | undefined> {
  return (place, value) => (value === undefined ? undefined : read(place, value));
}

function optionalBoolean(place: string, value: unknown): boolean | undefined {
  return value === undefined || typeof value === "boolean" ? value : refuse(place, value, "true or false");
}

function text(place: string, value: unknown): string {
  return typeof value === "string" && value.trim() !== "" ? value : refuse(place, value, "a text that is not empty");
}

function lines(place: string, value: unknown): string[] {
  if (!Array.isArray(value)) refuse(place, value, "an array of strings");
  return Array.from(value as unknown[], (line, index) =>
    typeof line === "string" ? line : refuse(`${place}[${index}]`, line, "a string"),
  );
}

function plainObject(place: string, value: unknown): Record<string, unknown> {
  return stored(place, own(place, value));
}

function compaction(place: string, value: unknown): CompactionResult {
  const result = own(place, value);
  text(`${place}.summary`, result.summary);
  text(`${place}.firstKeptEntryId`, result.firstKeptEntryId);
  optional(text)(`${place}.shortSummary`, result.shortSummary);
  const { tokensBefore } = result;
  if (typeof tokensBefore !== "number" || !(tokensBefore >= 0) || !Number.isSafeInteger(tokensBefore)) {
    refuse(`${place}.tokensBefore`, tokensBefore, "a whole number of tokens from 0");
  }
  return stored(place, result) as unknown as CompactionResult;
}

function branchSummary(place: string, value: unknown): { summary: string; details?: unknown } {
  const { summary, details } = own(place, value);
  return stored(place, { summary: text(`${place}.summary`, summary), details }) as { summary: string; details?: unknown };
}
