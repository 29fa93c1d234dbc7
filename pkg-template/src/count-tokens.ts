import type { Encoding } from "./encoding.js";
import { refuse } from "./guard.js";
import { counterOf } from "./tokenizers.js";

/**
 * The tokens of a text, exactly. Special tokens count as the text that they are, and half of a surrogate
 * pair as U+FFFD, which every encoder makes of it. In a browser `await loadTokenizer(encoding)` comes first.
 *
 * Throws `not-initialized`, `unsupported-encoding`, and `invalid-argument` for what is no string.
 */
export function countTokens(text: string, encoding: Encoding): number {
  const counter = counterOf(encoding);
  if (typeof text !== "string") refuse("text", text, "a string");
  return counter.count(text);
}
