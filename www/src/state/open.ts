// Opening a session: the sample, a file, what was pasted.

import { signal } from "@preact/signals";
import { transfer } from "comlink";
import type { Source } from "../contract.js";
import { counted } from "../figures.js";
import { choices } from "./choices.js";
import { engine } from "./engine.js";
import { tell } from "./news.js";
import { applySnapshot, rows } from "./session.js";
import { trouble } from "./trouble.js";

/** What is being opened; undefined when nothing is. */
export const opening = signal<{ name: string; bytes: number } | undefined>(undefined);

interface Wanted {
  kind: Source["kind"];
  name: string;
  content: Blob;
}

/** What the last trouble was about, for opening it as another format. */
let refused: Wanted | undefined;
/** Only the last of several that were opened quickly is shown. */
let turn = 0;

export async function openSample(): Promise<void> {
  opening.value = { name: "the sample", bytes: 0 };
  try {
    const response = await fetch("./sample.jsonl");
    if (!response.ok) throw new Error(`the server answered with ${response.status}`);
    await open({ kind: "sample", name: "sample.jsonl", content: await response.blob() });
  } catch (error) {
    opening.value = undefined;
    const message = `The sample could not be fetched: ${error instanceof Error ? error.message : String(error)}`;
    trouble.value = { code: "page", message, advice: "Reload the page, or open a file of yours: that needs no network." };
  }
}

export async function openFile(file: File): Promise<void> {
  await open({ kind: "file", name: file.name, content: file });
}

export async function openText(text: string): Promise<void> {
  await open({ kind: "paste", name: "", content: new Blob([text]) });
}

/** The file of the last trouble, as a format that the visitor named. */
export async function openAs(format: NonNullable<Source["format"]>): Promise<void> {
  if (refused !== undefined) await open(refused, format);
}

async function open(wanted: Wanted, format?: Source["format"]): Promise<void> {
  const mine = ++turn;
  opening.value = { name: wanted.name === "" ? "what you pasted" : wanted.name, bytes: wanted.content.size };
  trouble.value = undefined;
  try {
    const bytes = new Uint8Array(await wanted.content.arrayBuffer());
    const source: Source = { kind: wanted.kind, name: wanted.name, bytes, ...(format === undefined ? {} : { format }) };
    const answer = await engine.open(transfer(source, [bytes.buffer]), choices.peek());
    // Also one that a later file will replace: snapshots build on each other.
    if (answer.ok) applySnapshot(answer.value);
    if (mine !== turn) return;
    refused = answer.ok ? undefined : wanted;
    if (!answer.ok) trouble.value = answer.trouble;
    else tell(`Opened ${wanted.name === "" ? "what you pasted" : wanted.name}: ${counted(rows.peek().length, "entry", "entries")}.`);
  } catch (error) {
    // A file that went away, or one too large for the memory of this browser.
    const message = `${wanted.name} could not be read: ${error instanceof Error ? error.message : String(error)}`;
    if (mine === turn) trouble.value = { code: "page", message, advice: "Choose the file again; a very large one may need another browser." };
  } finally {
    if (mine === turn) opening.value = undefined;
  }
}
