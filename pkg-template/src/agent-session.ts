import { checkAgentOptions, configure, open, type AgentSessionOptions } from "./agent-options.js";
import { navigateResultOf, turnResultOf, type NavigateResult, type TurnResult } from "./agent-results.js";
import { AgentRuns } from "./agent-runs.js";
import type { ContextUsage } from "./data.js";
import { Emitter, type Listener } from "./emitter.js";
import type { Message } from "./entry.js";
import { ThreadfoldError } from "./error.js";
import { AGENT_EVENTS, reportTo, type AgentEvent, type AgentEvents } from "./events.js";
import type { AgentHandle, RunHandle } from "./glue/threadfold.js";
import { checkOptions, giveBack } from "./guard.js";
import type { HookHandlers } from "./hook-events.js";
import { noHooks } from "./hooks.js";
import { goOn } from "./host.js";
import { usableWindow, type Model } from "./models.js";
import { checkNavigateOptions, treeEvent, type NavigateOptions } from "./navigating.js";
import { checkNewestTurn } from "./newest-turn.js";
import { compactionOutcomeOf, type CompactionOutcome } from "./outcome.js";
import { pendingMessages } from "./planning.js";
import { checkInstructedRun, type InstructedRun } from "./run-options.js";
import type { RunEnd } from "./run.js";
import type { Session } from "./session.js";
import type { PartialSettings } from "./settings.js";
import { stateOf, type SessionState } from "./state.js";
import { StoreWriter } from "./store-writer.js";
import type { CheckedSummarizing } from "./summarizing-options.js";

/**
 * The companion of an agent loop or a chat. It watches the context of a session: prunes, folds when
 * the threshold is passed, rescues a run after an overflow, and moves through the tree with summaries of
 * the branches that are left.
 */
export class AgentSession {
  /** The session that it works on. */
  readonly session: Session;
  readonly #handle: AgentHandle;
  readonly #hooks = noHooks();
  readonly #events = new Emitter<AgentEvents>(AGENT_EVENTS);
  readonly #report = reportTo(this.#events);
  readonly #writer: StoreWriter | undefined;
  readonly #runs: AgentRuns;
  #options: AgentSessionOptions;
  #checked: CheckedSummarizing;
  #disposed = false;

  /** Throws `invalid-argument` or `invalid-settings`. In a browser `await init()` comes first. */
  constructor(options: AgentSessionOptions) {
    checkAgentOptions(options);
    const { session, store, host = {} } = options;
    const state = stateOf(session);
    this.session = session;
    this.#options = { ...options };
    [this.#handle, this.#checked] = open(state, this.#options);
    const emit = (event: AgentEvent) => this.#events.emit(event.type, event as never);
    this.#writer = store === undefined ? undefined : new StoreWriter(state, store, this.#report);
    this.#runs = new AgentRuns({ session, hooks: this.#hooks, host, writer: this.#writer, emit, report: this.#report });
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
    this.#checkLife();
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
    this.#checkLife();
    if (assistantMessage !== undefined) checkNewestTurn(stateOf(this.session), assistantMessage);
    const result = await this.#check((now) => this.#handle.turnEnd(now));
    // A listener of the last event may have disposed of it, or have started a run, which is not to be disturbed.
    const mayGoOn = () => !this.#disposed && !this.#runs.isUnderWay("compaction", "navigation");
    goOn(this.#options.host ?? {}, result.next, mayGoOn, this.#report);
    return result;
  }

  /**
   * To be called before a request is sent, with messages that are not appended yet: makes room for it.
   * Continues and prompts nothing.
   */
  async beforePrompt(pending: Message | readonly Message[] = []): Promise<TurnResult> {
    this.#checkLife();
    const messages = pendingMessages(pending);
    return this.#check((now) => this.#handle.beforePrompt(messages, now), pending);
  }

  /**
   * Folds the session now; the agent's operation is stopped first. Resolves however the run ends;
   * rejects for wrong use, and as `busy` while another run is under way.
   */
  async compact(options: InstructedRun = {}): Promise<CompactionOutcome> {
    this.#checkLife();
    checkOptions("compact", options, ["customInstructions", "signal"]);
    checkInstructedRun(options);
    const { customInstructions, signal } = options;
    const start = (now: string) => this.#handle.compact(customInstructions, now);
    return this.#runs.carryOut({ kind: "compaction", start, signal, customInstructions, result: compactionOutcomeOf }, this.#checked);
  }

  /**
   * Moves the leaf to an entry, with a summary of the branch that is left if `summarize` says so; left
   * out, `branchSummary.enabled` decides. Throws `unknown-entry`, and `busy` while another run is under
   * way. `customInstructions` take the place of the instructions for the summary.
   */
  async navigateTree(targetId: string, options: NavigateOptions = {}): Promise<NavigateResult> {
    this.#checkLife();
    checkNavigateOptions(options);
    const { summarize, customInstructions, signal } = options;
    const target = stateOf(this.session).require("navigateTree", targetId);
    const start = (now: string) => this.#handle.navigate(target, summarize, customInstructions, now);
    const tree = treeEvent(this.session, targetId, summarize, this.#checked.settings);
    return this.#runs.carryOut({ kind: "navigation", start, signal, customInstructions, tree, result: navigateResultOf }, this.#checked);
  }

  /** Stops a compaction, by hand or automatic. Before it is saved, nothing has changed then. */
  abortCompaction(): void {
    this.#runs.abort("compaction");
  }

  /** Stops a navigation with its branch summary. Before the leaf moves, nothing has changed then. */
  abortBranchSummary(): void {
    this.#runs.abort("navigation");
  }

  /** Whether a compaction, or a check that may start one, is under way. */
  get isCompacting(): boolean {
    return this.#runs.isUnderWay("compaction");
  }

  /** How large the context is. */
  contextUsage(): ContextUsage {
    return this.#contextUsage([]);
  }

  #contextUsage(pending: Message | readonly Message[]): ContextUsage {
    const { model, fixedTokens, settings } = this.#options;
    return this.session.contextUsage({ contextWindow: usableWindow(model), fixedTokens, settings, pending });
  }

  /** Sets the model from the next run on. Throws `invalid-argument`; nothing has changed then. */
  setModel(model: Model | undefined): void {
    this.#change({ ...this.#options, model });
  }

  /** Sets the settings from the next run on. Throws `invalid-settings`; nothing has changed then. */
  setSettings(settings: PartialSettings | undefined): void {
    this.#change({ ...this.#options, settings });
  }

  /** Resolves when the store has everything that is appended until now. */
  async flush(): Promise<void> {
    this.#checkLife();
    await this.#writer?.flush();
  }

  /**
   * Stops what is under way, hears of no entry any more, and gives the memory back. The session stays, but for
   * messages of {@link append} that the store was not writing yet: they are taken out, as their promises say.
   */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#runs.abort("compaction", "navigation");
    this.#writer?.dispose();
    giveBack(this.#handle);
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  #checkLife(): void {
    if (this.#disposed) throw new ThreadfoldError("invalid-argument", "agent: it was disposed of; make another AgentSession to go on");
  }

  #change(options: AgentSessionOptions): void {
    this.#checkLife();
    this.#checked = configure(this.#handle, options);
    this.#options = options;
  }

  async #check(start: (now: string) => RunHandle, pending: Message | readonly Message[] = []): Promise<TurnResult> {
    const result = (state: SessionState, run: RunHandle, ended: RunEnd) => turnResultOf(state, run, this.#contextUsage(pending), ended);
    return this.#runs.carryOut({ kind: "compaction", start, result }, this.#checked);
  }
}
