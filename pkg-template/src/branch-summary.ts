import type { BranchSummaryFigures, BranchSummaryStatus, FileLists, Summarizer } from "./data.js";
import { init } from "./engine.js";
import type { ThreadfoldError } from "./error.js";
import type { EventHandler } from "./events.js";
import { checkOptions, giveBack, optionalNumber, refuse } from "./guard.js";
import { usableWindow } from "./models.js";
import { errorOf } from "./outcome.js";
import { checkInstructedRun } from "./run-options.js";
import { carryOut } from "./run.js";
import type { Session } from "./session.js";
import { stateOf } from "./state.js";
import { candidatesOf, checkSummarizing, SUMMARIZING, warningOfLocal, type SummarizingOptions } from "./summarizing-options.js";

/** Options of {@link generateBranchSummary}. */
export interface BranchSummaryOptions extends SummarizingOptions {
  /** The leaf that is left; null before the first entry. Default: the leaf. */
  oldLeafId?: string | null | undefined;
  /** Where to; null before the first entry. */
  targetId: string | null;
  /** The model's window, in tokens. Default: the model's; where that is unknown, the whole branch goes into the request. */
  contextWindow?: number | undefined;
  /** Stand in the place of the instructions for the summary. */
  customInstructions?: string | undefined;
  /** Ends the run. */
  signal?: AbortSignal | undefined;
  /** Told what goes on. A handler that throws is reported and passed over. */
  onEvent?: EventHandler | undefined;
}

/** How a branch summary ended. */
export interface BranchSummaryOutcome {
  status: BranchSummaryStatus;
  /** Why there was nothing to do. */
  reason?: NonNullable<BranchSummaryFigures["reason"]>;
  /** Why it failed. */
  error?: ThreadfoldError;
  /** The text to be stored, for {@link Session.branchWithSummary}. */
  summary?: string;
  /** The files of the branch, to be stored with it. */
  details?: FileLists;
  /** Who made it. */
  summarizer?: Summarizer;
  /** What was odd about an accepted reply. */
  warnings: BranchSummaryFigures["warnings"];
}

const KNOWN = ["oldLeafId", "targetId", "contextWindow", "customInstructions", "signal", "onEvent", ...SUMMARIZING];

/**
 * Summarises the branch that a move from one leaf to another would leave. Changes nothing in the session.
 * The promise resolves however the run ends; it rejects only for wrong use.
 */
export async function generateBranchSummary(session: Session, options: BranchSummaryOptions): Promise<BranchSummaryOutcome> {
  checkOptions("generateBranchSummary", options, KNOWN);
  const { customInstructions, signal, onEvent } = options;
  if (onEvent !== undefined && typeof onEvent !== "function") refuse("onEvent", onEvent, "a function");
  checkInstructedRun(options);
  const window = optionalNumber("contextWindow", options.contextWindow) ?? usableWindow(options.model);
  const checked = checkSummarizing(options, window);
  await init();
  const state = stateOf(session);
  const oldLeaf = state.leaf("generateBranchSummary.oldLeafId", options.oldLeafId);
  if (options.targetId === undefined) refuse("targetId", options.targetId, "the id of an entry, or null");
  const target = state.leaf("generateBranchSummary.targetId", options.targetId);
  const [windows, local] = candidatesOf(checked, signal?.aborted);
  const started = checked.now();
  const run = state.call((handle) => {
    return handle.startBranchSummary(oldLeaf, target, window, checked.settings, customInstructions, windows, local);
  });
  try {
    const { cause } = await carryOut(state, run, started, { ...checked, signal, onEvent: warningOfLocal(checked, onEvent) });
    const { error, details, ...figures } = state.call(() => run.outcome()) as BranchSummaryFigures;
    return {
      ...figures,
      ...(error === undefined ? {} : { error: errorOf(error, cause) }),
      ...(details === undefined ? {} : { details: JSON.parse(details) as FileLists }),
    };
  } finally {
    giveBack(run);
  }
}
