// The callback that writes Threadfold's summaries: the same provider, asked without tools.

import { textOf } from "./answer.mjs";

/**
 * Errors are not caught: Threadfold reads their status and headers, waits where that helps, and moves
 * on to the next of the models where it does not.
 *
 * @param {import("./provider.mjs").Provider} provider
 * @param {import("threadfold").Model} model the model where Threadfold names none
 * @returns {import("threadfold").Summarize}
 */
export function summarizeWith(provider, model) {
  return async ({ systemPrompt, prompt, maxTokens }, context) => {
    const { id, maxOutputTokens = maxTokens } = context.model ?? model;
    const answer = await provider.ask(
      {
        model: id,
        system: systemPrompt,
        messages: [{ role: "user", content: prompt }],
        tools: [],
        maxTokens: Math.min(maxTokens, maxOutputTokens),
      },
      { signal: context.signal },
    );
    const { content, stopReason, errorMessage, usage } = answer;
    return { text: textOf(content), stopReason, errorMessage, usage };
  };
}
