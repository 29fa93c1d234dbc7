import * as formatsGlue from "./glue/formats.js";
import * as coreGlue from "./glue/threadfold.js";
import { WasmFile, type WasmSource } from "./wasm-file.js";

/** The sessions and everything about them. */
export const core = new WasmFile(coreGlue, {
  what: "the engine",
  address: "threadfold/core.wasm",
  option: "wasm",
  loading: "await init()",
});

/** The formats of messages and transcripts, which only programs load that use them. */
export const formats = new WasmFile(formatsGlue, {
  what: "the engine's part for message formats",
  address: "threadfold/formats.wasm",
  option: "formats",
  loading: "await init({ formats: true })",
});

/** Options of {@link init}. */
export interface InitOptions {
  /** The file `threadfold/core.wasm`, for a host where the package cannot find its own. */
  wasm?: WasmSource | PromiseLike<WasmSource> | undefined;
  /**
   * Loads the file `threadfold/formats.wasm` as well, which the functions for messages of other libraries
   * and `Session.import` need; or that file itself. Default: false.
   */
  formats?: boolean | WasmSource | PromiseLike<WasmSource> | undefined;
}

/**
 * Loads the engine. Browsers need it once before the first synchronous call, with `formats: true` before
 * the first of {@link validateMessages} and the like; asynchronous calls load by themselves what they need.
 * Node, Deno, Bun, workerd and the edge runtimes need it nowhere. Calls share one load, and a failed load
 * may be tried again.
 */
export async function init(options: InitOptions = {}): Promise<void> {
  const { wasm, formats: wanted = false } = options;
  const loads = [core.load(wasm)];
  if (wanted !== false) loads.push(formats.load(wanted === true ? undefined : wanted));
  await Promise.all(loads);
}
