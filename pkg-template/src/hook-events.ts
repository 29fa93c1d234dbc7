import type { Trigger } from "./data.js";
import type { CompactionResult, Entry, Message } from "./entry.js";
import type { Preparation } from "./preparation.js";

/** What `session_before_compact` tells: a compaction is about to be made. */
export interface BeforeCompactEvent {
  /** What would be summarised, and what kept. */
  readonly preparation: Preparation;
  /** The entries from the root to the leaf, made when they are first read. */
  readonly pathEntries: readonly Entry[];
  /** What started the run. */
  readonly reason: Trigger;
  /** Whether the agent's operation is to go on afterwards, since it failed for want of room. */
  readonly willRetry: boolean;
  /** What the caller wants the summary to look at above all. */
  readonly customInstructions?: string | undefined;
  /** Aborted when the run is, or when the handler took too long. */
  readonly signal: AbortSignal;
}

/** What a handler of `session_before_compact` may answer; nothing lets the run go on. */
export interface BeforeCompactAnswer {
  /** Ends the run; no later handler is asked. */
  cancel?: boolean | undefined;
  /** Is stored in the place of a summary of the run's own. Of several the last one counts. */
  compaction?: CompactionResult | undefined;
}

/** What `session.compacting` tells: the first request of a compaction is about to be made. */
export interface CompactingEvent {
  /** The id of the session, where its file names one. */
  readonly sessionId: string | undefined;
  /** The messages that will be summarised, history before the beginning of a split turn, made when they are first read. */
  readonly messages: readonly Message[];
  /** Aborted when the run is, or when the handler took too long. */
  readonly signal: AbortSignal;
}

/** What a handler of `session.compacting` may answer; nothing changes nothing. */
export interface CompactingAnswer {
  /** Takes the place of the instructions for the history. Of several the last one counts. */
  prompt?: string | undefined;
  /** Lines of context for every request; those of all handlers add up. */
  context?: readonly string[] | undefined;
  /** Is stored with the compaction. Of several values of one key the last one counts. */
  preserveData?: Readonly<Record<string, unknown>> | undefined;
}

/** What `session_before_tree` tells: the leaf is about to move to another entry. */
export interface BeforeTreeEvent {
  /** The entry that was asked for. */
  readonly targetId: string;
  /** The leaf that is left; null before the first entry. */
  readonly oldLeafId: string | null;
  /** The deepest entry that both have above them; null where there is none. */
  readonly commonAncestorId: string | null;
  /** The entries that are left, oldest first, made when they are first read. */
  readonly entries: readonly Entry[];
  /** Whether a summary of them was asked for. */
  readonly summarize: boolean;
  /** Aborted when the navigation is, or when the handler took too long. */
  readonly signal: AbortSignal;
}

/** What a handler of `session_before_tree` may answer; nothing lets the navigation go on. */
export interface BeforeTreeAnswer {
  /** Ends the navigation; no later handler is asked. */
  cancel?: boolean | undefined;
  /** Is stored where a summary was asked for, in its place. Of several the last one counts. */
  summary?: { summary: string; details?: unknown } | undefined;
}

/** What a hook's handler gives: its answer, nothing, or a promise of either. */
type Given<Answer> = Answer | null | undefined | void | PromiseLike<Answer | null | undefined | void>;

/** The hooks: what each of them tells and what may be answered. */
export interface HookHandlers {
  session_before_compact: (event: BeforeCompactEvent) => Given<BeforeCompactAnswer>;
  "session.compacting": (event: CompactingEvent) => Given<CompactingAnswer>;
  session_before_tree: (event: BeforeTreeEvent) => Given<BeforeTreeAnswer>;
}
