import { buildContext } from "./context.js";
import type { Step } from "./data.js";
import { ThreadfoldError } from "./error.js";
import type { AnyEventHandler } from "./events.js";
import { failureOf, messageOf } from "./failure.js";
import type { RunHandle } from "./glue/threadfold.js";
import { tellHost, type AgentHost, type ReportError } from "./host.js";
import type { Model } from "./models.js";
import type { Clock } from "./outside.js";
import { askRemote, type Fetch } from "./remote.js";
import type { CheckedHeaders } from "./remote-headers.js";
import { callHook, type HookContext, type Resume } from "./run-hooks.js";
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
  /** Told that the run has ended, before its last events are. */
  onEnd?: (() => void) | undefined;
  /** The hooks, for a run that calls them. */
  hookContext?: HookContext | undefined;
  /** The store, for a run that writes to one. */
  writer?: StoreWriter | undefined;
  /** The host's agent, for a run that tells it what to do. */
  host?: { commands: AgentHost; timeoutMs: number; report: ReportError } | undefined;
}

/** Carries out one step. `threw` learns what the summariser threw, or that it did not. */
export async function carryOutStep(
  state: SessionState,
  run: RunHandle,
  step: Step,
  outside: Outside,
  threw: (cause: unknown) => void,
): Promise<Resume> {
  const { signal, hookContext, writer, host } = outside;
  // An abort that came while the store wrote or the host took over is heard now: what was done stays, and
  // nothing goes on by itself. The host is always told of what was stored.
  const obeyed: Resume = (at) => (signal?.aborted ? run.abort(at) : run.obeyed(at));
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
      if (host?.commands.abort !== undefined) await tellHost(() => host.commands.abort?.(), { ...host, signal });
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
