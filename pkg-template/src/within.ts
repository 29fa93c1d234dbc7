/** How work that was waited for ended. */
export type Ended<T> =
  | { type: "done"; value: T }
  /** It threw or rejected. */
  | { type: "failed"; cause: unknown }
  | { type: "timed-out"; message: string; cause: unknown }
  | { type: "aborted" };

/** How long work is waited for. */
export interface Limits {
  /** The signal of the run. */
  signal: AbortSignal | undefined;
  /** Milliseconds until the work is given up; 0 is for ever. */
  timeoutMs: number;
  /** What to say then, to be read before "within 5 ms". */
  late: string;
  /** The setting that the time comes from. */
  setting: string;
}

/** The longest delay that timers take; a longer one would fire at once. */
export const LONGEST_DELAY_MS = 2_147_483_647;

/**
 * Waits for work, the abort or the timeout, whichever comes first. The work gets a signal of its
 * own, aborted when it is given up, and may ignore it. Nothing is left behind: no listener, no timer.
 */
export async function within<T>(work: (signal: AbortSignal) => T | PromiseLike<T>, limits: Limits): Promise<Ended<T>> {
  const { signal, timeoutMs, late, setting } = limits;
  if (signal?.aborted) return { type: "aborted" };
  // One controller for each piece of work: long-lived signals warn when many listeners gather on them.
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let onAbort: (() => void) | undefined;
  try {
    const stopped = new Promise<Ended<T>>((resolve) => {
      onAbort = () => {
        resolve({ type: "aborted" });
        controller.abort(signal?.reason);
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      if (timeoutMs > 0 && timeoutMs <= LONGEST_DELAY_MS) {
        timer = setTimeout(() => {
          const message = `${late} within ${timeoutMs} ms (${setting})`;
          const cause = new DOMException(message, "TimeoutError");
          resolve({ type: "timed-out", message, cause });
          controller.abort(cause);
        }, timeoutMs);
      }
    });
    const done = new Promise<T>((resolve) => {
      resolve(work(controller.signal));
    }).then(
      (value): Ended<T> => ({ type: "done", value }),
      (cause: unknown): Ended<T> => ({ type: "failed", cause }),
    );
    return await Promise.race([done, stopped]);
  } finally {
    clearTimeout(timer);
    if (onAbort !== undefined) signal?.removeEventListener("abort", onAbort);
  }
}
