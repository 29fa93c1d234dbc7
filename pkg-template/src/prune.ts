import type { PruneResult, RestoreResult, Settings } from "./data.js";
import { refuse } from "./guard.js";
import { isoTime } from "./outside.js";
import { planNumbers, type PlanOptions } from "./plan-options.js";
import { settingsJson } from "./settings.js";
import type { SessionState } from "./state.js";

/**
 * What a prune is asked with: settings of pruning, which go before those in `settings`, and what the
 * context size is measured with.
 */
export type PruneConfig = Partial<Settings["prune"]> & PlanOptions;

/** What a prune would do; changes nothing. */
export function preparePrune(state: SessionState, config: PruneConfig): PruneResult {
  return prune(state, config, undefined);
}

/** Has the engine prune, or say what it would do where there is no time to do it at. */
function prune(state: SessionState, config: PruneConfig, now: string | undefined): PruneResult {
  const isObject = typeof config === "object" && config !== null && !Array.isArray(config);
  const { contextWindow, fixedTokens, settings, ...own } = isObject ? config : ({} as PruneConfig);
  const { window, fixed } = planNumbers({ contextWindow, fixedTokens });
  const given = settingsJson(settings);
  // What is no object is refused as the settings that it should be.
  const ownJson = settingsJson({ prune: isObject ? own : config });
  return state.call((handle) => handle.pruneToolOutputs(window, fixed, given, ownJson, now)) as PruneResult;
}

export function pruneToolOutputs(state: SessionState, config: PruneConfig): PruneResult {
  const length = state.call((handle) => handle.length);
  const pruned = prune(state, config, isoTime(Date.now()));
  // Where a prune entry was appended, the originals are what they were.
  const rewritten = state.call((handle) => handle.length) === length;
  if (rewritten) for (const id of pruned.prunedIds) state.forget(state.require("pruneToolOutputs", id));
  if (rewritten && pruned.prunedCount > 0) state.changes.emit("change", { type: "rewritten", ids: pruned.prunedIds });
  state.tellAppended();
  return pruned;
}

export function restoreToolOutputs(state: SessionState, ids: readonly string[] | undefined): RestoreResult {
  if (ids !== undefined && !Array.isArray(ids)) refuse("ids", ids, "an array of ids of entries");
  const known = ids?.map((id) => {
    state.require("restoreToolOutputs", id);
    return id;
  });
  const restored = state.call((handle) => handle.restoreToolOutputs(known, isoTime(Date.now()))) as RestoreResult;
  state.tellAppended();
  return restored;
}
