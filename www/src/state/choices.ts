// What the visitor set: the window, the budgets, the counting.

import { signal } from "@preact/signals";
import { defaultSettings } from "threadfold";
import type { Choices } from "../contract.js";

const { compaction, prune } = defaultSettings;

const WINDOW = 200_000;

/** What the page begins with: a common window, and the library's own defaults. */
export const INITIAL: Choices = {
  contextWindow: WINDOW,
  ...defaultsFor(WINDOW),
  protectTokens: prune.protectTokens,
  minimumSavings: prune.minimumSavings,
  images: "anthropic",
};

export const choices = signal<Choices>(INITIAL);

/** Sets some of them. With the window move budgets that stand at their default, and those that it no longer holds. */
export function choose(changed: Partial<Choices>): void {
  const before = choices.value;
  const next = { ...before, ...changed };
  const [had, has] = [defaultsFor(before.contextWindow), defaultsFor(next.contextWindow)];
  for (const budget of ["reserveTokens", "keepRecentTokens"] as const) {
    if (changed[budget] === undefined && before[budget] === had[budget]) next[budget] = has[budget];
  }
  next.reserveTokens = Math.min(next.reserveTokens, largestReserve(next.contextWindow));
  next.keepRecentTokens = Math.min(next.keepRecentTokens, next.contextWindow);
  choices.value = next;
}

/** The budgets that nobody set, as the library shrinks them with the window. */
export function defaultsFor(contextWindow: number): Pick<Choices, "reserveTokens" | "keepRecentTokens"> {
  const reserveTokens = Math.min(compaction.reserveTokens, Math.floor(contextWindow / 4));
  return { reserveTokens, keepRecentTokens: Math.min(compaction.keepRecentTokens, Math.floor((contextWindow - reserveTokens) / 2)) };
}

/** The largest reserve that a window can be given: the library refuses 85 % of it. */
export function largestReserve(contextWindow: number): number {
  return Math.max(0, Math.floor(0.85 * contextWindow) - 1);
}
