import type { Encoding } from "./encoding.js";
import type { TokenizerHandle } from "./glue/threadfold.js";
import { guard, refuse } from "./guard.js";
import { counterOf } from "./tokenizers.js";

/** A text crosses in parts of at most so many bytes, so that a large one is never in memory twice. */
const PART = 65_536;

let crossing: { encoder: TextEncoder; buffer: Uint8Array } | undefined;

/**
 * The tokens of a text, exactly. Special tokens count as the text that they are, and half of a surrogate
 * pair as U+FFFD, which every encoder makes of it. In a browser `await loadTokenizer(encoding)` comes first.
 *
 * Throws `not-initialized`, `unsupported-encoding`, and `invalid-argument` for what is no string.
 */
export function countTokens(text: string, encoding: Encoding): number {
  const counter = counterOf(encoding);
  if (typeof text !== "string") refuse("text", text, "a string");
  return guard(() => feed(counter, text));
}

function feed(counter: TokenizerHandle, text: string): number {
  crossing ??= { encoder: new TextEncoder(), buffer: new Uint8Array(PART) };
  const { encoder, buffer } = crossing;
  for (let at = 0; ; ) {
    const end = partEnd(text, at);
    const part = end - at === text.length ? text : text.slice(at, end);
    const { read, written } = encoder.encodeInto(part, buffer);
    at += read;
    const isLast = at === text.length;
    const tokens = counter.feed(buffer.subarray(0, written), isLast);
    if (isLast) return tokens;
  }
}

/** Where a part may end that starts at `at`: never within a surrogate pair. */
function partEnd(text: string, at: number): number {
  const end = at + PART;
  if (end >= text.length) return text.length;
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}
