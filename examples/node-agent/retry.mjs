// What is done about a request that failed: failures that pass are waited for.

import { setTimeout as timer } from "node:timers/promises";
import { classifyError } from "threadfold";

const MOST_RETRIES = 4;
const FIRST_WAIT_MS = 1_000;
/** A provider that asks for more is not coming back soon: the user decides. */
const LONGEST_WAIT_MS = 60_000;

/** @typedef {import("threadfold").Sleep} Sleep */

/** Waits; a wait that is stopped rejects. @type {Sleep} */
export const sleep = (waitMs, signal) => timer(waitMs, undefined, { signal });

/**
 * Runs the attempt until it succeeds, fails for good, or has been retried often enough. An overflow
 * fails for good here: waiting makes no request smaller, a compaction does.
 *
 * @template Answer
 * @param {() => Promise<Answer>} attempt
 * @param {{ signal: AbortSignal, sleep: Sleep, onWait: (error: unknown, waitMs: number) => void }} options
 */
export async function withRetries(attempt, { signal, sleep, onWait }) {
  for (let retries = 0; ; retries += 1) {
    try {
      return await attempt();
    } catch (error) {
      const wait = signal.aborted || retries === MOST_RETRIES ? undefined : waitFor(error, retries);
      if (wait === undefined || wait > LONGEST_WAIT_MS) throw error;
      onWait(error, wait);
      await sleep(wait, signal);
    }
  }
}

/**
 * How long to wait before the next attempt, in milliseconds; undefined where none will help.
 *
 * @param {any} error @param {number} retries how many there were before
 */
function waitFor(error, retries) {
  const { class: kind, retryAfterMs = 0 } = classifyError(errorText(error), error?.status);
  if (kind !== "rate_limit" && kind !== "transient") return undefined;
  return Math.max(FIRST_WAIT_MS * 2 ** retries, retryAfterMs, headerWait(error?.headers));
}

/** What the header asks for, in milliseconds. @param {Headers | undefined} headers */
function headerWait(headers) {
  const seconds = Number(headers?.get("retry-after"));
  return Number.isFinite(seconds) ? seconds * 1_000 : 0;
}

/** The text of an error; the vendors' packages put the status in front. @param {any} error @returns {string} */
export const errorText = (error) => String(error?.message ?? error);

/** The text for a screen: Anthropic's package gives the whole JSON of the answer. @param {string} text */
export function inPlainWords(text) {
  const [, status, json] = /^(\d{3}) (\{.*\})$/s.exec(text) ?? [];
  try {
    return json === undefined ? text : `${status} ${JSON.parse(json).error.message}`;
  } catch {
    return text;
  }
}
