import { throwIfAborted } from "./signal.js";
import { within } from "./within.js";

interface Running {
  done: Promise<void>;
  controller: AbortController;
  /** How many wait for it. */
  waiting: number;
}

/** Work that several wait for: done once, and given up when none of them waits any longer. */
export class SharedWork {
  #running: Running | undefined;

  /**
   * Waits for the work under way, or starts it. The signal ends the waiting alone, with its reason, and
   * the work as well where nobody else waits. What failed is started anew by the next one to ask.
   */
  async join(work: (signal: AbortSignal) => Promise<void>, signal: AbortSignal | undefined): Promise<void> {
    throwIfAborted(signal);
    const running = (this.#running ??= this.#start(work));
    running.waiting += 1;
    const ended = await within(() => running.done, { signal, timeoutMs: 0, late: "the work did not end", setting: "none" });
    running.waiting -= 1;
    if (ended.type === "failed") throw ended.cause;
    if (ended.type !== "aborted") return;
    if (running.waiting === 0) {
      if (this.#running === running) this.#running = undefined;
      running.controller.abort(signal?.reason);
    }
    throwIfAborted(signal);
  }

  #start(work: (signal: AbortSignal) => Promise<void>): Running {
    const controller = new AbortController();
    const running = { done: work(controller.signal), controller, waiting: 0 };
    const forget = () => {
      if (this.#running === running) this.#running = undefined;
    };
    running.done.then(forget, forget);
    return running;
  }
}
