import type { SummaryRequest } from "./data.js";
import type { Usage } from "./entry.js";
import { messageOf } from "./failure.js";
import { describe } from "./guard.js";

/** A model, as the host names it. */
export interface Model {
  provider: string;
  id: string;
  /** In tokens. */
  contextWindow?: number;
  /** In tokens. */
  maxOutputTokens?: number;
}

/** What a summariser may answer beside a plain string. */
export interface SummaryReply {
  text: string;
  /** Why the model stopped, in the words of any provider. A reply that was cut off is not stored. */
  stopReason?: string | undefined;
  errorMessage?: string | undefined;
  usage?: Partial<Usage> | undefined;
}

/** What a summariser is told beside the request. */
export interface SummarizeContext {
  /** Aborted when the run is, or when the summariser took too long. */
  signal: AbortSignal;
  model: Model | undefined;
  /** The number of this attempt at the request, from 1. */
  attempt: number;
}

/** The host's summariser. It may be slow, throw, reject or ignore its signal: the run copes. */
export type Summarize = (
  request: SummaryRequest,
  context: SummarizeContext,
) => Promise<string | SummaryReply> | string | SummaryReply;

/** How asking a summariser ended. */
export type Answer =
  | { type: "replied"; text: string; stopReason: string | undefined; errorMessage: string | undefined }
  /** With what was thrown, where something was. */
  | { type: "failed"; message: string; cause?: unknown }
  | { type: "aborted" };

/** The longest delay that timers take; a longer one would fire at once. */
const LONGEST_DELAY_MS = 2_147_483_647;

/** Asks the summariser, and waits for its answer, the abort or the timeout, whichever comes first. */
export async function ask(
  summarize: Summarize,
  request: SummaryRequest,
  about: { model: Model | undefined; attempt: number; timeoutMs: number; signal: AbortSignal | undefined },
): Promise<Answer> {
  const { signal, timeoutMs, model, attempt } = about;
  if (signal?.aborted) return { type: "aborted" };
  // One controller a request: long-lived signals warn when many listeners gather on them.
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let onAbort: (() => void) | undefined;
  try {
    const stopped = new Promise<Answer>((resolve) => {
      onAbort = () => {
        resolve({ type: "aborted" });
        controller.abort(signal?.reason);
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      if (timeoutMs > 0 && timeoutMs <= LONGEST_DELAY_MS) {
        timer = setTimeout(() => {
          const message = `the summariser did not answer within ${timeoutMs} ms (requestTimeoutMs)`;
          const cause = new DOMException(message, "TimeoutError");
          resolve({ type: "failed", message, cause });
          controller.abort(cause);
        }, timeoutMs);
      }
    });
    const answered = new Promise<unknown>((resolve) => {
      resolve(summarize(request, { signal: controller.signal, model, attempt }));
    }).then(readReply);
    const failed = answered.catch((error: unknown): Answer => ({ type: "failed", message: messageOf(error), cause: error }));
    return await Promise.race([failed, stopped]);
  } finally {
    clearTimeout(timer);
    if (onAbort !== undefined) signal?.removeEventListener("abort", onAbort);
  }
}

function readReply(value: unknown): Answer {
  if (typeof value === "string") return { type: "replied", text: value, stopReason: undefined, errorMessage: undefined };
  const reply = (typeof value === "object" && value !== null ? value : {}) as Partial<SummaryReply>;
  const { text, stopReason, errorMessage } = reply;
  if (typeof text !== "string") {
    const found = typeof value === "object" && value !== null ? `an object whose text is ${describe(text)}` : describe(value);
    return { type: "failed", message: `the summariser answered with ${found}; allowed is a string or { text }` };
  }
  const optional = (part: unknown) => (typeof part === "string" ? part : undefined);
  return { type: "replied", text, stopReason: optional(stopReason), errorMessage: optional(errorMessage) };
}
