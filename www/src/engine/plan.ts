// What a fold would do now. Nothing changes.

import type { Preparation } from "threadfold";
import type { Choices, FoldPlan, Plan, Pruned } from "../contract.js";
import type { Held } from "./held.js";
import { planOptions } from "./settings.js";
import { whyThere } from "./why.js";

export function planOf(held: Held, choices: Choices): Plan {
  const pruned = prunedBy(held, choices);
  const answer = held.session.prepareCompaction(planOptions(choices));
  if (!answer.ok) return { ...answer, pruned };
  return foldPlan(held, choices, answer.preparation, pruned);
}

function foldPlan(held: Held, choices: Choices, preparation: Preparation, pruned: Pruned): FoldPlan {
  const { tokensBefore, keptTokens, previousSummary } = preparation;
  const summarized = held.numbersOf(preparation.entryIdsToSummarize);
  const prefix = held.numbersOf(preparation.turnPrefixEntryIds);
  const [summarizedTokens, prefixTokens] = [held.tokensOf(summarized), held.tokensOf(prefix)];
  const replaced = previousSummary === undefined ? 0 : previousTokens(held);
  const plan = {
    ok: true as const,
    firstKept: held.numberOf(preparation.firstKeptEntryId),
    turnStart: prefix[0] ?? -1,
    summarized,
    prefix,
    kept: held.numbersOf(preparation.keptEntryIds),
    inTheWay: held.numbersOf(preparation.entryIdsInTheWay),
    pruned,
    summarizedTokens,
    prefixTokens,
    keptTokens,
    budget: preparation.keepRecentTokens,
    reserve: preparation.reserveTokens,
    tokensBefore,
    requestTokens: requestTokens(held, preparation),
    leastAfter: Math.max(keptTokens, tokensBefore - summarizedTokens - prefixTokens - replaced),
    hasPreviousSummary: previousSummary !== undefined,
    files: preparation.fileOps,
  };
  return { ...plan, why: whyThere(held, choices, plan) };
}

/** To be known, the requests have to be written, which takes its time; where the cut stays they are the same. */
function requestTokens(held: Held, preparation: Preparation): number {
  const { firstKeptEntryId, entryIdsToSummarize, turnPrefixEntryIds } = preparation;
  const name = `requests ${firstKeptEntryId} ${entryIdsToSummarize.length} ${turnPrefixEntryIds.length}`;
  return held.known(name, () => preparation.requestTokens);
}

/** What the summary of the compaction before takes, which a new one replaces. */
function previousTokens(held: Held): number {
  const latest = held.session.path().findLast(({ type }) => type === "compaction");
  return held.tokensOf([held.numberOf(latest?.id)]);
}

/** What a prune would take, once the context is above the threshold. */
function prunedBy(held: Held, { protectTokens, minimumSavings }: Choices): Pruned {
  return held.known(`prune ${protectTokens} ${minimumSavings}`, () => {
    const { prunedIds, tokensSaved } = held.session.preparePrune({ protectTokens, minimumSavings });
    return { entries: held.numbersOf(prunedIds), tokens: tokensSaved };
  });
}
