// What kinds of entries and fates are called on the page.

import type { Fill, Kind, Row } from "../contract.js";
import { Fate } from "../state/fates.js";

const speakers: Record<Kind, string> = {
  user: "User",
  assistant: "Assistant",
  tool: "Tool",
  command: "Command",
  files: "Files",
  extension: "Extension",
  compaction: "Compaction",
  branch: "Branch summary",
  note: "Note",
};

const parts: Record<Fill["kind"], string> = {
  user: "User",
  assistant: "Assistant",
  tool: "Tool outputs",
  command: "Commands",
  files: "Files",
  extension: "Extensions",
  compaction: "Summary",
  branch: "Branch summaries",
  note: "Notes",
  images: "Images",
  fixed: "System and tools",
};

const fates: Record<Fate, string> = {
  [Fate.None]: "",
  [Fate.Summarized]: "summarised",
  [Fate.Prefix]: "turn prefix",
  [Fate.Kept]: "kept",
};

const fateNames: Record<Fate, string> = {
  [Fate.None]: "none",
  [Fate.Summarized]: "summarized",
  [Fate.Prefix]: "prefix",
  [Fate.Kept]: "kept",
};

/** Who or what an entry is; a tool and a note by their own names. */
export function speaker(row: Row): string {
  return row.name === "" ? speakers[row.kind] : row.name;
}

/** A part of the context. */
export function partName(kind: Fill["kind"]): string {
  return parts[kind];
}

/** What becomes of an entry; empty where the plan does not reach it. */
export function fateWord(fate: Fate): string {
  return fates[fate];
}

/** The same as the names of styles write it. */
export function fateName(fate: Fate): string {
  return fateNames[fate];
}
