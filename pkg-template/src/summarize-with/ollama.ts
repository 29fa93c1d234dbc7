import { refuse } from "../guard.js";
import type { Summarize, SummaryReply } from "../summarizer.js";
import { checkClient, endOf, type ClientOptions } from "./asking.js";
import { at, textAt, usageOf } from "./reading.js";

/** What is called of the object that the `ollama` package exports, or of an `Ollama` of it. */
export interface OllamaClient {
  chat(request: { model: string; messages: { role: string; content: string }[]; stream: true; options: object }): PromiseLike<AsyncIterable<unknown>>;
}

const NAME = "summarizeWith.ollama";
const WORDS = { stop: "stop", length: "length", load: "error", unload: "error" } as const;

/** The smallest context that is asked for, in tokens; a server that was told none takes as much. */
const LEAST_CONTEXT = 4_096;

/**
 * Summaries by a model on this machine. `parameters` are more of its `options`. `num_ctx` is made large enough for
 * the request, since the server cuts off the beginning of what is larger and does not say so.
 */
export function ollama(client: OllamaClient, options: ClientOptions = {}): Summarize {
  if (typeof client?.chat !== "function") refuse(NAME, client, "a client with chat");
  const { modelFor, parameters } = checkClient(NAME, options);
  return async ({ systemPrompt, prompt, maxTokens, promptTokens }, context) => {
    const messages = [
      { role: "system", content: systemPrompt },
      { role: "user", content: prompt },
    ];
    const size = contextFor(promptTokens, maxTokens, context.model?.contextWindow);
    const request = { model: modelFor(context), messages, stream: true as const, options: { num_predict: maxTokens, num_ctx: size, ...parameters } };
    // Only what streams can be stopped.
    return read(await client.chat(request), context.signal);
  };
}

/**
 * The context for a request, in tokens, with room for an estimate that is a third too small. Powers of two, since
 * the server loads the model anew for each other size.
 */
function contextFor(promptTokens: number, maxTokens: number, window = Infinity): number {
  const needed = (promptTokens * 4) / 3 + maxTokens;
  return Math.min(window, Math.max(LEAST_CONTEXT, 2 ** Math.ceil(Math.log2(needed))));
}

async function read(stream: AsyncIterable<unknown>, signal: AbortSignal): Promise<SummaryReply> {
  const stop = () => (stream as { abort?: () => void }).abort?.();
  signal.addEventListener("abort", stop, { once: true });
  try {
    if (signal.aborted) stop();
    let text = "";
    let last: unknown;
    for await (const piece of stream) {
      signal.throwIfAborted();
      text += textAt(piece, "message", "content") ?? "";
      last = piece;
    }
    const usage = usageOf({ prompt: at(last, "prompt_eval_count"), output: at(last, "eval_count") });
    // A stream that breaks off says nothing; what came of it is cut off.
    const end = at(last, "done") === true ? endOf(at(last, "done_reason"), WORDS) : { stopReason: "length" };
    return { text, ...end, usage };
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
