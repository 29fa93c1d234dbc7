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

export function pruneToolOutputs(state: SessionState, config: PruneConfig): PruneResult {
  const isObject = typeof config === "object" && config !== null && !Array.isArray(config);
  const { contextWindow, fixedTokens, settings, ...prune } = isObject ? config : ({} as PruneConfig);
  const { window, fixed } = planNumbers({ contextWindow, fixedTokens });
  const given = settingsJson(settings);
  // What is no object is refused as the settings that it should be.
  const own = settingsJson({ prune: isObject ? prune : config });
  const now = isoTime(Date.now());
  const length = state.call((handle) => handle.length);
  const pruned = state.call((handle) => handle.pruneToolOutputs(window, fixed, given, own, now)) as PruneResult;
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
