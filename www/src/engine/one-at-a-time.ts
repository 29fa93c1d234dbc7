// One run at a time; what is short waits for what is short.

import { refusal } from "./troubles.js";

export class OneAtATime {
  #run: string | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** Does something that is soon over, behind what was asked before. Throws `busy` while a run is under way. */
  soon<T>(work: () => Promise<T> | T): Promise<T> {
    this.#refuse();
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Begins a run; `name` says what is under way. Gives what ends it. Throws `busy` while another one is. */
  async begin(name: string): Promise<() => void> {
    this.#refuse();
    this.#run = name;
    await this.#last;
    return () => {
      this.#run = undefined;
    };
  }

  /** A run from its beginning to its end. */
  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const end = await this.begin(name);
    try {
      return await work();
    } finally {
      end();
    }
  }

  #refuse(): void {
    if (this.#run !== undefined) throw refusal("busy", `${this.#run} is under way`);
  }
}
