import { declareDead, engine, type Glue } from "./engine.js";
import { ThreadfoldError, type ErrorCode } from "./error.js";

/** Calls the engine; whatever it throws becomes a {@link ThreadfoldError}. */
export function guard<T>(call: (glue: Glue) => T): T {
  const glue = engine();
  try {
    return call(glue);
  } catch (error) {
    throw translate(error, glue);
  }
}

/** Gives back what an object of the engine holds. */
export function giveBack(handle: { free(): void }): void {
  try {
    handle.free();
  } catch {
    // The engine has stopped in the middle of a call that held it; that call told why.
  }
}

function translate(error: unknown, glue: Glue): unknown {
  if (ThreadfoldError.isInstance(error)) return error;
  // What ends a call in the middle of the engine leaves it in an unknown state: it is never called again.
  if (error instanceof WebAssembly.RuntimeError || isOverflowInWasm(error)) {
    return declareDead(new ThreadfoldError("internal", `the engine stopped: ${panicMessage(glue) ?? error.message}`, { cause: error }));
  }
  if (error instanceof Error && "code" in error && typeof error.code === "string") {
    return new ThreadfoldError(error.code as ErrorCode, error.message);
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new ThreadfoldError("internal", `the engine failed: ${reason}`, { cause: error });
}

/**
 * Whether the stack ran full in wasm code: such an error is a RangeError (Firefox: an InternalError),
 * and V8, Firefox and Safari each have a name for the frames of wasm.
 */
function isOverflowInWasm(error: unknown): error is Error {
  try {
    if (!(error instanceof Error) || !(error instanceof RangeError || error.name === "InternalError")) return false;
    return /wasm:\/\/|wasm-function|\[wasm code\]/.test(String(error.stack));
  } catch {
    // A part of it threw when it was read: no engine made that.
    return false;
  }
}

function panicMessage(glue: Glue): string | undefined {
  try {
    return glue.panicMessage();
  } catch {
    return undefined;
  }
}

/** Refuses an argument. */
export function refuse(name: string, value: unknown, allowed: string, code: ErrorCode = "invalid-argument"): never {
  throw new ThreadfoldError(code, `${name}: ${describe(value)} is not allowed; allowed is ${allowed}`);
}

/** A value in a message: short, and never calling code of the value. */
export function describe(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
  if (value === null || ["undefined", "number", "boolean", "bigint"].includes(typeof value)) return String(value);
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** Refuses options that are not known, so that a misspelt one is not passed over. */
export function checkOptions(name: string, options: object, known: readonly string[]): void {
  if (typeof options !== "object" || options === null) refuse(name, options, "an object");
  for (const key of Object.keys(options)) {
    if (!known.includes(key)) {
      throw new ThreadfoldError("invalid-argument", `${name}.${key}: no such option; known are ${known.join(", ")}`);
    }
  }
}

/** A number that may be left out. */
export function optionalNumber(name: string, value: unknown): number | undefined {
  if (value === undefined || typeof value === "number") return value;
  return refuse(name, value, "a whole number of tokens", name === "contextWindow" ? "invalid-window" : "invalid-argument");
}
