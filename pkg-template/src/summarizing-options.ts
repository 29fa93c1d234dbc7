import type { AgentEvent, AnyEventHandler } from "./events.js";
import { refuse } from "./guard.js";
import { modelsInOrder, usableWindow, type Model } from "./models.js";
import { clockBy, type Clock } from "./outside.js";
import type { Fetch } from "./remote.js";
import { checkRemote, type CheckedHeaders, type RemoteOptions } from "./remote-headers.js";
import { completeSettings, settingsJson, type PartialSettings } from "./settings.js";
import type { Sleep } from "./sleep.js";
import type { Summarize } from "./summarizer.js";

/** Who makes summaries, and how the world outside is reached for it. */
export interface SummarizingOptions {
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
  settings?: PartialSettings | undefined;
  /** Fetches the remote endpoint. Default: the platform's `fetch`. */
  fetch?: Fetch | undefined;
  /** The time, in milliseconds since 1970. Default: `Date.now`. */
  now?: (() => number) | undefined;
  /** Waits before a request is sent again. Default: a timer. */
  sleep?: Sleep | undefined;
}

/** Their names. */
export const SUMMARIZING = ["summarize", "model", "models", "remote", "settings", "fetch", "now", "sleep"] as const;

/** The same, checked. */
export interface CheckedSummarizing {
  /** As JSON. */
  settings: string | undefined;
  /** The callback; undefined where the endpoint or the local summariser serves. */
  summarize: Summarize | undefined;
  /** The local summariser was asked for by name. */
  local: boolean;
  /** The models that the callback is asked with, in order. */
  models: readonly (Model | undefined)[];
  /** The window of each, in tokens; NaN where it is unknown. */
  modelWindows: readonly number[];
  headers: CheckedHeaders;
  fetch: Fetch | undefined;
  now: Clock;
  sleep: Sleep | undefined;
}

/** Checks everything but what the engine knows the rules of: the settings. `contextWindow` is that of the session's model. */
export function checkSummarizing(options: SummarizingOptions, contextWindow: number | undefined): CheckedSummarizing {
  const { model, summarize, fetch, now = Date.now, sleep } = options;
  if (summarize !== undefined && summarize !== "local" && typeof summarize !== "function") {
    refuse("summarize", summarize, '"local" or a function');
  }
  for (const [name, value] of Object.entries({ fetch, now, sleep })) {
    if (value !== undefined && typeof value !== "function") refuse(name, value, "a function");
  }
  const models = modelsInOrder(model, options.models);
  return {
    settings: settingsJson(options.settings),
    summarize: typeof summarize === "function" ? summarize : undefined,
    local: summarize === "local",
    models,
    modelWindows: models.map((one) => (one === model ? contextWindow : usableWindow(one)) ?? NaN),
    headers: checkRemote(options.remote),
    fetch,
    now: clockBy(now),
    sleep,
  };
}

/**
 * Who may serve, as the engine takes it: the windows of the callback's models, and whether the local
 * summariser is among them. The local summariser serves a run as it starts, which one that is aborted
 * before must not be: it has a step to be aborted at instead, a request for a callback of any window.
 */
export function candidatesOf(checked: CheckedSummarizing, aborted = false): [windows: Float64Array | undefined, local: boolean] {
  if (aborted) return [Float64Array.of(NaN), false];
  return [checked.summarize === undefined ? undefined : Float64Array.from(checked.modelWindows), checked.local];
}

let warned = false;

/** A handler of events that hands them on, and warns once where the local summariser is asked and nobody wanted it by name. */
export function warningOfLocal(checked: CheckedSummarizing, onEvent: AnyEventHandler | undefined): AnyEventHandler {
  return (event: AgentEvent): unknown => {
    if (event.type === "compaction_progress" && event.summarizer === "local") warnOfLocal(checked);
    return onEvent?.(event as never);
  };
}

function warnOfLocal({ summarize, local, settings }: CheckedSummarizing): void {
  if (warned || local || summarize !== undefined || completeSettings(settings).compaction.remoteEndpoint !== undefined) return;
  warned = true;
  console.warn('threadfold: no `summarize` was given, so the local summariser serves; pass summarize: "local" to say so.');
}
