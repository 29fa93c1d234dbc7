// What a plan makes of each entry, as bytes that are looked up by index.

import type { Plan } from "../contract.js";

export enum Fate {
  None,
  Summarized,
  Prefix,
  Kept,
}

/** The fate of every entry under a plan. */
export interface Fates {
  of(index: number): Fate;
  /** Whether a threshold check would prune its tool output first. */
  pruned(index: number): boolean;
}

const PRUNED = 1 << 2;

/** Reads a plan for a session of `length` entries. */
export function readFates(plan: Plan | undefined, length: number): Fates {
  const bytes = new Uint8Array(length);
  if (plan?.ok === true) {
    mark(bytes, plan.summarized, Fate.Summarized);
    mark(bytes, plan.prefix, Fate.Prefix);
    mark(bytes, plan.kept, Fate.Kept);
  }
  if (plan !== undefined) mark(bytes, plan.pruned.entries, PRUNED);
  return {
    of: (index) => (bytes[index] ?? 0) & ~PRUNED,
    pruned: (index) => ((bytes[index] ?? 0) & PRUNED) !== 0,
  };
}

function mark(bytes: Uint8Array, entries: Uint32Array, bit: number): void {
  for (const entry of entries) bytes[entry] = (bytes[entry] ?? 0) | bit;
}
