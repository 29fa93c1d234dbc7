import { completeSettings, settingsJson } from "./settings.js";
import { init } from "./engine.js";
import { checkOptions, optionalNumber, refuse } from "./guard.js";
import type { CompactionEvent } from "./events.js";
import { outcomeOf, type CompactionOutcome } from "./outcome.js";
import { timeBy } from "./outside.js";
import type { Fetch } from "./remote.js";
import { checkRemote, type RemoteOptions } from "./remote-headers.js";
import { carryOut } from "./run.js";
import type { PlanOptions } from "./plan-options.js";
import type { Session } from "./session.js";
import type { Sleep } from "./sleep.js";
import { stateOf } from "./state.js";
import type { Model, Summarize } from "./summarizer.js";

/** Options of {@link compact}. */
export interface CompactOptions extends PlanOptions {
  /**
   * Makes the summaries. Default: the remote endpoint of the settings; without one the local
   * summariser, with a warning; ask for it by name and there is none.
   */
  summarize?: "local" | Summarize | undefined;
  /** The model that is summarised for; handed on to `summarize`. Its window serves where none is given. */
  model?: Model | undefined;
  /** Models that `summarize` is asked with when the first one failed, in this order. */
  models?: readonly Model[] | undefined;
  /** Headers for the remote endpoint, a key for instance. They go nowhere else. */
  remote?: RemoteOptions | undefined;
  /** What the summary is to look at above all; it stands in every request. */
  customInstructions?: string | undefined;
  /** Ends the run; before the result is saved, nothing has changed then. */
  signal?: AbortSignal | undefined;
  /** Fetches the remote endpoint. Default: the platform's `fetch`. */
  fetch?: Fetch | undefined;
  /** The time, in milliseconds since 1970. Default: `Date.now`. */
  now?: (() => number) | undefined;
  /** Waits before a request is sent again. Default: a timer. */
  sleep?: Sleep | undefined;
  /** Told what goes on. A handler that throws is reported and passed over. */
  onEvent?: ((event: CompactionEvent) => void) | undefined;
}

const KNOWN = [
  ...["contextWindow", "fixedTokens", "settings", "summarize", "model", "models", "remote", "customInstructions"],
  ...["signal", "fetch", "now", "sleep", "onEvent"],
];

/**
 * Folds a session: rewrites its earlier history into a summary and keeps the recent part verbatim.
 * The promise resolves however the run ends; it rejects only for wrong use.
 */
export async function compact(session: Session, options: CompactOptions = {}): Promise<CompactionOutcome> {
  checkOptions("compact", options, KNOWN);
  await init();
  const state = stateOf(session);
  const { summarize, signal, model, customInstructions, now = Date.now } = options;
  if (summarize !== undefined && summarize !== "local" && typeof summarize !== "function") {
    refuse("summarize", summarize, '"local" or a function');
  }
  for (const name of ["onEvent", "now", "sleep", "fetch"] as const) {
    if (options[name] !== undefined && typeof options[name] !== "function") refuse(name, options[name], "a function");
  }
  if (customInstructions !== undefined && typeof customInstructions !== "string") {
    refuse("customInstructions", customInstructions, "a string");
  }
  if (signal !== undefined && typeof signal?.addEventListener !== "function") refuse("signal", signal, "an AbortSignal");
  const headers = checkRemote(options.remote);
  const models = modelsOf(options);
  const settings = settingsJson(options.settings);
  const window = optionalNumber("contextWindow", options.contextWindow) ?? usableWindow(model?.contextWindow);
  const fixed = optionalNumber("fixedTokens", options.fixedTokens);
  // The local summariser serves a run as it starts, which one that is aborted before must not be.
  const asks = typeof summarize === "function" || signal?.aborted === true;
  const windows = models.map((one, place) => (place === 0 && one === model ? window : usableWindow(one?.contextWindow)) ?? NaN);
  const local = !asks && summarize === "local";
  const start = timeBy(now);
  const run = state.call((handle) => {
    return handle.startCompaction(window, fixed, settings, customInstructions, asks ? Float64Array.from(windows) : undefined, local, start);
  });
  try {
    if (summarize === undefined && completeSettings(settings).compaction.remoteEndpoint === undefined) warnOfLocal();
    const { fetch, sleep, onEvent } = options;
    const callback = typeof summarize === "function" ? summarize : undefined;
    const { cause } = await carryOut(state, run, { summarize: callback, models, headers, fetch, signal, now, sleep, onEvent });
    return outcomeOf(state, run, cause);
  } finally {
    run.free();
  }
}

/** The models that the callback is asked with, the current one first, each once. */
function modelsOf({ model, models = [] }: CompactOptions): (Model | undefined)[] {
  if (!Array.isArray(models)) refuse("models", models, "a list of models");
  const list: (Model | undefined)[] = [];
  for (const [place, one] of [model, ...(models as readonly Model[])].entries()) {
    if (one === undefined && place === 0) continue;
    const name = place === 0 ? "model" : `models[${place - 1}]`;
    if (typeof one !== "object" || one === null) refuse(name, one, "an object { provider, id, contextWindow? }");
    if (!list.some((known) => known?.provider === one.provider && known.id === one.id)) list.push(one);
  }
  return list.length === 0 ? [undefined] : list;
}

/** A model's window that means nothing is an unknown one; only an explicit `contextWindow` is refused. */
function usableWindow(window: unknown): number | undefined {
  return typeof window === "number" && Number.isSafeInteger(window) && window > 0 ? window : undefined;
}

let warned = false;

function warnOfLocal(): void {
  if (warned) return;
  warned = true;
  console.warn('threadfold: no `summarize` was given, so the local summariser serves; pass summarize: "local" to say so.');
}
