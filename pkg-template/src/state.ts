import { entryMessage } from "./context.js";
import { Emitter } from "./emitter.js";
import type { Encoding } from "./encoding.js";
import { ThreadfoldError } from "./error.js";
import type { Entry, Message, SessionHeader } from "./entry.js";
import { describe, giveBack, guard } from "./guard.js";
import { BLOCK, HandedOut, type Block } from "./handed-out.js";
import type { SessionHandle } from "./glue/threadfold.js";
import { deepFreeze } from "./json.js";
import type { Session } from "./session.js";

/** Which rules a session follows. */
export type Preset = "safe" | "classic";

/** What happened to the entries of a session. */
export type SessionChange =
  | { type: "appended" }
  /** The stored lines of some entries changed. */
  | { type: "rewritten"; ids: readonly string[] }
  /** The entry of that number was taken back; those behind it moved up. */
  | { type: "withdrawn"; index: number };

/** What a session holds on the JavaScript side. */
export class SessionState {
  readonly handle: SessionHandle;
  readonly preset: Preset;
  /** What its texts are counted with; undefined where they are estimated. */
  readonly tokenizer: Encoding | undefined;
  /** Tells of changes to the entries right after they were made; moves of the leaf are none. */
  readonly changes = new Emitter<{ change: SessionChange }>(["change"]);
  /** How many entries the listeners know of. */
  #told: number;
  readonly #handedOut = new HandedOut();
  /** The parents of the entries that were there when the first was handed out; they never change. */
  #parents: Int32Array | undefined;
  #freed = false;

  constructor(handle: SessionHandle, preset: Preset, tokenizer: Encoding | undefined) {
    this.handle = handle;
    this.preset = preset;
    this.tokenizer = tokenizer;
    this.#told = handle.length;
  }

  /** Calls the engine about this session. */
  call<T>(use: (handle: SessionHandle) => T): T {
    if (this.#freed) throw new ThreadfoldError("invalid-argument", "session: it was freed; load it again to use it");
    return guard(() => use(this.handle));
  }

  free(): void {
    if (this.#freed) return;
    this.#freed = true;
    giveBack(this.handle);
  }

  /** The id of an entry. */
  id(index: number): string {
    const { ids } = this.#block(index);
    const id = ids[index % BLOCK] ?? this.#moreIds(index, ids);
    if (id === undefined) throw new ThreadfoldError("internal", `no entry has the number ${index}`);
    return id;
  }

  ids(indices: Uint32Array | readonly number[]): string[] {
    const ids = new Array<string>(indices.length);
    // Neighbours mostly lie in one block.
    let block: Block | undefined;
    let blockStart = 0;
    for (let at = 0; at < ids.length; at += 1) {
      const index = indices[at] as number;
      if (block === undefined || index < blockStart || index >= blockStart + BLOCK) {
        block = this.#block(index);
        blockStart = index - (index % BLOCK);
      }
      ids[at] = block.ids[index - blockStart] ?? this.id(index);
    }
    return ids;
  }

  #block(index: number): Block {
    return this.#handedOut.block(index);
  }

  /** Catches up with what is not known of a block yet, also what was appended meanwhile. */
  #moreIds(index: number, ids: string[]): string | undefined {
    const first = index - (index % BLOCK) + ids.length;
    const more = this.call((handle) => handle.idsFrom(first, BLOCK - ids.length));
    for (const id of JSON.parse(more) as string[]) ids.push(id);
    return ids[index % BLOCK];
  }

  /** An entry, the same object each time. */
  entry(index: number): Entry {
    const { entries } = this.#block(index);
    const known = entries[index % BLOCK];
    if (known !== undefined) return known;
    const id = this.id(index);
    const json = this.call((handle) => handle.entryJson(index));
    const stored = json === undefined ? ({ type: "unreadable" } as Entry) : (JSON.parse(json) as Entry);
    const entry = deepFreeze(this.#complete(index, id, stored));
    entries[index % BLOCK] = entry;
    return entry;
  }

  /** Lets go of what was handed out of an entry whose stored line has changed; the next one to ask gets it anew. */
  forget(index: number): void {
    this.#handedOut.forget(index);
  }

  /** Tells of the entries that were appended since the last time, by whomever. */
  tellAppended(): void {
    const length = this.call((handle) => handle.length);
    if (length <= this.#told) return;
    this.#told = length;
    this.changes.emit("change", { type: "appended" });
  }

  /**
   * Takes an entry back that was appended since the load. Those below it get its parent, and where it
   * was the leaf its parent is that. What was handed out stays; an entry that gets another parent is
   * another object with the same message. Throws `invalid-argument` for an entry that was loaded.
   */
  withdraw(index: number): void {
    const gone = this.entry(index);
    this.call((handle) => handle.withdraw(index));
    this.#parents = this.#parents?.subarray(0, index);
    this.#handedOut.close(index, gone, this.call((handle) => handle.length));
    if (index < this.#told) this.#told -= 1;
    this.changes.emit("change", { type: "withdrawn", index });
  }

  /** The message of an entry in a view, the same object each time. */
  message(index: number): Message {
    return (this.#block(index).messages[index % BLOCK] ??= entryMessage(this.entry(index)));
  }

  /** The message of a tool result with its notice, as the prune entry `by` shows it; the same object each time. */
  prunedMessage(index: number, by: number): Message {
    const { pruned } = this.#block(index);
    const known = pruned[index % BLOCK];
    const prune = this.id(by);
    if (known?.by === prune) return known.message;
    const entry = JSON.parse(this.call((handle) => handle.prunedJson(index, by)) ?? "null") as Entry | null;
    if (entry?.type !== "message") throw new ThreadfoldError("internal", `entry ${index} cannot be shown as pruned`);
    const message = deepFreeze(entry.message);
    pruned[index % BLOCK] = { by: prune, message };
    return message;
  }

  /**
   * An entry with the id, the parent and the time that it has in the tree, the same object where it
   * says so itself: an id may be taken, a parent unknown, and each may be missing.
   */
  #complete(index: number, id: string, entry: Entry): Entry {
    const given = entry as { parentId?: unknown; timestamp?: unknown };
    const parentId = this.#parentId(index, given.parentId);
    const timestamp = typeof given.timestamp === "string" ? given.timestamp : "";
    if (entry.id === id && given.parentId === parentId && given.timestamp === timestamp) return entry;
    return { ...entry, id, parentId, timestamp };
  }

  #parentId(index: number, given: unknown): string | null {
    this.#parents ??= this.call((handle) => handle.parents());
    const parent = this.#parents[index];
    // What was appended later was written by the session itself.
    if (parent === undefined) return typeof given === "string" ? given : null;
    return parent < 0 ? null : this.id(parent);
  }

  /** Keeps what the host loaded, so that its own objects come back, as far as they say what the tree does. */
  adopt(index: number, given: Entry): void {
    const entry = this.#complete(index, this.id(index), given);
    this.remember(index, entry === given ? given : Object.freeze(entry));
  }

  /** Keeps what the host appended, so that its own objects come back. */
  remember(index: number, entry: Entry): void {
    const { entries, messages } = this.#block(index);
    entries[index % BLOCK] = entry;
    messages[index % BLOCK] = undefined;
  }

  /** The number of an id, undefined where no entry has it. */
  indexOf(id: string): number | undefined {
    if (typeof id !== "string") return undefined;
    const index = this.call((handle) => handle.indexOf(id));
    return index < 0 ? undefined : index;
  }

  /** The number of an id that a caller names. */
  require(what: string, id: string): number {
    const index = this.indexOf(id);
    if (index !== undefined) return index;
    const message = `${what}: no entry of this session has the id ${describe(id)}; ids come from session.entries()`;
    throw new ThreadfoldError("unknown-entry", message);
  }

  /** The id of the leaf as it stands; null before the first entry. */
  leafId(): string | null {
    const leaf = this.call((handle) => handle.leafIndex);
    return leaf < 0 ? null : this.id(leaf);
  }

  /** The leaf that a call means, as the engine takes it. */
  leaf(what: string, leafId: string | null | undefined): number {
    if (leafId === undefined) return CURRENT_LEAF;
    return leafId === null ? BEFORE_FIRST : this.require(what, leafId);
  }
}

/** The leaf as it stands. */
export const CURRENT_LEAF = -2;
/** Before the first entry. */
export const BEFORE_FIRST = -1;

/** The header of a session's file, undefined where it has none. */
export function headerOf(state: SessionState): SessionHeader | undefined {
  const json = state.call((handle) => handle.headerJson());
  return json === undefined ? undefined : (JSON.parse(json) as SessionHeader);
}

const states = new WeakMap<Session, SessionState>();

/** For the session alone: its state, kept out of its type. */
export function attachState(session: Session, state: SessionState): void {
  states.set(session, state);
}

export function stateOf(session: Session): SessionState {
  const state = states.get(session);
  if (state === undefined) throw new ThreadfoldError("invalid-argument", "session: allowed is a Session of this package");
  return state;
}
