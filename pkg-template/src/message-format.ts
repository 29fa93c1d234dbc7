import type { messageFormats } from "./format-names.js";

/** How a library or a provider writes the messages of a conversation. */
export type MessageFormat = (typeof messageFormats)[number];
