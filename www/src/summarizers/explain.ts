// What went wrong with a summariser, and what to do about it, in words for the visitor.

import { sentence } from "../sentence.js";
import { Fault, wordsOf } from "./fault.js";
import type { SummarizerKind, SummarizerSettings } from "./settings.js";

export interface Explanation {
  what: string;
  advice: string;
}

/** Explains what a summariser threw. `origin` is that of this page, which servers have to let in. */
export function explain(error: unknown, settings: SummarizerSettings, origin: string): Explanation {
  return { what: sentence(wordsOf(error)), advice: adviceFor(error, settings, origin) };
}

function adviceFor(error: unknown, settings: SummarizerSettings, origin: string): string {
  if (!(error instanceof Fault)) return adviceByName(error);
  switch (error.kind) {
    case "address":
      return "Correct the address.";
    case "unreachable":
      return settings.kind === "ollama" ? adviceForOllama(origin) : adviceForServers(origin);
    case "refused":
      return settings.kind === "ollama" ? refusedByOllama(error.status, settings, origin) : refused(error.status, settings.kind);
    case "unexpected":
      return settings.kind === "openai" ? "Something else answers there. Check the base URL: most end in /v1." : "Something else answers there. Check the address.";
    case "broken-off":
      return "Try again. If it stays like that, something on the way cuts long answers off.";
    case "unavailable":
      return "Choose another summariser.";
  }
}

function adviceForServers(origin: string): string {
  return `Check the address and that the server runs. If both are right, it does not let pages in: it has to allow the origin ${origin} by CORS. A browser does not tell which of these it was.`;
}

function adviceForOllama(origin: string): string {
  return `Start it with “ollama serve”. If it runs, it does not let this page in: start it with OLLAMA_ORIGINS=${origin} in its environment.`;
}

function refusedByOllama(status: number | undefined, { ollama }: SummarizerSettings, origin: string): string {
  if (status === 403) return `It does not let this page in: start it with OLLAMA_ORIGINS=${origin} in its environment.`;
  if (status === 404) return `Get the model with “ollama pull ${ollama.model.trim()}”, or name one that “ollama list” shows.`;
  return "Look at what Ollama writes where it was started; a model that is too large for this machine is the usual cause.";
}

function refused(status: number | undefined, kind: SummarizerKind): string {
  const isModel = kind === "openai";
  switch (status) {
    case 401:
    case 403:
      return isModel ? "Check the key: that it is complete, that it belongs to this endpoint, and that it may use the model." : "Check the header: its name, and that its value is complete.";
    case 402:
      return "The account has no credit left; see to it at the provider.";
    case 404:
      return isModel ? "Check the base URL, most end in /v1, and the name of the model." : "Check the address.";
    case 413:
      return "The request was too large. State the window of the model, so that long records are summarised in parts.";
    case 429:
      return "Too many requests, or no credit left. Wait a little, then try again.";
    default:
      return (status ?? 500) >= 500 ? "The server is in trouble. Try again later." : adviceForRequests(isModel);
  }
}

function adviceForRequests(isModel: boolean): string {
  return isModel ? "Check the name of the model. If the request was too long for it, state its window, so that long records are summarised in parts." : "The endpoint does not take what Threadfold sends: JSON with systemPrompt and prompt.";
}

/** Errors of the browser's own model. */
function adviceByName(error: unknown): string {
  switch (error instanceof Error ? error.name : "") {
    case "NotAllowedError":
      return "The browser loads its model only after a click: press “Try it”.";
    case "QuotaExceededError":
      return "The request was too long for the browser's model. Try a smaller session, or another summariser.";
    case "NotSupportedError":
      return "The browser's model cannot do this. Choose another summariser.";
    default:
      return "Try again, or choose another summariser.";
  }
}
