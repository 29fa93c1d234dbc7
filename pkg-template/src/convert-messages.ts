import type { Message } from "./entry.js";
import { askAbout } from "./format-engine.js";
import { refuse } from "./guard.js";
import type { MessageFormat } from "./message-format.js";
import { messagesJson } from "./project.js";
import { asSpoken } from "./spoken.js";

/**
 * Messages of any format as messages of a session. What the session does not know stays beside it under
 * the name of the format, so that {@link fromSessionMessages} gives back what came in; bytes have become
 * base64. Throws as {@link validateMessages} does, and needs the same `init`.
 */
export function toSessionMessages(messages: readonly unknown[], format?: MessageFormat): Message[] {
  return askAbout("to-core", messagesJson(messages, "whole"), format).messages;
}

/**
 * Messages of a session in a format. What only another format knows is left out, and roles that only
 * sessions know become messages of the user, as {@link convertToLlm} makes them. Throws
 * `unsupported-format`, and `invalid-argument` for what JSON cannot hold; needs the same `init` as
 * {@link validateMessages}.
 */
export function fromSessionMessages(messages: readonly Message[], format: MessageFormat): unknown[] {
  if (format === undefined) refuse("format", format, "the name of a format", "unsupported-format");
  const json = messagesJson(messages, "whole");
  const spoken = asSpoken(messages, format);
  return askAbout("from-core", spoken === messages ? json : messagesJson(spoken, "whole"), format).messages;
}
