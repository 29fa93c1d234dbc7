// What is played: the messages of the sample session, turn by turn.

import { Session, type AssistantMessage, type Message } from "threadfold";

export interface Script {
  cwd: string | undefined;
  /** What each turn brings, from what the user says to the last answer. */
  turns: Message[][];
}

export function scriptOf(file: Uint8Array): Script {
  const session = Session.fromJsonl(file);
  const messages = session.path().flatMap((entry) => (entry.type === "message" ? [entry.message] : []));
  const cwd = session.header?.cwd;
  const turns: Message[][] = [[]];
  for (const message of withoutFailures(messages)) {
    // What stands before the first question belongs to it.
    if (message.role === "user" && turns.at(-1)?.some(({ role }) => role === "user")) turns.push([]);
    turns.at(-1)?.push(message);
  }
  session.free();
  return { cwd, turns };
}

/** Answers that failed when the session was recorded are left out with the results of their calls. */
function withoutFailures(messages: readonly Message[]): Message[] {
  const failed = new Set<string>();
  return messages.filter((message) => {
    if (message.role === "assistant" && hasFailed(message)) {
      for (const block of message.content) if (block.type === "toolCall") failed.add(block.id);
      return false;
    }
    return !(message.role === "toolResult" && failed.has(message.toolCallId));
  });
}

function hasFailed({ stopReason }: AssistantMessage): boolean {
  return stopReason === "error" || stopReason === "aborted";
}
