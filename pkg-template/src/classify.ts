import type { ClassifiedError } from "./data.js";
import type { AssistantMessage } from "./entry.js";
import { guard, optionalNumber, refuse } from "./guard.js";
import { toJson } from "./json.js";
import { endsOf } from "./long-text.js";

/**
 * Tells what an error of a provider, a proxy or the network means, from its text and its HTTP status,
 * and the window, the limit or the wait that the text names. Throttling and quota texts are never `overflow`.
 *
 * ```js
 * classifyError("prompt is too long: 213462 tokens > 200000 maximum", 400);
 * // { class: "overflow", limit: 200000, requested: 213462 }
 * ```
 */
export function classifyError(text: string, status?: number): ClassifiedError {
  if (typeof text !== "string") refuse("text", text, "the text of the error");
  if (status !== undefined && !(Number.isInteger(status) && status >= 100 && status <= 999)) {
    refuse("status", status, "an HTTP status, a whole number from 100 to 999");
  }
  return guard((glue) => glue.classifyError(endsOf(text), status)) as ClassifiedError;
}

/**
 * Whether a turn of the model means that the context has to shrink before it can go on: it ended with
 * an error of class `overflow` or `payload_too_large`, it reported more input than the window, or it
 * stopped at its limit with no output because the input filled the window (99 % of it or more).
 *
 * An aborted turn is none, and no other message is. A usage is taken at its word: whether it may be an
 * accumulated figure takes a session to tell. Without a window only an error counts.
 */
export function isContextOverflow(message: AssistantMessage, contextWindow?: number): boolean {
  if (typeof message !== "object" || message === null) refuse("message", message, "a message");
  const { role, stopReason, errorMessage, usage } = message;
  const json = toJson({ role, stopReason, errorMessage, usage }, "message");
  const window = optionalNumber("contextWindow", contextWindow);
  return guard((glue) => glue.isContextOverflow(json, window));
}
