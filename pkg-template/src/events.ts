import type { EventFigures, Trigger } from "./data.js";
import type { Entry } from "./entry.js";
import type { RunHandle } from "./glue/threadfold.js";
import type { SessionState } from "./state.js";

/** What a run tells the screen. Sizes are in tokens. */
export type CompactionEvent =
  | (Omit<Extract<EventFigures, { type: "compaction_progress" }>, "waitMs"> & {
      /** Until when it is waited before the request is sent, in milliseconds since 1970. */
      waitingUntil?: number;
    })
  | Extract<EventFigures, { type: "compaction_end" }>
  | { type: "session_compact"; compactionEntry: Entry; fromExtension: boolean; reason: Trigger };

/** Told what goes on. */
export type EventHandler = (event: CompactionEvent) => void;

/**
 * Hands the events since the last time to the handler. One that throws is reported and passed over.
 * `at` is the time of the events, in milliseconds since 1970.
 */
export function deliver(state: SessionState, run: RunHandle, onEvent: EventHandler | undefined, at: number): void {
  const events = state.call(() => run.events()) as EventFigures[];
  if (onEvent === undefined) return;
  for (const event of events) {
    try {
      // A handler may well be an async function.
      Promise.resolve<unknown>(onEvent(eventOf(state, event, at))).catch(reportHandler);
    } catch (error) {
      reportHandler(error);
    }
  }
}

function reportHandler(error: unknown): void {
  console.error("threadfold: a handler of events threw and was passed over:", error);
}

function eventOf(state: SessionState, event: EventFigures, at: number): CompactionEvent {
  if (event.type === "session_compact") {
    const { type, entry, fromExtension, reason } = event;
    return { type, compactionEntry: state.entry(entry), fromExtension, reason };
  }
  if (event.type === "compaction_end") return event;
  const { waitMs, ...progress } = event;
  return waitMs === undefined ? progress : { ...progress, waitingUntil: at + waitMs };
}
