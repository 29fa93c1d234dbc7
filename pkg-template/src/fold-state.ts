import type { Entry } from "./entry.js";
import { refuse } from "./guard.js";
import type { MessageFormat } from "./message-format.js";
import { projectedJson } from "./project.js";

/** What a fold leaves for the next one: plain JSON data, for the host to store beside its messages. */
export interface FoldState {
  /** The version of this form. */
  version: 1;
  format: MessageFormat;
  /** What stands for the messages that were folded. */
  summary: string;
  /** Two or three sentences for a screen. */
  shortSummary?: string;
  /** For example the files read and modified. */
  details?: unknown;
  /** The context size before the fold, in tokens. */
  tokensBefore: number;
  /** When it was made, in milliseconds since 1970. */
  timestamp?: number;
  /** How many items behind the system messages it stands for. */
  folded: number;
  /** What tells those items from others. */
  digest: string;
  /** The same of the summary message, in the messages that the fold gave. */
  summaryDigest?: string;
}

const VERSION = 1;

/** What each field may be, beside `version`; a question mark: it may be missing. */
const FIELDS: Readonly<Record<Exclude<keyof FoldState, "version">, Allowed>> = {
  format: "a string",
  summary: "a string",
  shortSummary: "a string?",
  details: "anything?",
  tokensBefore: "a whole number from 0",
  timestamp: "a whole number from 0?",
  folded: "a whole number from 0",
  digest: "a string",
  summaryDigest: "a string?",
};

type Allowed = `${"a string" | "a whole number from 0" | "anything"}${"" | "?"}`;

/** Refuses what no fold has left, as `invalid-argument` that names the field. */
export function checkFoldState(given: unknown): FoldState | undefined {
  if (given === undefined) return undefined;
  if (typeof given !== "object" || given === null || Array.isArray(given)) refuse("state", given, "what an earlier fold gave as its state");
  const state = given as Readonly<Record<string, unknown>>;
  if (state["version"] !== VERSION) refuse("state.version", state["version"], `${VERSION}; a state of another version cannot be gone on from`);
  for (const [name, allowed] of Object.entries(FIELDS)) {
    const value = state[name];
    const isOptional = allowed.endsWith("?");
    const kind = isOptional ? allowed.slice(0, -1) : allowed;
    if (!(isOptional && value === undefined) && !isOfKind(value, kind)) refuse(`state.${name}`, value, kind);
  }
  return given as FoldState;
}

function isOfKind(value: unknown, kind: string): boolean {
  if (kind === "a string") return typeof value === "string";
  return kind === "anything" || (Number.isSafeInteger(value) && (value as number) >= 0);
}

/** A state as the engine takes it. */
export function stateJson(state: FoldState | undefined): string | undefined {
  return state === undefined ? undefined : projectedJson(state, "ends", "state");
}

/** The state that a compaction leaves; `folded` items were folded, and `digest` tells them from others. */
export function stateAfter(format: MessageFormat, entry: Entry, folded: number, digest: string): FoldState {
  if (entry.type !== "compaction") throw new TypeError(`a fold ended with an entry of type ${entry.type}`);
  const { summary, shortSummary, details, tokensBefore } = entry;
  return {
    version: VERSION,
    format,
    summary,
    ...(shortSummary === undefined ? {} : { shortSummary }),
    ...(details === undefined ? {} : { details }),
    tokensBefore,
    timestamp: Date.parse(entry.timestamp),
    folded,
    digest,
  };
}
