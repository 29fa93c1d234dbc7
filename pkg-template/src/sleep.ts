import { LONGEST_DELAY_MS, within } from "./within.js";

/** Waits that many milliseconds; the signal is aborted when the wait is to end early. */
export type Sleep = (waitMs: number, signal: AbortSignal) => Promise<void> | void;

/** Waits by the host's function or a timer, until the run's signal is aborted at the latest. A wait that fails is over. */
export async function pause(waitMs: number, sleep: Sleep = byTimer, signal: AbortSignal | undefined): Promise<void> {
  await within((own) => sleep(waitMs, own), { signal, timeoutMs: 0, late: "the wait did not end", setting: "sleep" });
}

function byTimer(waitMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, Math.min(waitMs, LONGEST_DELAY_MS));
    signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  });
}
