import { LONGEST_DELAY_MS, within } from "./within.js";

/** Waits that many milliseconds; the signal is aborted when the wait is to end early. */
export type Sleep = (waitMs: number, signal: AbortSignal) => PromiseLike<void> | void;

/** Waits by the host's function or a timer, until the run's signal is aborted at the latest. A wait that fails is over. */
export async function pause(waitMs: number, sleep: Sleep = byTimer, signal: AbortSignal | undefined): Promise<void> {
  await within((own) => sleep(waitMs, own), { signal, timeoutMs: 0, late: "the wait did not end", setting: "sleep" });
}

/** Waits by timers, in pieces where one does not reach so far. A wait of no time lets others have their turn. */
async function byTimer(waitMs: number, signal: AbortSignal): Promise<void> {
  let left = waitMs;
  do {
    await oneTimer(Math.min(left, LONGEST_DELAY_MS), signal);
    left -= LONGEST_DELAY_MS;
  } while (left > 0);
}

function oneTimer(waitMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, waitMs);
    signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  });
}
