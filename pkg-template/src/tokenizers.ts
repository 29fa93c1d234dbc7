import { vocabularies, vocabularyOf, type Encoding } from "./encoding.js";
import type { TokenizerHandle } from "./glue/threadfold.js";
import { checkOptions } from "./guard.js";
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

/** By the names of their files. */
const tokenizers = new Map(Object.values(vocabularies).map((vocabulary) => [vocabulary.file, new Tokenizer(vocabulary)]));

/** The tokenizer of an encoding, loaded or not. Throws `unsupported-encoding`; `name` is how the caller calls it. */
export function tokenizerOf(encoding: Encoding, name = "encoding"): Tokenizer {
  const { file } = vocabularyOf(encoding, name);
  return tokenizers.get(file) as Tokenizer;
}

/** The counter of an encoding, which some hosts load at once. Throws `not-initialized` and the errors of {@link loadTokenizer}. */
export function counterOf(encoding: Encoding, name = "encoding"): TokenizerHandle {
  return tokenizerOf(encoding, name).handle(encoding);
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
