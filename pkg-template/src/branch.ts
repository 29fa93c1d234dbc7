import { takeView } from "./context.js";
import type { BranchFigures } from "./data.js";
import type { Entry, Message } from "./entry.js";
import { checkOptions, refuse } from "./guard.js";
import { settingsJson, type PartialSettings } from "./settings.js";
import { BEFORE_FIRST, type SessionState } from "./state.js";

/** The branch that a move of the leaf leaves. */
export interface CollectedBranch {
  /** Its entries of every type, oldest first, the old leaf last. */
  entries: Entry[];
  /** The deepest entry on the paths to both leaves; null where they share none. */
  commonAncestorId: string | null;
}

/** A branch that is ready to be summarised. */
export interface BranchPreparation extends BranchFigures {
  /**
   * What of it fits the budget, oldest first and, in the preset `safe`, legal for a provider. Tool
   * results are whole here; the request shortens them.
   */
  messages: Message[];
}

/** What a branch is prepared with. */
export interface PrepareBranchOptions {
  /** Only `fileTools` matters here. */
  settings?: PartialSettings | undefined;
}

export function collectEntries(state: SessionState, oldLeafId: string | null, targetId: string | null): CollectedBranch {
  const [oldLeaf, target] = [oldLeafId, targetId].map((id) => {
    return id === null ? BEFORE_FIRST : state.require("collectEntriesForBranchSummary", id);
  }) as [number, number];
  const [ancestor = BEFORE_FIRST, ...entries] = state.call((handle) => handle.collectEntries(oldLeaf, target));
  return {
    entries: entries.map((index) => state.entry(index)),
    commonAncestorId: ancestor === BEFORE_FIRST ? null : state.id(ancestor),
  };
}

export function prepareBranchEntries(
  state: SessionState,
  entries: readonly (Entry | string)[],
  tokenBudget: number,
  options: PrepareBranchOptions,
): BranchPreparation {
  checkOptions("prepareBranchEntries", options, ["settings"]);
  if (!Array.isArray(entries)) refuse("entries", entries, "an array of entries or their ids");
  if (typeof tokenBudget !== "number" || Number.isNaN(tokenBudget)) refuse("tokenBudget", tokenBudget, "a number of tokens");
  const given = entries as readonly (Entry | string)[];
  const indices = given.map((entry, at) => {
    const id: unknown = typeof entry === "string" ? entry : entry?.id;
    return state.require(`prepareBranchEntries.entries[${at}]`, id as string);
  });
  const settings = settingsJson(options.settings);
  const view = state.call((handle) => handle.prepareBranchEntries(Uint32Array.from(indices), tokenBudget, settings));
  const figures = view.notes() as BranchFigures;
  return { messages: takeView(state, view).messages, ...figures };
}
