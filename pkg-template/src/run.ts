import type { Step } from "./data.js";
import { deliver, type EventHandler } from "./events.js";
import type { RunHandle } from "./glue/threadfold.js";
import { ThreadfoldError } from "./error.js";
import { failureOf } from "./failure.js";
import type { Model } from "./models.js";
import { isoTime, type Clock } from "./outside.js";
import { askRemote, type Fetch } from "./remote.js";
import type { CheckedHeaders } from "./remote-headers.js";
import { pause, type Sleep } from "./sleep.js";
import type { SessionState } from "./state.js";
import { ask, type Summarize } from "./summarizer.js";

/** What a run reaches of the world outside. */
export interface Outside {
  summarize: Summarize | undefined;
  /** The models that the callback may use, in order. */
  models: readonly (Model | undefined)[];
  headers: CheckedHeaders;
  fetch: Fetch | undefined;
  signal: AbortSignal | undefined;
  now: Clock;
  sleep: Sleep | undefined;
  onEvent: EventHandler | undefined;
}

/**
 * Carries out the steps of a run, started at that time, until it has ended. Gives what was thrown by the summariser that
 * was asked last, if it threw: in an object, since a promise would await what has a `then`.
 */
export async function carryOut(state: SessionState, run: RunHandle, started: number, outside: Outside): Promise<{ cause: unknown }> {
  const { signal, now, onEvent } = outside;
  let ended = false;
  let cause: unknown;
  try {
    if (!signal?.aborted) {
      deliver(state, run, onEvent, started);
    } else {
      // What has been noted tells of a request that is never made, but for a run that has ended.
      if (nextStep(state, run) !== null) state.call(() => run.events());
      const at = now();
      state.call(() => run.abort(isoTime(at)));
      deliver(state, run, onEvent, at);
    }
    for (let step = nextStep(state, run); step !== null; step = nextStep(state, run)) {
      const resume = await carryOutStep(run, step, outside, (thrown) => (cause = thrown));
      const at = now();
      // An abort that came with the answer wins: nothing is saved behind the host's back.
      state.call(() => (signal?.aborted ? run.abort(isoTime(at)) : resume(isoTime(at))));
      deliver(state, run, onEvent, at);
    }
    ended = true;
    return { cause };
  } finally {
    // However this ends, the session is free again.
    if (!ended) release(state, run, onEvent);
  }
}

/** What the run is told at the time that is given. */
type Resume = (at: string) => void;

/** Carries out one step. `threw` learns what the summariser threw, or that it did not. */
async function carryOutStep(run: RunHandle, step: Step, outside: Outside, threw: (cause: unknown) => void): Promise<Resume> {
  const { signal, now, summarize, models } = outside;
  if (step.type === "sleep") {
    await pause(step.waitMs, outside.sleep, signal);
    return (at) => run.slept(at);
  }
  if (step.type === "fetch") {
    const { url, body, timeoutMs } = step;
    const { headers, fetch } = outside;
    const answer = await askRemote(url, body, { headers, fetch, timeoutMs, signal, now });
    threw(answer.type === "failed" ? answer.cause : undefined);
    if (answer.type === "responded") {
      const { status, retryAfterMs, truncated } = answer;
      return (at) => run.responded(status, retryAfterMs, answer.body, truncated, at);
    }
    if (answer.type === "aborted") return (at) => run.abort(at);
    // A `fetch` of the host may throw where the status is none of 2xx.
    const { status, retryAfterMs } = failureOf(answer.cause, now());
    return (at) => run.failed(answer.message, status, retryAfterMs, answer.type === "timed-out", at);
  }
  const { request, attempt, timeoutMs } = step;
  if (summarize === undefined) throw new ThreadfoldError("internal", "a callback was asked for that there is not");
  const answer = await ask(summarize, request, { model: models[step.model], attempt, timeoutMs, signal });
  threw(answer.type === "failed" ? answer.cause : undefined);
  if (answer.type === "replied") {
    const { text, stopReason, errorMessage } = answer;
    return (at) => run.replied(text, stopReason, errorMessage, at);
  }
  if (answer.type === "aborted") return (at) => run.abort(at);
  const { status, retryAfterMs } = failureOf(answer.cause, now());
  return (at) => run.failed(answer.message, status, retryAfterMs, answer.lasting === true, at);
}

function nextStep(state: SessionState, run: RunHandle): Step | null {
  return state.call(() => run.step()) as Step | null;
}

function release(state: SessionState, run: RunHandle, onEvent: EventHandler | undefined): void {
  try {
    state.call(() => run.abort(isoTime(0)));
    deliver(state, run, onEvent, 0);
  } catch {
    // The engine has stopped or the session was freed; the first error tells why.
  }
}
