// The formats that the library writes messages in, as the worker knows them.

import { signal } from "@preact/signals";
import type { MessageFormat } from "threadfold";
import { engine } from "./engine.js";

export const messageFormats = signal<readonly MessageFormat[]>([]);

export async function learnFormats(): Promise<void> {
  if (messageFormats.peek().length === 0) messageFormats.value = (await engine.formats()).messages;
}
