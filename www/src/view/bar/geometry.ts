// Where everything lies on the bar of the context window, in parts of its length from 0 to 1.

import type { Fill, Snapshot } from "../../contract.js";

export interface BarPart {
  kind: Fill["kind"];
  start: number;
  width: number;
}

export interface BarGeometry {
  parts: BarPart[];
  now: number;
  low: number;
  high: number;
  /** The threshold; left out where there is none. */
  limit?: number;
  /** The end of the window; less than 1 where the context is larger than it. */
  window: number;
}

/** The order of the parts: about that of a request. It stays the same, so that the bar moves little. */
const ORDER: readonly Fill["kind"][] = [
  "fixed",
  "compaction",
  "branch",
  "files",
  "user",
  "images",
  "assistant",
  "tool",
  "command",
  "extension",
  "note",
];

/** The parts that take room, in their order. */
export function partsOf(fill: readonly Fill[]): Fill[] {
  return fill.filter(({ tokens }) => tokens > 0).sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
}

/** Lays the parts one behind the other. The bar is as long as the window, or as the context where that is larger. */
export function layBar({ fill, usage }: Snapshot, contextWindow: number): BarGeometry {
  const length = Math.max(contextWindow, usage.tokens, usage.high, 1);
  let end = 0;
  const parts = partsOf(fill).map(({ kind, tokens }) => {
    const start = end / length;
    end += tokens;
    return { kind, start, width: tokens / length };
  });
  return {
    parts,
    now: usage.tokens / length,
    low: usage.low / length,
    high: usage.high / length,
    ...(usage.limit === undefined ? {} : { limit: usage.limit / length }),
    window: contextWindow / length,
  };
}
