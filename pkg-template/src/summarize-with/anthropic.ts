import { refuse } from "../guard.js";
import type { Summarize, SummaryReply } from "../summarizer.js";
import { checkClient, endOf, type ClientOptions } from "./asking.js";
import { at, listAt, textOf, tokens, usageOf } from "./reading.js";

/** What is called of a client of the `@anthropic-ai/sdk` package, or of one that behaves like it. */
export interface AnthropicClient {
  messages: { create(body: object, options: { signal: AbortSignal; maxRetries: number }): PromiseLike<unknown> };
}

const NAME = "summarizeWith.anthropic";
const WORDS = {
  end_turn: "stop",
  stop_sequence: "stop",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  tool_use: "toolUse",
  pause_turn: "length",
  refusal: "error",
} as const;

/** Summaries by a client of the `@anthropic-ai/sdk` package. */
export function anthropic(client: AnthropicClient, options: ClientOptions = {}): Summarize {
  if (typeof client?.messages?.create !== "function") refuse(NAME, client, "a client with messages.create");
  const { modelFor, parameters } = checkClient(NAME, options);
  return async ({ systemPrompt, prompt, maxTokens }, context) => {
    const messages = [{ role: "user", content: prompt }];
    const body = { model: modelFor(context), system: systemPrompt, messages, max_tokens: maxTokens, ...parameters };
    // Retries are the run's: two that wait one inside the other would wait for minutes.
    return read(await client.messages.create(body, { signal: context.signal, maxRetries: 0 }));
  };
}

function read(answer: unknown): SummaryReply {
  const cacheRead = tokens(at(answer, "usage", "cache_read_input_tokens"));
  const cacheWrite = tokens(at(answer, "usage", "cache_creation_input_tokens"));
  // The provider counts the input beside what a cache gave or took.
  const input = at(answer, "usage", "input_tokens");
  const prompt = typeof input === "number" ? input + cacheRead + cacheWrite : undefined;
  const usage = usageOf({ prompt, output: at(answer, "usage", "output_tokens"), cacheRead, cacheWrite });
  const texts = listAt(answer, "content").filter((block) => at(block, "type") === "text");
  return { text: textOf(texts), ...endOf(at(answer, "stop_reason"), WORDS), usage };
}
