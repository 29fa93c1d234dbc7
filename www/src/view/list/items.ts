// What the list holds, place by place: entries, and before the first kept one the line of the cut.

/** Which entry stands at each place; -1 for the line of the cut. */
export interface Listing {
  length: number;
  at: (place: number) => number;
  /** The place of an entry; -1 where it is not listed. */
  placeOf: (entry: number) => number;
  /** How many entries there are, without the line. */
  entries: number;
  /** The place of the line; -1 for none. */
  cut: number;
  /** Which of the entries stands at a place, from 1. */
  rank: (place: number) => number;
}

/** Lists the entries given, or, without them, all of `count`. */
export function listing(entries: Uint32Array | undefined, count: number, firstKept: number): Listing {
  const size = entries?.length ?? count;
  const position = (entry: number): number => {
    if (entry < 0) return -1;
    return entries === undefined ? (entry < count ? entry : -1) : entries.indexOf(entry);
  };
  const cut = position(firstKept);
  return {
    length: size + (cut < 0 ? 0 : 1),
    entries: size,
    cut,
    at: (place) => {
      if (place === cut) return -1;
      const rank = cut >= 0 && place > cut ? place - 1 : place;
      return entries === undefined ? rank : (entries[rank] ?? -1);
    },
    placeOf: (entry) => {
      const found = position(entry);
      return cut >= 0 && found >= cut ? found + 1 : found;
    },
    rank: (place) => (cut >= 0 && place > cut ? place : place + 1),
  };
}
