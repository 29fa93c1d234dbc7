// A small request, to see whether a summariser works before a fold depends on it.

import type { Summarize, SummaryReply, SummaryRequest } from "threadfold";

/** Reasoning models think before they write; with less, some would have nothing left for the answer. */
const MOST_TOKENS = 1_000;

const REQUEST: SummaryRequest = {
  kind: "short",
  systemPrompt: "You answer with one short sentence.",
  prompt: "Say in one short sentence that you are ready to summarise a conversation.",
  maxTokens: MOST_TOKENS,
  promptTokens: 40,
};

/** What came of it. */
export interface Tried {
  text: string;
  /** How long it took, in milliseconds. */
  tookMs: number;
}

/** Asks for a sentence. Throws what the summariser throws, and where it answers with nothing. */
export async function tryOut(summarize: Summarize, signal: AbortSignal): Promise<Tried> {
  const begun = performance.now();
  const reply = await summarize(REQUEST, { signal, model: undefined, attempt: 1 });
  const { text, stopReason, errorMessage }: SummaryReply = typeof reply === "string" ? { text: reply } : reply;
  if (errorMessage !== undefined) throw new Error(errorMessage);
  if (text.trim() === "") throw new Error(stopReason === "length" ? "the model used up its limit before it wrote anything" : "the answer was empty");
  return { text: text.trim(), tookMs: Math.round(performance.now() - begun) };
}
