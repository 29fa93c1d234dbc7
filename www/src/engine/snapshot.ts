// The session as it stands, for the page. Rows that the page knows already are left out.

import type { Entry, SessionContext } from "threadfold";
import { messageOf } from "../../../demo/messages.mjs";
import type { Row, Snapshot } from "../contract.js";
import { fillOf } from "./fill.js";
import type { Held } from "./held.js";
import { isPruned, rowOf } from "./rows.js";
import { planOptions } from "./settings.js";

export function snapshotOf(held: Held): Snapshot {
  const { session, choices } = held;
  const touched = held.refresh();
  const context = session.buildSessionContext();
  const usage = session.contextUsage(planOptions(choices));
  const rows = freshRows(held, context, touched);
  held.revision += 1;
  return {
    revision: held.revision,
    session: held.number,
    about: held.about,
    length: held.rows.length,
    rows,
    leaf: held.numberOf(session.leafId),
    path: held.numbersOf(session.path().map(({ id }) => id)),
    context: held.numbersOf(context.entryIds),
    usage,
    fill: fillOf(held, context, usage.tokens),
    ...held.history.names,
  };
}

/** The rows that are new, and those that changed. */
function freshRows(held: Held, context: SessionContext, touched: readonly number[]): Snapshot["rows"] {
  const hidden = hiddenIn(held, context);
  const changed = changedRows(held, hidden, touched);
  held.hidden = hidden;
  const labels = changed.length === 0 ? undefined : held.session.tree().nodes;
  return changed.map((index) => {
    const entry = held.entries[index] as Entry;
    const around = {
      parent: held.numberOf(entry.parentId),
      tokens: held.session.entryTokens(entry.id),
      label: labels?.get(entry.id)?.label,
      hidden: hidden.has(index),
    };
    const row: Row = rowOf(entry, around);
    held.rows[index] = row;
    return { index, row };
  });
}

/** Numbers of entries whose row the page does not know as it is now, in order. */
function changedRows(held: Held, hidden: ReadonlySet<number>, touched: readonly number[]): number[] {
  // All of them are new to a page that knows none.
  if (held.rows.length === 0) return [...held.entries.keys()];
  const changed = new Set(touched);
  for (const index of touched) {
    const entry = held.entries[index];
    // A label says something of another entry.
    if (entry?.type === "label") changed.add(held.numberOf(entry.targetId));
  }
  for (const index of hidden) if (!held.hidden.has(index)) changed.add(index);
  for (const index of held.hidden) if (!hidden.has(index)) changed.add(index);
  changed.delete(-1);
  return [...changed].filter((index) => index < held.entries.length).sort((a, b) => a - b);
}

/** The entries whose output is a notice in the context, though it is stored in full. */
function hiddenIn(held: Held, { messages, entryIds }: SessionContext): Set<number> {
  const hidden = new Set<number>();
  messages.forEach((message, at) => {
    if (!isPruned(message)) return;
    const index = held.numberOf(entryIds[at]);
    const entry = held.entries[index];
    if (entry !== undefined && !isPruned(messageOf(entry))) hidden.add(index);
  });
  return hidden;
}
