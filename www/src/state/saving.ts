// What leaves the page by the visitor's hand: files and the clipboard.

import { tell } from "./news.js";
import { snapshot } from "./session.js";
import { trouble } from "./trouble.js";

/** How long the address of a file is kept for the browser to fetch it, in milliseconds. */
const KEPT_MS = 60_000;

/** Saves a file, as a download of the browser. */
export function save(name: string, type: string, content: BlobPart): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
  tell(`Saved ${name}.`);
}

/** Copies a text; says whether that went well. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    tell("Copied.");
    return true;
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    trouble.value = { code: "page", message: `The browser did not allow copying: ${said}`, advice: "Save it as a file instead, or select the text and copy it." };
    return false;
  }
}

/** The name of the session's file without its ending, fit for another file. */
export function baseName(): string {
  const name = snapshot.peek()?.about.name ?? "";
  const base = name.replace(/\.[a-z0-9]{1,6}$/i, "").replace(/[^\p{L}\p{N}._-]+/gu, "-").replace(/^[-.]+|-+$/g, "");
  return base === "" ? "session" : base.slice(0, 80);
}
