// The summariser as the code of an application has it. A key is never in it: it is read from the environment.

import type { SummarizerSettings } from "../summarizers/settings.js";
import { literal, Raw, type Value } from "./literal.js";

/** What the summariser adds to the code. */
export interface ClientCode {
  imports: string[];
  /** What is imported from threadfold for it. */
  names: string[];
  lines: string[];
  /** Options of the call. */
  options: Record<string, Value>;
  /** Settings of the section `compaction`. */
  compaction: Record<string, Value>;
  /** Runs in a page, where there are no files and the engine is loaded first. */
  inBrowser: boolean;
}

const OPENAI_ADDRESS = "https://api.openai.com/v1";

const NOTHING: ClientCode = { imports: [], names: [], lines: [], options: {}, compaction: {}, inBrowser: false };
const summarize = new Raw("summarize");

export function clientCode({ kind, openai, ollama, remote }: SummarizerSettings): ClientCode {
  switch (kind) {
    case "local":
      return { ...NOTHING, options: { summarize: "local" } };
    case "openai": {
      const baseURL = withoutSecrets(openai.baseURL);
      const apiKey = new Raw(openai.apiKey.trim() === "" ? '"none"' : `process.env.${baseURL === OPENAI_ADDRESS ? "OPENAI_API_KEY" : "API_KEY"}`);
      const client = literal({ ...(baseURL === OPENAI_ADDRESS ? {} : { baseURL }), apiKey });
      return withClient("openai", 'import OpenAI from "openai";', `new OpenAI(${client})`, openai);
    }
    case "ollama":
      return withClient("ollama", 'import { Ollama } from "ollama";', `new Ollama(${literal({ host: withoutSecrets(ollama.host) })})`, ollama);
    case "browser":
      return { ...NOTHING, names: ["summarizeWith"], lines: ["const summarize = summarizeWith.promptApi(LanguageModel);"], options: { summarize }, inBrowser: true };
    case "remote": {
      const name = remote.headerName.trim().toLowerCase();
      const headers = name === "" || remote.headerValue === "" ? {} : { remote: { headers: { [name]: new Raw("process.env.SUMMARY_KEY") } } };
      return { ...NOTHING, options: headers, compaction: { remoteEndpoint: withoutSecrets(remote.endpoint) } };
    }
  }
}

function withClient(name: "openai" | "ollama", imported: string, made: string, { model, window }: { model: string; window: number }): ClientCode {
  const id = model.trim();
  return {
    ...NOTHING,
    imports: [imported],
    names: ["summarizeWith"],
    lines: [`const client = ${made};`, `const summarize = summarizeWith.${name}(client, ${literal({ model: id })});`],
    options: { summarize, ...(window > 0 ? { models: [{ provider: name, id, contextWindow: window }] } : {}) },
  };
}

/** An address without a slash at its end, and without a name and a password. */
function withoutSecrets(address: string): string {
  const trimmed = address.trim().replace(/\/+$/, "");
  return trimmed.replace(/^([a-z]+:\/\/)[^/?#]*@/i, "$1");
}
