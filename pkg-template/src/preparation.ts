import type { FileLists, NothingToDo, PendingToolCall, PreparationFigures, Settings } from "./data.js";
import type { Message } from "./entry.js";
import type { PreparationHandle } from "./glue/threadfold.js";
import { completeSettings } from "./settings.js";
import type { SessionState } from "./state.js";

/**
 * A compaction that can be made. Entries are named by id; messages are made when asked for.
 * All sizes are in tokens.
 */
export class Preparation {
  /** The first entry that stays verbatim. */
  readonly firstKeptEntryId: string;
  /** The entries whose messages the history summary replaces, oldest first. */
  readonly entryIdsToSummarize: readonly string[];
  /** The beginning of a split turn; empty where the cut splits none. */
  readonly turnPrefixEntryIds: readonly string[];
  /** The entries whose messages stay. */
  readonly keptEntryIds: readonly string[];
  /** Entries that fall out unsummarised; only in the classic preset. */
  readonly droppedEntryIds: readonly string[];
  /** Where more is kept than the budget allows: the entries in the way. */
  readonly entryIdsInTheWay: readonly string[];
  /** Whether the cut splits a turn. */
  readonly isSplitTurn: boolean;
  /** The summary of the previous compaction. */
  readonly previousSummary: string | undefined;
  /** The files that the summarised part read and modified, with those of earlier summaries. */
  readonly fileOps: FileLists;
  /** The context size before. */
  readonly tokensBefore: number;
  /** The keep budget as adapted to what the provider counts. */
  readonly keepRecentTokens: number;
  /** What is kept, by the estimate; it may exceed the budget. */
  readonly keptTokens: number;
  /** The reserve in force. */
  readonly reserveTokens: number;
  /** Calls at the leaf that still await their result. */
  readonly pendingToolCalls: readonly PendingToolCall[];
  readonly #state: SessionState;
  readonly #handle: PreparationHandle;
  readonly #settings: string | undefined;
  #requestTokens: number | undefined;

  /** @internal */
  constructor(state: SessionState, handle: PreparationHandle, settings: string | undefined) {
    this.#state = state;
    this.#handle = handle;
    this.#settings = settings;
    const figures = state.call(() => handle.figures()) as PreparationFigures;
    this.firstKeptEntryId = state.id(handle.firstKept);
    const lists = new Lists(handle.lists());
    this.entryIdsToSummarize = state.ids(lists.next());
    this.turnPrefixEntryIds = state.ids(lists.next());
    this.keptEntryIds = state.ids(lists.next());
    this.droppedEntryIds = state.ids(lists.next());
    this.entryIdsInTheWay = state.ids(lists.next());
    this.isSplitTurn = figures.isSplitTurn;
    this.previousSummary = figures.previousSummary;
    this.fileOps = figures.fileOps;
    this.tokensBefore = figures.tokensBefore;
    this.keepRecentTokens = figures.keepRecentTokens;
    this.keptTokens = figures.keptTokens;
    this.reserveTokens = figures.reserveTokens;
    this.pendingToolCalls = figures.pendingToolCalls;
  }

  /** The messages of `entryIdsToSummarize`, as stored. */
  get messagesToSummarize(): Message[] {
    return this.#messages(this.entryIdsToSummarize);
  }

  /** The messages of `turnPrefixEntryIds`, as stored. */
  get turnPrefixMessages(): Message[] {
    return this.#messages(this.turnPrefixEntryIds);
  }

  /**
   * How large the summary requests are together, in tokens, each as a whole. One that is too large
   * for the summariser's window is made in parts, which together are larger than this.
   */
  get requestTokens(): number {
    return (this.#requestTokens ??= this.#state.call(() => this.#handle.requestTokens()));
  }

  /** The settings it was made with, every default filled in. */
  get settings(): Settings {
    return completeSettings(this.#settings);
  }

  /** By their ids: their numbers may be others by now. */
  #messages(ids: readonly string[]): Message[] {
    return ids.map((id) => this.#state.message(this.#state.require("preparation", id)));
  }
}

/** Reads lists that stand in one array, each behind its length. */
class Lists {
  readonly #numbers: Uint32Array;
  #at = 0;

  constructor(numbers: Uint32Array) {
    this.#numbers = numbers;
  }

  next(): Uint32Array {
    const start = this.#at + 1;
    this.#at = start + (this.#numbers[this.#at] as number);
    return this.#numbers.subarray(start, this.#at);
  }
}

/** A preparation, or why there is nothing to do. */
export type PrepareCompactionResult = { ok: true; preparation: Preparation } | ({ ok: false } & NothingToDo);
