import type { AssistantMessage } from "../entry.js";
import { checkOptions, describe, refuse } from "../guard.js";
import type { Model } from "../models.js";
import type { SummarizeContext, SummaryReply } from "../summarizer.js";

/** Options of every client. */
export interface ClientOptions {
  /**
   * The model that writes the summaries, by the provider's name for it, or a function that gives it for
   * the candidate that the run asks. Default: that candidate, of the run's `model` and `models`.
   */
  model?: string | ((candidate: Model | undefined) => string) | undefined;
  /** More parameters of the request, as the client takes them; they go before ours. */
  parameters?: Readonly<Record<string, unknown>> | undefined;
}

/** Options that were checked. */
export interface CheckedClient {
  modelFor(context: SummarizeContext): string;
  parameters: Readonly<Record<string, unknown>>;
}

/** Checks the options that every client has; `more` are the names of its own. */
export function checkClient(name: string, options: ClientOptions, more: readonly string[] = []): CheckedClient {
  checkOptions(name, options, ["model", "parameters", ...more]);
  const { model } = options;
  if (model !== undefined && typeof model !== "string" && typeof model !== "function") {
    refuse(`${name}.model`, model, "the name of a model, or a function that gives it");
  }
  return {
    modelFor({ model: candidate }) {
      const chosen: unknown = typeof model === "function" ? model(candidate) : (model ?? candidate?.id);
      if (typeof chosen === "string" && chosen !== "") return chosen;
      return refuse(`${name}.model`, chosen, "the name of a model, here or as `model` of the run");
    },
    parameters: checkParameters(name, options.parameters),
  };
}

export function checkParameters(name: string, parameters: unknown = {}): Readonly<Record<string, unknown>> {
  if (typeof parameters === "object" && parameters !== null && !Array.isArray(parameters)) return parameters as Record<string, unknown>;
  return refuse(`${name}.parameters`, parameters, "an object");
}

/** Why a model stopped, in the words of sessions. */
export type StopReason = NonNullable<AssistantMessage["stopReason"]>;

/**
 * How a reply ended, by a table of the provider's words; `unknown` stands for what is not in it. A reply
 * that ended in an error says with which word.
 */
export function endOf(
  word: unknown,
  words: Readonly<Record<string, StopReason>>,
  unknown: StopReason = "stop",
): Pick<SummaryReply, "stopReason" | "errorMessage"> {
  const known = typeof word === "string" && word !== "" ? (Object.hasOwn(words, word) ? words[word] : unknown) : "stop";
  return failedFor(known === "error" ? `the model stopped with ${describe(word)}` : undefined, known);
}

/** A reply that is an error where there is a message, and ended for that reason otherwise. */
export function failedFor(errorMessage: string | undefined, stopReason: StopReason = "stop"): Pick<SummaryReply, "stopReason" | "errorMessage"> {
  return errorMessage === undefined ? { stopReason } : { stopReason: "error", errorMessage };
}
