import * as glue from "./glue/threadfold.js";
import { ThreadfoldError } from "./error.js";

/** The exports of the compiled engine. */
export type Glue = Omit<typeof glue, "default" | "initSync">;

/** Where the wasm file may come from: its address, a response that carries it, its bytes, or a compiled module. */
export type WasmSource = URL | string | Response | BufferSource | WebAssembly.Module;

/** Options of {@link init}. */
export interface InitOptions {
  /** The wasm file, for a host where the package cannot find its own. */
  wasm?: WasmSource | PromiseLike<WasmSource> | undefined;
}

const hint =
  "Serve `threadfold/core.wasm` beside the code, or pass it: `await init({ wasm })`. " +
  'Vite 5 to 7 in dev: add `optimizeDeps: { exclude: ["threadfold"] }`. ' +
  'esbuild: copy the file next to the bundle, or import "threadfold/inline". ' +
  'Next.js on the server: add `serverExternalPackages: ["threadfold"]`. ' +
  "Under a Content-Security-Policy: allow `'wasm-unsafe-eval'` in `script-src`.";

let ready = false;
let loading: Promise<void> | undefined;
let failure: ThreadfoldError | undefined;
let dead: ThreadfoldError | undefined;
let ownSource: (() => WasmSource | PromiseLike<WasmSource>) | undefined;

/** The engine's exports; throws where none is loaded yet, and for good once it has stopped. */
export function engine(): Glue {
  if (dead !== undefined) throw dead;
  if (ready) return glue;
  if (failure !== undefined) throw failure;
  throw new ThreadfoldError(
    "not-initialized",
    "the engine is not loaded yet: call `await init()` once before the first synchronous call",
  );
}

/** Says that the engine has stopped; every later call says so too. Gives the first reason back. */
export function declareDead(reason: ThreadfoldError): ThreadfoldError {
  dead ??= reason;
  return dead;
}

/**
 * Loads the engine. Browsers need it once before the first synchronous call; Node, Deno, Bun and
 * workerd have loaded it at import. Calls share one load, and a failed load may be tried again.
 */
export function init(options: InitOptions = {}): Promise<void> {
  if (ready) return Promise.resolve();
  loading ??= load(options.wasm).finally(() => {
    loading = undefined;
  });
  return loading;
}

/** Loads the engine at once, from bytes or a compiled module. */
export function initSync(wasm: BufferSource | WebAssembly.Module): void {
  if (ready) return;
  try {
    glue.initSync({ module: wasm });
  } catch (cause) {
    throw loadFailed(cause);
  }
  ready = true;
}

/** For the entries: where this host finds the wasm file when `init` is called without one. */
export function provideWasm(source: () => WasmSource | PromiseLike<WasmSource>): void {
  ownSource = source;
}

/**
 * For the entries of hosts that load synchronously. A failure is kept for the first call, not thrown
 * at import, so that a host which has lost the file can still hand it to `init`.
 */
export function startNow(source: () => BufferSource | WebAssembly.Module): void {
  ownSource = source;
  try {
    initSync(source());
  } catch (cause) {
    failure = ThreadfoldError.isInstance(cause) ? cause : loadFailed(cause);
  }
}

async function load(wasm: InitOptions["wasm"]): Promise<void> {
  try {
    const source = await (wasm ?? ownSource?.());
    if (source === undefined) throw new TypeError("no wasm file was given, and this entry knows none");
    const addressed = typeof source === "string" || source instanceof URL;
    const input = addressed ? await fetch(source) : source;
    if (isResponse(input)) refuseBadAnswer(input);
    await glue.default({ module_or_path: input });
  } catch (cause) {
    throw loadFailed(cause);
  }
  ready = true;
  failure = undefined;
}

function isResponse(input: unknown): input is Response {
  return typeof Response === "function" && input instanceof Response;
}

/** A development server that has lost the file answers with its start page and status 200. */
function refuseBadAnswer(response: Response): void {
  const type = response.headers.get("content-type") ?? "";
  if (!response.ok) throw new TypeError(`HTTP status ${response.status} for ${response.url}`);
  if (type.startsWith("text/html")) throw new TypeError(`an HTML page instead of the file at ${response.url}`);
}

function loadFailed(cause: unknown): ThreadfoldError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new ThreadfoldError("wasm-load-failed", `the engine's wasm file could not be loaded: ${reason}. ${hint}`, {
    cause,
  });
}
