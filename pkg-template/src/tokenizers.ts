import type { Counter } from "./counter.js";
import { vocabularies, type Encoding } from "./encoding.js";
import { checkOptions, refuse } from "./guard.js";
import { checkSignal, throwIfAborted } from "./signal.js";
import { Tokenizer, type SourceGiven } from "./tokenizer.js";

/** Options of {@link loadTokenizer}. */
export interface LoadTokenizerOptions {
  /**
   * The vocabulary: its address, a response that carries it, or its bytes, also packed with gzip. Default:
   * the file of the package, where the entry for this host finds it.
   */
  source?: SourceGiven;
  /** Ends the waiting, and the load where nobody else waits for it. The promise rejects with its reason. */
  signal?: AbortSignal | undefined;
}

const KNOWN = `one of ${Object.keys(vocabularies).join(", ")}; tokenizerFor(model) names that of a model`;

/** One for each file: encodings may share it. */
const byFile = new Map(Object.values(vocabularies).map((vocabulary) => [vocabulary.file, new Tokenizer(vocabulary)]));
const tokenizers = new Map(Object.entries(vocabularies).map(([encoding, { file }]) => [encoding, byFile.get(file) as Tokenizer]));

/** The tokenizer of an encoding, loaded or not. Throws `unsupported-encoding`; `name` is how the caller calls it. */
export function tokenizerOf(encoding: Encoding, name = "encoding"): Tokenizer {
  return tokenizers.get(encoding) ?? refuse(name, encoding, KNOWN, "unsupported-encoding");
}

/** The counter of an encoding, which some hosts load at once. Throws `not-initialized` and the errors of {@link loadTokenizer}. */
export function counterOf(encoding: Encoding, name = "encoding"): Counter {
  return tokenizerOf(encoding, name).counter(encoding);
}

/**
 * Loads the vocabulary of an encoding, after which {@link countTokens} and sessions can count with it.
 * Browsers need it once, and fetch the file, which they keep for later visits; Node, Deno and Bun read
 * theirs at the first count. Loads the engine, too. Calls share one load, and a failed load may be tried again.
 *
 * Throws `unsupported-encoding`, `vocabulary-load-failed` where the file cannot be had, and
 * `invalid-vocabulary` for a file that is damaged, of another encoding or of another version.
 */
export async function loadTokenizer(encoding: Encoding, options: LoadTokenizerOptions = {}): Promise<void> {
  const tokenizer = tokenizerOf(encoding);
  checkOptions("loadTokenizer", options, ["source", "signal"]);
  const { source, signal } = options;
  checkSignal(signal);
  // A source that is not needed, since it is loaded already or by another call, must not end the process.
  if (source instanceof Promise) source.catch(() => undefined);
  throwIfAborted(signal);
  await tokenizer.load(encoding, source, signal);
}
