// Where lanes, stops and runs lie on the map.
//
// Entries stand from left to right by how many lie above them; the path to the leaf is the top line, and what
// branches off hangs below it. What is drawn is bounded, whatever the file holds.

import type { Row } from "../../contract.js";
import type { Lane, Tree } from "./tree.js";

export type StopKind = "entry" | "root" | "tip" | "fork" | "label" | "branch" | "compaction" | "leaf";

/** An entry that is worth a mark of its own. */
export interface Stop {
  kind: StopKind;
  entry: number;
  lane: number;
  x: number;
  y: number;
}

/** The entries between two stops. */
export interface Run {
  first: number;
  last: number;
  count: number;
  lane: number;
  from: number;
  to: number;
  y: number;
}

export interface Line {
  lane: number;
  /** The drawing commands of an SVG path. */
  d: string;
}

export interface Layout {
  width: number;
  height: number;
  lines: Line[];
  stops: Stop[];
  runs: Run[];
  /** The horizontal place of an entry, by how many lie above it. */
  place: (depth: number) => number;
}

/** The vertical place of the main lane: above it there is room for words. */
export const TOP = 44;
const PITCH = 26;
const MARGIN = 16;
/** What a branch needs at least to be seen, and where there are many. */
const SHORTEST = 20;
const STUB = 7;
/** From so many lanes on there are many. */
export const MANY = 24;
/** How far stops are apart, where there is room. */
const APART = 13;
/** How far branches on the same level are apart. */
const GAP = 5;
/** Up to this many entries each one is a stop. */
const FEW = 90;
/** The most stops that are there for what they are: compactions, branch summaries, labels. */
const MARKED = 240;

export function layOut(tree: Tree, rows: readonly Row[], leaf: number, width: number): Layout {
  const step = (width - 2 * MARGIN - SHORTEST) / Math.max(1, tree.deepest);
  const place = (depth: number): number => MARGIN + depth * step;
  const marks = marksOf(tree, rows, leaf);
  const spreads = spreadsOf(tree, marks, place, width - MARGIN);
  const levels = levelsOf(tree, spreads);
  const lanes = levels.map((level) => TOP + level * PITCH);
  const layout: Layout = { width, height: Math.max(TOP, ...lanes) + 28, lines: [], stops: [], runs: [], place };
  spreads.forEach((spread, number) => {
    const y = lanes[number] ?? TOP;
    const { parent } = tree.lanes[number] ?? { parent: -1 };
    layout.lines.push({ lane: number, d: lineOf(spread, y, parent < 0 ? undefined : (lanes[parent] ?? TOP)) });
    for (const { kind, entry, x } of spread.stops) layout.stops.push({ kind, entry, lane: number, x, y });
    addRuns(layout, tree, spread, number, y);
  });
  return layout;
}

/** A lane with its stops, apart enough to be told from each other. */
interface Spread {
  from: number;
  to: number;
  stops: { kind: StopKind; entry: number; position: number; x: number }[];
}

function spreadsOf(tree: Tree, marks: Map<number, StopKind>, place: (depth: number) => number, right: number): Spread[] {
  const at = (entry: number): number => place(tree.depth[entry] ?? 0);
  const shortest = tree.lanes.length < MANY ? SHORTEST : STUB;
  // Where the stops came to lie: a lane begins at that of its fork.
  const placed = new Map<number, number>();
  return tree.lanes.map((lane) => {
    const from = round(lane.fork < 0 ? at(lane.entries[0] ?? 0) : (placed.get(lane.fork) ?? at(lane.fork)));
    const stops = stopsOf(lane, marks);
    // Where they crowd, they may not drift far from their places.
    const apart = Math.min(APART, (right - from) / (2 * stops.length));
    let before = lane.fork < 0 ? -Infinity : from + shortest - apart;
    for (const stop of stops) {
      before = Math.min(right, Math.max(at(stop.entry), before + apart));
      stop.x = round(before);
      placed.set(stop.entry, stop.x);
    }
    return { from, to: stops.at(-1)?.x ?? from, stops };
  });
}

/** The stops of a lane, not placed yet. */
function stopsOf(lane: Lane, marks: Map<number, StopKind>): Spread["stops"] {
  const last = lane.entries.length - 1;
  const stops: Spread["stops"] = [];
  lane.entries.forEach((entry, position) => {
    const kind = marks.get(entry) ?? (position === last ? "tip" : position === 0 && lane.fork < 0 ? "root" : undefined);
    if (kind !== undefined) stops.push({ kind, entry, position, x: 0 });
  });
  return stops;
}

/** The level of each lane: the highest free one below the lane that it leaves. */
function levelsOf(tree: Tree, spreads: readonly Spread[]): number[] {
  const levels: number[] = new Array<number>(tree.lanes.length).fill(0);
  const taken: [number, number][][] = [];
  const free = (level: number, from: number, to: number): boolean =>
    (taken[level] ?? []).every(([start, end]) => to < start || from > end);
  const take = (level: number, from: number, to: number): void => void (taken[level] ??= []).push([from, to]);
  for (const number of fromTheRight(tree)) {
    const [lane, spread] = [tree.lanes[number], spreads[number]];
    if (lane === undefined || spread === undefined) continue;
    const highest = Math.max(1, (levels[lane.parent] ?? 0) + 1);
    let level = number === tree.main ? 0 : highest;
    while (!free(level, spread.from, spread.to + GAP)) level += 1;
    levels[number] = level;
    take(level, spread.from, spread.to + GAP);
    // Nothing else is drawn across the line that leads down to it.
    for (let between = highest; between < level; between += 1) take(between, spread.from - 3, spread.from + 3);
  }
  return levels;
}

/** The lanes, parents first, those that leave the same lane from right to left: so their lines do not cross. */
function fromTheRight(tree: Tree): number[] {
  const generation: number[] = [];
  for (const [number, lane] of tree.lanes.entries()) generation[number] = lane.parent < 0 ? 0 : (generation[lane.parent] ?? 0) + 1;
  const forkDepth = (number: number): number => tree.depth[tree.lanes[number]?.fork ?? -1] ?? 0;
  const first = (number: number): number => Number(number !== tree.main);
  return [...tree.lanes.keys()].sort(
    (a, b) => first(a) - first(b) || (generation[a] ?? 0) - (generation[b] ?? 0) || forkDepth(b) - forkDepth(a),
  );
}

/** The line of a lane; `above` is the height of the lane that it leaves. */
function lineOf({ from, to }: Spread, y: number, above: number | undefined): string {
  return above === undefined ? `M${from} ${y}H${to}` : `M${from} ${above}V${y - 8}q0 8 8 8H${to}`;
}

export const round = (value: number): number => Math.round(value * 10) / 10;

/** The entries that are marked for what they are; in a file full of them the newest ones. */
function marksOf(tree: Tree, rows: readonly Row[], leaf: number): Map<number, StopKind> {
  const marks = new Map<number, StopKind>();
  if (leaf >= 0) marks.set(leaf, "leaf");
  let left = MARKED;
  for (let entry = rows.length - 1; entry >= 0 && left > 0; entry -= 1) {
    const kind = ownKind(rows[entry]) ?? (rows.length <= FEW ? "entry" : undefined);
    if (kind === undefined || marks.has(entry) || (tree.laneOf[entry] ?? -1) < 0) continue;
    marks.set(entry, kind);
    left -= 1;
  }
  for (const { fork } of tree.lanes) if (fork >= 0 && (marks.get(fork) ?? "entry") === "entry") marks.set(fork, "fork");
  return marks;
}

function ownKind(row: Row | undefined): StopKind | undefined {
  if (row?.kind === "compaction" || row?.kind === "branch") return row.kind;
  return row?.label === undefined ? undefined : "label";
}

/** What lies between the stops of a lane. */
function addRuns(layout: Layout, tree: Tree, { from, stops }: Spread, lane: number, y: number): void {
  const entries = tree.lanes[lane]?.entries ?? new Uint32Array();
  let [first, left] = [0, from];
  for (const { position, x } of stops) {
    const count = position - first;
    if (count > 0) layout.runs.push({ first: entries[first] ?? 0, last: entries[position - 1] ?? 0, count, lane, from: left, to: x, y });
    [first, left] = [position + 1, x];
  }
}
