// Sessions that are kept in this browser because the visitor asked for it.

import { signal } from "@preact/signals";
import type { Answer, KeptSession } from "../contract.js";
import { choices } from "./choices.js";
import { ask } from "./ask.js";
import { engine } from "./engine.js";
import { tell } from "./news.js";
import { applySnapshot } from "./session.js";

export const kept = signal<KeptSession[]>([]);

/** Keeps the session on the screen from now on. */
export async function keepSession(): Promise<boolean> {
  const done = await take(engine.keep());
  if (done) tell("The session is kept in this browser from now on.");
  return done;
}

export async function listKept(): Promise<void> {
  await take(engine.listKept());
}

export async function forget(session: KeptSession): Promise<void> {
  if (await take(engine.forgetKept(session.key))) tell(`${session.name} is no longer kept in this browser.`);
}

export async function openKept(session: KeptSession): Promise<boolean> {
  const opened = await ask(engine.openKept(session.key, choices.peek()));
  if (opened === undefined) return false;
  applySnapshot(opened);
  tell(`Opened ${session.name}.`);
  return true;
}

async function take(answer: Promise<Answer<KeptSession[]>>): Promise<boolean> {
  const listed = await ask(answer);
  if (listed !== undefined) kept.value = listed;
  return listed !== undefined;
}
