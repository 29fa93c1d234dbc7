import { checkCompactOptions, type CompactOptions } from "./compact-options.js";
import { init } from "./engine.js";
import { giveBack } from "./guard.js";
import { outcomeOf, type CompactionOutcome } from "./outcome.js";
import { isoTime } from "./outside.js";
import { carryOut } from "./run.js";
import type { Session } from "./session.js";
import { completeSettings } from "./settings.js";
import { stateOf } from "./state.js";

/**
 * Folds a session: rewrites its earlier history into a summary and keeps the recent part verbatim.
 * The promise resolves however the run ends; it rejects only for wrong use.
 */
export async function compact(session: Session, options: CompactOptions = {}): Promise<CompactionOutcome> {
  const checked = checkCompactOptions(options);
  await init();
  const state = stateOf(session);
  const { summarize, contextWindow, fixedTokens, settings, customInstructions, signal, now } = checked;
  // The local summariser serves a run as it starts, which one that is aborted before must not be. It
  // has a step to be aborted at instead: a request, for a callback of any window.
  const aborted = signal?.aborted === true;
  const callback = typeof summarize === "function" ? summarize : undefined;
  const windows = aborted ? [NaN] : checked.modelWindows;
  const started = now();
  const run = state.call((handle) => {
    return handle.startCompaction(
      contextWindow,
      fixedTokens,
      settings,
      customInstructions,
      aborted || callback !== undefined ? Float64Array.from(windows) : undefined,
      !aborted && summarize === "local",
      isoTime(started),
    );
  });
  try {
    if (summarize === undefined && completeSettings(settings).compaction.remoteEndpoint === undefined) warnOfLocal();
    const { cause } = await carryOut(state, run, started, { ...checked, summarize: callback });
    return outcomeOf(state, run, cause);
  } finally {
    giveBack(run);
  }
}

let warned = false;

function warnOfLocal(): void {
  if (warned) return;
  warned = true;
  console.warn('threadfold: no `summarize` was given, so the local summariser serves; pass summarize: "local" to say so.');
}
