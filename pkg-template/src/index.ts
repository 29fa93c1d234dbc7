import { engine } from "./engine.js";

export { init } from "./engine.js";
export type { InitOptions, WasmSource } from "./engine.js";
export { ThreadfoldError } from "./error.js";
export type { ErrorCode } from "./error.js";

/** The version of the engine. */
export function engineVersion(): string {
  return engine().engineVersion();
}
