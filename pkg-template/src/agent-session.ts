import { checkAgentOptions, type AgentSessionOptions } from "./agent-options.js";
import { navigateResultOf, turnResultOf, type NavigateResult, type TurnResult } from "./agent-results.js";
import type { ContextUsage, NavigationFigures, TurnFigures } from "./data.js";
import { Emitter, type Listener } from "./emitter.js";
import type { Message } from "./entry.js";
import { ThreadfoldError } from "./error.js";
import type { AgentEvent } from "./events.js";
import type { AgentHandle, RunHandle } from "./glue/threadfold.js";
import { checkOptions, giveBack, guard, refuse } from "./guard.js";
import type { HookHandlers } from "./hook-events.js";
import { noHooks } from "./hooks.js";
import { toWellFormedJson } from "./json.js";
import { lazily } from "./lazily.js";
import { usableWindow, type Model } from "./models.js";
import { compactionOutcomeOf, type CompactionOutcome } from "./outcome.js";
import { isoTime } from "./outside.js";
import { checkInstructions, checkSignal } from "./run-options.js";
import type { HookContext } from "./run-hooks.js";
import { carryOut } from "./run.js";
import type { Session } from "./session.js";
import { completeSettings, type PartialSettings } from "./settings.js";
import { stateOf, type SessionState } from "./state.js";
import { StoreWriter } from "./store-writer.js";
import { candidatesOf, checkSummarizing, warnOfLocal, type CheckedSummarizing } from "./summarizing-options.js";

/** The events with what each carries, by name. */
export type AgentEvents = { [Type in AgentEvent["type"]]: Extract<AgentEvent, { type: Type }> };

const EVENTS = [
  ...(["session_compact", "session_tree", "auto_compaction_start", "auto_compaction_end"] as const),
  ...(["compaction_progress", "compaction_end", "error"] as const),
];

/**
 * The companion of an agent loop or a chat. It watches the context of a session: prunes, folds when
 * the threshold is passed, rescues a run after an overflow, and moves through the tree with summaries of
 * the branches that are left.
 */
export class AgentSession {
  /** The session that it works on. */
  readonly session: Session;
  readonly #state: SessionState;
  readonly #handle: AgentHandle;
  readonly #hooks = noHooks();
  readonly #events = new Emitter<AgentEvents>(EVENTS);
  readonly #writer: StoreWriter | undefined;
  #options: AgentSessionOptions;
  #checked: CheckedSummarizing;
  #compaction: AbortController | undefined;
  #navigation: AbortController | undefined;
  #disposed = false;

  /** Throws `invalid-argument` or `invalid-settings`. In a browser `await init()` comes first. */
  constructor(options: AgentSessionOptions) {
    checkAgentOptions(options);
    this.session = options.session;
    this.#state = stateOf(options.session);
    this.#options = { ...options };
    this.#handle = this.#state.call((handle) => handle.agent(options.store !== undefined));
    try {
      this.#checked = this.#configure(this.#options);
    } catch (error) {
      giveBack(this.#handle);
      throw error;
    }
    const report = (error: unknown) => this.#report(error);
    this.#writer = options.store === undefined ? undefined : new StoreWriter(this.#state, options.store, report);
  }

  /** Adds a listener of an event and gives the function that removes it. */
  on<Name extends keyof AgentEvents>(event: Name, listener: Listener<AgentEvents[Name]>): () => void {
    return this.#events.on(event, listener);
  }

  /** Adds a handler of a hook and gives the function that removes it. */
  hook<Name extends keyof HookHandlers>(name: Name, handler: HookHandlers[Name]): () => void {
    return this.#hooks.add(name, handler);
  }

  /**
   * Appends a message and resolves with its id when the store has it. Where the store refuses it, it
   * is taken back and the promise rejects with `storage-failed` or `conflict`.
   */
  async append(message: Message): Promise<string> {
    this.#alive();
    const id = this.session.appendMessage(message);
    await this.#writer?.commit(id);
    return id;
  }

  /**
   * To be called when a turn has ended and its messages are appended: prunes, folds after an overflow or
   * above the threshold, and says how to go on. `assistantMessage` is checked to be the newest turn of the
   * session; `message-not-appended` where it is not.
   */
  async handleTurnEnd(assistantMessage?: Message): Promise<TurnResult> {
    this.#alive();
    if (assistantMessage !== undefined) this.#checkAppended(assistantMessage);
    const result = await this.#check((now) => this.#handle.turnEnd(now));
    this.#goOn(result);
    return result;
  }

  /**
   * To be called before a request is sent, with messages that are not appended yet: makes room for it.
   * Continues and prompts nothing.
   */
  async beforePrompt(pending: Message | readonly Message[] = []): Promise<TurnResult> {
    this.#alive();
    const list = (Array.isArray(pending) ? pending : [pending]) as readonly Message[];
    const messages = list.map((message, index) => toWellFormedJson(message, `pending[${index}]`));
    return this.#check((now) => this.#handle.beforePrompt(messages, now));
  }

  /**
   * Folds the session now; the agent's operation is stopped first. Resolves however the run ends;
   * rejects for wrong use, and as `busy` while another run is under way.
   */
  async compact(options: { customInstructions?: string | undefined; signal?: AbortSignal | undefined } = {}): Promise<CompactionOutcome> {
    this.#alive();
    checkOptions("compact", options, ["customInstructions", "signal"]);
    const { customInstructions, signal } = options;
    checkInstructions(customInstructions);
    checkSignal(signal);
    const controller = new AbortController();
    const run = (now: string) => this.#handle.compact(customInstructions, now);
    const hookContext = this.#hookContext(customInstructions, undefined);
    return this.#carryOut(run, linked(controller, signal), hookContext, compactionOutcomeOf, (running) => {
      this.#compaction = running ? controller : undefined;
    });
  }

  /**
   * Moves the leaf to an entry, with a summary of the branch that is left if `summarize` says so; left
   * out, `branchSummary.enabled` decides. Throws `unknown-entry`, and `busy` while another run is under
   * way. `customInstructions` take the place of the instructions for the summary.
   */
  async navigateTree(
    targetId: string,
    options: { summarize?: boolean | undefined; customInstructions?: string | undefined; signal?: AbortSignal | undefined } = {},
  ): Promise<NavigateResult> {
    this.#alive();
    checkOptions("navigateTree", options, ["summarize", "customInstructions", "signal"]);
    const { summarize, customInstructions, signal } = options;
    if (summarize !== undefined && typeof summarize !== "boolean") refuse("summarize", summarize, "true or false");
    checkInstructions(customInstructions);
    checkSignal(signal);
    const target = this.#state.require("navigateTree", targetId);
    const controller = new AbortController();
    const wanted = summarize ?? completeSettings(this.#checked.settings).branchSummary.enabled;
    const hookContext = this.#hookContext(customInstructions, this.#treeEvent(targetId, wanted));
    const run = (now: string) => this.#handle.navigate(target, summarize, customInstructions, now);
    const result = (state: SessionState, handle: RunHandle, cause: unknown) =>
      navigateResultOf(state, state.call(() => handle.outcome()) as NavigationFigures, cause);
    return this.#carryOut(run, linked(controller, signal), hookContext, result, (running) => {
      this.#navigation = running ? controller : undefined;
    });
  }

  /** Stops a compaction, by hand or automatic. Before it is saved, nothing has changed then. */
  abortCompaction(): void {
    this.#compaction?.abort();
  }

  /** Stops a navigation with its branch summary. Before the leaf moves, nothing has changed then. */
  abortBranchSummary(): void {
    this.#navigation?.abort();
  }

  /** Whether a compaction, or a check that may start one, is under way. */
  get isCompacting(): boolean {
    return this.#compaction !== undefined;
  }

  /** How large the context is. */
  contextUsage(): ContextUsage {
    const { model, fixedTokens, settings } = this.#options;
    const contextWindow = usableWindow(model);
    return this.session.contextUsage({ contextWindow, fixedTokens, settings });
  }

  /** Sets the model from the next run on. */
  setModel(model: Model | undefined): void {
    this.#change({ ...this.#options, model });
  }

  /** Sets the settings from the next run on. Throws `invalid-settings`; nothing has changed then. */
  setSettings(settings: PartialSettings | undefined): void {
    this.#change({ ...this.#options, settings });
  }

  /** Resolves when the store has everything that is appended until now. */
  async flush(): Promise<void> {
    await this.#writer?.flush();
  }

  /** Stops what is under way, hears of no entry any more, and gives the memory back. The session stays. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.abortCompaction();
    this.abortBranchSummary();
    this.#writer?.dispose();
    giveBack(this.#handle);
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  #alive(): void {
    if (this.#disposed) throw new ThreadfoldError("invalid-argument", "agent: it was disposed of; make another AgentSession to go on");
  }

  #change(options: AgentSessionOptions): void {
    this.#alive();
    this.#checked = this.#configure(options);
    this.#options = options;
  }

  #configure(options: AgentSessionOptions): CheckedSummarizing {
    const contextWindow = usableWindow(options.model);
    const checked = checkSummarizing(options, contextWindow);
    const [windows, local] = candidatesOf(checked);
    const { model, fixedTokens } = options;
    guard(() => this.#handle.configure(contextWindow, fixedTokens, checked.settings, model?.provider, model?.id, windows, local));
    return checked;
  }

  /** Runs a check, which an abort of compactions ends too. */
  async #check(start: (now: string) => RunHandle): Promise<TurnResult> {
    const controller = new AbortController();
    const mine = this.#compaction === undefined;
    const link = { signal: controller.signal, unlink: () => undefined };
    const contextUsage = () => this.contextUsage();
    const continuePrompt = guard((glue) => glue.continuePrompt());
    const result = (state: SessionState, handle: RunHandle, cause: unknown) => {
      const figures = state.call(() => handle.outcome()) as TurnFigures;
      return turnResultOf(state, figures, { continuePrompt, contextUsage: contextUsage(), cause });
    };
    return this.#carryOut(start, link, this.#hookContext(undefined, undefined), result, (running) => {
      // A check that finds another run under way is over at once.
      if (mine) this.#compaction = running ? controller : undefined;
    });
  }

  /** Carries a run out; `under` hears when it is under way and when it is not any more. */
  async #carryOut<Result>(
    start: (now: string) => RunHandle,
    link: Link,
    hookContext: HookContext,
    result: (state: SessionState, run: RunHandle, cause: unknown) => Result,
    under: (running: boolean) => void,
  ): Promise<Result> {
    const [state, checked] = [this.#state, this.#checked];
    try {
      const started = checked.now();
      const run = state.call(() => start(isoTime(started)));
      under(true);
      try {
        warnOfLocal(checked);
        const timeoutMs = completeSettings(checked.settings).requestTimeoutMs;
        const { cause } = await carryOut(state, run, started, {
          ...checked,
          signal: link.signal,
          onEvent: (event: AgentEvent) => this.#emit(event),
          hookContext,
          writer: this.#writer,
          host: { commands: this.#options.host ?? {}, timeoutMs, report: (error) => this.#report(error) },
        });
        return result(state, run, cause);
      } finally {
        under(false);
        giveBack(run);
      }
    } finally {
      link.unlink();
    }
  }

  #hookContext(customInstructions: string | undefined, tree: HookContext["tree"]): HookContext {
    const { settings } = this.#checked;
    return { hooks: this.#hooks, sessionId: this.session.header?.id, settings, customInstructions, tree };
  }

  #treeEvent(targetId: string, summarize: boolean): NonNullable<HookContext["tree"]> {
    const { session } = this;
    const oldLeafId = session.leafId;
    const collected = lazily(() => session.collectEntriesForBranchSummary(oldLeafId, targetId));
    return {
      targetId,
      oldLeafId,
      summarize,
      get commonAncestorId() {
        return collected().commonAncestorId;
      },
      get entries() {
        return collected().entries;
      },
    };
  }

  /** The newest assistant turn must be this message: the host appends first. */
  #checkAppended(message: Message): void {
    const index = this.#state.call((handle) => handle.newestAssistant());
    if (index >= 0) {
      const newest = this.#state.message(index);
      if (newest === message || JSON.stringify(newest) === toWellFormedJson(message, "assistantMessage")) return;
    }
    throw new ThreadfoldError(
      "message-not-appended",
      "handleTurnEnd: the message is not the newest assistant message of the session; append it first with agent.append(message)",
    );
  }

  /** Tells the host how to go on; it is not waited for. */
  #goOn({ next }: TurnResult): void {
    const { host } = this.#options;
    const tell = (call: () => unknown) => {
      Promise.resolve()
        .then(call)
        .catch((error: unknown) => this.#report(error));
    };
    if (next.type === "continue" && host?.continue !== undefined) tell(() => host.continue?.());
    if (next.type === "prompt" && host?.prompt !== undefined) tell(() => host.prompt?.(next.text, { synthetic: true }));
  }

  #emit(event: AgentEvent): void {
    this.#events.emit(event.type, event as never);
  }

  #report(error: unknown): void {
    this.#emit({ type: "error", error });
  }
}

/** A controller that a signal of the caller's aborts too, and how to let go of that signal. */
interface Link {
  signal: AbortSignal;
  unlink: () => void;
}

function linked(controller: AbortController, signal: AbortSignal | undefined): Link {
  const abort = () => controller.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort, { once: true });
  return { signal: controller.signal, unlink: () => signal?.removeEventListener("abort", abort) };
}
