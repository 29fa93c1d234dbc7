// The conversation. It keeps every message, as the user interface of a chat does. Before each request
// `foldMessages` makes of them what the model sees: all of them at first; later a summary, and behind it the
// newest ones.

import {
  convertToModelMessages,
  generateText,
  generateId,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
  readUIMessageStream,
  streamText,
} from "ai";
import { estimateTokens, foldMessages, summarizeWith } from "threadfold";
import { z } from "zod";
import { toolsOn } from "./tools.mjs";

/**
 * @typedef {import("ai").UIMessage<unknown, import("ai").UIDataTypes, import("ai").InferUITools<import("./tools.mjs").Tools>>} ChatMessage
 *
 * @typedef {object} ChatParts
 * @property {import("./chat-file.mjs").ChatFile} file
 * @property {import("ai").LanguageModel} model
 * @property {number} contextWindow in tokens
 * @property {import("threadfold").PartialSettings} [settings] Threadfold's
 * @property {(text: string) => void} onText called with each piece of an answer
 * @property {(outcome: import("threadfold").CompactionOutcome) => void} onFold called after a fold
 * @property {(note: { text: string }) => Promise<boolean>} approve asks the user about a note
 *
 * @typedef {import("./chat-file.mjs").Kept & { notes: string[], messages: ChatMessage[] }} Turn
 */

const SYSTEM_PROMPT = "You are a helpful companion. Your notes outlast a chat: look there before you say that you do not know.";

const MOST_OUTPUT_TOKENS = 1_000;

/** What each request holds beside the messages, in tokens: Threadfold cannot see it. */
const FIXED_TOKENS = estimateTokens(
  SYSTEM_PROMPT + JSON.stringify(Object.entries(toolsOn([])).map(([name, tool]) => [name, tool.description, z.toJSONSchema(/** @type {z.ZodType} */ (tool.inputSchema))])),
);

export class Chat {
  #parts;
  #kept;
  #isBusy = false;

  /** @param {ChatParts} parts */
  constructor(parts) {
    this.#parts = parts;
    this.#kept = parts.file.kept;
  }

  get messages() {
    return this.#kept.messages;
  }

  get isBusy() {
    return this.#isBusy;
  }

  /**
   * Sends a message and gives the answer, after all that the model wants to do for it. A turn that fails or is
   * stopped leaves no trace: its messages, notes and folds are kept once it has ended well.
   *
   * @param {string} text @param {AbortSignal} [signal]
   */
  async send(text, signal) {
    this.#isBusy = true;
    try {
      /** @type {ChatMessage} */
      const message = { id: generateId(), role: "user", parts: [{ type: "text", text }] };
      /** @type {Turn} */
      const turn = { ...this.#kept, messages: [...this.#kept.messages, message], notes: [...this.#kept.notes] };
      do {
        await this.#step(turn, signal);
        await this.#askAboutNotes(turn);
        // A model that called a tool goes on once every call has its result, or the user's word on it.
      } while (lastAssistantMessageIsCompleteWithToolCalls(turn) || lastAssistantMessageIsCompleteWithApprovalResponses(turn));
      signal?.throwIfAborted();
      await this.#parts.file.save(turn);
      this.#kept = turn;
      return turn.messages.at(-1);
    } finally {
      this.#isBusy = false;
    }
  }

  /** One request; what comes of it belongs to the answer that ends the turn's messages. @param {Turn} turn @param {AbortSignal | undefined} signal */
  async #step(turn, signal) {
    const { model, onText } = this.#parts;
    const seen = await this.#fold(turn, signal);
    const tools = toolsOn(turn.notes);
    /** @type {unknown} */
    let failure;
    const result = streamText({
      model,
      system: SYSTEM_PROMPT,
      messages: await convertToModelMessages(seen, { tools }),
      tools,
      maxOutputTokens: MOST_OUTPUT_TOKENS,
      onChunk: ({ chunk }) => {
        if (chunk.type === "text-delta") onText(chunk.text);
      },
      onError: ({ error }) => {
        failure = error;
      },
      ...(signal === undefined ? {} : { abortSignal: signal }),
    });
    const last = turn.messages.at(-1);
    const begun = last?.role === "assistant" ? last : undefined;
    /** @type {ReadableStream<import("ai").InferUIMessageChunk<ChatMessage>>} */
    const stream = result.toUIMessageStream({ originalMessages: turn.messages, generateMessageId: generateId });
    let answer;
    // The reader writes on the message that it goes on with.
    for await (const state of readUIMessageStream({ stream, ...(begun === undefined ? {} : { message: structuredClone(begun) }) })) answer = state;
    signal?.throwIfAborted();
    if (failure !== undefined) throw failure;
    if (answer === undefined) throw new Error("the model gave no answer");
    turn.messages = [...(begun === undefined ? turn.messages : turn.messages.slice(0, -1)), answer];
  }

  /** What the model is to see of the conversation. @param {Turn} turn @param {AbortSignal | undefined} signal */
  async #fold(turn, signal) {
    const { model, contextWindow, settings, onFold } = this.#parts;
    const { messages, outcome, state } = await foldMessages(turn.messages, {
      format: "ai-sdk-ui",
      state: turn.foldState,
      contextWindow,
      fixedTokens: FIXED_TOKENS,
      settings,
      summarize: summarizeWith.aiSdk(generateText, { model }),
      signal,
    });
    signal?.throwIfAborted();
    if (outcome.status === "failed") throw outcome.error;
    if (state !== undefined) turn.foldState = state;
    if (outcome.status === "committed") onFold(outcome);
    return messages;
  }

  /** Asks the user about each note that the model wants to write, and puts the answers into the message. @param {Turn} turn */
  async #askAboutNotes(turn) {
    const last = turn.messages.at(-1);
    if (last?.role !== "assistant") return;
    const parts = [];
    for (const part of last.parts) parts.push(isQuestion(part) ? await this.#answered(part) : part);
    turn.messages = [...turn.messages.slice(0, -1), { ...last, parts }];
  }

  /** @param {Question} part */
  async #answered(part) {
    const approved = await this.#parts.approve(part.input);
    return { ...part, state: /** @type {const} */ ("approval-responded"), approval: { id: part.approval.id, approved } };
  }
}

/**
 * @typedef {Extract<ChatMessage["parts"][number], { type: "tool-writeNote", state: "approval-requested" }>} Question
 *
 * @param {ChatMessage["parts"][number]} part
 * @returns {part is Question}
 */
function isQuestion(part) {
  return part.type === "tool-writeNote" && part.state === "approval-requested";
}
