// Selecting an entry, wherever it is shown.

import { onSession, scope } from "./layout.js";
import { onPath, selected } from "./session.js";

/** Selects it, and has the list show it. */
export function selectEntry(entry: number): void {
  if (!onPath.peek().has(entry)) scope.value = "all";
  onSession.value = true;
  selected.value = entry;
}
