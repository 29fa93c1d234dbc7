// What the plan and the view of the model add to the map, along the path to the leaf.

import type { Plan, Row, Snapshot } from "../../contract.js";
import { Fate, type Fates } from "../../state/fates.js";
import { MANY, round, TOP, type Layout, type Stop } from "./layout.js";
import type { Tree } from "./tree.js";

/** A stretch of the path that shares a fate. */
export interface Band {
  fate: Fate;
  x: number;
  width: number;
}

export interface Caption {
  x: number;
  y: number;
  text: string;
  kind: "label" | "leaf";
}

export interface Overlay {
  bands: Band[];
  /** Where the first kept entry lies; undefined where nothing would be cut. */
  cut: number | undefined;
  /** Marks for outputs that would be pruned, as the drawing commands of one SVG path. */
  pruned: string;
  /** Up to where the path holds only what the model no longer sees. */
  past: number;
}

export function overlay(layout: Layout, tree: Tree, snapshot: Snapshot, plan: Plan | undefined, fates: Fates): Overlay {
  const x = (entry: number): number => round(layout.place(tree.depth[entry] ?? 0));
  const oldest = snapshot.context.reduce((least, entry) => Math.min(least, tree.depth[entry] ?? 0), Infinity);
  const cuts = plan?.ok === true;
  return {
    bands: cuts ? bandsOf(snapshot.path, fates, x) : [],
    cut: cuts ? x(plan.firstKept) : undefined,
    pruned: ticks(plan?.pruned.entries ?? new Uint32Array(), x),
    past: Number.isFinite(oldest) ? round(layout.place(oldest)) : 0,
  };
}

function bandsOf(path: Uint32Array, fates: Fates, x: (entry: number) => number): Band[] {
  const bands: Band[] = [];
  let open: { fate: Fate; first: number; last: number } | undefined;
  const close = (): void => {
    if (open !== undefined) bands.push({ fate: open.fate, x: x(open.first) - 3, width: x(open.last) - x(open.first) + 6 });
  };
  for (const entry of path) {
    const fate = fates.of(entry);
    // An entry that the plan passes over, such as a note, lies within the band around it.
    if (fate === Fate.None) continue;
    if (open?.fate !== fate) {
      close();
      open = { fate, first: entry, last: entry };
    } else {
      open.last = entry;
    }
  }
  close();
  return bands;
}

/** One mark for all that lie on the same spot. */
function ticks(entries: Uint32Array, x: (entry: number) => number): string {
  const spots = new Set<number>();
  for (const entry of entries) spots.add(Math.round(x(entry) / 2) * 2);
  return Array.from(spots, (spot) => `M${spot} ${TOP + 9}v6`).join("");
}

/** The texts at stops, as many as fit beside each other; where branches crowd, those of the path alone. */
export function captionsOf({ stops, width, lines }: Layout, rows: readonly Row[]): Caption[] {
  const captions: Caption[] = [];
  const ends = new Map<number, number>();
  for (const stop of stops.toSorted((a, b) => a.x - b.x)) {
    const { kind, entry, x, y } = stop;
    if (kind === "leaf" && isLast(stop, stops)) {
      captions.push({ x: x + 10, y: y + 4, text: "leaf", kind });
      continue;
    }
    const text = kind === "leaf" ? "leaf" : shortened(rows[entry]?.label ?? "");
    if (text === "" || (y !== TOP && lines.length >= MANY)) continue;
    const length = 6.2 * text.length;
    const start = Math.max(4, Math.min(x - length / 2, width - length - 4));
    if (start < (ends.get(y) ?? -Infinity) + 8) continue;
    ends.set(y, start + length);
    captions.push({ x: round(start), y: y - 16, text, kind: kind === "leaf" ? kind : "label" });
  }
  return captions;
}

/** Whether a line ends at a stop, so that there is room beside it. */
function isLast({ lane, x }: Stop, stops: readonly Stop[]): boolean {
  return stops.every((other) => other.lane !== lane || other.x <= x);
}

function shortened(label: string): string {
  const letters = Array.from(label.replace(/\p{C}/gu, " "));
  return letters.length > 22 ? `${letters.slice(0, 21).join("")}…` : letters.join("");
}
