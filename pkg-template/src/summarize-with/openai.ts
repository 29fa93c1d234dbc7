import type { SummaryRequest } from "../data.js";
import { describe, refuse } from "../guard.js";
import type { Summarize, SummaryReply } from "../summarizer.js";
import { checkClient, endOf, failedFor, type ClientOptions } from "./asking.js";
import { at, listAt, textAt, textOf, usageOf } from "./reading.js";

/** What is called of a client of the `openai` package, or of one that behaves like it. */
export interface OpenAiClient {
  chat?: { completions: { create(body: object, options: RequestOptions): PromiseLike<unknown> } };
  responses?: { create(body: object, options: RequestOptions): PromiseLike<unknown> };
}

/** What goes with each request. Retries are the run's: two that wait one inside the other would wait for minutes. */
interface RequestOptions {
  signal: AbortSignal;
  maxRetries: number;
}

/** Options of `summarizeWith.openai`. */
export interface OpenAiOptions extends ClientOptions {
  /**
   * Which of the two APIs is asked. Default: `chat`, which every compatible server speaks; `responses`
   * where the client has only that.
   */
  api?: "chat" | "responses" | undefined;
}

const NAME = "summarizeWith.openai";
const WORDS = { stop: "stop", length: "length", tool_calls: "toolUse", function_call: "toolUse", content_filter: "error" } as const;

/**
 * Summaries by a client of the `openai` package. Over `chat` the output limit is `max_completion_tokens`; a
 * server that knows only the old name gets it as `parameters: { max_tokens: 8_192 }`.
 */
export function openai(client: OpenAiClient, options: OpenAiOptions = {}): Summarize {
  const { modelFor, parameters } = checkClient(NAME, options, ["api"]);
  const { api = client?.chat === undefined ? "responses" : "chat" } = options;
  if (api !== "chat" && api !== "responses") refuse(`${NAME}.api`, api, '"chat" or "responses"');
  const create: unknown = api === "chat" ? client?.chat?.completions?.create : client?.responses?.create;
  if (typeof create !== "function") refuse(NAME, client, `a client with ${api === "chat" ? "chat.completions" : "responses"}.create`);
  return async (request, context) => {
    const about = { signal: context.signal, maxRetries: 0 };
    const model = modelFor(context);
    if (api === "chat") return readChat(await client.chat?.completions.create({ ...chatBody(request), model, ...parameters }, about));
    return readResponse(await client.responses?.create({ ...responseBody(request), model, ...parameters }, about));
  };
}

function chatBody({ systemPrompt, prompt, maxTokens }: SummaryRequest): object {
  const messages = [
    { role: "system", content: systemPrompt },
    { role: "user", content: prompt },
  ];
  return { messages, max_completion_tokens: maxTokens };
}

function responseBody({ systemPrompt, prompt, maxTokens }: SummaryRequest): object {
  // What is summarised is not to be kept on the provider's side as well.
  return { instructions: systemPrompt, input: prompt, max_output_tokens: maxTokens, store: false };
}

function readChat(answer: unknown): SummaryReply {
  const choice = at(answer, "choices", 0);
  const refusal = textAt(choice, "message", "refusal");
  const end = refusal ? failedFor(`the model refused: ${refusal}`) : endOf(at(choice, "finish_reason"), WORDS);
  const usage = usageOf({
    prompt: at(answer, "usage", "prompt_tokens"),
    output: at(answer, "usage", "completion_tokens"),
    cacheRead: at(answer, "usage", "prompt_tokens_details", "cached_tokens"),
  });
  // Some servers answer with a list of parts.
  const text = textAt(choice, "message", "content") ?? textOf(listAt(choice, "message", "content"));
  return { text, ...end, usage };
}

function readResponse(answer: unknown): SummaryReply {
  const parts = listAt(answer, "output").flatMap((item) => (at(item, "type") === "message" ? listAt(item, "content") : []));
  const refusal = parts.map((part) => textAt(part, "refusal")).find((text) => text !== undefined);
  const usage = usageOf({
    prompt: at(answer, "usage", "input_tokens"),
    output: at(answer, "usage", "output_tokens"),
    cacheRead: at(answer, "usage", "input_tokens_details", "cached_tokens"),
    cacheWrite: at(answer, "usage", "input_tokens_details", "cache_write_tokens"),
  });
  const end = refusal === undefined ? responseEnd(answer) : failedFor(`the model refused: ${refusal}`);
  return { text: textOf(parts), ...end, usage };
}

function responseEnd(answer: unknown): Pick<SummaryReply, "stopReason" | "errorMessage"> {
  const status = at(answer, "status");
  if (status === undefined || status === "completed") return { stopReason: "stop" };
  const cause = at(answer, "incomplete_details", "reason");
  if (status === "incomplete" && (cause === undefined || cause === "max_output_tokens")) return { stopReason: "length" };
  if (status === "cancelled") return { stopReason: "aborted" };
  return failedFor(textAt(answer, "error", "message") ?? `the model stopped with ${describe(cause ?? status)}`);
}
