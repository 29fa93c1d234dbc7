// What goes on in a run, in words.

import type { AgentEvent } from "threadfold";
import { grouped, oneLine } from "../../../demo/text.mjs";
import type { Progress } from "../contract.js";
import { troubleOf } from "./troubles.js";

/** What each request asks for. */
const PHASES: Record<string, string> = {
  history: "Summarising the history",
  update: "Bringing the summary up to date",
  "turn-prefix": "Summarising the beginning of the split turn",
  short: "Writing the short summary",
  branch: "Summarising the branch that is left",
  fold: "Summarising a part of a record that is too long for one request",
  save: "Saving the summary",
};

const ENDS = { committed: "Folded", "nothing-to-do": "There was nothing to fold", cancelled: "Cancelled; nothing has changed", failed: "Failed; nothing has changed" };

export function progressOf(event: AgentEvent): Progress {
  const { type } = event;
  if (type !== "compaction_progress") return { type, text: wordsOf(event) };
  const { request, requests, waitingUntil } = event;
  return { type, text: wordsOf(event), request, requests, ...(waitingUntil === undefined ? {} : { waitingUntil }) };
}

export function wordsOf(event: AgentEvent): string {
  switch (event.type) {
    case "compaction_progress": {
      const again = event.attempt > 1 ? `, attempt ${event.attempt}` : "";
      const place = event.phase === "save" ? "" : `, request ${event.request} of ${event.requests}`;
      return `${PHASES[event.phase] ?? event.phase}${place}${again}${event.waitingUntil === undefined ? "" : ", after a wait"}`;
    }
    case "session_compact":
      return "The summary is an entry of the session";
    case "compaction_end": {
      const { status, tokensBefore, tokensAfter } = event;
      return tokensAfter === undefined ? ENDS[status] : `${ENDS[status]}: ${grouped(tokensBefore)} tokens became ${grouped(tokensAfter)}`;
    }
    case "auto_compaction_start":
      return event.reason === "overflow" ? "The request was too large: the session is folded" : "The context is above the threshold: the session is folded";
    case "auto_compaction_end":
      if (event.result === undefined) return event.errorMessage === undefined ? "The fold was aborted" : oneLine(event.errorMessage);
      return event.willRetry ? "The fold is done, and the request is sent again" : "The fold is done";
    case "session_tree":
      return event.summaryEntry === undefined ? "The leaf has moved" : "The leaf has moved, and the summary of the branch that was left goes along";
    case "error":
      return troubleOf(event.error).message;
  }
}
