// A provider that is simulated: it counts each request, refuses one that is too large, and otherwise answers what
// the script says.

import { convertToLlm, estimateTokens, type AssistantMessage, type ImageRule, type Session } from "threadfold";

/** System prompt and tools of the agent, in tokens. */
const OVERHEAD = 2_600;

export class Provider {
  readonly model;
  /** What the request before held, which is read from the cache as far as it is the same. */
  #cached = 0;

  constructor(
    readonly contextWindow: number,
    readonly images: ImageRule,
  ) {
    this.model = { provider: "simulated", id: "agent", contextWindow };
  }

  /** How large the next request is, in tokens. */
  size(session: Session): number {
    return OVERHEAD + estimateTokens(convertToLlm(session.buildSessionContext().messages), { images: this.images });
  }

  /** The answer of the script with what this provider counts, or its refusal. */
  answer(session: Session, scripted: AssistantMessage): AssistantMessage {
    const size = this.size(session);
    const { provider, id: model } = this.model;
    if (size > this.contextWindow) {
      const errorMessage = `400 invalid_request_error: prompt is too long: ${size} tokens > ${this.contextWindow} maximum`;
      return { role: "assistant", content: [], provider, model, stopReason: "error", errorMessage };
    }
    const cacheRead = size < this.#cached ? OVERHEAD : this.#cached;
    this.#cached = size;
    const output = estimateTokens(scripted, { images: this.images });
    return { ...scripted, provider, model, usage: { input: size - cacheRead, output, cacheRead, cacheWrite: 0 } };
  }
}
