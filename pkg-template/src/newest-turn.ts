import type { Message } from "./entry.js";
import { ThreadfoldError } from "./error.js";
import { toWellFormedJson } from "./json.js";
import type { SessionState } from "./state.js";

/** Holds that a message is the newest assistant message of the session, or says the same: a host appends first. */
export function checkNewestTurn(state: SessionState, message: Message): void {
  const json = toWellFormedJson(message, "assistantMessage");
  const index = state.call((handle) => handle.newestAssistant());
  if (index >= 0) {
    const newest = state.message(index);
    if (newest === message || toWellFormedJson(newest, "assistantMessage") === json) return;
  }
  throw new ThreadfoldError(
    "message-not-appended",
    "handleTurnEnd: the message is not the newest assistant message of the session; append it first with agent.append(message)",
  );
}
