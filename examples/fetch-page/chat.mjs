// The conversation: a plain array of messages. Before each request `foldMessages` makes of it what the model
// sees: all of it at first; later a summary, and behind it the newest messages.

import { foldMessages, summarizeWith } from "threadfold";
import { clientOf, streamAnswer } from "./endpoint.mjs";

/**
 * @typedef {import("./endpoint.mjs").ChatMessage} ChatMessage
 *
 * @typedef {object} Screen
 * @property {(text: string) => void} onText called with each piece of an answer
 * @property {(outcome: import("threadfold").CompactionOutcome) => void} onFold called once it is known how large the context is, folded or not
 */

const MOST_OUTPUT_TOKENS = 1_000;

export class Chat {
  /** Everything that was said. @type {readonly ChatMessage[]} */
  messages = [{ role: "system", content: "You are a helpful companion. Answer briefly." }];
  /** What the next fold goes on from. @type {import("threadfold").FoldState | undefined} */
  #state;

  /** How many messages, behind the system message, a summary stands for. */
  get folded() {
    return this.#state?.folded ?? 0;
  }

  /** What stands for them. */
  get summary() {
    return this.#state?.summary;
  }

  /**
   * Sends a message and waits for the answer. Where that fails or is stopped, nothing was said.
   *
   * @param {string} text @param {import("./endpoint.mjs").Connection} connection @param {Screen} screen @param {AbortSignal} signal
   */
  async send(text, connection, { onText, onFold }, signal) {
    /** @type {ChatMessage[]} */
    const messages = [...this.messages, { role: "user", content: text }];
    const { messages: seen, outcome, state } = await foldMessages(messages, {
      format: "openai-chat",
      state: this.#state,
      contextWindow: connection.contextWindow,
      summarize: summarizeWith.openai(clientOf(connection), { model: connection.model }),
      signal,
    });
    signal.throwIfAborted();
    if (outcome.status === "failed") throw outcome.error;
    // What the fold came to holds for all that was said before, too.
    this.#state = state;
    onFold(outcome);
    let answer = "";
    for await (const piece of streamAnswer(connection, { messages: seen, max_completion_tokens: MOST_OUTPUT_TOKENS }, signal)) {
      answer += piece;
      onText(piece);
    }
    if (answer.trim() === "") throw new Error("the model gave no answer");
    this.messages = [...messages, { role: "assistant", content: answer }];
  }
}
