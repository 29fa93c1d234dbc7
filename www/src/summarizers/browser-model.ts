// The model that some browsers have built in, behind the global `LanguageModel`.

import { summarizeWith, type Summarize } from "threadfold";
import { Fault } from "./fault.js";
import type { OnText } from "./openai.js";

/** Whether it can be asked: at once, after a download, or not at all. */
export type Availability = "unavailable" | "downloadable" | "downloading" | "available";

interface ModelSession {
  promptStreaming(input: string, options: { signal: AbortSignal }): ReadableStream<string>;
  /** The window, in tokens, by its newer and its older name. */
  contextWindow?: number;
  inputQuota?: number;
  destroy(): void;
}

interface CreateOptions {
  expectedOutputs?: { type: string; languages: string[] }[];
  signal?: AbortSignal;
  monitor?(monitor: EventTarget): void;
}

interface BrowserModel {
  availability(options: object): Promise<Availability>;
  create(options: CreateOptions): Promise<ModelSession>;
}

/** Told how much of the model is loaded, from 0 to 1. */
export type OnDownload = (share: number) => void;

/** Summaries have English headings; a browser wants to know the language before. */
const LANGUAGES = { expectedOutputs: [{ type: "text", languages: ["en"] }] };

/** The browser's model; nothing where it has none. */
export function browserModel(): BrowserModel | undefined {
  const found = (globalThis as { LanguageModel?: Partial<BrowserModel> }).LanguageModel;
  return typeof found?.create === "function" && typeof found.availability === "function" ? (found as BrowserModel) : undefined;
}

/** Whether it can be asked now. */
export async function availability(): Promise<Availability> {
  try {
    return (await browserModel()?.availability(LANGUAGES)) ?? "unavailable";
  } catch {
    return "unavailable";
  }
}

/** The window of the model, in tokens; 0 where it is not told. Asked only where the model is there. */
export async function windowOfBrowserModel(): Promise<number> {
  const session = await browserModel()?.create({ ...LANGUAGES });
  const size = session?.contextWindow ?? session?.inputQuota ?? 0;
  session?.destroy();
  return Number.isFinite(size) ? Math.floor(size) : 0;
}

/** Summaries by the browser's model, which is downloaded first where it has to be. */
export function promptApi(onText: OnText, onDownload: OnDownload): Summarize {
  const create = async (options: CreateOptions) => {
    const model = browserModel();
    if (model === undefined) throw new Fault("unavailable", "this browser has no model built in");
    const session = await model.create({ ...LANGUAGES, ...options, monitor: (monitor) => listenTo(monitor, onDownload) });
    const prompt = (input: string, { signal }: { signal: AbortSignal }) => read(session.promptStreaming(input, { signal }), onText);
    return { prompt, destroy: () => session.destroy() };
  };
  return summarizeWith.promptApi({ create });
}

function listenTo(monitor: EventTarget, onDownload: OnDownload): void {
  monitor.addEventListener("downloadprogress", (event) => onDownload((event as ProgressEvent).loaded));
}

async function read(stream: ReadableStream<string>, onText: OnText): Promise<string> {
  const reader = stream.getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += value;
    onText(text);
  }
}
