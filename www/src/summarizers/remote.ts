// An endpoint as `compaction.remoteEndpoint` names it. In a fold the library asks it by itself; this is for a try.

import type { Summarize } from "threadfold";
import { jsonOf, unexpected, post } from "./http.js";
import { textAt } from "./reading.js";
import { headersOf, type RemoteSettings } from "./settings.js";

/** Summaries by the endpoint. */
export function remote(settings: RemoteSettings): Summarize {
  const address = settings.endpoint.trim();
  return async ({ systemPrompt, prompt }, { signal }) => {
    const body = JSON.stringify({ systemPrompt, prompt });
    const response = await post({ address, body, headers: headersOf(settings), signal, secrets: [settings.headerValue] });
    const answer = await jsonOf(response, address, signal);
    const summary = textAt(answer, "summary");
    if (summary === undefined) throw unexpected(response, address, JSON.stringify(answer), "a summary");
    return summary;
  };
}
