import type { LlmMessage, Message } from "./entry.js";
import type { MessageFormat } from "./message-format.js";
import { convertToLlm } from "./messages.js";

/** Roles that only sessions know. */
const OF_SESSIONS: readonly unknown[] = ["bashExecution", "pythonExecution", "fileMention", "branchSummary", "compactionSummary"] satisfies Message["role"][];

/**
 * Messages of a session as the engine can write them in a format: roles that only sessions, and so the format
 * `pi`, know become the user's, as a model reads them, and what it must not see is left out. The very array
 * that came in where there is none of them.
 */
export function asSpoken(messages: readonly Message[], format: MessageFormat): readonly Message[] {
  const isOfSessions = (message: Message): boolean => OF_SESSIONS.includes(message?.role);
  if (format === "pi" || !messages.some(isOfSessions)) return messages;
  return messages.flatMap((message) => (isOfSessions(message) ? convertToLlm([message]).map(withPlainText) : [message]));
}

/** The same with its text as such where it is all there is, which every format writes most simply. */
function withPlainText(message: LlmMessage): LlmMessage {
  const { role, content } = message;
  if (role !== "user" || typeof content === "string" || content.length !== 1) return message;
  const [block] = content;
  return block?.type === "text" ? { ...message, content: block.text } : message;
}
