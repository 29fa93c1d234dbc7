import { checkCompactOptions, type CheckedCompactOptions, type CompactOptions } from "./compact-options.js";
import { init } from "./engine.js";
import { giveBack } from "./guard.js";
import { compactionOutcomeOf, type CompactionOutcome } from "./outcome.js";
import { isoTime } from "./outside.js";
import { carryOut } from "./run.js";
import type { Session } from "./session.js";
import { headerOf, stateOf, type SessionState } from "./state.js";
import { candidatesOf, warningOfLocal } from "./summarizing-options.js";

/**
 * Folds a session: rewrites its earlier history into a summary and keeps the recent part verbatim.
 * The promise resolves however the run ends; it rejects only for wrong use.
 */
export async function compact(session: Session, options: CompactOptions = {}): Promise<CompactionOutcome> {
  const checked = checkCompactOptions("compact", options);
  await init();
  return runCompaction(stateOf(session), checked, "in any case");
}

/** Runs a compaction: in any case, or only where the context has passed the threshold. */
export async function runCompaction(
  state: SessionState,
  checked: CheckedCompactOptions,
  when: "in any case" | "where it is due",
): Promise<CompactionOutcome> {
  const { contextWindow, fixedTokens, settings, customInstructions, hooks, signal, now } = checked;
  const [windows, local] = candidatesOf(checked, signal?.aborted);
  const started = now();
  const run = state.call((handle) => {
    return handle.startCompaction(
      contextWindow,
      fixedTokens,
      settings,
      customInstructions,
      windows,
      local,
      hooks !== undefined,
      when === "where it is due",
      isoTime(started),
    );
  });
  try {
    const context = { settings, customInstructions, sessionId: headerOf(state)?.id, tree: undefined };
    const hookContext = hooks === undefined ? undefined : { ...context, hooks };
    return compactionOutcomeOf(state, run, await carryOut(state, run, started, { ...checked, onEvent: warningOfLocal(checked, checked.onEvent), hookContext }));
  } finally {
    giveBack(run);
  }
}
