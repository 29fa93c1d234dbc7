// Folds the session on the screen.

import { compact, type CompactionOutcome } from "threadfold";
import type { Folded } from "../contract.js";
import { compare, seenIn } from "./comparison.js";
import type { Held } from "./held.js";
import { progressOf } from "./progress.js";
import { customInstructions, settle, type Asked } from "./running.js";
import { planOptions } from "./settings.js";
import { snapshotOf } from "./snapshot.js";
import { summarizedWith } from "./summarizing.js";
import { troubleOf } from "./troubles.js";

export async function fold(held: Held, asked: Asked): Promise<Folded> {
  const { choices, summarizing, listener, signal } = asked;
  held.adopt(choices);
  const [before, leaf] = [seenIn(held), held.session.leafId];
  const outcome = await compact(held.session, {
    ...planOptions(choices),
    ...summarizedWith(choices, summarizing, listener),
    ...customInstructions(asked),
    signal,
    onEvent: (event) => listener.progress(progressOf(event)),
  });
  const unsaved = await settle(held, "the fold", leaf);
  const snapshot = snapshotOf(held);
  const trouble = outcome.error === undefined ? unsaved : troubleOf(outcome.error);
  return {
    status: outcome.status,
    ...(outcome.nothingToDo === undefined ? {} : { nothingToDo: outcome.nothingToDo }),
    ...(trouble === undefined ? {} : { trouble }),
    ...summaryOf(outcome),
    warnings: [...outcome.warnings],
    ...(outcome.status === "committed" ? { comparison: compare(before, seenIn(held), outcome.tokensBefore, snapshot.usage.tokens) } : {}),
    snapshot,
  };
}

function summaryOf({ entry, summarizer }: CompactionOutcome): Pick<Folded, "summary" | "shortSummary" | "summarizer"> {
  if (entry?.type !== "compaction") return {};
  const { summary, shortSummary } = entry;
  return { summary, ...(shortSummary === undefined ? {} : { shortSummary }), ...(summarizer === undefined ? {} : { summarizer }) };
}
