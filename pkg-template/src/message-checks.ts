import type { ImageRule } from "./data.js";
import type { Encoding } from "./encoding.js";
import type { Message, ToolResultMessage } from "./entry.js";
import { foldedSession } from "./folded-session.js";
import { askAbout } from "./format-engine.js";
import { checkOptions } from "./guard.js";
import type { MessageFormat } from "./message-format.js";
import type { MessageRepair, Problem } from "./message-problems.js";
import { applyOutline } from "./outline.js";
import { messagesJson } from "./project.js";
import { pruneToolOutputs } from "./prune.js";
import type { PartialSettings } from "./settings.js";

/** What {@link validateMessages} found. */
export interface ValidationResult {
  /** Whether a provider would take the messages as they are. */
  valid: boolean;
  format: MessageFormat;
  /** What it would refuse them for, in the order of the messages. */
  problems: Problem[];
}

/** What {@link repairMessages} did. */
export interface RepairResult<M> {
  /** The messages as a provider takes them; the very array that came in where nothing had to be done. */
  messages: M[];
  format: MessageFormat;
  /** What was done, in the order of the messages. */
  repairs: MessageRepair[];
  /** What could not be healed. */
  problems: Problem[];
}

/** Options of {@link pruneMessages}. */
export interface PruneMessagesOptions {
  /** Default: told from the messages. */
  format?: MessageFormat | undefined;
  settings?: PartialSettings | undefined;
  /** Counts with this encoding, exactly, instead of estimating. In a browser `await loadTokenizer(encoding)` comes first. */
  tokenizer?: Encoding | undefined;
  /** How images are counted, and by whose rules PDFs and audio. Default: `anthropic`. */
  images?: ImageRule | undefined;
}

/** What {@link pruneMessages} did. */
export interface PruneMessagesResult<M> {
  /** The messages with the notices; the very array that came in where nothing was pruned. */
  messages: M[];
  format: MessageFormat;
  /** How many tool outputs were pruned. */
  prunedCount: number;
  /** By how much that made the context smaller, in tokens. */
  tokensSaved: number;
  /** The messages that they are in. */
  prunedIndices: number[];
}

/**
 * The format of messages. Throws `ambiguous-format` where several fit, which the error names, and
 * `unsupported-format` where none does. In a browser `await init({ formats: true })` comes first.
 */
export function detectFormat(messages: readonly unknown[]): MessageFormat {
  return askAbout("detect", messagesJson(messages, "ends")).format;
}

/**
 * Whether a provider would take the messages, and what it would refuse them for. A call at the end that
 * still awaits its result is such a problem, marked as `pending`. Throws `invalid-argument` for what is
 * no message of any format, `unsupported-format` or `ambiguous-format`. In a browser
 * `await init({ formats: true })` comes first.
 */
export function validateMessages(messages: readonly unknown[], format?: MessageFormat): ValidationResult {
  const { format: known, problems } = askAbout("validate", messagesJson(messages, "ends"), format);
  return { valid: problems.length === 0, format: known, problems };
}

/**
 * The smallest change that makes the messages ones that a provider takes. Nothing that came in changes:
 * messages and parts that are kept are the very same objects. A call without a result gets one that says
 * so, also where it may still come. Throws as {@link validateMessages} does, and needs the same `init`.
 */
export function repairMessages<M>(messages: readonly M[], format?: MessageFormat): RepairResult<M> {
  const { outline, ...said } = askAbout("repair", messagesJson(messages, "ends"), format);
  return { ...said, messages: applyOutline(messages, outline) };
}

/**
 * Replaces old tool outputs by a notice of how much was there, by the settings of pruning. The other
 * messages are the very same objects. Throws as {@link validateMessages} does, and `invalid-settings`; needs
 * the same `init`.
 */
export function pruneMessages<M>(messages: readonly M[], options: PruneMessagesOptions = {}): PruneMessagesResult<M> {
  checkOptions("pruneMessages", options, ["format", "settings", "tokenizer", "images"]);
  const { tokenizer, images } = options;
  const json = messagesJson(messages, "ends");
  const { session, info } = foldedSession(json, { format: options.format, tokenizer, images, now: Date.now() });
  try {
    const { prunedIds, ...pruned } = pruneToolOutputs(session, { settings: options.settings, mode: "rewrite" });
    const notices = prunedIds.map((id) => [id, textOf(session.message(session.require("pruneMessages", id)))]);
    const { format } = info;
    const { outline } = askAbout("notices", json, format, JSON.stringify(Object.fromEntries(notices)));
    const prunedIndices = [...new Set(prunedIds.map((id) => Number.parseInt(id, 10)))];
    return { messages: applyOutline(messages, outline), format, ...pruned, prunedIndices };
  } finally {
    session.free();
  }
}

/** The text of a tool result. */
function textOf(message: Message): string {
  const { content } = message as ToolResultMessage;
  if (typeof content === "string") return content;
  return content.map((block) => (block.type === "text" ? block.text : "")).join("");
}
