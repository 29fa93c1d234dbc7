import { runCompaction } from "./compact.js";
import { checkCompactOptions, type CompactOptions } from "./compact-options.js";
import type { ImageRule } from "./data.js";
import type { Encoding } from "./encoding.js";
import { init } from "./engine.js";
import type { Message } from "./entry.js";
import { ThreadfoldError } from "./error.js";
import { checkFoldState, stateAfter, stateJson, type FoldState } from "./fold-state.js";
import { foldedSession, type FoldInfo } from "./folded-session.js";
import { askAbout, checkName } from "./format-engine.js";
import { describe, refuse } from "./guard.js";
import { createSession } from "./loading.js";
import type { MessageFormat } from "./message-format.js";
import type { CompactionOutcome } from "./outcome.js";
import { contextUsage } from "./planning.js";
import { messagesJson } from "./project.js";
import { asSpoken } from "./spoken.js";
import { loadTokenizer } from "./tokenizers.js";

/** Options of {@link foldMessages}: those of {@link compact}, and these. */
export interface FoldOptions extends CompactOptions {
  /** Default: that of the state; without one it is told from the messages. */
  format?: MessageFormat | undefined;
  /** What is sent beside the messages, tools for instance, in tokens; system messages among them are counted by themselves. */
  fixedTokens?: number | undefined;
  /** Counts with this encoding, exactly, instead of estimating; it is loaded where it is not yet. */
  tokenizer?: Encoding | undefined;
  /** How images are counted, and by whose rules PDFs and audio. Default: `anthropic`. */
  images?: ImageRule | undefined;
  /** What the last fold of this conversation gave. */
  state?: FoldState | undefined;
  /** Folds also where the context has not passed the threshold. Default: false. */
  force?: boolean | undefined;
}

/** What a fold came to. */
export interface FoldResult<M> {
  /**
   * What to send from now on: the system messages, the summary, and the kept messages, which are the very
   * same objects; the very array that came in where there is nothing to change.
   */
  messages: M[];
  /** How the run ended. An entry's id is the index of its message, and `.1`, `.2` where one made several. */
  outcome: CompactionOutcome;
  /** To be handed to the next fold of this conversation; left out as long as nothing was folded. */
  state?: FoldState;
  format: MessageFormat;
  /** The state that was given did not fit the messages: they were changed since, and it was not used. */
  edited?: true;
}

/**
 * Folds the messages of a chat once they have passed the threshold: the earlier part becomes one summary
 * message behind the system messages, the recent part is kept. The array and what is in it never change.
 *
 * A later fold goes on from the earlier summary where it gets the `state` of the last one: with the messages
 * that came out of it and what was said since, or with the whole conversation as the host keeps it.
 *
 * The promise resolves however the run ends, as that of {@link compact}; it rejects for wrong use:
 * `invalid-argument`, `unsupported-format`, `ambiguous-format`, `invalid-settings`, `invalid-window`, `too-large`.
 */
export async function foldMessages<M>(messages: readonly M[], options: FoldOptions = {}): Promise<FoldResult<M>> {
  const checked = checkCompactOptions("foldMessages", options, ["format", "state", "force", "tokenizer", "images"]);
  const { force = false, tokenizer, images } = options;
  if (typeof force !== "boolean") refuse("force", force, "true or false");
  const given = checkFoldState(options.state);
  checkName("format", options.format);
  const format = options.format ?? given?.format;
  if (given !== undefined && format !== given.format) refuse("state.format", given.format, `${describe(format)}, the format of the messages`);
  const json = messagesJson(messages, "ends");
  // The host's array may grow while the run waits.
  const items = messages.slice();
  const stateGiven = stateJson(given);
  await Promise.all([init({ formats: true }), tokenizer === undefined ? undefined : loadTokenizer(tokenizer)]);
  const { session, info } = foldedSession(json, { format, tokenizer, images, state: stateGiven, now: checked.now() });
  try {
    const { fixedTokens } = checked;
    const systemTokens = tokensOf(info.system, { tokenizer, images });
    const fixed = fixedTokens === undefined && systemTokens === 0 ? undefined : (fixedTokens ?? 0) + systemTokens;
    const outcome = await runCompaction(session, { ...checked, fixedTokens: fixed }, force ? "in any case" : "where it is due");
    const known = info.use === "continued" ? given : undefined;
    const result = outcome.status === "committed" ? folded(items, info, outcome) : { messages: unfolded(messages, items, info, known), state: known };
    return {
      messages: result.messages,
      outcome,
      ...(result.state === undefined ? {} : { state: result.state }),
      format: info.format,
      ...(info.use === "edited" ? { edited: true } : {}),
    };
  } finally {
    session.free();
  }
}

/** What messages count, which are in no session. */
function tokensOf(messages: readonly Message[], options: Pick<FoldOptions, "tokenizer" | "images">): number {
  const session = createSession(options);
  try {
    return contextUsage(session, { pending: messages }).tokens;
  } finally {
    session.free();
  }
}

/** The messages and the state after a fold. */
function folded<M>(items: readonly M[], info: FoldInfo, { entry }: CompactionOutcome): { messages: M[]; state: FoldState } {
  const firstKept = entry?.type === "compaction" ? Number.parseInt(entry.firstKeptEntryId, 10) : NaN;
  const count = firstKept - info.systemCount;
  const digest = info.digests[count];
  if (entry === undefined || digest === undefined) throw new ThreadfoldError("internal", "a fold kept messages from a place that there is not");
  const state = stateAfter(info.format, entry, count, digest);
  const { summary, summaryDigest } = summaryOf<M>(state);
  return {
    messages: [...items.slice(0, info.systemCount), summary, ...items.slice(firstKept)],
    state: summaryDigest === undefined ? state : { ...state, summaryDigest },
  };
}

/** The messages where nothing was folded: those that came in, or, of a whole conversation, what the state shows of it. */
function unfolded<M>(messages: readonly M[], items: readonly M[], info: FoldInfo, state: FoldState | undefined): M[] {
  const isWhole = state !== undefined && info.digests[state.folded] === state.digest;
  if (!isWhole) return messages as M[];
  return [...items.slice(0, info.systemCount), summaryOf<M>(state).summary, ...items.slice(info.start)];
}

/** The message that a summary is in the format of the conversation. */
function summaryOf<M>({ format, summary, tokensBefore, timestamp }: FoldState): { summary: M; summaryDigest: string | undefined } {
  const message: Message = { role: "compactionSummary", summary, tokensBefore, ...(timestamp === undefined ? {} : { timestamp }) };
  const { messages, digests } = askAbout("from-core", JSON.stringify(asSpoken([message], format)), format);
  return { summary: messages[0] as M, summaryDigest: digests[1] };
}
