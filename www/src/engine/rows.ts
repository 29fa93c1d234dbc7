// Entries as rows of a list: text of the session made harmless, in one line.

import type { Entry, Message } from "threadfold";
import { images, messageOf, snippet, spoken } from "../../../demo/messages.mjs";
import { count, oneLine } from "../../../demo/text.mjs";
import type { Row } from "../contract.js";
import { kindOfEntry } from "./kinds.js";

/** So many characters of a text a row shows. */
const SHOWN = 160;

/** What of a row the entry itself does not say. */
export interface Around {
  parent: number;
  tokens: number;
  label: string | undefined;
  /** A prune entry hides its output. */
  hidden: boolean;
}

export function rowOf(entry: Entry, { parent, tokens, label, hidden }: Around): Row {
  const message = messageOf(entry);
  const time = Date.parse(entry.timestamp);
  const pictures = message === undefined ? 0 : images(message).length;
  return {
    id: entry.id,
    parent,
    kind: kindOfEntry(entry),
    name: nameOf(entry),
    text: textOf(entry),
    tokens,
    ...(Number.isNaN(time) ? {} : { time }),
    ...(label === undefined ? {} : { label: clipped(label) }),
    ...(pictures === 0 ? {} : { images: pictures }),
    ...(hasFailed(message) ? { failed: true } : {}),
    ...(hidden || isPruned(message) ? { pruned: true } : {}),
  };
}

/** The first words of an entry. */
export function textOf(entry: Entry): string {
  const message = messageOf(entry);
  return message === undefined ? clipped(noteOf(entry)) : textOfMessage(message);
}

/** The first words of a message; the tool of a result stands beside it. */
export function textOfMessage(message: Message): string {
  return clipped(message.role === "toolResult" ? spoken(message) : snippet(message));
}

/** In one line, and cut to what a row shows. */
export function clipped(text: unknown): string {
  const line = oneLine(text, SHOWN);
  return line.length <= SHOWN ? line : `${line.slice(0, SHOWN - 1).replace(/[\ud800-\udbff]$/, "").trimEnd()}…`;
}

/** Whether the stored message is a notice by now. */
export function isPruned(message: Message | undefined): boolean {
  return message?.role === "toolResult" && (message.prunedAt ?? null) !== null;
}

function nameOf(entry: Entry): string {
  if (entry.type === "message") return entry.message?.role === "toolResult" ? clipped(entry.message.toolName) : "";
  return kindOfEntry(entry) === "note" ? clipped(entry.type) : "";
}

function noteOf(entry: Entry): string {
  switch (entry.type) {
    case "model_change":
      return "model" in entry ? entry.model : `${entry.provider}/${entry.modelId}`;
    case "thinking_level_change":
      return entry.thinkingLevel;
    case "label":
      return entry.label ?? "(cleared)";
    case "session_info":
      return entry.name ?? "";
    case "custom":
      return entry.customType;
    case "prune":
      return count(Array.isArray(entry.entryIds) ? entry.entryIds.length : 0, "tool output hidden", "tool outputs hidden");
    default:
      return "";
  }
}

function hasFailed(message: Message | undefined): boolean {
  switch (message?.role) {
    case "assistant":
      return message.stopReason === "error" || message.stopReason === "aborted";
    case "toolResult":
      return message.isError === true;
    case "bashExecution":
    case "pythonExecution":
      return typeof message.exitCode === "number" && message.exitCode !== 0;
    default:
      return false;
  }
}
