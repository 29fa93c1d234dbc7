// What a fold would do now, under the choices as they stand.
//
// One question is under way at a time; what is chosen meanwhile waits, and only the newest of it is asked.

import { computed, effect, signal } from "@preact/signals";
import type { Choices, Plan, Snapshot, Trouble } from "../contract.js";
import { choices } from "./choices.js";
import { engine } from "./engine.js";
import { readFates } from "./fates.js";
import { applySnapshot, snapshot } from "./session.js";

export const plan = signal<Plan | undefined>(undefined);
/** Why there is no plan: choices that the library refuses. */
export const planTrouble = signal<Trouble | undefined>(undefined);
/** A session is counted anew, which takes a moment. */
export const recounting = signal(false);

/** What becomes of each entry under the plan. */
export const fates = computed(() => readFates(plan.value, snapshot.value?.length ?? 0));

/** What the question before was about. */
let asked: { session: Snapshot; choices: Choices } | undefined;
let waiting = false;
let underWay = false;

/** Asks from now on whenever the session or a choice changes. */
export function keepPlanning(): void {
  effect(() => {
    const [session, chosen] = [snapshot.value, choices.value];
    if (session === undefined || (asked?.session === session && asked.choices === chosen)) return;
    if (asked?.session.session !== session.session) plan.value = undefined;
    waiting = true;
    if (!underWay) void askAll();
  });
}

async function askAll(): Promise<void> {
  underWay = true;
  while (waiting) {
    waiting = false;
    await askOnce(choices.peek());
  }
  underWay = false;
}

async function askOnce(chosen: Choices): Promise<void> {
  if (asked !== undefined && asked.choices !== chosen && !(await settle(chosen, asked.choices))) return;
  const session = snapshot.peek();
  if (session === undefined) return;
  asked = { session, choices: chosen };
  const answer = await engine.plan(chosen);
  // Another session came meanwhile: this plan is not its.
  if (snapshot.peek()?.session !== session.session) return;
  if (answer.ok) plan.value = answer.value;
  planTrouble.value = answer.ok ? undefined : answer.trouble;
}

/** Has the session seen under other choices; says whether that went well. */
async function settle(chosen: Choices, before: Choices): Promise<boolean> {
  recounting.value = chosen.tokenizer !== before.tokenizer || chosen.images !== before.images;
  const answer = await engine.choose(chosen);
  recounting.value = false;
  planTrouble.value = answer.ok ? undefined : answer.trouble;
  if (!answer.ok) return false;
  asked = { session: answer.value, choices: chosen };
  applySnapshot(answer.value);
  return true;
}
