import { ThreadfoldError } from "./error.js";
import type { SessionChange, SessionState } from "./state.js";
import { StoreConflictError, type ChangedLine, type Revision, type SessionStore } from "./store.js";
import { askStore, checkLoaded, checkWritten } from "./store-answers.js";
import { EntryWaiters, Waiters } from "./store-waiters.js";
import { concat, LINE_END } from "./stored-lines.js";

/** Lines that a prune changed. They are replaced once the entries before `after` are stored. */
interface Replacement {
  after: number;
  /** The entries, whose lines are taken from the session. */
  readonly ids: readonly string[];
  /** The lines of a prune that happens only if the store takes it, and that is tried once. */
  readonly planned?: ChangedLine[];
  readonly waiters: Waiters;
}

/**
 * Writes a session to its store: what was appended in the order in which it was, one write at a time,
 * all that waits in one batch, and what a prune changed in its place between them. A write that does
 * not settle holds up those behind it: nobody knows what it has stored.
 *
 * Where a write is refused, those who wait for one of its entries hear of it, and so does `onError`.
 * Entries that nobody takes back stay in the session and are tried again with the next write. A prune
 * that is refused is tried again too, and does not hold up what was appended behind it.
 */
export class StoreWriter {
  readonly #state: SessionState;
  readonly #store: SessionStore;
  readonly #onError: (error: ThreadfoldError) => void;
  readonly #stopListening: () => void;
  readonly #ended = new AbortController();
  /** The session when the writer was made, and where its entries end, until it is known how much of it is stored. */
  #before: { file: Uint8Array; ends: Uint32Array } | undefined;
  /** The number of entries then; those behind were appended since. */
  #from: number;
  /** What is to be written before the lines of entries that were appended since. */
  #head: Uint8Array = new Uint8Array();
  /** The entries before this number are stored. */
  #stored = 0;
  /** The entries before this number are stored or on their way. */
  #sent = 0;
  #revision: Revision = null;
  readonly #replacements: Replacement[] = [];
  /** The one of them that is on its way. */
  #replacing: Replacement | undefined;
  readonly #waiters = new EntryWaiters();
  /** The entries that are on their way. */
  #batch: ReadonlySet<string> = new Set();
  /** Whether there is something to write that the write under way does not hold. */
  #wanted = false;
  #isRunning = false;
  /** Settles when the call of the store that is under way has, whichever way. */
  #underWay: Promise<unknown> = Promise.resolve();

  /** Nothing is asked of the store before there is something to write, or `flush` is called. */
  constructor(state: SessionState, store: SessionStore, onError: (error: ThreadfoldError) => void) {
    this.#state = state;
    this.#store = store;
    this.#onError = onError;
    this.#before = state.call((handle) => ({ file: handle.toJsonl(), ends: handle.entryEnds() }));
    this.#from = this.#before.ends.length;
    this.#stopListening = state.changes.on("change", (change) => this.#hear(change));
  }

  /** Resolves when an entry is stored; rejects with `storage-failed` or `conflict` where the write is refused. */
  written(id: string): Promise<void> {
    return this.#wait(id, false);
  }

  /**
   * The same for an entry that is to be there only if it is stored: where the write is refused it is
   * taken back out of the session, before anything else is written.
   */
  commit(id: string): Promise<void> {
    return this.#wait(id, true);
  }

  /**
   * Writes lines that entries are to have, behind what is appended until now. Where the write is
   * refused it is not tried again: the session has not changed yet.
   */
  async replace(planned: ChangedLine[]): Promise<void> {
    this.#checkLife();
    const waiters = new Waiters();
    this.#replacements.push({ after: this.#length(), ids: [], planned, waiters });
    this.#want();
    await waiters.join();
  }

  /**
   * Resolves when all is stored that the session holds now; rejects where a part of it is refused. What
   * was refused before, also in a write that is under way, is tried again.
   */
  async flush(): Promise<void> {
    this.#checkLife();
    await this.#underWay;
    this.#checkLife();
    const length = this.#length();
    const waits = this.#replacements.map(({ waiters }) => waiters.join());
    if (length > this.#stored) waits.push(this.written(this.#state.id(length - 1)));
    if (waits.length > 0) this.#want();
    await Promise.all(waits);
  }

  /**
   * Ends it: a write under way ends as it does, what waits behind it is refused, and what is appended
   * from now on is not written. Flush it before.
   */
  dispose(): void {
    if (this.#ended.signal.aborted) return;
    this.#stopListening();
    this.#ended.abort();
    const error = new ThreadfoldError("storage-failed", "nothing is written any more: the agent session was disposed; flush() it before");
    this.#refuse(this.#waiters.ids.filter((id) => !this.#batch.has(id)), error);
    this.#refuseReplacements(error);
  }

  async #wait(id: string, takesBack: boolean): Promise<void> {
    if (takesBack && this.#ended.signal.aborted) this.#takeBack(id);
    this.#checkLife();
    this.#state.require("store", id);
    if (this.#isBefore(id, this.#stored)) return;
    this.#want();
    await this.#waiters.join(id, takesBack);
  }

  #checkLife(): void {
    if (this.#ended.signal.aborted) throw new ThreadfoldError("invalid-argument", "the agent session was disposed; make another one");
  }

  #length(): number {
    return this.#state.call((handle) => handle.length);
  }

  /** Whether the session has an entry before that number. */
  #isBefore(id: string, end: number): boolean {
    const index = this.#state.indexOf(id);
    return index !== undefined && index < end;
  }

  #hear(change: SessionChange): void {
    if (change.type === "withdrawn") return this.#moveUp(change.index);
    if (change.type === "rewritten") {
      // What is not on its way yet will be written as it is then.
      const ids = change.ids.filter((id) => this.#isBefore(id, Math.max(this.#from, this.#sent)));
      if (ids.length === 0) return;
      this.#replacements.push({ after: this.#length(), ids, waiters: new Waiters() });
    }
    this.#want();
  }

  #moveUp(index: number): void {
    const movedUp = (end: number) => (end > index ? end - 1 : end);
    this.#from = movedUp(this.#from);
    this.#stored = movedUp(this.#stored);
    this.#sent = movedUp(this.#sent);
    for (const replacement of this.#replacements) replacement.after = movedUp(replacement.after);
    const gone = this.#waiters.ids.filter((id) => this.#state.indexOf(id) === undefined);
    if (gone.length > 0) this.#refuse(gone, new ThreadfoldError("unknown-entry", "the entry was taken back before it was stored"));
  }

  #want(): void {
    this.#wanted = true;
    if (!this.#isRunning) void this.#run();
  }

  /** Writes until nothing is wanted. What is appended in one go goes in one batch. */
  async #run(): Promise<void> {
    this.#isRunning = true;
    await undefined;
    while (this.#wanted && !this.#ended.signal.aborted) {
      try {
        await this.#round();
      } catch (error) {
        this.#wanted = false;
        // The store could not be read, or the session was freed.
        this.#fail(this.#waiters.ids, error as ThreadfoldError);
        this.#refuseReplacements(error as ThreadfoldError);
      }
    }
    this.#isRunning = false;
  }

  /** Writes what waits, oldest first, up to an append that is refused. */
  async #round(): Promise<void> {
    await this.#open();
    const refused = new Set<Replacement>();
    while (!this.#ended.signal.aborted) {
      // Who asks from now on, asks for another try.
      if (this.#wanted) refused.clear();
      this.#wanted = false;
      const next = this.#replacements.find((replacement) => !refused.has(replacement));
      const end = next?.after ?? this.#length();
      if (this.#stored < end) {
        if (!(await this.#append(end))) return;
      } else if (next === undefined) {
        return;
      } else if (!(await this.#replace(next))) {
        refused.add(next);
      }
    }
  }

  /** Finds out once how much of the session is stored. */
  async #open(): Promise<void> {
    if (this.#before === undefined) return;
    const { file, ends } = this.#before;
    const { lines, revision } = checkLoaded(await this.#ask("load", () => this.#store.load()));
    if (!beginsWithLines(file, lines)) {
      const message =
        "the store holds another session, or another state of this one than was loaded: load the session from the store, " +
        "or give it an empty store, as one that a migration or another host has changed needs";
      throw new StoreConflictError(message, { revision });
    }
    this.#before = undefined;
    this.#head = file.slice(lines.length);
    this.#stored = ends.filter((end) => end <= lines.length).length;
    this.#sent = this.#stored;
    this.#revision = revision;
    this.#settle();
  }

  /** Writes the entries up to a number; says whether the store took them. */
  async #append(end: number): Promise<boolean> {
    const state = this.#state;
    const ids = state.ids(Array.from({ length: end - this.#stored }, (_, at) => this.#stored + at));
    const own = state.call((handle) => handle.appendedLines(Math.max(this.#stored, this.#from), end));
    const leaf = state.call((handle) => handle.leafIndex);
    const leafId = leaf < 0 ? null : state.id(Math.min(leaf, end - 1));
    // Also those who wait for what comes behind a prune: it is not written either.
    const waiting = this.#waiters.ids;
    this.#sent = end;
    this.#batch = new Set(ids);
    try {
      const batch = { ids, lines: concat([this.#head, own]), leafId };
      this.#revision = checkWritten("append", await this.#ask("append", () => this.#store.append(batch, this.#options())));
    } catch (error) {
      this.#sent = this.#stored;
      this.#fail(waiting, error as ThreadfoldError);
      this.#refuseReplacements(error as ThreadfoldError);
      return false;
    } finally {
      this.#batch = new Set();
    }
    this.#head = new Uint8Array();
    this.#stored = this.#sent;
    // By their ids: the session may have been freed meanwhile.
    for (const id of ids) this.#waiters.resolve(id);
    return true;
  }

  /** Writes what a prune changed; says whether the store took it. */
  async #replace(replacement: Replacement): Promise<boolean> {
    const changed = replacement.planned ?? replacement.ids.flatMap((id) => {
      const index = this.#state.indexOf(id);
      const line = index === undefined ? undefined : this.#state.call((handle) => handle.entryLine(index));
      return line === undefined ? [] : [{ id, line }];
    });
    this.#replacing = replacement;
    try {
      this.#revision = checkWritten("replace", await this.#ask("replace", () => this.#store.replace(changed, this.#options())));
    } catch (error) {
      if (replacement.planned !== undefined) this.#drop(replacement);
      replacement.waiters.reject(error as ThreadfoldError);
      this.#onError(error as ThreadfoldError);
      return false;
    } finally {
      this.#replacing = undefined;
    }
    this.#drop(replacement);
    replacement.waiters.resolve();
    return true;
  }

  #ask<T>(what: string, ask: () => Promise<T>): Promise<T> {
    const asked = askStore(what, ask);
    this.#underWay = asked.catch(() => undefined);
    return asked;
  }

  #options(): { expected: Revision; signal: AbortSignal } {
    return { expected: this.#revision, signal: this.#ended.signal };
  }

  /** Tells those who wait for entries that are stored by now. */
  #settle(): void {
    for (const id of this.#waiters.ids) if (this.#isBefore(id, this.#stored)) this.#waiters.resolve(id);
  }

  /** Tells that the write of some entries was refused. */
  #fail(ids: readonly string[], error: ThreadfoldError): void {
    this.#refuse(ids, error);
    this.#onError(error);
  }

  #refuse(ids: readonly string[], error: ThreadfoldError): void {
    this.#waiters.reject(ids, error, (id) => this.#takeBack(id));
  }

  /** Tells that prunes are not written now; those that were only planned do not happen. One that is on its way ends as it does. */
  #refuseReplacements(error: ThreadfoldError): void {
    for (const replacement of this.#replacements.filter((one) => one !== this.#replacing)) {
      if (replacement.planned !== undefined) this.#drop(replacement);
      replacement.waiters.reject(error);
    }
  }

  #drop(replacement: Replacement): void {
    this.#replacements.splice(this.#replacements.indexOf(replacement), 1);
  }

  #takeBack(id: string): void {
    try {
      this.#state.withdraw(this.#state.require("withdraw", id));
    } catch {
      // The session was freed, or somebody else took it back.
    }
  }
}

/** Whether a file begins with these bytes, and they do not end in the middle of one of its lines. */
function beginsWithLines(file: Uint8Array, start: Uint8Array): boolean {
  for (let at = 0; at < start.length; at += 1) if (file[at] !== start[at]) return false;
  const { length } = start;
  return length === 0 || length === file.length || file[length - 1] === LINE_END || file[length] === LINE_END;
}
