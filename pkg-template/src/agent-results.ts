import type { ContextUsage, NavigationFigures, Summarizer, TurnAction, TurnFigures } from "./data.js";
import type { Entry } from "./entry.js";
import type { ThreadfoldError } from "./error.js";
import type { RunHandle } from "./glue/threadfold.js";
import { guard } from "./guard.js";
import { errorOf, outcomeOf, type CompactionOutcome } from "./outcome.js";
import type { SessionState } from "./state.js";

/** How the host's agent goes on. */
export type TurnNext =
  /** The request that failed is sent again. */
  | { type: "continue" }
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
  /** How large the context is now. */
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
  /** Why it failed; nothing has changed then. */
  failed?: ThreadfoldError;
  /** The text of the user message that is to be written anew. */
  editorText?: string;
  /** The branch summary, which is the leaf. */
  summaryEntry?: Entry;
  /** Why there is no summary although one was asked for. */
  summarySkipped?: NonNullable<NavigationFigures["summarySkipped"]>;
  /** Who made the summary. */
  summarizer?: Summarizer;
}

/** The result of a check; `cause` is what was thrown at last, if something was. */
export function turnResultOf(state: SessionState, run: RunHandle, contextUsage: ContextUsage, cause: unknown): TurnResult {
  const { action, outcome, prunedCount, tokensSaved, next } = state.call(() => run.outcome()) as TurnFigures;
  return {
    action,
    ...(outcome === undefined ? {} : { outcome: outcomeOf(state, outcome, cause) }),
    ...(prunedCount === 0 ? {} : { pruned: { prunedCount, tokensSaved } }),
    contextUsage,
    next: next === "prompt" ? { type: next, text: guard((glue) => glue.continuePrompt()) } : { type: next },
  };
}

/** The result of a navigation; `cause` is what was thrown at last, if something was. */
export function navigateResultOf(state: SessionState, run: RunHandle, cause: unknown): NavigateResult {
  const { cancelled, aborted, error, summaryEntry, ...rest } = state.call(() => run.outcome()) as NavigationFigures;
  return {
    ...rest,
    cancelled,
    ...(aborted ? { aborted } : {}),
    ...(error === undefined ? {} : { failed: errorOf(error, cause) }),
    ...(summaryEntry === undefined ? {} : { summaryEntry: state.entry(summaryEntry) }),
  };
}
