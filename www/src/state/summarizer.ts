// Who summarises, as the visitor set it, and whether that works. All of it is in memory only.

import { signal } from "@preact/signals";
import { availability, windowOfBrowserModel, type Availability } from "../summarizers/browser-model.js";
import { chosen } from "../summarizers/chosen.js";
import { explain, type Explanation } from "../summarizers/explain.js";
import { INITIAL_SUMMARIZER, missing, type SummarizerKind, type SummarizerSettings } from "../summarizers/settings.js";
import { tryOut, type Tried } from "../summarizers/try-out.js";
import { tell } from "./news.js";

export const summarizer = signal<SummarizerSettings>(INITIAL_SUMMARIZER);

/** Whether the browser's model can be asked. */
export const browserState = signal<Availability>("unavailable");
/** How much of it is loaded while it is being loaded, from 0 to 1. */
export const downloaded = signal<number | undefined>(undefined);

/** What a try came to. */
export type Trial = { state: "running"; abort: AbortController } | ({ state: "works" } & Tried) | ({ state: "fails" } & Explanation);
export const trial = signal<Trial | undefined>(undefined);

export function chooseSummarizer(kind: SummarizerKind): void {
  forgetTrial();
  summarizer.value = { ...summarizer.peek(), kind };
  if (kind === "browser") void askBrowser();
}

/** Sets fields of one kind. */
export function setSummarizer<Kind extends Exclude<keyof SummarizerSettings, "kind">>(kind: Kind, fields: Partial<SummarizerSettings[Kind]>): void {
  forgetTrial();
  const before = summarizer.peek();
  summarizer.value = { ...before, [kind]: { ...before[kind], ...fields } };
}

/** Whether the browser's model is there by now. Asked only once it is wanted: some browsers complain on the console. */
async function askBrowser(): Promise<void> {
  browserState.value = await availability();
}

/** Learns how much the browser's model can read, which it tells only once it is loaded. */
export async function learnBrowserWindow(): Promise<void> {
  if (summarizer.peek().kind !== "browser" || summarizer.peek().browser.window > 0) return;
  if ((await availability()) !== "available") return;
  const window = await windowOfBrowserModel().catch(() => 0);
  const before = summarizer.peek();
  summarizer.value = { ...before, browser: { window } };
}

/** What was thrown, in words, for the summariser that is set now. */
export function explained(error: unknown): Explanation {
  return explain(error, summarizer.peek(), location.origin);
}

/** Asks for a sentence, to see whether it works. */
export async function trySummarizer(): Promise<void> {
  const settings = summarizer.peek();
  const lacking = missing(settings);
  if (lacking !== undefined) {
    trial.value = { state: "fails", what: `It lacks ${lacking}.`, advice: "Fill it in, then try again." };
    return;
  }
  const summarize = chosen(settings, { onText: () => undefined, onDownload: (share) => (downloaded.value = share) });
  if (summarize === undefined) return;
  const running: Trial = { state: "running", abort: new AbortController() };
  trial.value = running;
  const outcome = await tryOut(summarize, running.abort.signal).then(
    (tried): Trial => ({ state: "works", ...tried }),
    (error: unknown): Trial => ({ state: "fails", ...explained(error) }),
  );
  downloaded.value = undefined;
  if (settings.kind === "browser") await Promise.all([askBrowser(), learnBrowserWindow()]);
  // It was stopped, or something else was set meanwhile.
  if (trial.peek() !== running) return;
  trial.value = outcome;
  tell(outcome.state === "works" ? "The summariser works." : "The summariser does not work.");
}

export function forgetTrial(): void {
  const running = trial.peek();
  if (running?.state === "running") running.abort.abort();
  trial.value = undefined;
}
