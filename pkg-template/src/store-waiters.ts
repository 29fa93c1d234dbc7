import type { ThreadfoldError } from "./error.js";

/** Who waits for a write. */
interface Waiter {
  resolve(): void;
  reject(error: ThreadfoldError): void;
}

/** Those who wait for one thing to be written. */
export class Waiters {
  #waiting: Waiter[] = [];

  join(): Promise<void> {
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  resolve(): void {
    for (const { resolve } of this.#waiting.splice(0)) resolve();
  }

  reject(error: ThreadfoldError): void {
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}

/** Those who wait for entries to be written, by the ids of the entries. */
export class EntryWaiters {
  readonly #waiting = new Map<string, { waiters: Waiters; takesBack: boolean }>();

  /** The ids that somebody waits for. */
  get ids(): string[] {
    return [...this.#waiting.keys()];
  }

  /** `takesBack` says that the entry is to be taken back where its write is refused. */
  join(id: string, takesBack: boolean): Promise<void> {
    const { waiters, takesBack: before } = this.#waiting.get(id) ?? { waiters: new Waiters(), takesBack: false };
    this.#waiting.set(id, { waiters, takesBack: before || takesBack });
    return waiters.join();
  }

  resolve(id: string): void {
    this.#waiting.get(id)?.waiters.resolve();
    this.#waiting.delete(id);
  }

  /** Rejects those who wait for some entries, once what is to be taken back is. */
  reject(ids: readonly string[], error: ThreadfoldError, takeBack: (id: string) => void): void {
    // The newest first: what is taken back costs what comes behind it.
    for (const id of [...ids].reverse()) {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (waiting?.takesBack) takeBack(id);
      waiting?.waiters.reject(error);
    }
  }
}
