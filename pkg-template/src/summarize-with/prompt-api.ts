import { checkOptions, refuse } from "../guard.js";
import type { Summarize } from "../summarizer.js";
import { checkParameters } from "./asking.js";

/** What is called of the global `LanguageModel` of a browser. */
export interface PromptApi {
  create(options: { initialPrompts: { role: "system"; content: string }[]; signal: AbortSignal }): PromiseLike<PromptApiSession>;
}

/** What is called of a session of it. */
export interface PromptApiSession {
  prompt(input: string, options: { signal: AbortSignal }): PromiseLike<string>;
  destroy(): void;
}

/** Options of `summarizeWith.promptApi`. */
export interface PromptApiOptions {
  /** More options of `LanguageModel.create`, the expected languages for instance; they go before ours. */
  parameters?: Readonly<Record<string, unknown>> | undefined;
}

const NAME = "summarizeWith.promptApi";

/**
 * Summaries by the model that the browser has built in. It knows no output limit, tells no reason why it
 * stopped, and counts no usage; each request has a session of its own, which is ended behind it.
 */
export function promptApi(languageModel: PromptApi, options: PromptApiOptions = {}): Summarize {
  if (typeof languageModel?.create !== "function") refuse(NAME, languageModel, "the global LanguageModel of the browser");
  checkOptions(NAME, options, ["parameters"]);
  const parameters = checkParameters(NAME, options.parameters);
  return async ({ systemPrompt, prompt }, { signal }) => {
    const initialPrompts = [{ role: "system" as const, content: systemPrompt }];
    const session = await languageModel.create({ initialPrompts, signal, ...parameters });
    try {
      return await session.prompt(prompt, { signal });
    } finally {
      session.destroy();
    }
  };
}
