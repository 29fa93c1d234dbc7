// What the page may save.

import { fromSessionMessages, type MessageFormat } from "threadfold";
import type { Held } from "./held.js";

/** The session as JSON lines. */
export function sessionFile({ session }: Held): Uint8Array {
  return session.toJsonl();
}

/** What the model sees now, as indented JSON of a format. */
export function messagesFile({ session }: Held, format: MessageFormat): string {
  const { messages } = session.buildSessionContext();
  return `${JSON.stringify(fromSessionMessages(messages, format), null, 2)}\n`;
}
