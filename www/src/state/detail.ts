// The entry that is looked at in full.

import { signal } from "@preact/signals";
import type { EntryText } from "../contract.js";
import { ask } from "./ask.js";
import { engine } from "./engine.js";

export const found = signal<EntryText | undefined>(undefined);

let wanted = -1;

/** Fetches it; one that was asked for meanwhile is the one that is shown. */
export async function lookAt(index: number): Promise<void> {
  wanted = index;
  const text = await ask(engine.entry(index));
  if (wanted === index) found.value = text;
}
