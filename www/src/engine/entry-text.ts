// An entry in full, for the eye.

import type { Entry, Message } from "threadfold";
import { messageOf } from "../../../demo/messages.mjs";
import { count, size } from "../../../demo/text.mjs";
import type { EntryText, Row } from "../contract.js";
import type { Held } from "./held.js";
import { refusal } from "./troubles.js";

/** So many characters of a text are shown. */
const SHOWN = 200_000;

type Part = EntryText["parts"][number];

export function entryTextOf(held: Held, index: number): EntryText {
  const entry = held.entries[index];
  const row = held.rows[index];
  if (entry === undefined || row === undefined) throw refusal("unknown-entry", `entry ${index}: the session has ${held.entries.length}`);
  return { index, row: row as Row, parts: partsOf(entry), json: shown("", JSON.stringify(entry, null, 2)).text };
}

function partsOf(entry: Entry): Part[] {
  const message = messageOf(entry);
  if (message === undefined) return [];
  return [...wordsOf(message), ...asideOf(entry)];
}

function wordsOf(message: Message): Part[] {
  switch (message.role) {
    case "bashExecution":
      return [shown("Command", message.command), shown("Output", message.output)];
    case "pythonExecution":
      return [shown("Code", message.code), shown("Output", message.output)];
    case "fileMention":
      return listOf(message.files).map((file) => shown(`File ${file?.path ?? ""}`, file?.content));
    case "branchSummary":
    case "compactionSummary":
      return [shown("Summary", message.summary)];
    default:
      return contentOf(message);
  }
}

function contentOf(message: Extract<Message, { content: unknown }>): Part[] {
  const { content } = message;
  if (typeof content === "string") return [shown("Text", content)];
  const parts = listOf<unknown>(content).map((block) => blockOf(block as Block));
  if ("errorMessage" in message && message.errorMessage !== undefined) parts.push(shown("Error", message.errorMessage));
  return parts;
}

/** A block of a message, of which files of others may hold any. */
interface Block {
  type?: unknown;
  [field: string]: unknown;
}

function blockOf(block: Block): Part {
  switch (block?.type) {
    case "text":
      return shown("Text", block.text);
    case "thinking":
      return shown("Thinking", block.thinking);
    case "toolCall":
      return shown(`Call of ${String(block.name)}`, JSON.stringify(block.arguments, null, 2));
    case "image":
      return shown("Image", `${String(block.mimeType)}, ${size(Math.floor((String(block.data).length * 3) / 4))}`);
    default:
      return shown(String(block?.type ?? "Other"), JSON.stringify(block, null, 2));
  }
}

/** What stands beside the words of an entry. */
function asideOf(entry: Entry): Part[] {
  if (entry.type !== "compaction") return [];
  const short = typeof entry.shortSummary === "string" ? [shown("In short", entry.shortSummary)] : [];
  return [...short, shown("First kept entry", entry.firstKeptEntryId)];
}

function listOf<T>(value: readonly T[]): readonly T[] {
  return Array.isArray(value) ? value : [];
}

function shown(title: string, value: unknown): Part {
  const text = String(value ?? "");
  if (text.length <= SHOWN) return { title, text };
  const cut = text.length - SHOWN;
  return { title, text: `${text.slice(0, SHOWN).replace(/[\ud800-\udbff]$/, "")}\n… ${count(cut, "more character")}`, cut };
}
