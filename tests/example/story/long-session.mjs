// The story as a session that is too long for the local provider.

import { Session } from "threadfold";
import { promptOf } from "./turns.mjs";

export function longSession() {
  const session = Session.create();
  for (let turn = 1; turn <= 40; turn += 1) {
    session.appendMessage({ role: "user", content: promptOf(turn) });
    session.appendMessage({ role: "assistant", content: [{ type: "text", text: `Turn ${turn} is done. ${"It was like this. ".repeat(60)}` }], stopReason: "stop" });
  }
  return session;
}
