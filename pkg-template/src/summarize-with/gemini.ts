import { describe, refuse } from "../guard.js";
import type { Summarize, SummaryReply } from "../summarizer.js";
import { checkClient, endOf, failedFor, type ClientOptions } from "./asking.js";
import { at, listAt, textOf, tokens, usageOf } from "./reading.js";

/** What is called of a client of the `@google/genai` package. */
export interface GeminiClient {
  models: { generateContent(request: { model: string; contents: string; config: object }): PromiseLike<unknown> };
}

const NAME = "summarizeWith.gemini";

/** Every other word names a filter or a fault. */
const WORDS = { STOP: "stop", FINISH_REASON_UNSPECIFIED: "stop", MAX_TOKENS: "length" } as const;

/** Summaries by a client of the `@google/genai` package. `parameters` are more of its `config`. */
export function gemini(client: GeminiClient, options: ClientOptions = {}): Summarize {
  if (typeof client?.models?.generateContent !== "function") refuse(NAME, client, "a client with models.generateContent");
  const { modelFor, parameters } = checkClient(NAME, options);
  return async ({ systemPrompt, prompt, maxTokens }, context) => {
    const config = { systemInstruction: systemPrompt, maxOutputTokens: maxTokens, abortSignal: context.signal, ...parameters };
    return read(await client.models.generateContent({ model: modelFor(context), contents: prompt, config }));
  };
}

function read(answer: unknown): SummaryReply {
  const counted = at(answer, "usageMetadata");
  const usage = usageOf({
    prompt: at(counted, "promptTokenCount"),
    output: tokens(at(counted, "candidatesTokenCount")) + tokens(at(counted, "thoughtsTokenCount")),
    cacheRead: at(counted, "cachedContentTokenCount"),
  });
  const parts = listAt(answer, "candidates", 0, "content", "parts").filter((part) => at(part, "thought") !== true);
  const blocked = at(answer, "promptFeedback", "blockReason");
  const end = blocked === undefined ? endOf(at(answer, "candidates", 0, "finishReason"), WORDS, "error") : failedFor(`the prompt was blocked: ${describe(blocked)}`);
  return { text: textOf(parts), ...end, usage: counted === undefined ? undefined : usage };
}
