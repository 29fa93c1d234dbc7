// What can be reached on the map, with the keyboard as with the pointer: stops, and the runs between them.

import type { Row } from "../../contract.js";
import { counted, figure, short } from "../../figures.js";
import { speaker } from "../words.js";
import type { Layout, Run, Stop } from "./layout.js";
import type { Tree } from "./tree.js";

export type Item = { stop: Stop; run?: never } | { run: Run; stop?: never };

export const laneOf = ({ stop, run }: Item): number => (stop ?? run).lane;
export const startOf = ({ stop, run }: Item): number => stop?.x ?? run?.from ?? 0;
const endOf = ({ stop, run }: Item): number => stop?.x ?? run?.to ?? 0;
const heightOf = ({ stop, run }: Item): number => (stop ?? run).y;

/** Lane by lane, from left to right. */
export function itemsOf(layout: Layout): Item[] {
  const items: Item[] = [...layout.runs.map((run) => ({ run })), ...layout.stops.map((stop) => ({ stop }))];
  return items.sort((a, b) => laneOf(a) - laneOf(b) || startOf(a) - startOf(b));
}

/** The item that holds an entry; -1 where it is not drawn. */
export function itemOf(items: readonly Item[], tree: Tree, entry: number): number {
  const lane = tree.laneOf[entry] ?? -1;
  const depth = (index: number): number => tree.depth[index] ?? 0;
  return items.findIndex((item) =>
    item.stop !== undefined
      ? item.stop.entry === entry
      : item.run.lane === lane && depth(item.run.first) <= depth(entry) && depth(entry) <= depth(item.run.last),
  );
}

/** The entries of a run, first to last. */
function entriesOf({ lane, first, count }: Run, tree: Tree): Uint32Array {
  const entries = tree.lanes[lane]?.entries ?? new Uint32Array();
  const start = (tree.depth[first] ?? 0) - (tree.depth[entries[0] ?? 0] ?? 0);
  return entries.subarray(start, start + count);
}

/** The entry of an item that lies at a horizontal place. */
export function entryAt({ stop, run }: Item, tree: Tree, x: number): number {
  if (stop !== undefined) return stop.entry;
  const part = run.to > run.from ? (x - run.from) / (run.to - run.from) : 0;
  const rank = Math.round(part * (run.count + 1)) - 1;
  return entriesOf(run, tree)[Math.min(run.count - 1, Math.max(0, rank))] ?? run.first;
}

/** The horizontal place of an entry of an item: those of a run stand evenly between its stops. */
export function placeOf({ stop, run }: Item, tree: Tree, entry: number): number {
  if (stop !== undefined) return stop.x;
  const rank = (tree.depth[entry] ?? 0) - (tree.depth[run.first] ?? 0);
  return run.from + ((run.to - run.from) * (rank + 1)) / (run.count + 1);
}

/** What an item is, in words. */
export function inWords({ stop, run }: Item, rows: readonly Row[], tree: Tree): string {
  if (stop !== undefined) {
    const row = rows[stop.entry];
    if (row === undefined) return "";
    const label = row.label === undefined ? "" : `, labelled ${row.label}`;
    const marks = `${stop.kind === "leaf" ? ", the leaf" : ""}${stop.kind === "fork" ? ", a fork" : ""}`;
    return `#${stop.entry + 1} ${speaker(row)}${marks}${label}, ${short(row.tokens)} tokens: ${row.text}`;
  }
  let tokens = 0;
  for (const entry of entriesOf(run, tree)) tokens += rows[entry]?.tokens ?? 0;
  const span = run.count === 1 ? `#${run.first + 1}` : `#${figure(run.first + 1)} to #${figure(run.last + 1)}`;
  return `${counted(run.count, "entry", "entries")}, ${span}, ${short(tokens)} tokens`;
}

/** The item that an arrow key leads to. */
export function neighbour(items: readonly Item[], now: number, key: string): number {
  const item = items[now];
  if (item === undefined) return 0;
  if (key === "Home") return items.findIndex((other) => laneOf(other) === laneOf(item));
  if (key === "End") return items.findLastIndex((other) => laneOf(other) === laneOf(item));
  // At the end of a lane it goes on with the next one: so every item can be reached.
  if (key === "ArrowRight") return Math.min(items.length - 1, now + 1);
  if (key === "ArrowLeft") return Math.max(0, now - 1);
  return nearest(items, now, key === "ArrowDown" ? 1 : -1);
}

/** The nearest item above or below, the next line first. */
function nearest(items: readonly Item[], now: number, direction: 1 | -1): number {
  const from = items[now];
  if (from === undefined) return now;
  const middle = (startOf(from) + endOf(from)) / 2;
  let [best, least] = [now, Infinity];
  items.forEach((item, index) => {
    const down = direction * (heightOf(item) - heightOf(from));
    if (down <= 0) return;
    const aside = Math.max(startOf(item) - middle, middle - endOf(item), 0);
    // A line further is worth a long way aside.
    const distance = 4 * down + aside;
    if (distance < least) [best, least] = [index, distance];
  });
  return best;
}
