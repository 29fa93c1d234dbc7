// The agent loop: ask the model, run the tools it calls, ask again, until it has nothing more to call.
//
// The session is Threadfold's. The loop appends every message to it, and calls its companion, an
// AgentSession, at the three places where a context may have to shrink:
//
//   before a user's prompt       beforePrompt(message)
//   between two steps            beforePrompt()
//   after the turn               handleTurnEnd(answer), which also says whether to go on

import { convertToLlm, estimateTokens } from "threadfold";
import { errorText, inPlainWords, sleep, withRetries } from "./retry.mjs";
import { runTool, toolResult, TOOLS } from "./tools.mjs";

/**
 * @typedef {import("threadfold").AssistantMessage} AssistantMessage
 *
 * What the user sees.
 *
 * @typedef {object} Screen
 * @property {(text: string) => void} text a piece of the answer
 * @property {(call: import("threadfold").ToolCallBlock) => void} call
 * @property {(text: string) => void} notice a line about the agent itself
 *
 * @typedef {object} AgentParts
 * @property {import("threadfold").AgentSession} companion
 * @property {import("threadfold").Session} session the companion's
 * @property {import("./provider.mjs").Provider} provider
 * @property {import("threadfold").Model & { maxOutputTokens: number }} model
 * @property {import("./tools.mjs").Workplace} workplace
 * @property {Screen} screen
 * @property {import("threadfold").Sleep} [sleep] waits before a request is sent again
 */

export const SYSTEM_PROMPT = `You are a careful programmer. You work on the files of one folder with the tools you have, and look before you change anything. Say briefly what you did when you are done.`;

/** What each request holds beside the session, in tokens: Threadfold cannot see it. */
export const FIXED_TOKENS = estimateTokens(SYSTEM_PROMPT + JSON.stringify(TOOLS));

export class Agent {
  #parts;
  /** Of what is going on; undefined while nothing is. @type {AbortController | undefined} */
  #running;
  /** Answers that were tried again: the model is to see them no more. @type {WeakSet<import("threadfold").Message>} */
  #triedAgain = new WeakSet();

  /** @param {AgentParts} parts */
  constructor(parts) {
    this.#parts = { ...parts, sleep: parts.sleep ?? sleep };
  }

  /** Answers a user's prompt. Gives false where it was stopped before the prompt became part of the session. @param {string} text */
  prompt(text) {
    return this.#run(async (signal) => {
      const message = userMessage(text);
      await this.#parts.companion.beforePrompt(message);
      if (signal.aborted) return false;
      await this.#parts.companion.append(message);
      await this.#turns(signal);
      return true;
    });
  }

  /** Whether the last turn has no answer: the process ended in the middle, the provider failed, or the user stopped it. */
  get isUnfinished() {
    const { messages, pendingToolCalls } = this.#parts.session.buildSessionContext();
    return pendingToolCalls.length > 0 || ["user", "toolResult"].includes(messages.at(-1)?.role ?? "");
  }

  /** Goes on with an unfinished turn. */
  resume() {
    return this.#run(async (signal) => {
      const { pendingToolCalls } = this.#parts.session.buildSessionContext();
      for (const { toolCallId: id, toolName: name } of pendingToolCalls) {
        // It may have been carried out or not; a second time could do harm.
        const text = "The agent was stopped during this call. Look at what it did before you repeat it.";
        await this.#parts.companion.append(toolResult({ type: "toolCall", id, name, arguments: {} }, text, true));
      }
      await this.#parts.companion.beforePrompt();
      await this.#turns(signal);
    });
  }

  /** Stops whatever goes on: a request, a wait, a compaction, a branch summary. */
  abort() {
    this.#running?.abort();
    this.#parts.companion.abortCompaction();
    this.#parts.companion.abortBranchSummary();
  }

  /** @template Value @param {(signal: AbortSignal) => Promise<Value>} work */
  async #run(work) {
    const running = (this.#running = new AbortController());
    try {
      return await work(running.signal);
    } finally {
      this.#running = undefined;
    }
  }

  /** Turns for as long as Threadfold says that there is something to go on with. @param {AbortSignal} signal */
  async #turns(signal) {
    while (!signal.aborted) {
      const answer = await this.#turn(signal);
      if (answer === undefined || answer.stopReason === "aborted") return;
      const { next } = await this.#parts.companion.handleTurnEnd(answer);
      if (next.type === "wait") {
        if (answer.stopReason === "error") this.#parts.screen.notice(`The model failed: ${inPlainWords(answer.errorMessage ?? "")}`);
        return;
      }
      // The request is made anew. A failed answer is out of the model's sight, one that was cut off is not.
      if (next.type === "continue" && next.withoutLast) this.#leaveLastOut();
      if (next.type === "prompt") await this.#parts.companion.append(userMessage(next.text));
    }
  }

  /** One turn, step by step. Gives its last answer; undefined where it was stopped between two steps. @param {AbortSignal} signal */
  async #turn(signal) {
    while (!signal.aborted) {
      const answer = await this.#step(signal);
      await this.#parts.companion.append(answer);
      const calls = answer.content.filter((block) => block.type === "toolCall");
      if (answer.stopReason === "error" || answer.stopReason === "aborted" || calls.length === 0) return answer;
      for (const call of calls) {
        this.#parts.screen.call(call);
        // Every call gets a result, also when the user has had enough.
        const result = signal.aborted ? toolResult(call, "The user stopped the agent.", true) : await runTool(call, this.#parts.workplace);
        await this.#parts.companion.append(result);
      }
      if (!signal.aborted) await this.#parts.companion.beforePrompt();
    }
    return undefined;
  }

  /** The messages that the model sees. A session gives the same objects each time. */
  #context() {
    return this.#parts.session.buildSessionContext().messages.filter((message) => !this.#triedAgain.has(message));
  }

  #leaveLastOut() {
    const last = this.#context().at(-1);
    if (last !== undefined) this.#triedAgain.add(last);
  }

  /**
   * One request. A failure is an answer too, with the error's text: it belongs to the session, and
   * Threadfold tells by it whether the context overflowed.
   *
   * @param {AbortSignal} signal @returns {Promise<AssistantMessage>}
   */
  async #step(signal) {
    const { provider, model, screen, sleep } = this.#parts;
    const request = {
      model: model.id,
      system: SYSTEM_PROMPT,
      messages: convertToLlm(this.#context()),
      tools: TOOLS,
      maxTokens: model.maxOutputTokens,
    };
    try {
      return await withRetries(() => provider.ask(request, { signal, onText: screen.text }), {
        signal,
        sleep,
        onWait: (error, waitMs) => screen.notice(`${inPlainWords(errorText(error))}; again in ${waitMs / 1_000} s`),
      });
    } catch (error) {
      const about = { role: /** @type {const} */ ("assistant"), content: [], provider: provider.name, model: model.id, timestamp: Date.now() };
      if (signal.aborted) return { ...about, stopReason: "aborted" };
      return { ...about, stopReason: "error", errorMessage: errorText(error) };
    }
  }
}

/** @param {string} text @returns {import("threadfold").UserMessage} */
function userMessage(text) {
  return { role: "user", content: text, timestamp: Date.now() };
}
