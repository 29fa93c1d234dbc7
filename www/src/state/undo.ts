// One step back, and forward again.

import { ask } from "./ask.js";
import { engine } from "./engine.js";
import { tell } from "./news.js";
import { run } from "./run.js";
import { applySnapshot, snapshot } from "./session.js";

export async function undo(): Promise<void> {
  const step = snapshot.peek()?.undo;
  if (step === undefined || run.peek() !== undefined) return;
  await go(engine.undo(), `Taken back: ${step}.`);
}

export async function redo(): Promise<void> {
  const step = snapshot.peek()?.redo;
  if (step === undefined || run.peek() !== undefined) return;
  await go(engine.redo(), `Done again: ${step}.`);
}

async function go(answer: ReturnType<typeof engine.undo>, said: string): Promise<void> {
  const next = await ask(answer);
  if (next === undefined) return;
  applySnapshot(next);
  tell(said);
}

/** Hears Ctrl+Z and Ctrl+Shift+Z (on a Mac with Command), but where text is written and in dialogs. */
export function listenForUndo(): void {
  addEventListener("keydown", (event) => {
    const isZ = event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey) && !event.altKey;
    if (!isZ || event.defaultPrevented || writes(event.target)) return;
    event.preventDefault();
    void (event.shiftKey ? redo() : undo());
  });
}

function writes(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, textarea, select, [contenteditable], dialog:modal") !== null;
}
