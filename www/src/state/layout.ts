// How the page is laid out: one column or two, which tab is open, which entries are listed.

import { effect, signal } from "@preact/signals";
import { snapshot } from "./session.js";

const query = matchMedia("(min-width: 1100px)");
/** Whether the panels stand beside the session; otherwise the session is a tab like them. */
export const wide = signal(query.matches);
query.addEventListener("change", () => (wide.value = query.matches));

/** The open panel, by the id of its tab. */
export const panel = signal("plan");
/** Whether a narrow page shows the session rather than the panel. */
export const onSession = signal(true);

/** Opens a tab: `session`, or that of a panel. */
export function openTab(id: string): void {
  onSession.value = id === "session";
  if (id !== "session") panel.value = id;
}

/** Whether the list holds the path alone, or the whole file. */
export const scope = signal<"path" | "all">("path");
/** The entry whose detail is open; -1 for none. */
export const detail = signal(-1);

let shown: number | undefined;

// Another session is looked at from the start.
effect(() => {
  const session = snapshot.value?.session;
  if (session === shown) return;
  shown = session;
  scope.value = "path";
  detail.value = -1;
});
