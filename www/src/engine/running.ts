// What a fold and a navigation have in common.

import type { Choices, Listener, Summarizing, Trouble } from "../contract.js";
import type { Held } from "./held.js";
import { troubleOf } from "./troubles.js";

/** What a run is asked with. */
export interface Asked {
  choices: Choices;
  summarizing: Summarizing;
  instructions: string;
  listener: Listener;
  signal: AbortSignal;
}

/** The instructions, where there are any. */
export function customInstructions({ instructions }: Asked): { customInstructions?: string } {
  return instructions.trim() === "" ? {} : { customInstructions: instructions };
}

/** Notes a run for Undo if it moved the leaf, and waits until a kept session is stored. Gives what went wrong there. */
export async function settle(held: Held, name: string, before: string | null): Promise<Trouble | undefined> {
  const after = held.session.leafId;
  if (after === before) return undefined;
  held.history.add({ name, before, after });
  try {
    await held.kept?.agent.flush();
    return undefined;
  } catch (error) {
    return troubleOf(error, "What was done is on the screen, but not stored.");
  }
}
