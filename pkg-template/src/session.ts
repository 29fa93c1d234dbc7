import { appendEntry, branchWithSummary, setLabel } from "./appending.js";
import {
  collectEntries,
  prepareBranchEntries,
  type BranchPreparation,
  type CollectedBranch,
  type PrepareBranchOptions,
} from "./branch.js";
import { buildContext, type SessionContext } from "./context.js";
import { countEntries, type CountOptions } from "./counting.js";
import type { ContextUsage, Diagnostic, PruneResult, RestoreResult } from "./data.js";
import type { Encoding } from "./encoding.js";
import type { CompactionResult, Entry, Message, NewEntry, NewUnknownEntry, SessionHeader } from "./entry.js";
import { checkOptions, refuse } from "./guard.js";
import { requireObject } from "./json.js";
import { importReportOf, importTranscript, type ImportOptions, type ImportReport } from "./importing.js";
import { createSession, loadEntries, loadJsonl, type CreateOptions, type LoadOptions } from "./loading.js";
import { contextUsage, findCutPoint, prepareCompaction, type CutPoint, type PrepareOptions, type UsageOptions } from "./planning.js";
import type { PrepareCompactionResult } from "./preparation.js";
import { preparePrune, pruneToolOutputs, restoreToolOutputs, type PruneConfig } from "./prune.js";
import { attachState, headerOf, SessionState, stateOf } from "./state.js";
import { buildTree, type SessionTree } from "./tree.js";

/** A session: a tree of entries with a leaf, at which the next entry is appended. */
export class Session {
  /** @internal */
  private constructor(state: SessionState) {
    if (!(state instanceof SessionState)) {
      refuse("new Session", state, "Session.create(), Session.fromJsonl() or Session.fromEntries()");
    }
    attachState(this, state);
  }

  /** A new session without entries. */
  static create(options: CreateOptions = {}): Session {
    return new Session(createSession(options));
  }

  /**
   * A session from the bytes (or the text) of a JSONL file, of version 1, 2 or 3. Damage never ends
   * a load: see {@link Session.diagnostics}. Throws `not-a-session`, or `too-large` above 512 MiB.
   */
  static fromJsonl(bytes: Uint8Array | string, options: LoadOptions = {}): Session {
    return new Session(loadJsonl(bytes, options));
  }

  /**
   * A session from entries, with or without the header in front. Messages come back as the very same
   * objects. Throws `invalid-entry` for what JSON cannot hold.
   */
  static fromEntries(entries: readonly (Entry | SessionHeader)[], options: LoadOptions = {}): Session {
    return new Session(loadEntries(entries, options));
  }

  /**
   * A session from any file that is known: a session, as {@link Session.fromJsonl} loads it, a transcript of
   * another tool (Claude Code's JSONL, Codex's rollouts, ChatGPT's `conversations.json`), or an array of messages
   * of any format. Branches stay branches, compactions become compaction entries, and what has no counterpart is
   * kept as `custom` entries: see {@link Session.importReport}. Throws `unsupported-format`, `ambiguous-format` or `too-large`. In a browser
   * `await init({ formats: true })` comes first.
   */
  static import(bytes: Uint8Array | string, options: ImportOptions = {}): Session {
    return new Session(importTranscript(bytes, options));
  }

  /** What came of what the session was imported from; undefined where it was not. */
  get importReport(): ImportReport | undefined {
    return importReportOf(stateOf(this));
  }

  /** The header of the file, undefined where it has none. */
  get header(): SessionHeader | undefined {
    return headerOf(stateOf(this));
  }

  /** The entry that the next one will follow; null before the first. */
  get leafId(): string | null {
    return stateOf(this).leafId();
  }

  /** The encoding that its texts are counted with; undefined where they are estimated. */
  get tokenizer(): Encoding | undefined {
    const state = stateOf(this);
    return state.call(() => state.tokenizer);
  }

  /** How many entries there are, on all branches. */
  get length(): number {
    return stateOf(this).call((handle) => handle.length);
  }

  /** What was found damaged at loading or in what was appended, and what was done about it. */
  get diagnostics(): Diagnostic[] {
    return stateOf(this).call((handle) => handle.diagnostics()) as Diagnostic[];
  }

  /**
   * Appends an entry below the leaf, moves the leaf to it and gives its id. The session gives `id`,
   * `parentId` and `timestamp`. Throws `invalid-entry` or `unknown-entry`; nothing has changed then.
   */
  append(entry: NewEntry): string;
  /** The same for an entry of a type that is not known yet. */
  append<Type extends string>(entry: NewUnknownEntry<Type>): string;
  append(entry: NewEntry): string {
    return appendEntry(stateOf(this), entry);
  }

  /** Appends a message, of a role that is known; see {@link Session.append}. */
  appendMessage(message: Message): string {
    requireObject(message, "message");
    return this.append({ type: "message", message });
  }

  /** Appends a compaction that was made elsewhere. Throws `unknown-entry` where its first kept entry is not on the path. */
  appendCompaction(result: CompactionResult): string {
    requireObject(result, "result");
    return this.append({ ...result, type: "compaction" });
  }

  /** An entry by its id, the same object each time, read-only; undefined where no entry has it. */
  entry(id: string): Entry | undefined {
    const state = stateOf(this);
    const index = state.indexOf(id);
    return index === undefined ? undefined : state.entry(index);
  }

  /** Every entry, in the order of the file. */
  entries(): Entry[] {
    const state = stateOf(this);
    return Array.from({ length: this.length }, (_, index) => state.entry(index));
  }

  /** The entries from the root to an entry, or to the leaf. */
  path(leafId?: string | null): Entry[] {
    const state = stateOf(this);
    const path = state.call((handle) => handle.path(state.leaf("path", leafId)));
    return Array.from(path, (index) => state.entry(index));
  }

  /** The entries that follow one, in the order of the file. */
  children(id: string): Entry[] {
    const state = stateOf(this);
    const children = state.call((handle) => handle.children(state.require("children", id)));
    return Array.from(children, (index) => state.entry(index));
  }

  /** The whole tree, flat: any depth fits. */
  tree(): SessionTree {
    return buildTree(stateOf(this));
  }

  /** Moves the leaf to an entry; the next one becomes its child. Throws `unknown-entry`. */
  branch(id: string): void {
    const state = stateOf(this);
    state.require("branch", id);
    state.call((handle) => handle.branch(id));
  }

  /** Moves the leaf before the first entry; the next one becomes a new root. */
  resetLeaf(): void {
    stateOf(this).call((handle) => handle.resetLeaf());
  }

  /**
   * Moves the leaf to an entry (null: before the first) and appends the summary of the branch that
   * was left; gives its id.
   */
  branchWithSummary(target: string | null, summary: string, details?: unknown, fromExtension = false): string {
    return branchWithSummary(stateOf(this), target, summary, details, fromExtension);
  }

  /** The label of an entry. */
  label(id: string): string | undefined {
    return typeof id === "string" ? stateOf(this).call((handle) => handle.label(id)) : undefined;
  }

  /**
   * Sets the label of an entry; an empty one, or none, clears it. Gives the id of the entry that says
   * so. Throws `unknown-entry`.
   */
  setLabel(id: string, label?: string): string {
    return setLabel(stateOf(this), id, label);
  }

  /** What a model gets to see: the latest summary, what it keeps, and what came after. */
  buildSessionContext(options: { leafId?: string | null | undefined } = {}): SessionContext {
    checkOptions("buildSessionContext", options, ["leafId"]);
    const state = stateOf(this);
    return buildContext(state, state.leaf("buildSessionContext", options.leafId));
  }

  /**
   * Counts the entries that are not counted yet, in stretches of about 8 milliseconds with other work in
   * between. Without a {@link Session.tokenizer} there is nothing to count.
   */
  async count(options: CountOptions = {}): Promise<void> {
    await countEntries(stateOf(this), options);
  }

  /**
   * What an entry adds to the context where it is seen from the leaf, in tokens: exact where the session has a
   * {@link Session.tokenizer}, as its notice where it is pruned, and 0 for what the model never sees. Its cost
   * does not grow with the entry. Throws `unknown-entry`.
   */
  entryTokens(id: string): number {
    const state = stateOf(this);
    const index = state.require("entryTokens", id);
    return state.call((handle) => handle.entryTokens(index));
  }

  /** How large the context is. Its cost does not grow with the session. */
  contextUsage(options: UsageOptions = {}): ContextUsage {
    return contextUsage(stateOf(this), options);
  }

  /**
   * Prunes old tool outputs at the leaf: the content of each becomes a notice of how much was there.
   * With a `contextWindow` only when the context is over the threshold and compaction is enabled,
   * without one in any case. In the mode `rewrite` the stored entries change and entries that were
   * handed out before stay as they were; in the mode `overlay` a prune entry is appended instead.
   * Throws `invalid-settings` or `invalid-window`; nothing has changed then.
   */
  pruneToolOutputs(config: PruneConfig = {}): PruneResult {
    return pruneToolOutputs(stateOf(this), config);
  }

  /** Says what {@link Session.pruneToolOutputs} would do now, with the same answer. Changes nothing. */
  preparePrune(config: PruneConfig = {}): PruneResult {
    return preparePrune(stateOf(this), config);
  }

  /**
   * Takes back what prune entries hide at the leaf, all of it or the results of some entries, by
   * appending a prune entry that names the rest. What was rewritten cannot be had back and is passed
   * over. Throws `unknown-entry`; nothing has changed then.
   */
  restoreToolOutputs(ids?: readonly string[]): RestoreResult {
    return restoreToolOutputs(stateOf(this), ids);
  }

  /** Prepares a compaction, or says why there is nothing to do. Changes nothing. */
  prepareCompaction(options: PrepareOptions = {}): PrepareCompactionResult {
    return prepareCompaction(stateOf(this), options);
  }

  /** Finds the cut that keeps about so many tokens of the entries from `start` to `end`, `end` excluded; positions in {@link Session.path}. */
  findCutPoint(start: number, end: number, keepRecentTokens: number): CutPoint {
    return findCutPoint(stateOf(this), start, end, keepRecentTokens);
  }

  /**
   * The entries that a move of the leaf leaves: from the old leaf up to its deepest common ancestor
   * with the target, which is not among them, also across compactions. Null is the place before the
   * first entry. Throws `unknown-entry`.
   */
  collectEntriesForBranchSummary(oldLeafId: string | null, targetId: string | null): CollectedBranch {
    return collectEntries(stateOf(this), oldLeafId, targetId);
  }

  /**
   * What of a branch fits a budget of tokens, the newest first to be taken, and the files of all of it.
   * The entries come oldest first, as they are or by id. With a budget of 0 or less nothing fits.
   * Throws `unknown-entry`.
   */
  prepareBranchEntries(
    entries: readonly (Entry | string)[],
    tokenBudget: number,
    options: PrepareBranchOptions = {},
  ): BranchPreparation {
    return prepareBranchEntries(stateOf(this), entries, tokenBudget, options);
  }

  /** The session as the bytes of a JSONL file. A version 3 file that nothing was done to comes back byte for byte. */
  toJsonl(): Uint8Array {
    return stateOf(this).call((handle) => handle.toJsonl());
  }

  /** Gives the memory back now; the collector does it otherwise. */
  free(): void {
    stateOf(this).free();
  }

  [Symbol.dispose](): void {
    this.free();
  }
}
