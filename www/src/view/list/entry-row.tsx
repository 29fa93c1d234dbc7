// An entry in the list: one of its options.

import { fates, plan } from "../../state/plan.js";
import { largest, onPath, rows, seen, selected, snapshot } from "../../state/session.js";
import { tree } from "../../state/tree.js";
import { RowBody, tint, type RowLook } from "./row.js";

interface Props {
  entry: number;
  /** Which of how many it is, from 1. */
  rank: number;
  of: number;
  /** Where it lies and how high it is, in pixels. */
  top: number;
  size: number;
}

export function EntryRow({ entry, rank, of, top, size }: Props) {
  // The rows change in place: the snapshot tells of it.
  const session = snapshot.value;
  const row = rows.value[entry];
  if (row === undefined || session === undefined) return null;
  const look: RowLook = {
    fate: fates.value.of(entry),
    pruned: fates.value.pruned(entry),
    seen: seen.value.has(entry),
    onPath: onPath.value.has(entry),
    leaf: session.leaf === entry,
    firstKept: plan.value?.ok === true && plan.value.firstKept === entry,
    children: tree.value.children[entry] ?? 0,
    largest: largest.value,
  };
  const place = !look.onPath ? " aside" : look.seen ? "" : " unseen";
  return (
    <div
      id={`entry-${entry}`}
      data-entry={entry}
      role="option"
      aria-selected={entry === selected.value}
      aria-setsize={of}
      aria-posinset={rank}
      class={`row ${tint(look)}${place}`}
      style={{ transform: `translateY(${top}px)`, height: `${size}px` }}
    >
      <RowBody row={row} index={entry} look={look} />
    </div>
  );
}
