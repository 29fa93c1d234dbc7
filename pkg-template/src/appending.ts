import type { Message, NewEntry } from "./entry.js";
import { refuse } from "./guard.js";
import { toJson } from "./json.js";
import { isoTime } from "./outside.js";
import type { SessionState } from "./state.js";

export function appendEntry(state: SessionState, entry: NewEntry): string {
  const json = toJson(entry, "entry");
  if (entry.type === "message") checkRole(entry.message, "message");
  const parentId = state.leafId();
  const timestamp = isoTime(Date.now());
  const id = state.call((handle) => handle.append(json, timestamp));
  state.remember(state.call((handle) => handle.leafIndex), Object.freeze({ ...entry, id, parentId, timestamp }));
  return appended(state, id);
}

export function branchWithSummary(
  state: SessionState,
  target: string | null,
  summary: string,
  details: unknown,
  fromExtension: boolean,
): string {
  if (target !== null) state.require("branchWithSummary", target);
  if (typeof summary !== "string") refuse("summary", summary, "a string");
  const json = details === undefined ? undefined : toJson({ details }, "details").slice('{"details":'.length, -1);
  if (json === "") refuse("details", details, "what JSON can hold", "invalid-entry");
  const now = isoTime(Date.now());
  return appended(
    state,
    state.call((handle) => handle.branchWithSummary(target ?? undefined, summary, json, fromExtension === true, now)),
  );
}

export function setLabel(state: SessionState, id: string, label: string | undefined): string {
  state.require("setLabel", id);
  if (label !== undefined && typeof label !== "string") refuse("label", label, "a string");
  return appended(
    state,
    state.call((handle) => handle.setLabel(id, label === "" ? undefined : label, isoTime(Date.now()))),
  );
}

/** Tells that an entry was appended, and gives its id. */
function appended(state: SessionState, id: string): string {
  state.tellAppended();
  return id;
}

const ROLES: readonly string[] = [
  "user",
  "assistant",
  "toolResult",
  "bashExecution",
  "pythonExecution",
  "fileMention",
  "custom",
  "hookMessage",
  "branchSummary",
  "compactionSummary",
] satisfies Message["role"][];

/** A model never sees a message of a role that is not known: a host must not add one unawares. */
export function checkRole(message: Message, place: string): void {
  const role: unknown = message?.role;
  if (typeof role !== "string" || ROLES.includes(role)) return;
  refuse(`${place}.role`, role, ROLES.map((name) => `"${name}"`).join(", "), "invalid-entry");
}
