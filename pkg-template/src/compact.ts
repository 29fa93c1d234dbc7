import type { EventFigures, NothingToDo, NothingToDoReason, OutcomeFigures, Status, Summarizer, SummarizeStep, Trigger } from "./data.js";
import { init } from "./engine.js";
import type { Entry } from "./entry.js";
import { ThreadfoldError } from "./error.js";
import { checkOptions, optionalNumber, refuse } from "./guard.js";
import type { RunHandle } from "./glue/threadfold.js";
import { isoTime, timeBy } from "./outside.js";
import type { PlanOptions, Session } from "./session.js";
import { settingsJson } from "./settings.js";
import { stateOf, type SessionState } from "./state.js";
import { ask, type Model, type Summarize } from "./summarizer.js";

/** Options of {@link compact}. */
export interface CompactOptions extends PlanOptions {
  /** Makes the summaries. Default: the local summariser, with a warning; ask for it by name and there is none. */
  summarize?: "local" | Summarize | undefined;
  /** The model that is summarised for; handed on to `summarize`. Its window serves where none is given. */
  model?: Model | undefined;
  /** What the summary is to look at above all; it stands in every request. */
  customInstructions?: string | undefined;
  /** Ends the run; before the result is saved, nothing has changed then. */
  signal?: AbortSignal | undefined;
  /** The time, in milliseconds since 1970. Default: `Date.now`. */
  now?: (() => number) | undefined;
  /** Told what goes on. A handler that throws is reported and passed over. */
  onEvent?: ((event: CompactionEvent) => void) | undefined;
}

/** How a run ended. */
export interface CompactionOutcome {
  status: Status;
  /** Why there was nothing to do. */
  reason?: NothingToDoReason;
  /** The same with its figures. */
  nothingToDo?: NothingToDo;
  /** Why it failed; its `cause` is what the summariser threw, if it did. */
  error?: ThreadfoldError;
  /** The entry of the compaction. */
  entry?: Entry;
  /** The context size before, in tokens. */
  tokensBefore: number;
  /** The context size after, in tokens. */
  tokensAfter?: number;
  /** Whether the context is smaller by a tenth or fits the threshold, by the estimate on both sides. */
  progress?: "sufficient" | "insufficient";
  /** The figures behind `progress`, in tokens, and the entries in the way where it did not help. */
  progressFigures?: { estimateBefore: number; estimateAfter: number; entryIdsInTheWay: string[] };
  /** Who made the summary. */
  summarizer?: Summarizer;
  /** What was odd about an accepted reply. */
  warnings: OutcomeFigures["warnings"];
}

/** What a run tells the screen. Sizes are in tokens. */
export type CompactionEvent =
  | Extract<EventFigures, { type: "compaction_progress" | "compaction_end" }>
  | { type: "session_compact"; compactionEntry: Entry; fromExtension: boolean; reason: Trigger };

const KNOWN = ["contextWindow", "fixedTokens", "settings", "summarize", "model", "customInstructions", "signal", "now", "onEvent"];

/**
 * Folds a session: rewrites its earlier history into a summary and keeps the recent part verbatim.
 * The promise resolves however the run ends; it rejects only for wrong use.
 */
export async function compact(session: Session, options: CompactOptions = {}): Promise<CompactionOutcome> {
  checkOptions("compact", options, KNOWN);
  await init();
  const state = stateOf(session);
  const { summarize, signal, onEvent, model, customInstructions, now = Date.now } = options;
  if (summarize !== undefined && summarize !== "local" && typeof summarize !== "function") {
    refuse("summarize", summarize, '"local" or a function');
  }
  if (onEvent !== undefined && typeof onEvent !== "function") refuse("onEvent", onEvent, "a function");
  if (typeof now !== "function") refuse("now", now, "a function");
  if (customInstructions !== undefined && typeof customInstructions !== "string") {
    refuse("customInstructions", customInstructions, "a string");
  }
  if (signal !== undefined && typeof signal?.addEventListener !== "function") refuse("signal", signal, "an AbortSignal");
  if (summarize === undefined) warnOfLocal();
  const abortedBefore = signal?.aborted === true;
  // The local summariser serves a run as it starts, which one that is aborted before must not be.
  const local = typeof summarize !== "function" && !abortedBefore;
  const window = optionalNumber("contextWindow", options.contextWindow) ?? usableWindow(model?.contextWindow);
  const fixed = optionalNumber("fixedTokens", options.fixedTokens);
  const settings = settingsJson(options.settings);
  const start = timeBy(now);
  const run = state.call((handle) => handle.startCompaction(window, fixed, settings, customInstructions, local, start));
  const tell = () => deliver(state, run, onEvent);
  let ended = false;
  let cause: unknown;
  try {
    tell();
    if (abortedBefore) {
      state.call(() => run.abort(start));
      tell();
    } else if (typeof summarize === "function") {
      for (let step = nextRequest(state, run); step !== undefined; step = nextRequest(state, run)) {
        const { request, attempt, timeoutMs } = step;
        const answer = await ask(summarize, request, { model, attempt, timeoutMs, signal });
        cause = answer.type === "failed" ? answer.cause : undefined;
        const at = timeBy(now);
        state.call(() => {
          if (answer.type === "replied" && signal?.aborted !== true) {
            run.replied(answer.text, answer.stopReason, answer.errorMessage, at);
          } else if (answer.type === "failed" && signal?.aborted !== true) {
            run.failed(answer.message, at);
          } else {
            run.abort(at);
          }
        });
        tell();
      }
    }
    ended = true;
    return outcomeOf(state, state.call(() => run.outcome()) as OutcomeFigures, cause);
  } finally {
    // However this ends, the session is free again.
    if (!ended) release(run, tell);
    run.free();
  }
}

function nextRequest(state: SessionState, run: RunHandle): SummarizeStep | undefined {
  return state.call(() => run.request()) as SummarizeStep | undefined;
}

function release(run: RunHandle, tell: () => void): void {
  try {
    run.abort(isoTime(0));
    tell();
  } catch {
    // The engine has stopped or the session was freed; the first error tells why.
  }
}

function deliver(state: SessionState, run: RunHandle, onEvent: CompactOptions["onEvent"]): void {
  const events = state.call(() => run.events()) as EventFigures[];
  if (onEvent === undefined) return;
  for (const event of events) {
    try {
      // A handler may well be an async function.
      Promise.resolve<unknown>(onEvent(nameEntry(state, event))).catch(reportHandler);
    } catch (error) {
      reportHandler(error);
    }
  }
}

function reportHandler(error: unknown): void {
  console.error("threadfold: a handler of events threw and was passed over:", error);
}

function nameEntry(state: SessionState, event: EventFigures): CompactionEvent {
  if (event.type !== "session_compact") return event;
  const { entry, fromExtension, reason } = event;
  return { type: "session_compact", compactionEntry: state.entry(entry), fromExtension, reason };
}

/** The outcome; `cause` is what the summariser threw at last, if it did. */
function outcomeOf(state: SessionState, figures: OutcomeFigures, cause: unknown): CompactionOutcome {
  const { nothingToDo, error, entry, progress, ...rest } = figures;
  return {
    ...rest,
    ...(nothingToDo === undefined ? {} : { reason: nothingToDo.reason, nothingToDo }),
    ...(error === undefined ? {} : { error: errorOf(error, cause) }),
    ...(entry === undefined ? {} : { entry: state.entry(entry) }),
    ...(progress === undefined
      ? {}
      : {
          progress: progress.sufficient ? "sufficient" : "insufficient",
          progressFigures: {
            estimateBefore: progress.estimateBefore,
            estimateAfter: progress.estimateAfter,
            entryIdsInTheWay: state.ids(progress.entriesInTheWay),
          },
        }),
  };
}

function errorOf({ code, message }: NonNullable<OutcomeFigures["error"]>, cause: unknown): ThreadfoldError {
  const told = code === "summarizer-failed" && cause !== undefined;
  return new ThreadfoldError(code, message, told ? { cause } : undefined);
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
