// Before and after a fold, message by message.

import { estimateTokens } from "threadfold";
import type { Compared, Comparison } from "../contract.js";
import type { Held } from "./held.js";
import { kindOfMessage } from "./kinds.js";
import { textOfMessage } from "./rows.js";

/** What the model sees now. */
export function seenIn(held: Held): Compared[] {
  const { messages, entryIds } = held.session.buildSessionContext();
  let before = -1;
  return messages.map((message, at) => {
    const entry = held.numberOf(entryIds[at]);
    // A result that was made up for a call stands behind the entry of its call.
    const isMadeUp = entry === before;
    before = entry;
    const tokens = isMadeUp ? estimateTokens(message) : held.tokensOf([entry]);
    return { entry, kind: kindOfMessage(message), text: textOfMessage(message), tokens };
  });
}

/** What stays is the longest end that both have. */
export function compare(before: Compared[], after: Compared[], tokensBefore: number, tokensAfter: number): Comparison {
  let same = 0;
  while (same < before.length && same < after.length && before.at(-1 - same)?.entry === after.at(-1 - same)?.entry) same += 1;
  return { before, after, keptBefore: before.length - same, keptAfter: after.length - same, tokensBefore, tokensAfter };
}
