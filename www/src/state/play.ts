// A scripted run, typed turn by turn into a session of its own.

import { batch, computed, effect, signal } from "@preact/signals";
import { proxy } from "comlink";
import type { Choices, PlayEvent, PlayState, Snapshot } from "../contract.js";
import { playChoices } from "../engine/play/choices.js";
import { choices } from "./choices.js";
import { ask } from "./ask.js";
import { engine } from "./engine.js";
import { tell } from "./news.js";
import { trouble } from "./trouble.js";
import { applySnapshot, selected, snapshot } from "./session.js";

/** Turns a minute. */
export const SPEEDS = { least: 6, most: 600, first: 30 };
export const speed = signal(SPEEDS.first);

/** So many lines of the log are kept, the newest. */
const MOST_EVENTS = 200;
/** The log is drawn so often at most, in milliseconds. */
const EVERY_MS = 150;

/** An event with its number, from 1. */
export type LogLine = PlayEvent & { number: number };

const latest = signal<PlayState | undefined>(undefined);
export const log = signal<readonly LogLine[]>([]);

/** The play on the screen; nothing where another session is. */
export const play = computed(() => (snapshot.value?.about.kind === "play" ? latest.value : undefined));

export async function startPlay(): Promise<void> {
  trouble.value = undefined;
  log.value = [];
  latest.value = undefined;
  const listener = proxy({ state: hear, event: note, snapshot: follow });
  const begun = await ask(engine.play(choices.peek(), speed.peek(), listener));
  if (begun === undefined) return;
  stage(begun);
  tell("A run is being played.");
}

/** Shows the played session under its own choices. */
function stage(begun: Snapshot): void {
  before = { session: begun.session, choices: choices.peek() };
  batch(() => {
    applySnapshot(begun);
    choices.value = playChoices(choices.peek());
  });
}

/** What was set before the play. */
let before: { session: number; choices: Choices } | undefined;

// Another session takes the place of the played one: what was set before holds again.
effect(() => {
  const session = snapshot.value?.session;
  if (before === undefined || session === before.session) return;
  choices.value = before.choices;
  before = undefined;
});

export async function pausePlay(): Promise<void> {
  await engine.pause();
}

export async function resumePlay(): Promise<void> {
  await engine.resume();
}

/** The next message alone. */
export async function stepPlay(): Promise<void> {
  await engine.step();
}

export async function setSpeed(turns: number): Promise<void> {
  speed.value = turns;
  if (play.peek() !== undefined) await engine.setSpeed(turns);
}

/** Ends it: goes on with the played session, or brings the one before back. */
export async function endPlay(keep: boolean): Promise<void> {
  trouble.value = undefined;
  const after = await ask(engine.endPlay(keep));
  if (after === undefined) return;
  latest.value = undefined;
  if (keep) before = undefined;
  applySnapshot(after);
  tell(keep ? "The played session is yours now." : "Your session is back.");
}

/** The newest entry is the one that is looked at, but for a visitor who looks at another. */
function follow(next: Snapshot): void {
  const leaf = snapshot.peek()?.leaf ?? -1;
  const follows = selected.peek() < 0 || selected.peek() === leaf;
  batch(() => {
    applySnapshot(next);
    if (follows) selected.value = next.leaf;
  });
}

function hear(state: PlayState): void {
  const known = latest.peek();
  const ended = state.status === "ended" && known?.status !== "ended";
  // What was typed last stays until something else is typed.
  const typing = state.typing ?? known?.typing;
  latest.value = { ...state, ...(typing === undefined ? {} : { typing }) };
  if (ended) tell("The run has ended.");
}

/** A fast run has hundreds of events a second: they are shown in batches. */
function note(event: PlayEvent): void {
  noted.push({ ...event, number: (numbers += 1) });
  timer ??= setTimeout(() => {
    timer = undefined;
    log.value = [...log.peek(), ...noted.splice(0)].slice(-MOST_EVENTS);
  }, EVERY_MS);
}

const noted: LogLine[] = [];
let numbers = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
