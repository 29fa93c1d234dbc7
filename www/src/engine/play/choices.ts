// The window and the budgets of a run that is played.

import type { Choices } from "../../contract.js";

/** Small enough that pruning, folds and overflows come within a minute; counted as the visitor chose. */
export function playChoices({ images }: Choices): Choices {
  return { contextWindow: 32_000, reserveTokens: 8_000, keepRecentTokens: 6_000, protectTokens: 5_000, minimumSavings: 4_000, images };
}
