import type { ContextUsage, NavigationFigures, Summarizer, TurnAction, TurnFigures } from "./data.js";
import type { Entry } from "./entry.js";
import type { ThreadfoldError } from "./error.js";
import type { RunHandle } from "./glue/threadfold.js";
import { guard } from "./guard.js";
import { errorOf, outcomeOf, type CompactionOutcome } from "./outcome.js";
import type { RunEnd } from "./run.js";
import type { SessionState } from "./state.js";

/** How the host's agent goes on. */
export type TurnNext =
  /**
   * The request that failed is sent again. `withoutLast`: leave the last message of the context out, it is the
   * answer that is tried again. An answer that is an error is not in the context anyway.
   */
  | { type: "continue"; withoutLast?: true }
  /** The agent is asked this; no user wrote it. */
  | { type: "prompt"; text: string }
  /** It waits for the user. */
  | { type: "wait" };

/** How a check ended. */
export interface TurnResult {
  /** What it did. */
  action: TurnAction;
  /** The compaction that it started, or why there was none to start. */
  outcome?: CompactionOutcome;
  /** How many tool outputs were pruned, and what that saved, in tokens. */
  pruned?: { prunedCount: number; tokensSaved: number };
  /** How large the context is now, with the messages that were handed in. */
  contextUsage: ContextUsage;
  /** How the host's agent goes on; a host with `continue` and `prompt` has been told so. */
  next: TurnNext;
}

/** How a navigation ended. */
export interface NavigateResult {
  /** Whether a hook or an abort ended it; nothing has changed then. */
  cancelled: boolean;
  /** Whether it was an abort. */
  aborted?: true;
  /**
   * Why it failed; the leaf is where it was then. Only what was appended behind the summary while the store
   * refused it stays at the new place, and the leaf with it.
   */
  failed?: ThreadfoldError;
  /** The text of the user message that is to be written anew. */
  editorText?: string;
  /** The branch summary, which is the leaf. */
  summaryEntry?: Entry;
  /** Why there is no summary although one was asked for. */
  summarySkipped?: NonNullable<NavigationFigures["summarySkipped"]>;
  /** Who made the summary. */
  summarizer?: Summarizer;
  /** What was odd about an accepted reply. */
  warnings: NavigationFigures["warnings"];
}

/** The result of a check. */
export function turnResultOf(state: SessionState, run: RunHandle, contextUsage: ContextUsage, { cause, withoutLast }: RunEnd): TurnResult {
  const { action, outcome, prunedCount, tokensSaved, next } = state.call(() => run.outcome()) as TurnFigures;
  return {
    action,
    ...(outcome === undefined ? {} : { outcome: outcomeOf(state, outcome, cause) }),
    ...(prunedCount === 0 ? {} : { pruned: { prunedCount, tokensSaved } }),
    contextUsage,
    next: nextOf(next, withoutLast),
  };
}

function nextOf(type: TurnFigures["next"], withoutLast: boolean): TurnNext {
  switch (type) {
    case "prompt":
      return { type, text: guard((glue) => glue.continuePrompt()) };
    case "continue":
      return withoutLast ? { type, withoutLast } : { type };
    case "wait":
      return { type };
  }
}

/** The result of a navigation. */
export function navigateResultOf(state: SessionState, run: RunHandle, { cause }: RunEnd): NavigateResult {
  const { cancelled, aborted, error, summaryEntry, ...rest } = state.call(() => run.outcome()) as NavigationFigures;
  return {
    ...rest,
    cancelled,
    ...(aborted ? { aborted } : {}),
    ...(error === undefined ? {} : { failed: errorOf(error, cause) }),
    ...(summaryEntry === undefined ? {} : { summaryEntry: state.entry(summaryEntry) }),
  };
}
