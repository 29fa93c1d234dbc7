import type { SummaryRequest } from "./data.js";
import type { Usage } from "./entry.js";
import { messageOf } from "./failure.js";
import { describe, guard } from "./guard.js";
import { endsOf } from "./long-text.js";
import type { Model } from "./models.js";
import { within } from "./within.js";

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
  /** With what was thrown, where something was; `lasting` where it is of no use to ask again. */
  | { type: "failed"; message: string; cause?: unknown; lasting?: true }
  | { type: "aborted" };

/** Asks the summariser, and waits for its answer, the abort or the timeout, whichever comes first. */
export async function ask(
  summarize: Summarize,
  request: SummaryRequest,
  about: { model: Model | undefined; attempt: number; timeoutMs: number; signal: AbortSignal | undefined },
): Promise<Answer> {
  const { signal, timeoutMs, model, attempt } = about;
  const limits = { signal, timeoutMs, late: "the summariser did not answer", setting: "requestTimeoutMs" };
  const ended = await within(async (own) => readReply(await summarize(request, { signal: own, model, attempt })), limits);
  switch (ended.type) {
    case "done":
      return ended.value;
    case "failed":
      return { type: "failed", message: messageOf(ended.cause), cause: ended.cause };
    case "timed-out":
      return { type: "failed", message: ended.message, cause: ended.cause, lasting: true };
    case "aborted":
      return ended;
  }
}

function readReply(value: unknown): Answer {
  if (typeof value === "string") return replied(value);
  const reply = (typeof value === "object" && value !== null ? value : {}) as Partial<SummaryReply>;
  const { text, stopReason, errorMessage } = reply;
  if (typeof text !== "string") {
    const found = typeof value === "object" && value !== null ? `an object whose text is ${describe(text)}` : describe(value);
    return { type: "failed", message: `the summariser answered with ${found}; allowed is a string or { text }` };
  }
  const optional = (part: unknown) => (typeof part === "string" ? endsOf(part) : undefined);
  return replied(text, optional(stopReason), optional(errorMessage));
}

/** An answer with a text, which is no longer than what is read of an endpoint's answer. */
function replied(text: string, stopReason?: string, errorMessage?: string): Answer {
  const longest = guard((glue) => glue.maxResponseBytes());
  if (text.length <= longest) return { type: "replied", text, stopReason, errorMessage };
  return { type: "failed", message: `the summariser answered with ${text.length} characters; allowed are up to ${longest}` };
}
