import { refuse } from "./guard.js";

/** Refuses what is no signal. Any object that behaves like one will do. */
export function checkSignal(value: unknown): void {
  const { aborted, addEventListener, removeEventListener } = (value ?? {}) as Partial<AbortSignal>;
  const isSignal = typeof aborted === "boolean" && typeof addEventListener === "function" && typeof removeEventListener === "function";
  if (value !== undefined && !isSignal) refuse("signal", value, "an AbortSignal");
}

/** Throws the reason of a signal that is aborted, as the platform's own functions do. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw signal.reason ?? new DOMException("it was aborted", "AbortError");
}
