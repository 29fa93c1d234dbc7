// What a visitor says about who is to summarise. Secrets stand here and nowhere else: this lives in memory only.

import type { Model } from "threadfold";
import type { Summarizing } from "../contract.js";

/** `browser` is the model that the browser has built in; `remote` an endpoint as Threadfold's settings name it. */
export type SummarizerKind = "local" | "openai" | "ollama" | "browser" | "remote";

export interface SummarizerSettings {
  kind: SummarizerKind;
  openai: OpenAiSettings;
  ollama: OllamaSettings;
  /** What the browser says of its model. */
  browser: { window: number };
  remote: RemoteSettings;
}

export interface OpenAiSettings {
  baseURL: string;
  model: string;
  /** Empty where the endpoint wants none. */
  apiKey: string;
  /** In tokens; 0 where it is not known. What does not fit is summarised in parts. */
  window: number;
}

export interface OllamaSettings {
  host: string;
  model: string;
  /** In tokens; 0 where it is not known. */
  window: number;
}

export interface RemoteSettings {
  endpoint: string;
  /** A header for each request; empty for none. */
  headerName: string;
  headerValue: string;
}

export const INITIAL_SUMMARIZER: SummarizerSettings = {
  kind: "local",
  openai: { baseURL: "https://api.openai.com/v1", model: "gpt-5-mini", apiKey: "", window: 0 },
  ollama: { host: "http://127.0.0.1:11434", model: "llama3.2", window: 0 },
  browser: { window: 0 },
  remote: { endpoint: "", headerName: "authorization", headerValue: "" },
};

/** Who summarises, for a sentence. */
export const SUMMARIZER_NAMES: Record<SummarizerKind, string> = {
  local: "the local summariser",
  openai: "the endpoint",
  ollama: "Ollama",
  browser: "the browser's model",
  remote: "the Threadfold endpoint",
};

/** What has to be filled in before it can be asked; nothing where all is there. */
export function missing({ kind, openai, ollama, remote }: SummarizerSettings): string | undefined {
  if (kind === "openai" && openai.baseURL.trim() === "") return "the base URL";
  if (kind === "openai" && openai.model.trim() === "") return "the model";
  if (kind === "ollama" && ollama.model.trim() === "") return "the model";
  if (kind === "remote" && remote.endpoint.trim() === "") return "the address";
  return undefined;
}

/** The header of a Threadfold endpoint. */
export function headersOf({ headerName, headerValue }: RemoteSettings): Record<string, string> {
  const name = headerName.trim();
  return name === "" || headerValue === "" ? {} : { [name]: headerValue };
}

/** The same as the worker needs it: all but the local one and the endpoint are asked on the page. */
export function summarizingOf(settings: SummarizerSettings): Summarizing {
  const { kind, remote } = settings;
  if (kind === "local") return { kind };
  if (kind === "remote") return { kind, endpoint: remote.endpoint.trim(), headers: headersOf(remote), allowedHosts: [] };
  const model = modelOf(settings);
  return { kind: "page", ...(model === undefined ? {} : { model }) };
}

/** The model that is asked, where its window is known. */
export function modelOf({ kind, openai, ollama, browser }: SummarizerSettings): Model | undefined {
  const models = { local: undefined, remote: undefined, openai, ollama, browser: { model: "built in", ...browser } };
  const { model = "", window = 0 } = models[kind] ?? {};
  return window > 0 ? { provider: kind, id: model.trim(), contextWindow: window } : undefined;
}
