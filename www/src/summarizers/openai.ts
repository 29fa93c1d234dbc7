// An endpoint that speaks OpenAI's chat completions. The answer is streamed, so that it can be read as it comes;
// a server that does not stream answers in one piece, which is as good.

import { createParser } from "eventsource-parser";
import { summarizeWith, type Summarize } from "threadfold";
import { Fault } from "./fault.js";
import { brokenOff, jsonOf, piecesOf, post, unexpected } from "./http.js";
import { at, parsed, textAt } from "./reading.js";
import type { OpenAiSettings } from "./settings.js";

/** Told the text so far. */
export type OnText = (text: string) => void;

/** As much of a completion as `summarizeWith.openai` reads. */
interface Completion {
  choices: [{ message: { content: string; refusal?: string }; finish_reason: unknown }];
  usage?: unknown;
}

/** Summaries by the endpoint. */
export function openAi(settings: OpenAiSettings, onText: OnText): Summarize {
  const create = (body: object, { signal }: { signal: AbortSignal }) => complete(settings, body, signal, onText);
  return summarizeWith.openai({ chat: { completions: { create } } }, { model: settings.model.trim() });
}

async function complete({ baseURL, apiKey }: OpenAiSettings, body: object, signal: AbortSignal, onText: OnText): Promise<unknown> {
  const address = `${baseURL.trim().replace(/\/+$/, "")}/chat/completions`;
  const key = apiKey.trim();
  const headers: Record<string, string> = key === "" ? {} : { authorization: `Bearer ${key}` };
  const response = await post({ address, body: JSON.stringify({ ...body, stream: true }), headers, signal, secrets: [key] });
  if (response.headers.get("content-type")?.includes("text/event-stream")) return collect(response, address, signal, onText);
  const completion = await jsonOf(response, address, signal);
  if (at(completion, "choices", 0) === undefined) throw unexpected(response, address, JSON.stringify(completion), "a completion with choices");
  onText(textAt(completion, "choices", 0, "message", "content") ?? "");
  return completion;
}

/** Puts the pieces of a stream together to the completion that it would have been. */
async function collect(response: Response, address: string, signal: AbortSignal, onText: OnText): Promise<Completion> {
  const message: Completion["choices"][0]["message"] = { content: "" };
  let end: unknown;
  let isDone = false;
  let usage: unknown;
  const take = (data: string) => {
    isDone ||= data === "[DONE]";
    if (isDone) return;
    const chunk = parsed(data);
    if (typeof chunk !== "object" || chunk === null) throw unexpected(response, address, data, "JSON");
    failAt(chunk, address);
    message.content += textAt(chunk, "choices", 0, "delta", "content") ?? "";
    const refusal = textAt(chunk, "choices", 0, "delta", "refusal");
    if (refusal !== undefined) message.refusal = (message.refusal ?? "") + refusal;
    end = at(chunk, "choices", 0, "finish_reason") ?? end;
    usage = at(chunk, "usage") ?? usage;
  };
  const parser = createParser({ onEvent: ({ data }) => take(data) });
  for await (const piece of piecesOf(response, address, signal)) {
    parser.feed(piece);
    onText(message.content);
    if (isDone) break;
  }
  // Some servers end without either; then nobody knows whether it is all.
  if (!isDone && end === undefined) throw brokenOff(address);
  return { choices: [{ message, finish_reason: end }], usage };
}

/** A stream may say in the middle that it failed. */
function failAt(chunk: object, address: string): void {
  const error = at(chunk, "error");
  if (error === undefined || error === null) return;
  const said = textAt(chunk, "error", "message") ?? (typeof error === "string" ? error : "it was not said why");
  const code = at(chunk, "error", "code");
  throw new Fault("refused", `${address} gave up in the middle: ${said}`, typeof code === "number" ? { status: code } : {});
}
