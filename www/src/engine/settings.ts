// What the visitor set, as the library takes it.

import type { LoadOptions, PartialSettings, PlanOptions } from "threadfold";
import type { Choices } from "../contract.js";

/** What sizes, plans and runs are asked with. */
export function planOptions(choices: Choices): PlanOptions & { settings: PartialSettings } {
  const { contextWindow, fixedTokens, reserveTokens, keepRecentTokens, protectTokens, minimumSavings } = choices;
  return {
    contextWindow,
    fixedTokens,
    settings: { compaction: { reserveTokens, keepRecentTokens }, prune: { protectTokens, minimumSavings } },
  };
}

/** What a session is loaded with. */
export function loadOptions({ tokenizer, images }: Choices): LoadOptions {
  return { tokenizer, images };
}

/** Whether two are the same. */
export function areSame(before: Choices, now: Choices): boolean {
  const names = Object.keys({ ...before, ...now }) as (keyof Choices)[];
  return names.every((name) => before[name] === now[name]);
}

/** Whether a session that was loaded under some choices has to be loaded anew under others. */
export function needsLoading(before: Choices, now: Choices): boolean {
  return before.tokenizer !== now.tokenizer || before.images !== now.images;
}
