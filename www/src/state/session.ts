// The session on the screen: what the last snapshot said, and all rows so far.

import { batch, computed, signal } from "@preact/signals";
import type { Row, Snapshot } from "../contract.js";

export const snapshot = signal<Snapshot | undefined>(undefined);
/** Every entry, by its index. The array is the same as long as the session is; `snapshot` tells of changes. */
export const rows = signal<Row[]>([]);
/** Grows when an entry, a label or the leaf is another; not when only figures are. */
export const shape = signal(0);
/** The entry that is looked at; -1 for none. */
export const selected = signal(-1);

/** Which entries lie on the path to the leaf. */
export const onPath = computed(() => new Set(snapshot.value?.path));
/** Which entries the model sees. */
export const seen = computed(() => new Set(snapshot.value?.context));

/** The size of the largest entry, in tokens. */
export const largest = computed(() => {
  void shape.value;
  return rows.peek().reduce((most, { tokens }) => Math.max(most, tokens), 1);
});

/** Takes over what the worker says; one that is older than what is shown is passed over. */
export function applySnapshot(next: Snapshot): void {
  const before = snapshot.value;
  const same = before?.session === next.session;
  if (same && before.revision >= next.revision) return;
  const known = same ? rows.value : [];
  for (const { index, row } of next.rows) known[index] = row;
  // After an undo there are fewer.
  if (known.length > next.length) known.length = next.length;
  const changed = !same || next.rows.length > 0 || before.length !== next.length || before.leaf !== next.leaf;
  batch(() => {
    rows.value = known;
    if (!same) selected.value = -1;
    if (changed) shape.value += 1;
    snapshot.value = next;
  });
}
