// The shape of a stop: it tells what the stop is, so that the colour need not.

import type { Stop, StopKind } from "./layout.js";

/** The drawing commands of an SVG path. */
export function shapeOf({ kind, x, y }: Pick<Stop, "kind" | "x" | "y">): string {
  if (kind === "compaction") return `M${x} ${y - 7}l7 7l-7 7l-7-7z`;
  if (kind === "branch") return `M${x - 6} ${y + 5}h12l-6-11z`;
  if (kind === "label") return `M${x - 4} ${y + 5}v-11h8v11l-4-3z`;
  const radius = radii[kind];
  return `M${x - radius} ${y}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0z`;
}

const radii: Record<Exclude<StopKind, "compaction" | "branch" | "label">, number> = { leaf: 6, tip: 4, fork: 3, root: 3, entry: 3 };
