// The session tree as lanes: a lane follows one child at every fork, the others begin lanes of their own.
//
// The path to the leaf is one lane. Elsewhere the larger part goes on. Nothing here recurses: a chain may be as long
// as the file.

import type { Row } from "../../contract.js";

/** What a tree is read from. */
export type Branching = Pick<Row, "parent">;

export interface Lane {
  /** The lane that it leaves; -1 for one that begins at a root. */
  parent: number;
  /** The entry behind which it begins; -1 for a root. */
  fork: number;
  /** Its entries, first to last. */
  entries: Uint32Array;
}

export interface Tree {
  /** The lanes that are drawn, each behind the one that it leaves. */
  lanes: Lane[];
  /** The lane that holds the path to the leaf; -1 where there is no leaf. */
  main: number;
  /** The lane of each entry; -1 where it is left out. */
  laneOf: Int32Array;
  /** How many lanes are left out, the smallest ones. */
  hidden: number;
  /** How many entries lie above each one. */
  depth: Uint32Array;
  /** How many entries follow each one directly. */
  children: Uint32Array;
  deepest: number;
}

/** More lanes than this say nothing to the eye. */
const LANES = 80;

/** Reads the tree; at most `most` lanes are kept. */
export function readTree(rows: readonly Branching[], leaf: number, most = LANES): Tree {
  const { order, parent, depth, children, deepest } = walk(rows);
  const size = sizesOf(order, parent);
  const { next, onPath } = continuations(order, parent, size, leaf);
  const starts = Array.from(order).filter((entry) => !continues(next, parent, entry));
  // A lane has more entries behind its start than any that leaves it: the largest ones are a tree, too.
  const drawn = starts
    .toSorted((a, b) => (onPath[b] ?? 0) - (onPath[a] ?? 0) || (size[b] ?? 0) - (size[a] ?? 0))
    .slice(0, most);
  const { lanes, laneOf } = lanesFrom(starts, new Set(drawn), next, parent);
  return { lanes, laneOf, hidden: starts.length - drawn.length, depth, children, deepest, main: leaf < 0 ? -1 : (laneOf[leaf] ?? -1) };
}

/** The parent of an entry; -1 where it has none among the rows. */
function parentOf(rows: readonly Branching[], index: number): number {
  const parent = rows[index]?.parent ?? -1;
  return parent >= 0 && parent < rows.length ? parent : -1;
}

/** All entries, each behind its parent, branches one after the other in the order of the file. */
function walk(rows: readonly Branching[]) {
  const count = rows.length;
  const parent = Int32Array.from(rows, (_, index) => parentOf(rows, index));
  const first = new Int32Array(count + 1).fill(-1);
  const sibling = new Int32Array(count).fill(-1);
  const children = new Uint32Array(count);
  for (let index = count - 1; index >= 0; index -= 1) {
    const above = parent[index] ?? -1;
    const slot = above < 0 ? count : above;
    sibling[index] = first[slot] ?? -1;
    first[slot] = index;
    if (above >= 0) children[above] = (children[above] ?? 0) + 1;
  }
  const order = new Uint32Array(count);
  const depth = new Uint32Array(count);
  let [done, deepest] = [0, 0];
  const open: number[] = [first[count] ?? -1];
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    if (entry < 0) continue;
    const above = parent[entry] ?? -1;
    depth[entry] = above < 0 ? 0 : (depth[above] ?? 0) + 1;
    deepest = Math.max(deepest, depth[entry] ?? 0);
    order[done] = entry;
    done += 1;
    open.push(sibling[entry] ?? -1, first[entry] ?? -1);
  }
  return { order: order.subarray(0, done), parent, depth, children, deepest };
}

/** How many entries each one carries, itself included. */
function sizesOf(order: Uint32Array, parent: Int32Array): Uint32Array {
  const size = new Uint32Array(parent.length).fill(1);
  for (let place = order.length - 1; place >= 0; place -= 1) {
    const entry = order[place] ?? 0;
    const above = parent[entry] ?? -1;
    if (above >= 0) size[above] = (size[above] ?? 0) + (size[entry] ?? 0);
  }
  return size;
}

/** The child that goes on in the lane of each entry: the one on the path, otherwise the largest; -1 at an end. */
function continuations(order: Uint32Array, parent: Int32Array, size: Uint32Array, leaf: number) {
  const onPath = new Uint8Array(parent.length);
  for (let entry = leaf; entry >= 0 && onPath[entry] === 0; entry = parent[entry] ?? -1) onPath[entry] = 1;
  const next = new Int32Array(parent.length).fill(-1);
  const weight = (entry: number): number => (onPath[entry] === 1 ? Infinity : (size[entry] ?? 0));
  for (const entry of order) {
    const above = parent[entry] ?? -1;
    if (above < 0) continue;
    const other = next[above] ?? -1;
    if (other < 0 || weight(entry) > weight(other)) next[above] = entry;
  }
  return { next, onPath };
}

function continues(next: Int32Array, parent: Int32Array, entry: number): boolean {
  const above = parent[entry] ?? -1;
  return above >= 0 && next[above] === entry;
}

function lanesFrom(starts: number[], drawn: Set<number>, next: Int32Array, parent: Int32Array) {
  const laneOf = new Int32Array(parent.length).fill(-1);
  const lanes: Lane[] = [];
  for (const start of starts) {
    if (!drawn.has(start)) continue;
    const entries: number[] = [];
    for (let entry = start; entry >= 0; entry = next[entry] ?? -1) {
      laneOf[entry] = lanes.length;
      entries.push(entry);
    }
    const fork = parent[start] ?? -1;
    lanes.push({ parent: fork < 0 ? -1 : (laneOf[fork] ?? -1), fork, entries: Uint32Array.from(entries) });
  }
  return { lanes, laneOf };
}
