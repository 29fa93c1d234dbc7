import { core, formats } from "./engine.js";
import { ThreadfoldError, type ErrorCode } from "./error.js";
import type { MessageFormat } from "./message-format.js";

/** Calls the engine; whatever it throws becomes a {@link ThreadfoldError}. */
export function guard<T>(call: (glue: ReturnType<typeof core.exports>) => T): T {
  return guardFile(core, call);
}

/** The same for its part for formats. */
export function guardFormats<T>(call: (glue: ReturnType<typeof formats.exports>) => T): T {
  return guardFile(formats, call);
}

/** One of the engine's wasm files, as far as a call and its end need it. */
interface Called<Exports> {
  exports(): Exports;
  stopped(reason: string, cause: unknown): ThreadfoldError;
}

interface TellsPanics {
  panicMessage(): string | undefined;
}

function guardFile<Exports extends TellsPanics, T>(file: Called<Exports>, call: (glue: Exports) => T): T {
  const glue = file.exports();
  try {
    return call(glue);
  } catch (error) {
    throw translate(error, file, glue);
  }
}

/** What a caller gets of an error that a call of the engine threw: where one is made too often for a closure each time. */
export function explained(error: unknown): unknown {
  return translate(error, core, core.exports());
}

/** Gives back what an object of the engine holds. */
export function giveBack(handle: { free(): void }): void {
  try {
    handle.free();
  } catch {
    // The engine has stopped in the middle of a call that held it; that call told why.
  }
}

function translate(error: unknown, file: Called<unknown>, glue: TellsPanics): unknown {
  if (ThreadfoldError.isInstance(error)) return error;
  // What ends a call in the middle of a file leaves that in an unknown state: it is never called again.
  if (error instanceof WebAssembly.RuntimeError || isOverflowInWasm(error)) {
    return file.stopped(panicMessage(glue) ?? error.message, error);
  }
  if (error instanceof Error && "code" in error && typeof error.code === "string") {
    const { formats } = error as { formats?: readonly MessageFormat[] };
    return new ThreadfoldError(error.code as ErrorCode, error.message, { formats });
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

function panicMessage(glue: TellsPanics): string | undefined {
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
  if (isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** Whether a value is an array, whatever it is. */
export function isArray(value: unknown): value is unknown[] {
  try {
    return Array.isArray(value);
  } catch {
    // A revoked proxy.
    return false;
  }
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
