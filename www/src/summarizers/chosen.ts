// The summariser that the visitor chose, as the library wants it.

import type { Summarize } from "threadfold";
import { promptApi, type OnDownload } from "./browser-model.js";
import { ollama } from "./ollama.js";
import { openAi, type OnText } from "./openai.js";
import { remote } from "./remote.js";
import type { SummarizerSettings } from "./settings.js";

/** What is heard from a summariser while it works. */
export interface Hearing {
  onText: OnText;
  onDownload: OnDownload;
}

/** Makes the summaries on the page; nothing for the local one, which needs nobody to be asked. */
export function chosen({ kind, ...settings }: SummarizerSettings, { onText, onDownload }: Hearing): Summarize | undefined {
  switch (kind) {
    case "local":
      return undefined;
    case "openai":
      return openAi(settings.openai, onText);
    case "ollama":
      return ollama(settings.ollama, onText);
    case "browser":
      return promptApi(onText, onDownload);
    case "remote":
      return remote(settings.remote);
  }
}
