// Says what is going on, on standard error, so that the report stays clean.

import { performance } from "node:perf_hooks";
import { clip, oneLine } from "./text.mjs";

const SLOW_MS = 1000;

/** Steps as they go by: one changing line on a terminal, a line for each slow step elsewhere. */
export class Progress {
  #stream;
  #live;

  constructor(stream) {
    this.#stream = stream;
    this.#live = stream.isTTY === true;
  }

  /** Runs a step under its name; gives its value and how long it took. */
  async step(name, work) {
    this.say(name);
    const started = performance.now();
    try {
      const value = await work();
      return [value, performance.now() - started];
    } finally {
      const elapsed = performance.now() - started;
      if (!this.#live && elapsed >= SLOW_MS) this.#stream.write(`${name}: ${(elapsed / 1000).toFixed(1)} s\n`);
      this.clear();
    }
  }

  say(text) {
    if (this.#live) this.#stream.write(`\r\x1b[2K${clip(`… ${oneLine(text)}`, (this.#stream.columns ?? 80) - 1)}`);
  }

  clear() {
    if (this.#live) this.#stream.write("\r\x1b[2K");
  }
}

/** A run's event in a few words; undefined where there is nothing to say. */
export function eventText(event) {
  if (event?.type !== "compaction_progress") return undefined;
  const words = [event.phase];
  if (event.request !== undefined && event.requests !== undefined) words.push(`request ${event.request} of ${event.requests}`);
  if (event.attempt > 1) words.push(`attempt ${event.attempt}`);
  return words.filter(Boolean).join(", ") || undefined;
}
