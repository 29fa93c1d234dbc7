import type { EventFigures, Trigger } from "./data.js";
import type { Emitter } from "./emitter.js";
import type { CompactionResult, Entry } from "./entry.js";
import type { RunHandle } from "./glue/threadfold.js";
import { reportHandler } from "./handlers.js";
import type { SessionState } from "./state.js";

type Figures<Type extends EventFigures["type"]> = Extract<EventFigures, { type: Type }>;

/** What a compaction tells the screen. Sizes are in tokens. */
export type CompactionEvent =
  | (Omit<Figures<"compaction_progress">, "waitMs"> & {
      /** Until when it is waited before the request is sent, in milliseconds since 1970. */
      waitingUntil?: number;
    })
  | Figures<"compaction_end">
  | { type: "session_compact"; compactionEntry: Entry; fromExtension: boolean; reason: Trigger };

/** What an agent's companion tells the screen beside that. */
export type AgentEvent =
  | CompactionEvent
  | Figures<"auto_compaction_start">
  | (Omit<Figures<"auto_compaction_end">, "entry"> & {
      /** The compaction, where it is committed. */
      result?: CompactionResult;
    })
  | {
      type: "session_tree";
      /** The leaf now, which is the summary where there is one; null before the first entry. */
      newLeafId: string | null;
      oldLeafId: string | null;
      summaryEntry?: Entry;
      /** There where a hook made the summary. */
      fromExtension?: true;
    }
  | {
      type: "error";
      /** What the host or the store threw. */
      error: unknown;
    };

/** The events with what each carries, by name. */
export type AgentEvents = { [Type in AgentEvent["type"]]: Extract<AgentEvent, { type: Type }> };

const NAMES: Record<AgentEvent["type"], true> = {
  session_compact: true,
  session_tree: true,
  auto_compaction_start: true,
  auto_compaction_end: true,
  compaction_progress: true,
  compaction_end: true,
  error: true,
};

/** The names of the events. */
export const AGENT_EVENTS = Object.keys(NAMES) as readonly AgentEvent["type"][];

/** Reports what the host or the store of an agent threw: nothing is lost where nobody listens. */
export function reportTo(events: Emitter<AgentEvents>): (error: unknown) => void {
  return (error) => {
    if (events.has("error")) events.emit("error", { type: "error", error });
    else console.error("threadfold: an error of the host or the store, and nobody listens to the event `error`:", error);
  };
}

/** Told what goes on. */
export type EventHandler = (event: CompactionEvent) => void;

/** Told what goes on in a run of any kind. One for compactions may stand for it where no other events come. */
export type AnyEventHandler = (event: never) => void;

/**
 * Hands the events since the last time to the handler. One that throws is reported and passed over.
 * `at` is the time of the events, in milliseconds since 1970.
 */
export function deliver(state: SessionState, run: RunHandle, onEvent: AnyEventHandler | undefined, at: number): void {
  const events = state.call(() => run.events()) as EventFigures[];
  for (const figures of events) {
    if (figures.type === "rewritten") {
      for (const index of figures.results) state.forget(index);
      continue;
    }
    if (onEvent === undefined) continue;
    try {
      // A handler may well be an async function.
      const told: unknown = onEvent(eventOf(state, figures, at) as never);
      Promise.resolve(told).catch((error: unknown) => reportHandler("events", error));
    } catch (error) {
      reportHandler("events", error);
    }
  }
}

function eventOf(state: SessionState, event: Exclude<EventFigures, { type: "rewritten" }>, at: number): AgentEvent {
  switch (event.type) {
    case "session_compact": {
      const { type, entry, fromExtension, reason } = event;
      return { type, compactionEntry: state.entry(entry), fromExtension, reason };
    }
    case "compaction_progress": {
      const { waitMs, ...progress } = event;
      return waitMs === undefined ? progress : { ...progress, waitingUntil: at + waitMs };
    }
    case "auto_compaction_end": {
      const { entry, ...end } = event;
      return entry === undefined ? end : { ...end, result: resultOf(state.entry(entry)) };
    }
    case "session_tree": {
      const id = (index: number | undefined) => (index === undefined ? null : state.id(index));
      return {
        type: "session_tree",
        newLeafId: id(event.newLeaf),
        oldLeafId: id(event.oldLeaf),
        ...(event.summaryEntry === undefined ? {} : { summaryEntry: state.entry(event.summaryEntry) }),
        ...(event.fromExtension ? { fromExtension: true as const } : {}),
      };
    }
    case "compaction_end":
    case "auto_compaction_start":
      return event;
  }
}

/** What a compaction entry stores, without its place in the tree. */
function resultOf(entry: Entry): CompactionResult {
  const { summary, shortSummary, firstKeptEntryId, tokensBefore, details, preserveData } = entry as Extract<Entry, { type: "compaction" }>;
  return {
    summary,
    firstKeptEntryId,
    tokensBefore,
    ...(shortSummary === undefined ? {} : { shortSummary }),
    ...(details === undefined ? {} : { details }),
    ...(preserveData === undefined ? {} : { preserveData }),
  };
}
