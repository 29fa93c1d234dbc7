import type { EventHandler } from "./events.js";
import { checkOptions, refuse } from "./guard.js";
import { modelsInOrder, usableWindow, type Model } from "./models.js";
import { clockBy, type Clock } from "./outside.js";
import { planNumbers, type PlanOptions } from "./plan-options.js";
import type { Fetch } from "./remote.js";
import { checkRemote, type CheckedHeaders, type RemoteOptions } from "./remote-headers.js";
import { settingsJson } from "./settings.js";
import type { Sleep } from "./sleep.js";
import type { Summarize } from "./summarizer.js";

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
  onEvent?: EventHandler | undefined;
}

const KNOWN = [
  ...["contextWindow", "fixedTokens", "settings", "summarize", "model", "models", "remote", "customInstructions"],
  ...["signal", "fetch", "now", "sleep", "onEvent"],
];

/** More would be no instructions but a text to summarise. In characters. */
const LONGEST_INSTRUCTIONS = 1_048_576;

/** Options that were checked. */
export interface CheckedCompactOptions {
  contextWindow: number | undefined;
  fixedTokens: number | undefined;
  /** As JSON. */
  settings: string | undefined;
  summarize: "local" | Summarize | undefined;
  /** The models that the callback is asked with, in order. */
  models: readonly (Model | undefined)[];
  /** The window of each, in tokens; NaN where it is unknown. */
  modelWindows: readonly number[];
  headers: CheckedHeaders;
  customInstructions: string | undefined;
  signal: AbortSignal | undefined;
  fetch: Fetch | undefined;
  now: Clock;
  sleep: Sleep | undefined;
  onEvent: EventHandler | undefined;
}

/** Checks everything but what the engine knows the rules of: the settings and the figures. */
export function checkCompactOptions(options: CompactOptions): CheckedCompactOptions {
  checkOptions("compact", options, KNOWN);
  const { model, summarize, customInstructions, signal, fetch, now = Date.now, sleep, onEvent } = options;
  if (summarize !== undefined && summarize !== "local" && typeof summarize !== "function") {
    refuse("summarize", summarize, '"local" or a function');
  }
  for (const [name, value] of Object.entries({ fetch, now, sleep, onEvent })) {
    if (value !== undefined && typeof value !== "function") refuse(name, value, "a function");
  }
  checkInstructions(customInstructions);
  if (signal !== undefined && !isSignal(signal)) refuse("signal", signal, "an AbortSignal");
  const models = modelsInOrder(model, options.models);
  const { window, fixed } = planNumbers(options);
  const contextWindow = window ?? usableWindow(model);
  return {
    contextWindow,
    fixedTokens: fixed,
    settings: settingsJson(options.settings),
    summarize,
    models,
    modelWindows: models.map((one) => (one === model ? contextWindow : usableWindow(one)) ?? NaN),
    headers: checkRemote(options.remote),
    customInstructions,
    signal,
    fetch,
    now: clockBy(now),
    sleep,
    onEvent,
  };
}

function checkInstructions(text: unknown): void {
  if (text === undefined) return;
  if (typeof text !== "string") refuse("customInstructions", text, "a string");
  if (text.length <= LONGEST_INSTRUCTIONS) return;
  refuse("customInstructions", text, `a text of up to ${LONGEST_INSTRUCTIONS} characters, and this one has ${text.length}`);
}

function isSignal(value: unknown): value is AbortSignal {
  const { aborted, addEventListener, removeEventListener } = (value ?? {}) as Partial<AbortSignal>;
  return typeof aborted === "boolean" && typeof addEventListener === "function" && typeof removeEventListener === "function";
}
