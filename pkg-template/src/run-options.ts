import { refuse } from "./guard.js";
import { checkSignal } from "./signal.js";

/** More would be no instructions but a text to summarise. In characters. */
const LONGEST_INSTRUCTIONS = 1_048_576;

/** What a run may be started with, whatever it is about. */
export interface InstructedRun {
  /** What the user wants of the summary. */
  customInstructions?: string | undefined;
  /** Ends the run; before its result is saved, nothing has changed then. */
  signal?: AbortSignal | undefined;
}

/** Checks instructions of the user, and a signal. */
export function checkInstructedRun({ customInstructions, signal }: InstructedRun): void {
  checkInstructions(customInstructions);
  checkSignal(signal);
}

function checkInstructions(text: unknown): void {
  if (text === undefined) return;
  if (typeof text !== "string") refuse("customInstructions", text, "a string");
  if (text.length <= LONGEST_INSTRUCTIONS) return;
  refuse("customInstructions", text, `a text of up to ${LONGEST_INSTRUCTIONS} characters, and this one has ${text.length}`);
}
