import type { AgentEvent } from "./events.js";
import type { RunHandle } from "./glue/threadfold.js";
import { giveBack } from "./guard.js";
import type { Hooks } from "./hooks.js";
import type { AgentHost, ReportError } from "./host.js";
import { isoTime } from "./outside.js";
import type { HookContext } from "./run-hooks.js";
import { carryOut, type RunEnd } from "./run.js";
import type { Session } from "./session.js";
import { completeSettings } from "./settings.js";
import { stateOf, type SessionState } from "./state.js";
import type { StoreWriter } from "./store-writer.js";
import { warningOfLocal, type CheckedSummarizing } from "./summarizing-options.js";

/** What a run of an agent is about: checks compact. */
export type RunKind = "compaction" | "navigation";

/** One run of an agent. */
export interface AgentRun<Result> {
  kind: RunKind;
  start: (now: string) => RunHandle;
  /** A signal of the caller's, which ends it too. */
  signal?: AbortSignal | undefined;
  customInstructions?: string | undefined;
  /** For a navigation: where to. */
  tree?: HookContext["tree"];
  result: (state: SessionState, run: RunHandle, ended: RunEnd) => Result;
}

/** What surrounds the runs of an agent. */
export interface AgentSurroundings {
  session: Session;
  hooks: Hooks;
  host: AgentHost;
  writer: StoreWriter | undefined;
  emit: (event: AgentEvent) => void;
  report: ReportError;
}

/** The runs of an agent. One at a time is under way: the lock lies on the session. */
export class AgentRuns {
  readonly #surroundings: AgentSurroundings;
  #underWay: { kind: RunKind; controller: AbortController } | undefined;

  constructor(surroundings: AgentSurroundings) {
    this.#surroundings = surroundings;
  }

  /** Whether a run of one of these kinds is under way. */
  isUnderWay(...kinds: RunKind[]): boolean {
    return this.#underWay !== undefined && kinds.includes(this.#underWay.kind);
  }

  /** Aborts the run that is under way, if it is of one of these kinds. */
  abort(...kinds: RunKind[]): void {
    if (this.isUnderWay(...kinds)) this.#underWay?.controller.abort();
  }

  /** Carries a run out. Throws `busy` where another one holds the session, unless it is a check. */
  async carryOut<Result>(run: AgentRun<Result>, checked: CheckedSummarizing): Promise<Result> {
    const { kind, start, customInstructions, tree, result } = run;
    const { session, hooks, host, writer, emit, report } = this.#surroundings;
    const { settings } = checked;
    const state = stateOf(session);
    const hookContext = { hooks, sessionId: session.header?.id, settings, customInstructions, tree };
    const told = { commands: host, timeoutMs: completeSettings(settings).requestTimeoutMs, report };
    const own = { kind, controller: new AbortController() };
    const { signal } = own.controller;
    const onEnd = () => {
      if (this.#underWay === own) this.#underWay = undefined;
    };
    const unlink = follow(own.controller, run.signal);
    try {
      const started = checked.now();
      const handle = state.call(() => start(isoTime(started)));
      // A check that finds another run under way is over at once.
      this.#underWay ??= own;
      try {
        const outside = { ...checked, signal, onEvent: warningOfLocal(checked, emit), onEnd, hookContext, writer, host: told };
        return result(state, handle, await carryOut(state, handle, started, outside));
      } finally {
        onEnd();
        giveBack(handle);
      }
    } finally {
      unlink();
    }
  }
}

/** Lets a signal abort a controller too; gives what ends that. */
function follow(controller: AbortController, signal: AbortSignal | undefined): () => void {
  const abort = () => controller.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort, { once: true });
  return () => signal?.removeEventListener("abort", abort);
}
