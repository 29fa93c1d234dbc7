// The model, by the AI SDK's provider for everything that speaks OpenAI's chat completions. Another
// provider of the AI SDK fits in its place.

import { createOpenAICompatible } from "@ai-sdk/openai-compatible";

/**
 * @param {{ baseURL: string, model: string, apiKey?: string | undefined }} options
 * @returns {import("ai").LanguageModel}
 */
export function openModel({ baseURL, model, apiKey }) {
  const provider = createOpenAICompatible({ name: "endpoint", baseURL, includeUsage: true, ...(apiKey ? { apiKey } : {}) });
  return provider.chatModel(model);
}
