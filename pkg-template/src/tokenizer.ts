import { Counter } from "./counter.js";
import type { Encoding, Vocabulary } from "./encoding.js";
import { core } from "./engine.js";
import { ThreadfoldError } from "./error.js";
import { guard } from "./guard.js";
import { remedies } from "./host-remedies.js";
import { SharedWork } from "./shared-work.js";
import { downloadVocabulary } from "./vocabulary-download.js";
import { isAddress, placeOf, readVocabulary, type VocabularySource } from "./vocabulary-source.js";

/** A source that may still be on its way; none means the host's own place. */
export type SourceGiven = VocabularySource | PromiseLike<VocabularySource> | undefined;

const HOSTS = remedies("", "the file's origin in `connect-src`");

/** The counter that a vocabulary makes: whether it is loaded, and how. Encodings with the same file share it. */
export class Tokenizer {
  readonly #vocabulary: Vocabulary;
  readonly #loading = new SharedWork();
  #counter: Counter | undefined;
  #own: (() => URL) | undefined;
  #ownAtOnce: (() => Uint8Array) | undefined;

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  /** For the entries: where this host finds the file. */
  provide(address: () => URL): void {
    this.#own = address;
  }

  /** The same for a host that reads it without waiting: it is loaded at the first call that needs it. */
  provideAtOnce(read: () => Uint8Array): void {
    this.#ownAtOnce = read;
  }

  /**
   * The counter. Where the host can read the file at once, that loads it. Throws `not-initialized` where it
   * is not loaded, `vocabulary-load-failed` and `invalid-vocabulary`.
   */
  counter(encoding: Encoding): Counter {
    return this.#counter ?? this.#loadAtOnce(encoding);
  }

  /** Loads it. Calls share one load, and a failed one may be tried again. */
  async load(encoding: Encoding, source: SourceGiven, signal: AbortSignal | undefined): Promise<void> {
    if (this.#counter !== undefined) return;
    if (source === undefined && this.#ownAtOnce !== undefined) this.#loadAtOnce(encoding);
    else await this.#loading.join((own) => this.#load(encoding, source, own), signal);
  }

  #loadAtOnce(encoding: Encoding): Counter {
    if (this.#ownAtOnce === undefined) {
      const call = `await loadTokenizer(${JSON.stringify(encoding)})`;
      throw new ThreadfoldError("not-initialized", `the tokenizer ${encoding} is not loaded yet: call \`${call}\` once before the first synchronous call`);
    }
    try {
      return this.#take(this.#ownAtOnce(), encoding);
    } catch (cause) {
      throw this.#explained(cause, encoding, "the package's folder");
    }
  }

  async #load(encoding: Encoding, given: SourceGiven, signal: AbortSignal): Promise<void> {
    const engine = core.load();
    // Where the file cannot be had, that is told.
    engine.catch(() => undefined);
    const take = async (bytes: Uint8Array): Promise<void> => {
      await engine;
      this.#take(bytes, encoding);
    };
    let place = "its source";
    try {
      if (given === undefined && this.#own === undefined) throw new TypeError("this entry of the package has none");
      const source = await (given === undefined ? this.#own?.() : given);
      place = placeOf(source);
      if (isAddress(source)) await downloadVocabulary(source, this.#vocabulary, take, signal);
      else await take(await readVocabulary(source));
    } catch (cause) {
      signal.throwIfAborted();
      throw this.#explained(cause, encoding, place);
    }
  }

  #take(bytes: Uint8Array, encoding: Encoding): Counter {
    if (bytes[0] === "<".charCodeAt(0)) throw new ThreadfoldError("invalid-vocabulary", "it begins like an HTML page");
    // A load at once may have come first; a second counter would take its megabytes again.
    return (this.#counter ??= guard((glue) => new Counter(glue.TokenizerHandle.load(bytes, encoding, this.#vocabulary.hash))));
  }

  /** A failure with the place of the file and what to do. */
  #explained(cause: unknown, encoding: Encoding, place: string): unknown {
    const address = `threadfold/${this.#vocabulary.file}`;
    const pass = `\`await loadTokenizer(${JSON.stringify(encoding)}, { source })\``;
    if (!ThreadfoldError.isInstance(cause)) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      const message = `${address} could not be loaded from ${place}: ${reason}. Serve it beside the code, or pass its address or its bytes: ${pass}. ${HOSTS}`;
      return new ThreadfoldError("vocabulary-load-failed", message, { cause });
    }
    if (cause.code !== "invalid-vocabulary") return cause;
    const message = `what came from ${place} is not ${address}: ${cause.message}. Allowed is that file of this very version of the package, as it is or packed with gzip: ${pass}`;
    return new ThreadfoldError("invalid-vocabulary", message, { cause });
  }
}
