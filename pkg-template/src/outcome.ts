import type { ErrorData, NothingToDo, NothingToDoReason, OutcomeFigures, ProgressFigures, Status, Summarizer } from "./data.js";
import type { Entry } from "./entry.js";
import { ThreadfoldError } from "./error.js";
import type { RunHandle } from "./glue/threadfold.js";
import type { RunEnd } from "./run.js";
import type { SessionState } from "./state.js";

/** How a run ended. */
export interface CompactionOutcome {
  status: Status;
  /** Why there was nothing to do. */
  reason?: NothingToDoReason;
  /** The same with its figures. */
  nothingToDo?: NothingToDo;
  /** Why it failed; its `cause` is what the summariser threw, if it did. */
  error?: ThreadfoldError;
  /** The entry of the compaction. */
  entry?: Entry;
  /** The context size before, in tokens. */
  tokensBefore: number;
  /** The context size after, in tokens. */
  tokensAfter?: number;
  /** Whether the context is smaller by a tenth or fits the threshold, by the estimate on both sides. */
  progress?: "sufficient" | "insufficient";
  /**
   * The figures behind `progress`, in tokens, and the entries in the way where it did not help. In nine of ten
   * cases the size after lies between `estimateAfterLow` and `estimateAfterHigh`.
   */
  progressFigures?: Omit<ProgressFigures, "sufficient" | "entriesInTheWay"> & { entryIdsInTheWay: string[] };
  /** Who made the summary. */
  summarizer?: Summarizer;
  /** What was odd about an accepted reply. */
  warnings: OutcomeFigures["warnings"];
}

/** The outcome of a compaction. */
export function compactionOutcomeOf(state: SessionState, run: RunHandle, { cause }: RunEnd): CompactionOutcome {
  return outcomeOf(state, state.call(() => run.outcome()) as OutcomeFigures, cause);
}

/** The outcome of figures; `cause` is what was thrown at last, if something was. */
export function outcomeOf(state: SessionState, figures: OutcomeFigures, cause: unknown): CompactionOutcome {
  const { nothingToDo, error, entry, progress, ...rest } = figures;
  return {
    ...rest,
    ...(nothingToDo === undefined ? {} : { reason: nothingToDo.reason, nothingToDo }),
    ...(error === undefined ? {} : { error: errorOf(error, cause) }),
    ...(entry === undefined ? {} : { entry: state.entry(entry) }),
    ...(progress === undefined ? {} : progressOf(state, progress)),
  };
}

function progressOf(state: SessionState, { sufficient, entriesInTheWay, ...estimates }: ProgressFigures): Pick<CompactionOutcome, "progress" | "progressFigures"> {
  return {
    progress: sufficient ? "sufficient" : "insufficient",
    progressFigures: { ...estimates, entryIdsInTheWay: state.ids(entriesInTheWay) },
  };
}

/** Failures that something thrown outside stands behind. */
const THROWN_OUTSIDE: readonly string[] = ["summarizer-failed", "remote-failed", "storage-failed", "conflict"];

/** An error of the engine; `cause` is what was thrown at last, if something was. */
export function errorOf({ code, message }: ErrorData, cause: unknown): ThreadfoldError {
  return new ThreadfoldError(code, message, THROWN_OUTSIDE.includes(code) && cause !== undefined ? { cause } : undefined);
}
