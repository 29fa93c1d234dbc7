import { ThreadfoldError } from "./error.js";
import { isResponse, refuseBadAnswer } from "./file-answer.js";
import { remedies } from "./host-remedies.js";

/** Where a wasm file may come from: its address, a response that carries it, its bytes, or a compiled module. */
export type WasmSource = URL | string | Response | BufferSource | WebAssembly.Module;

/** What can be compiled at once, without waiting. */
type SourceAtOnce = BufferSource | WebAssembly.Module;

/** What the generated glue of every wasm file exports, beside the functions that it is there for. */
interface Glue {
  default(options: { module_or_path: Exclude<WasmSource, string | URL> }): Promise<unknown>;
  initSync(options: { module: SourceAtOnce }): unknown;
  /** What the first panic said. */
  panicMessage(): string | undefined;
}

/** How messages name a wasm file. */
interface Names {
  /** What is in it. */
  what: string;
  /** Its address in the package. */
  address: string;
  /** The option of `init` that takes it. */
  option: string;
  /** The call that loads it. */
  loading: string;
}

const HOSTS = remedies(', or import "threadfold/inline"', "`'wasm-unsafe-eval'` in `script-src`");

/** A wasm file of the engine with its glue: whether it is loaded, how it is, and whether it still runs. */
export class WasmFile<Exports extends Glue> {
  readonly #glue: Exports;
  readonly #names: Names;
  #isReady = false;
  #loading: Promise<void> | undefined;
  /** Why it has stopped. */
  #end: ThreadfoldError | undefined;
  #own: (() => WasmSource | PromiseLike<WasmSource>) | undefined;
  #ownAtOnce: (() => SourceAtOnce) | undefined;

  constructor(glue: Exports, names: Names) {
    this.#glue = glue;
    this.#names = names;
  }

  /**
   * What it exports. Where the host can read it at once, that loads it. Throws `not-initialized`
   * where it is not loaded, `wasm-load-failed`, and, once it has stopped, why, for good.
   */
  exports(): Omit<Exports, "default" | "initSync"> {
    if (this.#end !== undefined) throw this.#end;
    if (this.#isReady) return this.#glue;
    // While it comes from elsewhere, a second instance would take the place of the first.
    if (this.#ownAtOnce === undefined || this.#loading !== undefined) {
      const { what, loading } = this.#names;
      throw new ThreadfoldError("not-initialized", `${what} is not loaded yet: call \`${loading}\` once before the first synchronous call`);
    }
    this.loadAtOnce(this.#ownAtOnce);
    return this.#glue;
  }

  /** Notes that it has stopped, and gives the error that says so, which every later call throws too: the first one. */
  stopped(reason: string, cause: unknown): ThreadfoldError {
    this.#end ??= new ThreadfoldError("internal", `${this.#names.what} stopped: ${reason}`, { cause });
    return this.#end;
  }

  /** For the entries: where this host finds the file when `init` is called without one. */
  provide(source: () => WasmSource | PromiseLike<WasmSource>): void {
    this.#own = source;
  }

  /** The same for a host that reads it without waiting: it is loaded at the first call that needs it. */
  provideAtOnce(source: () => SourceAtOnce): void {
    this.#ownAtOnce = source;
  }

  /** Loads it already now. A failure is left to the first call, so that a host which has lost the file can still hand it to `init`. */
  startAtOnce(source: () => SourceAtOnce): void {
    this.provideAtOnce(source);
    try {
      this.loadAtOnce(source);
    } catch {
      // The first call tries again, and says why it fails.
    }
  }

  /** Loads it, from the host's own place where no source is given. Calls share one load, and a failed one may be tried again. */
  async load(source?: WasmSource | PromiseLike<WasmSource>): Promise<void> {
    if (this.#isReady) return;
    if (this.#loading === undefined && source === undefined && this.#ownAtOnce !== undefined) {
      this.loadAtOnce(this.#ownAtOnce);
      return;
    }
    this.#loading ??= this.#fetch(source).finally(() => {
      this.#loading = undefined;
    });
    await this.#loading;
  }

  /** Loads it at once. */
  loadAtOnce(source: () => SourceAtOnce): void {
    try {
      this.#glue.initSync({ module: source() });
    } catch (cause) {
      throw this.#notLoaded(cause);
    }
    this.#isReady = true;
  }

  async #fetch(given: WasmSource | PromiseLike<WasmSource> | undefined): Promise<void> {
    try {
      const source = await (given ?? this.#own?.());
      if (source === undefined) throw new TypeError("no wasm file was given, and this entry knows none");
      const input = typeof source === "string" || source instanceof URL ? await fetch(source) : source;
      if (isResponse(input)) refuseBadAnswer(input);
      await this.#glue.default({ module_or_path: input });
    } catch (cause) {
      throw this.#notLoaded(cause);
    }
    this.#isReady = true;
  }

  #notLoaded(cause: unknown): ThreadfoldError {
    const { address, option } = this.#names;
    const reason = cause instanceof Error ? cause.message : String(cause);
    const hint = `Serve \`${address}\` beside the code, or pass it: \`await init({ ${option} })\`. ${HOSTS}`;
    return new ThreadfoldError("wasm-load-failed", `the engine's file ${address} could not be loaded: ${reason}. ${hint}`, { cause });
  }
}
