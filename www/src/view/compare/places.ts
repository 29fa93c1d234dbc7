// Where each row of a comparison stands: the folded part, a line between, and what is kept, each place as high.

import type { Comparison } from "../../contract.js";

/** What stands at a place. Numbers are those of `before` and `after`; -1 for nothing. */
export type Place = { type: "folded"; before: number } | { type: "line" } | { type: "kept"; before: number; after: number } | { type: "space" };

export interface Places {
  length: number;
  /** How many places the folded part takes: as many as its rows, and no fewer than the summary beside it needs. */
  folded: number;
  at: (place: number) => Place;
}

/** Lays a comparison out. `least`: the places that the summary needs; `isFoldedShown`: whether its rows are. */
export function placesOf({ before, keptBefore, keptAfter }: Comparison, least: number, isFoldedShown: boolean): Places {
  const folded = Math.max(isFoldedShown ? keptBefore : 0, least);
  const kept = before.length - keptBefore;
  return {
    length: folded + 1 + kept,
    folded,
    at(place) {
      if (place === folded) return { type: "line" };
      if (place > folded) {
        const rank = place - folded - 1;
        return { type: "kept", before: keptBefore + rank, after: keptAfter + rank };
      }
      return isFoldedShown && place < keptBefore ? { type: "folded", before: place } : { type: "space" };
    },
  };
}
