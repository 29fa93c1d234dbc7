import type { Step } from "./data.js";
import { buildContext } from "./context.js";
import { deliver, type AnyEventHandler } from "./events.js";
import { tellHost, type AgentHost, type ReportError } from "./host.js";
import type { RunHandle } from "./glue/threadfold.js";
import { ThreadfoldError } from "./error.js";
import { failureOf, messageOf } from "./failure.js";
import type { Model } from "./models.js";
import { isoTime, type Clock } from "./outside.js";
import { askRemote, type Fetch } from "./remote.js";
import type { CheckedHeaders } from "./remote-headers.js";
import { callHook, type HookContext } from "./run-hooks.js";
import { pause, type Sleep } from "./sleep.js";
import { CURRENT_LEAF, type SessionState } from "./state.js";
import type { StoreWriter } from "./store-writer.js";
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
  onEvent: AnyEventHandler | undefined;
  /** The hooks, for a run that calls them. */
  hookContext?: HookContext | undefined;
  /** The store, for a run that writes to one. */
  writer?: StoreWriter | undefined;
  /** The host's agent, for a run that tells it what to do. */
  host?: { commands: AgentHost; timeoutMs: number; report: ReportError } | undefined;
}

/** What an abort does not end: the store may have written, and the session has changed. */
const NEVER_RACED: readonly string[] = ["save", "save_notices", "replace_messages"] satisfies Step["type"][];

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
      const raced = !NEVER_RACED.includes(step.type);
      const abort = (at: string) => run.abort(at);
      // An abort may have come while the store was writing.
      const resume = raced && signal?.aborted ? abort : await carryOutStep(state, run, step, outside, (thrown) => (cause = thrown));
      const at = now();
      // An abort that came with the answer wins: nothing is saved behind the host's back.
      state.call(() => (raced && signal?.aborted ? abort(isoTime(at)) : resume(isoTime(at))));
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
async function carryOutStep(
  state: SessionState,
  run: RunHandle,
  step: Step,
  outside: Outside,
  threw: (cause: unknown) => void,
): Promise<Resume> {
  const { signal, hookContext, writer, host } = outside;
  const obeyed: Resume = (at) => run.obeyed(at);
  switch (step.type) {
    case "sleep":
      await pause(step.waitMs, outside.sleep, signal);
      return (at) => run.slept(at);
    case "fetch":
      return fetchSummary(run, step, outside, threw);
    case "summarize":
      return summarizeByCallback(run, step, outside, threw);
    case "hook":
      return hookContext === undefined ? (at) => run.hookPassed(at) : callHook(state, run, step, hookContext, signal);
    case "save":
      return save(run, writer?.commit(state.id(step.entry)), threw);
    case "save_notices": {
      const lines = step.results.flatMap((index) => {
        const line = state.call((handle) => handle.lineWithNotice(index, step.prunedAt));
        return line === undefined ? [] : [{ id: state.id(index), line }];
      });
      return save(run, writer?.replace(lines), threw);
    }
    case "abort":
      if (host?.commands.abort !== undefined) {
        const told = await tellHost(() => host.commands.abort?.(), { ...host, signal });
        if (told === "aborted") return (at) => run.abort(at);
      }
      return obeyed;
    case "replace_messages":
      if (host?.commands.replaceMessages !== undefined) {
        const { messages } = buildContext(state, CURRENT_LEAF);
        if (step.withoutLast) messages.pop();
        await tellHost(() => host.commands.replaceMessages?.(messages), { ...host, signal: undefined });
      }
      return obeyed;
  }
}

/** Waits for the store. */
async function save(run: RunHandle, written: PromiseLike<void> | undefined, threw: (cause: unknown) => void): Promise<Resume> {
  try {
    await written;
    return (at) => run.saved(at);
  } catch (cause) {
    threw(cause);
    const isConflict = ThreadfoldError.isInstance(cause) && cause.code === "conflict";
    return (at) => run.notSaved(isConflict, messageOf(cause), at);
  }
}

async function fetchSummary(
  run: RunHandle,
  step: Extract<Step, { type: "fetch" }>,
  outside: Outside,
  threw: (cause: unknown) => void,
): Promise<Resume> {
  const { url, body, timeoutMs } = step;
  const { headers, fetch, signal, now } = outside;
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

async function summarizeByCallback(
  run: RunHandle,
  step: Extract<Step, { type: "summarize" }>,
  outside: Outside,
  threw: (cause: unknown) => void,
): Promise<Resume> {
  const { signal, now, summarize, models } = outside;
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

function release(state: SessionState, run: RunHandle, onEvent: AnyEventHandler | undefined): void {
  try {
    state.call(() => run.abort(isoTime(0)));
    deliver(state, run, onEvent, 0);
  } catch {
    // The engine has stopped or the session was freed; the first error tells why.
  }
}
