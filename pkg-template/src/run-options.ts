import { refuse } from "./guard.js";

/** More would be no instructions but a text to summarise. In characters. */
const LONGEST_INSTRUCTIONS = 1_048_576;

/** Checks instructions of the user. */
export function checkInstructions(text: unknown): void {
  if (text === undefined) return;
  if (typeof text !== "string") refuse("customInstructions", text, "a string");
  if (text.length <= LONGEST_INSTRUCTIONS) return;
  refuse("customInstructions", text, `a text of up to ${LONGEST_INSTRUCTIONS} characters, and this one has ${text.length}`);
}

/** Checks a signal; any object that behaves like one will do. */
export function checkSignal(value: unknown): void {
  const { aborted, addEventListener, removeEventListener } = (value ?? {}) as Partial<AbortSignal>;
  const isSignal = typeof aborted === "boolean" && typeof addEventListener === "function" && typeof removeEventListener === "function";
  if (value !== undefined && !isSignal) refuse("signal", value, "an AbortSignal");
}
