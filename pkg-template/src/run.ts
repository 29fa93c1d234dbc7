import type { Step } from "./data.js";
import { deliver } from "./events.js";
import type { RunHandle } from "./glue/threadfold.js";
import { isoTime } from "./outside.js";
import type { Resume } from "./run-hooks.js";
import { carryOutStep, type Outside } from "./run-steps.js";
import type { SessionState } from "./state.js";

/** What an abort does not end: the store may have written, and the session has changed. */
const NEVER_RACED: readonly string[] = ["save", "save_notices", "replace_messages"] satisfies Step["type"][];

/** What the world outside knows of a run that has ended. */
export interface RunEnd {
  /** What was thrown by the summariser that was asked last, if it threw. */
  cause: unknown;
  /** Whether the host was to leave out the last message, by what it was told last. */
  withoutLast: boolean;
}

/** Carries out the steps of a run, started at that time, until it has ended. */
export async function carryOut(state: SessionState, run: RunHandle, started: number, outside: Outside): Promise<RunEnd> {
  const { signal, now } = outside;
  const abort: Resume = (at) => run.abort(at);
  let ended = false;
  let cause: unknown;
  let withoutLast = false;
  try {
    let step = nextStep(state, run);
    if (!signal?.aborted) {
      tell(state, run, step, outside, started);
    } else {
      // What has been noted tells of a request that is never made, but for a run that has ended.
      if (step !== null) state.call(() => run.events());
      step = resume(state, run, abort, outside, now());
    }
    while (step !== null) {
      if (step.type === "replace_messages") ({ withoutLast } = step);
      const raced = !NEVER_RACED.includes(step.type);
      // An abort may have come while the store was writing.
      const answer = raced && signal?.aborted ? abort : await carryOutStep(state, run, step, outside, (thrown) => (cause = thrown));
      // An abort that came with the answer wins: nothing is saved behind the host's back.
      step = resume(state, run, raced && signal?.aborted ? abort : answer, outside, now());
    }
    ended = true;
    return { cause, withoutLast };
  } finally {
    // However this ends, the session is free again.
    if (!ended) release(state, run, outside);
  }
}

/** Tells the run an answer, and what came of it; gives the next step, null where the run has ended. */
function resume(state: SessionState, run: RunHandle, answer: Resume, outside: Outside, at: number): Step | null {
  state.call(() => answer(isoTime(at)));
  const step = nextStep(state, run);
  tell(state, run, step, outside, at);
  return step;
}

function tell(state: SessionState, run: RunHandle, step: Step | null, { onEnd, onEvent }: Outside, at: number): void {
  if (step === null) onEnd?.();
  // An entry that is being saved may yet be taken back.
  if (step?.type !== "save") state.tellAppended();
  deliver(state, run, onEvent, at);
}

function nextStep(state: SessionState, run: RunHandle): Step | null {
  return state.call(() => run.step()) as Step | null;
}

/** Ends a run that cannot go on: what it has committed is seen to its end, with nobody told but the listeners. */
function release(state: SessionState, run: RunHandle, outside: Outside): void {
  try {
    let step = nextStep(state, run);
    while (step !== null) step = resume(state, run, (at) => run.abort(at), outside, 0);
  } catch {
    // The engine has stopped or the session was freed; the first error tells why.
  }
}
