import { checkRole } from "./appending.js";
import type { ContextUsage, NothingToDo } from "./data.js";
import type { Message } from "./entry.js";
import { PreparationHandle } from "./glue/threadfold.js";
import { checkOptions, refuse } from "./guard.js";
import { toWellFormedJson } from "./json.js";
import { planNumbers, type PlanOptions } from "./plan-options.js";
import { Preparation, type PrepareCompactionResult } from "./preparation.js";
import { settingsJson } from "./settings.js";
import type { SessionState } from "./state.js";

/** What a context size is asked with. */
export interface UsageOptions extends PlanOptions {
  /** Messages that are not in the session yet. */
  pending?: Message | readonly Message[] | undefined;
}

/** What a compaction is prepared with. */
export interface PrepareOptions extends PlanOptions {
  /** The entry to prepare it at. Default: the leaf. */
  leafId?: string | null | undefined;
}

/** A cut in a path. */
export interface CutPoint {
  /** The first kept entry, as a position in {@link Session.path}. */
  firstKeptEntryIndex: number;
  /** Where the turn begins that the cut splits; -1 where it splits none. */
  turnStartIndex: number;
  isSplitTurn: boolean;
}

export function contextUsage(state: SessionState, options: UsageOptions): ContextUsage {
  checkOptions("contextUsage", options, ["contextWindow", "pending", "fixedTokens", "settings"]);
  const messages = pendingMessages(options.pending);
  const { window, fixed } = planNumbers(options);
  const settings = settingsJson(options.settings);
  return state.call((handle) => handle.contextUsage(window, fixed, messages, settings)) as ContextUsage;
}

/** Messages that are not in the session yet, as JSON. */
export function pendingMessages(pending: Message | readonly Message[] = []): string[] {
  const list = (Array.isArray(pending) ? pending : [pending]) as readonly Message[];
  return list.map((message, index) => {
    const json = toWellFormedJson(message, `pending[${index}]`);
    checkRole(message, `pending[${index}]`);
    return json;
  });
}

export function prepareCompaction(state: SessionState, options: PrepareOptions): PrepareCompactionResult {
  checkOptions("prepareCompaction", options, ["contextWindow", "fixedTokens", "settings", "leafId"]);
  const { window, fixed } = planNumbers(options);
  const leaf = state.leaf("prepareCompaction", options.leafId);
  const settings = settingsJson(options.settings);
  const prepared = state.call((handle) => handle.prepareCompaction(leaf, window, fixed, settings));
  if (!(prepared instanceof PreparationHandle)) return { ok: false, ...(prepared as NothingToDo) };
  return { ok: true, preparation: new Preparation(state, prepared, settings) };
}

export function findCutPoint(state: SessionState, start: number, end: number, keepRecentTokens: number): CutPoint {
  for (const [name, value] of Object.entries({ start, end, keepRecentTokens })) {
    if (!Number.isSafeInteger(value) || value < 0) refuse(name, value, "a whole number from 0");
  }
  const cut = state.call((handle) => {
    // A larger position means the end, and would not fit the engine's.
    const [from, to] = [Math.min(start, handle.length), Math.min(end, handle.length)];
    return handle.findCutPoint(from, to, keepRecentTokens);
  });
  const [firstKeptEntryIndex = start, turnStartIndex = -1] = cut;
  return { firstKeptEntryIndex, turnStartIndex, isSplitTurn: turnStartIndex >= 0 };
}
