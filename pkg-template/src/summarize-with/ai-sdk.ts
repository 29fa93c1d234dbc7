import { checkOptions, refuse } from "../guard.js";
import type { Model } from "../models.js";
import type { Summarize, SummaryReply } from "../summarizer.js";
import { checkParameters, endOf } from "./asking.js";
import { at, textAt, usageOf } from "./reading.js";

/** The function `generateText` of the `ai` package, of version 5 or later. `Model` is what it takes as a model. */
export type GenerateText<LanguageModel> = (options: {
  model: LanguageModel;
  system: string;
  prompt: string;
  maxOutputTokens: number;
  maxRetries: number;
  abortSignal: AbortSignal;
}) => PromiseLike<unknown>;

/** Options of `summarizeWith.aiSdk`. */
export interface AiSdkOptions<LanguageModel> {
  /** The model that writes the summaries, or a function that gives it for the candidate that the run asks. */
  model: LanguageModel | ((candidate: Model | undefined) => LanguageModel);
  /** More options of `generateText`; they go before ours. */
  parameters?: Readonly<Record<string, unknown>> | undefined;
}

const NAME = "summarizeWith.aiSdk";
const WORDS = { stop: "stop", length: "length", "tool-calls": "toolUse", "content-filter": "error", error: "error" } as const;

/** Summaries by the AI SDK: its function `generateText` is handed in, or an object that has it. */
export function aiSdk<LanguageModel>(
  ai: GenerateText<LanguageModel> | { generateText: GenerateText<LanguageModel> },
  options: AiSdkOptions<LanguageModel>,
): Summarize {
  const generateText = typeof ai === "function" ? ai : ai?.generateText;
  if (typeof generateText !== "function") refuse(NAME, ai, "the function generateText of the package ai");
  checkOptions(NAME, options, ["model", "parameters"]);
  const parameters = checkParameters(NAME, options.parameters);
  const { model } = options;
  if (model === undefined || model === null) refuse(`${NAME}.model`, model, "a model of the AI SDK, or a function that gives it");
  const modelFor = typeof model === "function" ? (model as (candidate: Model | undefined) => LanguageModel) : () => model;
  return async ({ systemPrompt, prompt, maxTokens }, { signal, model: candidate }) => {
    const asked = { model: modelFor(candidate), system: systemPrompt, prompt, maxOutputTokens: maxTokens, abortSignal: signal };
    // Retries are the run's: two that wait one inside the other would wait for minutes.
    return read(await generateText({ ...asked, maxRetries: 0, ...parameters }));
  };
}

function read(answer: unknown): SummaryReply {
  const usage = usageOf({
    prompt: at(answer, "usage", "inputTokens"),
    output: at(answer, "usage", "outputTokens"),
    cacheRead: at(answer, "usage", "inputTokenDetails", "cacheReadTokens") ?? at(answer, "usage", "cachedInputTokens"),
    cacheWrite: at(answer, "usage", "inputTokenDetails", "cacheWriteTokens"),
  });
  return { text: textAt(answer, "text") ?? "", ...endOf(at(answer, "finishReason"), WORDS), usage };
}
