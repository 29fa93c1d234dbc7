import type { MessageFormat } from "./message-format.js";

/** The closed list of error codes. A code never changes its meaning; messages may be reworded. */
export type ErrorCode =
  | "not-initialized"
  | "wasm-load-failed"
  | "invalid-argument"
  | "invalid-window"
  | "invalid-settings"
  | "invalid-entry"
  | "not-a-session"
  | "too-large"
  | "unknown-entry"
  | "message-not-appended"
  | "busy"
  | "stale"
  | "summary-refused"
  | "summarizer-failed"
  | "remote-failed"
  | "storage-failed"
  | "conflict"
  | "unsupported-format"
  | "ambiguous-format"
  | "unsupported-encoding"
  | "vocabulary-load-failed"
  | "invalid-vocabulary"
  | "internal";

// A registered symbol is the same in every copy of the package, so that `isInstance` holds where
// a bundler or a mix of ESM and CJS has loaded two copies and `instanceof` would fail.
const marker = Symbol.for("threadfold.error");

/** Every error that the package throws or reports. Tell them apart by `code`. */
export class ThreadfoldError extends Error {
  /** What went wrong, in one stable word. */
  readonly code: ErrorCode;
  /** Of `ambiguous-format` alone: the formats that it could be, one of which `format` is to name. */
  readonly formats?: readonly MessageFormat[];

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown; formats?: readonly MessageFormat[] | undefined }) {
    super(message, options);
    this.name = "ThreadfoldError";
    this.code = code;
    if (options?.formats !== undefined) this.formats = options.formats;
    Object.defineProperty(this, marker, { value: true });
  }

  /** Whether a value is an error of this package, also one from another copy of it. */
  static isInstance(value: unknown): value is ThreadfoldError {
    try {
      return typeof value === "object" && value !== null && (value as Record<symbol, unknown>)[marker] === true;
    } catch {
      // A proxy that throws when it is read.
      return false;
    }
  }
}
