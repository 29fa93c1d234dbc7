// The answer of a model while it streams in.

/**
 * @typedef {import("threadfold").AssistantMessage} AssistantMessage
 * @typedef {{ type: "text", text: string } | { type: "call", id: string, name: string, json: string }} Part
 */

/** The stream broke off, or what it held is no answer. The same request may well be answered when it is sent again. */
export class BrokenAnswer extends Error {
  /** What a gateway answers in such a case. The retries here and those of Threadfold's summaries go by the status. */
  status = 502;
}

/** Gathers the pieces of an answer, in the order in which they come. */
export class GrowingAnswer {
  /** @type {Part[]} */
  #parts = [];
  /** The calls by whatever the provider tells them apart with. @type {Map<number, Extract<Part, { type: "call" }>>} */
  #calls = new Map();
  #onText;

  /** @param {((text: string) => void) | undefined} onText called with each piece of text */
  constructor(onText) {
    this.#onText = onText;
  }

  /** @param {string} text */
  addText(text) {
    const last = this.#parts.at(-1);
    if (last?.type === "text") last.text += text;
    else this.#parts.push({ type: "text", text });
    this.#onText?.(text);
  }

  /** @param {number} key @param {string} id @param {string} name */
  startCall(key, id, name) {
    if (this.#calls.has(key)) return;
    /** @type {Part} */
    const call = { type: "call", id, name, json: "" };
    this.#calls.set(key, call);
    this.#parts.push(call);
  }

  /** @param {number} key @param {string} json the next piece of the call's arguments */
  addArguments(key, json) {
    const call = this.#calls.get(key);
    if (call === undefined) throw new BrokenAnswer("arguments came before their tool call");
    call.json += json;
  }

  /**
   * The finished answer as a message. A reason to stop that is not in the table is an error: a refusal, say.
   *
   * @param {{ provider: string, model: string, usage: AssistantMessage["usage"] }} about
   * @param {string | undefined} reason why the model stopped, in the provider's word
   * @param {Record<string, NonNullable<AssistantMessage["stopReason"]>>} stopReasons the provider's words in Threadfold's
   * @returns {AssistantMessage}
   */
  finish({ provider, model, usage }, reason, stopReasons) {
    if (reason === undefined) throw new BrokenAnswer("the stream ended before the answer did");
    // Providers take no empty text back.
    const parts = this.#parts.filter((part) => part.type === "call" || part.text.trim() !== "");
    const stopReason = stopReasons[reason] ?? "error";
    return {
      role: "assistant",
      content: parts.map((part) => (part.type === "text" ? part : toToolCall(part))),
      provider,
      model,
      stopReason,
      ...(stopReason === "error" ? { errorMessage: `the model stopped: ${reason}` } : {}),
      ...(usage === undefined ? {} : { usage }),
      timestamp: Date.now(),
    };
  }
}

/**
 * @param {Extract<Part, { type: "call" }>} call
 * @returns {import("threadfold").ToolCallBlock}
 */
function toToolCall({ id, name, json }) {
  try {
    // Some providers send nothing at all where there are no arguments.
    const given = json === "" ? {} : JSON.parse(json);
    if (typeof given === "object" && given !== null && !Array.isArray(given)) return { type: "toolCall", id, name, arguments: given };
  } catch {
    // Told below.
  }
  throw new BrokenAnswer(`the arguments of ${name} are no JSON object`);
}

/**
 * The events of a provider's stream. Both packages end an aborted stream as if it were complete, and
 * throw a SyntaxError where an event is no JSON; here both are errors that say what they are.
 *
 * @template Event
 * @param {AsyncIterable<Event>} stream @param {AbortSignal | undefined} signal
 */
export async function* eventsOf(stream, signal) {
  try {
    for await (const event of stream) {
      // Several events may have come in one piece.
      signal?.throwIfAborted();
      yield event;
    }
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof SyntaxError) throw new BrokenAnswer("an event of the stream is no JSON", { cause: error });
    throw error;
  }
  signal?.throwIfAborted();
}

/** The texts of a content as one. @param {string | readonly { type: string, text?: string }[]} content */
export function textOf(content) {
  if (typeof content === "string") return content;
  return content.flatMap(({ type, text }) => (type === "text" && text !== undefined ? [text] : [])).join("\n");
}
