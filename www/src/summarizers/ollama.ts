// A model on the visitor's machine, through Ollama's own client.

import { Ollama } from "ollama/browser";
import { summarizeWith, type Summarize } from "threadfold";
import { wordsOf } from "./fault.js";
import { brokenOff, checkedAddress, send, textOf, unexpected } from "./http.js";
import type { OnText } from "./openai.js";
import { textAt } from "./reading.js";
import type { OllamaSettings } from "./settings.js";

/** Where Ollama listens unless it was told otherwise. */
const DEFAULT_HOST = "http://127.0.0.1:11434";

type Request = Parameters<Parameters<typeof summarizeWith.ollama>[0]["chat"]>[0];

/** Summaries by Ollama. */
export function ollama({ host, model }: OllamaSettings, onText: OnText): Summarize {
  const address = hostOf(host);
  return async (request, context) => {
    const client = new Ollama({ host: checkedAddress(address), fetch: fetching(address, context.signal) });
    const chat = async (asked: Request) => watched(await client.chat(asked), address, onText);
    return summarizeWith.ollama({ chat }, { model: model.trim() })(request, context);
  };
}

function hostOf(host: string): string {
  const given = host.trim().replace(/\/+$/, "");
  return given === "" ? DEFAULT_HOST : given.includes("://") ? given : `http://${given}`;
}

/**
 * A `fetch` for the client: it can be aborted also while a model is being loaded, which may take minutes, and
 * refusals keep their status.
 */
function fetching(place: string, signal: AbortSignal): typeof fetch {
  return async (input, init) => {
    const signals = init?.signal ? [signal, init.signal] : [signal];
    const response = await send(String(input), { ...init, signal: AbortSignal.any(signals) });
    const type = response.headers.get("content-type") ?? "";
    if (/json/.test(type)) return response;
    throw unexpected(response, place, await textOf(response, place, signal), "JSON");
  };
}

/** The stream, with the text so far told on the way; it is aborted as the one that it wraps. */
function watched(stream: AsyncIterable<unknown> & { abort(): void }, place: string, onText: OnText): AsyncIterable<unknown> & { abort(): void } {
  async function* pieces(): AsyncGenerator<unknown> {
    let text = "";
    try {
      for await (const piece of stream) {
        text += textAt(piece, "message", "content") ?? "";
        onText(text);
        yield piece;
      }
    } catch (error) {
      if (error instanceof Error && error.name === "AbortError") throw error;
      throw brokenOff(place, wordsOf(error));
    }
  }
  return Object.assign(pieces(), { abort: () => stream.abort() });
}
