// A fold: what was asked for, what came of it, and the comparison of before and after.

import { computed, signal } from "@preact/signals";
import type { Folded } from "../contract.js";
import { short } from "../figures.js";
import { sentence } from "../sentence.js";
import type { Explanation } from "../summarizers/explain.js";
import { choices } from "./choices.js";
import { engine } from "./engine.js";
import { openTab, wide } from "./layout.js";
import { tell } from "./news.js";
import { during } from "./run.js";
import { applySnapshot, snapshot } from "./session.js";

/** What the summary should look at above all. */
export const instructions = signal("");

/** The last fold, of the session on the screen. */
interface LastFold {
  /** The number of the session, and the leaf afterwards. */
  session: number;
  leaf: number;
  result: Folded;
  fault?: Explanation;
}

const last = signal<LastFold | undefined>(undefined);

/** How the last fold ended, as long as the session stands where it left it. */
export const folded = computed(() => (isThere(last.value) ? last.value : undefined));
/** What the model saw before that fold, and sees now. */
export const comparison = computed(() => folded.value?.result.comparison);

const wanted = signal(false);
/** Whether the comparison is shown in place of the entries. */
export const comparing = computed(() => wanted.value && comparison.value !== undefined);

export async function fold(): Promise<void> {
  last.value = undefined;
  const ended = await during("fold", (summarizing, listener) => engine.fold(choices.peek(), summarizing, instructions.peek().trim(), listener));
  if (ended === undefined) return;
  const { value: result, fault } = ended;
  applySnapshot(result.snapshot);
  const { session, leaf } = result.snapshot;
  last.value = { session, leaf, result, ...(fault === undefined ? {} : { fault }) };
  // On a phone the outcome is read first.
  wanted.value = wide.peek();
  tell(words(result));
}

/** Shows before and after side by side. */
export function compare(): void {
  wanted.value = true;
  openTab(wide.peek() ? "fold" : "session");
}

/** Goes back to the entries. */
export function stopComparing(): void {
  wanted.value = false;
}

/** How a fold ended, in a sentence. */
function words({ status, nothingToDo, trouble, comparison: figures }: Folded): string {
  switch (status) {
    case "committed":
      return figures === undefined ? "Folded." : `Folded: ${short(figures.tokensBefore)} tokens became ${short(figures.tokensAfter)}.`;
    case "nothing-to-do":
      return `Nothing was folded. ${sentence(nothingToDo?.message ?? "")}`;
    case "cancelled":
      return "The fold was aborted. The session is as it was.";
    case "failed":
      return `The fold failed, and the session is as it was. ${sentence(trouble?.message ?? "")}`;
  }
}

function isThere(fold: LastFold | undefined): boolean {
  const now = snapshot.value;
  return fold !== undefined && now?.session === fold.session && now.leaf === fold.leaf;
}
