import type { BeforeTreeEvent } from "./hook-events.js";
import { checkOptions, refuse } from "./guard.js";
import { lazily } from "./lazily.js";
import { checkInstructedRun, type InstructedRun } from "./run-options.js";
import type { Session } from "./session.js";
import { completeSettings } from "./settings.js";

/** Options of {@link AgentSession.navigateTree}. */
export interface NavigateOptions extends InstructedRun {
  /** Whether the branch that is left is summarised. Default: `branchSummary.enabled`. */
  summarize?: boolean | undefined;
}

export function checkNavigateOptions(options: NavigateOptions): void {
  checkOptions("navigateTree", options, ["summarize", "customInstructions", "signal"]);
  const { summarize } = options;
  if (summarize !== undefined && typeof summarize !== "boolean") refuse("summarize", summarize, "true or false");
  checkInstructedRun(options);
}

/**
 * What hooks are told of a navigation from where the leaf is now. The engine itself sees to what `summarize` is
 * where it is left out; here it is looked up only for a hook that reads it.
 */
export function treeEvent(
  session: Session,
  targetId: string,
  summarize: boolean | undefined,
  settings: string | undefined,
): Omit<BeforeTreeEvent, "signal"> {
  const oldLeafId = session.leafId;
  const collected = lazily(() => session.collectEntriesForBranchSummary(oldLeafId, targetId));
  return {
    targetId,
    oldLeafId,
    get summarize() {
      return summarize ?? completeSettings(settings).branchSummary.enabled;
    },
    get commonAncestorId() {
      return collected().commonAncestorId;
    },
    get entries() {
      return collected().entries;
    },
  };
}
