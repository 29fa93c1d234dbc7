// What runs in the worker: a fold, or a way through the tree with a summary. One at a time.

import { signal } from "@preact/signals";
import { proxy } from "comlink";
import type { Answer, Listener, Progress, Summarizing } from "../contract.js";
import { chosen } from "../summarizers/chosen.js";
import { SummaryDesk } from "../summarizers/desk.js";
import type { Explanation } from "../summarizers/explain.js";
import { missing, modelOf, summarizingOf } from "../summarizers/settings.js";
import { ask } from "./ask.js";
import { engine } from "./engine.js";
import { openTab } from "./layout.js";
import { downloaded, explained, learnBrowserWindow, summarizer } from "./summarizer.js";
import { trouble } from "./trouble.js";

export interface Run {
  what: "fold" | "navigate";
  /** What goes on now. */
  now?: Progress;
  /** What was said so far, newest last. */
  said: readonly string[];
  aborting: boolean;
}

export const run = signal<Run | undefined>(undefined);
/** What a summariser on this page wrote so far. */
export const written = signal("");

/** So many lines are kept of what was said. */
const MOST_LINES = 100;
/** Text that streams is shown so often at most, in milliseconds. */
const EVERY_MS = 60;

/** What a run came to, and, where a summariser of this page failed in it, why. */
export interface Ended<T> {
  value: T;
  fault?: Explanation;
}

/** Runs something in the worker, with the summariser that is set. Gives nothing where it could not begin. */
export async function during<T>(what: Run["what"], start: (summarizing: Summarizing, listener: Listener) => Promise<Answer<T>>): Promise<Ended<T> | undefined> {
  if (run.peek() !== undefined || !isReady()) return undefined;
  trouble.value = undefined;
  run.value = { what, said: [], aborting: false };
  written.value = "";
  try {
    await learnBrowserWindow();
    const hearing = listener();
    const value = await ask(start(summarizingOf(summarizer.peek()), proxy(hearing)));
    const fault = hearing.fault === undefined ? undefined : explained(hearing.fault);
    return value === undefined ? undefined : { value, ...(fault === undefined ? {} : { fault }) };
  } finally {
    run.value = undefined;
    downloaded.value = undefined;
  }
}

/** Ends what runs; nothing has changed then. */
export async function abortRun(): Promise<void> {
  const running = run.peek();
  if (running === undefined || running.aborting) return;
  run.value = { ...running, aborting: true };
  await engine.abort();
}

function isReady(): boolean {
  const lacking = missing(summarizer.peek());
  if (lacking === undefined) return true;
  trouble.value = { code: "page", message: `The summariser lacks ${lacking}.`, advice: "Fill it in, or choose another one." };
  openTab("summarizer");
  return false;
}

/** The page's ear, and what a summariser threw last. */
function listener(): Listener & { fault?: unknown } {
  const settings = summarizer.peek();
  const text = textAsItComes();
  const summarize = chosen(settings, { onText: text.show, onDownload: (share) => (downloaded.value = share) });
  // Not asked for the local one, nor for an endpoint, which the worker reaches by itself.
  const desk = new SummaryDesk(summarize ?? (() => ""), modelOf(settings), (error) => (ear.fault = error));
  const ear: Listener & { fault?: unknown } = {
    progress: hear,
    summarize: (id, request, attempt) => {
      text.clear();
      return desk.summarize(id, request, attempt);
    },
    cancel: (id) => desk.cancel(id),
  };
  return ear;
}

function hear(progress: Progress): void {
  const running = run.peek();
  if (running === undefined) return;
  run.value = { ...running, now: progress, said: [...running.said, progress.text].slice(-MOST_LINES) };
}

/** Shows text as it comes, but not more often than the eye needs. */
function textAsItComes(): { show: (text: string) => void; clear: () => void } {
  let latest = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  function draw(): void {
    timer = undefined;
    written.value = latest;
  }
  return {
    show(text) {
      latest = text;
      timer ??= setTimeout(draw, EVERY_MS);
    },
    clear() {
      clearTimeout(timer);
      latest = "";
      draw();
    },
  };
}
