// Going to another place of the tree: what is left behind, and what was carried over.

import { signal } from "@preact/signals";
import type { Navigated } from "../contract.js";
import { sentence } from "../sentence.js";
import type { Explanation } from "../summarizers/explain.js";
import { choices } from "./choices.js";
import { engine } from "./engine.js";
import { tell } from "./news.js";
import { during } from "./run.js";
import { applySnapshot, onPath, rows, snapshot } from "./session.js";

/** The last way that was gone, until its dialog is closed. */
export const arrived = signal<{ to: number; result: Navigated; fault?: Explanation } | undefined>(undefined);

export async function navigate(to: number, summarize: boolean, instructions: string): Promise<void> {
  arrived.value = undefined;
  const ended = await during("navigate", (summarizing, listener) => engine.navigate(to, summarize, instructions.trim(), choices.peek(), summarizing, listener));
  if (ended === undefined) return;
  const { value: result, fault } = ended;
  applySnapshot(result.snapshot);
  arrived.value = { to, result, ...(fault === undefined ? {} : { fault }) };
  tell(words(to, result));
}

/** The entries of the path that a way to an entry leaves behind: those below the last one that both share. */
export function leftBehind(to: number): Uint32Array {
  const path = snapshot.value?.path ?? new Uint32Array();
  let shared = to;
  // A parent stands above its child in every tree, so that this ends.
  while (shared >= 0 && !onPath.value.has(shared)) shared = rows.value[shared]?.parent ?? -1;
  return path.subarray(path.indexOf(shared) + 1);
}

function words(to: number, { cancelled, trouble, summary, editorText }: Navigated): string {
  if (trouble !== undefined) return `It failed, and the leaf is where it was. ${sentence(trouble.message)}`;
  if (cancelled) return "Aborted. The leaf is where it was.";
  const carried = summary === undefined ? "" : " A summary of the branch that was left was carried over.";
  const again = editorText === undefined ? "" : " The message is to be written anew.";
  return `Went to entry ${to + 1}.${carried}${again}`;
}
