// Files and texts that are dropped or pasted anywhere on the page.

import { signal } from "@preact/signals";
import { openFile, openText } from "../../state/open.js";

/** Something that can be opened is held over the page. */
export const held = signal(false);

/** Listens from now on. */
export function listenForDrops(): void {
  addEventListener("dragover", (event) => {
    event.preventDefault();
    held.value = true;
  });
  addEventListener("dragleave", (event) => {
    // Only when it leaves the window; between elements there is a related one.
    if (event.relatedTarget === null) held.value = false;
  });
  addEventListener("drop", (event) => {
    event.preventDefault();
    held.value = false;
    if (event.dataTransfer !== null) take(event.dataTransfer);
  });
  addEventListener("paste", (event) => {
    if (event.clipboardData === null || isField(event.target)) return;
    event.preventDefault();
    take(event.clipboardData);
  });
}

/** The first file, otherwise the text; an empty one is left alone. */
function take(data: DataTransfer): void {
  const file = data.files[0];
  if (file !== undefined) {
    void openFile(file);
    return;
  }
  const text = data.getData("text/plain");
  if (text.trim() !== "") void openText(text);
}

/** What is pasted into a field belongs there. */
function isField(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;
}
