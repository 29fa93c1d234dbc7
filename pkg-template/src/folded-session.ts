import type { ImageRule } from "./data.js";
import type { Encoding } from "./encoding.js";
import type { Message } from "./entry.js";
import { bytesOfJson, formatFor } from "./format-engine.js";
import { guardFormats } from "./guard.js";
import { loadJsonl } from "./loading.js";
import type { MessageFormat } from "./message-format.js";
import { isoTime } from "./outside.js";
import type { SessionState } from "./state.js";

/** How messages and the session that was made from them go together. */
export interface FoldInfo {
  format: MessageFormat;
  /** How many system messages stand in front; they are never folded, and the session is without them. */
  systemCount: number;
  /** These, as messages of a session. */
  system: Message[];
  /** The first item that the summary of the state does not stand for. */
  start: number;
  /** Whether a state was gone on from. */
  use: "none" | "continued" | "edited";
  /** At each place: what tells so many items behind the system messages from others. */
  digests: string[];
  /** The numbers of the entries that no cut may part from the one before. */
  joined: number[];
}

/** What a session for a fold is made from, beside the messages. */
interface FoldedFrom {
  /** Told from the messages where it is undefined. */
  format: MessageFormat | undefined;
  /** Counts with it, exactly. */
  tokenizer?: Encoding | undefined;
  images?: ImageRule | undefined;
  /** What an earlier fold left, as JSON. */
  state?: string | undefined;
  /** Milliseconds since 1970. */
  now: number;
}

/**
 * A session made from messages, which are JSON. The id of an entry is the index of its message, and `.1`,
 * `.2` where one made several. Whoever asks for it frees it.
 */
export function foldedSession(json: string, { format, tokenizer, images, state, now }: FoldedFrom): { session: SessionState; info: FoldInfo } {
  const known = formatFor(json, format);
  const [lines, infoJson] = guardFormats((glue) => glue.foldLines(bytesOfJson(json), known, state, isoTime(now))) as [Uint8Array, string];
  const info = JSON.parse(infoJson) as FoldInfo;
  const session = loadJsonl(lines, { tokenizer, images });
  session.call((handle) => {
    for (const index of info.joined) handle.join(index);
  });
  return { session, info };
}
