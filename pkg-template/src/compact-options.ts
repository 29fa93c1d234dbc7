import type { EventHandler } from "./events.js";
import { checkOptions, refuse } from "./guard.js";
import type { HookHandlers } from "./hook-events.js";
import { noHooks, type Hooks } from "./hooks.js";
import { usableWindow } from "./models.js";
import { planNumbers, type PlanOptions } from "./plan-options.js";
import { checkInstructedRun } from "./run-options.js";
import { checkSummarizing, SUMMARIZING, type CheckedSummarizing, type SummarizingOptions } from "./summarizing-options.js";

/** Options of {@link compact}. */
export interface CompactOptions extends PlanOptions, SummarizingOptions {
  /** What the summary is to look at above all; it stands in every request. */
  customInstructions?: string | undefined;
  /** Handlers of the hooks of a compaction, by the name of the hook. */
  hooks?: Partial<Pick<HookHandlers, "session_before_compact" | "session.compacting">> | undefined;
  /** Ends the run; before the result is saved, nothing has changed then. */
  signal?: AbortSignal | undefined;
  /** Told what goes on. A handler that throws is reported and passed over. */
  onEvent?: EventHandler | undefined;
}

const KNOWN = ["contextWindow", "fixedTokens", "customInstructions", "hooks", "signal", "onEvent", ...SUMMARIZING];

/** Options that were checked. */
export interface CheckedCompactOptions extends CheckedSummarizing {
  contextWindow: number | undefined;
  fixedTokens: number | undefined;
  customInstructions: string | undefined;
  hooks: Hooks | undefined;
  signal: AbortSignal | undefined;
  onEvent: EventHandler | undefined;
}

/** Checks everything but what the engine knows the rules of: the settings and the figures. `more`: other options that there may be. */
export function checkCompactOptions(name: string, options: CompactOptions, more: readonly string[] = []): CheckedCompactOptions {
  checkOptions(name, options, [...KNOWN, ...more]);
  const { customInstructions, signal, onEvent } = options;
  if (onEvent !== undefined && typeof onEvent !== "function") refuse("onEvent", onEvent, "a function");
  checkInstructedRun(options);
  const { window, fixed } = planNumbers(options);
  const contextWindow = window ?? usableWindow(options.model);
  const summarizing = checkSummarizing(options, contextWindow);
  return { ...summarizing, contextWindow, fixedTokens: fixed, customInstructions, hooks: hooksOf(options.hooks), signal, onEvent };
}

/** The handlers of one run. */
function hooksOf(given: CompactOptions["hooks"]): Hooks | undefined {
  if (given === undefined) return undefined;
  checkOptions("hooks", given, ["session_before_compact", "session.compacting"]);
  const hooks = noHooks();
  if (given.session_before_compact !== undefined) hooks.add("session_before_compact", given.session_before_compact);
  if (given["session.compacting"] !== undefined) hooks.add("session.compacting", given["session.compacting"]);
  return hooks;
}
