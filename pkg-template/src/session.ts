import { buildContext, type SessionContext } from "./context.js";
import type { ContextUsage, Diagnostic, NothingToDo, PruneResult, RestoreResult } from "./data.js";
import type { CompactionResult, Entry, Message, NewEntry, NewUnknownEntry, SessionHeader } from "./entry.js";
import { ThreadfoldError } from "./error.js";
import { checkOptions, guard, refuse } from "./guard.js";
import type { SessionHandle } from "./glue/threadfold.js";
import { requireObject, toJson, toWellFormedJson } from "./json.js";
import { planNumbers, type PlanOptions } from "./plan-options.js";
import { Preparation, type PrepareCompactionResult } from "./preparation.js";
import { pruneToolOutputs, restoreToolOutputs, type PruneConfig } from "./prune.js";
import { settingsJson } from "./settings.js";
import { attachState, SessionState, stateOf, type Preset } from "./state.js";
import { isoTime, randomId, seed } from "./outside.js";
import type { SessionTree } from "./tree.js";

/** Told before the bytes cross into the engine, which has the same limit. */
const MAX_SESSION_BYTES = 512 * 1024 * 1024;

/** Options of {@link Session.create}. */
export interface CreateOptions {
  /** The folder the session is about. Default: `/`. */
  cwd?: string | undefined;
  /** The id of the session. Default: a random one. */
  id?: string | undefined;
  /** Default: `safe`. */
  preset?: Preset | undefined;
}

/** A cut in a path. */
export interface CutPoint {
  /** The first kept entry, as a position in {@link Session.path}. */
  firstKeptEntryIndex: number;
  /** Where the turn begins that the cut splits; -1 where it splits none. */
  turnStartIndex: number;
  isSplitTurn: boolean;
}

/** A session: a tree of entries with a leaf, at which the next entry is appended. */
export class Session {
  /** @internal */
  private constructor(handle: SessionHandle, preset: Preset) {
    if (typeof handle?.toJsonl !== "function") {
      refuse("new Session", handle, "Session.create(), Session.fromJsonl() or Session.fromEntries()");
    }
    attachState(this, new SessionState(handle, preset));
  }

  /** A new session without entries. */
  static create(options: CreateOptions = {}): Session {
    checkOptions("Session.create", options, ["cwd", "id", "preset"]);
    const { cwd = "/", id = randomId(), preset = "safe" } = options;
    for (const [name, value] of Object.entries({ cwd, id })) {
      if (typeof value !== "string") refuse(`Session.create.${name}`, value, "a string");
    }
    const known = checkPreset(preset);
    return new Session(guard((glue) => glue.SessionHandle.create(known, id, cwd, isoTime(Date.now()), seed())), known);
  }

  /**
   * A session from the bytes (or the text) of a JSONL file, of version 1, 2 or 3. Damage never ends
   * a load: see {@link Session.diagnostics}. Throws `not-a-session`, or `too-large` above 512 MiB.
   */
  static fromJsonl(bytes: Uint8Array | string, options: { preset?: Preset | undefined } = {}): Session {
    checkOptions("Session.fromJsonl", options, ["preset"]);
    const { preset = "safe" } = options;
    if (typeof bytes !== "string" && !(bytes instanceof Uint8Array)) refuse("bytes", bytes, "a Uint8Array or a string");
    if (bytes.length > MAX_SESSION_BYTES) {
      const message = `bytes: the session has ${bytes.length} bytes; allowed are ${MAX_SESSION_BYTES}`;
      throw new ThreadfoldError("too-large", message);
    }
    const raw = typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes;
    const known = checkPreset(preset);
    return new Session(guard((glue) => glue.SessionHandle.fromJsonl(raw, known, seed())), known);
  }

  /**
   * A session from entries, with or without the header in front. Messages come back as the very same
   * objects. Throws `invalid-entry` for what JSON cannot hold.
   */
  static fromEntries(entries: readonly (Entry | SessionHeader)[], options: { preset?: Preset | undefined } = {}): Session {
    if (!Array.isArray(entries)) refuse("entries", entries, "an array of entries");
    const given = entries as readonly (Entry | SessionHeader)[];
    const lines = given.map((entry, index) => toJson(entry, `entries[${index}]`));
    if (!given.some((entry) => entry.type === "session")) {
      const version = given.some((entry) => typeof entry.id === "string") ? { version: 3 } : {};
      const header = { type: "session", ...version, id: randomId(), timestamp: isoTime(Date.now()), cwd: "/" };
      lines.unshift(JSON.stringify(header));
    }
    const session = Session.fromJsonl(lines.join("\n") + "\n", options);
    const state = stateOf(session);
    let index = 0;
    for (const entry of given) {
      if (entry.type === "session") continue;
      if (entry.id === state.id(index)) {
        if (!isMigrated(state, index, entry)) state.adopt(index, entry);
      } else if (entry.type === "message" && !isMigrated(state, index, entry)) {
        // Migration gave it an id; the message is still the host's own.
        state.remember(index, Object.freeze({ ...state.entry(index), message: entry.message } as Entry));
      }
      index += 1;
    }
    return session;
  }

  /** The header of the file, undefined where it has none. */
  get header(): SessionHeader | undefined {
    const json = stateOf(this).call((handle) => handle.headerJson());
    return json === undefined ? undefined : (JSON.parse(json) as SessionHeader);
  }

  /** The entry that the next one will follow; null before the first. */
  get leafId(): string | null {
    const state = stateOf(this);
    const leaf = state.call((handle) => handle.leafIndex);
    return leaf < 0 ? null : state.id(leaf);
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
    const state = stateOf(this);
    const json = toJson(entry, "entry");
    checkRole(entry);
    const parentId = this.leafId;
    const timestamp = isoTime(Date.now());
    const id = state.call((handle) => handle.append(json, timestamp));
    state.remember(state.call((handle) => handle.leafIndex), Object.freeze({ ...entry, id, parentId, timestamp }));
    return id;
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
    const state = stateOf(this);
    const parents = state.call((handle) => handle.parents());
    const labels = new Map(JSON.parse(state.call((handle) => handle.labels())) as [string, string][]);
    const tree: SessionTree = { roots: [], nodes: new Map() };
    parents.forEach((parent, index) => {
      const id = state.id(index);
      const label = labels.get(id);
      const parentId = parent < 0 ? null : state.id(parent);
      tree.nodes.set(id, { parentId, childIds: [], ...(label === undefined ? {} : { label }) });
    });
    for (const [id, { parentId }] of tree.nodes) {
      (parentId === null ? tree.roots : tree.nodes.get(parentId)?.childIds)?.push(id);
    }
    return tree;
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
    const state = stateOf(this);
    if (target !== null) state.require("branchWithSummary", target);
    if (typeof summary !== "string") refuse("summary", summary, "a string");
    const json = details === undefined ? undefined : toJson({ details }, "details").slice('{"details":'.length, -1);
    if (json === "") refuse("details", details, "what JSON can hold", "invalid-entry");
    const now = isoTime(Date.now());
    return state.call((handle) => handle.branchWithSummary(target ?? undefined, summary, json, fromExtension === true, now));
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
    const state = stateOf(this);
    state.require("setLabel", id);
    if (label !== undefined && typeof label !== "string") refuse("label", label, "a string");
    return state.call((handle) => handle.setLabel(id, label === "" ? undefined : label, isoTime(Date.now())));
  }

  /** What a model gets to see: the latest summary, what it keeps, and what came after. */
  buildSessionContext(options: { leafId?: string | null | undefined } = {}): SessionContext {
    checkOptions("buildSessionContext", options, ["leafId"]);
    const state = stateOf(this);
    return buildContext(state, state.leaf("buildSessionContext", options.leafId));
  }

  /**
   * How large the context is. Its cost does not grow with the session. `pending`: messages that are
   * not in the session yet.
   */
  contextUsage(options: PlanOptions & { pending?: Message | readonly Message[] | undefined } = {}): ContextUsage {
    checkOptions("contextUsage", options, ["contextWindow", "pending", "fixedTokens", "settings"]);
    const { pending = [] } = options;
    const list = (Array.isArray(pending) ? pending : [pending]) as readonly Message[];
    const messages = list.map((message, index) => toWellFormedJson(message, `pending[${index}]`));
    const { window, fixed } = planNumbers(options);
    const settings = settingsJson(options.settings);
    return stateOf(this).call((handle) => handle.contextUsage(window, fixed, messages, settings)) as ContextUsage;
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

  /**
   * Takes back what prune entries hide at the leaf, all of it or the results of some entries, by
   * appending a prune entry that names the rest. What was rewritten cannot be had back and is passed
   * over. Throws `unknown-entry`; nothing has changed then.
   */
  restoreToolOutputs(ids?: readonly string[]): RestoreResult {
    return restoreToolOutputs(stateOf(this), ids);
  }

  /** Prepares a compaction, or says why there is nothing to do. Changes nothing. */
  prepareCompaction(options: PlanOptions & { leafId?: string | null | undefined } = {}): PrepareCompactionResult {
    checkOptions("prepareCompaction", options, ["contextWindow", "fixedTokens", "settings", "leafId"]);
    const state = stateOf(this);
    const { window, fixed } = planNumbers(options);
    const leaf = state.leaf("prepareCompaction", options.leafId);
    const settings = settingsJson(options.settings);
    const prepared = state.call((handle) => handle.prepareCompaction(leaf, window, fixed, settings));
    const plan = prepared.takePlan();
    const nothing = prepared.nothing() as NothingToDo;
    prepared.free();
    return plan === undefined ? { ok: false, ...nothing } : { ok: true, preparation: new Preparation(state, plan, settings) };
  }

  /** Finds the cut that keeps about so many tokens of the entries from `start` to `end`, `end` excluded; positions in {@link Session.path}. */
  findCutPoint(start: number, end: number, keepRecentTokens: number): CutPoint {
    for (const [name, value] of Object.entries({ start, end, keepRecentTokens })) {
      if (!Number.isSafeInteger(value) || value < 0) refuse(name, value, "a whole number from 0");
    }
    // A larger position means the end, and would not fit the engine's.
    const [from, to] = [Math.min(start, this.length), Math.min(end, this.length)];
    const cut = stateOf(this).call((handle) => handle.findCutPoint(from, to, keepRecentTokens));
    const [firstKeptEntryIndex = from, turnStartIndex = -1] = cut;
    return { firstKeptEntryIndex, turnStartIndex, isSplitTurn: turnStartIndex >= 0 };
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

/** Whether migration changed what an entry says, beside its id: an old role, a first kept entry by number. */
function isMigrated(state: SessionState, index: number, given: Entry): boolean {
  if (given.type === "compaction") return typeof given.firstKeptEntryId !== "string";
  if (given.type !== "message" || given.message?.role !== "hookMessage") return false;
  const stored = state.entry(index);
  return stored.type === "message" && stored.message.role !== "hookMessage";
}

const ROLES: readonly string[] = [
  "user",
  "assistant",
  "toolResult",
  "bashExecution",
  "pythonExecution",
  "fileMention",
  "custom",
  "hookMessage",
  "branchSummary",
  "compactionSummary",
] satisfies Message["role"][];

/** A model never sees a message of a role that is not known: a host must not add one unawares. */
function checkRole(entry: NewEntry): void {
  const role: unknown = entry.type === "message" ? entry.message?.role : undefined;
  if (typeof role !== "string" || ROLES.includes(role)) return;
  refuse("message.role", role, ROLES.map((name) => `"${name}"`).join(", "), "invalid-entry");
}

/** The engine tells which presets there are; only text crosses to it. */
function checkPreset(preset: unknown): Preset {
  return typeof preset === "string" ? (preset as Preset) : refuse("preset", preset, '"safe" or "classic"');
}
