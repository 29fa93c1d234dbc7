// Why the cut lies where it lies, in sentences for people.

import { count, grouped } from "../../../demo/text.mjs";
import type { Choices, FoldPlan } from "../contract.js";
import type { Held } from "./held.js";

/** As many characters of an entry's text as a sentence takes. */
const QUOTED = 60;

type Cut = Omit<FoldPlan, "why">;

export function whyThere(held: Held, choices: Choices, cut: Cut): string {
  return [budget(choices, cut), place(held, cut), split(held, cut), inTheWay(held, cut)].filter((sentence) => sentence !== "").join(" ");
}

function budget({ keepRecentTokens }: Choices, { budget }: Cut): string {
  const asked = `Counted back from the newest entry, ${grouped(budget)} tokens are to stay word for word`;
  if (budget >= keepRecentTokens) return `${asked}.`;
  return `${asked}: less than the ${grouped(keepRecentTokens)} that are set, since the provider counts more than is estimated.`;
}

function place(held: Held, { firstKept, keptTokens, budget }: Cut): string {
  const stays = `${named(held, firstKept)} is the first entry that stays, and ${grouped(keptTokens)} tokens are kept`;
  if (keptTokens > budget) return `${stays}: the cut is the nearest place where a call and its results stay together.`;
  return `${stays}: the entry before it would pass the budget, or may not be parted from what follows.`;
}

function split(held: Held, { turnStart, prefix }: Cut): string {
  if (turnStart < 0) return "A turn begins there, so none is split.";
  return `That splits the turn of ${named(held, turnStart)}: ${count(prefix.length, "entry", "entries")} of its beginning get a summary of their own.`;
}

function inTheWay(held: Held, { inTheWay }: Cut): string {
  const first = inTheWay[0];
  if (first === undefined) return "";
  const others = inTheWay.length === 1 ? "" : ` and ${count(inTheWay.length - 1, "other entry", "other entries")}`;
  return `More stays than the budget allows because of ${named(held, first)}${others}.`;
}

function named(held: Held, number: number): string {
  const row = held.rows[number];
  if (row === undefined) return "an entry";
  const text = row.text.length > QUOTED ? `${row.text.slice(0, QUOTED).trimEnd()}…` : row.text;
  return `#${number + 1} (${row.name || row.kind}${text === "" ? "" : `, “${text}”`})`;
}
